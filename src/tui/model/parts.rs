//! Small parts of the state.

use std::time::Duration;

use super::super::text::TextLine;
use super::super::theme::StyleRole;
use super::{ResourceKey, Screen};
use crate::answers::secrets::Secrets;
use crate::draft::{FileChange, KeptDraft, Revision};

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum KeptDraftState {
    /// These changes, of the draft when it had this revision.
    Kept(Vec<FileChange>, Revision),
    /// A draft of an earlier session without a decision yet.
    Undecided(Box<KeptDraft>),
    Impossible,
}

impl Default for KeptDraftState {
    fn default() -> Self {
        Self::Kept(Vec::new(), Revision::default())
    }
}

/// The subject of the effect list beside the tree.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum EffectOf {
    #[default]
    Row,
    /// The effect of the draft, because the row has none.
    Draft,
}

/// A build that runs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum RunningBuild {
    /// None does.
    #[default]
    Idle,
    /// Running for so long, as far as reported.
    For(Duration),
    /// Cancelled by the user: the display is older than the draft.
    Cancelled,
}

/// The message on the line of hints until the next key.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Status {
    pub text: String,
    pub role: StyleRole,
}

impl Status {
    /// A warning in these words.
    pub(crate) fn warning(text: &str) -> Self {
        Self { text: super::super::text::sanitize(text).into_owned(), role: StyleRole::Warning }
    }
}

/// How the values of Secrets are shown at first.
pub(crate) fn first_secrets(are_shown: bool, salt: [u8; 16]) -> Secrets {
    if are_shown { Secrets::shown() } else { Secrets::masked(salt) }
}

/// A text of some lines with a title: a preview, an explanation.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Preview {
    pub title: String,
    pub lines: Vec<TextLine>,
    /// The line that it is about, from 0.
    pub at: Option<usize>,
}

/// Where a jump began: screen, step, and the resource that was shown.
pub(crate) type JumpPosition = (Screen, usize, Option<ResourceKey>);
