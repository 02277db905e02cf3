//! A comparison for a pull request: the headline, the edits with their effects, folded diffs.

use std::collections::BTreeSet;

use super::Diff;
use super::text::{ResourceDiffLines, first_texts, grouped_diffs, noted_targets};
use crate::answers::compare::{
    ClusterReport, CompareReport, Consequence, DangerCount, ReportEdit, ReviewRow, ReviewRowKind,
    TargetState, edit_words, no_edit_reason, resource_change_words, severity_rank, short_commit_id,
    summary, target_words,
};
use crate::display::{
    counted, escape_markdown, escape_markdown_html, markdown_code, markdown_fence,
};

const MAX_PAGE_BYTES: usize = 20_000;
/// The limit on bytes of the page with `--all`: the limit of a comment on the usual forges, with
/// some reserve.
const MAX_COMMENT_BYTES: usize = 59_000;
/// The bytes that are kept for the counts of omitted parts.
const RESERVED_BYTES: usize = 500;
const MAX_LISTED: usize = 10;
const MAX_DIFF_LINES: usize = 60;

struct MarkdownPage {
    text: String,
    max: usize,
}

impl MarkdownPage {
    /// Adds a part if the page then has at most `max` bytes; returns true if it was added.
    fn push_if_fits(&mut self, part: &str, max: usize) -> bool {
        let fits = self.text.len() + part.len() <= max;
        if fits {
            self.text.push_str(part);
        }
        fits
    }
}

/// The comparison as a Markdown page. Omitted parts are counted.
pub(super) fn page(report: &CompareReport, arguments: &Diff) -> String {
    let limit = if arguments.all { MAX_COMMENT_BYTES } else { MAX_PAGE_BYTES };
    let mut page = MarkdownPage { text: String::new(), max: limit - RESERVED_BYTES };
    page.text.push_str(&format!("<!-- kzui-diff: {} -->\n", arguments.marker));
    page.text.push_str(&format!("### {}\n\n", escape_markdown(&summary(report))));
    add_cluster_lines(report, &mut page);
    if report.targets.is_empty() {
        return page.text;
    }
    page.text.push_str(&headline(report));
    add_target_states(report, true, &mut page);
    let mut rows = report.review();
    let all_rows = rows.len();
    if arguments.danger {
        rows.retain(|row| row.kind <= ReviewRowKind::Image);
    }
    let without = all_rows - rows.len();
    edits(report, &rows, &mut page);
    add_target_states(report, false, &mut page);
    if without > 0 {
        let count = counted(without, "edit");
        page.text.push_str(&format!("\n{count} without dangers omitted (`--danger`).\n"));
    }
    let omitted = add_diffs(report, arguments, &mut page);
    if omitted > 0 {
        let all = if arguments.all { "" } else { "`kzui diff --all` or " };
        page.text.push_str(&format!(
            "\n{} not shown: {all}`kzui diff --format html` shows the rest.\n",
            counted(omitted, "diff")
        ));
    }
    page.text
}

fn add_cluster_lines(report: &CompareReport, page: &mut MarkdownPage) {
    let lines = report.cluster.as_ref().map(ClusterReport::lines).unwrap_or_default();
    if lines.is_empty() {
        return;
    }
    let part = format!("{}\n", markdown_fence("text", &lines.join("\n")));
    if !page.push_if_fits(&part, page.max) {
        let count = counted(lines.len(), "line");
        page.text.push_str(&format!("{count} about the cluster omitted.\n\n"));
    }
}

