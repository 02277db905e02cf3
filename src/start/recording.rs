//! A recording in place of a tree: its files in a temporary folder, its downloads and outputs of
//! programs as ports.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use kzui::answers::recorded_build::{RecordedBuild, RecordedPrograms, RecordedRemote};
use kzui::cli;
use kzui::engine::evaluate::Ports;
use kzui::engine::load::{Files, Remote};
use kzui::engine::plugin::Programs;
use kzui::host::{self, DiskFiles, UnpackedFolder};

use super::rooted_files::RootedFiles;

/// A recording that is opened: its files exist as long as one of its copies does.
#[derive(Clone)]
pub(crate) struct OpenedRecording {
    build: Arc<RecordedBuild>,
    unpacked: Arc<UnpackedFolder>,
}

/// True for a file that is a recording of any version.
fn is_recording(file: &Path) -> bool {
    file.is_file() && DiskFiles.read(file).is_ok_and(|bytes| RecordedBuild::is_recording(&bytes))
}

/// The arguments of the workbench with the target of the recording that they name, relative to its
/// tree; `None` if they name none.
///
/// # Errors
/// As for [`OpenedRecording::unpack`].
pub(super) fn open_for_workbench(
    arguments: &cli::Workbench,
    current: &Path,
) -> Result<Option<(OpenedRecording, cli::Workbench)>, String> {
    if !is_recording(&current.join(&arguments.dir)) {
        return Ok(None);
    }
    let opened = OpenedRecording::unpack(&arguments.dir, current)?;
    let flags = cli::parse_recorded_flags(&opened.build.flags)?;
    let arguments = cli::Workbench {
        dir: opened.target(),
        read_only: true,
        // Its programs are outputs in the recording.
        run_on_open: true,
        build: cli::BuildFlags { offline: true, ..flags },
        ..arguments.clone()
    };
    Ok(Some((opened, arguments)))
}

/// The commands that open a recording in place of a target: they read, and write no file of a tree.
const READERS: [&str; 11] = [
    "build",
    "why",
    "check",
    "trace",
    "blame",
    "grep",
    "table",
    "images",
    "order",
    "matrix",
    "components",
];

/// The words of a command line with the target and the flags of the recording that they name. The
/// working directory is then the recorded tree, so that paths are those of the recording.
///
/// # Errors
/// The recording cannot be opened, or the command does not open recordings.
pub(crate) fn open_for_command(
    words: Vec<OsString>,
) -> Result<(Vec<OsString>, Option<OpenedRecording>), String> {
    let Ok(current) = host::current_directory() else { return Ok((words, None)) };
    let command = words.get(1).and_then(|word| word.to_str()).unwrap_or_default().to_owned();
    // Only `--in` names a target: the values of other options are no recordings.
    let follows_option = |at: usize| {
        let option = words[at - 1].to_str().unwrap_or_default();
        option != "--in" && cli::takes_next_word(&command, option)
    };
    let is_named = |at: &usize| is_recording(&current.join(&words[*at])) && !follows_option(*at);
    let at = (2..words.len()).find(is_named).filter(|_| cli::is_command(&command));
    let Some(at) = at else { return Ok((words, None)) };
    let name = words[at].to_string_lossy().into_owned();
    if !READERS.contains(&&*command) {
        let readers = READERS.join(", ");
        return Err(format!(
            "{name}: `kzui {command}` does not open a recording; help: `kzui {name}` shows it, and these commands read it: {readers}"
        ));
    }
    let opened = OpenedRecording::unpack(&name, &current)?;
    let tree = opened.tree();
    std::env::set_current_dir(&tree).map_err(|error| format!("{name}: {error}"))?;
    let target = opened.target();
    let flags = opened.build.flags.iter().map(OsString::from);
    let mut all: Vec<OsString> = words[..2].to_vec();
    all.extend(flags.chain([OsString::from("--offline")]));
    for (other, word) in words.iter().enumerate().skip(2) {
        all.push(match words[other - 1].to_str() {
            _ if other == at => (&target).into(),
            // Files that are written are relative to the former working directory.
            Some("-o" | "--output") => current.join(word).into(),
            _ => word.clone(),
        });
    }
    Ok((all, Some(opened)))
}

impl OpenedRecording {
    /// Unpacks a recording.
    ///
    /// # Errors
    /// The file is damaged or of a newer version, or cannot be unpacked.
    fn unpack(path: &str, current: &Path) -> Result<Self, String> {
        let named = |error: String| format!("{path}: {error}");
        let bytes =
            DiskFiles.read(&current.join(path)).map_err(|error| named(error.to_string()))?;
        let build = RecordedBuild::parse(&bytes).map_err(named)?;
        let unpacked = UnpackedFolder::create(build.unpacked_files())
            .map_err(|error| named(error.to_string()))?;
        Ok(Self { build: Arc::new(build), unpacked: Arc::new(unpacked) })
    }

    /// The folder of the recorded tree: paths relative to it are those of the recording.
    pub(super) fn tree(&self) -> PathBuf {
        self.build.tree_below(self.unpacked.path())
    }

    /// The recorded target, relative to the tree.
    fn target(&self) -> String {
        if self.build.target.is_empty() { ".".to_owned() } else { self.build.target.clone() }
    }

    /// The files of the recording. A path that leads out of it is an error: a recording must not
    /// read files of the machine on which it is opened.
    pub(super) fn files(&self) -> Arc<dyn Files> {
        Arc::new(RootedFiles { root: self.unpacked.path().to_owned(), inner: Arc::new(DiskFiles) })
    }

    pub(super) fn remote(&self) -> Arc<dyn Remote> {
        let folder = self.unpacked.path().to_owned();
        Arc::new(RecordedRemote { build: self.build.clone(), folder })
    }

    pub(super) fn programs(&self) -> Arc<dyn Programs> {
        Arc::new(RecordedPrograms { build: self.build.clone(), root: self.tree() })
    }

    /// The ports with files, downloads and programs of the recording.
    pub(super) fn ports(&self, others: Ports) -> Ports {
        let (files, remote, programs) = (self.files(), self.remote(), self.programs());
        Ports { files, remote, programs, ..others }
    }
}
