//! Hover: the final value in each target that a line affects, and the line that overrides it.

use std::path::Path;

use serde_json::Value;

use lsp_types::{Hover, HoverContents, MarkupContent, MarkupKind, Position};

use crate::answers::provenance::line_effects::{EntryUse, FieldEffect, FieldStatus, FileEffects};
use crate::answers::report::OutcomeWord;
use crate::display::{counted, escape_markdown, markdown_code};

use super::super::positions::line_range;
use super::cursor::YamlCursor;
use super::document_view::DocumentView;
use super::words::{entry_summary, shortened, target_list};

const MAX_EFFECTS: usize = 12;
const MAX_NAMES: usize = 12;
const MAX_VALUE_CHARS: usize = 200;

const BEING_CHECKED: &str = "kzui checks this line: its effects are not known yet";

pub(crate) fn hover_without_check() -> Value {
    serde_json::to_value(markdown(BEING_CHECKED.to_owned())).unwrap_or_default()
}

fn markdown(value: String) -> Hover {
    let contents = HoverContents::Markup(MarkupContent { kind: MarkupKind::Markdown, value });
    Hover { contents, range: None }
}

/// The text shown at a position: the effects of its entry, or the fields with their values.
pub(super) fn hover(view: &DocumentView<'_>, position: Position) -> Option<Hover> {
    if view.is_outdated && view.checked_line(position).is_none() {
        return Some(markdown(BEING_CHECKED.to_owned()));
    }
    let effects = view.checked.file_effects(view.path)?;
    let mut lines = Vec::new();
    if let Some(own) = view.effects(position) {
        // The line of a generator's name writes apiVersion and kind as well: the name comes first.
        let key = line_key(view, position);
        let is_named = |path: &str| path.rsplit('.').next() == key;
        let mut fields: Vec<(&FieldEffect, &Vec<u32>)> = own.fields.iter().collect();
        fields.sort_by_key(|(effect, _)| !is_named(&effect.path));
        for (effect, targets) in fields.into_iter().take(MAX_EFFECTS) {
            lines.push(field_text(view, effects, effect, targets));
        }
        let more = own.fields.len().saturating_sub(MAX_EFFECTS) + own.unlisted;
        if more > 0 {
            lines.push(format!("and {more} more"));
        }
    }
    if lines.is_empty() {
        let around = view.entry_effects(position);
        match entry_summary(&around) {
            Some(summary) => lines.push(format!("**{}**", escape_markdown(&summary))),
            // In place of the effects of a line, in a file with more fields than the limit.
            None if effects.unlisted > 0 => {
                let count = counted(effects.unlisted, "field");
                lines.push(format!("{count} of this file are above the limit"));
            }
            None => return None,
        }
        let entries = around.iter().flat_map(|line| &line.entries);
        for (entry, targets) in entries.take(MAX_EFFECTS) {
            let targets = list(view, effects.targets_at(targets));
            lines.push(format!("{}  \nin {targets}", outcome_text(entry)));
        }
    }
    if !effects.failed.is_empty() {
        let failed = effects.failed.iter().map(AsRef::as_ref);
        lines.push(format!("not known (the build fails): {}", list(view, failed)));
    }
    if view.is_outdated {
        lines.push("as of the last check; the present text is being checked".to_owned());
    }
    Some(markdown(lines.join("\n\n")))
}

fn line_key<'v>(view: &DocumentView<'v>, position: Position) -> Option<&'v str> {
    let line = line_range(view.text, position.line);
    let end = line.start + view.text.get(line)?.trim_end().len();
    YamlCursor::find(view.text, end)?.key
}

fn field_text(
    view: &DocumentView<'_>,
    effects: &FileEffects,
    effect: &FieldEffect,
    targets: &[u32],
) -> String {
    let mut text = format!("**{}** {}", escape_markdown(&effect.resource), code(&effect.path));
    let value = effect.value.as_deref();
    let value = value.map_or_else(|| "not in the output".to_owned(), code);
    let status = match &effect.status {
        FieldStatus::Final => format!("final value {value}"),
        FieldStatus::Part => format!("part of the final value {value}"),
        FieldStatus::Removes => "removed by this line".to_owned(),
        FieldStatus::Overridden(by) => {
            let by = by.as_ref().map(|by| format!(" by {}", escape_markdown(&view.line_text(by))));
            format!("overridden{}: final value {value}", by.unwrap_or_default())
        }
    };
    text.push_str(&format!("  \n{status}"));
    if effect.is_pending {
        text.push_str(", unless a pending step changes it");
    }
    let sources: Vec<String> =
        effect.sources.iter().map(|line| escape_markdown(&view.line_text(line))).collect();
    if !sources.is_empty() {
        text.push_str(&format!("  \ncopied from {}", sources.join(", ")));
    }
    text.push_str(&format!("  \nin {}", list(view, effects.targets_at(targets))));
    text
}

fn outcome_text(entry: &EntryUse) -> String {
    let field = code(entry.field);
    let detail = escape_markdown(entry.detail.as_deref().unwrap_or_default());
    match entry.outcome {
        OutcomeWord::MatchedNothing => format!("{field}: no match"),
        OutcomeWord::NoChange => format!("{field}: no change"),
        OutcomeWord::Waiting => format!("{field}: pending, {detail}"),
        OutcomeWord::Failed => format!("{field}: fails, {detail}"),
        OutcomeWord::Applied | OutcomeWord::SwitchedOff if entry.changed == 0 => {
            format!("{field}: read")
        }
        OutcomeWord::Applied | OutcomeWord::SwitchedOff => {
            let listed = entry.resources.iter().take(MAX_NAMES);
            let names: Vec<String> = listed.map(|it| escape_markdown(&it.title)).collect();
            let more = match entry.changed - names.len() {
                0 => String::new(),
                more => format!(" and {more} more"),
            };
            format!("{field}: {}{more}", names.join(", "))
        }
    }
}

fn list<'t>(view: &DocumentView<'_>, targets: impl Iterator<Item = &'t Path>) -> String {
    escape_markdown(&target_list(targets, |target| view.checked.shown(target)))
}

fn code(text: &str) -> String {
    markdown_code(&shortened(text, MAX_VALUE_CHARS))
}
