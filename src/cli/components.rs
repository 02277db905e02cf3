//! `kzui components`: overlays and components of a repository as a table.

use clap::Args;

use crate::answers::{
    Cell, ComponentEffect, ComponentMatrix, ComponentStatus, ComponentTrial, add_component_trials,
    component_table, headline,
};
use crate::cli::failure::{CommandResult, Failure};
use crate::display::line;
use crate::engine::load::FileKind;

use super::repository::align_columns;
use super::{BuildFlags, CliPorts, Exit};

#[derive(Clone, Debug, Args)]
#[command(
    after_help = "Examples:\n  kzui components\n  kzui components --try\n  kzui components --json apps\n\nExit status: 0 on success, 1 if the directory does not exist."
)]
pub struct Components {
    /// The directory to search for overlays and components
    #[arg(value_name = "DIR", default_value = ".")]
    pub dir: String,
    /// Print JSON
    #[arg(long)]
    pub json: bool,
    /// Also build each overlay with each component that is off or absent, and print its effect
    #[arg(long = "try")]
    pub tries: bool,
    #[command(flatten)]
    pub build: BuildFlags,
}

pub(super) fn run(arguments: &Components, outside: &mut CliPorts<'_>) -> CommandResult {
    let options = super::options::headless_options(&arguments.build, &arguments.dir, outside)?;
    let (object, folder) = super::targets::object_and_folder(&arguments.dir, outside);
    let Ok((root, FileKind::Directory)) = folder else {
        return Err(Failure::failed(format!("no directory {}", arguments.dir)));
    };
    let mut secrets = super::diff::secrets(false, outside);
    let build = (&*outside.current, &options, &outside.ports);
    let mut table = component_table(&root, object.as_deref(), build, &mut secrets, None);
    if arguments.tries {
        let ports = &outside.ports;
        add_component_trials(&mut table, &root, &options, ports, &mut secrets, &|_, _| {});
    }
    outside.report(arguments.json, &table, || text(&table))?;
    Ok(Exit::OK)
}

fn text(table: &ComponentMatrix) -> String {
    if table.overlays.is_empty() {
        return "no components in the kustomization files below this directory\n".to_owned();
    }
    let mut out = columns(table).unwrap_or_else(|| rows(table));
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
    for row in &table.overlays {
        for cell in row.components.iter().filter(|cell| cell.state != ComponentStatus::On) {
            let Some(ComponentTrial { error: Some(error), .. }) = &cell.trial else { continue };
            let first = headline(error);
            let component = &cell.component;
            out.push('\n');
            out.push_str(&line!("{} with {component} does not build: {first}\n", row.overlay));
        }
    }
    out
}

/// The most characters of a line of the table; wider tables are printed row by row.
const MAX_LINE: usize = 200;

/// The table with a column for each component; `None` if its lines are too long to read.
fn columns(table: &ComponentMatrix) -> Option<String> {
    let head = [String::new()].into_iter().chain(table.components.iter().cloned());
    let mut lines: Vec<Vec<String>> = vec![head.collect()];
    for row in &table.overlays {
        let name = [row.overlay.clone()].into_iter();
        lines.push(name.chain(row.components.iter().map(words)).collect());
    }
    let text = align_columns(&lines);
    text.lines().all(|line| line.chars().count() + 2 <= MAX_LINE).then_some(text)
}

/// The overlays, each with the components that it lists or that were tried, a line each.
fn rows(table: &ComponentMatrix) -> String {
    let mut out = String::new();
    for row in &table.overlays {
        out.push_str(&line!("{}\n", row.overlay));
        let is_listed =
            |cell: &&Cell| cell.state != ComponentStatus::Absent || cell.trial.is_some();
        let listed: Vec<&Cell> = row.components.iter().filter(is_listed).collect();
        let longest = listed.iter().map(|cell| cell.component.chars().count()).max();
        let width = longest.unwrap_or(0).min(MAX_LINE / 2);
        for cell in listed {
            out.push_str(&line!("  {:<width$}  {}\n", cell.component, words(cell)));
        }
    }
    out
}

fn words(cell: &Cell) -> String {
    let state = match (cell.state, &cell.effect) {
        (ComponentStatus::Absent, _) => "absent".to_owned(),
        (ComponentStatus::Off, _) => "off".to_owned(),
        (ComponentStatus::On, None) if cell.trial.is_some() => return "on: fails".to_owned(),
        (ComponentStatus::On, None) => "on".to_owned(),
        (ComponentStatus::On, Some(effect)) => format!("on: {}", effect_text(*effect)),
    };
    match &cell.trial {
        None => state,
        Some(ComponentTrial { effect: Some(effect), .. }) => {
            format!("{state}, if on: {}", effect_text(*effect))
        }
        Some(ComponentTrial { error: Some(_), .. }) => format!("{state}, if on: fails"),
        Some(_) => format!("{state}, if on: not known"),
    }
}

/// The numbers of added, changed and removed resources, as in `+1 ~4`.
fn effect_text(effect: ComponentEffect) -> String {
    let counts = [("+", effect.added), ("~", effect.changed), ("-", effect.removed)];
    let counts = counts.iter().filter(|(_, count)| *count > 0);
    let counts: Vec<String> = counts.map(|(sign, count)| format!("{sign}{count}")).collect();
    if counts.is_empty() { "no change".to_owned() } else { counts.join(" ") }
}
