//! Function Catalog (KEP-2906, part B of the composition reference): tolerant decoding of a
//! catalog, with a code for each oddity.

mod fields;
mod functions;
mod rules;
mod runtimes;
#[cfg(test)]
mod tests;

pub use rules::{CATALOG_RULES, CatalogRule, catalog_rule};
pub use rules::{CatalogOddity, CatalogWarning};

use crate::diagnostic::{joined, printable};
use crate::load::{Digest, ImageReference, TagClass};
use crate::yaml::{Limits, Mark, Node, SourceId, parse_documents};

use fields::{CatalogReader, ObjectFields};

/// The only apiVersion of a catalog.
pub const CATALOG_API_VERSION: &str = "config.kubernetes.io/v1alpha1";

/// The platform of a program of the older form, which is for all.
pub const ANY_PLATFORM: &str = "any";

/// Size limit of a catalog in bytes (B.8).
pub const MAX_CATALOG_BYTES: usize = 5 << 20;

/// The kinds of a catalog document (B.1).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CatalogKind {
    /// `Catalog`, or `KRMFunctionCatalog`, its name in the schema (D-B1).
    Catalog,
    /// `KRMFunctionDefinition`: a catalog with a single function (D-B2).
    Definition,
}

/// A decoded catalog. Its content is the author's claim and grants no trust.
#[derive(Clone, Debug, PartialEq)]
pub struct Catalog {
    pub kind: CatalogKind,
    /// `metadata.name`; shown, never used for a decision (B.2 #19).
    pub name: String,
    /// `metadata.labels`; shown, never used for a decision.
    pub labels: Vec<(String, String)>,
    /// In document order.
    pub functions: Vec<CatalogFunction>,
    pub warnings: Vec<CatalogWarning>,
}

/// One function of a catalog.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct CatalogFunction {
    /// The group of the functionConfig; empty for core.
    pub group: String,
    pub kind: String,
    pub description: String,
    pub publisher: String,
    pub home: String,
    pub maintainers: Vec<String>,
    pub tags: Vec<String>,
    /// The versions of the function, at least one.
    pub versions: Vec<CatalogVersion>,
}

/// One version of a function.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct CatalogVersion {
    /// The version part of the functionConfig's apiVersion.
    pub name: String,
    pub schema: CatalogSchema,
    /// Whether a second run changes nothing; `None` if not declared.
    pub idempotent: Option<bool>,
    pub runtime: Runtime,
    /// The URL of the documentation. Never fetched automatically.
    pub usage: String,
    /// The locations of examples. Never fetched automatically.
    pub examples: Vec<String>,
    /// The licence; common spellings of Apache 2.0 are normalized (B.2 #11).
    pub license: String,
    /// The maintainers of this version: the version's list, or the function's.
    pub maintainers: Vec<String>,
    pub mark: Mark,
}

/// The schema of a functionConfig.
#[derive(Clone, Debug, Default, PartialEq)]
pub enum CatalogSchema {
    #[default]
    Missing,
    Object(Node),
    /// The location of a schema; not fetched (B.2 #9).
    Uri(String),
}

/// The runtime of a version: the container first, as the only sandboxed one, then exec, then Starlark
/// (D-B3).
#[derive(Clone, Debug, PartialEq)]
pub enum Runtime {
    Container(CatalogContainer),
    /// The programs in the order of the document.
    Exec(Vec<PlatformProgram>),
    Starlark(CatalogScript),
}

impl Default for Runtime {
    fn default() -> Self {
        Self::Exec(Vec::new())
    }
}

impl Runtime {
    /// `container`, `exec` or `starlark`.
    pub fn word(&self) -> &'static str {
        match self {
            Self::Container(_) => "container",
            Self::Exec(_) => "exec",
            Self::Starlark(_) => "starlark",
        }
    }

    /// The settings of a container.
    pub fn container(&self) -> Option<&CatalogContainer> {
        if let Self::Container(container) = self { Some(container) } else { None }
    }
}

/// Whether a program is identified by a digest.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pin {
    /// Identified by this digest.
    Pinned(Digest),
    /// Only a version tag, no digest.
    Tag,
    Floating,
}

