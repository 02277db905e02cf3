//! Errors of parsing and printing YAML, as values; their texts are Kustomize's.

use super::Tag;

/// A text that is invalid or exceeds a limit, or a tree that Kustomize cannot print. Its `Display`
/// is Kustomize's complete message.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{cause}")]
pub struct YamlError {
    /// 1-based line in the file; 0 if not known.
    pub line: u32,
    /// 1-based column; 0 if not known.
    pub column: u32,
    pub cause: YamlCause,
}

/// The fault in a text or a tree. Messages of go-yaml begin with `yaml: ` (and appear in
/// `MalformedYAMLError: … in File: …`).
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum YamlCause {
    #[error("yaml: input exceeds {0} bytes")]
    TooLong(usize),
    #[error("yaml: exceeded max depth of {0}")]
    TooDeep(usize),
    #[error("yaml: document contains excessive aliasing")]
    ExcessiveAliasing,
    /// The bytes are neither UTF-8 nor UTF-16: go-yaml's words.
    #[error("yaml: {0}")]
    Encoding(&'static str),
    #[error("yaml: control characters are not allowed")]
    ControlCharacters,
    /// A document separator is followed by other content on its line.
    #[error("invalid document separator: {0}")]
    BadSeparator(String),
    /// A syntax error of go-yaml's scanner or parser.
    #[error("yaml: {}", at_line(*told, words))]
    Syntax {
        /// The line that go-yaml reports: it counts from the start of the piece and is sometimes
        /// one less than the line of the error.
        told: Option<u32>,
        words: &'static str,
    },
    /// A block begins with a tab: the line that go-yaml reports.
    #[error("yaml: line {0}: found a tab character where an indentation space is expected")]
    LeadingTab(u32),
    #[error("yaml: unknown anchor '{0}' referenced")]
    UnknownAnchor(String),
    #[error("yaml: anchor '{0}' value contains itself")]
    EndlessAnchor(String),
    /// A merge key without a valid value, in Kustomize's own merge.
    #[error("{0}")]
    Merge(MergeFault),
    /// A merge key without a valid value, in a merge by go-yaml.
    #[error("yaml: {0}")]
    GoMerge(MergeFault),
    #[error("yaml: invalid map key")]
    InvalidKey,
    /// A key of a configuration that is null.
    #[error("unsupported map key of type: <invalid>, key: <nil>")]
    NullKey,
    #[error(
        "yaml: unmarshal errors:\n  line {line}: mapping key {key:?} already defined at line {first}"
    )]
    RepeatedKey { key: Box<str>, line: u32, first: u32 },
    /// A mapping has keys that JSON cannot have.
    #[error("json: unsupported type: map[interface {{}}]interface {{}}")]
    KeysOfOtherTypes,
    /// A number that JSON does not have: `NaN`, `+Inf` or `-Inf`.
    #[error("json: unsupported value: {0}")]
    UnsupportedNumber(&'static str),
    /// A text does not have the type of its tag.
    #[error("yaml: cannot decode {} `{text}` as a {}", found.short(), tag.short())]
    OtherType {
        /// The tag to which the text resolves.
        found: Tag,
        text: Box<str>,
        tag: Tag,
    },
    #[error("yaml: !!binary value contains invalid base64 data")]
    BadBase64,
    /// The text is not valid JSON; the message is that of Go's decoder.
    #[error("{0}")]
    Json(String),
}

impl YamlCause {
    /// The reason why a text cannot be read, without the prefix of go-yaml; the full text of any
    /// other cause.
    pub fn without_prefix(&self) -> String {
        let text = self.to_string();
        match self {
            Self::Syntax { .. }
            | Self::Encoding(_)
            | Self::ControlCharacters
            | Self::UnknownAnchor(_) => text.trim_start_matches("yaml: ").to_owned(),
            _ => text,
        }
    }
}

fn at_line(told: Option<u32>, words: &str) -> String {
    told.map_or_else(|| words.to_owned(), |line| format!("line {line}: {words}"))
}

/// The reason why a merge key is not valid.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum MergeFault {
    #[error("duplicate merge key")]
    Twice,
    #[error("map merge requires map or sequence of maps as the value")]
    NoMap,
    /// The value is an alias of a node that is no mapping.
    #[error("invalid map merge: received alias for a non-map value")]
    Alias,
    #[error("invalid map merge: received a nested sequence")]
    NestedList,
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every result of the reader has at least the size of an error.
    #[test]
    fn an_error_is_small() {
        assert!(size_of::<YamlError>() <= 40, "{}", size_of::<YamlError>());
    }
}
