//! Catalogs, decisions about them, and references.

use std::path::Path;

use kzui::engine::load::{
    Artifact, Digest, GitTarget, ImageReference, Location, MemoryFiles, NoArtifacts, Reference,
};
use kzui::engine::manifest::{Catalog, CatalogSchema};
use kzui::engine::plugin::{
    CachedCatalog, CatalogPorts, CatalogView, Sandbox, Trust, TrustRecord, TrustScope,
    check_schema, review,
};
use kzui::engine::yaml::{SourceId, parse_documents};

use super::laws::{limits, split_at_dashes};

/// A catalog, and behind a line of dashes the configuration of a function: the same read twice; a decision about it is
/// written and read as it was; what was decided differs in nothing from what it was decided about; nothing is trusted by itself.
pub fn catalogs(bytes: &[u8]) {
    let (text, config) = split_at_dashes(bytes);
    let _ = TrustRecord::parse_all(text);
    let read = Catalog::parse(text, SourceId(1));
    assert_eq!(read, Catalog::parse(text, SourceId(1)));
    let Ok(catalog) = read else { return };
    let reference = Reference::parse("catalog.yaml", Path::new("/k")).expect("a path");
    let digest = Digest::compute(text);
    let artifact =
        Artifact { bytes: text.into(), digest, manifest: None, directory: None, fetched: None };
    let trust = Trust::default();
    let opened =
        CachedCatalog { reference: reference.clone(), artifact: artifact.clone(), catalog };
    let files = MemoryFiles::default().file("/k/f", "x");
    let ports = CatalogPorts { files: &files, artifacts: &NoArtifacts };
    let view = CatalogView::new(&reference, &opened, &trust, ports);
    let catalog = opened.catalog;
    assert!(!trust.judge(&reference).allows(&artifact), "nobody trusted it");
    let (_, _) = (view.publishers(), view.oddities());
    for scope in [TrustScope::Digest, TrustScope::Revoked] {
        let record = view.record(scope, "2026-11-22T12:34:56Z");
        let records = TrustRecord::parse_all(record.to_yaml().as_bytes());
        assert_eq!(records.as_deref(), Ok(&[record][..]), "what is written is read");
    }
    let record = view.record(TrustScope::Digest, "");
    let again = review(Some(&record), &view);
    assert!(again.changes.is_empty(), "{:?}", again.changes);
    let first = review(None, &view);
    assert!(first.changes.len() >= view.functions.len(), "{:?}", first.changes);
    let trust = Trust { records: vec![record], sandbox: Sandbox::None, ..Trust::default() };
    assert!(trust.judge(&reference).allows(&artifact), "it was trusted as it is");
    let other = Artifact { digest: Digest::compute(b"other"), ..artifact };
    assert!(!trust.judge(&reference).allows(&other), "it was trusted as it was");
    let configs = parse_documents(config, SourceId(2), limits());
    for version in catalog.functions.iter().flat_map(|function| &function.versions) {
        if let CatalogSchema::Object(schema) = &version.schema {
            for config in configs.iter().flat_map(|file| &file.documents) {
                assert_eq!(check_schema(&config.node, schema), check_schema(&config.node, schema));
            }
        }
    }
}

/// A line each: what `resources:`, `catalogs:` and images are named by. What goes to git is never an option, what is not named
/// as elsewhere stays on this machine, and the text by which references are compared is the same for the same place.
pub fn references(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    for line in text.lines().take(40) {
        let image = ImageReference::parse(line);
        let _ = image.tag_class();
        if let Some(target) = GitTarget::parse(line) {
            assert!(!target.repo.starts_with('-'), "{line:?} gives git {:?}", target.repo);
            let up = Path::new(&target.path).components().fold(0_i64, |depth, part| match part {
                std::path::Component::Normal(_) if depth >= 0 => depth + 1,
                std::path::Component::ParentDir => depth - 1,
                _ => depth,
            });
            assert!(
                up >= 0 && !target.path.starts_with('/'),
                "{line:?} leads to {:?}",
                target.path
            );
            assert_eq!(GitTarget::parse(line), Some(target));
        }
        let Ok(reference) = Reference::parse(line, Path::new("/k")) else { continue };
        let normalised = reference.normalised();
        assert_eq!(reference.is_remote(), !is_local(&reference.location), "{line:?}");
        match &reference.location {
            Location::File(path) | Location::Layout { directory: path, .. } => {
                assert!(path.is_absolute(), "{line:?} leads to {}", path.display());
            }
            Location::Http(url) => {
                let plain = url.starts_with("http://") && reference.pin.is_none();
                let host = url.split("://").nth(1).and_then(|rest| rest.split(['/', '?']).next());
                let here = host.is_some_and(kzui::engine::load::is_loopback);
                assert!(!plain || here, "{line:?} is fetched as {url:?}");
                assert!(!host.unwrap_or_default().contains('@'), "{line:?}");
                let pin = reference.pin.map(|pin| format!("@{pin}")).unwrap_or_default();
                let again = Reference::parse(&format!("{normalised}{pin}"), Path::new("/k"));
                assert_eq!(again.map(|again| again.normalised()), Ok(normalised), "{line:?}");
            }
            Location::Git(target) => {
                assert!(!target.repo.starts_with('-'), "{line:?} gives git {:?}", target.repo);
            }
            Location::Oci(oci) => {
                let parts = [&oci.registry, &oci.repository, &oci.tag];
                assert!(
                    parts.iter().all(|part| !part.is_empty() && !part.contains('@')),
                    "{line:?}"
                );
                assert!(!oci.repository.split('/').any(|part| part == ".."), "{line:?}");
            }
        }
        let _ = reference.seen_from(Path::new("/k/a"));
    }
}

fn is_local(location: &Location) -> bool {
    matches!(location, Location::File(_) | Location::Layout { .. })
}
