//! The files that create `ConfigMaps` and Secrets.

use std::path::Path;

use crate::manifest::decode_kustomization;
use crate::profile::Profile;
use crate::yaml::{Limits, SourceId, parse_documents};

use super::super::FILE_NAMES;
use super::output::DataObject;

/// True if a file creates a `ConfigMap` or Secret.
pub(super) fn creates_data(file: &Path, bytes: &[u8]) -> bool {
    let text = std::str::from_utf8(bytes).unwrap_or_default();
    !data_names(file, bytes, text).is_empty()
}

/// The names of the `ConfigMaps` and Secrets that a file creates.
pub(super) fn data_names(file: &Path, bytes: &[u8], text: &str) -> Vec<String> {
    let name = file.file_name().and_then(|name| name.to_str()).unwrap_or_default();
    if FILE_NAMES.contains(&name) {
        let read = text
            .contains("Generator")
            .then(|| decode_kustomization(bytes, SourceId::NONE, Profile::MASTER));
        let Some(Ok(read)) = read else { return Vec::new() };
        let generators = read.config_map_generator.iter().chain(&read.secret_generator);
        return generators.map(|generator| generator.value.name.clone()).collect();
    }
    if !text.contains("ConfigMap") && !text.contains("Secret") {
        return Vec::new();
    }
    let Ok(parsed) = parse_documents(bytes, SourceId::NONE, Limits::default()) else {
        return Vec::new();
    };
    let nodes = parsed.documents.iter().map(|document| &document.node);
    nodes.filter_map(DataObject::from_object).map(|object| object.name).collect()
}
