//! Rows as text, and search patterns: a text, `r:` before a regular expression, `!` for rows that
//! do not match.

use regex::RegexBuilder;

use super::super::model::{
    ChangedRow, CombinedDiffRow, Model, Pane, draft_effect_lines, step_label,
};
use super::super::text::TextLine;

/// The predicate of a pattern; `None` for an empty or invalid pattern.
pub(crate) fn matcher(pattern: &str) -> Option<impl Fn(&str) -> bool> {
    let (inverse, pattern) = match pattern.strip_prefix('!') {
        Some(rest) => (true, rest),
        None => (false, pattern),
    };
    if pattern.is_empty() {
        return None;
    }
    let regex = match pattern.strip_prefix("r:") {
        Some(regex) => RegexBuilder::new(regex),
        None => RegexBuilder::new(&regex::escape(pattern)),
    }
    .case_insensitive(!pattern.contains(char::is_uppercase))
    .size_limit(1 << 20)
    .build()
    .ok()?;
    Some(move |text: &str| regex.is_match(text) != inverse)
}

/// A row of a pane as text, in which a search looks for its pattern.
#[expect(clippy::too_many_lines, reason = "one arm per pane")]
pub(crate) fn row_text(model: &Model, pane: Pane, row: usize) -> String {
    let changed = |rows: &[ChangedRow], row: usize| {
        rows.get(row).map(|row| format!("{} {}", row.kind, row.name))
    };
    match pane {
        Pane::Tree => model.tree.rows.get(row).map(|row| format!("{} {}", row.label, row.detail)),
        Pane::Preview => model.detail.preview.lines.get(row).map(TextLine::text),
        Pane::Explanation => model.problems.explanation.lines.get(row).map(TextLine::text),
        Pane::Steps => model.steps.visible.get(row).map(|step| {
            let label = step_label(&model.builds.recording, *step);
            let words = model.builds.recording.words(*step).map_or("", |words| &words.word);
            format!("{} {words} {label}", model.builds.recording.place_of_step(*step))
        }),
        Pane::Effect => changed(&model.detail.effect, row),
        Pane::Changed => changed(&model.diff.changed, row),
        Pane::ComponentEffect => changed(&model.components.effect, row),
        Pane::Diff => model.diff.whole.rows.get(row).and_then(|CombinedDiffRow { part, row }| {
            let Some(row) = row else { return changed(&model.diff.changed, *part) };
            let diff = model.diff.whole.part(*part)?;
            let line = row.right.and_then(|line| diff.right.get(line));
            line.or_else(|| row.left.and_then(|line| diff.left.get(line))).map(TextLine::text)
        }),
        Pane::Resource => model.resources.lines.get(row).map(TextLine::text),
        Pane::Resources => {
            model.resources.list.get(row).map(|row| format!("{} {}", row.kind, row.name))
        }
        Pane::History => model
            .resources
            .history
            .get(row)
            .map(|row| format!("{} {} {}", row.label, row.written(), row.place)),
        Pane::Pipeline => {
            let row = model.composition.rows.get(row);
            row.map(|row| format!("{} {} {}", row.name, row.object, row.from))
        }
        Pane::Imports => model.composition.imports.get(row).map(TextLine::text),
        Pane::Entry => model.composition.entry.lines.get(row).map(TextLine::text),
        Pane::Catalogs => {
            let row = model.catalogs.rows.get(row);
            row.map(|row| format!("{} {} {}", row.label, row.detail, row.standing.word()))
        }
        Pane::Review => model.catalogs.review.lines.get(row).map(TextLine::text),
        Pane::Functions => {
            let row = model.functions.rows.get(row);
            row.map(|row| format!("{} {} {}", row.name, row.runtime, row.program))
        }
        Pane::Results => {
            let row = model.functions.results.get(row);
            row.map(|row| format!("{} {} {}", row.resource, row.field, row.text))
        }
        Pane::Invocation => model.functions.invocation.lines.get(row).map(TextLine::text),
        Pane::Components => model.components.rows.get(row).map(|row| row.text.clone()),
        Pane::Targets => model.board.rows.get(row).map(|row| row.label.clone()),
        Pane::Users => model.board.users.get(row).map(|row| format!("{} {}", row.label, row.place)),
        Pane::Hit | Pane::FindingDetail => None,
        Pane::Reach => draft_effect_lines(model).get(row).map(|(_, text)| text.clone()),
        Pane::ComponentTable => model.overlay_row(row).map(|row| row.overlay.clone()),
        Pane::TableComponents => model.overlay_cell(row).map(|cell| cell.component.clone()),
        Pane::TableDetail => model.table.detail.get(row).map(|line| line.text.clone()),
        Pane::Pairs => model.pair(row).map(|pair| {
            format!("{} {} {} {}", pair.file, pair.field, pair.first.text, pair.second.text)
        }),
        Pane::Cases => model.case_search_text(row),
        Pane::Varied => model.varied.detail.get(row).map(|line| line.text.clone()),
        Pane::Differences => {
            let row = model.compared.rows.get(row);
            row.map(|row| format!("{} {}", row.label, row.detail))
        }
        Pane::Found => {
            let row = model.search.rows.get(row);
            row.map(|row| format!("{} {}: {} {}", row.resource, row.path, row.value, row.place))
        }
        Pane::Findings => model.finding(row).map(|found| {
            format!("{} {} {}", found.code, model.board.place_of(found), found.message)
        }),
        Pane::EditEffect => model.edit_effect_lines().get(row).map(|(_, text)| text.clone()),
        Pane::EditDiff => model.edits.shown.row(row).and_then(|row| match row {
            Ok((diff, row)) => diff.shown(row, usize::MAX).map(|shown| shown.text.text()),
            Err(name) => Some(name.to_owned()),
        }),
        Pane::Edits => model.edits.list.get(row).map(|edit| edit.words.clone()),
        Pane::Hunk => model.compared.hunk.get(row).map(|line| line.text.clone()),
        Pane::Problems => {
            model.problem(row).map(|row| format!("{} {} {}", row.code, row.place, row.message))
        }
    }
    .unwrap_or_default()
}
