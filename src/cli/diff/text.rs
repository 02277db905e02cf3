//! A comparison for a terminal.

use super::{Diff, beside};
use crate::answers::compare::{
    Report, ReportResource, dangers_of, field_words, heading, names, one_change, state_words,
    summary, target_notes,
};
use crate::display::line;
use crate::engine::resource::QuickMap;

/// Limit of changes of one edit that are printed one by one.
const TOLD: usize = 12;

/// The edits, each with the targets that it affects.
pub(super) fn causes(report: &Report, all: bool) -> String {
    let mut out = summary(report) + "\n";
    for target in &report.targets {
        let notes = target_notes(target);
        let words = match state_words(target.state) {
            Some(words) => words,
            None if notes.is_empty() => continue,
            None if target.pending.is_empty() => "differs",
            None => "differs; the rest is not known",
        };
        out.push('\n');
        out.push_str(&line!("{}: {words}\n", target.target));
        for line in notes {
            out.push_str(&line!("    {line}\n"));
        }
    }
    for cause in report.by_cause() {
        out.push('\n');
        out.push_str(&heading(report, &cause));
        out.push_str(&line!("    in {}\n", names(&cause.targets(), all)));
        let changes = cause.kinds_of_change();
        let shown = if all { changes.len() } else { TOLD };
        for change in changes.iter().take(shown) {
            out.push_str(&line!("    {}\n", one_change(change)));
        }
        if changes.len() > shown {
            out.push_str(&line!("    … and {} more (--all)\n", changes.len() - shown));
        }
        for (severity, code, message) in dangers_of(&cause) {
            out.push_str(&line!("  {severity}[{code}]: {message}\n"));
        }
    }
    out
}

/// Every resource's diff, alike ones once.
pub(super) fn diffs(report: &Report, arguments: &Diff) -> String {
    let mut out = String::new();
    let mut groups: QuickMap<_, (&ReportResource, Vec<&str>)> = QuickMap::default();
    for target in &report.targets {
        for resource in &target.resources {
            let alike = (&resource.diff, &resource.kind, &resource.name);
            let (_, targets) = groups.entry(alike).or_insert_with(|| (resource, Vec::new()));
            targets.push(&target.target);
        }
    }
    for (resource, targets) in groups.into_values() {
        let place = if resource.namespace.is_empty() {
            String::new()
        } else {
            format!(" in {}", resource.namespace)
        };
        let was = resource.was.as_ref().map(|was| format!(", was {was}")).unwrap_or_default();
        let pending = resource.pending.as_ref().map(|need| format!(", not known: {need}"));
        let pending = pending.unwrap_or_default();
        out.push('\n');
        out.push_str(&line!(
            "{}/{}{place} ({}{was}{pending})  {}\n",
            resource.kind,
            resource.name,
            resource.change,
            names(&targets, arguments.all)
        ));
        if arguments.side_by_side {
            out.push_str(&beside::columns(&resource.diff, arguments.width));
        } else {
            out.push_str(&resource.diff);
        }
    }
    out
}

/// One line for each field: target, resource, path, change, origin.
pub(super) fn short(report: &Report) -> String {
    let mut out = String::new();
    for (target, resource, field) in report.fields() {
        let at = field.at.as_ref().or(field.was_at.as_ref());
        let at = at.map(|at| format!("\t{at}")).unwrap_or_default();
        out.push_str(&line!(
            "{}\t{}/{}\t{}{at}\n",
            target.target,
            resource.kind,
            resource.name,
            field_words(field)
        ));
    }
    out
}
