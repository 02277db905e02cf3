//! Turns compared builds into reports.

use std::collections::BTreeMap;
use std::ops::Range;
use std::path::Path;
use std::sync::Arc;

use similar::TextDiff;

use super::resource_text::resource_text;
use super::sides::SideBuild;
use super::{
    ChangeKind, ComparedResource, DifferenceCause, EditId, FieldChange, FieldSegment, FileEdit,
    FileEdits, Outcomes, ReportDanger, ReportEdit, ReportField, ReportImage, ReportPending,
    ReportResource, ReportTarget, ReportUnknownField, ResourcePair, TargetState, dangers,
};
use crate::answers::is_shown_relative;
use crate::answers::report::{ReportPaths, step_title};
use crate::answers::secrets::Secrets;
use crate::engine::diagnostic::{DangerRemark, Diagnostic, Remark};
use crate::engine::evaluate::Wait;
use crate::engine::resource::{QuickMap, QuickSet, Resource};
use crate::engine::yaml::{Mark, Node, print_flow, print_preserving_style};

pub(super) struct ReportContext<'a> {
    /// The roots of both sides. Paths are shown relative to the second root; a path of the first
    /// side that is unrelated to it is shown relative to the first root.
    pub(super) roots: (&'a Path, &'a Path),
    pub(super) secrets: &'a Secrets,
    /// True if both sides are states of the same target over time, so that a removal from the
    /// output is a removal from the cluster.
    pub(super) has_dangers: bool,
}

impl ReportContext<'_> {
    /// The missing item of a pending step, with paths relative to the root of the second side.
    fn need_text(&self, wait: &Wait) -> String {
        let need = wait.required_action_text();
        self.secrets.text(&need.replace(&format!("{}/", self.roots.1.display()), ""))
    }

    /// The location of a mark in the build of the first and of the second side.
    pub(super) fn places(
        &self,
        outcomes: &Outcomes,
        marks: [Option<Mark>; 2],
    ) -> [Option<String>; 2] {
        let [was, now] = marks;
        let root = self.roots.1;
        [place(&outcomes.before, was, self.roots), place(&outcomes.after, now, (root, root))]
    }
}

/// The report of a target; `None` if both sides are the same. The edits that it names are added to
/// `named`, and have their indices there.
pub(super) fn report_target(
    name: &str,
    outcomes: &Outcomes,
    told: &ReportContext<'_>,
    named: &mut QuickSet<EditId>,
) -> Option<ReportTarget> {
    let is_known = outcomes.compared.iter().any(|it| it.pending.is_none());
    let state = match (&outcomes.before.outcome, &outcomes.after.outcome) {
        (Ok(_), Ok(_)) if is_known => TargetState::Differs,
        (Ok(_), Ok(_)) if outcomes.compared.is_empty() && !outcomes.is_open => return None,
        (Ok(_), Ok(_)) => TargetState::NotKnown,
        (Ok(_), Err(_)) => TargetState::FailsNow,
        (Err(_), Ok(_)) => TargetState::BuildsNow,
        (Err(one), Err(other)) if one == other => TargetState::NotKnown,
        (Err(_), Err(_)) => TargetState::FailsOtherwise,
    };
    let error = outcomes.after.outcome.as_ref().err().or(outcomes.before.outcome.as_ref().err());
    let mut target = TargetContext { outcomes, told, named };
    Some(ReportTarget {
        target: name.to_owned(),
        state,
        error: error.map(|text| told.secrets.text(text)),
        resources: outcomes.compared.iter().map(|it| target.resource(it)).collect(),
        pending: target.pending(),
        unknown_fields: target.unknown_fields(),
        ..ReportTarget::default()
    })
}

struct TargetContext<'a> {
    outcomes: &'a Outcomes,
    told: &'a ReportContext<'a>,
    named: &'a mut QuickSet<EditId>,
}

