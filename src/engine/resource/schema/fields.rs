//! The properties of a shape.

use std::borrow::Cow;

use super::{ShapeId, Text};

/// Properties, sorted by name, each with its shape.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Fields {
    /// Of a document that was read.
    Listed(Vec<(Text, ShapeId)>),
    /// As they stand in the bundle: few of its definitions are ever asked for.
    Written(&'static str),
}

impl Default for Fields {
    fn default() -> Self {
        Self::Listed(Vec::new())
    }
}

impl Fields {
    pub(super) fn get(&self, name: &str) -> Option<ShapeId> {
        match self {
            Self::Listed(fields) => {
                let found = fields.binary_search_by(|(field, _)| (**field).cmp(name));
                Some(fields[found.ok()?].1)
            }
            Self::Written(lines) => written(lines).find(|(field, _)| *field == name).map(|it| it.1),
        }
    }

    pub(super) fn names(&self) -> impl Iterator<Item = &str> {
        let (listed, lines) = match self {
            Self::Listed(fields) => (&**fields, ""),
            Self::Written(lines) => (&[][..], *lines),
        };
        listed.iter().map(|(name, _)| &**name).chain(written(lines).map(|(name, _)| name))
    }

    /// All of them.
    pub(super) fn listed(&self) -> Vec<(Text, ShapeId)> {
        match self {
            Self::Listed(fields) => fields.clone(),
            Self::Written(lines) => {
                written(lines).map(|(name, id)| (Cow::Borrowed(name), id)).collect()
            }
        }
    }

    /// The same properties where the shapes have other numbers.
    pub(super) fn moved(&self, moved: impl Fn(ShapeId) -> ShapeId) -> Self {
        Self::Listed(self.listed().into_iter().map(|(name, id)| (name, moved(id))).collect())
    }
}

/// The lines `.NAME NUMBER` of a bundle.
fn written(lines: &'static str) -> impl Iterator<Item = (&'static str, ShapeId)> {
    lines.lines().filter_map(|line| {
        let (name, number) = line.strip_prefix('.')?.split_once(' ')?;
        Some((name, ShapeId(number.parse().ok()?)))
    })
}
