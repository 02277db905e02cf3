//! `kzui man`: the manual pages, written when a package is made.

use std::path::Path;

use clap::{Command, CommandFactory as _};
use clap_mangen::Man;

use super::{Arguments, CliPorts, Exit};
use crate::cli::failure::{CommandResult, Failure};

/// Writes `kzui.1` and a page for each visible subcommand (`kzui-build.1`, `kzui-catalog-show.1`).
///
/// # Errors
/// A stream cannot be written. A directory or page that cannot be written is an error message.
pub(super) fn run(directory: &Path, outside: &mut CliPorts<'_>) -> CommandResult {
    let directory = outside.current.join(directory);
    let mut command = Arguments::command();
    command.build();
    let mut pages = Vec::new();
    render(&command, &mut pages)?;
    let written = (outside.create_directory)(&directory).and_then(|()| {
        pages.iter().try_for_each(|(name, page)| (outside.write)(&directory.join(name), page))
    });
    written.map_err(|error| Failure::failed(format!("{}: {error}", directory.display())))?;
    Ok(Exit::OK)
}

/// The pages of a command and of its visible subcommands, each with its file name.
fn render(command: &Command, pages: &mut Vec<(String, Vec<u8>)>) -> std::io::Result<()> {
    let name = command.get_display_name().unwrap_or_else(|| command.get_name()).to_owned();
    let mut page = Vec::new();
    Man::new(command.clone()).title(name.as_str()).render(&mut page)?;
    pages.push((format!("{name}.1"), page));
    let visible = command.get_subcommands().filter(|it| !it.is_hide_set());
    visible.filter(|it| it.get_name() != "help").try_for_each(|it| render(it, pages))
}
