//! Requests without an answer.

use serde::Serialize;

#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub(crate) struct Refusal {
    message: String,
    help: Option<String>,
}

impl Refusal {
    pub(crate) fn new(message: String) -> Self {
        Self { message, help: None }
    }

    pub(crate) fn with_help(self, help: &str) -> Self {
        Self { help: Some(help.to_owned()), ..self }
    }

    /// The refusal for an error whose text may end in a help.
    pub(crate) fn from_error(error: impl std::fmt::Display) -> Self {
        let text = error.to_string();
        match text.split_once("; help: ") {
            Some((message, help)) => Self::new(message.to_owned()).with_help(help),
            None => Self::new(text),
        }
    }
}
