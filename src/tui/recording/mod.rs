//! A recorded build for the screens.

#[expect(clippy::module_inception, reason = "the room is named by what is in it")]
mod recording;
mod step_words;

pub(crate) use recording::{Recording, short_path, step_label};
pub(crate) use step_words::{STEP_FIXED, STEP_MILLIS, WORD_CELLS};
