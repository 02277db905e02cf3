//! The fields of a kustomization file, for telling prose comments from commented-out fields.

use crate::manifest::Field;
use crate::manifest::registry::{CONFIG, Shape};

use super::shape::ItemShape;

/// Fields of Compositions alone.
const OF_COMPOSITIONS: [(&str, Shape); 7] = [
    ("transformerOverrides", Shape::PathsOrMappings(CONFIG)),
    ("transformersFrom", Shape::Mappings(&["path", "importMode"])),
    ("transformerOrder", Shape::Mappings(&["name"])),
    // The names in the older draft.
    ("modules", Shape::PathsOrMappings(CONFIG)),
    ("moduleOverrides", Shape::PathsOrMappings(CONFIG)),
    ("modulesFrom", Shape::Mappings(&["path", "importMode"])),
    ("moduleOrder", Shape::Mappings(&["name"])),
];

/// Fields of an Argo CD Application, in `spec.source.kustomize`.
const OF_APPLICATIONS: [(&str, Shape); 18] = [
    ("namePrefix", Shape::Word),
    ("nameSuffix", Shape::Word),
    ("namespace", Shape::Word),
    ("images", Shape::Paths),
    ("replicas", Shape::Mappings(&["name", "count"])),
    ("commonLabels", Shape::Mapping),
    ("commonAnnotations", Shape::Mapping),
    ("patches", Shape::Mappings(&["path", "patch", "target", "options"])),
    ("components", Shape::Paths),
    ("ignoreMissingComponents", Shape::Word),
    ("forceCommonLabels", Shape::Word),
    ("forceCommonAnnotations", Shape::Word),
    ("labelWithoutSelector", Shape::Word),
    ("labelIncludeTemplates", Shape::Word),
    ("commonAnnotationsEnvsubst", Shape::Word),
    ("version", Shape::Word),
    ("kubeVersion", Shape::Word),
    ("apiVersions", Shape::Paths),
];

/// Fields of a Flux Kustomization, in `spec`.
const OF_FLUX: [(&str, Shape); 12] = [
    ("targetNamespace", Shape::Word),
    ("namePrefix", Shape::Word),
    ("nameSuffix", Shape::Word),
    ("patches", Shape::Mappings(&["patch", "target"])),
    ("patchesStrategicMerge", Shape::Mappings(&["apiVersion", "kind", "metadata"])),
    ("patchesJson6902", Shape::Mappings(&["patch", "target"])),
    ("images", Shape::Mappings(&["name", "newName", "newTag", "digest"])),
    ("components", Shape::Paths),
    ("ignoreMissingComponents", Shape::Word),
    ("buildMetadata", Shape::Paths),
    ("postBuild", Shape::Mapping),
    ("commonMetadata", Shape::Mapping),
];

/// The vocabulary of fields in a text.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Words {
    /// A kustomization file, or a Composition.
    #[default]
    Kustomization,
    Application,
    Flux,
}

impl Words {
    fn find(self, is_it: impl Fn(&str) -> bool) -> Option<Shape> {
        let among = |rows: &[(&str, Shape)]| {
            rows.iter().find(|(name, _)| is_it(name)).map(|(_, shape)| *shape)
        };
        match self {
            Self::Kustomization => {
                let field = Field::ALL.iter().find(|field| is_it(field.name()));
                field.map_or_else(|| among(&OF_COMPOSITIONS), |field| field.shape())
            }
            Self::Application => among(&OF_APPLICATIONS),
            Self::Flux => among(&OF_FLUX),
        }
    }

    /// The shape of a known commented-out field; `None` for any other. `# Images: …` is prose.
    pub(super) fn shape_of(self, field: &str) -> Option<Shape> {
        // Kustomize's own spelling, and one in use in real trees.
        self.find(|name| name == if field == "patchesJSON6902" { "patchesJson6902" } else { field })
    }

    /// The shape of an active field: Go reads its key in any case.
    pub(super) fn shape_of_key(self, field: &str) -> Option<Shape> {
        self.find(|name| name.eq_ignore_ascii_case(field))
    }

    /// True for a field with a list value.
    pub(super) fn is_list(self, field: &str) -> bool {
        matches!(
            self.shape_of_key(field),
            Some(Shape::Paths | Shape::Mappings(_) | Shape::PathsOrMappings(_))
        )
    }
}

/// Whether a comment that reads `- …` is a commented-out list entry, and no prose. In a list of
/// paths an entry looks like a path or URL: one word, quoted, or a block of text; in the unspaced
/// style `#- …` also words with a slash or an extension. In a list of mappings it has one of that
/// list's keys. In a list that Kustomize does not know, it is one word, or a mapping whose keys are
/// words.
pub(super) fn accepts(shape: Option<Shape>, item: &ItemShape, unspaced: bool) -> bool {
    let word = |value: &str, quoted: bool| looks_like_path(value, quoted, unspaced);
    match (shape, item) {
        (
            Some(Shape::Paths | Shape::PathsOrMappings(_)) | None,
            ItemShape::Scalar { value, quoted, block },
        ) => *block || word(value, *quoted),
        (
            Some(Shape::Mappings(known) | Shape::PathsOrMappings(known)),
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
