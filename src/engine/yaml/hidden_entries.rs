//! Rare properties of scalars: the name of an unusual tag, or entries below a null.

use std::sync::Arc;

use super::{MappingEntry, Node, RareScalarParts, Scalar};

impl Scalar {
    /// The name of a tag that YAML does not define; empty for other tags.
    pub fn tag_name(&self) -> &str {
        match self.rare.as_deref() {
            Some(RareScalarParts::TagName(name)) => name,
            Some(RareScalarParts::BelowNull(_)) | None => "",
        }
    }
}

impl Node {
    /// The entries that were appended to a null.
    pub fn hidden_entries(&self) -> &[MappingEntry] {
        match self.as_scalar().and_then(|scalar| scalar.rare.as_deref()) {
            Some(RareScalarParts::BelowNull(entries)) => entries,
            Some(RareScalarParts::TagName(_)) | None => &[],
        }
    }

    /// The tree without entries below nulls; `None` if it has none.
    pub fn without_hidden_entries(&self) -> Option<Self> {
        self.changed(&|node| {
            if node.hidden_entries().is_empty() {
                return None;
            }
            let mut bare = node.clone();
            bare.as_scalar_mut()?.rare = None;
            Some(bare)
        })
    }

    /// Appends entries to a null, even if an entry has the same key.
    pub fn append_hidden_entries(&mut self, added: &[MappingEntry]) {
        let entries = [self.hidden_entries(), added].concat();
        if let Some(scalar) = self.as_scalar_mut().filter(|scalar| scalar.is_null()) {
            scalar.rare = Some(Arc::new(RareScalarParts::BelowNull(entries)));
        }
    }
}
