//! Errors of plugins: built-in ones, programs, functions, helm.

use super::call::CallFault;
use super::program::HelmFault;
use super::refusal::RefusalCause;

/// The error of a plugin.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum PluginFault {
    #[error("function {0} generated duplicate resource: {1}")]
    DuplicateResource(String, String),
    #[error(transparent)]
    Refused(Box<RefusalCause>),
    #[error("{0}")]
    Call(CallFault),
    #[error(
        "function {function} returned mismatched legacy and internal {annotations} annotations on {id}"
    )]
    MismatchedOutput {
        function: String,
        /// The kind of the annotation: `path` or `index`.
        annotations: &'static str,
        id: String,
    },
    #[error("must specify --enable-helm")]
    HelmDisabled,
    #[error("{0}")]
    HelmFailed(Box<HelmFault>),
    /// An error that no code asks for.
    #[error("{0}")]
    Other(String),
}
