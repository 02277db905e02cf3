//! The schema that a step works with.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, LazyLock};

use super::{Schema, SchemaFault, bundle};

/// The schema in force: the built-in one, which is read at its first use, or a custom one.
#[derive(Clone, Debug, Default)]
pub enum SchemaInForce {
    /// The built-in schema: Kubernetes 1.21.2, as in Kustomize.
    #[default]
    Builtin,
    /// The schema that a layer sets by `openapi:`.
    Custom(Arc<Schema>),
    /// The built-in schema with a record of its first use: Kustomize has loaded it from then on.
    Watched(Arc<AtomicBool>),
}

pub(super) static BUILTIN: LazyLock<Schema> = LazyLock::new(|| bundle::read(bundle::KUSTOMIZE));

pub(super) static ALL_VERSIONS: LazyLock<Schema> =
    LazyLock::new(|| bundle::read(bundle::ALL_VERSIONS));

impl SchemaInForce {
    /// The same schema; if it is the built-in one, its use is recorded from now on.
    #[must_use]
    pub fn watched(&self) -> Self {
        match self {
            Self::Builtin | Self::Watched(_) => Self::Watched(Arc::default()),
            Self::Custom(schema) => Self::Custom(schema.clone()),
        }
    }

    /// True if this is the built-in schema and it was used since [`Self::watched`] returned it.
    pub fn was_used(&self) -> bool {
        matches!(self, Self::Watched(asked) if asked.load(Ordering::Relaxed))
    }

    /// The reason why the schema cannot be used; does not parse the built-in schema.
    pub fn fault(&self) -> Option<&SchemaFault> {
        match self {
            Self::Builtin | Self::Watched(_) => None,
            Self::Custom(schema) => schema.fault(),
        }
    }

    /// The schema itself: reads the built-in one, and records the use if it is watched.
    pub fn ask(&self) -> &Schema {
        match self {
            Self::Builtin => &BUILTIN,
            Self::Custom(schema) => schema,
            Self::Watched(asked) => {
                asked.store(true, Ordering::Relaxed);
                &BUILTIN
            }
        }
    }
}

impl PartialEq for SchemaInForce {
    /// True if both schemas define the same; it makes no difference whether their use is recorded.
    fn eq(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Builtin | Self::Watched(_), Self::Builtin | Self::Watched(_)) => true,
            (Self::Custom(one), Self::Custom(other)) => one == other,
            (Self::Custom(_), Self::Builtin | Self::Watched(_))
            | (Self::Builtin | Self::Watched(_), Self::Custom(_)) => false,
        }
    }
}
