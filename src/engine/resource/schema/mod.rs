//! `OpenAPI` facts as a value: merge keys, patch strategies, scopes (ruling 7; sections 5.1 and
//! 5.6).

mod bundle;
mod document;

use std::borrow::Cow;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, LazyLock};

use indexmap::IndexSet;

use super::{Gvk, QuickMap, Scope};
use crate::yaml::{Mark, YamlError};

use bundle::PropertyShapes;

pub use document::SchemaSource;

/// A text of a schema: borrowed from the built-in bundle, or owned by a custom document.
type Text = Cow<'static, str>;

/// A set of `OpenAPI` definitions. Never global: passed as an argument.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Schema {
    shapes: Vec<SchemaShape>,
    definitions: QuickMap<Text, ShapeId>,
    /// Definitions by apiVersion and kind.
    types: QuickMap<(Text, Text), ShapeId>,
    scopes: QuickMap<Gvk, Scope>,
    fault: Option<SchemaFault>,
}

/// An index into [`Schema::shapes`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct ShapeId(usize);

/// The facts about one part of a schema: a definition, a property or the items of a list.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct SchemaShape {
    kind: SchemaType,
    /// The name of the definition that is referred to.
    reference: Option<Text>,
    fields: PropertyShapes,
    /// The shape of `items` or of `additionalProperties`.
    inner: Option<ShapeId>,
    /// For an associative list, its merge keys; empty for a list of scalars.
    merge: Option<Vec<Text>>,
    /// True if the object has no other fields.
    is_closed: bool,
    /// The only values of a scalar; empty if it may have others.
    values: Vec<Text>,
}

/// The `type` of a part of a schema.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum SchemaType {
    #[default]
    Any,
    String,
    Integer,
    Number,
    Boolean,
    Object,
    Array,
    /// A string or a number, such as a quantity or a port.
    StringOrNumber,
}

/// A part of a schema: a definition, a property or the items of a list, with references resolved.
#[derive(Clone, Copy, Debug)]
pub struct SchemaNode<'a> {
    schema: &'a Schema,
    shape: &'a SchemaShape,
}

/// The keys that identify the elements of an associative list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MergeKeys<'a>(&'a [Text]);

impl Schema {
    /// The built-in schema: Kubernetes 1.21.2, as Kustomize has it.
    pub fn builtin() -> &'static Self {
        &BUILTIN
    }

    /// The fields of built-in types in the versions of Kubernetes from 1.18 to 1.37, without merge
    /// keys: no version has a field outside of it.
    pub fn all_versions() -> &'static Self {
        &ALL_VERSIONS
    }

    /// Creates a schema that cannot be used. It replaces an error, because Kustomize reads the file
    /// only at its first use, and panics then.
    #[must_use]
    pub fn unusable(fault: SchemaFault) -> Self {
        Self { fault: Some(fault), ..Self::default() }
    }

    /// The reason why the schema cannot be used.
    pub fn fault(&self) -> Option<&SchemaFault> {
        self.fault.as_ref()
    }

    /// The names of the definitions.
    pub fn definitions(&self) -> impl ExactSizeIterator<Item = &str> {
        self.definitions.keys().map(|name| &**name)
    }

    /// True if it defines no types.
    pub fn is_empty(&self) -> bool {
        self.definitions.is_empty() && self.scopes.is_empty() && self.fault.is_none()
    }

    /// The references of `part` without a definition in this schema, each once.
    pub fn unresolved<'p>(&self, part: &'p Self) -> Vec<&'p str> {
        let references = part.shapes.iter().filter_map(|shape| shape.reference.as_deref());
        let lost = references.filter(|name| !self.definitions.contains_key(*name));
        lost.collect::<IndexSet<_>>().into_iter().collect()
    }

    /// The merge keys of the list at a path of a type; the path contains keys and no indices.
    pub fn merge_keys_at(
        &self,
        api_version: &str,
        kind: &str,
        path: &[impl AsRef<str>],
    ) -> Option<MergeKeys<'_>> {
        let mut node = self.of_type(api_version, kind)?;
        for key in path {
            if node.kind() == SchemaType::Array {
                node = node.elements()?;
            }
            node = node.field(key.as_ref())?;
        }
        node.merge()
    }

    /// This schema merged with another one: definitions and types of `over` take precedence.
    #[must_use]
    pub fn merged_with(&self, over: &Self) -> Self {
        let mut out = self.clone();
        let offset = out.shapes.len();
        let moved = |id: ShapeId| ShapeId(id.0 + offset);
        out.shapes.extend(over.shapes.iter().map(|shape| SchemaShape {
            fields: shape.fields.moved(moved),
            inner: shape.inner.map(moved),
            ..shape.clone()
        }));
        out.definitions
            .extend(over.definitions.iter().map(|(name, id)| (name.clone(), moved(*id))));
        out.types.extend(over.types.iter().map(|(name, id)| (name.clone(), moved(*id))));
        out.scopes.extend(over.scopes.iter().map(|(gvk, scope)| (gvk.clone(), *scope)));
        out
    }

    /// The definition of exactly this type, if it has one.
    pub fn of_type(&self, api_version: &str, kind: &str) -> Option<SchemaNode<'_>> {
        let key = (Cow::Owned(api_version.to_owned()), Cow::Owned(kind.to_owned()));
        self.node(*self.types.get(&key)?)
    }

    /// A definition by its name.
    pub fn definition(&self, name: &str) -> Option<SchemaNode<'_>> {
        self.node(*self.definitions.get(name)?)
    }

    /// The scope that the schema's paths define for a type, if any.
    pub fn scope(&self, gvk: &Gvk) -> Option<Scope> {
        self.scopes.get(gvk).copied()
    }

    /// The types that the schema describes: apiVersion and kind.
    pub fn types(&self) -> impl Iterator<Item = (&str, &str)> {
        self.types.keys().map(|(api_version, kind)| (&**api_version, &**kind))
    }

    /// Follows references; `None` for a reference without a definition.
    fn node(&self, id: ShapeId) -> Option<SchemaNode<'_>> {
        let mut shape = self.shapes.get(id.0)?;
        // Definitions that refer to each other in a circle end here.
        for _ in 0..16 {
            let Some(reference) = &shape.reference else {
                return Some(SchemaNode { schema: self, shape });
            };
            shape = self.shapes.get(self.definitions.get(reference)?.0)?;
        }
        None
    }

    fn push(&mut self, shape: SchemaShape) -> ShapeId {
        self.shapes.push(shape);
        ShapeId(self.shapes.len() - 1)
    }
}

