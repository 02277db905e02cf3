//! The words of a comparison for all interfaces.

use std::borrow::Cow;
use std::collections::BTreeMap;

use super::edit_words::{
    data_in_flow, edit_line, first_changed_line, truncate_both_values, truncate_value,
};
use super::headline::severity_rank;
use super::side_targets::hidden_bases_sentence;
use super::{
    CauseDanger, CauseGroup, ClusterReport, CompareReport, NoEdit, ReportDanger, ReportField,
    ReportTarget, ReportUnknownField, SameChange, TargetState,
};
use crate::display::{first_names, line, message};
use crate::engine::resource::QuickMap;

const MAX_TARGETS_NAMED: usize = 3;
const MAX_FILES_NAMED: usize = 8;

/// The state of a target in words. For a target that differs, pending steps are mentioned.
pub fn target_words(target: &ReportTarget) -> &'static str {
    match state_words(target.state) {
        Some(words) => words,
        None if target.pending.is_empty() => "differs",
        None => "differs; the rest is not known",
    }
}

/// The state of a target in words; `None` for a target that builds on both sides and differs.
pub fn state_words(state: TargetState) -> Option<&'static str> {
    Some(match state {
        TargetState::Differs => return None,
        TargetState::FailsNow => "fails now",
        TargetState::BuildsNow => "builds now",
        TargetState::FailsOtherwise => "fails on both sides, with different errors",
        TargetState::Added => "is new",
        TargetState::Removed => "is gone",
        TargetState::NotKnown => "not known",
    })
}

/// The state that `count` of several targets have, in words: `2 of 12 fail now`.
pub fn state_count_words(state: TargetState, [count, all]: [usize; 2]) -> String {
    let words = match state {
        TargetState::FailsNow if count > 1 => "fail now",
        TargetState::BuildsNow if count > 1 => "build now",
        TargetState::Added if count > 1 => "are new",
        state => state_words(state).unwrap_or("differs"),
    };
    if all == 1 { words.to_owned() } else { format!("{count} of {all} {words}") }
}

/// The state of a target in a sentence that names the sides; `None` for a target that builds on
/// both sides and differs.
pub fn state_sentence(report: &CompareReport, state: TargetState) -> Option<String> {
    let (before, after) = (&report.before, &report.after);
    Some(match state {
        TargetState::Differs => return None,
        TargetState::FailsNow => format!("It builds in {before} and fails in {after}:"),
        TargetState::BuildsNow => format!("It builds in {after}. In {before} it failed:"),
        TargetState::FailsOtherwise => {
            format!("It fails in {before} and in {after}; the error in {after}:")
        }
        TargetState::Added => format!("It is new in {after}: in {before} there is no such target."),
        TargetState::Removed => format!("It is in {before}: in {after} there is no such target."),
        TargetState::NotKnown => {
            "No difference known: a part of the target is not built.".to_owned()
        }
    })
}

pub fn summary(report: &CompareReport) -> String {
    let is_listed = |target: &&ReportTarget| target.in_place_of.is_empty();
    let differ = report.differing_targets().filter(is_listed).count();
    let not_known = report.unknown_targets().filter(is_listed).count();
    let same = report.targets_total.saturating_sub(differ + not_known);
    let verb = if differ == 1 { "differs" } else { "differ" };
    // A bare "0 differ" would hide the targets that are not known.
    let is_shown = |count: usize| count > 0 || not_known == 0;
    let known = [(same, "the same"), (differ, verb)].into_iter().filter(|it| is_shown(it.0));
    let parts = known.chain((not_known > 0).then_some((not_known, "not known")));
    let parts: Vec<String> = parts.map(|(count, word)| format!("{count} {word}")).collect();
    let shard = report.shard.as_ref().map(|it| format!(" (part {it})")).unwrap_or_default();
    let targets = if report.targets_total == 1 { "target" } else { "targets" };
    let bases = report.differing_targets().filter(|target| !target.in_place_of.is_empty()).count();
    let bases = match bases {
        0 => String::new(),
        1 => "; 1 target below the failing ones differs".to_owned(),
        count => format!("; {count} targets below the failing ones differ"),
    };
    let hidden = hidden_bases_sentence(report.bases_changed)
        .map(|words| format!("; {words}"))
        .unwrap_or_default();
    let unknown = match report.count_fields_without_cause() {
        0 => String::new(),
        count => format!("; {count} fields without a known cause"),
    };
    let cluster = report.cluster.as_ref().map(ClusterReport::summary).unwrap_or_default();
    let ignored = match report.ignored_files.as_slice() {
        [] => String::new(),
        files => format!("; ignored by git, read from the work tree: {}", files.join(", ")),
    };
    line!(
        "{} → {}: {} {targets}{shard}: {}{bases}{hidden}{unknown}{cluster}{ignored}",
        report.before,
        report.after,
        report.targets_total,
        parts.join(", ")
    )
}

