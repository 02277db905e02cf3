//! `crds` files: `OpenAPI` definitions with Kustomize's extensions, not CRD manifests (section
//! 4.18).

use indexmap::{IndexMap, IndexSet};

use crate::manifest::{FieldSpec, NameReference, SpecList, TransformerConfig};
use crate::resource::Gvk;
use crate::yaml::{Limits, Mark, Node, SourceId, parse_config};

use super::go_json::json_name;
use super::go_json::{Result, sorted};
use super::{ManifestError, WrongType};

/// Limits for definitions that refer to each other, whose number can grow exponentially.
const MAX_PROPERTIES: usize = 200_000;
const MAX_DEPTH: usize = 200;

/// The properties of every definition in a file, by its name.
type Definitions<'n> = IndexMap<&'n str, Vec<(&'n str, &'n Node)>>;

/// Decodes a `crds` file into the field specs that its extensions define; all have `create: false`.
/// `path` is the file as written in the kustomization, for the message.
///
/// # Errors
/// `unable to parse open API definition from '<path>': …`, for CRD manifests too.
pub fn decode_crds(text: &[u8], source: SourceId, path: &str) -> Result<TransformerConfig> {
    let start = Mark { source, line: 1, column: 1, ..Mark::default() };
    let fail = |cause: &dyn std::fmt::Display, mark| {
        let fault = format!("unable to parse open API definition from '{path}': {cause}");
        ManifestError::fault_at(fault, mark)
    };
    let root = parse_config(text, source, Limits::default()).map_err(|error| {
        let mark = Mark { line: error.line, column: error.column, ..start };
        fail(&format!("error converting YAML to JSON: {error}"), mark)
    })?;
    // Kustomize: panics on an empty file.
    if text.is_empty() {
        return Err(fail(&"unexpected end of JSON input", start));
    }
    let Some(root) = root.filter(|root| !root.is_null()) else {
        return Ok(TransformerConfig::default());
    };
    let wrong = |node: &Node, go_type: &'static str| {
        let wrong = WrongType { found: json_name(node), number: None, field: None, go_type };
        let error = fail(&wrong, node.mark);
        if root.text_of("kind") != Some("CustomResourceDefinition") {
            return error;
        }
        error.with_hint(
            "`crds` takes OpenAPI definitions, not CRD manifests; list the manifest under `resources`, and name \
             its fields in a file under `configurations`",
        )
    };
    if root.as_mapping().is_none() {
        return Err(wrong(&root, "accumulator.nameToApiMap"));
    }
    let mut definitions = Definitions::new();
    for entry in sorted(&root) {
        let (name, definition) = (entry.key.text().unwrap_or_default(), &entry.value);
        if definition.as_mapping().is_none() && !definition.is_null() {
            return Err(wrong(definition, "accumulator.OpenAPIDefinition"));
        }
        definitions.insert(name, properties(definition, &wrong)?);
    }
    collect(&definitions)
        .ok_or_else(|| fail(&"the definitions refer to each other too often", start))
}

/// The properties of a definition, by name; `wrong` makes the error for a value of the wrong type.
fn properties<'n>(
    definition: &'n Node,
    wrong: &impl Fn(&Node, &'static str) -> ManifestError,
) -> Result<Vec<(&'n str, &'n Node)>> {
    let is_schema = |key: &str| key.eq_ignore_ascii_case("Schema");
    let schema = definition.entries().iter().rfind(|entry| entry.key.text().is_some_and(is_schema));
    let Some(schema) = schema.map(|entry| &entry.value).filter(|schema| !schema.is_null()) else {
        return Ok(Vec::new());
    };
    let Some(properties) = schema.get("properties").filter(|node| !node.is_null()) else {
        return Ok(Vec::new());
    };
    let mut found = Vec::new();
    for entry in sorted(properties) {
        if entry.value.as_mapping().is_none() {
            return Err(wrong(&entry.value, "spec.Schema"));
        }
        found.push((entry.key.text().unwrap_or_default(), &entry.value));
    }
    Ok(found)
}

