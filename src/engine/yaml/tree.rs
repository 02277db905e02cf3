//! The tree: scalars, sequences, mappings, with order, style, comments and where each node came from.

use std::sync::{Arc, OnceLock};

use super::Mark;
use super::key_index::KeyIndex;

/// One `key: value` of a mapping.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Entry {
    /// The key; a scalar in everything that Kubernetes knows.
    pub key: Node,
    /// The value.
    pub value: Node,
}

/// A `Vec<Entry>` that finds the first entry with a key. The index is made by the first search in
/// a wide mapping; writing through the `Vec` drops it.
#[derive(Clone, Debug, Default)]
pub struct Entries {
    pub(super) list: Vec<Entry>,
    pub(super) index: OnceLock<Box<KeyIndex>>,
}

/// An ordered mapping; duplicate keys are kept, searches find the first.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Mapping {
    /// The entries in the order of the source.
    pub entries: Entries,
    /// Block or flow.
    pub style: Style,
}

/// How a node was written, as go-yaml v3 keeps it.
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
    /// `{…}` or `[…]`
    Flow,
}

/// The tag of a scalar, as go-yaml v3 holds it after reading: resolved for what was read, `None` for what a
/// transformer wrote without saying (it is then resolved again when printed).
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub enum Tag {
    /// Not said: a plain text is resolved when printed.
    #[default]
    None,
    /// `!!str`
    Str,
    /// `!!int`
    Int,
    /// `!!float`
    Float,
    /// `!!bool`
    Bool,
    /// `!!null`
    Null,
    /// `!!timestamp`
    Timestamp,
    /// `!!binary`
    Binary,
    /// `!!merge`, the `<<` key
    Merge,
    /// Any other tag: its name is in [`Scalar::rare`].
    Other,
}

/// A scalar: its text after unescaping, its tag and how it was written.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Scalar {
    /// The text.
    pub text: Arc<str>,
    /// The tag.
    pub tag: Tag,
    /// How it was written.
    pub style: Style,
    /// True when the tag was written out in the source (`!!str 1`).
    pub tagged: bool,
    /// What hardly a scalar has, behind a pointer of one word.
    pub rare: Option<Arc<Rare>>,
}

/// The comments of a node, without interpretation, each with its `#`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Comments {
    /// The lines above.
    pub head: String,
    /// At the end of the line.
    pub line: String,
    /// The lines below.
    pub foot: String,
    /// The tag of a collection, where one is written, as go-yaml shortens it.
    pub tag: String,
    /// The name of its anchor, in a text that is printed as it was written.
    pub anchor: String,
    /// The anchor that it is an alias of, in such a text: the node holds what the alias stands for.
    pub alias: String,
}

/// What a node holds.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Value {
    /// A scalar.
    Scalar(Scalar),
    /// A sequence with its style.
    Sequence(Arc<Vec<Node>>, Style),
    /// A mapping.
    Mapping(Arc<Mapping>),
}

/// The three kinds of node, in Kustomize's words for messages.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NodeKind {
    /// `ScalarNode`
    Scalar,
    /// `SequenceNode`
    Sequence,
    /// `MappingNode`
    Mapping,
}

/// A value type: cloning shares every subtree, writing copies only the path that is written.
///
/// Equality compares everything, marks and comments included; [`Node::same_content`] what is printed.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Node {
    /// What it holds.
    pub value: Value,
    /// Where it came from and who wrote it.
    pub mark: Mark,
    /// Its comments, if it has any.
    pub comments: Option<Arc<Comments>>,
}

/// See [`Scalar::rare`].
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Rare {
    /// The name of a tag that is none of YAML's own, as written.
    TagName(String),
    /// What Kustomize appended to a null: it is not printed, but labels and annotations are read there, and all of it
    /// comes out when the null becomes a mapping.
    BelowNull(Vec<Entry>),
}