/// The resources of a new or removed target by kind, and their dangers by code.
fn resource_summary_lines(target: &ReportTarget) -> Vec<String> {
    let mut kinds: BTreeMap<&str, usize> = BTreeMap::new();
    let mut dangers: BTreeMap<(usize, &str), (&ReportDanger, usize)> = BTreeMap::new();
    for resource in &target.resources {
        *kinds.entry(&resource.kind).or_default() += 1;
        for danger in &resource.dangers {
            let key = (severity_rank(&danger.severity), danger.code.as_str());
            dangers.entry(key).or_insert((danger, 0)).1 += 1;
        }
    }
    let kinds: Vec<String> = kinds.iter().map(|(kind, count)| format!("{count} {kind}")).collect();
    let kinds = (!kinds.is_empty()).then(|| kinds.join(", "));
    let dangers = dangers.into_values().map(|(danger, count)| {
        let more = if count > 1 { format!(" and {} more", count - 1) } else { String::new() };
        format!("{}[{}] {}{more}", danger.severity, danger.code, danger.message)
    });
    kinds.into_iter().chain(dangers).collect()
}

/// The facts about a target besides its differences, one line for each: its error, its pending
/// steps with the remedy, the changed files that affect it, the targets that it replaces in the
/// comparison.
pub fn target_notes(target: &ReportTarget) -> Vec<String> {
    let error = target.error.iter().map(|error| message(error));
    let error = error.flat_map(|error| error.lines().map(str::to_owned).collect::<Vec<_>>());
    let mut lines: Vec<String> = error.collect();
    if matches!(target.state, TargetState::Added | TargetState::Removed) {
        lines.extend(resource_summary_lines(target));
    }
    for pending in &target.pending {
        let at = pending.at.as_ref().map(|at| format!("{at}: ")).unwrap_or_default();
        lines.push(format!("{at}{}", pending.need.lines().next().unwrap_or_default()));
        lines.extend(pending.help.iter().map(|help| format!("help: {help}")));
    }
    lines.extend(target.unknown_fields.iter().map(unknown_field_words));
    if !target.changed_files.is_empty() {
        let named = first_names(&target.changed_files, MAX_FILES_NAMED);
        lines.push(format!("changed files that affect it: {named}"));
    }
    if !target.in_place_of.is_empty() {
        let users = target.in_place_of.join(", ");
        lines.push(format!("compared in place of {users}, which cannot be compared"));
    }
    lines
}

fn unknown_field_words(unknown: &ReportUnknownField) -> String {
    let field = if unknown.path.is_empty() { "all fields" } else { &unknown.path };
    let named = first_names(&unknown.resources, MAX_TARGETS_NAMED);
    format!("not known: {field} of {named}: {}", need_without_remedy(&unknown.need))
}

/// The missing item that a step needs, without the advice how to get it.
pub fn need_without_remedy(need: &str) -> &str {
    let line = need.lines().next().unwrap_or_default();
    let line = line.split("; ").next().unwrap_or_default();
    line.split(": kzui ").next().unwrap_or_default()
}

