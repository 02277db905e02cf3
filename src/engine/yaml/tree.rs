//! The tree of a document: scalars, sequences and mappings, with order, style, comments and the
//! origin of each node.

use std::hash::BuildHasher;
use std::sync::{Arc, OnceLock};

use foldhash::fast::RandomState;
use hashbrown::HashTable;
use hashbrown::hash_table::Entry;

/// One `key: value` of a mapping.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct MappingEntry {
    /// The key; always a scalar in Kubernetes resources.
    pub key: Node,
    pub value: Node,
}

/// A `Vec<MappingEntry>` that finds the first entry with a key. The index is made by the first
/// search in a wide mapping; writing through the `Vec` drops it.
#[derive(Clone, Debug, Default)]
pub struct Entries {
    pub(super) list: Vec<MappingEntry>,
    pub(super) index: OnceLock<Box<KeyIndex>>,
}

/// An ordered mapping; duplicate keys are kept, searches find the first.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Mapping {
    pub entries: Entries,
    pub style: Style,
}

/// The style in which a node was written, as go-yaml v3 stores it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Style {
    /// A plain scalar, or a block collection.
    #[default]
    Plain,
    /// `'…'`
    SingleQuoted,
    /// `"…"`
    DoubleQuoted,
    /// `|`
    Literal,
    /// `>`
    Folded,
    Flow,
}

/// The tag of a scalar, as go-yaml v3 holds it after reading: resolved for scalars of a text,
/// `None` for untagged scalars of a transformer (resolved again when printed).
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub enum Tag {
    /// No tag: a plain text is resolved when printed.
    #[default]
    None,
    Str,
    Int,
    Float,
    Bool,
    Null,
    Timestamp,
    Binary,
    /// `!!merge`, the `<<` key
    Merge,
    /// Any other tag: its name is in [`Scalar::other_tag`].
    Other,
}

/// A scalar: its text after unescaping, its tag and its style.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Scalar {
    pub text: Arc<str>,
    pub tag: Tag,
    pub style: Style,
    /// True when the tag was written out in the source (`!!str 1`).
    pub tagged: bool,
    /// The name of a tag that YAML does not define, as written.
    pub other_tag: Option<Arc<String>>,
}

/// The comments of a node, without interpretation, each with its `#`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Comments {
    pub head: String,
    pub line: String,
    pub foot: String,
    /// The written tag of a collection, as go-yaml shortens it; otherwise empty.
    pub tag: String,
    /// The name of the node's anchor; only in a text that is printed as written, otherwise empty.
    pub anchor: String,
    /// The name of the anchor of which the node is an alias; only in a text that is printed as
    /// written. `value` is the anchored content.
    pub alias: String,
}

/// The content of a node.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Value {
    Scalar(Scalar),
    /// The items, and the style of the sequence.
    Sequence(Arc<Vec<Node>>, Style),
    Mapping(Arc<Mapping>),
}

/// The three kinds of node; the names are those in Kustomize's messages.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NodeKind {
    Scalar,
    Sequence,
    Mapping,
}

/// A node of a document's tree, with all nodes below it. It is a value type: cloning shares every
/// subtree, and writing copies only the changed path.
///
/// Equality compares everything, marks and comments included; [`Node::same_content`] compares the
/// printed content.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Node {
    pub value: Value,
    /// The location of the node and its last writer.
    pub mark: Mark,
    pub comments: Option<Arc<Comments>>,
}

/// A file of the build, by its number in [`SourceNumbers`](crate::load::SourceNumbers).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct SourceId(pub u32);

/// The step that wrote a node, as an index into the trace's table of step names; stable across
/// re-evaluation.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct WriterId(pub u32);

impl SourceId {
    /// No file: the engine created the node.
    pub const NONE: Self = Self(0);
}

impl WriterId {
    /// No step yet.
    pub const NONE: Self = Self(0);
}

impl Mark {
    /// This location with the writer of `step`; the step's own mark if the location is not known.
    #[must_use]
    pub fn written_by(self, step: Self) -> Self {
        if self.line == 0 { step } else { Self { writer: step.writer, ..self } }
    }
}

/// The location of a node's text and the step that last wrote the node. Sixteen bytes. The location
/// is the text to edit in order to change the value; the writer is the last step that wrote it,
/// even if the value was equal.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Mark {
    pub source: SourceId,
    /// 1-based line; 0 if not known.
    pub line: u32,
    /// 1-based column in characters; 0 if not known.
    pub column: u32,
    /// The step that last wrote the node.
    pub writer: WriterId,
}

/// The limits of the reader.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    pub depth: usize,
    /// Nodes created by alias expansion, per text.
    pub alias_nodes: usize,
    pub bytes: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Self { depth: 250, alias_nodes: 1_000_000, bytes: 256 << 20 }
    }
}

/// Maps each key to the index of its first entry. Keys are not stored: the caller's `key_at`
/// returns the key at an index.
#[derive(Clone, Debug, Default)]
pub(super) struct KeyIndex {
    places: HashTable<usize>,
    hasher: RandomState,
}

impl KeyIndex {
    pub(super) fn len(&self) -> usize {
        self.places.len()
    }

    pub(super) fn add<'k>(&mut self, place: usize, key_at: impl Fn(usize) -> Option<&'k str>) {
        let Some(key) = key_at(place) else { return };
        let Self { places, hasher } = self;
        let is_it = |other: &usize| key_at(*other) == Some(key);
        let hash = |other: &usize| hasher.hash_one(key_at(*other));
        if let Entry::Vacant(vacant) = places.entry(hasher.hash_one(Some(key)), is_it, hash) {
            vacant.insert(place);
        }
    }

    pub(super) fn find<'k>(
        &self,
        key: &str,
        key_at: impl Fn(usize) -> Option<&'k str>,
    ) -> Option<usize> {
        let is_it = |place: &usize| key_at(*place) == Some(key);
        self.places.find(self.hasher.hash_one(Some(key)), is_it).copied()
    }

    /// Updates the index after the entry at `place` was removed.
    pub(super) fn remove(&mut self, place: usize) {
        self.places.retain(|other| {
            let stays = *other != place;
            *other -= usize::from(*other > place);
            stays
        });
    }
}
