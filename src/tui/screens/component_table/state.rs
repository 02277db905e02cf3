//! The overlays of the repository and the components that each lists, as one table, with the draft.

use std::collections::BTreeSet;
use std::path::PathBuf;
use std::sync::Arc;

use crate::answers::{
    Cell, ComponentEffect, ComponentMatrix, ComponentStatus, ComponentTrial, OverlayRow, headline,
    is_component_on, toggle_component_edit,
};
use crate::draft::{Edit, FileChange};
use crate::engine::load::clean;
use crate::model::{Model, Pane, Screen};
use crate::text::{TextLine, width};
use crate::theme::StyleRole;

/// The inputs of a table: the draft, whether Secrets are masked, and whether components that are off
/// are tried.
pub(crate) type TableKey = (Vec<FileChange>, bool, bool);

#[derive(Debug, Default)]
pub(crate) struct ComponentTableState {
    /// The key of the running or last request; `None` before the first one.
    pub of: Option<TableKey>,
    /// The last table. It stays while the next one is built.
    pub result: Option<Result<Arc<ComponentMatrix>, String>>,
    /// For each overlay and component: true if the draft switched the component on or off.
    pub drafted: Vec<Vec<bool>>,
    /// True while the overlays are built.
    pub is_asked: bool,
    /// If the user cancelled the trials: the number of trials before, and of all.
    pub stopped: Option<(usize, usize)>,
    /// The last edit of an overlay whose effect the next table contains.
    pub reported_edit: Option<TableEdit>,
    /// Incremented with each table.
    pub edition: u64,
    /// The folder of most components, with its slash, which their list leaves out.
    pub folder: String,
}

/// An edit of an overlay that is not the open target.
#[derive(Clone, Debug)]
pub(crate) struct TableEdit {
    /// The edit in words; empty for one that its cell shows.
    pub words: String,
    pub before: OverlayRow,
}

impl ComponentTableState {
    pub(crate) fn table(&self) -> Option<&Arc<ComponentMatrix>> {
        self.result.as_ref()?.as_ref().ok()
    }

    /// The number of lines above the table: long names of components need two.
    pub(crate) fn header_lines(&self) -> usize {
        let Some(table) = self.table() else { return 0 };
        let mut names = short_component_names(table).into_iter();
        1 + usize::from(names.any(|name| name.contains('/') || width(name) > SHORT_NAME_CELLS))
    }
}

/// The most cells of a component's name for one line above the table.
pub(crate) const SHORT_NAME_CELLS: usize = 10;

/// The names of the components in the head of the table: the last part of each path; the last two of
/// all if some have the same last part.
pub(crate) fn short_component_names(table: &ComponentMatrix) -> Vec<&str> {
    let last: BTreeSet<_> = table.components.iter().map(|it| it.rsplit('/').next()).collect();
    let parts = if last.len() == table.components.len() { 1 } else { 2 };
    let name = |component: &'_ String| -> usize {
        component.rmatch_indices('/').nth(parts - 1).map_or(0, |(at, _)| at + 1)
    };
    table.components.iter().map(|component| &component[name(component)..]).collect()
}

impl Model {
    pub(crate) fn overlay_row(&self, row: usize) -> Option<&OverlayRow> {
        self.table.table()?.overlays.get(row)
    }

    pub(crate) fn selected_overlay(&self) -> Option<&OverlayRow> {
        self.overlay_row(self.list(Pane::ComponentTable).selected)
    }

    /// The cell of a component in the selected overlay; `component` is the index of its column.
    pub(crate) fn overlay_cell(&self, component: usize) -> Option<&Cell> {
        self.selected_overlay()?.components.get(component)
    }

    pub(crate) fn is_cell_drafted(&self, overlay: usize, component: usize) -> bool {
        let row = self.table.drafted.get(overlay);
        row.and_then(|row| row.get(component)).copied().unwrap_or(false)
    }

