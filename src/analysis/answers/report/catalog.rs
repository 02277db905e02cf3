//! A catalog of functions as a document: the output of `kzui view catalog -o json`.

use std::collections::BTreeMap;

use serde_json::Value;

use crate::engine::manifest::{CATALOG_API_VERSION, CatalogSchema, Pin, PlatformProgram, Runtime};
use crate::engine::plugin::{CatalogEntryView, CatalogView, ImageFacts, TrustState};
use crate::engine::yaml::to_json;

use super::super::catalog_review::image_contents;
use super::documents;

documents! {
    pub struct CatalogReport {
        pub schema_version: u32,
        pub api_version: String,
        pub kind: String,
        pub metadata: CatalogName,
        pub source: String,
        pub digest: String,
        pub manifest: Option<String>,
        pub fetched_at: Option<String>,
        pub spec: CatalogContents,
        pub diagnostics: Vec<CatalogNote>,
        pub signature: String,
        pub signer: Option<String>,
        pub trust: CatalogTrust,
    }

    pub struct CatalogName {
        pub name: String,
        pub labels: BTreeMap<String, String>,
    }

    pub struct CatalogContents {
        pub krm_functions: Vec<CatalogFunctionReport>,
    }

    pub struct CatalogNote {
        pub code: String,
        pub subject: String,
        pub message: String,
        pub line: u32,
    }

    pub struct CatalogTrust {
        pub trusted: bool,
        #[serde(skip_serializing_if = "Option::is_none")]
        pub last_trusted: Option<String>,
        #[serde(skip_serializing_if = "Option::is_none")]
        pub decided_at: Option<String>,
    }

    pub struct CatalogFunctionReport {
        pub group: String,
        pub names: CatalogNames,
        pub description: String,
        pub publisher: String,
        pub home: String,
        pub tags: Vec<String>,
        pub versions: Vec<CatalogVersionReport>,
        pub shadowed_by: Option<String>,
    }

    pub struct CatalogNames {
        pub kind: String,
    }

    pub struct CatalogVersionReport {
        pub name: String,
        pub schema: Value,
        pub idempotent: Option<bool>,
        pub runtime: CatalogRuntime,
        pub confinement: String,
        pub usage: String,
        pub examples: Vec<String>,
        pub license: String,
        pub maintainers: Vec<String>,
    }

    #[derive(Default)]
    pub struct CatalogRuntime {
        #[serde(skip_serializing_if = "Option::is_none")]
        pub container: Option<ContainerReport>,
        #[serde(skip_serializing_if = "Option::is_none")]
        pub exec: Option<CatalogPrograms>,
        #[serde(skip_serializing_if = "Option::is_none")]
        pub starlark: Option<CatalogScript>,
    }

    pub struct ContainerReport {
        pub image: String,
        pub sha256: Option<String>,
        pub require_network: bool,
        pub require_storage_mount: bool,
        pub contents: Option<ImageReport>,
        pub last_trusted: Option<TrustedImageReport>,
    }

    #[derive(Default)]
    pub struct ImageReport {
        pub not_known: Option<String>,
        pub user: String,
        pub entrypoint: Vec<String>,
        pub command: Vec<String>,
        pub platform: String,
        pub offered: Option<usize>,
        pub layers: Vec<ImageLayerReport>,
    }

    pub struct ImageLayerReport {
        pub digest: String,
        pub size: u64,
    }

    pub struct TrustedImageReport {
        pub sha256: String,
        pub contents: ImageReport,
    }

    pub struct CatalogPrograms {
        pub platforms: Vec<CatalogProgram>,
    }

    pub struct CatalogProgram {
        pub bin: String,
        pub os: String,
        pub arch: String,
        pub uri: String,
        pub sha256: Option<String>,
    }

    pub struct CatalogScript {
        pub uri: String,
        pub sha256: Option<String>,
    }
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
