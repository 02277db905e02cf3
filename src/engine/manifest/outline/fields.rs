//! The fields of a kustomization file, as far as a comment must be told from one that is commented out.

use crate::manifest::Field;
use crate::manifest::registry::{CONFIG, Shape};

use super::shape::ItemShape;

/// The fields that a Composition alone has.
const OF_COMPOSITIONS: [(&str, Shape); 7] = [
    ("transformerOverrides", Shape::PathsOrMappings(CONFIG)),
    ("transformersFrom", Shape::Mappings(&["path", "importMode"])),
    ("transformerOrder", Shape::Mappings(&["name"])),
    // As the older draft calls them.
    ("modules", Shape::PathsOrMappings(CONFIG)),
    ("moduleOverrides", Shape::PathsOrMappings(CONFIG)),
    ("modulesFrom", Shape::Mappings(&["path", "importMode"])),
    ("moduleOrder", Shape::Mappings(&["name"])),
];

fn find(is_it: impl Fn(&str) -> bool) -> Option<Shape> {
    let of_compositions = || OF_COMPOSITIONS.iter().find(|(name, _)| is_it(name));
    let field = Field::ALL.iter().find(|field| is_it(field.name()));
    field.map_or_else(|| of_compositions().map(|(_, shape)| *shape), |field| field.shape())
}

/// What a known field that is commented out holds; `None` for any other. `# Images: …` is prose.
pub(super) fn shape_of(field: &str) -> Option<Shape> {
    // Kustomize's own spelling, and one that real trees have.
    find(|name| name == if field == "patchesJSON6902" { "patchesJson6902" } else { field })
}

/// What a field that is there holds: Go reads its key in any case.
pub(super) fn shape_of_key(field: &str) -> Option<Shape> {
    find(|name| name.eq_ignore_ascii_case(field))
}

/// True for a field that holds a list.
pub(super) fn is_list(field: &str) -> bool {
    matches!(
        shape_of_key(field),
        Some(Shape::Paths | Shape::Mappings(_) | Shape::PathsOrMappings(_))
    )
}

/// Whether a comment that reads `- …` is an entry of a list that was switched off, and no prose. What a path
/// list takes looks like a path or URL: one word, quoted, or a block of text; in the unspaced style `#- …` also
/// words with a slash or an extension. What a list of mappings takes has one of that list's keys. In a list
/// that Kustomize does not know, it is one word, or a mapping whose keys are words.
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
