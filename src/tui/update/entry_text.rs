//! An entry of a Composition as text: in the small editor, or read from the draft.

use std::path::{Path, PathBuf};

use super::super::model::{Model, Pane, PipelineKind};
use super::{editor, warn, what_if};
use crate::draft::Edit;
use crate::engine::manifest::Outline;

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
