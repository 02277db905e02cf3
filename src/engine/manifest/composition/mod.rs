//! Composition (KEP-2299): the document, its entries, and all checks that need no other file.

mod check;
mod decode;
mod entry;
mod merge;
mod paths;
mod problem;
#[cfg(test)]
mod tests;

pub use check::{FUNCTION_ANNOTATIONS, RuntimeKind, runtime_kind};
pub use check::{builtin_schema, check_entry};
pub use decode::decode_composition;
pub use entry::{is_function, read_entries, read_entry};
pub use merge::{MergedEntry, merge_override, merges_object_lists};
pub use paths::map_paths;
pub use problem::{CompositionError, EntryProblem};

use crate::diagnostic::CompositionRemark;
use std::fmt;

use crate::resource::Gvk;
use crate::yaml::{Mark, Node};

use super::Marked;

/// The file names of a Composition. D-A1: `Composition` without an extension is not one of them.
pub const COMPOSITION_FILE_NAMES: [&str; 2] = ["composition.yaml", "composition.yml"];
/// The API group of Kustomize's own files.
pub const KUSTOMIZE_GROUP: &str = "kustomize.config.k8s.io";
/// The apiVersion of a Composition.
pub const COMPOSITION_API_VERSION: &str = "kustomize.config.k8s.io/v1alpha1";

/// The identity of an entry, as in `JavaApplication/my-app (example.com/v1)`. D-A7: the namespace
/// is no part of it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, thiserror::Error)]
#[error("{}/{name} ({})", gvk.kind, gvk.api_version())]
pub struct EntryId {
    /// Group, version and kind; the version `builtin` for Kustomize's own.
    pub gvk: Gvk,
    /// `metadata.name`, the default applied.
    pub name: String,
}

impl EntryId {
    /// True for `apiVersion: builtin`.
    pub fn is_builtin(&self) -> bool {
        self.gvk.group.is_empty() && &*self.gvk.version == "builtin"
    }

    /// True for an inline Kustomization.
    pub fn is_kustomization(&self) -> bool {
        &*self.gvk.group == KUSTOMIZE_GROUP && &*self.gvk.kind == "Kustomization"
    }
}

/// The position at which imported entries are inserted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ImportMode {
    #[default]
    Prepend,
    Append,
}

/// One entry of `transformersFrom`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Import {
    /// `path`, not empty.
    pub path: String,
    pub mode: ImportMode,
    pub mark: Mark,
}

/// A transformer's configuration in canonical form: with defaults, former names replaced, the
/// fields in the order `apiVersion`, `kind`, `metadata`, `runtime`, then the others as written.
#[derive(Clone, Debug, PartialEq)]
pub struct CanonicalConfig {
    pub id: EntryId,
    pub node: Node,
    pub mark: Mark,
}

/// One item of `transformers` or `transformerOverrides`.
#[derive(Clone, Debug, PartialEq)]
pub struct ListedTransformer {
    pub item: Item,
    pub mark: Mark,
}

/// The kind of a list item.
#[derive(Clone, Debug, PartialEq)]
pub enum Item {
    Config(Box<CanonicalConfig>),
    /// A file, directory or URL with configurations, or configurations as text.
    Text(String),
}

/// One entry of `transformerOrder`. Absent parts are empty.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct OrderItem {
    pub name: String,
    pub kind: String,
    /// The group, if `apiVersion` or `group` is set.
    pub group: Option<String>,
    /// The version, if `apiVersion` or `version` is set.
    pub version: Option<String>,
    pub mark: Mark,
}

/// A Composition as written, with all checks that need one file only.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Composition {
    /// `transformersFrom`
    pub imports: Vec<Import>,
    pub transformers: Vec<ListedTransformer>,
    pub overrides: Vec<ListedTransformer>,
    /// `transformerOrder`
    pub order: Vec<OrderItem>,
    /// `catalogs` (KEP-2906), as written.
    pub catalogs: Vec<Marked<String>>,
    /// Accepted spellings for which a better one exists.
    pub warnings: Vec<Marked<CompositionRemark>>,
}

impl OrderItem {
    /// True if the item refers to this entry: the name and all other keys that are set are equal.
    pub fn selects(&self, id: &EntryId) -> bool {
        let given = |part: &Option<String>, have: &str| part.as_deref().is_none_or(|p| p == have);
        self.name == id.name
            && (self.kind.is_empty() || self.kind == *id.gvk.kind)
            && given(&self.group, &id.gvk.group)
            && given(&self.version, &id.gvk.version)
    }
}

impl fmt::Display for OrderItem {
    /// Writes `name`, `Kind/name` or `group/version Kind/name`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let parts = [self.group.as_deref(), self.version.as_deref()];
        let parts: Vec<&str> =
            parts.into_iter().flatten().filter(|part| !part.is_empty()).collect();
        if !parts.is_empty() {
            write!(f, "{} ", parts.join("/"))?;
        }
        if !self.kind.is_empty() {
            write!(f, "{}/", self.kind)?;
        }
        f.write_str(&self.name)
    }
}

/// A kind in kebab case: the default of `metadata.name` (section A.3).
pub fn kebab(kind: &str) -> String {
    let letters: Vec<char> = kind.chars().collect();
    let at = |index: usize| letters.get(index).copied().unwrap_or('\0');
    let mut out = String::with_capacity(kind.len() + 4);
    for (index, letter) in letters.iter().copied().enumerate() {
        if !letter.is_ascii_alphanumeric() {
            if !out.ends_with('-') {
                out.push('-');
            }
            continue;
        }
        let before = if index == 0 { '\0' } else { at(index - 1) };
        let begins_word = letter.is_ascii_uppercase()
            && (before.is_ascii_lowercase()
                || before.is_ascii_digit()
                || before.is_ascii_uppercase() && at(index + 1).is_ascii_lowercase());
        if begins_word && !out.is_empty() && !out.ends_with('-') {
            out.push('-');
        }
        out.push(letter.to_ascii_lowercase());
    }
    out.trim_matches('-').to_owned()
}
