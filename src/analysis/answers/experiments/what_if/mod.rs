//! Hypothetical builds with entries in another order, or with other components: the answers as
//! documents and as words, the same for the command line, the screens and the conversation.

mod matrix;
mod order;

pub use matrix::{MatrixAnswer, built_words, matrix_report, matrix_summary, matrix_text};
pub use order::{OrderAnswer, field_words, order_report, order_summary, order_text, pair_words};

use std::path::Path;

use super::variants::VariantError;
use crate::answers::recording::headline::headline;
use crate::answers::report::VariantFailure;
use crate::answers::secrets::Secrets;

/// A failure for a document: secret text is masked, and the location is relative to `folder`.
pub(in crate::answers) fn failure(
    failure: &VariantError,
    folder: &Path,
    secrets: &Secrets,
) -> VariantFailure {
    VariantFailure {
        message: secrets.text(&failure.message),
        file: failure.at.as_ref().map(|(file, _)| crate::answers::relative(file, folder)),
        line: failure.at.as_ref().map(|(_, line)| *line),
    }
}

/// A failure in words: `why  at file:line`.
pub fn failure_text(failure: &VariantFailure) -> String {
    let first = headline(&failure.message);
    let at = failure.file.as_ref().zip(failure.line);
    let at = at.map(|(file, line)| format!("  at {file}:{line}")).unwrap_or_default();
    format!("{first}{at}")
}