impl TargetContext<'_> {
    fn sides(&self) -> [(&SideBuild, (&Path, &Path)); 2] {
        let (roots, Outcomes { before, after, .. }) = (self.told.roots, self.outcomes);
        [(after, (roots.1, roots.1)), (before, roots)]
    }

    /// The pending steps of both sides, each once.
    fn pending(&self) -> Vec<ReportPending> {
        let mut found: Vec<ReportPending> = Vec::new();
        for (built, roots) in self.sides() {
            for step in built.pending.independent_steps() {
                let need = self.told.need_text(&step.wait);
                if found.iter().any(|other| other.need == need) {
                    continue;
                }
                let help = step.wait.way.as_ref().map(ToString::to_string);
                let help = help.filter(|help| !need.contains(help));
                found.push(ReportPending { need, help, at: place(built, Some(step.mark), roots) });
            }
        }
        found
    }

    fn unknown_fields(&self) -> Vec<ReportUnknownField> {
        let mut found: QuickMap<(String, String), ReportUnknownField> = QuickMap::default();
        for (built, roots) in self.sides() {
            for resource in built.outcome.iter().flatten() {
                for field in built.pending.unknown_fields(resource) {
                    let need = self.told.need_text(&field.step.wait);
                    let path = field.path.join(".");
                    let at = place(built, Some(field.step.mark), roots);
                    let name = format!("{}/{}", resource.id.gvk.kind, resource.id.name);
                    let row = found.entry((path.clone(), need.clone())).or_insert_with(|| {
                        ReportUnknownField { path, resources: Vec::new(), need, at }
                    });
                    if !row.resources.contains(&name) {
                        row.resources.push(name);
                    }
                }
            }
        }
        found.into_values().collect()
    }

    fn resource(&mut self, compared: &ComparedResource) -> ReportResource {
        let (pair, told) = (&compared.pair, self.told);
        let text = |resource: &Option<Arc<Resource>>| {
            let node = resource.as_ref().map(|resource| told.secrets.masked_node(resource));
            node.as_ref().map(resource_text).unwrap_or_default()
        };
        let changes = compared.changes.iter();
        let fields = changes.map(|(change, reason)| self.field(change, reason, pair)).collect();
        let one = pair.after.as_ref().or(pair.before.as_ref());
        let id = one.map(|it| it.id.clone()).unwrap_or_default();
        let was = pair.before.as_ref().map(|it| format!("{}/{}", it.id.gvk.kind, it.id.name));
        let change = match (&pair.before, &pair.after) {
            (None, _) => "added",
            (_, None) => "removed",
            _ => "changed",
        };
        let name = format!("{}/{}", id.gvk.kind, id.name);
        // The masked path of the changed field that the danger names.
        let path_of = |field: String| {
            let mut changes = compared.changes.iter().map(|(change, _)| change);
            let change = changes.find(|change| change.path.to_string() == field);
            change.map_or(field, |change| masked_path(change, pair, told))
        };
        let dangers = dangers(pair, &compared.changes, &self.outcomes.pruning).into_iter();
        // Between targets of different folders, another image is a difference and no danger.
        let as_change = |danger: Diagnostic| {
            let (before, after) = changed_image(&danger)?;
            let remark = DangerRemark::Image(before.clone(), after.clone()).into();
            Some(Diagnostic { remark, ..danger })
        };
        let dangers = dangers
            .filter_map(|danger| if told.has_dangers { Some(danger) } else { as_change(danger) })
            .map(|danger| ReportDanger {
                code: danger.code().as_str().to_owned(),
                severity: danger.severity().word().to_owned(),
                path: danger.field.clone().map(path_of).unwrap_or_default(),
                message: told.secrets.text(&danger.message()),
                image: changed_image(&danger).map(|(before, after)| ReportImage {
                    before: told.secrets.text(before),
                    after: told.secrets.text(after),
                }),
            });
        ReportResource {
            change: change.to_owned(),
            api_version: id.gvk.api_version(),
            kind: id.gvk.kind.to_string(),
            name: id.name.to_string(),
            namespace: id.namespace.to_string(),
            was: was.filter(|was| pair.after.is_some() && *was != name),
            dangers: dangers.collect(),
            pending: compared.pending.as_ref().map(|step| told.need_text(&step.wait)),
            diff: TextDiff::from_lines(text(&pair.before), text(&pair.after))
                .unified_diff()
                .to_string(),
            fields,
        }
    }

    fn field(
        &mut self,
        change: &FieldChange,
        reason: &DifferenceCause,
        pair: &ResourcePair,
    ) -> ReportField {
        let kind = match change.kind {
            ChangeKind::Added => "added",
            ChangeKind::Removed => "removed",
            ChangeKind::Changed => "changed",
            ChangeKind::Reordered => "reordered",
        };
        let (keys, told) = (change.path.keys(), self.told);
        let value = |resource: Option<&Arc<Resource>>, node: &Option<Node>| {
            let node = node.as_ref()?;
            let masked = resource.map(|resource| told.secrets.part(resource, &keys, node));
            Some(compact_value(masked.as_ref().unwrap_or(node)))
        };
        let marks = [reason.was_at, reason.at].map(|at| at.map(|(mark, _)| mark));
        let [was_at, at] = told.places(self.outcomes, marks);
        ReportField {
            path: masked_path(change, pair, told),
            change: kind.to_owned(),
            values: change.count_values(),
            before: value(pair.before.as_ref(), &change.before),
            after: value(pair.after.as_ref(), &change.after),
            edits: reason.edits.iter().map(|id| self.named.insert_full(*id).0).collect(),
            tried: reason.is_tried,
            no_edit: reason.unnamed_edit_reason,
            at,
            was_at,
            step: writer_step_words(self.outcomes, reason),
            pending: reason.pending.as_ref().map(|step| told.need_text(&step.wait)),
            renames: Vec::new(),
        }
    }
}

