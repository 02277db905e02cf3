//! Functions and their versions (B.1).

use crate::diagnostic::{CatalogCause, printable};
use crate::yaml::Mark;

use super::fields::{CatalogReader, ObjectFields};
use super::{CatalogFunction, CatalogOddity, CatalogSchema, CatalogVersion, Runtimes, runtimes};

/// The functions of `spec.krmFunctions`.
pub(super) fn functions(
    mut spec: ObjectFields<'_>,
    reader: &mut CatalogReader,
) -> Vec<CatalogFunction> {
    let list = spec.required("krmFunctions", reader);
    let mark = spec.node.mark;
    spec.finish("catalog", reader);
    let Some(list) = list else { return Vec::new() };
    let Some(items) = list.items() else {
        reader.report_wrong_type("spec.krmFunctions", "a list", list);
        return Vec::new();
    };
    if items.is_empty() {
        reader.warn(CatalogOddity::Empty, "catalog", mark);
    }
    let mut functions = Vec::with_capacity(items.len());
    for (index, item) in items.iter().enumerate() {
        let fields = ObjectFields::from_node(item, format!("spec.krmFunctions[{index}]"), reader);
        functions.extend(fields.and_then(|fields| function(fields, reader)));
    }
    functions
}

/// One function; `None` after an error, which is reported.
pub(super) fn function(
    mut fields: ObjectFields<'_>,
    reader: &mut CatalogReader,
) -> Option<CatalogFunction> {
    let before = reader.problems.len();
    if let Some(node) = fields.get("apiVersion") {
        // B.2 #15: an `apiVersion` beside the versions is ambiguous, so it is an error.
        let (group, version) =
            node.text().and_then(|text| text.split_once('/')).unwrap_or(("GROUP", "VERSION"));
        let cause = CatalogCause::EntryVersion(group.to_owned(), version.to_owned());
        reader.report_problem(fields.at, cause, node.mark);
        return None;
    }
    let group = fields.required("group", reader).and_then(|_| fields.text("group", reader));
    let kind = kind(&mut fields, group.as_deref().unwrap_or_default(), reader);
    let named = CatalogFunction {
        group: group.unwrap_or_default(),
        kind: kind.unwrap_or_default(),
        mark: fields.node.mark,
        ..CatalogFunction::default()
    };
    let subject = named.name();
    let shared = fields.get("runtime").and_then(|node| {
        let at = fields.path("runtime");
        Some((
            runtimes::runtimes(ObjectFields::from_node(node, at, reader)?, &subject, reader),
            node.mark,
        ))
    });
    let description = fields.prose("description", &subject, reader);
    let publisher = fields.prose("publisher", &subject, reader);
    for (key, text) in [("description", &description), ("publisher", &publisher)] {
        if text.is_empty() {
            reader.warn(CatalogOddity::Missing(key), &subject, named.mark);
        }
    }
    let home = fields.prose("home", &subject, reader);
    let maintainers = fields.list("maintainers", &subject, reader);
    let tags = fields.list("tags", &subject, reader);
    let versions = versions(&mut fields, &subject, &maintainers, reader);
    let versions = inherit_runtime(versions, shared.as_ref(), &subject, reader);
    fields.finish(&subject, reader);
    let function =
        CatalogFunction { description, publisher, home, maintainers, tags, versions, ..named };
    (reader.problems.len() == before).then_some(function)
}

/// The kind of a function: `names.kind`, or a `kind` at the level of `versions` (B.2 #4).
fn kind(fields: &mut ObjectFields<'_>, group: &str, reader: &mut CatalogReader) -> Option<String> {
    let names = fields.get("names");
    let beside = fields.get("kind").and_then(|_| fields.required_text("kind", reader));
    let names = names.and_then(|node| ObjectFields::from_node(node, fields.path("names"), reader));
    let within = names.and_then(|mut names| {
        let kind = names.get("kind").and_then(|_| names.required_text("kind", reader));
        // Mark the other fields that `names` has in a CustomResourceDefinition as known.
        for key in ["plural", "singular", "listKind", "shortNames", "categories"] {
            let _ = names.get(key);
        }
        names.finish(kind.as_deref().unwrap_or(group), reader);
        kind
    });
    let mark = fields.node.mark;
    match (within, beside) {
        (Some(within), None) => Some(within),
        (Some(within), Some(beside)) if within != beside => {
            reader.report_problem(&fields.at, CatalogCause::TwoKinds(within, beside), mark);
            None
        }
        (None, Some(kind)) | (Some(kind), Some(_)) => {
            let subject = if group.is_empty() { kind.clone() } else { format!("{group}/{kind}") };
            reader.warn(CatalogOddity::KindLevel, &subject, mark);
            Some(kind)
        }
        (None, None) => {
            reader.report_problem(fields.path("names.kind"), CatalogCause::Required, mark);
            None
        }
    }
}

