//! A recorded build for the screens.

#[expect(clippy::module_inception, reason = "named after its main type")]
mod recording;
mod step_words;

pub(crate) use recording::{WorkbenchRecording, step_label};
pub(crate) use step_words::WORD_CELLS;