impl Pin {
    /// The words for users that describe how the program is pinned.
    pub fn word(self) -> &'static str {
        match self {
            Self::Pinned(_) => "pinned",
            Self::Tag => "version tag, not pinned",
            Self::Floating => "not pinned",
        }
    }

    /// The pin of a file by its own digest, or by the digest in its location.
    fn of_file(sha256: Option<Digest>, uri: &str) -> Self {
        let own = uri.rsplit_once('@').and_then(|(_, digest)| Digest::parse(digest));
        sha256.or(own).map_or(Self::Floating, Self::Pinned)
    }
}

/// The settings of `runtime.container`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct CatalogContainer {
    pub image: String,
    pub sha256: Option<Digest>,
    pub require_network: bool,
    pub require_storage_mount: bool,
    pub mark: Mark,
}

impl CatalogContainer {
    /// How the image is fixed: by its digest, by a tag, or not.
    pub fn pin(&self) -> Pin {
        let image = ImageReference::parse(&self.image);
        let own = image.digest.as_deref().and_then(Digest::parse);
        match (self.sha256.or(own), image.tag_class()) {
            (Some(digest), _) => Pin::Pinned(digest),
            (None, TagClass::Semver) => Pin::Tag,
            (None, _) => Pin::Floating,
        }
    }
}

/// A program for one operating system and processor, or for all.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PlatformProgram {
    /// The member of the archive, by path or base name; empty for a local path.
    pub bin: String,
    /// `linux/amd64` or the like; [`ANY_PLATFORM`] for a local path, relative to the catalog's file
    /// (KEP-2953's form, B.2 #23).
    pub platform: String,
    pub uri: String,
    /// The digest of the download or of the binary (D-B11).
    pub sha256: Option<Digest>,
    pub mark: Mark,
}

impl PlatformProgram {
    /// Whether the digest of the file is known.
    pub fn pin(&self) -> Pin {
        Pin::of_file(self.sha256, &self.uri)
    }
}

/// A program in Starlark.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct CatalogScript {
    /// The location, or the path relative to the catalog's file.
    pub uri: String,
    pub sha256: Option<Digest>,
}

impl CatalogScript {
    /// Whether the digest of the file is known.
    pub fn pin(&self) -> Pin {
        Pin::of_file(self.sha256, &self.uri)
    }
}

/// An error in a catalog. Its text is made printable: a catalog is not trusted.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{}", printable(text))]
pub struct CatalogProblem {
    /// The field by its path, `spec.krmFunctions[0].group`, or the function, `example.com/Logger
    /// v1`, and the error; for an error of the document only the error.
    pub text: String,
    pub mark: Mark,
}

/// The errors of an invalid catalog.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[error("{}", joined(problems, "\n"))]
pub struct CatalogError {
    /// The errors in document order; at least one.
    pub problems: Vec<CatalogProblem>,
}

impl Catalog {
    /// Reads a catalog (B.1, B.2).
    ///
    /// # Errors
    /// Not YAML, more than one document, or an error listed in B.1 and B.2.
    pub fn parse(text: &[u8], source: SourceId) -> Result<Self, CatalogError> {
        let limits = Limits { depth: 64, alias_nodes: 20_000, bytes: MAX_CATALOG_BYTES };
        let one = |text, mark| CatalogError { problems: vec![CatalogProblem { text, mark }] };
        let file = parse_documents(text, source, limits).map_err(|error| {
            let mark = Mark { source, line: error.line, column: error.column, ..Mark::default() };
            one(error.to_string(), mark)
        })?;
        let start = Mark { source, ..Mark::default() };
        match file.documents.as_slice() {
            [] => Err(one("the catalog is empty".to_owned(), start)),
            [document] => Self::from_node(&document.node),
            [_, second, ..] => {
                let text =
                    "expected one document, a Catalog or a KRMFunctionDefinition; found several";
                Err(one(text.to_owned(), second.node.mark))
            }
        }
    }

