//! A comparison as one value that every interface shows, and that can be serialized.

use std::collections::BTreeSet;

use serde::Deserialize;

use super::ClusterReport;
use super::remaining_differences::is_path_prefix;
use crate::answers::report::documents;
use crate::engine::resource::{QuickMap, QuickSet};

pub const SCHEMA_VERSION: u32 = 1;

documents! {
    #[derive(Default, Deserialize)]
    pub struct CompareReport {
        pub schema_version: u32,
        pub before: String,
        pub after: String,
        pub targets_total: usize,
        pub targets_not_reached: usize,
        pub targets_failing: usize,
        #[serde(default)]
        pub bases_changed: usize,
        #[serde(default)]
        pub headline: ReportHeadline,
        pub edits: Vec<ReportEdit>,
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        pub renames: Vec<ReportRename>,
        pub targets: Vec<ReportTarget>,
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        pub ignored_files: Vec<String>,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub cluster: Option<ClusterReport>,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub shard: Option<String>,
    }

    #[derive(Default, Deserialize)]
    pub struct ReportEdit {
        pub file: String,
        pub line: u32,
        pub old_line: u32,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub column: Option<u32>,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub old_column: Option<u32>,
        pub old: Vec<String>,
        pub new: Vec<String>,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub commit: Option<CommitOfEdit>,
    }
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

documents! {
    #[derive(Default, Hash, Deserialize)]
    pub struct ReportRename {
        pub field: String,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub before: Option<String>,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub after: Option<String>,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub at: Option<String>,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub was_at: Option<String>,
        pub resources: usize,
        pub references: usize,
    }

    #[derive(Default, Hash, Deserialize)]
    pub struct CommitOfEdit {
        pub id: String,
        pub author: String,
        pub subject: String,
    }

    /// The result of a target on both sides.
    #[derive(Copy, Default, Deserialize)]
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
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ComparisonResult {
    /// All targets were compared, and all are equal.
    Same,
    Different,
    /// No difference was found, but a part was not compared.
    NotKnown,
}

documents! {
    #[derive(Default, Deserialize)]
    pub struct ReportTarget {
        pub target: String,
        pub state: TargetState,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub error: Option<String>,
        pub resources: Vec<ReportResource>,
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        pub pending: Vec<ReportPending>,
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        pub unknown_fields: Vec<ReportUnknownField>,
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        pub changed_files: Vec<String>,
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        pub in_place_of: Vec<String>,
    }

    #[derive(Default, Deserialize)]
    pub struct ReportPending {
        pub need: String,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub help: Option<String>,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub at: Option<String>,
    }

    #[derive(Default, Deserialize)]
    pub struct ReportUnknownField {
        pub path: String,
        pub resources: Vec<String>,
        pub need: String,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub at: Option<String>,
    }

    #[derive(Default, Deserialize)]
    pub struct ReportResource {
        pub change: String,
        pub api_version: String,
        pub kind: String,
        pub name: String,
        pub namespace: String,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub was: Option<String>,
        pub fields: Vec<ReportField>,
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        pub dangers: Vec<ReportDanger>,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub pending: Option<String>,
        pub diff: String,
    }
}

impl ReportResource {
    /// True for a resource that runs pods.
    pub fn is_workload(&self) -> bool {
        let kinds =
            ["Deployment", "StatefulSet", "DaemonSet", "ReplicaSet", "CronJob", "Job", "Pod"];
        kinds.contains(&self.kind.as_str())
    }
}

documents! {
    #[derive(Default, Deserialize)]
    pub struct ReportField {
        pub path: String,
        pub change: String,
        pub values: usize,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub before: Option<String>,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub after: Option<String>,
        pub edits: Vec<usize>,
        pub tried: bool,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub no_edit: Option<NoEdit>,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub at: Option<String>,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub was_at: Option<String>,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub step: Option<String>,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub pending: Option<String>,
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        pub renames: Vec<usize>,
    }

    /// The reason why no edit is named as the cause.
    #[derive(Copy, PartialOrd, Ord, Hash, Deserialize)]
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
}

impl ReportField {
    pub(super) fn has_place(&self) -> bool {
        self.at.is_some() || self.was_at.is_some()
    }
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

documents! {
    #[derive(Default, Deserialize)]
    pub struct ReportDanger {
        pub code: String,
        pub severity: String,
        pub path: String,
        pub message: String,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub image: Option<ReportImage>,
    }

    #[derive(Default, Deserialize)]
    pub struct ReportImage {
        pub before: String,
        pub after: String,
    }

    #[derive(Default, Deserialize)]
    pub struct ReportHeadline {
        pub differing: usize,
        pub not_known: usize,
        pub dangers: Vec<DangerCount>,
        pub restarts: usize,
        pub images: Vec<ImageCount>,
        pub added: usize,
        pub removed: usize,
        pub changed: usize,
        pub commits: Vec<CommitOfEdit>,
    }

    #[derive(Default, Deserialize)]
    pub struct DangerCount {
        pub code: String,
        pub severity: String,
        pub title: String,
        pub count: usize,
        pub targets: usize,
    }

    #[derive(Default, Deserialize)]
    pub struct ImageCount {
        pub before: String,
        pub after: String,
        pub is_major: bool,
        pub count: usize,
        pub targets: usize,
    }
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

    pub fn edits_at(&self, places: &[usize]) -> impl Iterator<Item = &ReportEdit> {
        places.iter().filter_map(|at| self.edits.get(*at))
    }

    pub fn fields(&self) -> impl Iterator<Item = LocatedField<'_>> {
        self.resources().flat_map(|(target, resource)| {
            resource.fields.iter().map(move |field| (target, resource, field))
        })
    }

    /// The number of fields without a known edit or location.
    pub fn count_fields_without_cause(&self) -> usize {
        let unknown = |field: &ReportField| {
            field.edits.is_empty() && !field.has_place() && field.no_edit != Some(NoEdit::Cluster)
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
