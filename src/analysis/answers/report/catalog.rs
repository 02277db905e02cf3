//! A catalog of functions as a document: the output of `kzui view catalog -o json`.

use std::collections::BTreeMap;

use serde::Serialize;
use serde_json::Value;

use crate::engine::manifest::{CATALOG_API_VERSION, CatalogSchema, Pin, PlatformProgram, Runtime};
use crate::engine::plugin::{CatalogEntryView, CatalogView, ImageFacts, TrustState};
use crate::engine::yaml::to_json;

use super::super::catalog_review::image_contents;

/// A catalog in the form of its file, with further facts about it. Only the digest is verified.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct CatalogReport {
    pub schema_version: u32,
    /// The `apiVersion` of the catalog's file.
    pub api_version: String,
    /// `Catalog`, also for a file that defines one function.
    pub kind: String,
    /// The name of the catalog.
    pub metadata: CatalogName,
    /// The reference to the catalog, as written.
    pub source: String,
    /// The digest of the catalog's file, as `sha256:…`.
    pub digest: String,
    /// The digest of the manifest with which the catalog was pulled; null for a catalog from a
    /// file.
    pub manifest: Option<String>,
    /// The time of the fetch; null for a catalog from a file.
    pub fetched_at: Option<String>,
    /// The functions that the catalog defines.
    pub spec: CatalogContents,
    /// Notes about the catalog.
    pub diagnostics: Vec<CatalogNote>,
    /// The signature in words: `signed by …`, `not signed`, `not verified: …`, `signature does not
    /// verify: …` or `not known: …`.
    pub signature: String,
    /// The verified signer; null if none was verified.
    pub signer: Option<String>,
    /// Whether this content is trusted.
    pub trust: CatalogTrust,
}

/// The metadata of a catalog.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct CatalogName {
    /// `metadata.name`; empty if absent.
    pub name: String,
    /// `metadata.labels`.
    pub labels: BTreeMap<String, String>,
}

/// The `spec` of a catalog.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct CatalogContents {
    /// The functions, one for each version.
    pub krm_functions: Vec<CatalogFunctionReport>,
}

/// A note about a catalog.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct CatalogNote {
    /// The code, such as `CAT-UNPINNED`.
    pub code: String,
    /// The function, or another part of the catalog, that the note is about.
    pub subject: String,
    /// The text of the note.
    pub message: String,
    /// The line of the catalog's file, from 1.
    pub line: u32,
}

/// The trust decision about a content.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct CatalogTrust {
    /// True if exactly this content is trusted.
    pub trusted: bool,
    /// The digest that was trusted last; absent if no digest was trusted, or if it is the present
    /// digest.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub last_trusted: Option<String>,
    /// The time of the trust decision.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub decided_at: Option<String>,
}

/// One function and version that a catalog offers.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct CatalogFunctionReport {
    /// The API group of the objects that configure the function.
    pub group: String,
    /// The names of the objects that configure the function.
    pub names: CatalogNames,
    /// A description by the publisher.
    pub description: String,
    /// The publisher, as stated in the catalog.
    pub publisher: String,
    /// The URL of the function's home page.
    pub home: String,
    /// Keywords.
    pub tags: Vec<String>,
    /// The version of the function: a list of one, as in the catalog's own format.
    pub versions: Vec<CatalogVersionReport>,
    /// The catalog whose definition of the function is used instead; null if this definition is
    /// used.
    pub shadowed_by: Option<String>,
}

/// The names of the objects that configure a function.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct CatalogNames {
    /// The kind of the objects.
    pub kind: String,
}

