//! A catalog for display, without running or downloading anything (B.10, B.11).

use crate::load::{Digest, ImageReference, Reference, SignatureVerdict, is_loopback};
use crate::manifest::{
    CatalogFunction, CatalogKind, CatalogOddity, CatalogVersion, CatalogWarning, Pin, Runtime,
};

use super::cache::{CachedCatalog, CatalogPorts};
use super::images::{ImageView, facts, registry_of, trusted_image};
use super::named_files::NamedFile;
use super::record::{FunctionSnapshot, TrustRecord, TrustScope};
use super::signed::{catalog_signature, image_signature};
use super::trust::{Sandbox, Trust, TrustVerdict};
use crate::load::Artifact;

/// A catalog with everything that helps to decide about it.
#[derive(Clone, Debug, PartialEq)]
pub struct CatalogView {
    pub reference: String,
    /// The canonical reference, for comparisons.
    pub normalised: String,
    pub digest: Digest,
    /// The digest of the catalog's manifest in a registry.
    pub manifest: Option<Digest>,
    /// The time of the fetch, as RFC 3339; `None` for a local file.
    pub fetched: Option<String>,
    /// True if the reference is not pinned: its content can change.
    pub is_mutable: bool,
    pub kind: CatalogKind,
    pub name: String,
    pub labels: Vec<(String, String)>,
    pub trust: TrustState,
    /// The functions of the catalog, one entry for each version.
    pub entries: Vec<CatalogEntryView>,
    pub warnings: Vec<CatalogWarning>,
    /// The functions as stored in a trust record.
    pub functions: Vec<FunctionSnapshot>,
    pub files: Vec<NamedFile>,
    pub signature: SignatureVerdict,
    pub sandbox: Sandbox,
}

/// Whether a catalog is trusted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TrustState {
    /// By a flag, a preference or a record.
    Trusted,
    /// Another content of the same catalog is trusted.
    Changed { trusted: Digest, decided_at: String },
    /// Not trusted, now or before.
    Untrusted,
}

/// One version of one function.
#[derive(Clone, Debug, PartialEq)]
pub struct CatalogEntryView {
    /// `group/version Kind`
    pub id: String,
    /// The function, without its versions. Its publisher is self-declared, not verified.
    pub function: CatalogFunction,
    pub version: CatalogVersion,
    /// The signature of its image; `None` for other runtimes, and if no signer is required.
    pub signature: Option<SignatureVerdict>,
    /// The contents of its pinned image; `None` before [`CatalogView::with_images`].
    pub image: Option<ImageView>,
    /// The uses: `file` or `layer: Kind/name`; set by [`CatalogView::add_use`].
    pub used_in: Vec<String>,
    /// The catalog whose definition is used instead, set by [`mark_shadows`]; the same catalog for
    /// a second definition in it.
    pub shadowed_by: Option<String>,
    pub shadows: Vec<String>,
}

impl CatalogEntryView {
    fn image_signature(&self, trust: &Trust, ports: CatalogPorts<'_>) -> Option<SignatureVerdict> {
        let container = self.version.runtime.container()?;
        let Pin::Pinned(digest) = container.pin() else { return None };
        let name = container.image.split('@').next().unwrap_or_default();
        Some(image_signature(&format!("{name}@{digest}"), trust, ports))
    }

    /// One line about the confinement and its gaps (B.7: for a program, those of the system).
    pub fn confinement(&self, sandbox: &Sandbox) -> String {
        match self.version.runtime {
            Runtime::Container(_) => "sandboxed by the container engine".to_owned(),
            Runtime::Exec(_) => sandbox.words(),
            Runtime::Starlark(_) => {
                "through kzui-starlark: no files, no network, limited steps and memory".to_owned()
            }
        }
    }

    /// True if the function requires network access.
    pub fn network(&self) -> bool {
        self.version.runtime.container().is_some_and(|it| it.require_network)
    }

    /// True if the function requires a storage mount.
    pub fn mounts(&self) -> bool {
        self.version.runtime.container().is_some_and(|it| it.require_storage_mount)
    }
}

impl CatalogView {
    /// The view of a catalog that was read. `reference` is the shown reference.
    pub fn new(
        reference: &Reference,
        opened: &CachedCatalog,
        trust: &Trust,
        ports: CatalogPorts<'_>,
    ) -> Self {
        let CachedCatalog { artifact, catalog, .. } = opened;
        let files = NamedFile::all(opened, ports);
        let mut entries = Vec::new();
        for function in &catalog.functions {
            entries.extend(function.versions.iter().map(|version| CatalogEntryView {
                id: function.id(version),
                function: CatalogFunction { versions: Vec::new(), ..function.clone() },
                version: version.clone(),
                signature: None,
                image: None,
                used_in: Vec::new(),
                shadowed_by: None,
                shadows: Vec::new(),
            }));
        }
        let mut view = Self {
            reference: reference.to_string(),
            normalised: reference.normalised(),
            digest: artifact.digest,
            manifest: artifact.manifest,
            fetched: artifact.fetched.clone(),
            is_mutable: reference.is_mutable(),
            kind: catalog.kind,
            name: catalog.name.clone(),
            labels: catalog.labels.clone(),
            trust: state(reference, artifact, &files, trust),
            entries,
            warnings: catalog.warnings.clone(),
            functions: FunctionSnapshot::all(catalog),
            files,
            signature: catalog_signature(&opened.reference, artifact, trust, ports),
            sandbox: trust.sandbox.clone(),
        };
        if !trust.signers.is_empty() {
            for entry in &mut view.entries {
                entry.signature = entry.image_signature(trust, ports);
            }
        }
        mark_shadows(std::slice::from_mut(&mut view));
        view
    }