fn versions(
    fields: &mut ObjectFields<'_>,
    subject: &str,
    maintainers: &[String],
    reader: &mut CatalogReader,
) -> Vec<CatalogVersion> {
    let Some(list) = fields.required("versions", reader) else { return Vec::new() };
    let at = fields.path("versions");
    let items = match list.items() {
        Some([]) => {
            reader.report_problem(at, CatalogCause::NoVersions, list.mark);
            return Vec::new();
        }
        Some(items) => items,
        None => {
            reader.report_wrong_type(&at, "a list", list);
            return Vec::new();
        }
    };
    let mut versions = Vec::with_capacity(items.len());
    for (index, item) in items.iter().enumerate() {
        let Some(fields) = ObjectFields::from_node(item, format!("{at}[{index}]"), reader) else {
            continue;
        };
        let mut version = version(fields, subject, reader);
        if version.maintainers.is_empty() {
            version.maintainers = maintainers.to_vec();
        }
        versions.push(version);
    }
    versions
}

fn version(
    mut fields: ObjectFields<'_>,
    subject: &str,
    reader: &mut CatalogReader,
) -> CatalogVersion {
    let mark = fields.node.mark;
    let name = fields.required_text("name", reader).unwrap_or_default();
    if name.contains(|found: char| found.is_whitespace() || found == '/') {
        reader.report_problem(fields.path("name"), CatalogCause::BadVersion(name.clone()), mark);
    }
    let subject = format!("{subject} {name}");
    let runtime = fields.get("runtime").and_then(|node| {
        let at = fields.path("runtime");
        Some(runtimes::runtimes(ObjectFields::from_node(node, at, reader)?, &subject, reader))
    });
    let version = CatalogVersion {
        schema: schema(&mut fields, &subject, reader),
        idempotent: fields.boolean("idempotent", reader),
        runtime: runtime.unwrap_or_default(),
        usage: fields.prose("usage", &subject, reader),
        examples: fields.list("examples", &subject, reader),
        license: normalize_license(&fields.prose("license", &subject, reader)),
        maintainers: fields.list("maintainers", &subject, reader),
        config_map: fields.boolean("configMap", reader).unwrap_or_default(),
        mark,
        name,
    };
    let absent = [
        ("schema", version.schema == CatalogSchema::Missing),
        ("idempotent", version.idempotent.is_none()),
        ("usage", version.usage.is_empty()),
        ("examples", version.examples.is_empty()),
        ("license", version.license.is_empty()),
    ];
    for (key, _) in absent.into_iter().filter(|(_, absent)| *absent) {
        reader.warn(CatalogOddity::Missing(key), &subject, mark);
    }
    fields.finish(&subject, reader);
    version
}

fn schema(
    fields: &mut ObjectFields<'_>,
    subject: &str,
    reader: &mut CatalogReader,
) -> CatalogSchema {
    let Some(node) = fields.get("schema") else { return CatalogSchema::Missing };
    if let Some(uri) = node.text() {
        reader.warn(CatalogOddity::SchemaUri, subject, node.mark);
        return CatalogSchema::Uri(printable(uri));
    }
    let at = fields.path("schema");
    let Some(mut inner) = ObjectFields::from_node(node, at, reader) else {
        return CatalogSchema::Missing;
    };
    let schema = inner.required("openAPIV3Schema", reader);
    let path = inner.path("openAPIV3Schema");
    inner.finish(subject, reader);
    match schema {
        Some(schema) if schema.as_mapping().is_some() => CatalogSchema::Object(schema.clone()),
        Some(other) => {
            reader.report_wrong_type(&path, "an object", other);
            CatalogSchema::Missing
        }
        None => CatalogSchema::Missing,
    }
}

/// Sets the function's runtime in versions without one (B.2 #2).
fn inherit_runtime(
    mut versions: Vec<CatalogVersion>,
    shared: Option<&(Runtimes, Mark)>,
    subject: &str,
    reader: &mut CatalogReader,
) -> Vec<CatalogVersion> {
    if let Some((_, mark)) = shared {
        let own = versions.iter().filter(|version| version.runtime.chosen().is_some()).count();
        reader.warn(CatalogOddity::RuntimeLevel(own), subject, *mark);
    }
    for version in &mut versions {
        if version.runtime.chosen().is_none()
            && let Some((shared, _)) = shared
        {
            version.runtime = shared.clone();
        }
        if version.runtime.chosen().is_none() {
            let subject = format!("{subject} {}", version.name);
            reader.report_problem(subject, CatalogCause::NoRuntime, version.mark);
        }
    }
    versions
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
pub(super) fn warn_shadowed(functions: &[CatalogFunction], reader: &mut CatalogReader) {
    let mut seen: indexmap::IndexSet<String> = indexmap::IndexSet::new();
    for function in functions {
        for version in &function.versions {
            let id = function.id(version);
            if !seen.insert(id.clone()) {
                reader.warn(CatalogOddity::Shadowed(id), &function.name(), version.mark);
            }
        }
    }
}
