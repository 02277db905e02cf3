//! Inlay hints: the final value beside a value that is overridden or only a part of it.

use std::collections::BTreeSet;

use lsp_types::{InlayHint, InlayHintKind, InlayHintLabel, Range as Span};

use crate::answers::provenance::line_effects::{FieldStatus, LineEffects};
use crate::display::{counted, sanitize};

use super::super::positions::{line_range, position};
use super::document_view::DocumentView;
use super::words::shortened;

const MAX_HINTS: usize = 500;
const MAX_VALUES: usize = 4;
const MAX_HINT_CHARS: usize = 60;

/// The hints in a range of lines: the effect of each entry.
pub(super) fn hints(view: &DocumentView<'_>, range: Span) -> Vec<InlayHint> {
    let Some(effects) = view.checked.file_effects(view.path) else { return Vec::new() };
    let shown = effects.lines.iter().filter_map(|(line, effects)| {
        let line = view.shown_line(*line)?.checked_sub(1)?;
        let is_in = (range.start.line..=range.end.line).contains(&line);
        is_in.then(|| Some((line, label(effects)?)))?
    });
    let hint = |(line, label): (u32, String)| {
        let bytes = line_range(view.text, line);
        let content = view.text.get(bytes.clone()).unwrap_or_default().trim_end();
        InlayHint {
            position: position(view.text, bytes.start + content.len()),
            label: InlayHintLabel::String(label),
            kind: Some(InlayHintKind::TYPE),
            text_edits: None,
            tooltip: None,
            padding_left: Some(true),
            padding_right: None,
            data: None,
        }
    };
    shown.take(MAX_HINTS).map(hint).collect()
}

/// The final values of a line; `None` if the line writes them all. A line of which some values are
/// removed, and others stay, has no hint for that: hover lists them.
fn label(effects: &LineEffects) -> Option<String> {
    let differing = effects
        .fields
        .keys()
        .filter(|effect| matches!(effect.status, FieldStatus::Overridden(_) | FieldStatus::Part));
    let (known, removed): (Vec<_>, Vec<_>) = differing.partition(|effect| effect.value.is_some());
    let values: BTreeSet<&str> =
        known.iter().filter_map(|effect| effect.value.as_deref()).collect();
    let text = match values.len() {
        0 if removed.is_empty() || removed.len() < effects.fields.len() => return None,
        0 => "→ removed".to_owned(),
        1..=MAX_VALUES => format!("→ {}", values.into_iter().collect::<Vec<_>>().join(" | ")),
        count => format!("→ {}", counted(count, "final value")),
    };
    Some(shortened(&sanitize(&text), MAX_HINT_CHARS))
}