    /// Adds the contents of the images that are pinned by a digest. A remote catalog may not name a
    /// registry on this machine, as a redirect may not.
    #[must_use]
    pub fn with_images(
        mut self,
        reference: &Reference,
        trust: &Trust,
        ports: CatalogPorts<'_>,
    ) -> Self {
        let record = trust.records.iter().rev().find(|it| it.reference == self.normalised);
        let record = record.filter(|record| record.scope != TrustScope::Revoked);
        for entry in &mut self.entries {
            let Some(container) = entry.version.runtime.container() else { continue };
            let Pin::Pinned(digest) = container.pin() else { continue };
            let registry = Some(registry_of(&ImageReference::parse(&container.image)))
                .filter(|it| !reference.is_remote() || !is_loopback(&it.registry));
            let trusted = trusted_image(record, &entry.id).filter(|trusted| *trusted != digest);
            entry.image = Some(ImageView {
                facts: facts(&digest, registry.as_ref(), ports),
                // The contents of the trusted image come only from the cache.
                trusted: trusted.map(|trusted| (trusted, facts(&trusted, None, ports))),
            });
        }
        self
    }

    /// Adds a use of the function with this id.
    pub fn add_use(&mut self, id: &str, place: &str) {
        let entry = self.entries.iter_mut().find(|entry| entry.id == id);
        if let Some(entry) = entry {
            entry.used_in.push(place.to_owned());
        }
    }

    /// A trust record for this content.
    pub fn record(&self, scope: TrustScope, decided_at: &str) -> TrustRecord {
        TrustRecord {
            reference: self.normalised.clone(),
            digest: self.digest,
            decided_at: decided_at.to_owned(),
            scope,
            functions: self.functions.clone(),
            files: self.files.iter().filter_map(NamedFile::snapshot).collect(),
            signer: self.signature.signer().unwrap_or_default().to_owned(),
        }
    }

    /// The publishers with the number of their functions, in the order of the document.
    pub fn publishers(&self) -> Vec<(&str, usize)> {
        let mut counts: indexmap::IndexMap<&str, usize> = indexmap::IndexMap::new();
        for entry in &self.entries {
            *counts.entry(entry.function.publisher.as_str()).or_default() += 1;
        }
        counts.into_iter().collect()
    }

    /// The deviations of the catalog from the specification as texts, each once with the functions
    /// that it concerns. Fields that are missing in the same functions are combined.
    pub fn oddities(&self) -> Vec<(String, Vec<&str>)> {
        let mut told: indexmap::IndexMap<&CatalogOddity, Vec<&str>> = indexmap::IndexMap::new();
        for warning in &self.warnings {
            told.entry(&warning.oddity).or_default().push(&*warning.subject);
        }
        let mut missing: indexmap::IndexMap<Vec<&str>, Vec<&str>> = indexmap::IndexMap::new();
        let mut others = Vec::new();
        for (oddity, subjects) in told {
            match oddity {
                CatalogOddity::Missing(key) => missing.entry(subjects).or_default().push(key),
                oddity => others.push((oddity.to_string(), subjects)),
            }
        }
        let missing = missing.into_iter();
        others.extend(missing.map(|(of, keys)| (format!("{} missing", keys.join(", ")), of)));
        others
    }
}

/// Marks the definitions that are shadowed, for the catalogs of one layer in the order of the
/// search (B.3): the first definition of a group, version and kind is used.
pub fn mark_shadows(views: &mut [CatalogView]) {
    let mut first: indexmap::IndexMap<String, (usize, usize)> = indexmap::IndexMap::new();
    for view in 0..views.len() {
        for entry in 0..views[view].entries.len() {
            let id = views[view].entries[entry].id.clone();
            let Some((winner, by)) = first.get(&id).copied() else {
                first.insert(id, (view, entry));
                continue;
            };
            let reference = views[winner].reference.clone();
            let own = views[view].reference.clone();
            views[view].entries[entry].shadowed_by = Some(reference);
            let shadows = &mut views[winner].entries[by].shadows;
            if !shadows.contains(&own) {
                shadows.push(own);
            }
        }
    }
}

fn state(
    reference: &Reference,
    artifact: &Artifact,
    files: &[NamedFile],
    trust: &Trust,
) -> TrustState {
    let verdict = trust.judge(reference);
    if verdict.allows(artifact) || trust.is_trusted_by_content(reference, artifact) {
        let covered = trust.file_trust(reference, artifact);
        let is_covered = |file: &NamedFile| {
            let (now, trusted) = (file.digest(), covered.digests_of(&file.path));
            now.zip(trusted).is_none_or(|(now, trusted)| trusted.contains(&now))
        };
        if files.iter().filter(|file| file.needs_pin()).all(is_covered) {
            return TrustState::Trusted;
        }
    }
    let TrustVerdict::Trusted { pins } = verdict else { return TrustState::Untrusted };
    let record = trust.record_of(reference).filter(|record| record.scope == TrustScope::Digest);
    let trusted = record.map(|record| record.digest).or(pins.first().copied());
    trusted.map_or(TrustState::Untrusted, |trusted| TrustState::Changed {
        trusted,
        decided_at: record.map(|record| record.decided_at.clone()).unwrap_or_default(),
    })
}