    fn from_node(node: &Node) -> Result<Self, CatalogError> {
        let mut reader = CatalogReader::default();
        let catalog = document(node, &mut reader);
        match catalog {
            Some(catalog) if reader.problems.is_empty() => {
                Ok(Self { warnings: reader.warnings, ..catalog })
            }
            _ => Err(CatalogError { problems: reader.problems }),
        }
    }

    /// The first function and version with this group, version and kind, in document order (B.3).
    pub fn find(
        &self,
        group: &str,
        version: &str,
        kind: &str,
    ) -> Option<(&CatalogFunction, &CatalogVersion)> {
        self.named(group, kind).find_map(|function| {
            let found = function.versions.iter().find(|entry| entry.name == version)?;
            Some((function, found))
        })
    }

    /// The versions that define a group and kind, for the message about a missing version.
    pub fn versions_of(&self, group: &str, kind: &str) -> Vec<&str> {
        let versions = self.named(group, kind).flat_map(|function| &function.versions);
        versions.map(|version| version.name.as_str()).collect()
    }

    fn named(&self, group: &str, kind: &str) -> impl Iterator<Item = &CatalogFunction> {
        self.functions.iter().filter(move |entry| entry.group == group && entry.kind == kind)
    }
}

impl CatalogFunction {
    /// The name of the function, as in `group/Kind`; the kind alone for the core group.
    pub fn name(&self) -> String {
        with_group(&self.group, &self.kind)
    }

    /// `group/version Kind`, the name of a function in the views.
    pub fn id(&self, version: &CatalogVersion) -> String {
        format!("{} {}", with_group(&self.group, &version.name), self.kind)
    }
}

fn with_group(group: &str, name: &str) -> String {
    if group.is_empty() { name.to_owned() } else { format!("{group}/{name}") }
}

fn document(node: &Node, reader: &mut CatalogReader) -> Option<Catalog> {
    let mut fields = ObjectFields::document(node, reader)?;
    let api_version = fields.text("apiVersion");
    let kind = fields.text("kind");
    let kind = read_header(api_version.as_deref(), kind.as_deref(), &mut fields);
    let metadata = fields.get("metadata");
    let spec = fields.required("spec");
    fields.finish();
    let spec = fields.child(spec?, "spec".to_owned())?;
    let functions = match kind? {
        CatalogKind::Definition => functions::function(spec).into_iter().collect(),
        CatalogKind::Catalog => functions::functions(spec),
    };
    functions::warn_shadowed(&functions, &mut fields);
    let name = metadata.and_then(|metadata| metadata.get("name")).and_then(Node::text);
    let labels = metadata.and_then(|metadata| metadata.get("labels")).map(Node::entries);
    let labels = labels
        .unwrap_or_default()
        .iter()
        .filter_map(|entry| Some((printable(entry.key.text()?), printable(entry.value.text()?))));
    let (name, labels) = (printable(name.unwrap_or_default()), labels.collect());
    Some(Catalog { kind: kind?, name, labels, functions, warnings: Vec::new() })
}

fn read_header(
    api_version: Option<&str>,
    kind: Option<&str>,
    fields: &mut ObjectFields<'_, '_>,
) -> Option<CatalogKind> {
    let mark = fields.node.mark;
    match api_version {
        Some(CATALOG_API_VERSION) => {}
        // B.1
        Some("kustomize.io/v1") => fields.warn_of(
            "CAT-API-VERSION",
            &format!("apiVersion: kustomize.io/v1 is read as {CATALOG_API_VERSION}"),
        ),
        other => {
            let found = other.unwrap_or_default();
            let cause = format!("expected {CATALOG_API_VERSION}, got {found:?}");
            fields.report("apiVersion", &cause, mark);
        }
    }
    match kind {
        Some("Catalog" | "KRMFunctionCatalog") => Some(CatalogKind::Catalog),
        Some("KRMFunctionDefinition") => Some(CatalogKind::Definition),
        other => {
            let found = other.unwrap_or_default();
            let known = "Catalog, KRMFunctionCatalog or KRMFunctionDefinition";
            fields.report("kind", &format!("expected {known}, got {found:?}"), mark);
            None
        }
    }
}
