//! Reads the manifest and the configuration of a container image, two small documents.

use serde_json::Value;

use crate::engine::load::{ArtifactError, Digest, ImageContents, ImageLayer};

use super::oci::{BlobSource, MAX_MANIFEST_BYTES, checked, digest_of, json, platform};

/// The operating system of containers, also on other systems.
const CONTAINER_SYSTEM: &str = "linux";

pub(super) struct ReadImage {
    pub(super) contents: ImageContents,
    /// The list, the manifest and the configuration, for the store.
    pub(super) documents: Vec<Vec<u8>>,
}

/// Reads the image with this digest, from the manifest or list of manifests down to the
/// configuration. Every document is verified against the digest that names it.
pub(super) fn read_image(
    digest: &Digest,
    blobs: &mut dyn BlobSource,
) -> Result<ReadImage, ArtifactError> {
    let mut documents = Vec::new();
    let mut manifest = read_manifest(digest, blobs, &mut documents)?;
    let mut offered = None;
    if let Some(list) = manifest["manifests"].as_array() {
        offered = Some(list.len());
        let chosen = manifest_for_machine(digest, list)?;
        manifest = read_manifest(&chosen, blobs, &mut documents)?;
    }
    let config = digest_of(&manifest["config"]);
    let config = config.ok_or_else(|| format!("{digest}: the manifest names no configuration"))?;
    let bytes = blobs.blob(&config, MAX_MANIFEST_BYTES)?;
    checked(&format!("the configuration of {digest}"), &bytes, Some(&config))?;
    let config = json(&config.to_string(), &bytes)?;
    documents.push(bytes);
    let layers = manifest["layers"].as_array();
    let layers = layers.ok_or_else(|| format!("{digest}: the manifest names no layers"))?;
    let layers = layers.iter().map(layer).collect::<Option<Vec<_>>>();
    let layers = layers.ok_or_else(|| format!("{digest}: a layer has no sha256 digest or size"))?;
    let text = |value: &Value, key: &str| value[key].as_str().unwrap_or_default().to_owned();
    let settings = &config["config"];
    let contents = ImageContents {
        user: text(settings, "User"),
        entrypoint: words(digest, settings, "Entrypoint")?,
        command: words(digest, settings, "Cmd")?,
        layers,
        platform: format!("{}/{}", text(&config, "os"), text(&config, "architecture")),
        offered,
    };
    Ok(ReadImage { contents, documents })
}

fn read_manifest(
    digest: &Digest,
    blobs: &mut dyn BlobSource,
    documents: &mut Vec<Vec<u8>>,
) -> Result<Value, ArtifactError> {
    let bytes = blobs.manifest(&digest.to_string())?;
    checked("the manifest", &bytes, Some(digest))?;
    let manifest = json(&digest.to_string(), &bytes)?;
    documents.push(bytes);
    Ok(manifest)
}

/// The manifest of a list for the containers of this machine. If several fit, such as for variants
/// of a processor, the choice of the container engine is not known.
fn manifest_for_machine(digest: &Digest, list: &[Value]) -> Result<Digest, String> {
    let (_, processor) = platform();
    let wanted = format!("{CONTAINER_SYSTEM}/{processor}");
    let name = |entry: &Value| {
        let platform = &entry["platform"];
        Some(format!("{}/{}", platform["os"].as_str()?, platform["architecture"].as_str()?))
    };
    let fitting: Vec<&Value> =
        list.iter().filter(|entry| name(entry).as_ref() == Some(&wanted)).collect();
    match fitting.as_slice() {
        [one] => digest_of(one)
            .ok_or_else(|| format!("{digest}: the manifest for {wanted} has no sha256 digest")),
        [] => {
            let others: Vec<String> = list.iter().filter_map(name).collect();
            let others = others.join(", ");
            Err(format!("{digest}: the list has no manifest for {wanted}, only: {others}"))
        }
        several => Err(format!("{digest}: the list has {} manifests for {wanted}", several.len())),
    }
}

fn layer(descriptor: &Value) -> Option<ImageLayer> {
    Some(ImageLayer { digest: digest_of(descriptor)?, size: descriptor["size"].as_u64()? })
}

/// A list of words of the configuration; empty if it is absent or null.
fn words(digest: &Digest, settings: &Value, key: &str) -> Result<Vec<String>, String> {
    let words: Result<Option<Vec<String>>, _> = serde_json::from_value(settings[key].clone());
    let words = words.map_err(|error| format!("{digest}: {key} of the configuration: {error}"))?;
    Ok(words.unwrap_or_default())
}
