//! The fields and values of a resource that the schema of its type refuses.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::rc::Rc;

use crate::engine::diagnostic::TypeSource;
use crate::engine::evaluate::LayerSchema;
use crate::engine::load::edit_distance;
use crate::engine::resource::{Resource, Schema, SchemaNode, SchemaType};
use crate::engine::yaml::{
    MappingEntry, Mark, Node, NodeKind, Scalar, ScalarType, Style, Tag, resolve_v1_1,
};

use super::{LastStates, PathPart, dotted_path};

/// The minimum length of a word; shorter words are similar to too many other words.
const MIN_WORD_CHARS: usize = 4;

/// The minimum length of a short form (`env`, `arg`); shorter forms begin too many words.
const MIN_SHORT_FORM_CHARS: usize = 3;

const METADATA: &str = "io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta";

const ENCRYPTED_PREFIX: &str = "ENC[";

pub(super) struct TypeFault<'n> {
    pub(super) path: String,
    pub(super) fault: Fault,
    pub(super) value: &'n Node,
    pub(super) mark: Mark,
}

pub(super) enum Fault {
    /// The type does not have the field; the name of a field that it has, if it is similar.
    UnknownField { similar: Option<String> },
    /// The types in words, such as `an integer`.
    WrongType { expected: &'static str, found: &'static str },
}

pub(super) struct TypeSchemas<'t> {
    last: &'t LastStates<'t>,
    layers: &'t [LayerSchema],
    /// The types that `CustomResourceDefinitions` of the build define, by group and kind.
    definitions: RefCell<BTreeMap<(String, String), Rc<Schema>>>,
}

impl<'t> TypeSchemas<'t> {
    pub(super) fn new(last: &'t LastStates<'t>, layers: &'t [LayerSchema]) -> Self {
        Self { last, layers, definitions: RefCell::default() }
    }

    pub(super) fn is_builtin(resource: &Resource) -> bool {
        let gvk = &resource.id.gvk;
        Schema::all_versions().of_type(&gvk.api_version(), &gvk.kind).is_some()
    }

    /// The faults of a resource by the schema of its type, and the source of the schema; none for a
    /// type without a schema.
    pub(super) fn faults<'n>(&self, resource: &'n Resource) -> (TypeSource, Vec<TypeFault<'n>>) {
        let gvk = &resource.id.gvk;
        let (api_version, kind) = (&*gvk.api_version(), &*gvk.kind);
        let faults = |schema: SchemaNode<'_>| {
            let mut scan = Scan { way: Vec::new(), found: Vec::new() };
            scan.check_object(&resource.node, schema);
            scan.found
        };
        if let Some(schema) = Schema::all_versions().of_type(api_version, kind) {
            return (TypeSource::Kubernetes, faults(schema));
        }
        let defined = self.definition(&gvk.group, kind);
        if let Some(schema) = defined.of_type(api_version, kind) {
            return (TypeSource::Definition, faults(schema));
        }
        let sources = self.layers.iter().flat_map(|layer| &layer.sources);
        let schema =
            sources.filter_map(|(_, schema)| schema.of_type(api_version, kind)).next_back();
        (TypeSource::OpenApi, schema.map(faults).unwrap_or_default())
    }

    fn definition(&self, group: &str, kind: &str) -> Rc<Schema> {
        let mut known = self.definitions.borrow_mut();
        let defined = known.entry((group.to_owned(), kind.to_owned())).or_insert_with(|| {
            let all = self.last.values().map(|resource| &resource.node);
            let defines = |node: &&Node| {
                let word = |path: &[&str]| node.text_at(path);
                word(&["kind"]) == Some("CustomResourceDefinition")
                    && word(&["spec", "group"]) == Some(group)
                    && word(&["spec", "names", "kind"]) == Some(kind)
            };
            Rc::new(Schema::of_resources(all.filter(defines)))
        });
        defined.clone()
    }
}

struct Scan<'n> {
    way: Vec<PathPart<'n>>,
    found: Vec<TypeFault<'n>>,
}

impl<'n> Scan<'n> {
    /// Checks a resource. Its metadata has the fields of all objects.
    fn check_object(&mut self, node: &'n Node, schema: SchemaNode<'_>) {
        for entry in node.entries() {
            match entry.key.text() {
                // SOPS adds its field to encrypted files, and removes it after the build.
                Some("apiVersion" | "kind" | "sops") => {}
                Some("metadata") => {
                    let metadata = Schema::all_versions().definition(METADATA);
                    self.check_below("metadata", &entry.value, metadata);
                }
                _ => self.check_entry(entry, schema),
            }
        }
    }

    fn check_entry(&mut self, entry: &'n MappingEntry, schema: SchemaNode<'_>) {
        let Some(key) = entry.key.text() else { return };
        // Directives of patches and placeholders are no fields.
        if key == "<<" || is_placeholder(key) {
            return;
        }
        if schema.has_field(key) {
            self.check_below(key, &entry.value, schema.field(key));
        } else if schema.is_closed() {
            let (path, similar) = (dotted_path(&self.way, key), similar_field(key, schema));
            let (fault, value) = (Fault::UnknownField { similar }, &entry.value);
            self.found.push(TypeFault { path, fault, value, mark: entry.key.mark });
        }
    }

    fn check_below(&mut self, key: &'n str, node: &'n Node, schema: Option<SchemaNode<'_>>) {
        let Some(schema) = schema else { return };
        self.way.push(PathPart::Key(key));
        self.check(node, schema);
        self.way.pop();
    }

