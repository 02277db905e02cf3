//! The tree of a document: scalars, sequences and mappings, with order, style, comments and the
//! origin of each node.

use std::sync::{Arc, OnceLock};

use super::Mark;
use super::key_index::KeyIndex;

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
