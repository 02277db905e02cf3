//! A catalog of functions as a document: the output of `kzui view catalog -o json`.

use serde::Serialize;
use serde_json::Value;

use crate::engine::manifest::{CATALOG_API_VERSION, CatalogSchema};
use crate::engine::plugin::{
    BinaryView, CatalogEntryView, CatalogView, Pin, RuntimeView, Sandbox, TrustState,
};
use crate::engine::yaml::to_json;

/// A catalog in the form of its file, with what was found out about it. Nothing in it is verified but the digest.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct CatalogReport {
    /// The version of this format. A field that is added leaves it as it is; a field that goes, or means something else,
    /// raises it.
    pub schema_version: u32,
    /// The version of the catalog's own form.
    pub api_version: String,
    /// `Catalog`, also for a file that defines one function.
    pub kind: String,
    /// What it is called.
    pub metadata: CatalogName,
    /// Where it was read, as it is written.
    pub source: String,
    /// The digest of its file, as `sha256:…`.
    pub digest: String,
    /// The digest of the manifest that it was pulled by; null for a file.
    pub manifest: Option<String>,
    /// When it was fetched; null for a file.
    pub fetched_at: Option<String>,
    /// What it defines.
    pub spec: CatalogContents,
    /// What is to be said about it.
    pub diagnostics: Vec<CatalogNote>,
    /// Whether this content is trusted.
    pub trust: CatalogTrust,
}

/// What a catalog is called.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct CatalogName {
    /// Its name; empty when it has none.
    pub name: String,
}

/// What a catalog defines.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct CatalogContents {
    /// Its functions, one for each version.
    pub krm_functions: Vec<CatalogFunctionReport>,
}

/// Something that is to be said about a catalog.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct CatalogNote {
    /// `CAT-UNPINNED` and the like.
    pub code: String,
    /// The function, or what else it is about.
    pub subject: String,
    /// What there is to know.
    pub message: String,
    /// The line of the catalog's file, from 1.
    pub line: u32,
}

/// Whether a content is trusted.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct CatalogTrust {
    /// Exactly this content is.
    pub trusted: bool,
    /// The digest of the content that was trusted last; left out when there was none, or it is this one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub last_trusted: Option<String>,
    /// When that was decided.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub decided_at: Option<String>,
}

/// A function of a catalog.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct CatalogFunctionReport {
    /// The group of the objects that configure it.
    pub group: String,
    /// What these objects are called.
    pub names: CatalogNames,
    /// What it does.
    pub description: String,
    /// Who publishes it, as the catalog says.
    pub publisher: String,
    /// Its home page.
    pub home: String,
    /// Key words.
    pub tags: Vec<String>,
    /// Its version, alone in a list as in the catalog's own form.
    pub versions: Vec<CatalogVersionReport>,
    /// The catalog whose definition is used instead; null when it is this one.
    pub shadowed_by: Option<String>,
}

/// What the objects are called that configure a function.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct CatalogNames {
    /// Their kind.
    pub kind: String,
}

/// A version of a function.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct CatalogVersionReport {
    /// The version of the objects that configure it.
    pub name: String,
    /// The schema of these objects: in the catalog, at an address, or null.
    pub schema: Value,
    /// Whether a second run changes nothing; null when nothing is said.
    pub idempotent: Option<bool>,
    /// What runs.
    pub runtime: CatalogRuntime,
    /// How it is confined on this system, in words.
    pub confinement: String,
    /// Where its use is described.
    pub usage: String,
    /// Where examples are.
    pub examples: Vec<String>,
    /// Its licence.
    pub license: String,
    /// Who maintains it.
    pub maintainers: Vec<String>,
}

/// What runs: one of the three.
#[derive(Clone, Debug, Default, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct CatalogRuntime {
    /// A container.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub container: Option<ContainerReport>,
    /// A program for each platform.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub exec: Option<CatalogPrograms>,
    /// A script in Starlark.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub starlark: Option<CatalogScript>,
}

/// A container that runs.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ContainerReport {
    /// Its image.
    pub image: String,
    /// The digest that it is pinned to; null when it is not.
    pub sha256: Option<String>,
    /// It asks for the network.
    pub require_network: bool,
    /// It asks for a mount.
    pub require_storage_mount: bool,
}

/// Programs that run.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct CatalogPrograms {
    /// One for each platform.
    pub platforms: Vec<CatalogProgram>,
}

