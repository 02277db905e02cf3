//! The words of a comparison for all interfaces.

use super::{Cause, NoEdit, Report, ReportEdit, ReportField, SameChange, TargetState};
use crate::display::line;
use crate::engine::resource::QuickMap;

/// The limit on targets that are named in a line.
const NAMED: usize = 3;
/// The limit on characters of a value in a line.
const VALUE: usize = 60;

/// The state of a target; `None` for one that builds on both sides and differs.
pub fn state_words(state: TargetState) -> Option<&'static str> {
    Some(match state {
        TargetState::Differs => return None,
        TargetState::FailsNow => "fails now",
        TargetState::BuildsNow => "builds now; before it failed",
        TargetState::FailsOtherwise => "fails on both sides, with other words",
        TargetState::Added => "is new",
        TargetState::Removed => "is gone",
    })
}

/// The state in a sentence that names the sides.
pub fn state_sentence(report: &Report, state: TargetState) -> Option<String> {
    let (before, after) = (&report.before, &report.after);
    Some(match state {
        TargetState::Differs => return None,
        TargetState::FailsNow => format!("It builds in {before} and fails in {after}:"),
        TargetState::BuildsNow => format!("It builds in {after}. In {before} it failed:"),
        TargetState::FailsOtherwise => {
            format!("It fails in {before} and in {after}, where it says:")
        }
        TargetState::Added => format!("It is new in {after}: in {before} there is no such target."),
        TargetState::Removed => format!("It is in {before}: in {after} there is no such target."),
    })
}

/// The summary of a report in one line.
pub fn summary(report: &Report) -> String {
    let differ = report.targets.len();
    let same = report.targets_total.saturating_sub(differ + report.targets_failing);
    let mut parts = vec![format!("{same} the same"), format!("{differ} differ")];
    if report.targets_failing > 0 {
        parts.push(format!("{} fail or wait on both sides alike", report.targets_failing));
    }
    let shard = report.shard.as_ref().map(|it| format!(" (part {it})")).unwrap_or_default();
    let targets = if report.targets_total == 1 { "target" } else { "targets" };
    let unknown = match report.without_reason() {
        0 => String::new(),
        count => format!("; {count} fields without a reason"),
    };
    line!(
        "{} → {}: {} {targets}{shard}: {}{unknown}",
        report.before,
        report.after,
        report.targets_total,
        parts.join(", ")
    )
}

/// The edits of a cause, one line for each.
pub fn heading(report: &Report, cause: &Cause<'_>) -> String {
    if cause.edits.is_empty() {
        return without_edit(cause).to_owned() + "\n";
    }
    let edits = cause.edits.iter().filter_map(|at| report.edits.get(*at));
    let mut lines: Vec<String> = edits.map(edit_line).collect();
    let together = (lines.len() > 1).then(|| format!("{} edits together:", lines.len()));
    let untried = (!cause.is_tried()).then(|| "probably, and not tried:".to_owned());
    let before: Vec<String> = untried.into_iter().chain(together).collect();
    if !before.is_empty() {
        lines.insert(0, before.join(" "));
    }
    lines.into_iter().map(|line| line!("{line}\n")).collect()
}

/// Why no edit is named for a cause, in words.
pub fn without_edit(cause: &Cause<'_>) -> &'static str {
    let has_place = |field: &ReportField| field.at.is_some() || field.was_at.is_some();
    no_edit_words(cause.no_edit, cause.fields.iter().any(|(.., field)| has_place(field)))
}

/// The same for a field.
pub fn field_without_edit(field: &ReportField) -> &'static str {
    no_edit_words(field.no_edit, field.at.is_some() || field.was_at.is_some())
}

/// Why no edit is named, for a field with or without a location.
pub fn no_edit_words(no_edit: Option<NoEdit>, has_place: bool) -> &'static str {
    match (no_edit, has_place) {
        (Some(NoEdit::AllTakenBack), _) => {
            "no edit of a file: all of them were taken back, and it was still there"
        }
        (Some(NoEdit::NoneAlone), _) => {
            "no edit makes it alone: each was taken back by itself, and it was still there"
        }
        (Some(NoEdit::NotBuilt), _) => {
            "it is unknown which edit makes it: without some of them nothing is built"
        }
        (Some(NoEdit::NotAllTried), _) => {
            "it is unknown which edit makes it: not all of them were tried"
        }
        (Some(NoEdit::OtherKustomize), _) => {
            "no edit of a file: the sides are not built like the same Kustomize"
        }
        (None, true) => "no edit of a file: the sides are built from different places",
        (None, false) => "without a reason",
    }
}

/// `file:line  old → new  (commit)`
pub fn edit_line(edit: &ReportEdit) -> String {
    format!("{}:{}  {}{}", edit.file, edit.line, edit_words(edit), commit_words(edit))
}

