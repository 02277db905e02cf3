//! A comparison as one value that every interface shows, and that can be serialized.

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};

use super::ClusterReport;
use super::remaining_differences::is_path_prefix;
use crate::engine::resource::{QuickMap, QuickSet};

pub const SCHEMA_VERSION: u32 = 1;

/// The differences between two sides, and the edits that cause them.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct CompareReport {
    pub schema_version: u32,
    /// The first side, as named on the command line.
    pub before: String,
    /// The second side, as named on the command line.
    pub after: String,
    /// The number of targets on both sides.
    pub targets_total: usize,
    /// The number of targets that no edit affects: they were not built.
    pub targets_not_reached: usize,
    /// The number of targets that fail on both sides with the same message.
    pub targets_failing: usize,
    /// The number of bases whose output differs, although that of no listed target that uses them
    /// differs. They are listed with `--bases`.
    #[serde(default)]
    pub bases_changed: usize,
    /// The summary of all targets.
    #[serde(default)]
    pub headline: ReportHeadline,
    /// The edits that cause a difference.
    pub edits: Vec<ReportEdit>,
    /// The transformers by which names and namespaces differ between two folders.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub renames: Vec<ReportRename>,
    /// The targets that differ or are not known, by folder.
    pub targets: Vec<ReportTarget>,
    /// The files that git ignores: for a commit, they were read from the work tree.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub ignored_files: Vec<String>,
    /// For a comparison with a cluster: the fields of other managers, and the objects that were not
    /// tried.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cluster: Option<ClusterReport>,
    /// The compared part of all targets, as `K/N`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub shard: Option<String>,
}

/// One edit of a file.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct ReportEdit {
    /// The file, relative to the root of the comparison.
    pub file: String,
    /// The first line of the edit on the second side.
    pub line: u32,
    /// The first line of the edit on the first side.
    pub old_line: u32,
    /// For an element of a list or mapping on one line: its column on the second side, from 1.
    /// `old` and `new` are then the element instead of the line.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub column: Option<u32>,
    /// For an element of a list or mapping on one line: its column on the first side, from 1.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub old_column: Option<u32>,
    /// The old lines that the edit replaces.
    pub old: Vec<String>,
    /// The new lines that the edit writes.
    pub new: Vec<String>,
    /// The commit of the edit; absent if it is not committed or not known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub commit: Option<CommitOfEdit>,
}

impl ReportEdit {
    /// True if the edit has the line of a value of the field, on its side.
    pub fn has_value(&self, field: &ReportField) -> bool {
        let sides = [(&field.at, self.line, &self.new), (&field.was_at, self.old_line, &self.old)];
        sides.into_iter().any(|(at, first, lines)| {
            let Some((file, line)) = at.as_deref().and_then(|at| at.rsplit_once(':')) else {
                return false;
            };
            let line: Option<usize> = line.parse().ok();
            let from = line.and_then(|line| line.checked_sub(first as usize));
            file == self.file && from.is_some_and(|from| from < lines.len())
        })
    }
}

/// A transformer by which names or namespaces of the same resources differ.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct ReportRename {
    /// The field of the kustomization file, such as `namePrefix`; `hash` for hashes of content.
    pub field: String,
    /// The value on the first side.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub before: Option<String>,
    /// The value on the second side.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub after: Option<String>,
    /// The location of the entry on the second side.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub at: Option<String>,
    /// The location of the entry on the first side.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub was_at: Option<String>,
    /// The number of resources with another name or namespace, counted in each target.
    pub resources: usize,
    /// The number of fields that contain such a name of another resource, counted in each target.
    pub references: usize,
}

/// A commit that contains edits.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct CommitOfEdit {
    /// The full commit id.
    pub id: String,
    /// The author's name.
    pub author: String,
    /// The first line of the commit message.
    pub subject: String,
}

/// The result of a target on both sides.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub enum TargetState {
    /// Both build, and differ.
    #[default]
    Differs,
    /// The second side fails, the first builds.
    FailsNow,
    /// The second side builds, the first fails.
    BuildsNow,
    /// Both fail, with different messages.
    FailsOtherwise,
    /// Only the second side has the target.
    Added,
    /// Only the first side has the target.
    Removed,
    /// The target fails on both sides with the same error, or no difference is certain while steps
    /// are pending.
    NotKnown,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ComparisonResult {
    /// All targets were compared, and all are equal.
    Same,
    Different,
    /// No difference was found, but a part was not compared.
    NotKnown,
}

