//! Finds and reads the kustomization file of a root (sections 1.1 to 1.5).

use std::sync::Arc;

use crate::diagnostic::{Code, CompositionRemark, Diagnostic, LayerFault};
use crate::load::{LoadedFile, Root, SourceNumbers};
use crate::manifest::{
    COMPOSITION_FILE_NAMES, KUSTOMIZE_GROUP, Kustomization, ManifestError, Outline, OutlineEntry,
    decode_kustomization,
};
use crate::profile::Profile;
use crate::resource::Gvk;
use crate::transform::TransformError;
use crate::yaml::{Limits, Mark, Node, SourceId, parse_documents, parse_nodes};

use super::BuildWarning;
use super::aged_map::AgedMap;

/// The names of a kustomization file, in the order in which Kustomize tries them.
pub const FILE_NAMES: [&str; 3] = ["kustomization.yaml", "kustomization.yml", "Kustomization"];

const COMPOSITION_FIELDS: [&str; 3] =
    ["transformerOverrides", "transformerOrder", "transformersFrom"];

/// The names of the files that make a directory a target (section A.1): Kustomize's own, and those
/// of a Composition.
pub fn target_file_names() -> impl Iterator<Item = &'static str> {
    FILE_NAMES.into_iter().chain(COMPOSITION_FILE_NAMES)
}

pub(super) type DecodedKustomization = (Arc<Kustomization>, Arc<Outline>);

#[derive(Clone, Debug, Default)]
pub(super) struct LoadedTarget {
    pub(super) kustomization: Arc<Kustomization>,
    pub(super) file: String,
    pub(super) outline: Arc<Outline>,
    pub(super) composition: Option<LoadedFile>,
    pub(super) beside: Option<Diagnostic>,
}

/// The content of a kustomization file without `components:`. If it is equal in two files, the
/// steps before their components are equal.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct BesidesComponents {
    kustomization: Kustomization,
    /// Commented-out entries: field, number of active entries before the entry, line and text; the
    /// text of a commented-out field is empty.
    switched_off: Vec<(String, usize, u32, String)>,
}

impl LoadedTarget {
    pub(super) fn of_composition(file: &LoadedFile) -> Self {
        Self { composition: Some(file.clone()), ..Self::of_entry(&file.path) }
    }

    pub(super) fn of_entry(file: &str) -> Self {
        Self { file: file.to_owned(), ..Self::default() }
    }

    pub(super) fn of_file(
        file: String,
        (kustomization, outline): DecodedKustomization,
        beside: Option<LoadedFile>,
        sources: &mut SourceNumbers,
    ) -> Self {
        let beside = beside.map(|other| {
            let name = other.path.rsplit('/').next().unwrap_or_default();
            let source = sources.intern(&other.path);
            let mark = Mark { source, line: 1, column: 1, ..Mark::default() };
            Diagnostic::new(CompositionRemark::Beside(name.to_owned()), mark)
        });
        Self { kustomization, file, outline, composition: None, beside }
    }

    /// The line of a field that is commented out with all its entries; `None` for any other field.
    pub(super) fn switched_off_field(&self, name: &str) -> Option<u32> {
        let off = |field: &&crate::manifest::OutlineField| {
            field.name == name && field.disabled && field.entries.is_empty()
        };
        self.outline.fields.iter().find(off).map(|field| field.line)
    }

    /// True if components are listed, commented-out ones included.
    pub(super) fn has_components(&self) -> bool {
        !self.kustomization.components.is_empty() || !self.switched_off("components").is_empty()
    }

    pub(super) fn besides_components(&self) -> BesidesComponents {
        let mut kustomization = Kustomization::clone(&self.kustomization);
        kustomization.components.clear();
        let outline = self.outline.fields.iter().filter(|field| field.name != "components");
        let switched_off = outline.flat_map(|field| {
            let whole = field.disabled.then(|| (0, field.line, String::new()));
            let entries = self.switched_off(&field.name).into_iter();
            let entries = entries.map(|(before, it)| (before, it.line, it.text.clone()));
            let all = whole.into_iter().chain(entries);
            all.map(|(before, line, text)| (field.name.clone(), before, line, text))
        });
        let switched_off = switched_off.collect();
        BesidesComponents { kustomization, switched_off }
    }

