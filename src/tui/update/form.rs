//! The form of an override, or of an entry of the file itself: checked against the schema, and then
//! put into the draft.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};

use crate::draft::Edit;
use crate::engine::evaluate::{CompositionLocation, ConsolidatedComposition};
use crate::engine::manifest::{CatalogSchema, EntryId, Outline, ValueChange, builtin_schema};
use crate::engine::yaml::{Limits, Node, SourceId, parse_documents};
use crate::model::{
    EntryForm, FieldKind, FormField, FormItem, Model, Overlay, Pane, PipelineKind, form_fields,
};
use crate::text::{LineDiff, LineInput, Split, sanitize, source_lines};
use crate::theme::StyleRole;
use crate::update::{editor, note, say, say_error, warn, what_if};

/// Opens the form of an entry; false if the entry has no schema, or is written so that it cannot be
/// edited field by field.
pub(crate) fn open(model: &mut Model, index: usize) -> bool {
    let form = model.composition().and_then(|consolidated| form(model, consolidated, index));
    let Some(mut form) = form else { return false };
    preview(model, &mut form);
    select(&mut form, 0);
    model.overlay = Some(Overlay::Form(Box::new(form)));
    true
}

fn form(model: &Model, consolidated: &ConsolidatedComposition, index: usize) -> Option<EntryForm> {
    let entry = consolidated.entries.get(index)?;
    let schema = entry_schema(model, &entry.id)?;
    let file = PathBuf::from(&consolidated.file);
    let is_own = entry.imported_from.is_empty();
    let here = |place: &&CompositionLocation| Path::new(&place.file) == file;
    let applied = entry.overridden_by.iter().rev().find(|applied| here(&&applied.place));
    let written = if is_own {
        Some(&entry.origin).filter(|origin| **origin == entry.listed).filter(here)
    } else {
        applied.map(|applied| &applied.place)
    };
    let item = match written {
        Some(place) => {
            FormItem { field: place.field, index: Some(place.index), text: String::new() }
        }
        None if is_own => return None,
        None => {
            let text = first_item(&consolidated.override_text(index, false)?);
            FormItem { field: "transformerOverrides", index: None, text }
        }
    };
    let own = written.and_then(|place| item_at(model, place)).unwrap_or_else(Node::mapping);
    let before = applied.map_or(&entry.config, |applied| &applied.before);
    let below = Some(before).filter(|_| !is_own);
    let imported = |path: &[&str]| {
        let found = below?.at(path)?;
        Some((found.clone(), model.builds.recording.location(found.mark)))
    };
    let fields = form_fields(&schema, &imported, &own);
    let verb = if is_own { "Edit" } else { "Override" };
    let title = format!("{verb} {}  {}", entry.id.name, entry.id.gvk.kind);
    let file_name = model.builds.recording.shorten(&consolidated.file);
    (!fields.is_empty()).then(|| EntryForm {
        title: sanitize(&title).into_owned(),
        kind: entry.id.gvk.kind.to_string(),
        file,
        file_name,
        item,
        fields,
        ..EntryForm::default()
    })
}

/// The schema of an entry: from the first catalog that defines the function, or of a built-in
/// transformer.
fn entry_schema(model: &Model, id: &EntryId) -> Option<Node> {
    if &*id.gvk.group == "builtin" || &*id.gvk.version == "builtin" {
        return builtin_schema(&id.gvk.kind);
    }
    let views =
        model.builds.recording.catalogs.iter().filter(|reviewed| !reviewed.listed_at.is_empty());
    let views = views.filter_map(|reviewed| reviewed.result.as_ref().ok());
    let mut entries = views.flat_map(|found| &found.view.entries);
    entries.find_map(|entry| {
        let gvk = &id.gvk;
        let (function, version) = (&entry.function, &entry.version);
        let is_it = function.group == *gvk.group && version.name == *gvk.version;
        match &version.schema {
            CatalogSchema::Object(schema) if is_it && function.kind == *gvk.kind => {
                Some(schema.clone())
            }
            _ => None,
        }
    })
}

fn item_at(model: &Model, place: &CompositionLocation) -> Option<Node> {
    let text = text_of(model, Path::new(&place.file))?;
    let file = parse_documents(text.as_bytes(), SourceId::NONE, Limits::default()).ok()?;
    let items = file.documents.first()?.node.get(place.field)?.items()?.to_vec();
    items.into_iter().nth(place.index)
}