/// One target that differs or is not known.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct ReportTarget {
    /// The folder of the target.
    pub target: String,
    /// The result of the comparison.
    pub state: TargetState,
    /// The error of a failing side.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub error: Option<String>,
    /// The resources that differ.
    pub resources: Vec<ReportResource>,
    /// The pending steps of both sides: their additions and writes are not known.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub pending: Vec<ReportPending>,
    /// The fields that depend on pending steps: equal or not, their values are not known.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub unknown_fields: Vec<ReportUnknownField>,
    /// The changed files that affect the target, if the target is not compared.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub changed_files: Vec<String>,
    /// The targets that use this target and do not build: this target was compared in their place.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub in_place_of: Vec<String>,
}

/// A step that is not evaluated.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct ReportPending {
    /// The missing item, and why it is missing.
    pub need: String,
    /// How to provide the missing item.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub help: Option<String>,
    /// The location of the entry that configures the step.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub at: Option<String>,
}

/// A field of resources that depends on a pending step.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct ReportUnknownField {
    /// The path of the field, with `*` for any element of a list; empty for all fields.
    pub path: String,
    /// The resources with the field, as `KIND/NAME`.
    pub resources: Vec<String>,
    /// The missing item, and why it is missing.
    pub need: String,
    /// The location of the entry that configures the step.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub at: Option<String>,
}

/// One resource that differs.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct ReportResource {
    /// `added`, `removed` or `changed`.
    pub change: String,
    /// The `apiVersion`, of the second side if it has the resource.
    pub api_version: String,
    /// The kind of the resource.
    pub kind: String,
    /// The name of the resource.
    pub name: String,
    /// The namespace; empty for none.
    pub namespace: String,
    /// `Kind/name` on the first side, if it differs from the second side.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub was: Option<String>,
    /// The fields that differ.
    pub fields: Vec<ReportField>,
    /// The dangers of the change.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub dangers: Vec<ReportDanger>,
    /// The pending step that may still write the resource, or add it to the side that lacks it: the
    /// difference is not known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pending: Option<String>,
    /// The difference between the texts of both sides, as a unified diff.
    pub diff: String,
}

impl ReportResource {
    /// True for a resource that runs pods.
    pub fn is_workload(&self) -> bool {
        let kinds =
            ["Deployment", "StatefulSet", "DaemonSet", "ReplicaSet", "CronJob", "Job", "Pod"];
        kinds.contains(&self.kind.as_str())
    }
}

/// One field that differs.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct ReportField {
    /// The path of the field; empty for the whole resource.
    pub path: String,
    /// `added`, `removed`, `changed` or `reordered`.
    pub change: String,
    /// The number of values in the field: an added mapping counts with all its contents.
    pub values: usize,
    /// The value on the first side.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub before: Option<String>,
    /// The value on the second side.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub after: Option<String>,
    /// The edits that cause the change, by their indices in `edits` of the report, from 0.
    pub edits: Vec<usize>,
    /// True if the cause was verified by a build without these edits.
    pub tried: bool,
    /// The reason why no edit is named although some exist.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub no_edit: Option<NoEdit>,
    /// The location of the value.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub at: Option<String>,
    /// The location of the former value.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub was_at: Option<String>,
    /// The step that writes the value.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub step: Option<String>,
    /// The pending step that may still write the field: the difference is not known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pending: Option<String>,
    /// The renames that cause the change, by their indices in `renames` of the report, from 0.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub renames: Vec<usize>,
}

/// The reason why no edit is named as the cause.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub enum NoEdit {
    /// The difference remains if all edits are reverted.
    AllTakenBack,
    /// The difference remains if the edits are reverted one by one.
    NoneAlone,
    /// The edits were reverted one by one, and the second side does not build without some of them.
    NotBuilt,
    /// Not all edits were tried.
    NotAllTried,
    /// No edit is the cause: the sides are built with different versions of Kustomize.
    OtherKustomize,
    /// The first side is a cluster, which has no edits.
    Cluster,
}

impl NoEdit {
    pub const ALL: [Self; 6] = [
        Self::AllTakenBack,
        Self::NoneAlone,
        Self::NotBuilt,
        Self::NotAllTried,
        Self::OtherKustomize,
        Self::Cluster,
    ];
}

