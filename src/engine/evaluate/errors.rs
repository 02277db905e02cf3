//! Messages for errors of the lower modules, with location, cause, path and code.

use crate::diagnostic::{Code, Hint, TextPurpose, WithheldStep};
use crate::load::{LoadError, RemoteError};
use crate::plugin::RequiredAction;
use crate::resource::SelectorError;
use crate::transform::TransformError;
use crate::yaml::Mark;

use super::{ErrorCause, Layer, LayerId, LayerKind, StepError, Wait, WaitCause};

/// The error of a step, for users: the layers from the root to the step, the innermost message, and
/// the most exact location that is known (`step` if the error has none).
pub(super) fn describe(
    error: TransformError,
    step: Mark,
    layers: &[Layer],
    layer: LayerId,
) -> StepError {
    let hint = match &error {
        TransformError::Fault { hint, .. } => hint.as_deref().cloned(),
        TransformError::Manifest(error) => error.hint.as_deref().cloned(),
        TransformError::Load { source, reading, .. } => source.hint().map(|hint| {
            let is_target = matches!(reading, TextPurpose::Target(_));
            Hint::Load(if is_target { hint.for_target() } else { hint })
        }),
        TransformError::Selector(SelectorError::Regex(fault)) => fault
            .is_too_large
            .then(|| "use fewer or smaller counted repetitions (`{1,1000}`)".into()),
        _ => None,
    };
    let mark = place(&error).filter(|mark| mark.line > 0).unwrap_or(step);
    let masked = match &error {
        TransformError::Fault { fault, .. } => fault.masked(),
        _ => None,
    };
    let message = masked.map_or_else(|| error.to_string(), |fault| fault.to_string());
    let context = layer_chain(layers, layer);
    StepError { context, message, mark, hint, cause: error_cause(error), fix: None, class: None }
}

fn error_cause(error: TransformError) -> ErrorCause {
    match error {
        TransformError::Fault { fault, .. } => ErrorCause::Fault(*fault),
        TransformError::Manifest(error) => ErrorCause::Manifest(*error),
        TransformError::Load { reading, source, .. } => ErrorCause::Load(reading, source),
        TransformError::Yaml { reading, source, .. } => ErrorCause::Yaml(reading, source),
        TransformError::Waiting { what, .. } => {
            ErrorCause::Waiting(Box::new(wait_of_withheld(&what)))
        }
        TransformError::ResMap(error) => ErrorCause::Clash(error),
        TransformError::Selector(error) => ErrorCause::Selector(error),
    }
}

fn wait_of_withheld(what: &WithheldStep) -> Wait {
    let awaited = if what.is_asked() { RequiredAction::AllowByFlag } else { RequiredAction::Asked };
    let wait = Wait::new(awaited, WaitCause::Withheld(what.clone()));
    let is_source = matches!(what, WithheldStep::Source(_));
    let way = is_source.then(|| "build its path in a checkout of that source".into());
    Wait { way, ..wait }
}

pub(super) fn place(error: &TransformError) -> Option<Mark> {
    match error {
        TransformError::Fault { mark, .. }
        | TransformError::Load { mark, .. }
        | TransformError::Waiting { mark, .. } => Some(*mark),
        TransformError::Manifest(error) => Some(error.mark),
        TransformError::Yaml { mark, source, .. } => {
            Some(Mark { line: source.line.max(mark.line.min(1)), column: source.column, ..*mark })
        }
        TransformError::ResMap(_) | TransformError::Selector(_) => None,
    }
}

fn layer_chain(layers: &[Layer], layer: LayerId) -> Vec<String> {
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

/// The reason why a step is pending, if its only problem is an external item that was not fetched,
/// trusted or run.
pub(super) fn wait_of_error(error: &TransformError) -> Option<Wait> {
    match error {
        TransformError::Waiting { what, .. } => Some(wait_of_withheld(what)),
        TransformError::Load {
            source: LoadError::Remote(remote @ RemoteError::NotAllowed { .. }),
            ..
        } => Some(Wait::new(RequiredAction::Fetch, WaitCause::NotFetched(remote.clone()))),
        _ => None,
    }
}

impl StepError {
    /// The registered code (`KZ…`) of the kind of error.
    pub fn code(&self) -> Code {
        if let Some(class) = self.class {
            return class;
        }
        match &self.cause {
            ErrorCause::Fault(fault) => fault.code(),
            ErrorCause::Manifest(error) => error.code(),
            ErrorCause::Load(_, error) => load_error_code(error),
            ErrorCause::Yaml(..) => Code::KZ010,
            ErrorCause::Clash(_) => Code::KZ030,
            ErrorCause::Selector(_) => Code::KZ064,
            ErrorCause::Waiting(_) | ErrorCause::Cancelled => Code::KZ000,
        }
    }
}

fn load_error_code(error: &LoadError) -> Code {
    match error {
        LoadError::NotDirectory { source } => load_error_code(source),
        LoadError::Resolve { clue: Some(clue), .. } if clue.is_made_file() => Code::KZ029,
        LoadError::Resolve { .. } => Code::KZ020,
        LoadError::OutsideRoot { .. } | LoadError::OutsideClone { .. } => Code::KZ021,
        LoadError::Cycle { .. } | LoadError::RemoteCycle { .. } => Code::KZ023,
        LoadError::NotFile { .. } | LoadError::FileNotDirectory { .. } => Code::KZ026,
        LoadError::HttpStatus { .. } | LoadError::IsRepository | LoadError::Remote(_) => {
            Code::KZ027
        }
        LoadError::Read { .. }
        | LoadError::NoDirectory
        | LoadError::AbsoluteRoot(_)
        | LoadError::EmptyRoot
        | LoadError::Ambiguous { .. } => Code::KZ000,
    }
}
