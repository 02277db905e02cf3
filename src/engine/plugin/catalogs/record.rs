//! Records of decisions about trust (B.11).

use std::fmt::Write;

use crate::load::Digest;
use crate::manifest::{ANY_PLATFORM, Catalog, CatalogSchema, PlatformProgram, Runtime};
use crate::yaml::{Node, parse_nodes, print_preserving_style};

/// The references and contents to which a trust decision applies.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum TrustScope {
    /// The reference, only with the same content (D-B18).
    #[default]
    Digest,
    /// This reference, with any content.
    Reference,
    /// All references with this prefix.
    Prefix,
    Revoked,
}

impl TrustScope {
    /// The word for the scope in a record.
    pub fn word(self) -> &'static str {
        match self {
            Self::Digest => "digest",
            Self::Reference => "reference",
            Self::Prefix => "prefix",
            Self::Revoked => "revoked",
        }
    }

    /// The scope for a word in a record.
    pub fn from_word(word: &str) -> Option<Self> {
        let all = [Self::Digest, Self::Reference, Self::Prefix, Self::Revoked];
        all.into_iter().find(|scope| scope.word() == word)
    }
}

/// One decision of the user to trust a catalog, or to revoke its trust.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TrustRecord {
    pub reference: String,
    pub digest: Digest,
    /// The time of the decision, as RFC 3339.
    pub decided_at: String,
    pub scope: TrustScope,
    /// The functions at the time of the decision, to find later changes.
    pub functions: Vec<FunctionSnapshot>,
    /// The scripts and programs that the catalog named, with their content at that time.
    pub files: Vec<FileSnapshot>,
    /// The verified signer; empty if none was verified.
    pub signer: String,
}

/// A file at the time of a decision.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FileSnapshot {
    /// As the catalog names it.
    pub path: String,
    pub digest: Digest,
    pub size: usize,
    /// The text, for the diff at the next review; absent for a long or binary file.
    pub text: Option<String>,
}

/// A function at the time of a decision.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FunctionSnapshot {
    /// `group/version Kind`
    pub id: String,
    /// `container`, `exec` or `starlark`.
    pub runtime: String,
    /// The programs: the image with its digest, or `os/arch uri digest` of each binary.
    pub locations: Vec<String>,
    pub network: bool,
    pub mounts: bool,
    pub publisher: String,
    pub license: String,
    /// The digest of the schema of the `functionConfig`.
    pub schema: Option<Digest>,
}

impl FunctionSnapshot {
    /// The snapshots of a catalog's functions, the shadowed ones left out.
    pub fn all(catalog: &Catalog) -> Vec<Self> {
        let mut all: Vec<Self> = Vec::new();
        for function in &catalog.functions {
            for version in &function.versions {
                let id = function.id(version);
                if all.iter().any(|other| other.id == id) {
                    continue;
                }
                let container = version.runtime.container();
                all.push(Self {
                    id,
                    runtime: version.runtime.word().to_owned(),
                    locations: locations(&version.runtime),
                    network: container.is_some_and(|it| it.require_network),
                    mounts: container.is_some_and(|it| it.require_storage_mount),
                    publisher: function.publisher.clone(),
                    license: version.license.clone(),
                    schema: match &version.schema {
                        CatalogSchema::Object(node) => {
                            Some(Digest::compute(print_preserving_style(node).as_bytes()))
                        }
                        CatalogSchema::Uri(uri) => Some(Digest::compute(uri.as_bytes())),
                        CatalogSchema::Missing => None,
                    },
                });
            }
        }
        all
    }
}

fn locations(runtime: &Runtime) -> Vec<String> {
    let with = |text: &str, digest: Option<Digest>| match digest {
        Some(digest) => format!("{text}@{digest}"),
        None => text.to_owned(),
    };
    match runtime {
        Runtime::Container(container) => vec![with(&container.image, container.sha256)],
        Runtime::Exec(programs) => {
            let location = |it: &PlatformProgram| match &*it.platform {
                ANY_PLATFORM => with(&it.uri, it.sha256),
                platform => with(&format!("{platform} {} {}", it.uri, it.bin), it.sha256),
            };
            programs.iter().map(location).collect()
        }
        Runtime::Starlark(starlark) => vec![with(&starlark.uri, starlark.sha256)],
    }
}

impl TrustRecord {
    /// The record as a YAML document, with a leading `---`, for the file of records.
    pub fn to_yaml(&self) -> String {
        let mut text = format!(
            "---\nreference: {}\ndigest: {}\ndecidedAt: {}\nscope: {}\nfunctions:\n",
            quoted(&self.reference),
            self.digest,
            quoted(&self.decided_at),
            self.scope.word()
        );
        for function in &self.functions {
            let locations: Vec<String> =
                function.locations.iter().map(|location| quoted(location)).collect();
            let _ = writeln!(
                text,
                "- id: {}\n  runtime: {}\n  locations: [{}]\n  network: {}\n  mounts: {}\n  publisher: {}\n  license: {}",
                quoted(&function.id),
                function.runtime,
                locations.join(", "),
                function.network,
                function.mounts,
                quoted(&function.publisher),
                quoted(&function.license),
            );
            if let Some(schema) = function.schema {
                let _ = writeln!(text, "  schemaDigest: {schema}");
            }
        }
        if self.functions.is_empty() {
            text.truncate(text.len() - 1);
            text.push_str(" []\n");
        }
        if !self.signer.is_empty() {
            let _ = writeln!(text, "signer: {}", quoted(&self.signer));
        }
        if !self.files.is_empty() {
            text.push_str("files:\n");
        }
        for FileSnapshot { path, digest, size, text: content } in &self.files {
            let _ = writeln!(text, "- path: {}\n  digest: {digest}\n  size: {size}", quoted(path));
            if let Some(content) = content {
                let _ = writeln!(text, "  text: {}", quoted(content));
            }
        }
        text
    }

