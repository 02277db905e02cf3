//! From builds to what is told of them.

use std::path::Path;

use similar::TextDiff;

use super::sides::Built;
use super::{
    ChangeKind, Compared, EditId, FieldChange, FileEdits, Outcomes, Reason, ReportDanger,
    ReportEdit, ReportField, ReportResource, ReportTarget, TargetState, dangers,
};
use crate::answers::is_near;
use crate::answers::report::Places;
use crate::answers::secrets::Secrets;
use crate::engine::evaluate::Step;
use crate::engine::resource::{QuickSet, Resource};
use crate::engine::yaml::{Mark, Node, print_document, print_flow, print_v3};

/// How it is told.
pub struct Told<'a> {
    /// Paths of both sides are shown from the root of the second, but what lies elsewhere altogether from the root of its own side.
    pub roots: (&'a Path, &'a Path),
    /// How values of Secrets are shown.
    pub secrets: &'a Secrets,
    /// All edits, by their ids.
    pub edits: &'a [FileEdits],
}

/// What is told of a target, with the edits that it names; nothing when both sides are the same.
pub fn report_target(
    name: &str,
    outcomes: &Outcomes,
    told: &Told<'_>,
) -> Option<(ReportTarget, Vec<EditId>)> {
    let mut named: QuickSet<EditId> = QuickSet::default();
    let state = match (&outcomes.before.outcome, &outcomes.after.outcome) {
        (Ok(_), Ok(_)) if outcomes.compared.is_empty() => return None,
        (Ok(_), Ok(_)) => TargetState::Differs,
        (Ok(_), Err(_)) => TargetState::FailsNow,
        (Err(_), Ok(_)) => TargetState::BuildsNow,
        (Err(one), Err(other)) if one == other => return None,
        (Err(_), Err(_)) => TargetState::FailsOtherwise,
    };
    let error = [&outcomes.after.outcome, &outcomes.before.outcome]
        .into_iter()
        .find_map(|outcome| outcome.as_ref().err().cloned());
    let resources =
        outcomes.compared.iter().map(|it| resource(it, outcomes, told, &mut named)).collect();
    let error = error.map(|text| told.secrets.text(&text));
    let target = ReportTarget { target: name.to_owned(), state, error, resources };
    Some((target, named.into_iter().collect()))
}

fn resource(
    compared: &Compared,
    outcomes: &Outcomes,
    told: &Told<'_>,
    named: &mut QuickSet<EditId>,
) -> ReportResource {
    let pair = &compared.pair;
    let masked = |resource: &Option<std::sync::Arc<Resource>>| {
        resource.as_ref().map(|resource| told.secrets.node(resource))
    };
    let (before, after) = (masked(&pair.before), masked(&pair.after));
    let fields = compared.changes.iter().map(|(change, reason)| {
        field(change, reason, (before.as_ref(), after.as_ref()), outcomes, told, named)
    });
    let fields: Vec<ReportField> = fields.collect();
    let id =
        pair.after.as_ref().or(pair.before.as_ref()).map(|it| it.id.clone()).unwrap_or_default();
    let was = pair.before.as_ref().map(|it| format!("{}/{}", it.id.gvk.kind, it.id.name));
    let change = match (&pair.before, &pair.after) {
        (None, _) => "added",
        (_, None) => "removed",
        _ => "changed",
    };
    // As the output has it; what cannot stand in an output is printed as it is kept.
    let print = |node: &Node| print_document(node).unwrap_or_else(|_| print_v3(node));
    let text = |node: &Option<Node>| node.as_ref().map(print).unwrap_or_default();
    let name = format!("{}/{}", id.gvk.kind, id.name);
    ReportResource {
        change: change.to_owned(),
        api_version: id.gvk.api_version(),
        kind: id.gvk.kind.to_string(),
        name: id.name.to_string(),
        namespace: id.namespace.to_string(),
        was: was.filter(|was| pair.after.is_some() && *was != name),
        dangers: dangers(pair, &compared.changes)
            .into_iter()
            .map(|danger| ReportDanger {
                code: danger.code().as_str().to_owned(),
                severity: danger.severity().word().to_owned(),
                path: danger.field.clone().unwrap_or_default(),
                message: told.secrets.text(&danger.message()),
            })
            .collect(),
        diff: unified(&text(&before), &text(&after)),
        fields,
    }
}

