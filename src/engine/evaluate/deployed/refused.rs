//! Objects that are not built here.

use crate::diagnostic::WithheldStep;
use crate::manifest::ManifestFault;
use crate::transform::TransformError;

/// The tool that builds a source, if the error is that kzui does not run it.
pub(super) fn other_tool(error: &TransformError) -> Option<&'static str> {
    match error {
        TransformError::Manifest { source, .. } => source.other_tool(),
        _ => None,
    }
}

/// An object that is not built here is pending: another tool builds it, or it is known only in the
/// cluster.
pub(super) fn withheld(error: TransformError) -> TransformError {
    let TransformError::Manifest { source, mark, .. } = &error else { return error };
    let what = match source.fault() {
        Some(ManifestFault::OtherTool(..)) => WithheldStep::OtherTool(source.to_string()),
        Some(ManifestFault::UnknownParameter(..)) => WithheldStep::InCluster(source.to_string()),
        _ => return error,
    };
    TransformError::Waiting { what, mark: *mark }
}