    /// Reads a file of records, oldest first.
    ///
    /// # Errors
    /// Not YAML, or a record that is not valid: it might revoke an earlier one.
    pub fn parse_all(text: &[u8]) -> Result<Vec<Self>, String> {
        let nodes = parse_nodes(text).map_err(|error| error.to_string())?;
        let records = nodes.iter().filter(|node| !node.is_null()).map(|node| {
            let line = node.mark.line.max(1);
            Self::from_node(node).ok_or_else(|| format!("line {line}: no trust decision"))
        });
        records.collect()
    }

    fn from_node(node: &Node) -> Option<Self> {
        let text = |key: &str| node.text_of(key);
        let functions = node.items_of("functions");
        let files = node.items_of("files");
        Some(Self {
            reference: text("reference")?.to_owned(),
            digest: Digest::parse(text("digest")?)?,
            decided_at: text("decidedAt").unwrap_or_default().to_owned(),
            scope: TrustScope::from_word(text("scope")?)?,
            functions: functions.iter().map(snapshot).collect(),
            files: files.iter().filter_map(file).collect(),
            signer: text("signer").unwrap_or_default().to_owned(),
        })
    }
}

/// Reads a file in a record; `None` if it is not valid, so that the decision does not cover it.
fn file(node: &Node) -> Option<FileSnapshot> {
    let text = |key: &str| node.text_of(key);
    Some(FileSnapshot {
        path: text("path")?.to_owned(),
        digest: Digest::parse(text("digest")?)?,
        size: text("size").and_then(|size| size.parse().ok()).unwrap_or_default(),
        text: text("text").map(str::to_owned),
    })
}

/// A text in double quotes, with all characters outside ASCII escaped, since YAML would fold
/// Unicode's line ends.
pub(super) fn quoted(text: &str) -> String {
    let mut quoted = String::from("\"");
    for c in text.chars() {
        match c {
            '"' | '\\' => quoted.extend(['\\', c]),
            ' '..='~' => quoted.push(c),
            c => {
                let _ = write!(quoted, "\\U{:08X}", u32::from(c));
            }
        }
    }
    quoted.push('"');
    quoted
}

fn snapshot(node: &Node) -> FunctionSnapshot {
    let text = |key: &str| node.text_of(key).unwrap_or_default().to_owned();
    let locations = node.items_of("locations");
    FunctionSnapshot {
        id: text("id"),
        runtime: text("runtime"),
        locations: locations.iter().filter_map(Node::text).map(str::to_owned).collect(),
        network: text("network") == "true",
        mounts: text("mounts") == "true",
        publisher: text("publisher"),
        license: text("license"),
        schema: Digest::parse(&text("schemaDigest")),
    }
}

/// Keeps decisions. Implemented by `host`; append-only: old decisions stay readable.
pub trait TrustStore: Send + Sync {
    /// All decisions, oldest first.
    fn records(&self) -> Result<Vec<TrustRecord>, String>;
    /// Adds a decision.
    fn append(&self, record: &TrustRecord) -> Result<(), String>;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_record_is_read_as_it_was_written() {
        let record = TrustRecord {
            reference: "https://a.co/c.yaml".to_owned(),
            digest: Digest::compute(b"x"),
            decided_at: "2026-11-20T10:00:00Z".to_owned(),
            scope: TrustScope::Reference,
            functions: vec![FunctionSnapshot {
                id: "a.co/v1 K: \"x\"".to_owned(),
                runtime: "container".to_owned(),
                locations: vec!["a:v1@sha256:x".to_owned()],
                network: true,
                schema: Some(Digest::compute(b"y")),
                ..FunctionSnapshot::default()
            }],
            files: vec![FileSnapshot {
                path: "a: \"b\".star".to_owned(),
                digest: Digest::compute(b"z"),
                size: 12,
                text: Some("x = 1 # \u{1b}\n\ty\r\n\u{85}--- 'end'".to_owned()),
            }],
            signer: "jane@example.com (https://a.co)".to_owned(),
        };
        let (scope, files, signer) = (TrustScope::Revoked, Vec::new(), String::new());
        let revoked = TrustRecord { scope, functions: Vec::new(), files, signer, ..record.clone() };
        let text = format!("{}{}", record.to_yaml(), revoked.to_yaml());
        assert_eq!(TrustRecord::parse_all(text.as_bytes()), Ok(vec![record, revoked]));
        let invalid = TrustRecord::parse_all(b"reference: x\nscope: everything\n");
        assert!(invalid.unwrap_err().starts_with("line 1"), "it might be a revocation");
    }
}
