//! Runs the language server with the adapters of this machine.

use std::io::BufReader;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use kzui::answers::RepositoryBuilds;
use kzui::cli::{Exit, LspArgs};
use kzui::display::Printer;
use kzui::draft::WriteScope;
use kzui::engine::evaluate::BuildOptions;
use kzui::host;
use kzui::lsp::{EditorPorts, ServerSettings, SessionEnd, connect, serve};

use super::opening::{build_settings, options_for_each_target, root_of};

/// The ports of the language server, which only reads the disk.
struct HostEditorPorts {
    options: BuildOptions,
}

impl EditorPorts for HostEditorPorts {
    fn repository(&self, folder: &Path) -> Option<RepositoryBuilds> {
        let folder = host::resolved(folder).ok()?;
        let root = super::board::BoardFolders::around(&folder, true).root;
        Some(super::board::builds(&root, self.options.clone()))
    }

    fn real_path(&self, path: PathBuf) -> PathBuf {
        let real = host::resolved(&path).ok();
        let beside = || Some(host::resolved(path.parent()?).ok()?.join(path.file_name()?));
        real.or_else(beside).unwrap_or(path)
    }

    fn scope(&self, file: &Path) -> WriteScope {
        WriteScope::below([root_of(file)])
    }

    fn salt(&self) -> [u8; 16] {
        *super::repository::SALT
    }
}

/// The error of a server that is started with `--fetch`.
pub(super) fn refuse_fetch(err: &mut Printer<'_>) -> std::io::Result<Exit> {
    writeln!(
        err,
        "error: --fetch: a server does not fetch\nhelp: run `kzui check --fetch` once; its downloads are cached"
    )?;
    Ok(Exit::USAGE)
}

/// Serves an editor until it ends the session.
pub(crate) fn lsp(arguments: &LspArgs) -> std::io::Result<Exit> {
    let mut err = super::standard_error();
    if arguments.build.fetch {
        return refuse_fetch(&mut err);
    }
    let current = host::current_directory()?;
    let (options, notes) = match build_settings(&arguments.build, &current, Path::new("/")) {
        Ok(settings) => settings,
        Err(error) => {
            writeln!(err, "error: {error}")?;
            return Ok(Exit::USAGE);
        }
    };
    for note in notes {
        super::printers::warn(&note);
    }
    let options = options_for_each_target(options, &arguments.build);
    let (connection, transport) = connect(BufReader::new(std::io::stdin()), std::io::stdout())?;
    let ports = Arc::new(HostEditorPorts { options });
    let end = serve(&connection, ports, ServerSettings::default())?;
    drop(connection);
    transport.finish()?;
    Ok(match end {
        SessionEnd::Regular => Exit::OK,
        SessionEnd::WithoutShutdown => Exit::FAILED,
    })
}
