//! Overlays and components of a repository as a table (the one in KEP-1802): which overlay lists
//! which component, and its effect there.

use std::path::{Path, PathBuf};

use serde::Serialize;

use crate::engine::evaluate::{Evaluation, Wait};
use crate::engine::load::clean;
use crate::engine::manifest::Outline;

use crate::answers::{Recording, relative};

/// The state of a component in an overlay.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub enum ComponentStatus {
    /// Listed.
    On,
    /// Listed, but commented out.
    Off,
    /// Not listed.
    Absent,
}

/// The effect of a component in an overlay.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ComponentEffect {
    /// The number of added resources.
    pub added: usize,
    /// The number of changed resources.
    pub changed: usize,
    /// The number of removed resources.
    pub removed: usize,
}

/// One cell of the table: a component in an overlay.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Cell {
    /// The directory of the component.
    pub component: String,
    /// Whether the overlay lists the component.
    pub state: ComponentStatus,
    /// The line number of the component's entry.
    pub line: Option<u32>,
    /// The position of the component among the active components, from 1.
    pub order: Option<usize>,
    /// The effect of the component; null if the build fails before the component.
    pub effect: Option<ComponentEffect>,
}

/// One overlay.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct OverlayRow {
    /// The directory of the overlay.
    pub overlay: String,
    /// The file that lists components.
    pub file: String,
    /// The error of the overlay's build.
    pub error: Option<String>,
    /// The pending item of the overlay's build: the components may have further effects.
    pub waits: Option<String>,
    /// One cell for each component of the table.
    pub components: Vec<Cell>,
}

/// The components of a repository, the overlays that list them, and their effects.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ComponentMatrix {
    /// The version of this format. Added fields do not change the version; a removed field or a
    /// changed meaning raises the version.
    pub schema_version: u32,
    /// The columns, in the order of their paths.
    pub components: Vec<String>,
    /// The overlays that list components, in the order of their paths.
    pub overlays: Vec<OverlayRow>,
}

/// A kustomization file that lists components, and its build.
#[derive(Clone, Debug)]
pub struct ComponentOverlay {
    /// The absolute path of the kustomization file.
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
                waits: recording.trace.first_wait().map(Wait::required_action_text),
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
