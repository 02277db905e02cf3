//! Runs a command of the user's own config file, and shows its output.

use std::collections::BTreeMap;
use std::sync::Arc;

use similar::TextDiff;

use crossterm::event::{KeyCode, KeyEvent};
use ratatui::layout::Rect;

use super::super::layout::dialog_area;
use super::super::model::{CommandOutput, Confirmation, Model, Overlay, WorkKind};
use super::super::ports::{Work, WorkAnswer};
use super::super::text::{TextLine, sanitize};
use super::super::user_commands::{CommandDisplay, UserCommand, UserCommandRun};
use super::{derive, editor, questions, say_error, warn};
use crate::answers::report::MapReport;
use crate::display::to_json_lines;
use crate::engine::plugin::quote_shell_word;
use crate::engine::yaml::print_documents;

/// The user's own commands for this screen, by their index.
pub(crate) fn offered_commands(model: &Model) -> impl Iterator<Item = (usize, &UserCommand)> {
    let commands = model.look.commands.iter().enumerate();
    commands.filter(|(_, command)| command.is_offered_on(model.screen))
}

pub(crate) fn start(model: &mut Model, index: usize) {
    let Some(command) = model.look.commands.get(index) else { return };
    if model.is_read_only() {
        return warn(model, "no commands with --read-only: a command can write files");
    }
    let Some(prompt) = command.prompt.clone() else { return run(model, index) };
    let question = sanitize(&prompt).into_owned();
    questions::open_question(model, question, Confirmation::Run { index }, Vec::new(), Vec::new());
}

pub(crate) fn run(model: &mut Model, index: usize) {
    derive::compare_all_resources(model);
    let Some(command) = model.look.commands.get(index).cloned() else { return };
    let mut files = BTreeMap::new();
    let line = match fill_in_placeholders(model, &command.run, &mut files) {
        Ok(line) => line,
        Err(missing) => return warn(model, format!("{}: {missing}", command.name)),
    };
    if command.show == CommandDisplay::Pane {
        let name = command.name.clone();
        let output = CommandOutput { name, ..CommandOutput::default() };
        model.overlay = Some(Overlay::CommandOutput(Box::new(output)));
    }
    let directory = model.board.current.clone();
    let (name, show) = (command.name, command.show);
    let run = UserCommandRun { name, line, directory, files, show };
    model.start(WorkKind::UserCommand, Work::RunCommand(run));
}

pub(crate) fn handle_command_end(model: &mut Model, result: Result<WorkAnswer, String>) {
    match (&mut model.overlay, result) {
        (Some(Overlay::CommandOutput(output)), Ok(WorkAnswer::CommandEnded(ended))) => {
            output.end(Ok(ended));
        }
        (Some(Overlay::CommandOutput(output)), Err(reason)) => output.end(Err(reason)),
        (_, Err(reason)) => say_error(model, reason),
        _ => {}
    }
}

/// Handles a key while the output is shown. Esc cancels a run.
pub(crate) fn key(model: &mut Model, key: KeyEvent) {
    let size = model.look.size;
    let Some(Overlay::CommandOutput(output)) = &mut model.overlay else { return };
    match key.code {
        KeyCode::Down | KeyCode::Char('j') => output.offset = output.offset.saturating_add(1),
        KeyCode::Up | KeyCode::Char('k') => scroll_up(output, size, 1),
        KeyCode::PageDown | KeyCode::Char(' ') => output.offset = output.offset.saturating_add(10),
        KeyCode::PageUp => scroll_up(output, size, 10),
        KeyCode::Home | KeyCode::Char('g') => output.offset = 0,
        KeyCode::End | KeyCode::Char('G') => output.offset = usize::MAX,
        KeyCode::Esc | KeyCode::Char('q') => {
            model.overlay = None;
            model.work.of_kind(WorkKind::UserCommand).is_stopping = true;
        }
        _ => {}
    }
}