    fn check(&mut self, node: &'n Node, schema: SchemaNode<'_>) {
        if let Some((expected, found)) = wrong_type(node, schema.kind()) {
            let path = dotted_path(&self.way, "").trim_end_matches('.').to_owned();
            let fault = Fault::WrongType { expected, found };
            self.found.push(TypeFault { path, fault, value: node, mark: node.mark });
            return;
        }
        for item in node.items().unwrap_or_default() {
            let Some(elements) = schema.elements() else { return };
            let name = item.text_of("name").unwrap_or_default();
            self.way.push(PathPart::Element(name));
            self.check(item, elements);
            self.way.pop();
        }
        for entry in node.entries() {
            self.check_entry(entry, schema);
        }
    }
}

/// True for a text that another program may replace.
fn is_placeholder(text: &str) -> bool {
    text.contains('$')
        || text.contains("{{")
        || text.contains('<')
        || text.starts_with(ENCRYPTED_PREFIX)
}

/// The type that a schema wants and the type of the value, if they differ. Null is the absence of a
/// value.
fn wrong_type(node: &Node, wanted: SchemaType) -> Option<(&'static str, &'static str)> {
    use SchemaType::{Array, Boolean, Integer, Number, Object, String, StringOrNumber};
    let (found, types): (_, &[SchemaType]) = match (node.kind(), node.as_scalar()) {
        (NodeKind::Mapping, _) => ("a mapping", &[Object]),
        (NodeKind::Sequence, _) => ("a list", &[Array]),
        (_, None) => return None,
        (_, Some(scalar)) => match scalar_type(scalar)? {
            ScalarType::Int(_) | ScalarType::Float(_) => {
                ("a number", &[Integer, Number, StringOrNumber])
            }
            ScalarType::Bool(_) => ("a boolean", &[Boolean]),
            ScalarType::Str if !is_placeholder(&scalar.text) => {
                ("a string", &[String, StringOrNumber])
            }
            _ => return None,
        },
    };
    let expected = match wanted {
        SchemaType::Any => return None,
        String => "a string",
        Integer => "an integer",
        Number => "a number",
        Boolean => "a boolean",
        Object => "a mapping",
        Array => "a list",
        StringOrNumber => "a string or a number",
    };
    (!types.contains(&wanted)).then_some((expected, found))
}

/// The type of a scalar as kubectl reads it; `None` if it depends on the reader: a plain `yes` is a
/// string for Kustomize and a boolean for kubectl.
fn scalar_type(scalar: &Scalar) -> Option<ScalarType> {
    let plain = resolve_v1_1(&scalar.text);
    match scalar.tag {
        Tag::None | Tag::Int | Tag::Float | Tag::Bool => Some(plain),
        Tag::Str if scalar.style == Style::Plain && !scalar.tagged => {
            (plain == ScalarType::Str).then_some(plain)
        }
        Tag::Str | Tag::Timestamp | Tag::Binary => Some(ScalarType::Str),
        _ => None,
    }
}

/// The field of the type whose name is most similar to `key`, if one is similar enough.
fn similar_field(key: &str, schema: SchemaNode<'_>) -> Option<String> {
    if key.len() < MIN_WORD_CHARS {
        return None;
    }
    let limit = if key.len() < 8 { 1 } else { 2 };
    let fields = schema.fields().map(|field| (edit_distance(key, field), field));
    let nearest =
        fields.filter(|(distance, _)| *distance <= limit).min_by_key(|(distance, _)| *distance);
    let nearest = nearest.map(|(_, field)| field).or_else(|| field_by_short_form(key, schema));
    nearest.map(str::to_owned)
}

/// The field whose name begins the word `key`: `env` for `environment`, even if the rest is
/// misspelt.
fn field_by_short_form<'s>(key: &str, schema: SchemaNode<'s>) -> Option<&'s str> {
    let begins = |field: &&str| {
        let rest = key.strip_prefix(field).unwrap_or_default();
        field.len() >= MIN_SHORT_FORM_CHARS && rest.starts_with(|c: char| c.is_ascii_lowercase())
    };
    schema.fields().filter(begins).max_by_key(|field| field.len())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::resource::Scopes;
    use crate::engine::yaml::parse_nodes;

    fn faults(text: &str) -> Vec<String> {
        let parsed = parse_nodes(text.as_bytes()).unwrap();
        let resource = Resource::new(parsed[0].clone(), &Scopes::default());
        let last = LastStates::new();
        let (_, found) = TypeSchemas::new(&last, &[]).faults(&resource);
        found.into_iter().map(|fault| fault.path).collect()
    }

    #[test]
    fn values_that_another_program_replaces_have_no_faults() {
        let none = [
            "apiVersion: v1\nkind: Secret\nmetadata: {name: a}\ndata: {a: 'ENC[x]'}\nsops: {mac: x}\n",
            "apiVersion: apps/v1\nkind: Deployment\nspec: {replicas: '${COUNT}', paused: 'ENC[x]', $retainKeys: [a]}\n",
            "apiVersion: apps/v1\nkind: Deployment\nspec: {replicas: null, paused: yes}\n",
            "apiVersion: v1\nkind: Service\nspec: {ports: [{port: 1, targetPort: web}, {port: 2, targetPort: 8080}]}\n",
            "apiVersion: example.com/v1\nkind: Own\nspec: {any: 1}\n",
        ];
        for text in none {
            assert_eq!(faults(text), Vec::<String>::new(), "{text}");
        }
        let text = "apiVersion: v1\nkind: Secret\nmetadata: {name: 1, sops: a}\nstringData: {a: 1}\nsop: b\n";
        assert_eq!(faults(text), ["metadata.name", "metadata.sops", "stringData.a", "sop"]);
    }
}
