//! What is said of an object that deploys a directory, and of what this build does without.

use crate::diagnostic::Code;

/// What of an object of Argo CD or Flux counts here in another way than where it deploys, or not at all.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum DeployedRemark {
    /// A source is not for Kustomize: the tool that it is for, as it is called.
    #[error("a source of the Application is not built here: {0}")]
    OtherSource(&'static str),
    /// A version of Kustomize is asked for: its name.
    #[error("the Application asks for Kustomize {0}, which does not choose the version here")]
    Version(String),
    /// A component that is not there is left out: its path.
    #[error("component {0} is not there and is left out (ignoreMissingComponents)")]
    ComponentLeftOut(String),
    /// A variable of Argo CD: its name.
    #[error("{0} is known to a running Argo CD only; --env {0}=… gives it here")]
    KnownToArgoCd(String),
    /// `postBuild.substituteFrom`
    #[error("postBuild.substituteFrom reads objects of the cluster, which are not known here")]
    SubstituteFrom,
    /// Variables that nothing here gives a value, the first of them first.
    #[error(
        "{} may come from objects of the cluster: expressions with such a name stay as they are written; \
         --env {}=… gives it here",
        .0.join(", "),
        first(.0)
    )]
    UnknownVariables(Vec<String>),
    /// `decryption`
    #[error("encrypted files are not decrypted here")]
    Encrypted,
    /// A Composition is deployed: what adds to it, as it is called.
    #[error("a Composition takes no additions: {0} adds nothing")]
    NoAdditions(String),
    /// Argo CD is told to build with options that this build goes without.
    #[error(
        "Argo CD builds with `{options}` ({} of {}), this build without `{}`",
        field.0,
        field.1,
        missing.join(" ")
    )]
    BuildOptions {
        /// All of its options, as they are written.
        options: String,
        /// The field that gives them, and the `ConfigMap` that has it.
        field: (&'static str, &'static str),
        /// Those that this build goes without.
        missing: Vec<String>,
    },
}

impl DeployedRemark {
    pub(super) fn code(&self) -> Code {
        match self {
            Self::OtherSource(_) => Code::KZ610,
            Self::Version(_) => Code::KZ611,
            Self::ComponentLeftOut(_) => Code::KZ612,
            Self::KnownToArgoCd(_) => Code::KZ613,
            Self::SubstituteFrom | Self::UnknownVariables(_) => Code::KZ614,
            Self::Encrypted => Code::KZ615,
            Self::NoAdditions(_) => Code::KZ616,
            Self::BuildOptions { .. } => Code::KZ617,
        }
    }
}

fn first(names: &[String]) -> &str {
    names.first().map_or("", String::as_str)
}
