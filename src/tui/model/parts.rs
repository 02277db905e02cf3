//! Small parts of the state.

use std::time::Duration;

use super::super::text::TextLine;
use super::super::theme::Role;
use super::{ResourceKey, Screen};
use crate::answers::secrets::Secrets;
use crate::draft::{FileChange, KeptDraft, Revision};

/// What is kept of the draft for the next time.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Keeping {
    /// These changes, of the draft when it had this revision.
    Kept(Vec<FileChange>, Revision),
    /// A draft of an earlier time, about which nobody has decided yet.
    Undecided(Box<KeptDraft>),
    Impossible,
}

impl Default for Keeping {
    fn default() -> Self {
        Self::Kept(Vec::new(), Revision::default())
    }
}

/// Whose effect is listed beside the tree.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum EffectOf {
    #[default]
    Row,
    /// The draft's on the output, because the row does nothing by itself.
    Draft,
}

/// A build that runs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Running {
    /// None does.
    #[default]
    Idle,
    /// One does, for this long as far as anybody said.
    For(Duration),
    /// The user cancelled it: what is shown is older than the draft.
    Cancelled,
}

/// What is shown on the line of hints until the next key.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Status {
    pub text: String,
    pub role: Role,
}

impl Status {
    /// A warning in these words.
    pub(crate) fn warning(text: &str) -> Self {
        Self { text: super::super::text::sanitize(text).into_owned(), role: Role::Warning }
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
pub(crate) type Place = (Screen, usize, Option<ResourceKey>);