/// A danger of applying the change.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct ReportDanger {
    /// The code of the rule.
    pub code: String,
    /// `error`, `warning` or `note`.
    pub severity: String,
    /// The path of the field.
    pub path: String,
    /// The danger in words.
    pub message: String,
    /// The image that changes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub image: Option<ReportImage>,
}

/// An image that changes.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct ReportImage {
    /// The image on the first side.
    pub before: String,
    /// The image on the second side.
    pub after: String,
}

/// The summary of all targets: dangers, restarts, images, resources.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct ReportHeadline {
    /// The number of targets that differ.
    pub differing: usize,
    /// The number of targets whose differences are not known, or known only in part.
    pub not_known: usize,
    /// The dangers by code, the worst first; without changed images and restarts.
    pub dangers: Vec<DangerCount>,
    /// The number of workloads that restart their pods, counted in each target.
    pub restarts: usize,
    /// The images that change, each once.
    pub images: Vec<ImageCount>,
    /// The number of added resources, counted in each target.
    pub added: usize,
    /// The number of removed resources, counted in each target.
    pub removed: usize,
    /// The number of changed resources, counted in each target.
    pub changed: usize,
    /// The commits of the edits, each once.
    pub commits: Vec<CommitOfEdit>,
}

/// The dangers of one code.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct DangerCount {
    /// The code of the rule (`kzui explain CODE`).
    pub code: String,
    /// `error`, `warning` or `note`.
    pub severity: String,
    /// The title of the rule.
    pub title: String,
    /// The number of dangers, counted in each target.
    pub count: usize,
    /// The number of targets with a danger of this code.
    pub targets: usize,
}

/// An image that changes.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct ImageCount {
    /// The image on the first side.
    pub before: String,
    /// The image on the second side.
    pub after: String,
    /// True if the major version of the image changes.
    pub is_major: bool,
    /// The number of fields with this change, counted in each target.
    pub count: usize,
    /// The number of targets that use the image.
    pub targets: usize,
}

impl CompareReport {
    pub fn result(&self) -> ComparisonResult {
        match self.differing_targets().next() {
            Some(_) => ComparisonResult::Different,
            None if self.targets.is_empty() => ComparisonResult::Same,
            None => ComparisonResult::NotKnown,
        }
    }

    pub fn differing_targets(&self) -> impl Iterator<Item = &ReportTarget> {
        self.targets.iter().filter(|target| target.state != TargetState::NotKnown)
    }

    pub fn unknown_targets(&self) -> impl Iterator<Item = &ReportTarget> {
        self.targets.iter().filter(|target| target.state == TargetState::NotKnown)
    }

    /// Clears the dangers of resources that a removed target and an added target have in common:
    /// their folder was renamed.
    pub(super) fn clear_moved_resource_dangers(&mut self) {
        type ResourceId = (String, String, String);
        let id = |resource: &ReportResource| -> ResourceId {
            (resource.kind.clone(), resource.namespace.clone(), resource.name.clone())
        };
        let ids = |state: TargetState| -> BTreeSet<ResourceId> {
            let targets = self.targets.iter().filter(|target| target.state == state);
            targets.flat_map(|target| target.resources.iter().map(id)).collect()
        };
        let moved = &ids(TargetState::Added) & &ids(TargetState::Removed);
        let is_one_sided = |target: &&mut ReportTarget| {
            matches!(target.state, TargetState::Added | TargetState::Removed)
        };
        for target in self.targets.iter_mut().filter(is_one_sided) {
            let resources = target.resources.iter_mut();
            resources.filter(|it| moved.contains(&id(it))).for_each(|it| it.dangers.clear());
        }
    }

