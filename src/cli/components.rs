//! `kzui components`: overlays and components of a repository as a table.

use std::path::{Path, PathBuf};

use clap::Args;

use crate::answers::{
    Cell, ComponentMatrix, ComponentOverlay, ComponentStatus, headline, lists_components, matrix,
};
use crate::display::{line, sanitize};
use crate::engine::evaluate::{BuildCache, FILE_NAMES, deployed_directory, evaluate};
use crate::engine::load::{FileKind, Files, clean};
use crate::engine::manifest::{KustomizationKind, decode_kustomization};
use crate::engine::profile::Profile;
use crate::engine::yaml::SourceId;
use crate::repository::named_object;

use super::{BuildFlags, CliPorts, Exit};

/// Limit of searched directory levels.
const MAX_DIRECTORY_DEPTH: usize = 12;

/// `kzui components`
#[derive(Clone, Debug, Args)]
#[command(
    after_help = "Examples:\n  kzui components\n  kzui components --json apps\n\nExit status: 0 on success, 1 if the directory does not exist."
)]
pub struct Components {
    /// The directory to search for overlays and components
    #[arg(value_name = "DIR", default_value = ".")]
    pub dir: String,
    /// Print JSON
    #[arg(long)]
    pub json: bool,
    /// The flags of the overlays' builds
    #[command(flatten)]
    pub build: BuildFlags,
}

/// Builds every overlay that lists components, and prints the table.
pub(super) fn run(arguments: &Components, outside: &mut CliPorts<'_>) -> std::io::Result<Exit> {
    let options = match super::options::headless(&arguments.build, &arguments.dir, outside) {
        Ok(options) => options,
        Err(error) => {
            writeln!(outside.err, "error: {error}")?;
            return Ok(Exit::USAGE);
        }
    };
    let files = outside.ports.files.clone();
    let place = clean(&outside.current.join(&arguments.dir));
    let object = named_object(&place, &*files);
    let deployed = object.as_ref().and_then(|object| {
        deployed_directory(&object.to_string_lossy(), &outside.current, &outside.ports)
    });
    let Ok((root, FileKind::Directory)) = files.resolve(deployed.as_ref().unwrap_or(&place)) else {
        writeln!(outside.err, "error: no directory {}", arguments.dir)?;
        return Ok(Exit::FAILED);
    };
    let mut found = ComponentListing::default();
    collect_components(&root, &*files, 0, &mut found);
    let mut memory = BuildCache::default();
    let mut secrets = super::diff::secrets(false, outside);
    let mut overlays = Vec::with_capacity(found.overlays.len());
    for (file, text) in found.overlays {
        let directory = file.parent().unwrap_or(&root);
        // The folder that the object deploys is built as it is deployed.
        let object = object.as_deref().filter(|_| directory == root);
        let target = object.unwrap_or(directory).to_string_lossy().into_owned();
        let evaluation = evaluate(&target, &outside.current, &options, &outside.ports, &mut memory);
        secrets.learn(&evaluation.trace);
        overlays.push(ComponentOverlay { file, text, evaluation });
    }
    let mut table = matrix(&root, &found.components, overlays);
    for error in table.overlays.iter_mut().filter_map(|row| row.error.as_mut()) {
        *error = secrets.text(error);
    }
    if arguments.json {
        outside.out.json(&table)?;
    } else {
        outside.out.text(&text(&table))?;
    }
    Ok(Exit::OK)
}

/// The components and overlays below a directory.
#[derive(Default)]
struct ComponentListing {
    components: Vec<PathBuf>,
    overlays: Vec<(PathBuf, Vec<u8>)>,
}

/// Hidden directories and `node_modules` are skipped, links are not followed.
fn collect_components(
    directory: &Path,
    files: &dyn Files,
    depth: usize,
    found: &mut ComponentListing,
) {
    let file = FILE_NAMES.iter().map(|name| directory.join(name)).find_map(|path| {
        let bytes = files.read(&path).ok()?;
        Some((path, bytes.to_vec()))
    });
    if let Some((path, text)) = file {
        let decoded = decode_kustomization(&text, SourceId::NONE, Profile::default());
        let is_component =
            decoded.is_ok_and(|decoded| decoded.kind == KustomizationKind::Component);
        if is_component {
            found.components.push(directory.to_owned());
        } else if lists_components(&text) {
            found.overlays.push((path, text));
        }
    }
    if depth >= MAX_DIRECTORY_DEPTH {
        return;
    }
    for name in files.list(directory).unwrap_or_default() {
        let path = directory.join(&name);
        let hidden = name.starts_with('.') || name == "node_modules";
        if !hidden
            && matches!(files.resolve(&path), Ok((real, FileKind::Directory)) if real == path)
        {
            collect_components(&path, files, depth + 1, found);
        }
    }
}

fn text(table: &ComponentMatrix) -> String {
    if table.overlays.is_empty() {
        return "no components in the kustomization files below this directory\n".to_owned();
    }
    let mut lines: Vec<Vec<String>> = Vec::new();
    lines.push([String::new()].into_iter().chain(table.components.iter().cloned()).collect());
    for row in &table.overlays {
        let name = [row.overlay.clone()].into_iter();
        lines.push(name.chain(row.components.iter().map(words)).collect());
    }
    for cell in lines.iter_mut().flatten() {
        *cell = sanitize(cell).into_owned();
    }
    let widths: Vec<usize> = (0..=table.components.len())
        .map(|at| lines.iter().filter_map(|line| line.get(at)).map(|it| it.chars().count()).max())
        .map(Option::unwrap_or_default)
        .collect();
    let mut out = String::new();
    for line in &lines {
        let cells = line.iter().zip(&widths).map(|(cell, width)| format!("{cell:<width$}"));
        out.push_str(cells.collect::<Vec<_>>().join("  ").trim_end());
        out.push('\n');
    }
    for row in &table.overlays {
        if let Some(error) = &row.error {
            let first = headline(error);
            out.push('\n');
            out.push_str(&line!("{} does not build: {first}\n", row.overlay));
        } else if let Some(waits) = &row.waits {
            out.push('\n');
            out.push_str(&line!("{} is pending, its counts can change: {waits}\n", row.overlay));
        }
    }
    out
}

fn words(cell: &Cell) -> String {
    match (cell.state, &cell.effect) {
        (ComponentStatus::Absent, _) => "absent".to_owned(),
        (ComponentStatus::Off, _) => "off".to_owned(),
        (ComponentStatus::On, None) => "on".to_owned(),
        (ComponentStatus::On, Some(effect)) => {
            let counts = [("+", effect.added), ("~", effect.changed), ("-", effect.removed)];
            let counts = counts.iter().filter(|(_, count)| *count > 0);
            let counts: Vec<String> =
                counts.map(|(sign, count)| format!("{sign}{count}")).collect();
            let counts = if counts.is_empty() { "no change".to_owned() } else { counts.join(" ") };
            format!("on {counts}")
        }
    }
}
