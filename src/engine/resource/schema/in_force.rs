//! The schema that a step works with.

use std::ops::Deref;
use std::sync::{Arc, LazyLock};

use super::{Schema, bundle};

/// The schema in force: the built-in one, which is read only when somebody asks it something, or a custom one.
#[derive(Clone, Debug, Default)]
pub enum SchemaInForce {
    /// Kubernetes 1.21.2, as Kustomize has it.
    #[default]
    Builtin,
    /// What `openapi:` set.
    Custom(Arc<Schema>),
}

pub(super) static BUILTIN: LazyLock<Schema> = LazyLock::new(bundle::read);

impl SchemaInForce {
    /// True when both say the same.
    pub fn is(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Builtin, Self::Builtin) => true,
            (Self::Custom(one), Self::Custom(other)) => Arc::ptr_eq(one, other) || one == other,
            _ => false,
        }
    }
}

impl Deref for SchemaInForce {
    type Target = Schema;

    fn deref(&self) -> &Schema {
        match self {
            Self::Builtin => &BUILTIN,
            Self::Custom(schema) => schema,
        }
    }
}
