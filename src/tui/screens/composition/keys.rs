//! Edits of a Composition: toggles, moves and overrides its entries. Only its own file is changed.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::draft::{Edit, EntryRef};
use crate::engine::evaluate::CompositionLocation;
use crate::engine::manifest::{Outline, OutlineEntry};
use crate::model::{Model, Pane, PipelineKind, PipelineRow};
use crate::update::form::{first_item, open_override_editor, report_no_entry, selected, text_of};
use crate::update::{form, note, what_if};

const TRANSFORMER_ORDER: &str = "transformerOrder";

/// Disables or enables an entry: an entry of the file itself by commenting it out, an imported
/// entry by an override that deletes it.
pub(crate) fn toggle(model: &mut Model) {
    let edit = match (model.composition(), selected(model)) {
        (Some(consolidated), Some(PipelineKind::Runs(index))) => {
            let file = PathBuf::from(&consolidated.file);
            let edit =
                match (consolidated.override_text(index, true), consolidated.entries.get(index)) {
                    (Some(text), _) => Some(Edit::AddEntry {
                        file,
                        field: "transformerOverrides".to_owned(),
                        text: first_item(&text),
                    }),
                    (None, Some(entry)) => active(model, &entry.listed).map(Edit::ToggleEntry),
                    (None, None) => None,
                };
            edit.map(|edit| (edit, RequiredPresence::Off(index)))
        }
        (Some(consolidated), Some(PipelineKind::Removed(index))) => {
            let removed = consolidated.removed.get(index);
            let by = removed.and_then(|entry| active(model, &entry.removed_by));
            let name = removed.map_or("", |entry| entry.id.name.as_str()).to_owned();
            by.map(|by| (Edit::ToggleEntry(by), RequiredPresence::On(name)))
        }
        (Some(consolidated), Some(PipelineKind::Off(index))) => {
            let off = consolidated.switched_off.get(index);
            let name = selected_row(model).map(|row| row.name.clone()).unwrap_or_default();
            let entry = off.and_then(|entry| at_line(model, &entry.place));
            entry.map(|entry| (Edit::ToggleEntry(entry), RequiredPresence::On(name)))
        }
        _ => None,
    };
    let Some((edit, listed)) = edit else { return report_no_entry(model) };
    let edit = with_matching_order(model, edit, &listed);
    // The selection stays with the entry, so that the same key reverts the edit.
    model.composition.follows = selected_row(model).cloned();
    what_if::apply(model, &edit);
}

enum RequiredPresence {
    /// The entry no longer runs; its index among the running entries.
    Off(usize),
    /// The entry runs again; its name.
    On(String),
}

/// Adds the matching edit of `transformerOrder` to an edit, since that list must contain exactly
/// the running entries.
fn with_matching_order(model: &Model, edit: Edit, listed: &RequiredPresence) -> Edit {
    let file = edit.file().to_path_buf();
    let edited = text_of(model, &file).and_then(|text| edit.apply_to(text.as_bytes()).ok());
    let both = edited.and_then(|edited| {
        let outline = Outline::parse(&edited);
        let field = outline.field(TRANSFORMER_ORDER).filter(|field| !field.disabled)?;
        let entries = || field.entries.iter().enumerate();
        let toggled = |index| Outline::toggle_entry(&edited, TRANSFORMER_ORDER, index).ok();
        match listed {
            RequiredPresence::Off(at) => {
                let (index, entry) = entries().filter(|(_, entry)| !entry.disabled).nth(*at)?;
                let comes_back = |text: &Vec<u8>| {
                    let outline = Outline::parse(text);
                    let field = outline.field(TRANSFORMER_ORDER);
                    field.is_some_and(|field| {
                        field.entries.iter().any(|it| it.disabled && it.text == entry.text)
                    })
                };
                let (before, behind) = edited.split_at_checked(entry.bytes.end)?;
                // A comment directly below would become part of the commented-out entry: a blank
                // line separates them.
                let apart = || {
                    let line_end: &[u8] = if before.ends_with(b"\r\n") { b"\r\n" } else { b"\n" };
                    let apart = [before, line_end, behind].concat();
                    Outline::toggle_entry(&apart, TRANSFORMER_ORDER, index).ok().filter(comes_back)
                };
                toggled(index).filter(comes_back).or_else(apart)
            }
            RequiredPresence::On(name) => {
                let mut off = entries().filter(|(_, entry)| entry.disabled && names(entry, name));
                let is_there = entries().any(|(_, entry)| !entry.disabled && names(entry, name));
                let back = off.next().and_then(|(index, _)| toggled(index));
                let item = || {
                    Outline::add_entry(&edited, TRANSFORMER_ORDER, &format!("name: {name}")).ok()
                };
                if is_there { None } else { back.or_else(item) }
            }
        }
    });
    match both {
        Some(text) => Edit::SetText { file, text: Arc::from(text) },
        None => edit,
    }
}