    pub fn fields(&self) -> impl Iterator<Item = LocatedField<'_>> {
        self.targets.iter().flat_map(|target| {
            let resources = target.resources.iter();
            resources.flat_map(move |resource| {
                resource.fields.iter().map(move |field| (target, resource, field))
            })
        })
    }

    /// The number of fields without a known edit or location.
    pub fn count_fields_without_cause(&self) -> usize {
        let unknown = |field: &ReportField| {
            let is_unplaced = field.at.is_none() && field.was_at.is_none();
            field.edits.is_empty() && is_unplaced && field.no_edit != Some(NoEdit::Cluster)
        };
        self.fields().filter(|(.., field)| unknown(field)).count()
    }

    /// The fields by their cause: dangers first, then the edits in the order of the files; fields
    /// without edits last. Renames are left out: [`Self::renames`] counts them.
    pub fn group_by_cause(&self) -> Vec<CauseGroup<'_>> {
        let mut by_edits: QuickMap<(&[usize], Option<NoEdit>), CauseGroup<'_>> =
            QuickMap::default();
        for found in self.fields().filter(|(.., field)| field.renames.is_empty()) {
            let (edits, no_edit) = (found.2.edits.as_slice(), found.2.no_edit);
            let new = || CauseGroup { edits, no_edit, fields: Vec::new(), dangers: Vec::new() };
            by_edits.entry((edits, no_edit)).or_insert_with(new).fields.push(found);
        }
        for (target, resource) in self.resources() {
            for danger in &resource.dangers {
                let placed = |field: &ReportField| match danger.image {
                    Some(_) => field.path == danger.path,
                    None => {
                        is_path_prefix(&field.path, &danger.path)
                            || is_path_prefix(&danger.path, &field.path)
                    }
                };
                let has_place = !danger.path.is_empty() && resource.fields.iter().any(placed);
                let mut seen: QuickSet<(&[usize], Option<NoEdit>)> = QuickSet::default();
                for field in resource.fields.iter().filter(|field| !has_place || placed(field)) {
                    let key = (field.edits.as_slice(), field.no_edit);
                    if let Some(cause) = by_edits.get_mut(&key).filter(|_| seen.insert(key)) {
                        cause.dangers.push(CauseDanger { target, resource, danger });
                    }
                }
            }
        }
        let mut causes: Vec<CauseGroup<'_>> = by_edits.into_values().collect();
        let order =
            |cause: &CauseGroup<'_>| (cause.edits.is_empty(), cause.edits.to_vec(), cause.no_edit);
        causes.sort_by_cached_key(|cause| (cause.review_row_kind(), order(cause)));
        causes
    }
}

pub type LocatedField<'a> = (&'a ReportTarget, &'a ReportResource, &'a ReportField);

#[derive(Clone, Copy, Debug)]
pub struct CauseDanger<'a> {
    pub target: &'a ReportTarget,
    pub resource: &'a ReportResource,
    pub danger: &'a ReportDanger,
}

#[derive(Clone, Debug)]
pub struct CauseGroup<'a> {
    /// The edits, by their indices in [`CompareReport::edits`]; empty without a known edit.
    pub edits: &'a [usize],
    /// Why no edit is named although some exist.
    pub no_edit: Option<NoEdit>,
    pub fields: Vec<LocatedField<'a>>,
    /// The dangers of these fields: a danger belongs to the fields at, above and below its path (an
    /// image, only to the field at its path), or
    /// to all fields of its resource.
    pub dangers: Vec<CauseDanger<'a>>,
}

impl<'a> CauseGroup<'a> {
    /// True if the cause was verified for at least one of the fields.
    pub fn is_verified(&self) -> bool {
        self.fields.iter().any(|(.., field)| field.tried)
    }

    pub fn targets(&self) -> Vec<&'a str> {
        let targets = self.fields.iter().map(|found| found.0.target.as_str());
        targets.collect::<BTreeSet<&str>>().into_iter().collect()
    }

    /// Equal changes in several targets, merged by kind, path and both values; with the names and
    /// the number of fields.
    pub fn merged_changes(&self) -> Vec<SameChange<'a>> {
        let mut all: QuickMap<_, SameChange<'a>> = QuickMap::default();
        for (target, resource, field) in &self.fields {
            let values = (&field.before, &field.after);
            let kind = (&resource.kind, &field.path, &field.change, values);
            let new = || SameChange { target, resource, field, count: 0, names: Vec::new() };
            let same = all.entry(kind).or_insert_with(new);
            same.count += 1;
            if !same.names.contains(&resource.name.as_str()) {
                same.names.push(&resource.name);
            }
        }
        all.into_values().collect()
    }
}

/// A change that may occur in several resources and targets; `target`, `resource` and `field` are those
/// of the first occurrence.
#[derive(Clone, Debug)]
pub struct SameChange<'a> {
    pub target: &'a ReportTarget,
    pub resource: &'a ReportResource,
    pub field: &'a ReportField,
    pub count: usize,
    /// The names of the resources, each once.
    pub names: Vec<&'a str>,
}

#[test]
fn diff_schema_equals_the_document() {
    crate::document_schema::assert_schema::<CompareReport>("diff", 1);
}
