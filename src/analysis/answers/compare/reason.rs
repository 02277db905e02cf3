//! The reason of a difference, and the builds to find it.

use std::path::PathBuf;
use std::sync::Arc;

use super::likely::Written;
use super::{EditId, NoEdit};
use crate::engine::resource::Resource;

/// Why a field differs.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Reason {
    /// The edits; more than one when only all of them together take the difference back.
    pub edits: Vec<EditId>,
    /// The second side was built without them, and the difference was gone.
    pub is_tried: bool,
    /// Why no edit is named although some exist.
    pub no_edit: Option<NoEdit>,
    /// The location of the value on the second side, and the number of the step that wrote it, from
    /// 1.
    pub at: Option<Written>,
    /// The same on the first side.
    pub was_at: Option<Written>,
}

impl Reason {
    /// True when neither an edit nor a place is known.
    pub fn is_unknown(&self) -> bool {
        self.edits.is_empty() && self.at.is_none() && self.was_at.is_none()
    }

    /// The same with the places of another.
    pub(super) fn at(self, places: &Self) -> Self {
        Self { at: places.at, was_at: places.was_at, ..self }
    }

    /// That edits were tried.
    pub(super) fn tried(edits: Vec<EditId>) -> Self {
        Self { edits, is_tried: true, ..Self::default() }
    }

    /// Edits that were not tried, and that no trial refutes.
    pub(super) fn untried(edits: Vec<EditId>) -> Self {
        Self { edits, ..Self::default() }
    }
}

/// Texts of files, in place of those that the second side reads.
type Texts = Vec<(PathBuf, Option<Arc<[u8]>>)>;

/// Builds of the second side with some edits taken back.
pub struct Trials<'a> {
    /// Builds with these texts; `None` if that fails.
    pub build: &'a mut dyn FnMut(Texts) -> Option<Vec<Arc<Resource>>>,
    /// How many more may be done.
    pub left: usize,
    /// Both sides are built like the same Kustomize.
    pub is_alike: bool,
    /// Both sides are built alike, from files that are the same but for the edits.
    pub edits_are_all: bool,
}
