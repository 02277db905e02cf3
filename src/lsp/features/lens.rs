//! Lenses: the effect of each entry of a kustomization file, and of each other file.

use lsp_types::{CodeLens, Command, Position};

use crate::display::counted;
use crate::engine::manifest::Outline;

use super::super::positions::span_of_line;
use super::document_view::DocumentView;
use super::words::entry_summary;

const MAX_LENSES: usize = 500;

pub(super) fn lenses(view: &DocumentView<'_>) -> Vec<CodeLens> {
    let Some(effects) = view.checked.file_effects(view.path) else { return Vec::new() };
    let lens = |line: u32, title: String| CodeLens {
        range: span_of_line(view.text, line),
        // Clients show a lens with an empty command as plain text.
        command: Some(Command { title, command: String::new(), arguments: None }),
        data: None,
    };
    if !view.is_kustomization() {
        let failed = match effects.failed.len() {
            0 => String::new(),
            count => format!(", {count} of them fail"),
        };
        let title = format!("in {}{failed}", counted(effects.targets.len(), "target"));
        return vec![lens(1, title)];
    }
    let outline = Outline::parse(view.text.as_bytes());
    let mut all = Vec::new();
    for field in outline.fields.iter().filter(|field| !field.disabled) {
        let entries = field.entries.iter().filter(|entry| !entry.disabled);
        let mut lines: Vec<u32> = entries.map(|entry| entry.line).collect();
        if lines.is_empty() {
            lines.push(field.line);
        }
        for line in lines {
            let position = Position::new(line.saturating_sub(1), 0);
            let summary = entry_summary(&view.entry_effects(position));
            all.extend(summary.map(|title| lens(line, title)));
        }
    }
    all.truncate(MAX_LENSES);
    all
}