    pub(super) fn switched_off(&self, field: &str) -> Vec<(usize, &OutlineEntry)> {
        switched_off(&self.outline, field)
    }
}

/// The commented-out entries of a list, each with the number of active entries before it.
pub(super) fn switched_off<'o>(
    outline: &'o Outline,
    field: &str,
) -> Vec<(usize, &'o OutlineEntry)> {
    let fields = outline.fields.iter().filter(|outline| outline.name == field);
    let mut active = 0;
    let mut off = Vec::new();
    for entry in fields.flat_map(|field| &field.entries) {
        if entry.disabled {
            off.push((active, entry));
        } else {
            active += 1;
        }
    }
    off
}

pub(super) type DecodedTargets = AgedMap<Arc<str>, (Arc<[u8]>, DecodedKustomization)>;

pub(super) fn read_target(
    root: &Root,
    sources: &mut SourceNumbers,
    known: Option<&mut DecodedTargets>,
    profile: Profile,
) -> Result<(LoadedTarget, Vec<BuildWarning>), TransformError> {
    let (name, loaded, beside) = read_only_target(root)?;
    if COMPOSITION_FILE_NAMES.contains(&name) {
        return Ok((LoadedTarget::of_composition(&loaded), Vec::new()));
    }
    let source = sources.intern(&loaded.path);
    let there = known.as_ref().and_then(|known| known.get(loaded.path.as_str()));
    let there = there.filter(|(bytes, _)| *bytes == loaded.bytes).map(|(_, read)| read.clone());
    let read = if let Some(there) = there {
        there
    } else {
        let kustomization = decode_kustomization(&loaded.bytes, source, profile)
            .map_err(|error| bad_manifest(error, source, root, &loaded.bytes))?;
        // A file without comments has no commented-out entries.
        let has_comments = loaded.bytes.contains(&b'#');
        let outline = if has_comments { Outline::parse(&loaded.bytes) } else { Outline::default() };
        let read = (Arc::new(kustomization), Arc::new(outline));
        if let Some(known) = known {
            known.insert(loaded.path.as_str().into(), (loaded.bytes.clone(), read.clone()));
        }
        read
    };
    let deprecated = read.0.deprecated.iter().cloned().map(BuildWarning::Deprecated).collect();
    Ok((LoadedTarget::of_file(loaded.path, read, beside, sources), deprecated))
}

pub(super) fn bad_manifest(
    error: ManifestError,
    source: SourceId,
    root: &Root,
    text_of_file: &[u8],
) -> TransformError {
    let directory = root.path().display().to_string();
    if let Some(mark) = composition_kind(text_of_file, source) {
        return TransformError::fault(LayerFault::CompositionInKustomization(directory), mark);
    }
    let mut mark = error.mark;
    // An error without a location is reported at the start of the file. An error in an addition has
    // a location, in the deployment object.
    if mark.source == SourceId::NONE {
        mark = Mark { source, line: 1, column: 1, ..Mark::default() };
    }
    let around = if error.code() == Code::KZ016 {
        format!("Failed to read kustomization file under {directory}:\n")
    } else {
        String::new()
    };
    ManifestError { around, mark, ..error }.into()
}

/// The location of `kind: Composition` in a file with the name of a Kustomization; `None` for
/// another kind or group. All other errors of such a file follow from its kind (section A.1).
fn composition_kind(text: &[u8], source: SourceId) -> Option<Mark> {
    let parsed = parse_documents(text, source, Limits::default()).ok()?;
    let document = &parsed.documents.first()?.node;
    let kind = document.get("kind").filter(|kind| kind.text() == Some("Composition"))?;
    (!is_foreign(document)).then_some(kind.mark)
}

