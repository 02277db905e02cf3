//! Runs the language server with the adapters of this machine.

use std::collections::BTreeMap;
use std::io::BufReader;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use kzui::answers::RepositoryBuilds;
use kzui::cli::{Exit, LspArgs};
use kzui::draft::WriteScope;
use kzui::engine::evaluate::{BuildOptions, Ports};
use kzui::engine::load::Files;
use kzui::host::{self, DiskListing, StatedFiles};
use kzui::lsp::{EditorPorts, ServerSettings, SessionEnd, connect, serve};
use kzui::repository::Listing as _;

use super::opening::{build_settings, root_of};
use super::printers::refuse;

/// The ports of the language server, which only reads the disk.
struct HostEditorPorts {
    options: BuildOptions,
    files: Arc<StatedFiles>,
    /// The files of each repository that was read, as listed last.
    listed: Mutex<BTreeMap<PathBuf, Vec<PathBuf>>>,
}

impl EditorPorts for HostEditorPorts {
    fn repository(&self, folder: &Path) -> Option<RepositoryBuilds> {
        let folder = host::resolved(folder).ok()?;
        let root = super::board::BoardFolders::around(&folder, true).root;
        self.listed().insert(root.clone(), files_below(&root));
        let files: Arc<dyn Files> = self.files.clone();
        let ports = Ports { files, ..super::repository::build_ports() };
        Some(super::board::builds_with_ports(&root, self.options.clone(), ports))
    }

    fn changed_files(&self) -> Vec<PathBuf> {
        let mut changed = self.files.take_changed();
        if changed.is_empty() {
            return changed;
        }
        for (root, before) in &mut *self.listed() {
            let now = files_below(root);
            changed.extend(now.iter().filter(|it| before.binary_search(it).is_err()).cloned());
            *before = now;
        }
        // A changed folder is reported by its new and removed files.
        changed.retain(|path| !path.is_dir());
        changed.sort_unstable();
        changed.dedup();
        changed
    }

    fn real_path(&self, path: PathBuf) -> PathBuf {
        let real = host::resolved(&path).ok();
        let beside = || Some(host::resolved(path.parent()?).ok()?.join(path.file_name()?));
        real.or_else(beside).unwrap_or(path)
    }

    fn scope(&self, file: &Path) -> WriteScope {
        WriteScope::below([root_of(file)])
    }
}

impl HostEditorPorts {
    fn listed(&self) -> MutexGuard<'_, BTreeMap<PathBuf, Vec<PathBuf>>> {
        self.listed.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The files below a folder; none if it cannot be listed.
fn files_below(root: &Path) -> Vec<PathBuf> {
    DiskListing.files_within_bounds(root).map(|(files, _)| files).unwrap_or_default()
}

/// The error of a server that is started with `--fetch`.
pub(super) fn refuse_fetch() -> std::io::Result<Exit> {
    writeln!(
        super::standard_error(),
        "error: --fetch: a server does not fetch\nhelp: run `kzui check --fetch` once; its downloads are cached"
    )?;
    Ok(Exit::USAGE)
}

pub(crate) fn lsp(arguments: &LspArgs) -> std::io::Result<Exit> {
    if arguments.build.fetch {
        return refuse_fetch();
    }
    let current = host::current_directory()?;
    let (_, options, notes) = match build_settings(&arguments.build, &current, Path::new("/")) {
        Ok(settings) => settings,
        Err(error) => return refuse(Exit::USAGE, error),
    };
    for note in notes {
        super::printers::warn(&note);
    }
    let (connection, transport) = connect(BufReader::new(std::io::stdin()), std::io::stdout())?;
    let files = Arc::new(StatedFiles::default());
    let ports = Arc::new(HostEditorPorts { options, files, listed: Mutex::default() });
    let end = serve(&connection, ports, ServerSettings::default())?;
    drop(connection);
    transport.finish()?;
    Ok(match end {
        SessionEnd::Regular => Exit::OK,
        SessionEnd::WithoutShutdown => Exit::FAILED,
    })
}
