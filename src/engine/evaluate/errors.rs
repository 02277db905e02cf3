//! From an error of a floor below to words that name place, cause and way.

use crate::load::{LoadError, RemoteError};
use crate::transform::TransformError;
use crate::yaml::Mark;

use super::{Layer, LayerId, LayerKind, StepError};

/// The error of a step: the way from the root to it, the innermost phrase, the best known place.
#[expect(clippy::needless_pass_by_value, reason = "it ends an error on its way up")]
pub(super) fn describe(
    error: TransformError,
    step: Mark,
    layers: &[Layer],
    layer: LayerId,
) -> StepError {
    let hint = match &error {
        TransformError::Phrase { hint, .. } => hint.clone(),
        TransformError::Load { source, .. } => source.hint(),
        _ => None,
    };
    let mark = place(&error).filter(|mark| mark.line > 0).unwrap_or(step);
    StepError { context: way(layers, layer), message: error.to_string(), mark, hint, fix: None }
}

fn place(error: &TransformError) -> Option<Mark> {
    match error {
        TransformError::Phrase { mark, .. }
        | TransformError::Load { mark, .. }
        | TransformError::Waiting { mark, .. } => Some(*mark),
        TransformError::Yaml { mark, source, .. } => {
            Some(Mark { line: source.line.max(mark.line.min(1)), column: source.column, ..*mark })
        }
        TransformError::ResMap(_) | TransformError::Selector(_) => None,
    }
}

/// One line for each layer below the root, outermost first.
fn way(layers: &[Layer], layer: LayerId) -> Vec<String> {
    let mut lines = Vec::new();
    let mut current = Some(layer);
    while let Some(layer) = current.and_then(|id| layers.get(id.0)) {
        let field = match layer.kind {
            LayerKind::Root => break,
            LayerKind::Base => "resources",
            LayerKind::Component => "components",
            LayerKind::Configuration => "configuration",
            LayerKind::Composition => "composition",
        };
        lines.push(format!("{field} '{}' ({})", layer.name, layer.path));
        current = layer.parent;
    }
    lines.reverse();
    lines
}

/// What a step waits for, when that is all that is wrong: something outside that nobody asked for yet.
pub(super) fn waits_for(error: &TransformError) -> Option<String> {
    match error {
        TransformError::Waiting { why, .. } => Some(why.clone()),
        TransformError::Load { source: LoadError::Remote(remote), .. } => {
            matches!(remote, RemoteError::NotAllowed { .. }).then(|| remote.to_string())
        }
        _ => None,
    }
}
