//! `OpenAPI` facts as a value: merge keys, patch strategies, scopes (ruling 7; sections 5.1 and 5.6).

mod bundle;
mod crd;
mod document;
mod in_force;

use std::borrow::Cow;

use indexmap::IndexMap;

use super::{Gvk, Scope};

pub use in_force::SchemaInForce;

/// A text of a schema: borrowed from the built-in bundle, or owned by a custom document.
type Text = Cow<'static, str>;

/// A set of `OpenAPI` definitions. Never global: passed to whoever needs it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Schema {
    shapes: Vec<Shape>,
    /// Definitions by name.
    definitions: IndexMap<Text, ShapeId>,
    /// Definitions by apiVersion and kind.
    types: IndexMap<(Text, Text), ShapeId>,
    scopes: IndexMap<Gvk, Scope>,
}

/// A place in [`Schema::shapes`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct ShapeId(usize);

/// What is known of one place.
#[derive(Clone, Debug, Default, PartialEq)]
struct Shape {
    kind: Type,
    /// The name of the definition that stands here.
    reference: Option<Text>,
    /// Properties, sorted by name.
    fields: Vec<(Text, ShapeId)>,
    /// `items`, or `additionalProperties`.
    inner: Option<ShapeId>,
    /// Associative: the merge keys, none for a list of scalars.
    merge: Option<Vec<Text>>,
}

/// The `type` of a place.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Type {
    /// Not said.
    #[default]
    Any,
    /// `string`
    String,
    /// `integer`
    Integer,
    /// `number`
    Number,
    /// `boolean`
    Boolean,
    /// `object`
    Object,
    /// `array`
    Array,
}

/// A place in a schema: a definition, a property or the items of a list. References are followed.
#[derive(Clone, Copy, Debug)]
pub struct SchemaNode<'a> {
    schema: &'a Schema,
    shape: &'a Shape,
}

/// How the elements of an associative list are told apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MergeKeys<'a>(&'a [Text]);

/// A schema document that cannot be used.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct SchemaError(pub String);

impl Schema {
    /// The built-in schema: Kubernetes 1.21.2, as Kustomize has it.
    pub fn builtin() -> &'static Self {
        &in_force::BUILTIN
    }

    /// Reads an `OpenAPI` document (JSON or YAML): `definitions` (or `components.schemas`), `paths`; or
    /// `CustomResourceDefinitions` (ruling 6).
    ///
    /// # Errors
    /// When the text is neither, with Kustomize's `invalid schema file`.
    pub fn parse(text: &[u8]) -> Result<Self, SchemaError> {
        document::parse(text)
    }

    /// This schema with another one laid over it: definitions and types of `over` win.
    #[must_use]
    pub fn merged_with(&self, over: &Self) -> Self {
        let mut out = self.clone();
        let offset = out.shapes.len();
        let moved = |id: ShapeId| ShapeId(id.0 + offset);
        out.shapes.extend(over.shapes.iter().map(|shape| Shape {
            fields: shape.fields.iter().map(|(name, id)| (name.clone(), moved(*id))).collect(),
            inner: shape.inner.map(moved),
            ..shape.clone()
        }));
        out.definitions
            .extend(over.definitions.iter().map(|(name, id)| (name.clone(), moved(*id))));
        out.types.extend(over.types.iter().map(|(name, id)| (name.clone(), moved(*id))));
        out.scopes.extend(over.scopes.iter().map(|(gvk, scope)| (gvk.clone(), *scope)));
        out
    }

    /// The definition of exactly this type, if there is one.
    pub fn of_type(&self, api_version: &str, kind: &str) -> Option<SchemaNode<'_>> {
        let key = (Cow::Owned(api_version.to_owned()), Cow::Owned(kind.to_owned()));
        self.node(*self.types.get(&key)?)
    }

    /// A definition by its name.
    pub fn definition(&self, name: &str) -> Option<SchemaNode<'_>> {
        self.node(*self.definitions.get(name)?)
    }

    /// The root of a schema that was read from a comment.
    fn first(&self) -> Option<SchemaNode<'_>> {
        self.node(ShapeId(0))
    }

    /// The scope that the schema's paths give a type, when they mention it.
    pub fn scope(&self, gvk: &Gvk) -> Option<Scope> {
        self.scopes.get(gvk).copied()
    }

    /// The types that the schema describes: apiVersion and kind.
    pub fn types(&self) -> impl Iterator<Item = (&str, &str)> {
        self.types.keys().map(|(api_version, kind)| (&**api_version, &**kind))
    }

    /// Follows references; a reference to nothing is nothing.
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

    fn push(&mut self, shape: Shape) -> ShapeId {
        self.shapes.push(shape);
        ShapeId(self.shapes.len() - 1)
    }
}

impl<'a> SchemaNode<'a> {
    /// The schema of a field: the property, else what every other property is.
    pub fn field(&self, name: &str) -> Option<Self> {
        let found = self.shape.fields.binary_search_by(|(field, _)| (**field).cmp(name));
        match found {
            Ok(index) => self.schema.node(self.shape.fields[index].1),
            Err(_) if self.shape.kind != Type::Array => self.schema.node(self.shape.inner?),
            Err(_) => None,
        }
    }

