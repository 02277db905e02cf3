//! Compositions (KEP-2299): consolidation into one list of entries, and its execution in order.

mod document;
mod expand;
mod failure;
mod gather;
mod imports;
mod order;
mod overrides;
mod references;
mod run;
mod uses;

pub(super) use references::{is_composition, load_entry_file, split_compositions};
pub use uses::consolidate;

use std::path::PathBuf;

use crate::diagnostic::Diagnostic;
use crate::load::Root;
use crate::manifest::{EntryId, ImportMode, RuntimeKind};
use crate::yaml::{Mark, Node};

/// The location of a part of a Composition, for edits.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CompositionLocation {
    pub file: String,
    pub field: &'static str,
    /// The index of the part in the field, from 0.
    pub index: usize,
    pub mark: Mark,
}

/// One entry of the consolidated list, whose entries run in their order.
#[derive(Clone, Debug)]
pub struct ConsolidatedEntry {
    pub id: EntryId,
    /// The configuration, with overrides merged in; its paths are relative to `listed`.
    pub config: Node,
    /// The location of the configuration: in the list, or in a file that the list names.
    pub origin: CompositionLocation,
    pub listed: CompositionLocation,
    /// The items of `transformersFrom` that lead to the entry, outermost first.
    pub imported_from: Vec<CompositionLocation>,
    /// The overrides merged into the entry, in order.
    pub overridden_by: Vec<AppliedOverride>,
    /// The item of the outermost `transformerOrder` that placed the entry.
    pub ordered_by: Option<CompositionLocation>,
    /// The kind of the runtime; `None` for a built-in.
    pub runtime: Option<RuntimeKind>,
    pub(super) root: Root,
}

/// An override that is merged into an imported entry.
#[derive(Clone, Debug)]
pub struct AppliedOverride {
    pub place: CompositionLocation,
    pub before: Node,
}

/// An imported entry that an override removed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RemovedEntry {
    pub id: EntryId,
    pub origin: CompositionLocation,
    pub removed_by: CompositionLocation,
}

/// A commented-out item of the target's own file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SwitchedOffEntry {
    /// The text of the item without the comment signs.
    pub text: String,
    /// The location; its index counts only the active items before it.
    pub place: CompositionLocation,
}

/// A Composition and its imports.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ImportTree {
    pub file: String,
    /// The item of the importing Composition; `None` for the target.
    pub place: Option<CompositionLocation>,
    pub mode: ImportMode,
    /// The number of entries of the Composition, imports included.
    pub entries: usize,
    pub transformers: Vec<CompositionLocation>,
    pub overrides: Vec<CompositionLocation>,
    pub order: Vec<CompositionLocation>,
    /// The imports, in the order of `transformersFrom`.
    pub imports: Vec<ImportTree>,
}

/// A catalog that the consolidated list may use.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CatalogReference {
    pub written: String,
    /// A URL, or an absolute path.
    pub resolved: String,
    pub mark: Mark,
}

/// A Composition with its imports, overrides and orders applied: the entries in execution order,
/// and the origin of each.
#[derive(Clone, Debug)]
pub struct ConsolidatedComposition {
    pub directory: PathBuf,
    pub file: String,
    pub entries: Vec<ConsolidatedEntry>,
    pub imports: ImportTree,
    /// The catalogs in order of precedence (D-A35).
    pub catalogs: Vec<CatalogReference>,
    pub removed: Vec<RemovedEntry>,
    pub switched_off: Vec<SwitchedOffEntry>,
    pub warnings: Vec<Diagnostic>,
}
