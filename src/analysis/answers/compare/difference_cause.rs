//! The cause of a difference, and the builds to find it.

use std::path::PathBuf;
use std::sync::Arc;

use super::likely_edits::WriteLocation;
use super::{EditId, NoEdit, PendingStep};
use crate::engine::resource::Resource;

/// The cause of a difference: the edits, or the locations of the values.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct DifferenceCause {
    /// The edits; several if only all of them together revert the difference.
    pub edits: Vec<EditId>,
    /// True if the second side was built without the edits and had no difference. An edit that was
    /// reverted only in groups with other edits counts as tried if it also contains a line that the
    /// recording names as a writer.
    pub is_tried: bool,
    pub unnamed_edit_reason: Option<NoEdit>,
    /// The location of the value on the second side, and the number of the step that wrote it, from
    /// 1.
    pub at: Option<WriteLocation>,
    /// The location of the value on the first side, and the number of the step that wrote it, from
    /// 1.
    pub was_at: Option<WriteLocation>,
    /// The pending step that may still write the field: the difference is not known.
    pub pending: Option<PendingStep>,
}

impl DifferenceCause {
    pub(super) fn with_locations(self, places: &Self) -> Self {
        Self { at: places.at, was_at: places.was_at, ..self }
    }
}

/// The files that a trial replaces on the second side, each with its text; `None` if the trial has
/// no such file.
type TrialTexts = Vec<(PathBuf, Option<Arc<[u8]>>)>;

/// Builds of the second side with some edits reverted.
pub(super) struct Trials<'a> {
    /// Builds with these texts; `None` if the build fails.
    pub build: &'a mut dyn FnMut(TrialTexts) -> Option<Vec<Arc<Resource>>>,
    pub left: usize,
    pub in_groups: usize,
    /// True if both sides are built with the same profile.
    pub is_alike: bool,
    /// True if the profile of both sides is the same, and their files differ only by the edits.
    pub edits_are_all: bool,
}
