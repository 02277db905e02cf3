//! A comparison for a pull request.

use crate::answers::compare::{
    Cause, ComparisonResult, Report, dangers_of, edit_words, one_change, state_words, summary,
    target_notes, without_edit,
};
use crate::display::{in_cell, in_markdown, in_xml, markdown_code, markdown_fence, sanitize};

/// Limit of a comment on the usual forges, in bytes, with some reserve.
const MOST: usize = 59_000;

/// The page: a table of causes, then one folded block for each. Omitted blocks are counted.
pub(super) fn page(report: &Report) -> String {
    let mut out = format!("### {}\n\n", in_markdown(&summary(report)));
    if report.result() == ComparisonResult::Same {
        return out;
    }
    let causes = report.by_cause();
    out.push_str("| edit | targets | fields | dangers |\n|---|---:|---:|---|\n");
    let mut left_out = 0;
    for cause in &causes {
        let codes: Vec<String> = dangers_of(cause)
            .into_iter()
            .map(|(severity, code, _)| format!("{code} ({severity})"))
            .collect();
        let mut codes = codes;
        codes.sort();
        codes.dedup();
        let row = format!(
            "| {} | {} | {} | {} |\n",
            in_cell(&heading(report, cause)),
            cause.targets().len(),
            cause.fields.len(),
            codes.join(", ")
        );
        if out.len() + row.len() > MOST / 3 {
            left_out += 1;
        } else {
            out.push_str(&row);
        }
    }
    if left_out > 0 {
        out.push_str(&format!("\n…and {left_out} more edits.\n"));
    }
    failures(report, &mut out);
    let mut folded = 0;
    for cause in &causes {
        let block = block(report, cause);
        if out.len() + block.len() > MOST {
            folded += 1;
        } else {
            out.push_str(&block);
        }
    }
    if folded > 0 {
        out.push_str(&format!(
            "\n{folded} more blocks have no room here: `kzui diff --format html` shows all of it.\n"
        ));
    }
    out
}

fn failures(report: &Report, out: &mut String) {
    for target in report.targets.iter().filter(|target| !target_notes(target).is_empty()).take(20) {
        let notes: String = target_notes(target).join("\n").chars().take(500).collect();
        let words = state_words(target.state).unwrap_or("differs");
        out.push_str(&format!("\n**{}**: {words}\n", in_markdown(&target.target)));
        out.push_str(&markdown_fence("", &notes));
    }
}

fn heading(report: &Report, cause: &Cause<'_>) -> String {
    let edits = cause.edits.iter().filter_map(|at| report.edits.get(*at)).take(3);
    let lines: Vec<String> = edits
        .map(|edit| {
            let commit = edit.commit.as_ref().map(|commit| {
                format!(
                    " ({} {})",
                    crate::answers::compare::short(&commit.id),
                    in_markdown(&commit.subject)
                )
            });
            let place = markdown_code(&format!("{}:{}", edit.file, edit.line));
            format!("{place} {}{}", markdown_code(&edit_words(edit)), commit.unwrap_or_default())
        })
        .collect();
    if lines.is_empty() {
        without_edit(cause).to_owned()
    } else {
        probably(cause).to_owned() + &lines.join("<br>")
    }
}

fn block(report: &Report, cause: &Cause<'_>) -> String {
    let changes = cause.kinds_of_change();
    let mut out = format!(
        "\n<details><summary>{}</summary>\n\n",
        in_xml(&sanitize(&plain_heading(report, cause)))
    );
    for (severity, code, message) in dangers_of(cause) {
        out.push_str(&format!("- **{severity} {code}** {}\n", in_markdown(&message)));
    }
    let lines: Vec<String> = changes.iter().take(30).map(one_change).collect();
    out.push_str(&markdown_fence("", &lines.join("\n")));
    if changes.len() > 30 {
        out.push_str(&format!("…and {} more changes\n", changes.len() - 30));
    }
    if let Some((target, resource, _)) = cause.fields.first() {
        let diff: Vec<&str> = resource.diff.lines().take(60).collect();
        out.push_str(&format!(
            "\nFor example {}/{} in {}:\n",
            in_markdown(&resource.kind),
            in_markdown(&resource.name),
            in_markdown(&target.target)
        ));
        out.push_str(&markdown_fence("diff", &diff.join("\n")));
    }
    let targets = cause.targets();
    let named: Vec<String> = targets.iter().take(100).map(|target| markdown_code(target)).collect();
    out.push_str(&format!("\n{} targets: {}", targets.len(), named.join(", ")));
    out.push_str(if targets.len() > 100 { ", …\n" } else { "\n" });
    out.push_str("\n</details>\n");
    out
}

/// The words before an edit that is not verified.
fn probably(cause: &Cause<'_>) -> &'static str {
    if cause.is_tried() { "" } else { "probably, and not tried: " }
}

fn plain_heading(report: &Report, cause: &Cause<'_>) -> String {
    let first = cause.edits.first().and_then(|at| report.edits.get(*at));
    match first {
        Some(edit) => {
            format!("{}{}:{} {}", probably(cause), edit.file, edit.line, edit_words(edit))
        }
        None => without_edit(cause).to_owned(),
    }
}
