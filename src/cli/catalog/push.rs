//! `kzui catalog push`: publishes a catalog with its files in a registry or an OCI layout.

use std::sync::Arc;

use serde_json::{Value, json};

use crate::cli::failure::{CommandResult, Failure};
use crate::engine::load::{
    ArtifactKind, Digest, LAYER_TITLE, Location, MANIFEST_MEDIA_TYPE, Publication, Reference,
};
use crate::engine::plugin::{CachedCatalog, NamedFile, NamedFileContent, layer_title};

use super::super::{CatalogPush, CliPorts, Exit};
use super::{catalog_ports, open};

const EMPTY: &str = "application/vnd.oci.empty.v1+json";

struct PublishedFile {
    title: String,
    media_type: &'static str,
    bytes: Arc<[u8]>,
}

pub(in crate::cli) fn push(arguments: &CatalogPush, outside: &mut CliPorts<'_>) -> CommandResult {
    let text = &arguments.destination;
    let destination = Reference::parse(text, &outside.current).map_err(Failure::failed)?;
    let has_tag = match &destination.location {
        Location::Oci(_) => true,
        Location::Layout { tag, .. } => tag.is_some(),
        _ => false,
    };
    if !has_tag || destination.pin.is_some() {
        let expected = "expected oci://REGISTRY/NAME:TAG or oci-layout:DIR:TAG, without a digest";
        return Err(Failure::failed(format!("{text}: {expected}")));
    }
    let (source, opened) = open(&arguments.reference, outside).map_err(Failure::failed)?;
    if !matches!(source.location, Location::File(_)) {
        return Err(Failure::failed(format!("{source}: only a local catalog can be published")));
    }
    let files = published_files(&opened, &arguments.reference, outside).map_err(Failure::failed)?;
    match agree_and_publish(arguments.yes, &source, &destination, &files, outside) {
        Err(Failure::Stream(error)) => Err(Failure::failed(error)),
        done => done,
    }
}

fn published_files(
    opened: &CachedCatalog,
    reference: &str,
    outside: &CliPorts<'_>,
) -> Result<Vec<PublishedFile>, String> {
    let media_type = |kind: ArtifactKind| kind.media_types().first().copied().unwrap_or_default();
    let ports = catalog_ports(outside);
    let mut files = vec![PublishedFile {
        title: "catalog.yaml".to_owned(),
        media_type: media_type(ArtifactKind::Catalog),
        bytes: opened.artifact.bytes.clone(),
    }];
    for file in NamedFile::all(opened, ports) {
        let path = &file.path;
        let Some(bytes) = file.local_bytes(opened, ports) else {
            if let NamedFileContent::Unreadable(reason) = &file.content {
                return Err(format!("{path} cannot be read: {reason}"));
            }
            continue;
        };
        let title = layer_title(path)
            .ok_or_else(|| format!("{path} is not below the catalog, and cannot be published"))?;
        let digest = Digest::compute(&bytes);
        if file.pinned.is_none() || !file.is_archive() && file.pinned != Some(digest) {
            return Err(format!(
                "{path} has no sha256 in the catalog, or another one, so that it would not run: \
                 'kzui catalog pin {reference} --write' writes it"
            ));
        }
        if files.iter().all(|known| known.title != title || known.bytes != bytes) {
            let (title, media_type) = (title.to_owned(), media_type(file.kind));
            files.push(PublishedFile { title, media_type, bytes });
        }
    }
    Ok(files)
}

/// The artifact with these files, one layer for each. It has no time, so that equal files have
/// equal digests.
fn publication(files: &[PublishedFile]) -> Publication {
    let empty: Arc<[u8]> = Arc::from(&b"{}"[..]);
    let described = |media_type: &str, bytes: &[u8]| {
        let digest = Digest::compute(bytes).to_string();
        json!({"mediaType": media_type, "digest": digest, "size": bytes.len()})
    };
    let layer = |file: &PublishedFile| {
        let mut layer = described(file.media_type, &file.bytes);
        if let Some(fields) = layer.as_object_mut() {
            fields.insert("annotations".to_owned(), json!({LAYER_TITLE: file.title}));
        }
        layer
    };
    let manifest = json!({
        "schemaVersion": 2,
        "mediaType": MANIFEST_MEDIA_TYPE,
        "artifactType": files.first().map(|catalog| catalog.media_type),
        "config": described(EMPTY, &empty),
        "layers": files.iter().map(layer).collect::<Vec<Value>>(),
    });
    let blobs = files.iter().map(|file| file.bytes.clone()).chain([empty]).collect();
    Publication { manifest: format!("{manifest:#}\n").into_bytes(), blobs }
}

fn agree_and_publish(
    yes: bool,
    source: &Reference,
    destination: &Reference,
    files: &[PublishedFile],
    outside: &mut CliPorts<'_>,
) -> CommandResult {
    let publication = publication(files);
    let digest = Digest::compute(&publication.manifest);
    let tagged = outside.publisher.published(destination).map_err(Failure::failed)?;
    writeln!(outside.out, "{} → {destination}", source.seen_from(&outside.current))?;
    let width = files.iter().map(|file| file.title.chars().count()).max().unwrap_or_default();
    for PublishedFile { title, bytes, .. } in files {
        let (size, digest) = (bytes.len(), Digest::compute(bytes));
        writeln!(outside.out, "  {title:width$}  {size:>8} bytes  {digest}")?;
    }
    let state = match tagged {
        None => "new tag".to_owned(),
        Some(known) if known == digest => "unchanged: the tag has this content".to_owned(),
        Some(known) => format!("replaces {known}"),
    };
    writeln!(outside.out, "  {:width$}  {:>8}        {digest}, {state}", "manifest", "")?;
    outside.out.flush()?;
    if tagged != Some(digest) {
        if !yes {
            match (outside.trust.ask)("\nPublish this? [y/N] ")? {
                Some(typed) if ["y", "yes"].contains(&typed.to_lowercase().as_str()) => {}
                Some(_) => return Err(Failure::failed("not published")),
                None => {
                    let reason = "not published: without a terminal, --yes agrees";
                    return Err(Failure::failed(reason));
                }
            }
        }
        outside.publisher.publish(destination, &publication).map_err(Failure::failed)?;
    }
    writeln!(outside.out, "published: {destination}@{digest}")?;
    Ok(Exit::OK)
}
