//! The properties of a shape.

use std::borrow::Cow;
use std::sync::OnceLock;

use memchr::{memchr, memchr_iter};

use super::{ShapeId, Text};

/// Properties, sorted by name, each with its shape.
#[derive(Clone, Debug)]
pub(super) enum PropertyShapes {
    Parsed(Vec<(Text, ShapeId)>),
    /// Lines of the bundle of the form `.NAME NUMBER`, parsed at the first use: most of its
    /// definitions are never used.
    Bundled(&'static str, OnceLock<Vec<(Text, ShapeId)>>),
}

impl Default for PropertyShapes {
    fn default() -> Self {
        Self::Parsed(Vec::new())
    }
}

impl PartialEq for PropertyShapes {
    fn eq(&self, other: &Self) -> bool {
        self.listed() == other.listed()
    }
}

impl Eq for PropertyShapes {}

impl PropertyShapes {
    pub(super) fn get(&self, name: &str) -> Option<ShapeId> {
        let fields = self.listed();
        let found = fields.binary_search_by(|(field, _)| (**field).cmp(name));
        fields.get(found.ok()?).map(|(_, id)| *id)
    }

    pub(super) fn names(&self) -> impl Iterator<Item = &str> {
        self.listed().iter().map(|(name, _)| &**name)
    }

    /// All properties; parses the text if necessary.
    pub(super) fn listed(&self) -> &[(Text, ShapeId)] {
        match self {
            Self::Parsed(fields) => fields,
            Self::Bundled(lines, read) => read.get_or_init(|| read_lines(lines)),
        }
    }

    /// A copy with renumbered shapes, for another schema.
    pub(super) fn moved(&self, moved: impl Fn(ShapeId) -> ShapeId) -> Self {
        Self::Parsed(self.listed().iter().map(|(name, id)| (name.clone(), moved(*id))).collect())
    }
}

/// Parses the lines of a definition in the bundle: one property each.
fn read_lines(lines: &'static str) -> Vec<(Text, ShapeId)> {
    let mut start = 0;
    let line = |end: usize| {
        let line = &lines[std::mem::replace(&mut start, end + 1)..end];
        let space = memchr(b' ', line.as_bytes())?;
        let name = line[..space].strip_prefix('.')?;
        Some((Cow::Borrowed(name), ShapeId(line[space + 1..].parse().ok()?)))
    };
    memchr_iter(b'\n', lines.as_bytes()).filter_map(line).collect()
}