/// Scrolls up. The offset may be above the largest one with an effect, as after `G`.
fn scroll_up(output: &mut CommandOutput, (columns, rows): (u16, u16), by: usize) {
    let whole = Rect::new(0, 0, columns, rows);
    let area = dialog_area(whole, columns.saturating_sub(4), rows.saturating_sub(4));
    // The frame has two columns and two rows.
    let lines = output.wrapped(area.width.saturating_sub(2)).count();
    let last = lines.saturating_sub(usize::from(area.height.saturating_sub(2)));
    output.offset = output.offset.min(last).saturating_sub(by);
}

/// The command line with the values of its placeholders, quoted for the shell. Other braces stay.
///
/// # Errors
/// The selected row has no value for a placeholder.
fn fill_in_placeholders(
    model: &Model,
    line: &str,
    files: &mut BTreeMap<&'static str, Arc<[u8]>>,
) -> Result<String, String> {
    let place = || editor::place(model).ok_or("no file for this row");
    let output = || {
        let builds = &model.builds.recording;
        if builds.error.is_some() || builds.trace.first_wait().is_some() || builds.is_unbuilt() {
            return Err("the output of the build is not known");
        }
        print_documents(builds.output.iter().map(|(_, resource)| &resource.node))
            .map_err(|_| "the output of the build cannot be printed")
    };
    let mut filled = line.to_owned();
    let mut put = |name: &str, value: &dyn Fn() -> Result<String, String>| {
        let placeholder = format!("{{{name}}}");
        if filled.contains(&placeholder) {
            filled = filled.replace(&placeholder, &value()?);
        }
        Ok::<(), String>(())
    };
    put("file", &|| Ok(quote_shell_word(&place()?.0.to_string_lossy())))?;
    put("line", &|| Ok(place()?.1.to_string()))?;
    put("target", &|| Ok(quote_shell_word(&model.opened.dir.to_string_lossy())))?;
    put("resource", &|| {
        let key = model.resources.key.as_ref().ok_or("no resource is selected")?;
        Ok(quote_shell_word(&format!("{}/{}", key.kind, key.name)))
    })?;
    let variables =
        [("kzui", "KZUI"), ("output", "KZUI_OUTPUT"), ("map", "KZUI_MAP"), ("diff", "KZUI_DIFF")];
    for (name, variable) in variables {
        put(name, &|| Ok(format!("\"${variable}\"")))?;
    }
    if line.contains("{output}") || line.contains("{map}") {
        let text = output()?;
        if line.contains("{map}") {
            files.insert("KZUI_MAP", map_of(model, &text)?.into());
        }
        files.insert("KZUI_OUTPUT", text.into_bytes().into());
    }
    if line.contains("{diff}") {
        files.insert("KZUI_DIFF", diff_text(model)?.into_bytes().into());
    }
    Ok(filled)
}

/// The source map of the output, as `kzui build --map` writes it.
fn map_of(model: &Model, text: &str) -> Result<Vec<u8>, String> {
    let recording = &model.builds.recording;
    let fields = recording.source_map(text).map_err(|error| error.to_string())?;
    let report = MapReport::new(recording, &fields, &model.board.current, (None, &[]));
    to_json_lines(&report).map(String::into_bytes).map_err(|error| error.to_string())
}

/// The diff that is shown, as a unified diff; values of Secrets are masked as on the screen.
fn diff_text(model: &Model) -> Result<String, String> {
    let text = |lines: &[TextLine]| lines.iter().map(|line| line.text() + "\n").collect::<String>();
    let mut out = String::new();
    for changed in &model.diff.changed {
        let diff = changed.diff(&model.look.secrets);
        let name = format!("{} {}", changed.kind, changed.name);
        let (left, right) = (text(&diff.left), text(&diff.right));
        let diff = TextDiff::from_lines(&left, &right);
        let (left, right) = (format!("a/{name}"), format!("b/{name}"));
        out.push_str(&diff.unified_diff().header(&left, &right).to_string());
    }
    if out.is_empty() { Err("no diff is shown".to_owned()) } else { Ok(out) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn up_after_the_end_shows_the_line_before() {
        let lines = (0..100).map(|number| number.to_string()).collect();
        let mut output = CommandOutput { lines, offset: usize::MAX, ..CommandOutput::default() };
        // 18 of the lines are shown.
        scroll_up(&mut output, (80, 24), 1);
        assert_eq!(output.offset, 81);
    }
}
