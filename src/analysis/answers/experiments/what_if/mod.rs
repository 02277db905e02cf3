//! Hypothetical builds with entries in another order, or with other components: the answers as
//! documents and as words, the same for the command line, the screens and the conversation.

mod matrix;
mod order;

pub use matrix::{built_words, matrix_summary, matrix_text};
pub use order::{field_words, order_summary, order_text, pair_words};

use crate::answers::recording::headline::headline;
use crate::answers::report::VariantFailure;

/// A failure in words: `why  at file:line`.
pub fn failure_text(failure: &VariantFailure) -> String {
    let first = headline(&failure.message);
    let at = failure.file.as_ref().zip(failure.line);
    let at = at.map(|(file, line)| format!("  at {file}:{line}")).unwrap_or_default();
    format!("{first}{at}")
}
