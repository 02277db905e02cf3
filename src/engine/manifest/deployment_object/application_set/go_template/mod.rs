//! Go's `text/template`, with the functions that public `ApplicationSet`s use. A template that uses
//! any other part is refused with an error that names the part: its result is not known, and never
//! wrong.

mod collections;
mod evaluate;
mod functions;
mod parse;
mod text_functions;

#[cfg(test)]
mod tests;

use std::sync::Arc;

use crate::yaml::Mark;

use super::value::{Param, ParamValue, Params};

/// The result of a group of functions; `None` if the group has no function with this name and these
/// types of arguments.
type CallResult = Result<Option<ParamValue>, TemplateError>;

#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub(super) enum TemplateError {
    /// Go's message, or the part of the template that is not evaluated here.
    #[error("{0}")]
    Message(String),
    #[error("parameter {0} is known only in the cluster")]
    Unknown(Arc<str>),
}

impl TemplateError {
    /// True if the template uses a key or field that does not exist.
    pub(super) fn is_missing_key(&self) -> bool {
        matches!(self, Self::Message(text) if text.contains("no entry for key")
            || text.contains("can't evaluate field"))
    }

    fn unsupported(part: &str) -> Self {
        Self::Message(format!("`{part}` is not evaluated here"))
    }
}

impl From<String> for TemplateError {
    fn from(message: String) -> Self {
        Self::Message(message)
    }
}

impl From<&str> for TemplateError {
    fn from(message: &str) -> Self {
        Self::Message(message.to_owned())
    }
}

#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct RenderedText {
    pub(super) text: String,
    /// The location of the first parameter in the text.
    pub(super) mark: Option<Mark>,
    /// A parameter that is known only in the cluster; the text contains its expression unchanged.
    pub(super) unknown: Option<Arc<str>>,
}

/// The value of a parameter that does not exist.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum MissingKey {
    /// `<no value>`, the default of Go.
    #[default]
    NoValue,
    Error,
}

impl MissingKey {
    /// The setting in `goTemplateOptions`; the last option takes precedence.
    pub(super) fn from_options<'o>(
        options: impl IntoIterator<Item = &'o str>,
    ) -> Result<Self, TemplateError> {
        let mut missing = Self::default();
        for option in options {
            missing = match option {
                "missingkey=error" => Self::Error,
                "missingkey=default" | "missingkey=invalid" | "missingkey=zero" => Self::NoValue,
                other => return Err(format!("unrecognized option: {other}").into()),
            };
        }
        Ok(missing)
    }
}

pub(super) fn render(
    template: &str,
    params: &Params,
    missing: MissingKey,
) -> Result<RenderedText, TemplateError> {
    if !template.contains("{{") {
        return Ok(RenderedText { text: template.to_owned(), ..RenderedText::default() });
    }
    let parts = parse::parse(template)?;
    let root =
        Param { value: super::value::ParamValue::Map(params.clone()), mark: Mark::default() };
    match evaluate::execute_template(&parts, &root, missing) {
        Err(TemplateError::Unknown(name)) => {
            let text = template.to_owned();
            Ok(RenderedText { text, mark: None, unknown: Some(name) })
        }
        other => other,
    }
}

pub(super) use text_functions::{path_base, path_dir, sanitize_name};
