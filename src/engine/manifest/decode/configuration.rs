//! `configurations` files, and `crds` files: `OpenAPI` definitions with Kustomize's extensions, not
//! CRD manifests (section 4.18).

use indexmap::{IndexMap, IndexSet};

use crate::diagnostic::Code;
use crate::manifest::{FieldSpec, NameReference, SpecList, TransformerConfig};
use crate::profile::{Profile, Switch};
use crate::resource::Gvk;
use crate::yaml::{Limits, Mark, Node, SourceId, parse_config, parse_documents};

use super::go_json::{CONFIGURATION, GoPosition, LENIENT, Result, json_name, sorted};
use super::go_struct::{field, go_struct, typed};
use super::transformers::{field_specs, values};
use super::{ManifestError, ManifestFault, WrongType};

const NAME_REFERENCE: &str = "nameReference";

const CONFIGURATION_KEYS: [&str; SpecList::ALL.len() + 1] = {
    let mut names = [NAME_REFERENCE; SpecList::ALL.len() + 1];
    let mut at = 0;
    while at < SpecList::ALL.len() {
        names[at] = SpecList::ALL[at].key();
        at += 1;
    }
    names
};

/// Decodes a `configurations` file. Strict: unknown and repeated keys are errors. The lists are as
/// written; [`TransformerConfig::with_files`] merges them.
///
/// # Errors
/// Kustomize's, with file and line.
pub fn decode_configuration(
    text: &[u8],
    source: SourceId,
    profile: Profile,
) -> Result<TransformerConfig> {
    let root = parse_config(text, source, Limits::default())
        .map_err(|error| ManifestError::yaml("error converting YAML to JSON: ", error, source))?;
    let Some(root) = root else { return Ok(TransformerConfig::default()) };
    let is_strict = !profile.has(Switch::LenientConfigurations);
    if is_strict {
        check_duplicates(text, source)?;
    }
    let rules = if is_strict { CONFIGURATION } else { LENIENT };
    let mut config = TransformerConfig::default();
    let go_type = "builtinconfig.TransformerConfig";
    GoPosition::top(rules.like(profile)).fields(&root, go_type, &CONFIGURATION_KEYS, |field| {
        if let Some(list) = SpecList::from_key(field.name) {
            *config.list_mut(list) = field_specs(&field.place, field.value, "types.FsSlice")?;
        } else {
            let references =
                field.place.list(field.value, "builtinconfig.nbrSlice", GoPosition::read)?;
            config.name_reference = values(references);
        }
        Ok(())
    })?;
    Ok(config)
}

go_struct!(
    NameReference,
    "builtinconfig.NameBackReferences",
    [
        field("group", |it| &mut it.gvk.group),
        field("version", |it| &mut it.gvk.version),
        field("kind", |it| &mut it.gvk.kind),
        typed("fieldSpecs", "types.FsSlice", |it| &mut it.referrers),
    ]
);

/// Fails for duplicate keys. Parses the text as a resource, because the parser for configuration
/// drops duplicate keys.
fn check_duplicates(text: &[u8], source: SourceId) -> Result<()> {
    let Ok(documents) = parse_documents(text, source, Limits::default()) else { return Ok(()) };
    documents.documents.first().map_or(Ok(()), |document| refuse_duplicate_keys(&document.node))
}

fn refuse_duplicate_keys(node: &Node) -> Result<()> {
    for (index, entry) in node.entries().iter().enumerate() {
        let Some(key) = entry.key.text() else { continue };
        if node.entries()[..index].iter().any(|before| before.key.text() == Some(key)) {
            let mark = entry.key.mark;
            let text = format!(
                "error converting YAML to JSON: yaml: unmarshal errors:\n  line {}: key \"{key}\" already set in map",
                mark.line
            );
            let error = ManifestError::fault_at(ManifestFault::Other(Code::KZ010, text), mark);
            return Err(error.with_hint(format!("remove one of the two `{key}`")));
        }
        refuse_duplicate_keys(&entry.value)?;
    }
    node.items().unwrap_or_default().iter().try_for_each(refuse_duplicate_keys)
}

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