fn field(
    change: &FieldChange,
    reason: &Reason,
    masked: (Option<&Node>, Option<&Node>),
    outcomes: &Outcomes,
    told: &Told<'_>,
    named: &mut QuickSet<EditId>,
) -> ReportField {
    let edits = reason.edits.iter().map(|id| named.insert_full(*id).0);
    let edits = edits.collect();
    let kind = match change.kind {
        ChangeKind::Added => "added",
        ChangeKind::Removed => "removed",
        ChangeKind::Changed => "changed",
        ChangeKind::Reordered => "reordered",
    };
    // A Secret's values are those of the masked tree, at the same path.
    let value = |whole: Option<&Node>, node: &Option<Node>| {
        let node = node.as_ref()?;
        let is_order = change.kind == ChangeKind::Reordered;
        let found = if is_order { None } else { whole.and_then(|whole| at(whole, change, node)) };
        Some(shown(found.as_ref().unwrap_or(node)))
    };
    ReportField {
        path: change.path.to_string(),
        change: kind.to_owned(),
        values: change.leaves(),
        before: value(masked.0, &change.before),
        after: value(masked.1, &change.after),
        edits,
        tried: reason.is_tried,
        no_edit: reason.no_edit,
        at: place(&outcomes.after, reason.at.map(|(mark, _)| mark), (told.roots.1, told.roots.1)),
        was_at: place(&outcomes.before, reason.was_at.map(|(mark, _)| mark), told.roots),
        step: step(outcomes, reason),
    }
}

/// The node at the path of a change in a tree whose values are masked; the path of an element that is no mapping ends there.
fn at(whole: &Node, change: &FieldChange, original: &Node) -> Option<Node> {
    let keys = change.path.keys();
    let hides = match keys.as_slice() {
        ["data" | "stringData" | "metadata"] | [] => true,
        ["data" | "stringData", _] | ["metadata", "annotations", ..] => keys.len() < 4,
        _ => false,
    };
    if !hides {
        return Some(original.clone());
    }
    keys.iter().try_fold(whole, |node, key| node.get(key)).cloned()
}

/// A value in as few lines as it takes.
fn shown(node: &Node) -> String {
    if node.as_scalar().is_some() {
        let text = node.text().unwrap_or_default();
        if text.contains('\n') { text.to_owned() } else { print_flow(node).trim().to_owned() }
    } else {
        print_v3(node)
    }
}

fn place(built: &Built, mark: Option<Mark>, (own, root): (&Path, &Path)) -> Option<String> {
    let mark = mark.filter(|mark| mark.line > 0)?;
    let path = Path::new(built.trace.sources.path(mark.source)?);
    let root = if is_near(root, path) { root } else { own };
    let at = Places::seen_from(&built.trace, root.to_owned()).at(mark)?;
    Some(format!("{}:{}", at.file, at.line))
}

fn step(outcomes: &Outcomes, reason: &Reason) -> Option<String> {
    let of = |built: &Built, at: Option<(Mark, Option<usize>)>| {
        let number = at?.1?;
        let step = built.trace.steps.get(number - 1)?;
        Some(format!("step {number} {}", words(step)))
    };
    of(&outcomes.after, reason.at).or_else(|| of(&outcomes.before, reason.was_at))
}

fn words(step: &Step) -> String {
    if step.argument.is_empty() {
        return step.name.to_string();
    }
    format!("{} {}", step.name, step.argument)
}

fn unified(before: &str, after: &str) -> String {
    let diff = TextDiff::from_lines(before, after);
    diff.unified_diff().context_radius(3).to_string()
}

/// What is told of an edit.
pub fn report_edit(id: EditId, told: &Told<'_>) -> ReportEdit {
    let Some(edit) = told.edits.get(id.0).and_then(|file| file.edits.get(id.1)) else {
        return ReportEdit::default();
    };
    let lines = |lines: &[String]| {
        lines.iter().map(|line| told.secrets.text(line.trim_end_matches(['\n', '\r']))).collect()
    };
    ReportEdit {
        file: edit
            .file
            .strip_prefix(told.roots.1)
            .unwrap_or(&edit.file)
            .to_string_lossy()
            .into_owned(),
        line: edit.new_line,
        old_line: edit.old_line,
        old: lines(&edit.old),
        new: lines(&edit.new),
        commit: None,
    }
}
