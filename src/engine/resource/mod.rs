//! Resources and who they are.

mod id;
mod id_index;
mod res_map;
#[expect(clippy::module_inception, reason = "the room is named by what is in it")]
mod resource;
mod schema;
mod scope;
mod selector;
mod slot;

pub use id::{Gvk, ResId, Scope};
pub use res_map::{Change, ResMap, ResMapError};
pub use resource::{Behavior, FilePlace, Origin, PreviousId, Resource};
pub use schema::{CommentSchema, MergeKeys, Schema, SchemaError, SchemaNode, Type};
pub use scope::Scopes;
pub use selector::{
    CompiledSelector, LabelSelector, Pattern, Selector, SelectorError, nearest_name, why_nothing,
};
pub use slot::Slot;
