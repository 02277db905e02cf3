//! The reason why a step is pending.

use std::fmt;
use std::path::PathBuf;

use crate::diagnostic::{Hint, RefusalCause, WithheldStep};
use crate::load::RemoteError;
use crate::plugin::{ProgramError, RequiredAction, RunRefusal};
use crate::transform::TransformError;

/// The reason why a step is pending. The display code chooses the wording.
#[derive(Clone, Debug, PartialEq)]
pub struct Wait {
    pub awaited: RequiredAction,
    /// The cause, with its context: the reason and the referring file.
    pub why: WaitCause,
    /// A hint how to make the step run, with the command to type.
    pub way: Option<Hint>,
    /// The base directory of displayed paths; empty to show them unchanged.
    pub display_base: PathBuf,
}

/// The cause that makes a step pending.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum WaitCause {
    #[error(transparent)]
    Refused(RefusalCause),
    #[error(transparent)]
    Withheld(WithheldStep),
    #[error(transparent)]
    NotFetched(RemoteError),
    /// The step would fail, but an earlier pending step may create the missing item.
    #[error("not known while an earlier step is pending: {}", first_line(&.0.to_string()))]
    Unknown(Box<TransformError>),
}

impl Wait {
    /// The name of the function, or the command of the program, that is allowed to run and only
    /// waits for the user's request; `None` for any other reason.
    pub fn unrequested(&self) -> Option<&str> {
        match &self.why {
            WaitCause::Refused(RefusalCause::NotAsked(function)) => Some(function),
            WaitCause::Withheld(WithheldStep::Program(ProgramError::NotAsked { command })) => {
                Some(command)
            }
            _ => None,
        }
    }

    /// The reason with a cause whose text already contains the remedy.
    pub(super) fn new(awaited: RequiredAction, why: WaitCause) -> Self {
        Self { awaited, why, way: None, display_base: PathBuf::new() }
    }

    /// The reason for a function that is not allowed to run; `None` if the refusal is final.
    pub(super) fn of_refusal(refusal: &RunRefusal) -> Option<Self> {
        let (way, awaited) = refusal.required.clone()?;
        let why = WaitCause::Refused(refusal.cause.clone());
        Some(Self { way: Some(*way), ..Self::new(awaited, why) })
    }

    /// The required action or decision in one line: `catalog '../c.yaml' is not trusted`.
    pub fn required_action_text(&self) -> String {
        // One line has no room for the referring file and the purpose of a catalog.
        let need = match (&self.awaited, &self.why) {
            (RequiredAction::Trust(written), WaitCause::Refused(_)) => {
                format!("catalog '{written}' is not trusted")
            }
            (_, WaitCause::Refused(_)) => first_line(&self.to_string()).to_owned(),
            (_, why) => first_line(&why.to_string()).to_owned(),
        };
        self.relative_paths(&need)
    }

    /// True if the step depends only on an earlier pending step.
    pub fn is_for_an_earlier_step(&self) -> bool {
        self.awaited == RequiredAction::EarlierStep
    }

    fn relative_paths(&self, text: &str) -> String {
        let base = self.display_base.to_string_lossy();
        match base.trim_end_matches('/') {
            "" => text.to_owned(),
            base => text.replace(&format!("{base}/"), ""),
        }
    }
}

impl fmt::Display for Wait {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.relative_paths(&self.why.to_string()))?;
        // Keep paths in shell commands unchanged.
        self.way.as_ref().map_or(Ok(()), |way| write!(f, "; {way}"))
    }
}

fn first_line(text: &str) -> &str {
    text.lines().next().unwrap_or_default()
}
