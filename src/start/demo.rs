//! `kzui demo`: asks for the folder if none is given, writes the demo and opens it.

use std::path::Path;
use std::sync::Arc;

use kzui::cli::{self, CliCommand, Demo, Exit, FIRST_TARGET};
use kzui::engine::evaluate::NoCancel;
use kzui::engine::load::Network;

use super::workbench::open;
use super::{headless, is_terminal};

const DEFAULT_FOLDER: &str = "kzui-demo";

/// Writes the demo. On a terminal, opens the workbench on it with the tour.
pub(crate) fn demo(arguments: &Demo) -> std::io::Result<Exit> {
    let is_terminal = is_terminal();
    let folder = match &arguments.folder {
        None if is_terminal => match ask()? {
            Some(folder) => Some(folder),
            None => return Ok(Exit::OK),
        },
        folder => folder.clone(),
    };
    let arguments = Demo { folder, no_open: arguments.no_open || !is_terminal };
    // If the workbench is opened next, it handles signals itself.
    let command = CliCommand::Demo(arguments.clone());
    let exit = headless::run(&command, Network::Unasked, Arc::new(NoCancel), None)?;
    let (Some(folder), false, Exit::OK) = (&arguments.folder, arguments.no_open, exit) else {
        return Ok(exit);
    };
    let target = Path::new(folder).join(FIRST_TARGET);
    let words = ["kzui".into(), "--".into(), target.into_os_string()];
    match cli::parse_arguments(words) {
        Ok(opened) => open(&opened.workbench, true, None),
        Err(unparsed) => unparsed.print(&mut super::standard_error(), cli::Palette::Plain),
    }
}

/// Asks for the folder of the demo, and returns it; `None` at the end of the input.
fn ask() -> std::io::Result<Option<String>> {
    let question = format!("The demo is written to a new folder. Which one? [{DEFAULT_FOLDER}] ");
    let typed = super::printers::ask(&question)?;
    Ok(typed.map(|typed| if typed.is_empty() { DEFAULT_FOLDER.to_owned() } else { typed }))
}
