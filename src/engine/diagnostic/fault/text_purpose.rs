//! The purpose of a text that cannot be read or written.

/// The purpose of a text, in Kustomize's words.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum TextPurpose {
    #[error("cannot build '{0}'")]
    Target(Box<str>),
    #[error("{0}")]
    Other(Box<str>),
}

impl TextPurpose {
    /// An entry of a Composition: the name of its list, and its path if it is not inline.
    pub fn entry(field: &str, index: usize, path: Option<&str>) -> Self {
        let path = path.map(|path| format!(" '{path}'")).unwrap_or_default();
        format!("{field}[{index}]{path}").into()
    }
}

impl From<&str> for TextPurpose {
    fn from(text: &str) -> Self {
        Self::Other(text.into())
    }
}

impl From<String> for TextPurpose {
    fn from(text: String) -> Self {
        Self::Other(text.into())
    }
}