fn headline(report: &CompareReport) -> String {
    let of = &report.headline;
    let danger = |it: &DangerCount| {
        format!("**{}** {} × {} ({})", it.severity, it.count, escape_markdown(&it.title), it.code)
    };
    let dangers: Vec<String> = of.dangers.iter().map(danger).collect();
    let not_known = of.not_known;
    let dangers = match (dangers.is_empty(), not_known) {
        (true, 0) => "none".to_owned(),
        (true, _) => "none in the compared part".to_owned(),
        (false, _) => dangers.join(", "),
    };
    let mut out = format!("- dangers: {dangers}\n");
    let failing = report.targets.iter().filter(|target| target.state == TargetState::FailsNow);
    let failing = failing.count();
    if failing > 0 {
        out.push_str(&format!("- fails now: {}\n", counted(failing, "target")));
    }
    if not_known > 0 {
        out.push_str(&format!("- not known: {}\n", counted(not_known, "target")));
    }
    if of.restarts > 0 {
        out.push_str(&format!("- restarts: the pods of {}\n", counted(of.restarts, "workload")));
    }
    let images: Vec<String> = of.images.iter().map(|it| markdown_code(&it.words())).collect();
    if !images.is_empty() {
        out.push_str(&format!("- images: {}\n", first_texts(&images, MAX_LISTED)));
    }
    let resources = Consequence::from_report(report).resource_count_lines();
    if !resources.is_empty() {
        out.push_str(&format!("- resources: {}\n", escape_markdown(&resources.join("; "))));
    }
    for rename in &report.renames {
        let at = rename.place().map(|at| format!(" {}", markdown_code(at))).unwrap_or_default();
        let words = markdown_code(&rename.words());
        out.push_str(&format!("- renamed: {words} {}{at}\n", rename.count_words()));
    }
    let commits = of.commits.iter().map(|commit| {
        let subject = commit.subject.chars().take(100).collect::<String>();
        format!("{} {}", short_commit_id(&commit.id), escape_markdown(&subject))
    });
    let commits: Vec<String> = commits.collect();
    if !commits.is_empty() {
        out.push_str(&format!("- commits: {}\n", first_texts(&commits, MAX_LISTED)));
    }
    out
}

/// Adds the failing targets if `has_failed` is true, otherwise the targets that are new, gone or not
/// known.
fn add_target_states(report: &CompareReport, has_failed: bool, page: &mut MarkdownPage) {
    let mut omitted = 0;
    let max = if has_failed { page.max / 4 } else { page.text.len() + page.max / 4 };
    for (target, notes) in noted_targets(report, has_failed) {
        let words = target_words(target);
        let mut out = format!("\n**{}**: {words}\n", escape_markdown(&target.target));
        if !notes.is_empty() {
            let notes: String = notes.join("\n").chars().take(500).collect();
            out.push_str(&markdown_fence("", &notes));
        }
        omitted += usize::from(!page.push_if_fits(&out, max.min(page.max)));
    }
    if omitted > 0 {
        let count = counted(omitted, "more target");
        let words = "that fail, are new, are gone or are not known";
        page.text.push_str(&format!("\n… and {count} {words}.\n"));
    }
}

