//! Definition: from an entry to its file, from a name to the resource that it means, from a patch to
//! its resource, and from a copied value to its source.

use lsp_types::{GotoDefinitionResponse, Location, Position};
use serde::Deserialize as _;
use serde_json::Value;

use crate::repository::{FileLocation, ReferenceDestination};

use super::super::positions::byte_at;
use super::super::renamer::NameQuestion;
use super::cursor::{PathPart, YamlCursor};
use super::document_view::{DocumentView, location};

const MAX_LOCATIONS: usize = 100;

pub(super) fn definition(
    view: &DocumentView<'_>,
    position: Position,
) -> Option<GotoDefinitionResponse> {
    let mut lines: Vec<FileLocation> = entry_files(view, position);
    if lines.is_empty() {
        lines = value_lines(view, position);
    }
    let entries = view.entry_effects(position).into_iter().flat_map(|line| line.entries.keys());
    if lines.is_empty() && is_in_source(view, position) {
        lines = entries.clone().flat_map(|entry| entry.sources.iter().cloned()).collect();
    }
    if lines.is_empty() {
        let resources = entries.flat_map(|entry| &entry.resources);
        lines = resources.filter_map(|resource| resource.beginning.clone()).collect();
    }
    let found = view.locations(lines, MAX_LOCATIONS);
    (!found.is_empty()).then_some(GotoDefinitionResponse::Array(found))
}

/// True if the line at the position of a request names a file: its definition is the file, and not
/// a resource.
pub(crate) fn is_entry_line(view: &DocumentView<'_>, params: &Value) -> bool {
    let position = params.get("position").map(Position::deserialize);
    position.is_some_and(|it| it.is_ok_and(|it| !entry_files(view, it).is_empty()))
}

/// The question for the lines that declare a resource; `otherwise` is the answer if no target has
/// it.
pub(crate) fn declaration_question(otherwise: Value) -> NameQuestion {
    Box::new(|asked| {
        let lines = asked.checked.check.declarations(asked.place(), asked.cancel.clone());
        let listed = lines.iter().take(MAX_LOCATIONS);
        let found = listed.filter_map(|(file, line)| location(&asked.folders, file, *line));
        let found: Vec<Location> = found.collect();
        if found.is_empty() {
            return Ok(otherwise);
        }
        Ok(serde_json::to_value(GotoDefinitionResponse::Array(found)).unwrap_or_default())
    })
}

fn entry_files(view: &DocumentView<'_>, position: Position) -> Vec<FileLocation> {
    let Some(line) = view.checked_line(position) else { return Vec::new() };
    let target = view.path.parent().and_then(|folder| view.checked.repository().target(folder));
    let entries = target.into_iter().flat_map(|target| &target.uses);
    let entries = entries.filter(|entry| entry.file == view.path && entry.line == line);
    let files = entries.filter_map(|entry| match &entry.to {
        ReferenceDestination::File(file) => Some(file.clone()),
        ReferenceDestination::Folder(folder) => {
            let target = view.checked.repository().target(folder);
            Some(target.map_or_else(|| folder.clone(), |target| target.file.clone()))
        }
        ReferenceDestination::Missing(_) | ReferenceDestination::Remote(_) => None,
    });
    files.map(|file| FileLocation { file, line: 1 }).collect()
}

fn value_lines(view: &DocumentView<'_>, position: Position) -> Vec<FileLocation> {
    let Some(effects) = view.effects(position) else { return Vec::new() };
    let sources = effects.fields.keys().flat_map(|effect| effect.sources.iter().cloned());
    let sources: Vec<FileLocation> = sources.collect();
    if !sources.is_empty() {
        return sources;
    }
    effects.fields.keys().filter_map(|effect| effect.resource_at.clone()).collect()
}

fn is_in_source(view: &DocumentView<'_>, position: Position) -> bool {
    let cursor = YamlCursor::find(view.text, byte_at(view.text, position));
    cursor.is_some_and(|it| {
        it.path.ends_with(&[PathPart::Item, PathPart::Key("source")])
            || it.path.ends_with(&[PathPart::Item]) && it.key == Some("source")
    })
}
