//! The report for people: each finding with its lines.

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;

use annotate_snippets::{Group, Level};

use crate::answers::{ProvedFix, SharedFinding, UnknownCause, relative};
use crate::display::{counted, first_names, message, sanitize};
use crate::engine::diagnostic::{Code, Severity};
use crate::engine::load::Files;

use super::super::Palette;
use super::super::report::{with_source, without_lone_bar};
use super::CheckResult;

pub(super) fn text(checked: &CheckResult, files: &dyn Files, palette: Palette) -> String {
    let renderer = palette.renderer();
    let mut out = String::new();
    for (index, found) in checked.rows().filter(|(_, found)| found.waived.is_none()) {
        let level = match found.severity {
            Severity::Error => Level::ERROR,
            Severity::Warning => Level::WARNING,
            Severity::Note => Level::NOTE,
        };
        let safe = |text: &str| sanitize(text).into_owned();
        // The problems of a Composition are lines of its message.
        let has_lines = found.code == Code::KZ071;
        let title = if has_lines { message(&found.message) } else { safe(&found.message) };
        let mut group = Group::with_title(level.primary_title(title).id(found.code.as_str()));
        if let Some(file) = &found.file {
            let bytes = files.read(file).unwrap_or_default();
            let bytes = checked.secrets.file(file, &bytes);
            let text = String::from_utf8_lossy(&bytes);
            group = with_source(group, &relative(file, &checked.base), &text, found.mark);
        }
        group = group.elements(uses(checked, found).map(|uses| Level::NOTE.message(uses)));
        let hint = checked.hint_of(index, found);
        group = group.elements(hint.map(|hint| Level::HELP.message(safe(hint))));
        group = match (checked.fix_of(index), checked.no_fix_reason(index)) {
            (Some(fix), _) => group.element(Level::HELP.message(safe(&fix))),
            (None, Some(reason)) => {
                group.element(Level::NOTE.message(safe(&format!("no fix: {reason}"))))
            }
            (None, None) => group,
        };
        out.push_str(&without_lone_bar(&renderer.render(&[group])));
        out.push_str("\n\n");
    }
    out.push_str(&summary_line(checked));
    out
}

pub(super) fn uses(checked: &CheckResult, found: &SharedFinding) -> Option<String> {
    let first = found.targets.first()?;
    if found.alone {
        return Some(
            "only when the base is built separately, not in a target that uses it".to_owned(),
        );
    }
    let (with, all) = (found.targets.len(), found.used_by);
    let shown = found.message_target().map(|target| relative(target, &checked.base));
    let shown = shown.map(|target| format!("; shown for {}", sanitize(&target)));
    let shown = shown.unwrap_or_default();
    if with < all {
        return Some(format!("in {with} of {all} targets that use the entry{shown}"));
    }
    if with > 1 && found.is_failure {
        let shown = |it: &PathBuf| sanitize(&relative(it, &checked.base)).into_owned();
        let named = first_names(found.targets.iter().map(shown), MAX_TARGETS_SHOWN);
        return Some(format!("in {}: {named}", counted(with, "target")));
    }
    if with > 1 {
        return Some(format!("in {with} targets{shown}"));
    }
    let is_inside = found.file.as_ref().is_some_and(|file| file.starts_with(first));
    let target = sanitize(&relative(first, &checked.base)).into_owned();
    (!is_inside).then(|| format!("in the target {target}"))
}

const MAX_TARGETS_SHOWN: usize = 5;

/// The sentence about targets with unknown facts, after a space, as in
/// `14 targets checked only in part: 12 remotes not fetched (--fetch); --select KZ190 lists them.`
fn unknown(found: &[SharedFinding]) -> String {
    let targets: BTreeSet<&PathBuf> = found.iter().flat_map(|found| &found.targets).collect();
    let codes: BTreeSet<&str> = found.iter().map(|found| found.code.as_str()).collect();
    let mut causes: BTreeMap<UnknownCause, usize> = BTreeMap::new();
    for cause in found.iter().filter_map(|found| found.unknown) {
        *causes.entry(cause).or_default() += 1;
    }
    if causes.is_empty() {
        return String::new();
    }
    let causes: Vec<String> = causes.iter().map(|(cause, count)| cause.in_words(*count)).collect();
    let targets = counted(targets.len(), "target");
    let codes: Vec<&str> = codes.into_iter().collect();
    format!(
        " {targets} checked only in part: {}; --select {} lists them.",
        causes.join(", "),
        codes.join(",")
    )
}

fn unrestricted(found: &[SharedFinding]) -> String {
    let targets: BTreeSet<&PathBuf> = found.iter().flat_map(|found| &found.targets).collect();
    let Some(first) = found.first() else { return String::new() };
    let (count, code) = (counted(targets.len(), "target"), first.code);
    format!(" {count} {}; --select {code} lists them.", sanitize(&first.message))
}

/// How many of these fixes belong to notes that are not shown, in brackets.
fn of_notes(checked: &CheckResult, fixes: &[&ProvedFix]) -> String {
    let is_hidden = |fix: &&&ProvedFix| {
        let found = checked.found.get(fix.finding);
        !checked.notes && found.is_some_and(|found| found.severity == Severity::Note)
    };
    match fixes.iter().filter(is_hidden).count() {
        0 => String::new(),
        count if count == fixes.len() => " (of notes)".to_owned(),
        count => format!(" ({count} of notes)"),
    }
}

/// The last line of the report, as in
/// `Found 3 errors and 5 warnings in 351 targets. 2 can be fixed with --fix.`
fn summary_line(checked: &CheckResult) -> String {
    let told = |severity: Severity| {
        let rows = checked.all_rows().filter(|(_, found)| found.severity == severity);
        rows.filter(|(_, found)| found.waived.is_none()).count()
    };
    let (errors, warnings) = (told(Severity::Error), told(Severity::Warning));
    let mut text = format!(
        "Found {} and {} in {}.",
        counted(errors, "error"),
        counted(warnings, "warning"),
        counted(checked.targets, "target")
    );
    let hidden = told(Severity::Note);
    if hidden > 0 && !checked.notes {
        text.push_str(&format!(" {} not shown (--notes).", counted(hidden, "note")));
    }
    text.push_str(&unknown(&checked.unknown));
    text.push_str(&unrestricted(&checked.unrestricted));
    let waived = checked.found.iter().filter(|found| found.waived.is_some()).count();
    if waived > 0 {
        text.push_str(&format!(" {} ignored by a comment.", counted(waived, "finding")));
    }
    if !checked.known.is_empty() {
        text.push_str(&format!(
            " {} known from the baseline.",
            counted(checked.known.len(), "finding")
        ));
    }
    let (safe, other): (Vec<_>, Vec<_>) =
        checked.repairs.proved.iter().partition(|proved| proved.is_done);
    match safe.len() {
        0 => {}
        fixed if checked.is_written => text.push_str(&format!(" {fixed} fixed.")),
        count => {
            text.push_str(&format!(
                " {count} can be fixed with --fix{}.",
                of_notes(checked, &safe)
            ));
        }
    }
    if !other.is_empty() {
        let can = if safe.is_empty() || checked.is_written { "can be fixed" } else { "more" };
        let notes = of_notes(checked, &other);
        text.push_str(&format!(" {} {can} with --fix --unsafe-fixes{notes}.", other.len()));
    }
    text.push('\n');
    text
}