/// Collects the field specs of all definitions; `None` if a limit is exceeded.
fn collect(definitions: &Definitions<'_>) -> Option<TransformerConfig> {
    let mut config = TransformerConfig::default();
    let mut budget = MAX_PROPERTIES;
    for (name, properties) in definitions {
        let has = |wanted| properties.iter().any(|(property, _)| *property == wanted);
        if has("kind") && has("apiVersion") && has("metadata") {
            let kind = name.rsplit('.').next().unwrap_or_default();
            let gvk = Gvk { kind: kind.into(), ..Gvk::default() };
            let mut walk = CrdWalk {
                definitions,
                gvk,
                config: &mut config,
                open: IndexSet::new(),
                budget: &mut budget,
            };
            walk.walk_definition(name, &mut Vec::new())?;
        }
    }
    config.sort();
    Some(config)
}

struct CrdWalk<'a, 'n> {
    definitions: &'a Definitions<'n>,
    gvk: Gvk,
    config: &'a mut TransformerConfig,
    /// The definitions on the current path, to detect those that contain themselves.
    open: IndexSet<String>,
    /// The number of properties that may still be visited.
    budget: &'a mut usize,
}

impl<'n> CrdWalk<'_, 'n> {
    /// Adds the field specs of a definition and of the definitions that it refers to; `None` if a
    /// limit is exceeded.
    fn walk_definition(&mut self, name: &str, path: &mut Vec<&'n str>) -> Option<()> {
        let Some(properties) = self.definitions.get(name) else { return Some(()) };
        // Kustomize: a definition that refers to itself causes an endless loop.
        if !self.open.insert(name.to_owned()) {
            return Some(());
        }
        *self.budget = self.budget.checked_sub(properties.len())?;
        if path.len() > MAX_DEPTH {
            return None;
        }
        for (property, schema) in properties {
            path.push(property);
            self.property(schema, path);
            if let Some(target) = schema.text_of("$ref") {
                self.walk_definition(target, path)?;
            }
            path.pop();
        }
        self.open.shift_remove(name);
        Some(())
    }

    fn property(&mut self, schema: &Node, path: &[&str]) {
        let spec = |path: String| FieldSpec { gvk: self.gvk.clone(), path, create: false };
        let lists = [
            ("x-kubernetes-annotation", SpecList::CommonAnnotations),
            ("x-kubernetes-label-selector", SpecList::CommonLabels),
            ("x-kubernetes-identity", SpecList::NamePrefix),
        ];
        for (extension, list) in lists {
            if text_of(schema, extension).is_some() {
                self.config.list_mut(list).push(spec(path.join("/")));
            }
        }
        let version = text_of(schema, "x-kubernetes-object-ref-api-version");
        let kind = text_of(schema, "x-kubernetes-object-ref-kind");
        if let (Some(version), Some(kind)) = (version, kind) {
            let key = text_of(schema, "x-kubernetes-object-ref-name-key").unwrap_or("name");
            let gvk = Gvk { group: "".into(), version: version.into(), kind: kind.into() };
            let referrer = spec(format!("{}/{key}", path.join("/")));
            self.add_reference(gvk, referrer);
        }
    }

    fn add_reference(&mut self, gvk: Gvk, referrer: FieldSpec) {
        let references = &mut self.config.name_reference;
        if let Some(same) = references.iter_mut().find(|reference| reference.gvk == gvk) {
            same.referrers.push(referrer);
        } else {
            references.push(NameReference { gvk, referrers: vec![referrer] });
        }
    }
}

/// The value of an extension if it is a text; other values are ignored.
fn text_of<'n>(schema: &'n Node, extension: &str) -> Option<&'n str> {
    schema.get(extension).filter(|value| json_name(value) == "string" && !value.is_null())?.text()
}