/// A version of a function.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct CatalogVersionReport {
    /// The version of the objects that configure the function.
    pub name: String,
    /// The schema of the objects that configure the function: as in the catalog, its URL, or null.
    pub schema: Value,
    /// True if a second run changes nothing; null if the catalog does not state it.
    pub idempotent: Option<bool>,
    /// The container, program or script to run.
    pub runtime: CatalogRuntime,
    /// The confinement on this system, in words.
    pub confinement: String,
    /// The URL of the function's documentation.
    pub usage: String,
    /// The URLs of examples.
    pub examples: Vec<String>,
    /// The licence.
    pub license: String,
    /// The maintainers, as stated in the catalog.
    pub maintainers: Vec<String>,
}

/// The implementation of a function: a container image, programs or a script.
#[derive(Clone, Debug, Default, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct CatalogRuntime {
    /// The image, if the function is a container image.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub container: Option<ContainerReport>,
    /// Programs, one for each platform.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub exec: Option<CatalogPrograms>,
    /// A script in Starlark.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub starlark: Option<CatalogScript>,
}

/// A function as a container image.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct ContainerReport {
    /// The reference of the image, without its digest.
    pub image: String,
    /// The pinned digest; null if not pinned.
    pub sha256: Option<String>,
    /// True if the function requests network access.
    pub require_network: bool,
    /// True if the function requests a mount.
    pub require_storage_mount: bool,
    /// The user, program and layers of the image; null if it is not pinned.
    pub contents: Option<ImageReport>,
    /// The image of the last trust decision, if it was another one.
    pub last_trusted: Option<TrustedImageReport>,
}

/// The contents of an image, as its manifest and configuration describe them.
#[derive(Clone, Debug, Default, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct ImageReport {
    /// The reason why the contents are not known, in words; null if they are known. Then the other
    /// members are empty.
    pub not_known: Option<String>,
    /// The user of the image; empty if it sets none, which means root.
    pub user: String,
    /// The program and its first arguments.
    pub entrypoint: Vec<String>,
    /// The arguments after the entrypoint.
    pub command: Vec<String>,
    /// The operating system and processor, such as `linux/amd64`.
    pub platform: String,
    /// The number of manifests in the list from which the one for this machine was chosen; null for
    /// an image without a list.
    pub offered: Option<usize>,
    /// The layers from the lowest up.
    pub layers: Vec<ImageLayerReport>,
}

/// A part of an image that is downloaded separately.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct ImageLayerReport {
    /// The digest of the download, as `sha256:…`.
    pub digest: String,
    /// The size of the download in bytes.
    pub size: u64,
}

/// The image of a trust decision.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct TrustedImageReport {
    /// The digest in hexadecimal digits.
    pub sha256: String,
    /// Its user, program and layers.
    pub contents: ImageReport,
}

/// A function as programs.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct CatalogPrograms {
    /// One program for each platform.
    pub platforms: Vec<CatalogProgram>,
}

/// A program for one platform.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct CatalogProgram {
    /// The name of the program in its archive; empty if the file is the program itself.
    pub bin: String,
    /// The operating system, as Go names it.
    pub os: String,
    /// The processor architecture, as Go names it.
    pub arch: String,
    /// The URL or path of the file.
    pub uri: String,
    /// The pinned digest; null if not pinned.
    pub sha256: Option<String>,
}

/// A function as a script.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct CatalogScript {
    /// The URL or path of the script.
    pub uri: String,
    /// The pinned digest; null if not pinned.
    pub sha256: Option<String>,
}

impl CatalogReport {
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
        let functions = view.entries.iter().map(|entry| function_report(entry, view));
        Self {
            schema_version: 1,
            api_version: CATALOG_API_VERSION.to_owned(),
            kind: "Catalog".to_owned(),
            metadata: CatalogName {
                name: view.name.clone(),
                labels: view.labels.iter().cloned().collect(),
            },
            source: view.reference.clone(),
            digest: view.digest.to_string(),
            manifest: view.manifest.map(|manifest| manifest.to_string()),
            fetched_at: view.fetched.clone(),
            spec: CatalogContents { krm_functions: functions.collect() },
            diagnostics: notes.collect(),
            signature: view.signature.to_string(),
            signer: view.signature.signer().map(str::to_owned),
            trust: CatalogTrust {
                trusted: matches!(view.trust, TrustState::Trusted),
                last_trusted,
                decided_at,
            },
        }
    }
}

