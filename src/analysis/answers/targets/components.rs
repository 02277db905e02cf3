//! Overlays and components of a repository as a table (the one in KEP-1802): which overlay lists
//! which component, and its effect there.

use std::path::{Path, PathBuf};

use serde::Serialize;

use crate::engine::evaluate::{Evaluation, Wait};
use crate::engine::load::clean;
use crate::engine::manifest::Outline;

use crate::answers::{Recording, relative};

/// How a component stands in an overlay.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub enum ComponentStatus {
    /// It is listed.
    On,
    /// It is listed, and commented out.
    Off,
    /// It is not listed.
    Absent,
}

/// What a component does in an overlay.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ComponentEffect {
    /// Resources added.
    pub added: usize,
    /// Resources changed.
    pub changed: usize,
    /// Resources removed.
    pub removed: usize,
}

/// One place of the table.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Cell {
    /// The component.
    pub component: String,
    /// Whether the overlay lists it.
    pub state: ComponentStatus,
    /// The line that lists it.
    pub line: Option<u32>,
    /// Its place among those that are on, from 1.
    pub order: Option<usize>,
    /// What it does; nothing where the build does not come so far.
    pub effect: Option<ComponentEffect>,
}

/// One overlay.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct OverlayRow {
    /// Its directory.
    pub overlay: String,
    /// The file that lists components.
    pub file: String,
    /// Why it does not build.
    pub error: Option<String>,
    /// What its build waits for: what the components do there may be more than is told.
    pub waits: Option<String>,
    /// One for each component of the table.
    pub components: Vec<Cell>,
}

/// The components of a repository: who lists them, and what they do there.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ComponentMatrix {
    /// The version of this format. A field that is added leaves it as it is; a field that goes, or means something else,
    /// raises it.
    pub schema_version: u32,
    /// The columns, in the order of their paths.
    pub components: Vec<String>,
    /// The overlays that list components, in the order of their paths.
    pub overlays: Vec<OverlayRow>,
}

/// A kustomization file that lists components, and its build.
#[derive(Clone, Debug)]
pub struct ComponentOverlay {
    /// The file, absolute.
    pub file: PathBuf,
    pub text: Vec<u8>,
    pub evaluation: Evaluation,
}

/// The entries of `components:` that name a directory: path, line, and whether each is active.
fn listed(file: &Path, text: &[u8]) -> Vec<(PathBuf, u32, bool)> {
    let directory = file.parent().unwrap_or(Path::new("/"));
    let outline = Outline::parse(text);
    let fields = outline.fields.iter().filter(|field| field.name == "components");
    let entries = fields.flat_map(|field| field.entries.iter().map(move |entry| (field, entry)));
    let entries = entries.map(|(field, entry)| {
        let written = entry.scalar.clone().unwrap_or_else(|| entry.text.clone());
        let written = written.split(" #").next().unwrap_or_default().trim();
        (clean(&directory.join(written)), entry.line, !entry.disabled && !field.disabled)
    });
    entries.collect()
}

/// True for a kustomization file that lists components, even if commented out.
pub fn lists_components(text: &[u8]) -> bool {
    !listed(Path::new("/x"), text).is_empty()
}

/// The table of these components and overlays; paths are shown from `root`.
pub fn matrix(
    root: &Path,
    components: &[PathBuf],
    overlays: Vec<ComponentOverlay>,
) -> ComponentMatrix {
    let shown = |path: &Path| relative(path, root);
    let mut columns = components.to_vec();
    for overlay in &overlays {
        let own = listed(&overlay.file, &overlay.text).into_iter().map(|(path, ..)| path);
        columns.extend(own.filter(|path| path.is_absolute()));
    }
    columns.sort();
    columns.dedup();
    let mut rows: Vec<OverlayRow> = overlays
        .into_iter()
        .map(|ComponentOverlay { file, text, evaluation }| {
            let directory = file.parent().unwrap_or(Path::new("/")).to_owned();
            let entries = listed(&file, &text);
            let recording = Recording::new(evaluation, &directory);
            let cells =
                columns.iter().map(|column| cell(column, &entries, &recording, shown(column)));
            OverlayRow {
                overlay: shown(&directory),
                file: shown(&file),
                error: recording.error.as_ref().map(|error| error.message.clone()),
                waits: recording.trace.first_wait().map(Wait::need),
                components: cells.collect(),
            }
        })
        .collect();
    rows.sort_by(|one, other| one.overlay.cmp(&other.overlay));
    ComponentMatrix {
        schema_version: 1,
        components: columns.iter().map(|path| shown(path)).collect(),
        overlays: rows,
    }
}

fn cell(
    component: &Path,
    entries: &[(PathBuf, u32, bool)],
    recording: &Recording,
    name: String,
) -> Cell {
    let found = entries.iter().find(|(path, _, on)| path == component && *on);
    let found = found.or_else(|| entries.iter().find(|(path, ..)| path == component));
    let Some((_, line, on)) = found else {
        return Cell {
            component: name,
            state: ComponentStatus::Absent,
            line: None,
            order: None,
            effect: None,
        };
    };
    let before = entries.iter().filter(|(_, _, on)| *on).position(|(path, ..)| path == component);
    let layer = recording.layer_at(component).filter(|_| *on);
    let effect = layer.map(|(_, layer)| recording.effect_of_layer(layer));
    Cell {
        component: name,
        state: if *on { ComponentStatus::On } else { ComponentStatus::Off },
        line: Some(*line),
        order: before.filter(|_| *on).map(|place| place + 1),
        effect: effect.map(|(added, changed, removed)| ComponentEffect { added, changed, removed }),
    }
}