impl<'a> SchemaNode<'a> {
    /// The schema of a field: that of the property, else that of additional properties.
    pub fn field(&self, name: &str) -> Option<Self> {
        match self.shape.fields.get(name) {
            Some(id) => self.schema.node(id),
            None if self.shape.kind != SchemaType::Array => self.schema.node(self.shape.inner?),
            None => None,
        }
    }

    /// The schema of a list's elements; only where the type is `array`.
    pub fn elements(&self) -> Option<Self> {
        let inner = self.shape.inner.filter(|_| self.shape.kind == SchemaType::Array);
        self.schema.node(inner?)
    }

    /// The merge keys of an associative list; `None` for a list that a patch replaces.
    pub fn merge(&self) -> Option<MergeKeys<'a>> {
        self.shape.merge.as_deref().map(MergeKeys)
    }

    /// The address of the shape, which identifies a part of the schema while the schema exists.
    pub fn address(&self) -> usize {
        std::ptr::from_ref(self.shape).addr()
    }

    /// The type that the schema sets here.
    pub fn kind(&self) -> SchemaType {
        self.shape.kind
    }

    /// True if the schema names every field that the object can have.
    pub fn is_closed(&self) -> bool {
        self.shape.is_closed
    }

    /// True if the schema describes the field, as a property or by its additional properties.
    pub fn has_field(&self, name: &str) -> bool {
        self.shape.fields.get(name).is_some() || self.shape.inner.is_some()
    }

    /// The only values of the scalar; none if it may have others.
    pub fn values(&self) -> impl Iterator<Item = &'a str> + use<'a> {
        self.shape.values.iter().map(|value| &**value)
    }

    /// The names of the properties.
    pub fn fields(&self) -> impl Iterator<Item = &'a str> + use<'a> {
        self.shape.fields.names()
    }
}

impl<'a> MergeKeys<'a> {
    /// The names of the merge keys; empty for a list of scalars.
    pub fn names(&self) -> impl ExactSizeIterator<Item = &'a str> + use<'a> {
        self.0.iter().map(|name| &**name)
    }
}

/// The reason why a schema document cannot be used.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("invalid schema file: {0}")]
pub struct SchemaError(pub String);

impl From<YamlError> for SchemaError {
    fn from(error: YamlError) -> Self {
        Self(error.to_string())
    }
}

impl From<serde_json::Error> for SchemaError {
    fn from(error: serde_json::Error) -> Self {
        Self(error.to_string())
    }
}

/// A custom schema that cannot be used.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("openapi: '{file}' is not valid: {error}")]
pub struct SchemaFault {
    /// The file name as written in `openapi`.
    pub file: String,
    /// The location of the field `openapi` that names the file.
    pub mark: Mark,
    pub error: SchemaError,
}

/// A remark about a schema file that is not an error.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SchemaNote {
    NoDefinitions,
    /// A definition was skipped, because its types are not complete.
    BadType {
        definition: String,
        cause: String,
    },
}

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

static BUILTIN: LazyLock<Schema> = LazyLock::new(|| bundle::read(bundle::KUSTOMIZE));

static ALL_VERSIONS: LazyLock<Schema> = LazyLock::new(|| bundle::read(bundle::ALL_VERSIONS));

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
