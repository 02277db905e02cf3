//! Resources and their identity.

mod annotations;
mod bookkeeping;
mod change;
mod documents;
mod earlier_names;
mod id;
mod id_index;
mod res_map;
#[expect(clippy::module_inception, reason = "the room has the name of its content")]
mod resource;
mod schema;
mod scope;
mod selector;
mod shared;
mod sharing;
mod slot;

pub use annotations::{
    has_unfit_annotations, list_in_metadata, rewrite_annotations, rewriting_changes,
    set_annotation, take_annotation,
};
pub use bookkeeping::{
    BEHAVIOR_ANNOTATION, FUNCTION_PATHS, HASH_ANNOTATION, NEEDS_HASH, ORIGIN, TRANSFORMATIONS,
    adopt_bookkeeping, is_internal_annotation, read_internal_annotations,
    strip_internal_annotations, write_internal_annotations,
};
pub use change::{Change, ReusableChange};
pub use documents::{
    NotAResource, NotAResourceCause, TextOffset, copy_marks, go_object_text, is_composition_file,
    read_resources, shift_marks,
};
pub use earlier_names::{EarlierNames, MAX_EARLIER_NAMES, PreviousId};
pub(crate) use id::or;
pub use id::{Gvk, ResId, Scope};
pub(crate) use id_index::HashIndex;
pub use res_map::{ResMap, ResMapError};
pub use resource::{Behavior, FilePlace, Resource, ResourceOrigin};
pub use schema::{
    MergeKeys, Schema, SchemaError, SchemaFault, SchemaInForce, SchemaNode, SchemaNote,
    SchemaSource, SchemaType,
};
pub use scope::Scopes;
pub use selector::{
    CompiledSelector, LabelSelector, NarrowedPart, Narrowing, PartChange, RegexFault, Selector,
    SelectorError, SelectorMismatch, SelectorPart, SelectorPattern, SelectorSuggestion,
    explain_no_match, go_regex, nearest_name, with_article,
};
pub(crate) use selector::{is_subdomain, rest_after_dotted};
pub use shared::{PathStep, SharedNode, at, at_mut};
pub use slot::{QuickMap, QuickSet, Slot};