/// The heading of a cause: one line for each edit. Without an edit, the reason why none is named,
/// and the locations of the values.
pub fn cause_heading_lines(report: &CompareReport, cause: &CauseGroup<'_>) -> String {
    if cause.edits.is_empty() {
        let mut places: Vec<String> = Vec::new();
        let has_places = matches!(cause.no_edit, None | Some(NoEdit::AllTakenBack));
        for (.., field) in cause.fields.iter().filter(|_| has_places) {
            let (was_at, at) = (field.was_at.as_deref(), field.at.as_deref());
            let place = match (was_at, at) {
                (Some(was_at), Some(at)) if was_at != at => format!("{was_at} against {at}"),
                _ => was_at.or(at).unwrap_or_default().to_owned(),
            };
            if !place.is_empty() && !places.contains(&place) {
                places.push(place);
            }
        }
        let colon = if places.is_empty() { "" } else { ": " };
        let named = first_names(&places, MAX_TARGETS_NAMED);
        return line!("{}{colon}{named}\n", no_edit_reason(cause));
    }
    let mut lines: Vec<String> = report.edits_at(cause.edits).map(edit_line).collect();
    let together = (lines.len() > 1).then(|| format!("{} places together:", lines.len()));
    let untried = (!cause.is_verified()).then(|| "probable causes, not verified:".to_owned());
    let before: Vec<String> = untried.into_iter().chain(together).collect();
    if !before.is_empty() {
        lines.insert(0, before.join(" "));
    }
    lines.into_iter().map(|line| line!("{line}\n")).collect()
}

pub fn no_edit_reason(cause: &CauseGroup<'_>) -> &'static str {
    no_edit_words(cause.no_edit, cause.fields.iter().any(|(.., field)| field.has_place()))
}

pub fn field_no_edit_reason(field: &ReportField) -> &'static str {
    no_edit_words(field.no_edit, field.has_place())
}

/// Why no edit is named, for a field with or without a location.
pub fn no_edit_words(no_edit: Option<NoEdit>, has_place: bool) -> &'static str {
    match (no_edit, has_place) {
        (Some(NoEdit::AllTakenBack), _) => {
            "not caused by an edit of a file (verified with all edits reverted)"
        }
        (Some(NoEdit::NoneAlone), _) => {
            "not caused by a single edit (verified: each was reverted alone)"
        }
        (Some(NoEdit::NotBuilt), _) => "cause not known: without some of the edits the build fails",
        (Some(NoEdit::NotAllTried), _) => "cause not known: not all edits were tried",
        (Some(NoEdit::OtherKustomize), _) => {
            "not caused by an edit: the two sides have different version profiles"
        }
        (Some(NoEdit::Cluster), _) => "the cluster differs from the build",
        (None, true) => "different files on both sides",
        (None, false) => "cause not known",
    }
}

/// The names of the targets, with their number if they are several. Only the first are named unless
/// `all` is set.
pub fn target_names(targets: &[&str], all: bool) -> String {
    let shown = if all { targets.len() } else { MAX_TARGETS_NAMED };
    let named = targets.iter().take(shown).copied().collect::<Vec<_>>().join(", ");
    match targets.len() {
        0 | 1 => named,
        count if count > shown => format!("{count} targets: {named}, … (--all lists them)"),
        count => format!("{count} targets: {named}"),
    }
}

/// The change of a field, with the resource; equal changes are counted.
pub fn resource_change_words(change: &SameChange<'_>) -> String {
    let name = resource_names(change);
    let times =
        if change.count > 1 { format!("  ({} times)", change.count) } else { String::new() };
    let was = change.resource.was.as_ref().map(|was| format!(" (was {was})")).unwrap_or_default();
    format!("{}/{name}{was}  {}{times}", change.resource.kind, change_words(change.field))
}

/// The change of a field, `path  old → new`, with the path in the form of [`path_words`].
pub fn change_words(field: &ReportField) -> String {
    change_words_for_path(&path_words(&field.path), field)
}