pub(crate) fn key(model: &mut Model, key: KeyEvent) {
    let Some(Overlay::Form(mut form)) = model.overlay.take() else { return };
    match (key.code, key.modifiers) {
        (KeyCode::Esc, _) => return note(model, "not changed"),
        (KeyCode::Char('s'), KeyModifiers::CONTROL) => return draft(model, form),
        (KeyCode::Char('e'), KeyModifiers::CONTROL) => return open_override_editor(model),
        (KeyCode::Enter, _) if form.selected + 1 == form.fields.len() => return draft(model, form),
        (KeyCode::Tab | KeyCode::Down | KeyCode::Enter, _) => move_field_selection(&mut form, 1),
        (KeyCode::BackTab | KeyCode::Up, _) => move_field_selection(&mut form, -1),
        (KeyCode::PageDown, _) => move_field_selection(&mut form, 10),
        (KeyCode::PageUp, _) => move_field_selection(&mut form, -10),
        _ => {
            if handle_field_key(&mut form, key) {
                preview(model, &mut form);
            }
        }
    }
    model.overlay = Some(Overlay::Form(form));
}

pub(crate) fn pasted(model: &mut Model, text: &str) {
    let Some(Overlay::Form(mut form)) = model.overlay.take() else { return };
    for c in text.chars().filter(|c| !c.is_control()) {
        handle_field_key(&mut form, KeyEvent::new(KeyCode::Char(c), KeyModifiers::NONE));
    }
    preview(model, &mut form);
    model.overlay = Some(Overlay::Form(form));
}

fn move_field_selection(form: &mut EntryForm, by: isize) {
    let count = isize::try_from(form.fields.len().max(1)).unwrap_or(1);
    let at = isize::try_from(form.selected).unwrap_or(0) + by;
    let at = if by.abs() == 1 { at.rem_euclid(count) } else { at.clamp(0, count - 1) };
    select_field(form, usize::try_from(at).unwrap_or(0));
}

/// Selects a field by its index; the field that is left shows its error.
pub(crate) fn select_field(form: &mut EntryForm, at: usize) {
    if let Some(field) = form.fields.get_mut(form.selected) {
        field.problem = field.value().err();
    }
    select(form, at);
}

fn select(form: &mut EntryForm, at: usize) {
    form.selected = at;
    let text = form.fields.get(at).map_or("", |field| field.text.as_str());
    form.input = LineInput::new(text);
}

/// Handles a key in the selected field; false if the key does not edit a field.
fn handle_field_key(form: &mut EntryForm, key: KeyEvent) -> bool {
    let Some(field) = form.fields.get_mut(form.selected) else { return false };
    field.problem = None;
    if matches!(field.kind, FieldKind::Choice(_)) {
        match key.code {
            KeyCode::Char(' ') | KeyCode::Right => field.choose(true),
            KeyCode::Left => field.choose(false),
            KeyCode::Char('u') if key.modifiers == KeyModifiers::CONTROL => field.text.clear(),
            KeyCode::Backspace | KeyCode::Delete => field.text.clear(),
            _ => return false,
        }
        form.input.set(field.text.clone());
        return true;
    }
    if !form.input.key(key) {
        return false;
    }
    form.input.text().clone_into(&mut field.text);
    true
}

/// Applies the form to the draft if all values satisfy the schema.
fn draft(model: &mut Model, mut form: Box<EntryForm>) {
    for field in &mut form.fields {
        field.problem = field.value().err();
    }
    let wrong = form.fields.iter().position(|field| field.problem.is_some());
    if let Some(at) = wrong {
        select(&mut form, at);
        say_error(model, "not changed: a field does not match the schema");
        model.overlay = Some(Overlay::Form(form));
        return;
    }
    match file_text_with_form(model, &form) {
        Ok(None) => note(model, "not changed"),
        Ok(Some(text)) => {
            let edit = Edit::SetText { file: form.file, text: Arc::from(text) };
            what_if::apply(model, &edit);
            say(model, StyleRole::Ok, "changed in the draft (:w writes)");
        }
        Err(reason) => {
            say_error(model, format!("{reason} (ctrl-e: edit as text)"));
            model.overlay = Some(Overlay::Form(form));
        }
    }
}

