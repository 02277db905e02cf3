//! The fields of a kustomization file, as far as a comment must be told from one that is commented out.

use super::shape::ItemShape;

/// What a top-level field holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum FieldKind {
    /// A list of paths, URLs, names or inline texts.
    Paths,
    /// A list of mappings with these keys.
    Mappings(&'static [&'static str]),
    /// A list of paths, or of configurations that stand there themselves (Compositions).
    PathsOrMappings(&'static [&'static str]),
    /// One word.
    Word,
    /// A mapping.
    Mapping,
}

/// What every entry of a Composition has.
const CONFIG: &[&str] = &["kind"];
const PATCH: &[&str] = &["path", "patch", "target", "options"];
const IMAGE: &[&str] = &["name", "newName", "newTag", "digest", "tagSuffix"];
const GENERATOR: &[&str] =
    &["name", "namespace", "behavior", "literals", "files", "envs", "env", "options", "type"];
const CHART: &[&str] = &[
    "name",
    "version",
    "repo",
    "releaseName",
    "namespace",
    "valuesFile",
    "valuesInline",
    "valuesMerge",
    "includeCRDs",
    "skipHooks",
    "skipTests",
    "additionalValuesFiles",
    "apiVersions",
    "kubeVersion",
    "nameTemplate",
    "debug",
    "devel",
    "chartName",
    "chartRepoUrl",
    "chartVersion",
    "values",
];

/// The known fields.
const FIELDS: &[(&str, FieldKind)] = {
    use FieldKind::{Mapping, Mappings, Paths, PathsOrMappings, Word};
    &[
        ("resources", Paths),
        ("bases", Paths),
        ("components", Paths),
        ("crds", Paths),
        ("configurations", Paths),
        ("generators", Paths),
        ("validators", Paths),
        ("patchesStrategicMerge", Paths),
        ("buildMetadata", Paths),
        ("transformers", PathsOrMappings(CONFIG)),
        ("transformerOverrides", PathsOrMappings(CONFIG)),
        ("transformersFrom", Mappings(&["path", "importMode"])),
        ("transformerOrder", Mappings(&["name"])),
        ("patches", Mappings(PATCH)),
        ("patchesJson6902", Mappings(PATCH)),
        ("patchesJSON6902", Mappings(PATCH)),
        ("images", Mappings(IMAGE)),
        ("imageTags", Mappings(IMAGE)),
        ("configMapGenerator", Mappings(GENERATOR)),
        ("secretGenerator", Mappings(GENERATOR)),
        ("replicas", Mappings(&["name", "count"])),
        ("replacements", Mappings(&["source", "targets", "path"])),
        ("vars", Mappings(&["name", "objref", "fieldref"])),
        ("labels", Mappings(&["pairs", "includeSelectors", "includeTemplates", "fields"])),
        ("helmCharts", Mappings(CHART)),
        ("helmChartInflationGenerator", Mappings(CHART)),
        ("catalogs", Mappings(&["name", "url", "path", "ref", "uri"])),
        ("namePrefix", Word),
        ("nameSuffix", Word),
        ("namespace", Word),
        ("commonLabels", Mapping),
        ("commonAnnotations", Mapping),
        ("generatorOptions", Mapping),
        ("sortOptions", Mapping),
        ("openapi", Mapping),
        ("helmGlobals", Mapping),
        ("metadata", Mapping),
    ]
};

/// The kind of a known field that is commented out; `None` for any other. `# Images: …` is prose.
pub(super) fn kind_of(field: &str) -> Option<FieldKind> {
    FIELDS.iter().find(|(name, _)| *name == field).map(|(_, kind)| *kind)
}

/// The kind of a field that is there: Go reads its key in any case.
pub(super) fn kind_of_key(field: &str) -> Option<FieldKind> {
    FIELDS.iter().find(|(name, _)| name.eq_ignore_ascii_case(field)).map(|(_, kind)| *kind)
}

/// True for a field that holds a list.
pub(super) fn is_list(field: &str) -> bool {
    matches!(
        kind_of_key(field),
        Some(FieldKind::Paths | FieldKind::Mappings(_) | FieldKind::PathsOrMappings(_))
    )
}

/// Whether a comment that reads `- …` is an entry of a list that was switched off, and no prose. What a path
/// list takes looks like a path or URL: one word, quoted, or a block of text; in the unspaced style `#- …` also
/// words with a slash or an extension. What a list of mappings takes has one of that list's keys. In a list
/// that Kustomize does not know, it is one word, or a mapping whose keys are words.
pub(super) fn accepts(kind: Option<FieldKind>, item: &ItemShape, unspaced: bool) -> bool {
    let word = |value: &str, quoted: bool| looks_like_path(value, quoted, unspaced);
    match (kind, item) {
        (
            Some(FieldKind::Paths | FieldKind::PathsOrMappings(_)) | None,
            ItemShape::Scalar { value, quoted, block },
        ) => *block || word(value, *quoted),
        (
            Some(FieldKind::Mappings(known) | FieldKind::PathsOrMappings(known)),
            ItemShape::Mapping { keys },
        ) => keys.iter().any(|key| known.iter().any(|known| known.eq_ignore_ascii_case(key))),
        (None, ItemShape::Mapping { keys }) => {
            !keys.is_empty() && keys.iter().all(|key| !key.contains(char::is_whitespace))
        }
        _ => false,
    }
}

fn looks_like_path(value: &str, quoted: bool, unspaced: bool) -> bool {
    if value.is_empty() {
        return false;
    }
    if quoted {
        return true;
    }
    if value.contains(char::is_whitespace) {
        let file = [".yaml", ".yml", ".json"].iter().any(|end| value.ends_with(end));
        return unspaced && (file || value.contains('/'));
    }
    let sentence = value.ends_with([',', ';', '!', '?', ':']);
    let value = value.strip_suffix('/').unwrap_or(value);
    let full_stop = value.ends_with('.') && !value.ends_with("./") && !only_dots(value);
    !sentence && !full_stop && value.contains(char::is_alphanumeric) || only_dots(value)
}

/// `.`, `..`, `../..`
fn only_dots(value: &str) -> bool {
    value.split('/').all(|segment| matches!(segment, "." | ".."))
}
