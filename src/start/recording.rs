//! A recording that the workbench shows: its files in a temporary folder, its downloads and outputs
//! of programs as ports.

use std::path::Path;
use std::sync::Arc;

use kzui::answers::recorded_build::{RecordedBuild, RecordedPrograms, RecordedRemote};
use kzui::cli;
use kzui::engine::evaluate::Ports;
use kzui::engine::load::{Files as _, Remote};
use kzui::engine::plugin::Programs;
use kzui::host::{self, DiskFiles, UnpackedFolder};

/// A recording that is shown: its files exist as long as one of its copies does.
#[derive(Clone)]
pub(super) struct OpenedRecording {
    build: Arc<RecordedBuild>,
    unpacked: Arc<UnpackedFolder>,
}

/// Unpacks the recording that the arguments name, and returns the arguments to open it; `None` if
/// they name none.
///
/// # Errors
/// The file is damaged or of a newer version, or cannot be unpacked.
pub(super) fn unpack(
    arguments: &cli::Workbench,
    current: &Path,
) -> Result<Option<(OpenedRecording, cli::Workbench)>, String> {
    let file = current.join(&arguments.dir);
    if !host::is_file(&file) {
        return Ok(None);
    }
    let Ok(bytes) = DiskFiles.read(&file) else { return Ok(None) };
    if !RecordedBuild::is_recording(&bytes) {
        return Ok(None);
    }
    let named = |error: String| format!("{}: {error}", arguments.dir);
    let build = RecordedBuild::parse(&bytes).map_err(|error| named(error.to_string()))?;
    let flags = cli::parse_recorded_flags(&build.flags).map_err(named)?;
    let unpacked =
        UnpackedFolder::create(build.unpacked_files()).map_err(|error| named(error.to_string()))?;
    let opened = cli::Workbench {
        dir: build.target_below(unpacked.path()),
        read_only: true,
        // Its programs are outputs in the recording.
        run_on_open: true,
        build: cli::BuildFlags { offline: true, ..flags },
        ..arguments.clone()
    };
    let opening = OpenedRecording { build: Arc::new(build), unpacked: Arc::new(unpacked) };
    Ok(Some((opening, opened)))
}

impl OpenedRecording {
    /// The downloads of the recording.
    pub(super) fn remote(&self) -> Arc<dyn Remote> {
        Arc::new(RecordedRemote {
            build: self.build.clone(),
            folder: self.unpacked.path().to_owned(),
        })
    }

    /// The outputs of programs in the recording.
    pub(super) fn programs(&self) -> Arc<dyn Programs> {
        let root = self.build.tree_below(self.unpacked.path());
        Arc::new(RecordedPrograms { build: self.build.clone(), root })
    }

    /// The ports of its builds.
    pub(super) fn ports(&self) -> Ports {
        let (remote, programs) = (self.remote(), self.programs());
        Ports { remote, programs, ..super::repository::build_ports() }
    }
}