/// The names of the resources of a change: the first names, and the number of the other names.
pub fn resource_names(change: &SameChange<'_>) -> String {
    first_names(&change.names, MAX_TARGETS_NAMED)
}

/// The change of a field, `path  old → new`.
pub fn field_words(field: &ReportField) -> String {
    change_words_for_path(&field.path, field)
}

fn change_words_for_path(path: &str, field: &ReportField) -> String {
    let value = |value: &Option<String>| {
        let text = value.as_deref().unwrap_or_default();
        let data = if field.values > 1 { data_in_flow(text) } else { None };
        truncate_value(data.as_deref().unwrap_or(text))
    };
    let count =
        if field.values > 1 { format!(" ({} values)", field.values) } else { String::new() };
    let words = match field.change.as_str() {
        _ if path.is_empty() => format!("{}{count}", field.change),
        "added" => format!("{path}  + {}{count}", value(&field.after)),
        "removed" => format!("{path}  − {}{count}", value(&field.before)),
        "reordered" => format!("{path}  in another order"),
        _ => {
            let words = changed_line_words(field).unwrap_or_else(|| {
                let text = |value: &Option<String>| value.clone().unwrap_or_default();
                let (old, new) = truncate_both_values(&text(&field.before), &text(&field.after));
                format!("{old} → {new}")
            });
            format!("{path}  {words}")
        }
    };
    let not_known = if field.pending.is_some() { "  not known" } else { "" };
    format!("{words}{not_known}")
}

/// The path of a field for readers. A field in the schema of a `CustomResourceDefinition` has the
/// path in an object of that kind: `v1alpha2 spec.rules[].name`.
pub fn path_words(path: &str) -> Cow<'_, str> {
    let parts = path.strip_prefix("spec.versions[").and_then(|rest| {
        let (version, rest) = rest.split_once("].schema.openAPIV3Schema.")?;
        Some((version, rest))
    });
    let Some((version, schema)) = parts else { return Cow::Borrowed(path) };
    let mut shown = String::new();
    let mut is_name = false;
    for part in schema.split('.') {
        match part {
            _ if is_name => {
                let dot = if shown.is_empty() { "" } else { "." };
                shown.push_str(&format!("{dot}{part}"));
                is_name = false;
            }
            "properties" => is_name = true,
            "items" => shown.push_str("[]"),
            other => shown.push_str(&format!(" {other}")),
        }
    }
    Cow::Owned(format!("{version} {}", shown.trim_start()))
}

/// The first difference of two texts of several lines, and the number of further lines that differ.
/// `None` if both texts have one line.
fn changed_line_words(field: &ReportField) -> Option<String> {
    let (old, new) = (field.before.as_deref()?, field.after.as_deref()?);
    if !old.contains('\n') && !new.contains('\n') {
        return None;
    }
    match first_changed_line(old, new) {
        Some((line, words)) => Some(format!("line {line}: {words}")),
        None if new.ends_with('\n') => Some("a line end is added at the end".to_owned()),
        None => Some("the line end at the end is removed".to_owned()),
    }
}

/// ` (3 times)`; empty for once.
pub(super) fn times_words(count: usize) -> String {
    if count > 1 { format!(" ({count} times)") } else { String::new() }
}

/// The dangers of a cause, equal ones merged: severity, code and message.
pub fn merged_dangers(cause: &CauseGroup<'_>) -> Vec<(String, String, String)> {
    // The severity and the count of each danger, by its code and message.
    let mut found: QuickMap<(&str, &str), (&str, usize)> = QuickMap::default();
    for CauseDanger { danger, .. } in &cause.dangers {
        let same = found.entry((&danger.code, &danger.message));
        same.or_insert((&danger.severity, 0)).1 += 1;
    }
    let told = found.into_iter().map(|((code, message), (severity, count))| {
        (severity.to_owned(), code.to_owned(), format!("{message}{}", times_words(count)))
    });
    told.collect()
}