/// Adds the list items of the rows to the page, under a heading for each section.
fn edits(report: &CompareReport, rows: &[ReviewRow<'_>], page: &mut MarkdownPage) {
    let mut section = "";
    let (mut edits, mut fields) = (0, 0);
    for row in rows {
        let mut out = String::new();
        let title = match row.kind {
            ReviewRowKind::Error | ReviewRowKind::Warning => "Dangers",
            ReviewRowKind::Restart => "Restarts",
            ReviewRowKind::Image => "Images",
            ReviewRowKind::Change | ReviewRowKind::Descriptions => "Other edits",
        };
        if title != section {
            out.push_str(&format!("\n#### {title}\n\n"));
        }
        out.push_str(&review_item(report, row));
        if page.push_if_fits(&out, page.max * 2 / 3) {
            section = title;
        } else {
            edits += row.edits.len();
            fields += row.cause.fields.len();
        }
    }
    if edits > 0 {
        let (edits, fields) = (counted(edits, "more edit"), counted(fields, "changed field"));
        page.text.push_str(&format!("- … and {edits} with {fields}\n"));
    }
}

fn review_item(report: &CompareReport, row: &ReviewRow<'_>) -> String {
    let mut parts: Vec<String> = Vec::new();
    for danger in row.dangers().iter().filter(|_| row.kind < ReviewRowKind::Image) {
        let title = crate::engine::diagnostic::Code::named(danger.code).map(|it| it.rule().title);
        let messages = if danger.messages.len() > 3 {
            let named: Vec<String> = danger.resources.iter().map(|it| markdown_code(it)).collect();
            format!(
                "{} × {}: {}",
                danger.count,
                title.unwrap_or_default(),
                first_texts(&named, MAX_LISTED)
            )
        } else {
            danger.messages.iter().map(|it| escape_markdown(it)).collect::<Vec<_>>().join("; ")
        };
        parts.push(format!("**{} {}** {messages}", danger.severity, danger.code));
    }
    parts.extend(edit_lines(report, row));
    let changes = row.cause.merged_changes();
    let most = match row.kind {
        ReviewRowKind::Descriptions | ReviewRowKind::Image => 0,
        _ => 3,
    };
    for change in changes.iter().take(most) {
        parts.push(markdown_code(&resource_change_words(change)));
    }
    let targets = row.cause.targets();
    let named: Vec<String> = targets.iter().map(|target| markdown_code(target)).collect();
    let fields = counted(row.cause.fields.len(), "field");
    parts.push(format!(
        "{fields} in {}: {}",
        counted(targets.len(), "target"),
        first_texts(&named, MAX_LISTED)
    ));
    format!("- {}\n", parts.join("<br>"))
}

fn edit_lines(report: &CompareReport, row: &ReviewRow<'_>) -> Vec<String> {
    if row.kind == ReviewRowKind::Descriptions {
        let definitions: BTreeSet<&str> =
            row.cause.fields.iter().map(|(_, it, _)| it.name.as_str()).collect();
        let definitions: Vec<String> = definitions.into_iter().map(markdown_code).collect();
        let edits = counted(row.edits.len(), "edit");
        return vec![format!(
            "only descriptions changed, by {edits}, in {}",
            first_texts(&definitions, MAX_LISTED)
        )];
    }
    let edits: Vec<_> = report.edits_at(row.cause.edits).collect();
    if edits.is_empty() {
        return vec![no_edit_reason(&row.cause).to_owned()];
    }
    let times = row.edits.len();
    let probably = if row.cause.is_verified() { "" } else { "probable causes, not verified: " };
    let is_one_commit = report.headline.commits.len() <= 1;
    let line = |(at, edit): (usize, &&ReportEdit)| {
        let commit = edit.commit.as_ref().filter(|_| !is_one_commit);
        let commit = commit.map(|it| format!(" ({})", short_commit_id(&it.id))).unwrap_or_default();
        let times = if times > 1 && at == 0 { format!("{times} × ") } else { String::new() };
        let place = markdown_code(&format!("{}:{}", edit.file, edit.line));
        let probably = if at == 0 { probably } else { "" };
        format!("{probably}{times}{} {place}{commit}", markdown_code(&edit_words(edit)))
    };
    let mut lines: Vec<String> = edits.iter().take(3).enumerate().map(line).collect();
    if edits.len() > 3 {
        lines.push(format!("and {} together", counted(edits.len() - 3, "more edit")));
    }
    if times > 1 {
        lines.push(format!("and {}", counted(times - 1, "more place")));
    }
    lines
}

/// The folded diffs, dangerous ones first; returns the number of diffs that do not fit.
fn add_diffs(report: &CompareReport, arguments: &Diff, page: &mut MarkdownPage) -> usize {
    let mut groups = grouped_diffs(report, arguments, arguments.all);
    groups.sort_by_key(|ResourceDiffLines { resource, .. }| {
        let ranks = resource.dangers.iter().map(|danger| severity_rank(&danger.severity));
        (ranks.min().unwrap_or(3), resource.kind == "CustomResourceDefinition")
    });
    let mut omitted = 0;
    for ResourceDiffLines { resource, targets } in groups {
        let title = format!(
            "{}/{} ({}): {}",
            resource.kind,
            resource.name,
            resource.change,
            first_texts(&targets, MAX_LISTED)
        );
        let mut out = format!("\n<details><summary>{}</summary>\n\n", escape_markdown_html(&title));
        let lines = resource.diff.lines().count();
        let most = if arguments.all { lines } else { MAX_DIFF_LINES };
        let diff: Vec<&str> = resource.diff.lines().take(most).collect();
        out.push_str(&markdown_fence("diff", &diff.join("\n")));
        if lines > most {
            out.push_str(&format!("… and {}\n", counted(lines - most, "more line")));
        }
        out.push_str("\n</details>\n");
        omitted += usize::from(!page.push_if_fits(&out, page.max));
    }
    omitted
}
