//! `kzui demo`: the trees of the documentation, written into a folder that the user chooses.

use std::path::{Path, PathBuf};

use clap::Args;
use include_dir::{Dir, File, include_dir};

use crate::cli::failure::{CommandResult, Failure};
use crate::engine::load::clean;

use super::{CliPorts, Exit};

static TREES: Dir<'static> = include_dir!("$CARGO_MANIFEST_DIR/demo");

/// The target in the demo's folder that is opened.
pub const FIRST_TARGET: &str = "components/overlays/dev";

#[derive(Clone, Debug, Args)]
#[command(
    after_help = "Writes into a new folder or an empty one, and nowhere else. A folder with the demo is opened unchanged. In a terminal the workbench opens with a tour; `:tour` ends it.\n\n\
                  Examples:\n  kzui demo my-demo\n\n\
                  Exit status: 0 on success, 1 if the folder cannot be written, 2 if no folder is given."
)]
pub struct Demo {
    /// The folder to write the demo into; in a terminal kzui asks for it
    pub folder: Option<String>,
    /// Write the demo without opening it
    #[arg(long)]
    pub no_open: bool,
}

/// Writes the files of the demo, unless they exist already.
pub(super) fn run(arguments: &Demo, outside: &mut CliPorts<'_>) -> CommandResult {
    let Some(folder) = arguments.folder.as_deref() else {
        return Err(Failure::usage(
            "no folder for the demo: run `kzui demo FOLDER` with a new or empty folder",
        ));
    };
    let root = clean(&outside.current.join(folder));
    let files: Vec<(PathBuf, &File<'static>)> =
        files(&TREES).into_iter().map(|file| (root.join(file.path()), file)).collect();
    let exists = |path: &Path| outside.ports.files.resolve(path).is_ok();
    let there = files.iter().filter(|(path, _)| exists(path)).count();
    if there == files.len() {
        writeln!(outside.out, "The demo is already in {folder}: no file written.")?;
        return Ok(Exit::OK);
    }
    let others = outside.repository.listing.files_below(&root);
    if exists(&root) && (there > 0 || !others.is_ok_and(|files| files.is_empty())) {
        return Err(Failure::failed(format!(
            "{folder} is not empty: name a new folder for the demo"
        )));
    }
    for (path, file) in &files {
        let above = path.parent().unwrap_or(&root);
        let written =
            (outside.create_directory)(above).and_then(|()| (outside.write)(path, file.contents()));
        written.map_err(|error| Failure::failed(format!("{}: {error}", path.display())))?;
    }
    writeln!(outside.out, "Wrote the demo, {} files, into {folder}.", files.len())?;
    if arguments.no_open {
        writeln!(outside.out, "Open it: kzui {folder}/{FIRST_TARGET}")?;
    }
    Ok(Exit::OK)
}

fn files(folder: &'static Dir<'static>) -> Vec<&'static File<'static>> {
    folder.files().chain(folder.dirs().flat_map(files)).collect()
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::{TREES, files};

    #[test]
    fn embedded_demo_equals_the_folder() {
        let root = concat!(env!("CARGO_MANIFEST_DIR"), "/demo");
        let carried: BTreeSet<_> = files(&TREES)
            .into_iter()
            .map(|file| (file.path().to_path_buf(), file.contents().to_vec()))
            .collect();
        let walk = walkdir::WalkDir::new(root).into_iter().map(|entry| entry.unwrap());
        let stands: BTreeSet<_> = walk
            .filter(|entry| entry.file_type().is_file())
            .map(|entry| {
                let name = entry.path().strip_prefix(root).unwrap().to_path_buf();
                (name, fs_err::read(entry.path()).unwrap())
            })
            .collect();
        assert_eq!(carried, stands, "touch src/cli/demo.rs after a file of the demo was added");
    }
}
