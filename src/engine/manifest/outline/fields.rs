//! The fields of a kustomization file, for telling prose comments from commented-out fields.

use crate::manifest::KustomizationField;
use crate::manifest::registry::{CONFIG, FieldShape};
use crate::yaml::{Node, Style, Value};

const COMPOSITION_FIELDS: [(&str, FieldShape); 7] = [
    ("transformerOverrides", FieldShape::PathsOrMappings(CONFIG)),
    ("transformersFrom", FieldShape::Mappings(&["path", "importMode"])),
    ("transformerOrder", FieldShape::Mappings(&["name"])),
    // The names of these fields in an older draft of the proposal.
    ("modules", FieldShape::PathsOrMappings(CONFIG)),
    ("moduleOverrides", FieldShape::PathsOrMappings(CONFIG)),
    ("modulesFrom", FieldShape::Mappings(&["path", "importMode"])),
    ("moduleOrder", FieldShape::Mappings(&["name"])),
];

/// Fields of an Argo CD Application, in `spec.source.kustomize`.
const APPLICATION_FIELDS: [(&str, FieldShape); 18] = [
    ("namePrefix", FieldShape::Word),
    ("nameSuffix", FieldShape::Word),
    ("namespace", FieldShape::Word),
    ("images", FieldShape::Paths),
    ("replicas", FieldShape::Mappings(&["name", "count"])),
    ("commonLabels", FieldShape::Mapping),
    ("commonAnnotations", FieldShape::Mapping),
    ("patches", FieldShape::Mappings(&["path", "patch", "target", "options"])),
    ("components", FieldShape::Paths),
    ("ignoreMissingComponents", FieldShape::Word),
    ("forceCommonLabels", FieldShape::Word),
    ("forceCommonAnnotations", FieldShape::Word),
    ("labelWithoutSelector", FieldShape::Word),
    ("labelIncludeTemplates", FieldShape::Word),
    ("commonAnnotationsEnvsubst", FieldShape::Word),
    ("version", FieldShape::Word),
    ("kubeVersion", FieldShape::Word),
    ("apiVersions", FieldShape::Paths),
];

/// Fields of a Flux Kustomization, in `spec`.
const FLUX_FIELDS: [(&str, FieldShape); 12] = [
    ("targetNamespace", FieldShape::Word),
    ("namePrefix", FieldShape::Word),
    ("nameSuffix", FieldShape::Word),
    ("patches", FieldShape::Mappings(&["patch", "target"])),
    ("patchesStrategicMerge", FieldShape::Mappings(&["apiVersion", "kind", "metadata"])),
    ("patchesJson6902", FieldShape::Mappings(&["patch", "target"])),
    ("images", FieldShape::Mappings(&["name", "newName", "newTag", "digest"])),
    ("components", FieldShape::Paths),
    ("ignoreMissingComponents", FieldShape::Word),
    ("buildMetadata", FieldShape::Paths),
    ("postBuild", FieldShape::Mapping),
    ("commonMetadata", FieldShape::Mapping),
];

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum FieldVocabulary {
    #[default]
    Kustomization,
    Application,
    Flux,
}

impl FieldVocabulary {
    fn find(self, is_it: impl Fn(&str) -> bool) -> Option<FieldShape> {
        let among = |rows: &[(&str, FieldShape)]| {
            rows.iter().find(|(name, _)| is_it(name)).map(|(_, shape)| *shape)
        };
        match self {
            Self::Kustomization => {
                let field = KustomizationField::ALL.iter().find(|field| is_it(field.name()));
                field.map_or_else(|| among(&COMPOSITION_FIELDS), |field| field.shape())
            }
            Self::Application => among(&APPLICATION_FIELDS),
            Self::Flux => among(&FLUX_FIELDS),
        }
    }

    /// The shape of a known commented-out field; `None` for any other. `# Images: …` is prose.
    pub(super) fn shape_of(self, field: &str) -> Option<FieldShape> {
        // `patchesJSON6902` is a wrong but common spelling.
        self.find(|name| name == if field == "patchesJSON6902" { "patchesJson6902" } else { field })
    }

    /// The shape of an active field: Go reads its key in any case.
    pub(super) fn shape_of_key(self, field: &str) -> Option<FieldShape> {
        self.find(|name| name.eq_ignore_ascii_case(field))
    }

    pub(super) fn is_list(self, field: &str) -> bool {
        matches!(
            self.shape_of_key(field),
            Some(FieldShape::Paths | FieldShape::Mappings(_) | FieldShape::PathsOrMappings(_))
        )
    }
}

/// True if a comment of the form `- …` is a commented-out list entry and not prose. In a list of
/// paths it has to look like a path or URL: one word, quoted, or a block scalar; without a blank
/// (`#- …`), words with a slash or an extension are accepted too. In a list of mappings it must
/// have one of the known keys. In an unknown list it must be one word, or a mapping whose keys are
/// words.
pub(super) fn looks_like_entry(shape: Option<FieldShape>, item: &Node, unspaced: bool) -> bool {
    let mut keys = item.entries().iter().filter_map(|entry| entry.key.text());
    match (shape, &item.value) {
        (
            Some(FieldShape::Paths | FieldShape::PathsOrMappings(_)) | None,
            Value::Scalar(scalar),
        ) => match scalar.style {
            Style::Literal | Style::Folded => true,
            style => looks_like_path(&scalar.text, style != Style::Plain, unspaced),
        },
        (
            Some(FieldShape::Mappings(known) | FieldShape::PathsOrMappings(known)),
            Value::Mapping(_),
        ) => keys.any(|key| known.iter().any(|known| known.eq_ignore_ascii_case(key))),
        (None, Value::Mapping(_)) => {
            !item.is_empty_collection() && keys.all(|key| !key.contains(char::is_whitespace))
        }
        _ => false,
    }
}

/// True for a text that is probably a path or URL and not prose.
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

fn only_dots(value: &str) -> bool {
    value.split('/').all(|segment| matches!(segment, "." | ".."))
}
