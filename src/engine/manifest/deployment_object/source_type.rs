//! The type of an Argo CD source (`GetAppSourceType` of its repo server): explicit, or detected
//! from the files of the directory.

use crate::load::gobwas_glob;
use crate::yaml::{MappingEntry, Node};

use super::super::{ManifestError, ManifestFault};
use super::edit::is_true;

/// How the directory of an object is built.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SourceType {
    Kustomize,
    /// The manifests in the directory are applied unchanged.
    Directory(PlainDirectory),
}

/// The setting `directory` of a source, which selects the manifests of a directory.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PlainDirectory {
    pub recurse: bool,
    /// The pattern of included files; empty includes all.
    include: String,
    exclude: String,
    /// `disableExtensionFilter`
    any_extension: bool,
}

const SKIP_MARK: &[u8] = b"+argocd:skip-file-rendering";

impl PlainDirectory {
    fn of_source(source: &Node) -> Self {
        let Some(directory) = source.get("directory") else { return Self::default() };
        let text = |field| directory.text_of(field).unwrap_or_default();
        Self {
            recurse: is_true(directory, "recurse"),
            include: text("include").to_owned(),
            exclude: text("exclude").to_owned(),
            any_extension: is_true(directory, "disableExtensionFilter"),
        }
    }

    /// True if a file is a manifest by its name; `path` is relative to the directory.
    pub fn includes(&self, path: &str) -> bool {
        let extension = path.rsplit('/').next().and_then(|name| name.rsplit_once('.'));
        let is_manifest =
            extension.is_some_and(|(_, it)| ["yaml", "yml", "json", "jsonnet"].contains(&it));
        // A pattern that does not compile matches no path.
        let matches = |pattern: &str| gobwas_glob(pattern).is_some_and(|it| it.is_match(path));
        (self.any_extension || is_manifest)
            && (self.exclude.is_empty() || !matches(&self.exclude))
            && (self.include.is_empty() || matches(&self.include))
    }

    /// True if a file contains the text by which Argo CD skips it.
    pub fn has_skip_mark(text: &[u8]) -> bool {
        memchr::memmem::find(text, SKIP_MARK).is_some()
    }
}

/// The type of a source; `names` are the files in its directory, sorted.
pub(super) fn source_type(
    title: &str,
    source: &Node,
    names: &[String],
) -> Result<SourceType, ManifestError> {
    let types = [
        ("kustomize", "Kustomize"),
        ("helm", "Helm"),
        ("directory", "Directory"),
        ("plugin", "Plugin"),
    ];
    let explicit: Vec<&str> = types
        .into_iter()
        .filter(|(field, _)| source.get(field).is_some_and(|value| !value.is_null()))
        .map(|(_, name)| name)
        .collect();
    let found = match explicit.as_slice() {
        [] => detect_type(names),
        [only] => only,
        several => {
            let fault = format!("multiple application sources defined: {}", several.join(","));
            let error = ManifestError::fault_at(fault, source.mark);
            return Err(error.with_hint("keep the fields of one tool"));
        }
    };
    let other = match found {
        "Kustomize" => return Ok(SourceType::Kustomize),
        "Directory" => return Ok(SourceType::Directory(PlainDirectory::of_source(source))),
        "Helm" => "Helm",
        _ => "a plugin",
    };
    let fault = ManifestFault::OtherTool(title.to_owned(), other);
    Err(ManifestError::fault_at(fault, source.mark).with_hint(ONLY_DIRECTORIES))
}

pub(super) const ONLY_DIRECTORIES: &str =
    "kzui builds only directories of Kustomize and of plain manifests";

/// The type detected from the names of files; the last matching name takes precedence.
fn detect_type(names: &[String]) -> &'static str {
    let mut found = "Directory";
    for name in names {
        if name.ends_with("Chart.yaml") {
            found = "Helm";
        }
        if ["kustomization.yaml", "kustomization.yml", "Kustomization"].contains(&name.as_str()) {
            found = "Kustomize";
        }
    }
    found
}

/// Removes the types with only zero values, as Argo CD does before it compares an Application.
pub(super) fn drop_zero_types(source: &mut Node) {
    for field in ["kustomize", "helm", "directory"] {
        if source.get(field).is_some_and(has_only_zeros) {
            source.remove(field);
        }
    }
}

/// True for options with only zero values: `jsonnet` alone is a struct, and a map with one key is no
/// zero value.
fn has_only_zeros(options: &Node) -> bool {
    let is_zero_field = |entry: &MappingEntry| {
        is_zero(&entry.value)
            || entry.key.text() == Some("jsonnet")
                && entry.value.entries().iter().all(|it| is_zero(&it.value))
    };
    is_zero(options)
        || options.as_mapping().is_some() && options.entries().iter().all(is_zero_field)
}

/// True for a value that is a zero value in Go.
pub(super) fn is_zero(node: &Node) -> bool {
    node.is_null()
        || node.items().is_some_and(<[Node]>::is_empty)
        || (node.as_mapping().is_some() && node.entries().is_empty())
        || matches!(node.text(), Some("" | "false" | "0"))
}