    pub(crate) fn cell_location(&self) -> Option<(PathBuf, u32)> {
        let overlay = self.selected_overlay()?;
        let file = clean(&self.board.scope.join(&overlay.file));
        let cell = overlay.components.get(self.list(Pane::TableComponents).selected);
        Some((file, cell.and_then(|cell| cell.line).unwrap_or(1)))
    }

    pub(crate) fn cell_edit(&self) -> Option<Edit> {
        let overlay = self.selected_overlay()?;
        let cell = overlay.components.get(self.list(Pane::TableComponents).selected)?;
        let file = clean(&self.board.scope.join(&overlay.file));
        let component = clean(&self.board.scope.join(&cell.component));
        let text = self.files().read(&file).ok()?;
        Some(toggle_component_edit(&file, &text, &component))
    }

    /// Notes an edit of an overlay whose effect the next table reports; false if no table follows, or
    /// if the edit changes the open target.
    pub(crate) fn note_table_edit(&mut self, words: &str, files: &[PathBuf]) -> bool {
        let is_open = |file: &PathBuf| file.parent() == Some(&*self.opened.dir);
        let is_of_target = self.opened.has_target && files.iter().any(is_open);
        if self.screen != Screen::ComponentTable || is_of_target {
            return false;
        }
        let mut overlays = self.table.table().into_iter().flat_map(|table| &table.overlays);
        let is_edited =
            |overlay: &&OverlayRow| files.contains(&clean(&self.board.scope.join(&overlay.file)));
        let edit = overlays.find(is_edited);
        self.table.reported_edit =
            edit.map(|before| TableEdit { words: words.to_owned(), before: before.clone() });
        self.table.reported_edit.is_some()
    }

    /// For each overlay and component of a table: true if its state differs from that on disk.
    pub(crate) fn drafted_cells(&self, table: &ComponentMatrix) -> Vec<Vec<bool>> {
        let of_overlay = |overlay: &OverlayRow| {
            let file = clean(&self.board.scope.join(&overlay.file));
            let change = self.edits.changes.iter().find(|change| change.path == file);
            let Some(change) = change else { return vec![false; overlay.components.len()] };
            let base = change.base.clone().unwrap_or_default();
            let was_on = |component: &str| {
                let component = clean(&self.board.scope.join(component));
                is_component_on(&file, &base, &component)
            };
            let cells = overlay.components.iter();
            cells
                .map(|cell| was_on(&cell.component) != (cell.state == ComponentStatus::On))
                .collect()
        };
        table.overlays.iter().map(of_overlay).collect()
    }
}

/// The text about the component in row `at` of the selected overlay. `space` is the key that toggles
/// it.
pub(crate) fn component_detail(model: &Model, at: usize, space: &str) -> Vec<TextLine> {
    let Some(overlay) = model.selected_overlay() else { return Vec::new() };
    let mut rows = Vec::new();
    if let Some(cell) = overlay.components.get(at) {
        rows.push(TextLine::new(StyleRole::Title, &cell.component));
        rows.push(TextLine::new(StyleRole::Text, state_words(cell, overlay)));
        let place = match cell.line {
            Some(line) => format!("{}:{line}", overlay.file),
            None => overlay.file.clone(),
        };
        rows.push(TextLine::new(StyleRole::Place, place));
        let drafted = model.is_cell_drafted(model.list(Pane::ComponentTable).selected, at);
        let trial = cell.trial.as_ref().filter(|_| cell.state != ComponentStatus::On);
        rows.extend(trial.and_then(trial_row));
        let switch = match (cell.state, drafted) {
            (ComponentStatus::On, true) => "on in the draft only",
            (_, true) => "off in the draft only",
            (ComponentStatus::On, false) => "switch it off in the draft",
            (ComponentStatus::Off, false) => "switch it on in the draft",
            (ComponentStatus::Absent, false) => "list it in this overlay, in the draft",
        };
        let words = if drafted { switch.to_owned() } else { format!("{space}: {switch}") };
        let role = if drafted { StyleRole::Draft } else { StyleRole::Dim };
        rows.push(TextLine::new(role, words));
    }
    if let Some(error) = &overlay.error {
        rows.push(TextLine::new(StyleRole::Dim, ""));
        let words = format!("{} does not build: {}", overlay.overlay, headline(error));
        rows.push(TextLine::new(StyleRole::Error, words));
    } else if let Some(waits) = &overlay.waits {
        rows.push(TextLine::new(StyleRole::Dim, ""));
        let words = format!("{} is pending, its counts can change: {waits}", overlay.overlay);
        rows.push(TextLine::new(StyleRole::Warning, words));
    }
    rows
}

