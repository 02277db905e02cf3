//! The errors of a configuration text.

use crate::diagnostic::{Hint, joined};
use crate::manifest::FieldSpecConflict;
use crate::yaml::{Mark, SourceId, YamlError};

use super::fault::{ManifestFault, WrongType};

/// An invalid configuration text: the message is Kustomize's, the mark and the hint are kzui's.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum ManifestError {
    #[error("{prefix}{source}")]
    Yaml {
        /// The prefix of Kustomize's message.
        prefix: &'static str,
        #[source]
        source: YamlError,
        mark: Mark,
    },
    #[error("{prefix}json: unknown field \"{field}\"")]
    UnknownField {
        prefix: &'static str,
        field: String,
        known: Box<[&'static str]>,
        /// A hint with the field that was probably meant.
        hint: Option<Box<Hint>>,
        mark: Mark,
    },
    /// A value of another type than the field's (section 1.2).
    #[error("{prefix}{wrong}")]
    WrongType { prefix: &'static str, wrong: Box<WrongType>, hint: Option<Box<Hint>>, mark: Mark },
    /// A duplicate key in a mapping of a `configurations` file.
    #[error(
        "error converting YAML to JSON: yaml: unmarshal errors:\n  line {}: key \"{key}\" already set in map",
        mark.line
    )]
    DuplicateKey { key: String, mark: Mark },
    /// An empty kustomization file (section 1.5); the message always contains the name
    /// `kustomization.yaml`.
    #[error("kustomization.yaml is empty")]
    Empty { mark: Mark },
    /// The kind or apiVersion is not that of a kustomization. The caller prepends `Failed to read
    /// kustomization file under <abs root>:
    /// ` (section 1.5).
    #[error("{}", joined(problems, "\n"))]
    Header { problems: Vec<HeaderProblem>, mark: Mark },
    /// A value of the right type that is not valid.
    #[error("{fault}")]
    Fault { fault: ManifestFault, hint: Option<Box<Hint>>, mark: Mark },
    /// Two field specs for the same field with different values of `create`.
    #[error("{conflict}")]
    Conflict {
        #[source]
        conflict: Box<FieldSpecConflict>,
        /// The location of the second file's name.
        mark: Mark,
    },
}

impl ManifestError {
    /// The tool other than Kustomize that builds the source of an Application, if this error
    /// reports it.
    pub fn other_tool(&self) -> Option<&'static str> {
        match self.fault()? {
            ManifestFault::OtherTool(_, tool) => Some(tool),
            _ => None,
        }
    }

    /// The fault; `None` for an error with a cause of another kind.
    pub fn fault(&self) -> Option<&ManifestFault> {
        match self {
            Self::Fault { fault, .. } => Some(fault),
            _ => None,
        }
    }

    /// The error of a text that Kustomize cannot serialize for a plugin, and so cannot read again.
    pub(crate) fn unwritable(mark: Mark) -> Self {
        Self::fault_at("yaml: control characters are not allowed", mark)
            .with_hint("Kustomize cannot pass this text on: remove the character")
    }

    /// The error of a value that is not valid.
    pub(in crate::manifest) fn fault_at(fault: impl Into<ManifestFault>, mark: Mark) -> Self {
        Self::Fault { fault: fault.into(), hint: None, mark }
    }

    /// Sets the hint of a fault; any other error is unchanged.
    pub(in crate::manifest) fn with_hint(mut self, text: impl Into<Box<Hint>>) -> Self {
        if let Self::Fault { hint, .. } = &mut self {
            *hint = Some(text.into());
        }
        self
    }

    /// File, line and column of the error; only the file if the line is not known.
    pub fn mark(&self) -> Mark {
        match self {
            Self::Yaml { mark, .. }
            | Self::UnknownField { mark, .. }
            | Self::WrongType { mark, .. }
            | Self::DuplicateKey { mark, .. }
            | Self::Empty { mark }
            | Self::Header { mark, .. }
            | Self::Fault { mark, .. }
            | Self::Conflict { mark, .. } => *mark,
        }
    }

    /// A remedy, if known.
    pub fn hint(&self) -> Option<Hint> {
        match self {
            Self::UnknownField { hint, .. }
            | Self::WrongType { hint, .. }
            | Self::Fault { hint, .. } => hint.as_deref().cloned(),
            Self::DuplicateKey { key, .. } => Some(format!("remove one of the two `{key}`").into()),
            Self::Empty { .. } => Some("write `resources: []`, or delete the file and the entries that list this directory: Kustomize refuses it since v5.0.4".into()),
            Self::Conflict { conflict, .. } => Some(conflict.hint().into()),
            Self::Header { problems, .. } => problems.first().map(header_hint),
            Self::Yaml { .. } => None,
        }
    }

    pub(super) fn yaml(prefix: &'static str, error: YamlError, source: SourceId) -> Self {
        let mark = Mark { source, line: error.line, column: error.column, ..Mark::default() };
        Self::Yaml { prefix, source: error, mark }
    }
}

/// A fault in the kind or the apiVersion of a file, in Kustomize's words.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum HeaderProblem {
    #[error("kind should be Kustomization or Component")]
    Kind,
    #[error("apiVersion for {kind} should be {required}")]
    Version { kind: String, required: &'static str },
}

fn header_hint(problem: &HeaderProblem) -> Hint {
    match problem {
        HeaderProblem::Version { required, .. } => Hint::ApiVersion(required),
        HeaderProblem::Kind => {
            "write `kind: Kustomization` or `kind: Component`; list any other file under `resources` of a kustomization"
                .into()
        }
    }
}
