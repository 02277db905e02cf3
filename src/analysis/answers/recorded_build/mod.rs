//! A build in one file: everything that it read, with values of Secrets masked, so that it can be
//! repeated elsewhere without the files, the network and the programs.

mod format;
mod ports;
mod record;
mod shrink;

pub use format::{
    RECORDING_VERSION, RecordedBuild, RecordedClone, RecordedContent, RecordedDownload,
    RecordedFile, RecordedProgram, offline_options,
};
pub use ports::{RecordedPrograms, RecordedRemote};
pub use record::{BuildToRecord, record_build};
pub use shrink::{Symptom, shrink};
