//! The path fields of an entry (section A.8).

use crate::yaml::Node;

/// The fields with paths, by kind: `a[].b` is the field `b` of each item of the list `a`, and a `=`
/// at the end means that a value has the form `key=path`.
const FIELDS: [(&str, &[&str]); 9] = [
    ("ResourceAccumulator", &["paths[]"]),
    ("ConfigMapGenerator", &["files[]=", "envs[]", "env"]),
    ("SecretGenerator", &["files[]=", "envs[]", "env"]),
    ("PatchTransformer", &["path"]),
    ("PatchStrategicMergeTransformer", &["paths[]"]),
    ("PatchJson6902Transformer", &["path"]),
    ("ReplacementTransformer", &["replacements[].path"]),
    ("ValueAddTransformer", &["targetFilePath"]),
    (
        "HelmChartInflationGenerator",
        &["valuesFile", "additionalValuesFiles[]", "chartHome", "configHome"],
    ),
];

/// The fields of a kustomization that contain paths: `[]` marks a list, `=` an optional `KEY=`
/// before the path.
const KUSTOMIZATION_PATH_FIELDS: &[&str] = &[
    "resources[]",
    "bases[]",
    "components[]",
    "crds[]",
    "configurations[]",
    "generators[]",
    "transformers[]",
    "validators[]",
    "catalogs[]",
    "patches[].path",
    "patchesJson6902[].path",
    "patchesStrategicMerge[]",
    "replacements[].path",
    "configMapGenerator[].files[]=",
    "configMapGenerator[].envs[]",
    "configMapGenerator[].env",
    "secretGenerator[].files[]=",
    "secretGenerator[].envs[]",
    "secretGenerator[].env",
    "openapi.path",
    "helmGlobals.chartHome",
    "helmGlobals.configHome",
    "helmCharts[].valuesFile",
    "helmCharts[].additionalValuesFiles[]",
];

/// The fields of a function that contain paths: those in `runtime`. The meaning of its other fields
/// is not known.
const FUNCTION_PATH_FIELDS: &[&str] =
    &["runtime.exec.path", "runtime.starlark.path", "runtime.container.mounts[].src"];

/// Replaces the relative paths of an entry, or of an override for one: `each` returns the new text,
/// or `None` to keep the path. Inline texts are no paths.
pub fn map_paths(node: &mut Node, each: &mut dyn FnMut(&str) -> Option<String>) {
    let kind = node.text_of("kind").unwrap_or_default();
    let fields = match node.text_of("apiVersion") {
        Some("builtin") => FIELDS.iter().find(|(known, _)| *known == kind).map(|(_, paths)| *paths),
        Some(version) if kind == "Kustomization" && version.starts_with(super::KUSTOMIZE_GROUP) => {
            Some(KUSTOMIZATION_PATH_FIELDS)
        }
        _ => Some(FUNCTION_PATH_FIELDS),
    };
    for field in fields.unwrap_or_default() {
        map_paths_in_field(node, field, each);
    }
}

/// Replaces the paths at the end of a field path such as `patches[].path`.
fn map_paths_in_field(node: &mut Node, path: &str, each: &mut dyn FnMut(&str) -> Option<String>) {
    let (head, rest) = path.split_once('.').unwrap_or((path, ""));
    let keyed = head.ends_with('=');
    let head = head.trim_end_matches('=');
    let (key, is_list) = head.strip_suffix("[]").map_or((head, false), |key| (key, true));
    // Look up the key first: a mutable access would copy a shared mapping.
    let Some(value) = node.get_mut(key) else { return };
    let items = if is_list {
        value.items_mut().map(Vec::as_mut_slice).unwrap_or_default()
    } else {
        std::slice::from_mut(value)
    };
    for item in items {
        if rest.is_empty() {
            map_path(item, keyed, each);
        } else {
            map_paths_in_field(item, rest, each);
        }
    }
}

fn map_path(node: &mut Node, keyed: bool, each: &mut dyn FnMut(&str) -> Option<String>) {
    let text = node.text().unwrap_or_default();
    let key_end = text.find('=').filter(|_| keyed).map_or(0, |at| at + 1);
    let (key, path) = text.split_at(key_end);
    let new = is_relative_path(path).then(|| each(path)).flatten();
    let new = new.map(|new| format!("{key}{new}"));
    if let (Some(new), Some(scalar)) = (new, node.as_scalar_mut()) {
        scalar.text = new.into();
    }
}

/// False for URLs, absolute paths and inline texts.
fn is_relative_path(text: &str) -> bool {
    let remote = text.contains("://")
        || text.starts_with("git@")
        || text.starts_with("git::")
        || text.starts_with("github.com");
    let inline = text.contains('\n') || text.contains(": ") || text.starts_with(['{', '[']);
    !text.is_empty() && !text.starts_with('/') && !remote && !inline
}