/// `  (commit subject, author)`; empty without a known commit.
pub fn commit_words(edit: &ReportEdit) -> String {
    let commit = edit.commit.as_ref().map(|commit| {
        format!("  ({} {}, {})", super::short(&commit.id), commit.subject, commit.author)
    });
    commit.unwrap_or_default()
}

/// The change of an edit in one line.
pub fn edit_words(edit: &ReportEdit) -> String {
    match (edit.old.as_slice(), edit.new.as_slice()) {
        ([old], [new]) => match (split(old), split(new)) {
            (Some((key, old)), Some((other, new))) if key == other => {
                format!("{}: {} → {}", key.trim(), cut(old), cut(new))
            }
            _ => format!("{} → {}", cut(old.trim()), cut(new.trim())),
        },
        // A file that is not text, or is empty.
        ([], []) => "content changed".to_owned(),
        ([], [new]) => format!("+ {}", cut(new.trim())),
        ([old], []) => format!("− {}", cut(old.trim())),
        ([], new) => format!("+ {} lines: {}", new.len(), cut(new[0].trim())),
        (old, []) => format!("− {} lines: {}", old.len(), cut(old[0].trim())),
        (old, new) => format!("{} → {}", lines(old.len()), lines(new.len())),
    }
}

fn lines(count: usize) -> String {
    if count == 1 { "1 line".to_owned() } else { format!("{count} lines") }
}

fn split(line: &str) -> Option<(&str, &str)> {
    let (key, value) = line.split_once(": ")?;
    Some((key.trim_start_matches([' ', '-']), value.trim()))
}

/// The beginning of a value, for one line.
pub fn cut(text: &str) -> String {
    let line = text.lines().next().unwrap_or_default();
    let is_all = line.chars().count() <= VALUE && text.lines().count() <= 1;
    let short: String = line.chars().take(VALUE).collect();
    if is_all { short } else { short + "…" }
}

/// The names of the first targets, or of all.
pub fn names(targets: &[&str], all: bool) -> String {
    let shown = if all { targets.len() } else { NAMED };
    let named = targets.iter().take(shown).copied().collect::<Vec<_>>().join(", ");
    match targets.len() {
        0 | 1 => named,
        count if count > shown => format!("{count} targets: {named}, … (--all lists them)"),
        count => format!("{count} targets: {named}"),
    }
}

/// The change of a field, with the resource; equal changes are counted.
pub fn one_change(change: &SameChange<'_>) -> String {
    let name = if change.is_one_name { change.resource.name.as_str() } else { "*" };
    let times =
        if change.count > 1 { format!("  ({} times)", change.count) } else { String::new() };
    let was = change.resource.was.as_ref().map(|was| format!(" (was {was})")).unwrap_or_default();
    format!("{}/{name}{was}  {}{times}", change.resource.kind, field_words(change.field))
}

/// `path  old → new`
pub fn field_words(field: &ReportField) -> String {
    let value = |value: &Option<String>| value.as_deref().map(cut).unwrap_or_default();
    let count =
        if field.values > 1 { format!(" ({} values)", field.values) } else { String::new() };
    if field.path.is_empty() {
        return format!("{}{count}", field.change);
    }
    match field.change.as_str() {
        "added" => format!("{}  + {}{count}", field.path, value(&field.after)),
        "removed" => format!("{}  − {}{count}", field.path, value(&field.before)),
        "reordered" => format!("{}  in another order", field.path),
        _ => match other_line(field) {
            Some((line, [old, new])) => {
                format!("{}  line {line}: {} → {}", field.path, cut(old), cut(new))
            }
            None => format!("{}  {} → {}", field.path, value(&field.before), value(&field.after)),
        },
    }
}

/// The first differing line of two texts of several lines, from 1, with both versions.
fn other_line(field: &ReportField) -> Option<(usize, [&str; 2])> {
    let (old, new) = (field.before.as_deref()?, field.after.as_deref()?);
    if !old.contains('\n') || !new.contains('\n') {
        return None;
    }
    let pairs = old.lines().zip(new.lines());
    let (at, (old, new)) = pairs.enumerate().find(|(_, (old, new))| old != new)?;
    (!old.is_empty() && !new.is_empty()).then_some((at + 1, [old.trim_start(), new.trim_start()]))
}

/// The dangers of a cause, equal ones merged.
pub fn dangers_of(cause: &Cause<'_>) -> Vec<(String, String, String)> {
    // By code and message, with severity and count.
    let mut found: QuickMap<(&str, &str), (&str, usize)> = QuickMap::default();
    for danger in &cause.dangers {
        let same = found.entry((&danger.code, &danger.message));
        same.or_insert((&danger.severity, 0)).1 += 1;
    }
    let told = found.into_iter().map(|((code, message), (severity, count))| {
        let times = if count > 1 { format!(" ({count} times)") } else { String::new() };
        (severity.to_owned(), code.to_owned(), format!("{message}{times}"))
    });
    told.collect()
}