/// The result of switching a component on, as in `switched on, it adds 1 resource`.
pub(crate) fn trial_row(trial: &ComponentTrial) -> Option<TextLine> {
    let ComponentTrial { effect, error, unknown, .. } = trial;
    if let Some(error) = error {
        let words = format!("switched on, the build fails: {}", headline(error));
        return Some(TextLine::new(StyleRole::Error, words));
    }
    if let Some(reason) = unknown {
        return Some(TextLine::new(StyleRole::Warning, format!("effect not known: {reason}")));
    }
    let words = format!("switched on, it {}", effect_counts((*effect)?));
    Some(TextLine::new(StyleRole::Modified, words))
}

/// The state of a component in an overlay, as in `on, number 2 of 4: adds 1, changes 4 resources`.
fn state_words(cell: &Cell, overlay: &OverlayRow) -> String {
    let on = overlay.components.iter().filter(|cell| cell.state == ComponentStatus::On).count();
    match (cell.state, cell.order, cell.effect) {
        (ComponentStatus::Absent, ..) => "not listed".to_owned(),
        (ComponentStatus::Off, ..) => "off: commented out".to_owned(),
        (ComponentStatus::On, order, Some(effect)) => {
            let order = order.map_or(String::new(), |order| format!(", number {order} of {on}"));
            format!("on{order}: {}", effect_counts(effect))
        }
        (ComponentStatus::On, _, None) if cell.trial.is_some() => {
            "on: the build fails with it".to_owned()
        }
        (ComponentStatus::On, _, None) if overlay.error.is_some() => {
            "on: not reached, the build fails before it".to_owned()
        }
        (ComponentStatus::On, _, None) => "on: effect not known".to_owned(),
    }
}

/// The effect of an edit on the components of its overlay, as in `prod: c/five adds 5`.
pub(crate) fn edit_words(edit: &TableEdit, after: &OverlayRow) -> String {
    let cells = edit.before.components.iter().zip(&after.components);
    let changed = cells.filter(|(before, after)| before.state != after.state);
    let states: Vec<String> = changed
        .map(|(_, cell)| format!("{} {}", cell.component, state_words(cell, after)))
        .collect();
    let mut words = states.join("; ");
    if let Some(error) = &after.error {
        words = format!("build failed (z undoes): {}", headline(error));
    } else if words.is_empty() {
        "the same components are on".clone_into(&mut words);
    }
    let act = if edit.words.is_empty() { String::new() } else { format!("{}: ", edit.words) };
    format!("{act}{}: {words}", after.overlay)
}

/// An effect in words, as in `adds 1, changes 4 resources`.
fn effect_counts(effect: ComponentEffect) -> String {
    let counts = [("adds", effect.added), ("changes", effect.changed), ("removes", effect.removed)];
    let counts: Vec<_> = counts.into_iter().filter(|(_, count)| *count > 0).collect();
    let Some((_, last)) = counts.last() else { return "has no effect".to_owned() };
    let noun = if *last == 1 { "resource" } else { "resources" };
    let words: Vec<String> = counts.iter().map(|(verb, count)| format!("{verb} {count}")).collect();
    format!("{} {noun}", words.join(", "))
}
