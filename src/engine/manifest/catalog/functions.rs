//! Functions and their versions (B.1).

use crate::diagnostic::printable;
use crate::yaml::Mark;

use super::fields::{ObjectFields, REQUIRED};
use super::runtimes::runtime;
use super::{CatalogFunction, CatalogOddity, CatalogSchema, CatalogVersion, Runtime, with_group};

pub(super) fn functions(mut spec: ObjectFields<'_, '_>) -> Vec<CatalogFunction> {
    let list = spec.required("krmFunctions");
    spec.finish();
    let Some(items) = list.and_then(|list| spec.items("krmFunctions", list)) else {
        return Vec::new();
    };
    if items.is_empty() {
        spec.warn_of("CAT-EMPTY", "the catalog has no functions");
    }
    let mut functions = Vec::with_capacity(items.len());
    for (index, item) in items.iter().enumerate() {
        let fields = spec.child(item, format!("spec.krmFunctions[{index}]"));
        functions.extend(fields.and_then(function));
    }
    functions
}

pub(super) fn function(mut fields: ObjectFields<'_, '_>) -> Option<CatalogFunction> {
    let before = fields.reader.problems.len();
    if let Some(node) = fields.get("apiVersion") {
        // B.2 #15: an `apiVersion` beside the versions is ambiguous, so it is an error.
        let (group, version) =
            node.text().and_then(|text| text.split_once('/')).unwrap_or(("GROUP", "VERSION"));
        let cause = format!(
            "an entry has no apiVersion; write `group: {group}`, `names: {{kind: …}}` and `versions: [{{name: {version}, …}}]`"
        );
        fields.report_here(&cause, node.mark);
        return None;
    }
    let group = fields.required("group").and_then(|_| fields.text("group"));
    let kind = kind(&mut fields, group.as_deref().unwrap_or_default());
    let named = CatalogFunction {
        group: group.unwrap_or_default(),
        kind: kind.unwrap_or_default(),
        ..CatalogFunction::default()
    };
    fields.subject = named.name();
    let shared = fields.object("runtime").map(|fields| (fields.node.mark, runtime(fields)));
    let description = fields.prose("description");
    let publisher = fields.prose("publisher");
    for (key, text) in [("description", &description), ("publisher", &publisher)] {
        if text.is_empty() {
            fields.warn(CatalogOddity::Missing(key));
        }
    }
    let home = fields.prose("home");
    let maintainers = fields.list("maintainers");
    let tags = fields.list("tags");
    let versions = versions(&mut fields, &maintainers);
    let versions = inherit_runtime(versions, shared, &mut fields);
    fields.finish();
    let function =
        CatalogFunction { description, publisher, home, maintainers, tags, versions, ..named };
    (fields.reader.problems.len() == before).then_some(function)
}

/// The kind of a function: `names.kind`, or a `kind` at the level of `versions` (B.2 #4).
fn kind(fields: &mut ObjectFields<'_, '_>, group: &str) -> Option<String> {
    let names = fields.get("names");
    let beside = fields.get("kind").and_then(|_| fields.required_text("kind"));
    let names = names.and_then(|node| fields.child(node, fields.path("names")));
    let within = names.and_then(|mut names| {
        let kind = names.get("kind").and_then(|_| names.required_text("kind"));
        // Mark the other fields that `names` has in a CustomResourceDefinition as known.
        for key in ["plural", "singular", "listKind", "shortNames", "categories"] {
            names.get(key);
        }
        kind.as_deref().unwrap_or(group).clone_into(&mut names.subject);
        names.finish();
        kind
    });
    let mark = fields.node.mark;
    match (within, beside) {
        (Some(within), None) => Some(within),
        (Some(within), Some(beside)) if within != beside => {
            let cause = format!("names.kind is {within:?} and kind is {beside:?}; keep names.kind");
            fields.report_here(&cause, mark);
            None
        }
        (None, Some(kind)) | (Some(kind), Some(_)) => {
            fields.subject = with_group(group, &kind);
            let text = "kind is next to the versions; it belongs in names.kind";
            fields.warn_of("CAT-KIND-LEVEL", text);
            Some(kind)
        }
        (None, None) => {
            fields.report_field("names.kind", REQUIRED, mark);
            None
        }
    }
}

/// The versions, each with its own runtime, if it has one.
fn versions(
    fields: &mut ObjectFields<'_, '_>,
    maintainers: &[String],
) -> Vec<(CatalogVersion, Option<Runtime>)> {
    let Some(list) = fields.required("versions") else { return Vec::new() };
    let at = fields.path("versions");
    let items = fields.items("versions", list);
    if items == Some(&[]) {
        fields.report(&at, "at least one version is required", list.mark);
    }
    let mut versions = Vec::new();
    for (index, item) in items.unwrap_or_default().iter().enumerate() {
        let Some(fields) = fields.child(item, format!("{at}[{index}]")) else { continue };
        let (mut version, runtime) = version(fields);
        if version.maintainers.is_empty() {
            version.maintainers = maintainers.to_vec();
        }
        versions.push((version, runtime));
    }
    versions
}

