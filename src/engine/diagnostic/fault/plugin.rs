//! Errors of plugins: built-in ones, programs, functions, helm; and reasons why a function is not
//! allowed to run, or cannot be resolved.

/// The error of a plugin.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum PluginFault {
    #[error(transparent)]
    Refused(RefusalCause),
    #[error("must specify --enable-helm")]
    HelmDisabled,
    /// An error that no code asks for.
    #[error("{0}")]
    Other(String),
}

/// The reason why a function does not run.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum RefusalCause {
    #[error("external plugins disabled; unable to load external plugin '{0}'")]
    PluginsDisabled(String),
    #[error("function {0} is not run: kzui runs programs only on request")]
    NotAsked(String),
    /// Content that differs from the lock file.
    #[error("{0}")]
    NotLocked(String),
    /// A reason that no code asks for.
    #[error("{text}")]
    Other { text: String, remedy: Option<&'static str> },
}

impl From<String> for RefusalCause {
    fn from(text: String) -> Self {
        Self::Other { text, remedy: None }
    }
}

impl RefusalCause {
    pub(super) fn remedy(&self) -> Option<&'static str> {
        if let Self::Other { remedy, .. } = self { *remedy } else { None }
    }
}
