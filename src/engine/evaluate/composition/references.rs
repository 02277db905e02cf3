//! Compositions that a Kustomization or Component refers to (section A.15).

use std::path::Path;

use crate::evaluate::accumulator::Accumulator;
use crate::evaluate::build::{Build, cannot_load};
use crate::evaluate::configured::ReferencedComposition;
use crate::evaluate::generators::merge_configs;
use crate::evaluate::level::ActiveLayer;
use crate::evaluate::recorder::{BuildAbort, OpenStep};
use crate::evaluate::step::Step;
use crate::evaluate::target::LoadedTarget;
use crate::evaluate::{LayerId, LayerKind, StepKind};
use crate::load::{GitTarget, LoadError, LoadedFile, Root, relative_path};
use crate::manifest::{COMPOSITION_FILE_NAMES, KUSTOMIZE_GROUP, Marked};
use crate::resource::{Gvk, Resource};
use crate::yaml::{Limits, ParsedFile, SourceId, parse_documents};

use super::expand::composition_in;

/// True for a file whose only document is a Composition of Kustomize's own group (D-A2, D-A32). A
/// Composition of another group, such as Crossplane's, is an ordinary resource.
pub(in crate::evaluate) fn is_composition(file: &ParsedFile) -> bool {
    let [document] = file.documents.as_slice() else { return false };
    let text = |key: &str| document.node.text_of(key).unwrap_or_default();
    let gvk = Gvk::new(text("apiVersion"), text("kind"));
    &*gvk.kind == "Composition" && &*gvk.group == KUSTOMIZE_GROUP
}

/// Loads a file entry. Like its directory, a Composition may be outside the root: only the file of
/// that name is read, with the rules of its root.
pub(in crate::evaluate) fn load_entry_file(
    root: &Root,
    entry: &str,
) -> Result<LoadedFile, LoadError> {
    let refused = match root.load(entry) {
        Err(refused @ LoadError::OutsideRoot { .. }) => refused,
        loaded => return loaded,
    };
    let path = Path::new(entry);
    let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
    let directory = path.parent().map(Path::to_string_lossy).filter(|it| !it.is_empty());
    let directory = directory.filter(|_| COMPOSITION_FILE_NAMES.contains(&name));
    let Some(opened) = directory.and_then(|directory| root.open(&directory).ok()) else {
        return Err(refused);
    };
    let loaded = opened.load(name)?;
    let parsed = parse_documents(&loaded.bytes, SourceId::NONE, Limits::default());
    if parsed.is_ok_and(|parsed| is_composition(&parsed)) { Ok(loaded) } else { Err(refused) }
}

fn referenced_composition(root: &Root, entry: &Marked<String>) -> Option<ReferencedComposition> {
    // A git target is no file; loading it as one would fetch it twice.
    let is_git = GitTarget::parse(&entry.value).is_some();
    if !is_git && let Ok(file) = load_entry_file(root, &entry.value) {
        let names_it = b"Composition".as_slice();
        if !file.bytes.windows(names_it.len()).any(|window| window == names_it) {
            return None;
        }
        let parsed = parse_documents(&file.bytes, SourceId::NONE, Limits::default()).ok()?;
        let root = is_composition(&parsed).then(|| root_of_file(root, &file))?.ok()?;
        return Some(ReferencedComposition { entry: entry.clone(), root, file });
    }
    let root = root.open(&entry.value).ok()?;
    let file = composition_in(&root)?;
    Some(ReferencedComposition { entry: entry.clone(), root, file })
}

/// Removes the entries that name a Composition from the paths; each is returned with the number of
/// paths before it.
pub(in crate::evaluate) fn split_compositions(
    level: &ActiveLayer<'_>,
    field: &'static str,
    paths: &mut Vec<Marked<String>>,
) -> Vec<(usize, ReferencedComposition)> {
    if !matches!(field, "generators" | "transformers" | "validators") {
        return Vec::new();
    }
    let mut found = Vec::new();
    let mut kept = Vec::with_capacity(paths.len());
    for path in paths.drain(..) {
        match referenced_composition(level.root, &path) {
            Some(composition) => found.push((kept.len(), composition)),
            None => kept.push(path),
        }
    }
    *paths = kept;
    found
}

