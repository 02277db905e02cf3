//! What of a resource has a place in a text to Kustomize, which compares places when a validator ran.

use std::sync::Arc;

use crate::yaml::{Mark, Node, Tag, WriterId};

/// What happened to the places that marks do not tell: marks say who wrote a value, and stay.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Places {
    /// There were labels when Kustomize last noted something in annotations, which are behind them since, or when it
    /// read the whole resource again, which gave them a place. A validator tells such labels from its own.
    pub labels_are_settled: bool,
    /// Kustomize made the labels anew: what these steps had written until then has no place. Which of two steps came first
    /// is not told by their numbers, which they keep from one build to the next.
    pub(super) labels_are_made_of: Vec<WriterId>,
    /// The same of the annotations.
    pub(super) annotations_are_made_of: Vec<WriterId>,
    /// Scalars that a replacement gave another text: the place of each is that of the one that was there.
    pub(super) kept: Vec<(Mark, Mark)>,
    /// Kustomize read everything again, so that all that was there has a place.
    pub(super) read_again: Option<ReadAgain>,
    /// What Kustomize noted among the annotations, in that order. Only kept where a hash depends on it.
    pub(super) notes: Vec<Noted>,
    /// There were annotations when Kustomize first noted something among them: they stand where they stood.
    pub annotations_are_settled: bool,
    /// What is known of where its nodes stand.
    pub(super) followed: Followed,
    /// The tree as it was when a patch had put other nodes in it, and where they stood then.
    pub(super) placed: Option<Arc<Placed>>,
}

/// Whether somebody knows where nodes stand to Kustomize.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Followed {
    /// Yes.
    #[default]
    Always,
    /// A patch made nodes of it. What they are is only followed where a hash depends on it.
    ForHashes,
    /// A patch or a function made other nodes of it, or a value took the place of a null. Only kept where a hash depends on it.
    NoMore,
}

/// A tree at the time when its places were last known, and the same tree with those places.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Placed {
    pub(super) seen: Node,
    pub(super) places: Node,
}

/// What Kustomize notes among the annotations of an object.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Note {
    /// Where it comes from.
    Origin,
    /// The ids that it had before.
    Previous,
    /// The prefixes of its name.
    Prefixes,
    /// The suffixes of its name.
    Suffixes,
    /// That a patch may change its name.
    NameChange,
    /// That a patch may change its kind.
    KindChange,
    /// That a hash is to be appended to its name, where a generator asked for it.
    NeedsHash,
    /// What a generator said of an object that is there already.
    Behavior,
    /// Where a function put it.
    Path,
    /// The same in the older spelling.
    LegacyPath,
}

/// Where a note stands among the annotations.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Noted {
    /// Which.
    pub note: Note,
    /// How many others stood before it.
    pub before: usize,
    /// It was made anew with all annotations, without the quotes of a note.
    pub is_made_anew: bool,
}

/// Where the nodes of a resource stand once a step wrote to it.
#[derive(Clone, Debug, PartialEq)]
pub struct Standing {
    /// The tree, each mark a place.
    pub places: Node,
    /// What is noted among the annotations; nothing where that is what it was.
    pub notes: Option<Vec<Noted>>,
}

impl From<Node> for Standing {
    fn from(places: Node) -> Self {
        Self { places, notes: None }
    }
}

/// What was there when Kustomize sent a resource through JSON.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct ReadAgain {
    /// The JSON patch.
    pub(super) by: Mark,
    /// The other steps that had written something until then.
    pub(super) written_by: Vec<WriterId>,
}

/// Where a value stands to Kustomize, and who put it there.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Place {
    pub(super) mark: Mark,
    /// The JSON patch after which it was read again.
    pub(super) read_again: Option<Mark>,
    /// A text without a tag: whoever writes an equal one gives it a tag, which is a change as a place would be.
    pub(super) is_untagged: bool,
}

impl Place {
    /// Where a value stands that was not read again since.
    pub fn of(node: &Node) -> Self {
        let is_untagged = node.as_scalar().is_some_and(|scalar| scalar.tag == Tag::None);
        Self { mark: node.mark, read_again: None, is_untagged }
    }

    /// The step that put it there.
    pub fn writer(&self) -> WriterId {
        self.read_again.unwrap_or(self.mark).writer
    }

    /// True for a text without a tag.
    pub fn is_untagged(&self) -> bool {
        self.is_untagged
    }
}