/// The text of the file with the values of the form; `None` without a change.
fn file_text_with_form(model: &Model, form: &EntryForm) -> Result<Option<Vec<u8>>, String> {
    let changed = |field: &&FormField| field.text != field.before;
    let changes = form.fields.iter().filter(changed).map(|field| {
        let value = field.value().map_err(|reason| format!("{}: {reason}", field.name()))?;
        Ok(ValueChange { path: field.path.clone(), value })
    });
    let changes: Vec<ValueChange> = changes.collect::<Result<_, String>>()?;
    if changes.is_empty() {
        return Ok(None);
    }
    let text = text_of(model, &form.file).ok_or("the file cannot be read")?.into_bytes();
    let FormItem { field, index, text: item } = &form.item;
    let (text, index) = if let Some(index) = index {
        (text, *index)
    } else {
        let text = Outline::add_entry(&text, field, item).map_err(|error| error.to_string())?;
        let outline = Outline::parse(&text);
        let entries = outline.field(field).map(|field| field.entries.iter());
        let active = entries.map_or(0, |entries| entries.filter(|entry| !entry.disabled).count());
        (text, active.saturating_sub(1))
    };
    let text = Outline::set_values(&text, field, index, &changes);
    text.map(Some).map_err(|error| error.to_string())
}

fn preview(model: &Model, form: &mut EntryForm) {
    let before = text_of(model, &form.file).unwrap_or_default().into_bytes();
    let after = match file_text_with_form(model, form) {
        Ok(after) => {
            form.refused = None;
            after.unwrap_or_else(|| before.clone())
        }
        Err(reason) => {
            // The last valid preview stays visible while the input is incomplete.
            form.refused = Some(sanitize(&reason).into_owned());
            return;
        }
    };
    let secrets = &model.look.secrets;
    let lines = |bytes: &[u8]| source_lines(&secrets.file(&form.file, bytes), SourceId::NONE);
    form.diff = LineDiff::new(lines(&before), lines(&after));
    let differs = form.diff.changed_lines() != (0, 0);
    form.rows = if differs { form.diff.rows(Split::Unified, 2) } else { Vec::new() };
}

/// The kind of the selected pipeline row; for an overridden field, its entry.
pub(crate) fn selected(model: &Model) -> Option<PipelineKind> {
    let row = model.composition.rows.get(model.list(Pane::Pipeline).selected)?;
    Some(match row.kind {
        PipelineKind::Field(index, _) => PipelineKind::Runs(index),
        kind => kind,
    })
}

/// Adds an override of an imported entry and opens the built-in editor on it; an entry of the file
/// itself is opened in place.
pub(crate) fn open_override_editor(model: &mut Model) {
    let (Some(consolidated), Some(PipelineKind::Runs(index))) =
        (model.composition(), selected(model))
    else {
        return report_no_entry(model);
    };
    let file = PathBuf::from(&consolidated.file);
    let place = consolidated.entries.get(index).and_then(|entry| {
        let overrides = entry.overridden_by.iter().map(|applied| &applied.place);
        let own = overrides.into_iter().find(|place| Path::new(&place.file) == file);
        let place = if entry.imported_from.is_empty() { Some(&entry.origin) } else { own };
        place.map(|place| (PathBuf::from(&place.file), place.mark.line))
    });
    if let Some((file, line)) = place {
        return editor::open_builtin_editor_at(model, file, line);
    }
    let Some(text) = consolidated.override_text(index, false) else {
        return report_no_entry(model);
    };
    let field = "transformerOverrides".to_owned();
    let edit = Edit::AddEntry { file: file.clone(), field: field.clone(), text: first_item(&text) };
    what_if::apply(model, &edit);
    let outline = Outline::parse(text_of(model, &file).unwrap_or_default().as_bytes());
    let line = outline.field(&field).and_then(|field| field.entries.last()).map(|entry| entry.line);
    editor::open_builtin_editor_at(model, file, line.unwrap_or(1));
}

pub(crate) fn report_no_entry(model: &mut Model) {
    warn(model, "not an entry: select an entry of the pipeline");
}

pub(crate) fn text_of(model: &Model, file: &Path) -> Option<String> {
    let bytes = model.edits.draft.files(model.opened.disk.clone()).read(file).ok()?;
    String::from_utf8(bytes.to_vec()).ok()
}

/// The text of a list with one item, without the dash and its indentation.
pub(crate) fn first_item(list: &str) -> String {
    let lines = list.lines().map(|line| line.get(2..).unwrap_or_default());
    lines.collect::<Vec<_>>().join("\n")
}
