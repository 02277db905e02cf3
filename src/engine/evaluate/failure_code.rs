//! The code of a failed build.

use crate::diagnostic::Code;
use crate::load::LoadError;

use super::{ErrorCause, StepError};

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
