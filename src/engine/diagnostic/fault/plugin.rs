//! Errors of plugins: built-in ones, programs, functions, helm.

use super::refusal::RefusalCause;

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