    /// The schema of a list's elements; only where the type is `array`.
    pub fn elements(&self) -> Option<Self> {
        if self.shape.kind == Type::Array { self.schema.node(self.shape.inner?) } else { None }
    }

    /// The merge keys of an associative list; `None` for a list that a patch replaces whole.
    pub fn merge(&self) -> Option<MergeKeys<'a>> {
        self.shape.merge.as_deref().map(MergeKeys)
    }

    /// What the schema says that stands here.
    pub fn kind(&self) -> Type {
        self.shape.kind
    }

    /// The properties by name.
    pub fn fields(&self) -> impl Iterator<Item = &'a str> + use<'a> {
        self.shape.fields.iter().map(|(name, _)| &**name)
    }
}

impl<'a> MergeKeys<'a> {
    /// The names of the fields; none for a list of scalars.
    pub fn names(&self) -> impl ExactSizeIterator<Item = &'a str> + use<'a> {
        self.0.iter().map(|name| &**name)
    }
}

/// A schema that a comment carries (`# {"type":"array",…}`), which overrides the inherited one (section 5.1).
#[derive(Clone, Debug)]
pub struct CommentSchema {
    own: Schema,
    reference: Option<String>,
}

impl CommentSchema {
    /// Reads one comment, with its `#`; `None` when it is not a JSON object.
    pub fn parse(comment: &str) -> Option<Self> {
        let text = comment.trim().trim_start_matches('#').trim();
        if !text.starts_with('{') {
            return None;
        }
        let value: serde_json::Value = serde_json::from_str(text).ok()?;
        let mut own = Schema::default();
        document::add_root(&mut own, &value);
        let reference = value.get("$ref").and_then(|name| name.as_str());
        let reference = reference.map(|name| name.trim_start_matches("#/definitions/").to_owned());
        Some(Self { own, reference })
    }

    /// The place that it describes; a reference is looked up in the schema in force.
    pub fn node<'a>(&'a self, schema: &'a Schema) -> Option<SchemaNode<'a>> {
        match &self.reference {
            Some(name) => schema.definition(name),
            None => self.own.first(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn keys(path: &[&str]) -> Option<Vec<String>> {
        let schema = Schema::builtin();
        let mut node = schema.of_type("apps/v1", "Deployment")?;
        for part in path {
            node = if *part == "[]" { node.elements()? } else { node.field(part)? };
        }
        Some(node.merge()?.names().map(str::to_owned).collect())
    }

    #[test]
    fn knows_the_associative_lists() {
        let pod = ["spec", "template", "spec"];
        let at = |more: &[&str]| keys(&[&pod[..], more].concat());
        assert_eq!(at(&["containers"]).unwrap(), ["name"]);
        assert_eq!(at(&["containers", "[]", "ports"]).unwrap(), ["containerPort", "protocol"]);
        assert_eq!(at(&["tolerations"]), None);
        assert_eq!(keys(&["metadata", "finalizers"]).unwrap(), Vec::<String>::new());
        assert!(Schema::builtin().of_type("apps/v1beta1", "Deployment").is_none());
        assert_eq!(Schema::builtin().definitions.len(), 618);
    }

    #[test]
    fn reads_openapi_documents_and_crds() {
        let text = br##"{"definitions": {
            "a.Foo": {"type": "object", "x-kubernetes-group-version-kind": [{"group": "a", "version": "v1", "kind": "Foo"}],
              "properties": {"items": {"type": "array", "items": {"$ref": "#/definitions/a.Item"},
                "x-kubernetes-patch-strategy": "merge", "x-kubernetes-patch-merge-key": "id"}}},
            "a.Item": {"type": "object"}},
          "paths": {"/apis/a/v1/foos": {"get": {"x-kubernetes-group-version-kind": {"group": "a", "version": "v1", "kind": "Foo"}}}}}"##;
        let schema = Schema::parse(text).unwrap();
        let items = schema.of_type("a/v1", "Foo").unwrap().field("items").unwrap();
        assert_eq!(items.merge().unwrap().names().collect::<Vec<_>>(), ["id"]);
        assert_eq!(schema.scope(&Gvk::new("a/v1", "Foo")), Some(Scope::Cluster));
        let both = Schema::builtin().merged_with(&schema);
        assert!(both.of_type("v1", "Pod").is_some());
        assert!(both.of_type("a/v1", "Foo").unwrap().field("items").unwrap().elements().is_some());
    }

    #[test]
    fn a_comment_carries_a_schema() {
        let comment = "# {\"type\":\"array\",\"x-kubernetes-patch-strategy\":\"merge\",\"x-kubernetes-patch-merge-key\":\"name\",\"items\":{\"type\":\"object\"}}";
        let schema = CommentSchema::parse(comment).unwrap();
        let node = schema.node(&schema.own).unwrap();
        assert_eq!(node.merge().unwrap().names().collect::<Vec<_>>(), ["name"]);
        assert!(CommentSchema::parse("# a note").is_none());
    }
}