fn pinned_digest(pin: Pin) -> Option<String> {
    match pin {
        Pin::Pinned(digest) => Some(digest.hex()),
        Pin::Tag | Pin::Floating => None,
    }
}

fn function_report(entry: &CatalogEntryView, view: &CatalogView) -> CatalogFunctionReport {
    let schema = match &entry.version.schema {
        CatalogSchema::Object(node) => {
            let text = to_json(node).ok();
            let schema: Option<Value> = text.and_then(|text| serde_json::from_str(&text).ok());
            serde_json::json!({ "openAPIV3Schema": schema })
        }
        CatalogSchema::Uri(uri) => uri.clone().into(),
        CatalogSchema::Missing => Value::Null,
    };
    let version = CatalogVersionReport {
        name: entry.version.name.clone(),
        schema,
        idempotent: entry.version.idempotent,
        runtime: runtime_report(entry, &view.reference),
        confinement: entry.confinement(&view.sandbox),
        usage: entry.version.usage.clone(),
        examples: entry.version.examples.clone(),
        license: entry.version.license.clone(),
        maintainers: entry.version.maintainers.clone(),
    };
    CatalogFunctionReport {
        group: entry.function.group.clone(),
        names: CatalogNames { kind: entry.function.kind.clone() },
        description: entry.function.description.clone(),
        publisher: entry.function.publisher.clone(),
        home: entry.function.home.clone(),
        tags: entry.function.tags.clone(),
        versions: vec![version],
        shadowed_by: entry.shadowed_by.clone(),
    }
}

fn runtime_report(entry: &CatalogEntryView, reference: &str) -> CatalogRuntime {
    let mut runtime = CatalogRuntime::default();
    match &entry.version.runtime {
        Runtime::Container(container) => {
            runtime.container = Some(ContainerReport {
                image: container.image.clone(),
                sha256: pinned_digest(container.pin()),
                require_network: container.require_network,
                require_storage_mount: container.require_storage_mount,
                contents: entry.image.as_ref().map(|it| image_report(&it.facts, reference)),
                last_trusted: entry.image.as_ref().and_then(|it| {
                    let (digest, facts) = it.trusted.as_ref()?;
                    let contents = image_report(facts, reference);
                    Some(TrustedImageReport { sha256: digest.hex(), contents })
                }),
            });
        }
        Runtime::Exec(programs) => {
            let platforms = programs.iter().map(program_report).collect();
            runtime.exec = Some(CatalogPrograms { platforms });
        }
        Runtime::Starlark(script) => {
            let (uri, sha256) = (script.uri.clone(), pinned_digest(script.pin()));
            runtime.starlark = Some(CatalogScript { uri, sha256 });
        }
    }
    runtime
}

fn image_report(facts: &ImageFacts, reference: &str) -> ImageReport {
    let contents = match image_contents(facts, reference) {
        Ok(contents) => contents.clone(),
        Err(reason) => return ImageReport { not_known: Some(reason), ..ImageReport::default() },
    };
    let layers = contents
        .layers
        .iter()
        .map(|layer| ImageLayerReport { digest: layer.digest.to_string(), size: layer.size });
    ImageReport {
        not_known: None,
        layers: layers.collect(),
        user: contents.user,
        entrypoint: contents.entrypoint,
        command: contents.command,
        platform: contents.platform,
        offered: contents.offered,
    }
}

fn program_report(binary: &PlatformProgram) -> CatalogProgram {
    let (os, arch) = binary.platform.split_once('/').unwrap_or(("", ""));
    CatalogProgram {
        bin: binary.bin.clone(),
        os: os.to_owned(),
        arch: arch.to_owned(),
        uri: binary.uri.clone(),
        sha256: pinned_digest(binary.pin()),
    }
}