fn is_foreign(document: &Node) -> bool {
    let version = document.text_of("apiVersion").unwrap_or_default();
    !version.is_empty() && &*Gvk::new(version, "Composition").group != KUSTOMIZE_GROUP
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum CompositionCheck {
    /// Has Kustomize's group, or no group and fields of a Composition.
    KustomizeGroup,
    /// Has neither a group nor fields of a Composition, or another API group and fields that only a
    /// Composition has: probably a mistake, about which the build of the file has an error.
    Unclear,
    Foreign,
}

/// True if a file with one of the target names makes its folder a target: a `composition.yaml` of
/// another API group does not.
pub fn makes_target(name: &str, bytes: &[u8]) -> bool {
    !COMPOSITION_FILE_NAMES.contains(&name) || check_composition(bytes) != CompositionCheck::Foreign
}

fn check_composition(bytes: &[u8]) -> CompositionCheck {
    let nodes = parse_nodes(bytes).unwrap_or_default();
    let Some(object) = nodes.first() else { return CompositionCheck::Unclear };
    let is_only_ours = |key: &str, value: &Node| {
        // In a Kustomization, `transformers` lists texts, not mappings.
        let holds_entries =
            || value.items().unwrap_or_default().iter().any(|item| item.as_mapping().is_some());
        COMPOSITION_FIELDS.contains(&key) || key == "transformers" && holds_entries()
    };
    let mut fields = object.entries().iter();
    let has_fields =
        fields.any(|entry| entry.key.text().is_some_and(|key| is_only_ours(key, &entry.value)));
    match object.get("apiVersion") {
        Some(_) if is_foreign(object) && !has_fields => CompositionCheck::Foreign,
        Some(_) if !is_foreign(object) => CompositionCheck::KustomizeGroup,
        None if has_fields => CompositionCheck::KustomizeGroup,
        _ => CompositionCheck::Unclear,
    }
}

/// The one file that makes a directory a target (sections 1.1 of the build reference and A.1 of the
/// composition reference), and a Composition beside it, which is not built. Since Kustomize does
/// not know Compositions, a Kustomization takes precedence; a file with the name of a Composition
/// counts only if its content is one.
pub(super) fn read_only_target(
    root: &Root,
) -> Result<(&'static str, LoadedFile, Option<LoadedFile>), TransformError> {
    let place = Mark::default();
    // As in Kustomize, a file that cannot be read counts as missing.
    let load = |name: &'static str| root.find(name).map(|loaded| (name, loaded));
    let mut found: Vec<(&'static str, LoadedFile)> =
        FILE_NAMES.into_iter().filter_map(load).collect();
    let compositions = COMPOSITION_FILE_NAMES.into_iter().filter_map(load);
    let mut beside = None;
    if found.is_empty() {
        found.extend(
            compositions
                .filter(|(_, file)| check_composition(&file.bytes) != CompositionCheck::Foreign),
        );
    } else {
        let mut own_compositions = compositions
            .filter(|(_, file)| check_composition(&file.bytes) == CompositionCheck::KustomizeGroup);
        beside = own_compositions.next().map(|(_, file)| file);
    }
    let directory = root.path().display().to_string();
    if found.len() > 1 {
        let mut names: Vec<String> = found.iter().map(|(name, _)| (*name).to_owned()).collect();
        names.sort_unstable();
        let hint = format!("keep one of {}", names.join(", "));
        let fault = LayerFault::SeveralKustomizations { directory, names };
        return Err(TransformError::fault(fault, place).with_hint(hint));
    }
    let Some((name, file)) = found.pop() else {
        // Ruling 3: Kustomize's words; the two file names of kzui are in the hint.
        let hint = "name a directory with one of these files, or with `composition.yaml` for a Composition";
        let fault = LayerFault::NoKustomization(directory);
        return Err(TransformError::fault(fault, place).with_hint(hint));
    };
    Ok((name, file, beside))
}
