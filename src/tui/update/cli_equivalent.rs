//! Command lines for scripts: for an item of the palette, the `kzui` command with the same result.

use super::super::keymap::Command;
use super::super::model::{Model, PaletteAction, Pane, Screen, WorkbenchPlace, quoted, why_pane};

pub(crate) fn cli_equivalent(model: &Model, action: &PaletteAction) -> Option<String> {
    let target = quoted(&model.opened.target);
    Some(match action {
        PaletteAction::Command(command) => return command_line_for(model, *command, &target),
        PaletteAction::With(Command::NextTheme, name) => {
            format!("kzui {target} --theme {}", quoted(name))
        }
        PaletteAction::With(Command::AddCatalog, reference) => {
            format!("kzui view catalog {}", quoted(reference))
        }
        PaletteAction::With(Command::Like, name) => {
            let from = model.like.profile().name();
            format!("kzui compat {target} --from {from} --to {}", quoted(name))
        }
        PaletteAction::With(Command::Find, pattern) => {
            format!("kzui grep {} {target}", quoted(pattern))
        }
        PaletteAction::With(Command::Watch, words) => {
            let (resource, field) = words.rsplit_once(' ')?;
            let (resource, field) = (quoted(resource.trim()), quoted(field));
            format!("kzui trace {target} --resource {resource} --watch {field}")
        }
        PaletteAction::With(Command::CompareSides, words) => format!("kzui diff {words}"),
        PaletteAction::Step(step) => step_trace_command(&target, *step),
        PaletteAction::Resource(key) => {
            let mut output = model.builds.recording.output.iter();
            let row = output.find(|(slot, _)| model.builds.recording.key(*slot) == Some(key));
            let name = row.map_or(&key.name, |(_, resource)| &resource.id.name);
            resource_trace_command(&target, &key.kind, name)
        }
        PaletteAction::Problem(problem) => {
            match model.problems.all.get(*problem).and_then(|problem| problem.step) {
                Some(step) => step_trace_command(&target, step),
                None => format!("kzui trace {target}"),
            }
        }
        PaletteAction::Nothing
        | PaletteAction::With(..)
        | PaletteAction::Row(_)
        | PaletteAction::UserCommand(_) => return None,
    })
}

/// The `kzui` command with the same result as a command of the workbench, or `None`; `target` is
/// the quoted name of the open target.
fn command_line_for(model: &Model, command: Command, target: &str) -> Option<String> {
    Some(match command {
        Command::Why if model.focused() == Pane::Resource => why_pane(model)?.command,
        Command::Show(Screen::Tree | Screen::Steps | Screen::Problems) | Command::Why => {
            format!("kzui trace {target}")
        }
        Command::GoTo(WorkbenchPlace::Repository) => "kzui check".to_owned(),
        Command::Show(Screen::ComponentTable) => "kzui components".to_owned(),
        Command::Show(Screen::Order) => format!("kzui order {target}"),
        Command::Show(Screen::Combinations) => format!("kzui matrix {target}"),
        Command::Users => format!("kzui where {target}"),
        Command::CompareSides | Command::Show(Screen::Compared) => "kzui diff A B".to_owned(),
        Command::Drafts => format!("kzui drafts {target}"),
        Command::GoTo(WorkbenchPlace::Change) | Command::DraftEverywhere => {
            "kzui diff draft".to_owned()
        }
        Command::Rebuild => format!("kzui build {target}"),
        Command::Show(Screen::Diff) | Command::Compare => step_trace_command(target, model.cursor),
        Command::Show(Screen::Resource) | Command::OnlyResource | Command::GoToWriter => {
            let key = model.resources.key.as_ref()?;
            let shown = model.resources.shown();
            let name = shown.map_or(&key.name, |row| &row.resource.id.name);
            resource_trace_command(target, &key.kind, name)
        }
        Command::Show(Screen::Composition) if !model.composition.rows.is_empty() => {
            format!("kzui consolidate {target}")
        }
        Command::Show(Screen::Catalogs) => {
            format!("kzui view catalog {}", quoted(selected_catalog(model)?))
        }
        Command::Trust => format!("kzui trust add {}", quoted(selected_catalog(model)?)),
        Command::Revoke => format!("kzui trust remove {}", quoted(selected_catalog(model)?)),
        Command::Fetch => format!("kzui catalog fetch {}", quoted(selected_catalog(model)?)),
        _ => return None,
    })
}

fn selected_catalog(model: &Model) -> Option<&str> {
    let row = model.catalogs.rows.get(model.list(Pane::Catalogs).selected)?;
    model.builds.recording.catalogs.get(row.catalog).map(|reviewed| reviewed.reference.as_str())
}

fn step_trace_command(target: &str, step: usize) -> String {
    format!("kzui trace {target} --step {} --diff", step + 1)
}

fn resource_trace_command(target: &str, kind: &str, name: &str) -> String {
    format!("kzui trace {target} --diff --resource {}", quoted(&format!("{kind}/{name}")))
}
