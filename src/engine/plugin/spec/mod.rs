//! Reads the runtime of a configuration object: the `runtime` field and the function annotations
//! (section 8.2 of the build reference; A.9).

#[cfg(test)]
mod tests;

use crate::manifest::{FUNCTION_ANNOTATIONS, is_runtime_member, read_function_spec};
pub use crate::manifest::{FunctionSpec, Mount, SpecError, SpecKind};
use crate::yaml::{Limits, Node, SourceId, parse_config};

const BOTH: &str = "both 'runtime' and the config.kubernetes.io/function annotation are set";

/// Whether the field `runtime` of a configuration defines the runtime or is data of the function.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RuntimeField {
    /// It always defines the runtime: in a Composition.
    Reserved,
    /// It defines the runtime if it has the form of one and the object has no function annotation;
    /// otherwise it is data of the function (D-A21): in a Kustomization.
    IfRuntimeShaped,
}

/// The runtime in a configuration object.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct DeclaredRuntime {
    pub spec: Option<FunctionSpec>,
    /// True if the field `runtime` sets it, which is then not passed to the function (D-A20).
    pub in_field: bool,
    pub warnings: Vec<String>,
}

/// Reads the runtime of an object: its `runtime` field, else its annotation (D-A19).
///
/// # Errors
/// Unknown members, none or more than one runtime, an empty image or path, a field and an
/// annotation that differ.
pub fn declared_runtime(config: &Node, field: RuntimeField) -> Result<DeclaredRuntime, SpecError> {
    let annotated = annotated_runtime(config)?;
    let runtime = config.get("runtime").filter(|runtime| match field {
        RuntimeField::Reserved => true,
        RuntimeField::IfRuntimeShaped => annotated.is_none() && looks_like_runtime(runtime),
    });
    let Some(runtime) = runtime else {
        return Ok(DeclaredRuntime { spec: annotated, ..DeclaredRuntime::default() });
    };
    let spec = read_function_spec(runtime, "runtime")?;
    let mut warnings = Vec::new();
    match annotated {
        Some(other) if other != spec => {
            return Err(SpecError {
                text: format!("{BOTH} and differ; keep one"),
                mark: runtime.mark,
            });
        }
        Some(_) => warnings.push(format!("{BOTH}; keep one")),
        None => {}
    }
    Ok(DeclaredRuntime { spec: Some(spec), in_field: true, warnings })
}

/// True for an object with a runtime, valid or not.
pub fn has_runtime(config: &Node, field: RuntimeField) -> bool {
    declared_runtime(config, field).map_or(true, |stated| stated.spec.is_some())
}

/// True for a mapping with a kind of runtime as a key, and no key that a runtime cannot have.
fn looks_like_runtime(runtime: &Node) -> bool {
    let keys: Vec<&str> = runtime.entries().iter().filter_map(|entry| entry.key.text()).collect();
    let is_member = |key: &&str| is_runtime_member(key);
    keys.iter().any(is_member) && keys.iter().all(|key| is_member(key) || *key == "deferFailure")
}

/// The runtime in the annotations, or in the older fields that upstream still reads.
fn annotated_runtime(config: &Node) -> Result<Option<FunctionSpec>, SpecError> {
    let annotation = |key: &str| config.at(&["metadata", "annotations", key]);
    let [now, older, image] = FUNCTION_ANNOTATIONS;
    for key in [now, older] {
        if let Some(node) = annotation(key) {
            return parse_function_spec(node, key).map(Some);
        }
    }
    if let Some(node) = config.at(&["metadata", "configFn"]) {
        return match node.as_mapping() {
            Some(_) => read_function_spec(node, "metadata.configFn").map(Some),
            None => parse_function_spec(node, "metadata.configFn").map(Some),
        };
    }
    Ok(annotation(image).map(|image| {
        let location = image.text().unwrap_or_default().to_owned();
        FunctionSpec { location, ..FunctionSpec::default() }
    }))
}

/// Parses a runtime; `place` is its path for errors.
fn parse_function_spec(node: &Node, place: &str) -> Result<FunctionSpec, SpecError> {
    let refused = |cause: &str| SpecError {
        text: format!("failed to get FunctionSpec: {place} unmarshal error: {cause}"),
        mark: node.mark,
    };
    let text = node.text().ok_or_else(|| refused("a string is expected"))?;
    let parsed = parse_config(text.as_bytes(), SourceId::NONE, Limits::default())
        .map_err(|error| refused(&error.to_string()))?;
    // Errors get the location of the annotation, because the embedded text has no locations in the
    // file.
    read_function_spec(&parsed.unwrap_or_else(Node::mapping), place)
        .map_err(|error| SpecError { mark: node.mark, ..error })
}
