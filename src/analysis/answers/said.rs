//! What a finding says: what a step says of itself, why a build failed, what is waited for.

use std::fmt;
use std::sync::Arc;

use crate::engine::diagnostic::{Code, Hint, Remark, Says};
use crate::engine::evaluate::{BuildWarning, StepError, Wait};

/// What a finding says.
#[derive(Clone, Debug, PartialEq)]
pub enum Said {
    /// What the engine, or who goes through its recording, says of a step.
    Remark(Remark),
    /// Why the build failed.
    Failure(Arc<StepError>),
    /// What the build as a whole is warned of.
    Warning(Box<BuildWarning>),
    /// A step waits: what it is called, and what it waits for.
    Waits(Arc<str>, Box<Wait>),
    /// A target has charts that nobody allowed to be rendered.
    ChartsNotRendered,
    /// What a target needs cannot be reached: why, in the words of who tried.
    NotFetched(String),
}

impl From<Remark> for Said {
    fn from(remark: Remark) -> Self {
        Self::Remark(remark)
    }
}

impl Says for Said {
    fn code(&self) -> Code {
        match self {
            Self::Remark(remark) => remark.code(),
            Self::Failure(_) => Code::KZ000,
            Self::Warning(_) => Code::KZ001,
            Self::Waits(_, wait) if wait.is_for_an_earlier_step() => Code::KZ191,
            Self::Waits(..) | Self::ChartsNotRendered | Self::NotFetched(_) => Code::KZ190,
        }
    }

    fn hint(&self) -> Option<&Hint> {
        match self {
            Self::Failure(error) => error.hint.as_ref(),
            Self::Remark(_)
            | Self::Warning(_)
            | Self::Waits(..)
            | Self::ChartsNotRendered
            | Self::NotFetched(_) => None,
        }
    }
}

impl fmt::Display for Said {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Remark(remark) => remark.fmt(f),
            Self::Failure(error) => f.write_str(&error.message),
            Self::Warning(warning) => f.write_str(&warning.message()),
            Self::Waits(what, wait) => f.write_str(&waits(what, wait)),
            Self::ChartsNotRendered => f.write_str(
                "this target was not checked: it has charts, and these are rendered with --enable-helm",
            ),
            Self::NotFetched(why) => write!(
                f,
                "this target was not checked: what it needs could not be fetched: {why}"
            ),
        }
    }
}

/// Who waits is not said twice.
fn waits(what: &str, wait: &Wait) -> String {
    let need = wait.need();
    if wait.is_for_an_earlier_step() {
        format!("{what}: {need}")
    } else if need.starts_with(what) {
        need
    } else {
        format!("{what} waits: {need}")
    }
}
