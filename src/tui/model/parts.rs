//! Small parts of the state.

use std::time::Duration;

use super::super::text::TextLine;
use super::super::theme::StyleRole;
use super::{ResourceKey, Screen};
use crate::draft::{FileChange, Revision, StoredDraft};

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum KeptDraftState {
    /// The draft is kept: its changes, and its revision at that time.
    Kept(Vec<FileChange>, Revision),
    /// A draft of an earlier session: the user has not decided yet whether to restore it.
    Undecided(Box<StoredDraft>),
    /// Drafts cannot be kept: a note was shown.
    Impossible,
}

impl Default for KeptDraftState {
    fn default() -> Self {
        Self::Kept(Vec::new(), Revision::default())
    }
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum RunningBuild {
    #[default]
    Idle,
    /// A build is running; the time since its start, as last reported.
    Running(Duration),
    /// The user cancelled the build, so that the screen is older than the draft.
    Cancelled,
}

/// The message on the line of hints until the next key.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Status {
    pub text: String,
    pub role: StyleRole,
}

impl Status {
    pub(crate) fn warning(text: &str) -> Self {
        Self { text: super::super::text::sanitize(text).into_owned(), role: StyleRole::Warning }
    }
}

/// A text of some lines with a title: a preview, an explanation.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Preview {
    pub title: String,
    pub lines: Vec<TextLine>,
    /// The line that the text is about, from 0.
    pub at: Option<usize>,
}

/// The position before a jump: screen, step, and the shown resource.
pub(crate) type JumpPosition = (Screen, usize, Option<ResourceKey>);