/// The image on both sides, if the danger is about an image.
fn changed_image(danger: &Diagnostic) -> Option<(&String, &String)> {
    match &danger.remark {
        Remark::Danger(
            DangerRemark::Image(before, after) | DangerRemark::ImageMajor(before, after),
        ) => Some((before, after)),
        _ => None,
    }
}

/// The path of a change, with secret text masked: the path of an element in a list of texts
/// contains the text.
fn masked_path(change: &FieldChange, pair: &ResourcePair, told: &ReportContext<'_>) -> String {
    let keys = change.path.keys();
    let mut path = change.path.clone();
    if let Some(FieldSegment::Element(key, text)) = path.0.last_mut().filter(|_| !keys.is_empty())
        && key.is_empty()
    {
        let after = pair.after.as_ref().zip(change.after.as_ref());
        let one = after.or(pair.before.as_ref().zip(change.before.as_ref()));
        let masked = one.map(|(resource, node)| told.secrets.part(resource, &keys, node));
        if let Some(masked) = masked.as_ref().and_then(Node::text) {
            masked.clone_into(text);
        }
    }
    path.to_string()
}

/// A value for a report: a scalar or a collection as YAML, a text of several lines unquoted.
pub(super) fn compact_value(node: &Node) -> String {
    if node.as_scalar().is_some() {
        let text = node.text().unwrap_or_default();
        if text.contains('\n') { text.to_owned() } else { print_flow(node).trim().to_owned() }
    } else {
        print_preserving_style(node)
    }
}

/// The location of a mark, relative to the root of the second side (`root`), or to the root of its
/// own side (`own`) if the file is unrelated to `root`. `None` for a mark without a line.
pub(super) fn place(
    built: &SideBuild,
    mark: Option<Mark>,
    (own, root): (&Path, &Path),
) -> Option<String> {
    let mark = mark.filter(|mark| mark.line > 0)?;
    let path = Path::new(built.trace.sources.path(mark.source)?);
    let root = if is_shown_relative(root, path) { root } else { own };
    let at = ReportPaths::relative_to(&built.trace, root.to_owned()).at(mark)?;
    Some(format!("{}:{}", at.file, at.line))
}

/// The number and name of the step that wrote the value, on the second side if possible.
fn writer_step_words(outcomes: &Outcomes, reason: &DifferenceCause) -> Option<String> {
    let of = |built: &SideBuild, at: Option<(Mark, Option<usize>)>| {
        let number = at?.1?;
        let step = built.trace.steps.get(number - 1)?;
        Some(format!("step {number} {}", step_title(step)))
    };
    of(&outcomes.after, reason.at).or_else(|| of(&outcomes.before, reason.was_at))
}

pub(super) fn report_edits(
    ids: &QuickSet<EditId>,
    files: &[FileEdits],
    told: &ReportContext<'_>,
) -> Vec<ReportEdit> {
    let mut masked: BTreeMap<usize, [Vec<String>; 2]> = BTreeMap::new();
    let reports = ids.iter().map(|(file, edit)| {
        let lines = masked.entry(*file).or_insert_with(|| files[*file].masked_lines(told.secrets));
        report_edit(&files[*file], &files[*file].edits[*edit], lines, told.roots.1)
    });
    reports.collect()
}

fn report_edit(
    file: &FileEdits,
    edit: &FileEdit,
    [before, after]: &[Vec<String>; 2],
    root: &Path,
) -> ReportEdit {
    let lines =
        |of: &[String], range: &Range<usize>| of.get(range.clone()).unwrap_or_default().to_vec();
    let file_name = file.path.strip_prefix(root).unwrap_or(&file.path);
    let mut shown = ReportEdit {
        file: file_name.to_string_lossy().into_owned(),
        line: edit.new_line(),
        old_line: edit.old_line(),
        old: lines(before, &edit.old),
        new: lines(after, &edit.new),
        ..ReportEdit::default()
    };
    // With masked values, the columns of an element are others: the lines are shown.
    let is_unmasked = |is_new: bool, at: usize, shown: &[String]| {
        let line = file.text(is_new).and_then(|text| text.lines().nth(at));
        shown.first().map(String::as_str) == line
    };
    if let Some(part) = &edit.part
        && is_unmasked(false, edit.old.start, &shown.old)
        && is_unmasked(true, edit.new.start, &shown.new)
    {
        let [old, new] = part.elements.clone().map(|element| vec![element]);
        (shown.old, shown.new) = (old, new);
        [shown.old_column, shown.column] = part.columns.map(Some);
    }
    shown
}