/// A program that runs.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct CatalogProgram {
    /// Its name in an archive; empty when it is no archive.
    pub bin: String,
    /// The operating system.
    pub os: String,
    /// The processor.
    pub arch: String,
    /// Where it is.
    pub uri: String,
    /// The digest that it is pinned to; null when it is not.
    pub sha256: Option<String>,
}

/// A script that runs.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct CatalogScript {
    /// Where it is.
    pub uri: String,
    /// The digest that it is pinned to; null when it is not.
    pub sha256: Option<String>,
}

impl CatalogReport {
    /// The version of the format.
    pub const VERSION: u32 = 1;

    /// The document of a catalog.
    pub fn from_view(view: &CatalogView) -> Self {
        let notes = view.warnings.iter().map(|warning| CatalogNote {
            code: warning.oddity.code().to_owned(),
            subject: warning.subject.clone(),
            message: warning.oddity.to_string(),
            line: warning.mark.line,
        });
        let (last_trusted, decided_at) = match &view.trust {
            TrustState::Changed { trusted, decided_at } => {
                (Some(trusted.to_string()), Some(decided_at.clone()))
            }
            TrustState::Trusted | TrustState::Untrusted => (None, None),
        };
        let functions = view.entries.iter().map(|entry| function(entry, &view.sandbox));
        Self {
            schema_version: Self::VERSION,
            api_version: CATALOG_API_VERSION.to_owned(),
            kind: "Catalog".to_owned(),
            metadata: CatalogName { name: view.name.clone() },
            source: view.reference.clone(),
            digest: view.digest.to_string(),
            manifest: view.manifest.map(|manifest| manifest.to_string()),
            fetched_at: view.fetched.clone(),
            spec: CatalogContents { krm_functions: functions.collect() },
            diagnostics: notes.collect(),
            trust: CatalogTrust {
                trusted: matches!(view.trust, TrustState::Trusted),
                last_trusted,
                decided_at,
            },
        }
    }
}

fn pinned(pin: Pin) -> Option<String> {
    match pin {
        Pin::Pinned(digest) => Some(digest.hex()),
        Pin::Tag | Pin::Floating => None,
    }
}

fn function(entry: &CatalogEntryView, sandbox: &Sandbox) -> CatalogFunctionReport {
    let schema = match &entry.schema {
        CatalogSchema::Object(node) => {
            let text = to_json(node).ok();
            let schema: Option<Value> = text.and_then(|text| serde_json::from_str(&text).ok());
            serde_json::json!({ "openAPIV3Schema": schema })
        }
        CatalogSchema::Uri(uri) => uri.clone().into(),
        CatalogSchema::Missing => Value::Null,
    };
    let version = CatalogVersionReport {
        name: entry.version.clone(),
        schema,
        idempotent: entry.idempotent,
        runtime: runtime(entry),
        confinement: entry.runtime.confinement(sandbox),
        usage: entry.usage.clone(),
        examples: entry.examples.clone(),
        license: entry.license.clone(),
        maintainers: entry.maintainers.clone(),
    };
    CatalogFunctionReport {
        group: entry.group.clone(),
        names: CatalogNames { kind: entry.kind.clone() },
        description: entry.description.clone(),
        publisher: entry.publisher.clone(),
        home: entry.home.clone(),
        tags: entry.tags.clone(),
        versions: vec![version],
        shadowed_by: entry.shadowed_by.clone(),
    }
}

fn runtime(entry: &CatalogEntryView) -> CatalogRuntime {
    match &entry.runtime {
        RuntimeView::Container { image, pin } => CatalogRuntime {
            container: Some(ContainerReport {
                image: image.clone(),
                sha256: pinned(*pin),
                require_network: entry.network,
                require_storage_mount: entry.mounts,
            }),
            ..CatalogRuntime::default()
        },
        RuntimeView::Exec { binaries } => {
            let platforms = binaries.iter().map(program).collect();
            CatalogRuntime {
                exec: Some(CatalogPrograms { platforms }),
                ..CatalogRuntime::default()
            }
        }
        RuntimeView::Starlark { location, pin } => CatalogRuntime {
            starlark: Some(CatalogScript { uri: location.clone(), sha256: pinned(*pin) }),
            ..CatalogRuntime::default()
        },
    }
}

fn program(binary: &BinaryView) -> CatalogProgram {
    let (os, arch) = binary.platform.split_once('/').unwrap_or(("", ""));
    CatalogProgram {
        bin: binary.bin.clone(),
        os: os.to_owned(),
        arch: arch.to_owned(),
        uri: binary.location.clone(),
        sha256: pinned(binary.pin),
    }
}