fn names(entry: &OutlineEntry, name: &str) -> bool {
    let mut lines = entry.text.lines().map(|line| line.trim_start_matches(['-', ' ']));
    lines.any(|line| {
        let value = line.strip_prefix("name:").map(str::trim);
        value.is_some_and(|value| value.trim_matches(['\'', '"']) == name)
    })
}

/// Moves an entry in the order of the runs, and writes that order.
pub(crate) fn move_entry(model: &mut Model, by: isize) {
    let Some(PipelineKind::Runs(index)) = selected(model) else { return report_no_entry(model) };
    let Some(consolidated) = model.composition() else { return report_no_entry(model) };
    let mut order = match &model.composition.order {
        // The build of an earlier move is still running: continue from its order.
        Some((generation, order)) if *generation == model.builds.generation => order.clone(),
        _ => (0..consolidated.entries.len()).collect(),
    };
    let Some(at) = order.iter().position(|entry| *entry == index) else {
        return report_no_entry(model);
    };
    let to = at.saturating_add_signed(by).min(order.len().saturating_sub(1));
    if to == at {
        return note(model, "already at the end of the list");
    }
    let entry = order.remove(at);
    order.insert(to, entry);
    let file = PathBuf::from(&consolidated.file);
    let items = consolidated.order_text(&order);
    let Some(text) = text_of(model, &file) else { return report_no_entry(model) };
    let edit = move_item(&file, &text, order.len(), (at, to)).unwrap_or_else(|| {
        let text = set_transformer_order(&text, &items);
        Edit::SetText { file, text: Arc::from(text.into_bytes()) }
    });
    model.composition.order = Some((model.builds.generation, order));
    model.composition.follows = selected_row(model).cloned();
    what_if::apply(model, &edit);
}

/// Moves an item of an existing `transformerOrder`, with its comments.
fn move_item(file: &Path, text: &str, count: usize, (at, to): (usize, usize)) -> Option<Edit> {
    let outline = Outline::parse(text.as_bytes());
    let field = outline.field(TRANSFORMER_ORDER).filter(|field| !field.disabled)?;
    let is_all = field.entries.len() == count && field.entries.iter().all(|it| !it.disabled);
    let by = isize::try_from(to).ok()? - isize::try_from(at).ok()?;
    let (file, field) = (file.to_path_buf(), TRANSFORMER_ORDER.to_owned());
    let edit = Edit::MoveEntry { entry: EntryRef { file, field, index: at }, by };
    (is_all && edit.apply_to(text.as_bytes()).is_ok()).then_some(edit)
}

/// Opens the form of an override, or of an entry of the file itself; without a schema, the built-in
/// editor.
pub(crate) fn add_override(model: &mut Model) {
    let Some(PipelineKind::Runs(index)) = selected(model) else { return report_no_entry(model) };
    if !form::open(model, index) {
        open_override_editor(model);
    }
}

/// The outline entry for a location whose index counts only active entries.
fn active(model: &Model, place: &CompositionLocation) -> Option<EntryRef> {
    let file = PathBuf::from(&place.file);
    let outline = Outline::parse(text_of(model, &file)?.as_bytes());
    let entries = outline.field(place.field)?.entries.iter().enumerate();
    let (index, _) = entries.filter(|(_, entry)| !entry.disabled).nth(place.index)?;
    Some(EntryRef { file, field: place.field.to_owned(), index })
}

fn selected_row(model: &Model) -> Option<&PipelineRow> {
    model.composition.rows.get(model.list(Pane::Pipeline).selected)
}

fn at_line(model: &Model, place: &CompositionLocation) -> Option<EntryRef> {
    let file = PathBuf::from(&place.file);
    let outline = Outline::parse(text_of(model, &file)?.as_bytes());
    let entries = &outline.field(place.field)?.entries;
    let index = entries.iter().position(|entry| entry.line == place.mark.line)?;
    Some(EntryRef { file, field: place.field.to_owned(), index })
}

/// The text with this `transformerOrder`, in place of the existing one or at the end.
fn set_transformer_order(text: &str, items: &str) -> String {
    let outline = Outline::parse(text.as_bytes());
    let line_end = if text.contains("\r\n") { "\r\n" } else { "\n" };
    let field = format!("{TRANSFORMER_ORDER}:\n{items}").replace('\n', line_end);
    let range = match outline.field(TRANSFORMER_ORDER).filter(|field| !field.disabled) {
        Some(found) => found.bytes.clone(),
        None => outline.end..outline.end,
    };
    let (before, after) =
        (text.get(..range.start).unwrap_or(text), text.get(range.end..).unwrap_or_default());
    let joint = if before.is_empty() || before.ends_with('\n') { "" } else { line_end };
    format!("{before}{joint}{field}{after}")
}

pub(crate) fn place(model: &Model) -> Option<(PathBuf, u32)> {
    crate::model::row_location(model, selected_row(model)?)
}
