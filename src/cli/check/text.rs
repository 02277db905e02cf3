//! The report for people: each finding with its lines.

use std::collections::BTreeSet;
use std::path::PathBuf;

use annotate_snippets::{AnnotationKind, Group, Level, Renderer, Snippet};

use crate::answers::{SharedFinding, relative};
use crate::display::sanitize;
use crate::engine::diagnostic::{Code, Severity};
use crate::engine::load::Files;

use super::super::Palette;
use super::CheckResult;
use crate::answers::span_at;

/// All shown findings, and the summary line.
pub(super) fn text(
    checked: &CheckResult,
    notes: bool,
    files: &dyn Files,
    palette: Palette,
) -> String {
    let renderer = match palette {
        Palette::Plain => Renderer::plain(),
        Palette::Coloured => Renderer::styled(),
    };
    let mut out = String::new();
    for (index, found) in checked.found.iter().enumerate() {
        if found.waived.is_some() || found.severity == Severity::Note && !notes {
            continue;
        }
        out.push_str(&renderer.render(&[group(checked, index, found, files)]));
        out.push_str("\n\n");
    }
    out.push_str(&sum(checked, notes));
    out
}

fn group<'g>(
    checked: &CheckResult,
    index: usize,
    found: &SharedFinding,
    files: &dyn Files,
) -> Group<'g> {
    let level = match found.severity {
        Severity::Error => Level::ERROR,
        Severity::Warning => Level::WARNING,
        Severity::Note => Level::NOTE,
    };
    let safe = |text: &str| sanitize(text).into_owned();
    let title = level.primary_title(safe(&found.message)).id(found.code.as_str());
    let mut group = Group::with_title(title);
    if let Some(file) = &found.file {
        let path = safe(&relative(file, &checked.base));
        let bytes = files.read(file).unwrap_or_default();
        let bytes = checked.secrets.file(file, &bytes);
        let text = safe_lines(&String::from_utf8_lossy(&bytes));
        group = match span_at(&text, found.mark) {
            Some(span) => {
                let annotation = AnnotationKind::Primary.span(span);
                group.element(Snippet::source(text).path(path).annotation(annotation))
            }
            None => group.element(Level::NOTE.message(format!("in {path}"))),
        };
    }
    if let Some(uses) = uses(checked, found) {
        group = group.element(Level::NOTE.message(uses));
    }
    let fix = checked.fix_of(index);
    if let Some(hint) = checked.hint_of(index, found) {
        group = group.element(Level::HELP.message(safe(hint)));
    }
    if let Some(fix) = fix {
        return group.element(Level::HELP.message(safe(&fix)));
    }
    match checked.no_fix(index) {
        Some(reason) => group.element(Level::NOTE.message(safe(&format!("no fix: {reason}")))),
        None => group,
    }
}

/// A source with control characters replaced; every character keeps its position.
fn safe_lines(text: &str) -> String {
    let one = |c: char| if c.is_control() && c != '\n' && c != '\t' { '\u{fffd}' } else { c };
    text.chars().map(one).collect()
}

/// The number of targets with the finding, in words.
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
        return Some(format!("in {with} of {all} targets that use it{shown}"));
    }
    if with > 1 {
        return Some(format!("in {with} targets{shown}"));
    }
    let is_inside = found.file.as_ref().is_some_and(|file| file.starts_with(first));
    let target = sanitize(&relative(first, &checked.base)).into_owned();
    (!is_inside).then(|| format!("in the target {target}"))
}

/// `Found 3 errors and 5 warnings in 351 targets. 2 can be fixed with --fix.`
fn sum(checked: &CheckResult, notes: bool) -> String {
    let told = |severity: Severity| {
        let is_it = |found: &&SharedFinding| found.severity == severity && found.waived.is_none();
        checked.found.iter().filter(is_it).count()
    };
    let count = |number: usize, word: &str| match number {
        1 => format!("1 {word}"),
        _ => format!("{number} {word}s"),
    };
    let (errors, warnings) = (told(Severity::Error), told(Severity::Warning));
    let mut text = format!(
        "Found {} and {} in {}.",
        count(errors, "error"),
        count(warnings, "warning"),
        count(checked.targets, "target")
    );
    let hidden = told(Severity::Note);
    if hidden > 0 && !notes {
        text.push_str(&format!(" {} with --notes.", count(hidden, "note")));
    }
    let waiting: BTreeSet<&PathBuf> = checked
        .found
        .iter()
        .filter(|found| found.code == Code::KZ190)
        .flat_map(|found| &found.targets)
        .collect();
    if !waiting.is_empty() {
        let targets = count(waiting.len(), "target");
        text.push_str(&format!(
            " {targets} pending, findings not known (--notes lists the reasons)."
        ));
    }
    let waived = checked.found.iter().filter(|found| found.waived.is_some()).count();
    if waived > 0 {
        text.push_str(&format!(" {} waived.", count(waived, "finding")));
    }
    if !checked.known.is_empty() {
        text.push_str(&format!(
            " {} known from the baseline.",
            count(checked.known.len(), "finding")
        ));
    }
    let (safe, other): (Vec<_>, Vec<_>) =
        checked.repairs.proved.iter().partition(|proved| proved.is_done);
    if !safe.is_empty() {
        text.push_str(&format!(" {} can be fixed with --fix.", safe.len()));
    }
    if !other.is_empty() {
        let can = if safe.is_empty() { "can be fixed" } else { "more" };
        text.push_str(&format!(" {} {can} with --fix --unsafe-fixes.", other.len()));
    }
    text.push('\n');
    text
}