impl Build<'_> {
    fn enter_composition(
        &mut self,
        level: &ActiveLayer<'_>,
        referenced: &ReferencedComposition,
    ) -> LayerId {
        let kind = LayerKind::Composition;
        let Marked { value, mark } = &referenced.entry;
        let id = self.recorder.enter_root(kind, Some(level.id), &referenced.root, value, *mark);
        self.recorder.set_file(id, &referenced.file.path);
        id
    }

    fn compose(
        &mut self,
        id: LayerId,
        referenced: &ReferencedComposition,
    ) -> Result<(), BuildAbort> {
        let target = LoadedTarget::of_composition(&referenced.file);
        self.accumulate(&ActiveLayer { root: &referenced.root, target: &target, id })?;
        self.carried.continue_slots_after(&self.acc.resources);
        self.recorder.leave(id);
        Ok(())
    }

    /// For `transformers`: runs a Composition on the current list, which the result replaces.
    pub(in crate::evaluate) fn compose_onto(
        &mut self,
        level: &ActiveLayer<'_>,
        referenced: &ReferencedComposition,
    ) -> Result<(), BuildAbort> {
        let id = self.enter_composition(level, referenced);
        self.recorder.set(id, |layer| layer.shares = true);
        self.compose(id, referenced)
    }

    /// For `validators`: runs a Composition on a copy of the current list, which is dropped
    /// afterwards. D-A33: unlike a function, a Composition may change its input there.
    pub(in crate::evaluate) fn compose_on_copy(
        &mut self,
        level: &ActiveLayer<'_>,
        referenced: &ReferencedComposition,
    ) -> Result<(), BuildAbort> {
        let id = self.enter_composition(level, referenced);
        let mut copy = self.new_accumulator();
        (copy.config, copy.vars) = (self.acc.config.clone(), self.acc.vars.clone());
        let mark = referenced.entry.mark;
        let mut begun = self.begin(Step::new(StepKind::Load, "input", "validators", id, mark))?;
        for (slot, resource) in self.acc.resources.iter() {
            // This cannot fail, because the ids are known to be unique.
            let _ = copy.resources.insert(slot, resource.clone());
        }
        begun.step.matched = copy.resources.len();
        self.recorder.end(begun, &mut copy.resources, Ok(()))?;
        copy.resources.continue_at(self.carried.next_slot);
        self.with_accumulator(copy, |build| build.compose(id, referenced)).map(drop)
    }

    /// For `generators`: runs a Composition on an empty list; the result is absorbed like a
    /// generator's output. `heading` is that of the step which absorbs it.
    pub(in crate::evaluate) fn compose_generator(
        &mut self,
        level: &ActiveLayer<'_>,
        referenced: &ReferencedComposition,
        heading: &Step,
    ) -> Result<Vec<Resource>, BuildAbort> {
        let id = self.enter_composition(level, referenced);
        let made = Accumulator { keeps_unmatched: true, ..self.new_accumulator() };
        let made = self.with_accumulator(made, |build| build.compose(id, referenced))?;
        let mark = referenced.entry.mark;
        let merged = merge_configs(&self.acc.config, &made.config, mark, self.setup.profile())
            .and_then(|config| self.acc.vars.merge(made.vars).map(|()| config));
        self.acc.config = merged.map_err(|error| self.failed_step(heading.clone(), error))?;
        Ok(made.resources.iter().map(|(_, resource)| Resource::clone(resource)).collect())
    }

    /// Runs the Composition in a loaded file on an empty list, and appends the result (KEP-2299).
    pub(in crate::evaluate) fn load_composition(
        &mut self,
        level: &ActiveLayer<'_>,
        entry: &Marked<String>,
        loaded: &LoadedFile,
        begun: OpenStep,
    ) -> Result<(), BuildAbort> {
        let root = match root_of_file(level.root, loaded) {
            Ok(root) => root,
            Err(source) => {
                let reading = format!("accumulating resources from '{}'", entry.value);
                return self.fail_entry(begun, cannot_load(reading, entry.mark, source));
            }
        };
        let referenced = ReferencedComposition { entry: entry.clone(), root, file: loaded.clone() };
        let id = self.enter_composition(level, &referenced);
        let child =
            self.with_accumulator(self.new_accumulator(), |build| build.compose(id, &referenced))?;
        self.merge(level, begun.step.into_merge(), child)
    }
}

fn root_of_file(root: &Root, file: &LoadedFile) -> Result<Root, LoadError> {
    let directory = Path::new(&file.path).parent().unwrap_or(Path::new(""));
    if directory == root.path() {
        return Ok(root.clone());
    }
    root.open(&relative_path(root.path(), directory))
}