fn version(mut fields: ObjectFields<'_, '_>) -> (CatalogVersion, Option<Runtime>) {
    let mark = fields.node.mark;
    let name = fields.required_text("name").unwrap_or_default();
    if name.contains(|found: char| found.is_whitespace() || found == '/') {
        fields.report_field("name", &format!("expected a version such as v1, got {name:?}"), mark);
    }
    fields.subject = format!("{} {name}", fields.subject);
    let own = fields.object("runtime").and_then(runtime);
    let version = CatalogVersion {
        schema: schema(&mut fields),
        idempotent: fields.boolean("idempotent"),
        runtime: Runtime::default(),
        usage: fields.prose("usage"),
        examples: fields.list("examples"),
        license: normalize_license(&fields.prose("license")),
        maintainers: fields.list("maintainers"),
        mark,
        name,
    };
    // Whether a ConfigMap is accepted as functionConfig too (KEP-2985); not used.
    fields.boolean("configMap");
    let absent = [
        ("schema", version.schema == CatalogSchema::Missing),
        ("idempotent", version.idempotent.is_none()),
        ("usage", version.usage.is_empty()),
        ("examples", version.examples.is_empty()),
        ("license", version.license.is_empty()),
    ];
    for (key, _) in absent.into_iter().filter(|(_, absent)| *absent) {
        fields.warn(CatalogOddity::Missing(key));
    }
    fields.finish();
    (version, own)
}

fn schema(fields: &mut ObjectFields<'_, '_>) -> CatalogSchema {
    let Some(node) = fields.get("schema") else { return CatalogSchema::Missing };
    if let Some(uri) = node.text() {
        let text = "schema is a URI, which is not fetched; write openAPIV3Schema".to_owned();
        fields.warn_at(CatalogOddity::Other("CAT-SCHEMA-URI", text), node.mark);
        return CatalogSchema::Uri(printable(uri));
    }
    let Some(mut inner) = fields.object("schema") else { return CatalogSchema::Missing };
    let schema = inner.required("openAPIV3Schema");
    inner.finish();
    match schema {
        Some(schema) if schema.as_mapping().is_some() => CatalogSchema::Object(schema.clone()),
        Some(other) => {
            inner.report_wrong_type(&inner.path("openAPIV3Schema"), "an object", other);
            CatalogSchema::Missing
        }
        None => CatalogSchema::Missing,
    }
}

/// The versions with their runtimes; those without one get that of the function (B.2 #2).
fn inherit_runtime(
    versions: Vec<(CatalogVersion, Option<Runtime>)>,
    shared: Option<(Mark, Option<Runtime>)>,
    fields: &mut ObjectFields<'_, '_>,
) -> Vec<CatalogVersion> {
    if let Some((mark, _)) = &shared {
        let remedy = match versions.iter().filter(|(_, own)| own.is_some()).count() {
            0 => "; it belongs in each version".to_owned(),
            own => format!(", and in {own} of them; the runtime of the version is used"),
        };
        let text = format!("runtime beside versions{remedy}");
        fields.warn_at(CatalogOddity::Other("CAT-RUNTIME-LEVEL", text), *mark);
    }
    let shared = shared.and_then(|(_, runtime)| runtime);
    let versions = versions.into_iter().map(|(version, own)| {
        let runtime = own.or_else(|| shared.clone());
        if runtime.is_none() {
            let place = format!("{} {}", fields.subject, version.name);
            let cause = "runtime: required, with container, exec or starlark";
            fields.report(&place, cause, version.mark);
        }
        CatalogVersion { runtime: runtime.unwrap_or_default(), ..version }
    });
    versions.collect()
}

/// Normalizes the usual spellings of the one licence that the schema names (B.2 #11).
fn normalize_license(text: &str) -> String {
    let plain: String =
        text.chars().filter(char::is_ascii_alphanumeric).collect::<String>().to_lowercase();
    match plain.as_str() {
        "apache2" | "apache20" | "apachelicense20" | "apachelicenseversion20" | "apachev2" => {
            "Apache 2.0".to_owned()
        }
        _ => text.to_owned(),
    }
}

/// Warns of duplicate definitions; the first one is used (B.2 #26).
pub(super) fn warn_shadowed(functions: &[CatalogFunction], fields: &mut ObjectFields<'_, '_>) {
    let mut seen: indexmap::IndexSet<String> = indexmap::IndexSet::new();
    for function in functions {
        fields.subject = function.name();
        for version in &function.versions {
            let id = function.id(version);
            if !seen.insert(id.clone()) {
                let after = " is defined again; the first definition is used";
                let again = CatalogOddity::of_text("CAT-SHADOWED", "", &id, after);
                fields.warn_at(again, version.mark);
            }
        }
    }
}
