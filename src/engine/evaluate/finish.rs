//! What Kustomize does only at the root (section 2.2), and the marks of `buildMetadata` (section 9).

use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::load::{Loaded, Root, relative_path};
use crate::manifest::{Field, Kustomization};
use crate::resource::{Gvk, Origin, ResId, ResMap, annotations_as_strings};
use crate::transform::{
    Context, DropLocalConfig, FinalAnnotations, HashTransformer, LabelTransformer, NameReferences,
    ReplaceVars, SortOrderTransformer, Transformer,
};
use crate::yaml::Mark;

use super::accumulator::Accumulator;
use super::build::{Build, Level};
use super::external::Configured;
use super::recorder::{Account, Halt};
use super::{Reorder, StepKind};

/// What the root's `buildMetadata` asks for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[expect(clippy::struct_excessive_bools, reason = "each is a word that the list has or has not")]
pub(super) struct Metadata {
    pub(super) origins: bool,
    pub(super) transformations: bool,
    pub(super) managed_by: bool,
    any: bool,
}

impl Metadata {
    pub(super) fn of(kustomization: &Kustomization) -> Self {
        let has = |word: &str| kustomization.build_metadata.iter().any(|entry| entry.value == word);
        Self {
            origins: has("originAnnotations"),
            transformations: has("transformerAnnotations"),
            managed_by: has("managedByLabel"),
            any: !kustomization.build_metadata.is_empty(),
        }
    }

    /// True when origins are tracked at all.
    pub(super) fn is_wanted(self) -> bool {
        self.any
    }
}

impl Build<'_> {
    /// Steps 1 to 8 of section 2.2.
    pub(super) fn finish(&mut self, level: &Level<'_>, acc: &mut Accumulator) -> Result<(), Halt> {
        self.root_step(level, StepKind::Hash, "name hashes", &HashTransformer, acc)?;
        let references = NameReferences::new(acc.config.name_reference.clone());
        self.root_step(level, StepKind::NameReferences, "name references", &references, acc)?;
        if !acc.vars.is_empty() {
            let vars = ReplaceVars::new(acc.vars.clone(), acc.config.var_reference.clone());
            self.root_step(level, StepKind::ReplaceVars, "vars", &vars, acc)?;
        }
        self.root_step(
            level,
            StepKind::DropLocalConfig,
            "drop local config",
            &DropLocalConfig,
            acc,
        )?;
        self.order(level, acc)?;
        if self.metadata.managed_by || self.options.managed_by_label {
            self.root_step(
                level,
                StepKind::BuildMetadata,
                "managed-by label",
                &LabelTransformer::managed_by(self.options.profile.stamp()),
                acc,
            )?;
        }
        let strip = FinalAnnotations {
            origin: self.metadata.origins,
            transformations: self.metadata.transformations,
        };
        self.root_step(level, StepKind::BuildMetadata, "annotations", &strip, acc)
    }

    fn root_step(
        &mut self,
        level: &Level<'_>,
        kind: StepKind,
        name: &str,
        transformer: &dyn Transformer,
        acc: &mut Accumulator,
    ) -> Result<(), Halt> {
        let heading = level.heading(kind, name, "", Mark::default());
        self.step(heading, acc, |acc, cx| transformer.transform(&mut acc.resources, cx))
    }

    /// The root's `sortOptions`, else `--reorder`, else legacy order.
    fn order(&mut self, level: &Level<'_>, acc: &mut Accumulator) -> Result<(), Halt> {
        let options = level.kustomization().sort_options.as_ref();
        if options.is_some() && self.options.reorder.is_some() {
            self.warnings.push(
                "Diagnostic: Sorting order is set both in 'kustomization.yaml' ('sortOptions') and in a CLI flag \
                 ('--reorder'). Using the kustomization file over the CLI flag."
                    .to_owned(),
            );
        }
        let mark = options.map(|options| options.mark).unwrap_or_default();
        let (argument, order) = match (options, self.options.reorder) {
            (Some(options), _) => (
                options.value.order.clone(),
                SortOrderTransformer::from_options(&options.value, options.mark),
            ),
            (None, Some(Reorder::None)) => ("none".to_owned(), Ok(SortOrderTransformer::fifo())),
            // D-A31: a Composition's order is the output's; legacy order would undo an entry that sorts.
            (None, None) if level.target.composition.is_some() => {
                ("fifo".to_owned(), Ok(SortOrderTransformer::fifo()))
            }
            (None, _) => ("legacy".to_owned(), Ok(SortOrderTransformer::legacy())),
        };
        let mut heading = level.heading(StepKind::Order, "order", argument, mark);
        if options.is_some() {
            heading = heading.in_field(Field::SortOptions);
        }
        let order = match order {
            Ok(order) => order,
            Err(error) => return Err(self.failed_step(heading, error)),
        };
        let begun = self.begin(heading)?;
        let before = acc.resources.slots();
        let schema = self.carried.schema.clone();
        let mut cx = Context {
            profile: self.options.profile,
            schema: &schema,
            sources: &mut self.memory.sources,
            mark: begun.heading.mark,
            matched: 0,
            warnings: Vec::new(),
            unplaced: None,
            derived: Vec::new(),
            removed: Vec::new(),
        };
        let result = order.transform(&mut acc.resources, &mut cx);
        let warnings = cx.warnings;
        let result = result.map_err(|error| self.fail(&begun, error));
        let after = acc.resources.slots();
        let account = Account {
            matched: after.len(),
            order: (before != after).then(|| Arc::new(after)),
            warnings,
            run: None,
            derived: Vec::new(),
            removed: Vec::new(),
        };
        self.recorder.end(begun, &mut acc.resources, account, result)
    }

    /// The origin of what an external plugin makes: the object that configures it, which has one of its own unless it
    /// stands in the kustomization file.
    pub(super) fn plugin_origin(&self, level: &Level<'_>, configured: &Configured) -> Origin {
        let Configured { config, mark, .. } = configured;
        let path = self.memory.sources.path(mark.source).filter(|path| *path != level.target.file);
        let origin = match (config.origin.as_deref(), path) {
            (Some(own), _) => own.clone(),
            (None, None) => origin_of_file(level.root, &file_seen_as(level)),
            (None, Some(path)) => {
                let begin =
                    level.root.clone_of().map_or_else(|| self.start.path(), |(clone, _)| clone);
                origin_of_file(level.root, Path::new(&relative_path(begin, Path::new(path))))
            }
        };
        let configured_by = Some(config.id.clone());
        Origin { configured_in: origin.path, path: String::new(), configured_by, ..origin }
    }
}

/// The origin of what a generator or transformer of this layer makes.
pub(super) fn configured_origin(level: &Level<'_>, kind: &str) -> Origin {
    let by = ResId {
        gvk: Gvk { group: "".into(), version: "builtin".into(), kind: kind.into() },
        ..ResId::default()
    };
    let origin = origin_of_file(level.root, &file_seen_as(level));
    let configured_by = Some(by);
    Origin { configured_in: origin.path, path: String::new(), configured_by, ..origin }
}

/// Notes on every resource that a transformer ran over it, whether or not it changed anything; a resource without
/// an origin was made by the transformer and gets its origin instead.
pub(super) fn mark_transformed(resources: &mut ResMap, origin: Origin) {
    let origin = Arc::new(origin);
    for slot in resources.slots() {
        resources.update(slot, |resource| {
            annotations_as_strings(&mut resource.node);
            resource.annotations_made_anew();
            if resource.origin.is_none() {
                resource.origin = Some(origin.clone());
            } else {
                resource.transformations.push(origin.clone());
            }
        });
    }
}

/// The origin of what stands in a file that was loaded.
pub(super) fn origin_of_loaded(root: &Root, loaded: &Loaded) -> Origin {
    let Some(target) = &loaded.taken_for else { return origin_of_file(root, &loaded.seen_as) };
    Origin {
        path: loaded.seen_as.to_string_lossy().into_owned(),
        repo: target.repo.clone(),
        reference: target.reference.clone(),
        ..Origin::default()
    }
}

/// The origin of what stands in a file of a root.
pub(super) fn origin_of_file(root: &Root, seen_as: &Path) -> Origin {
    let path = seen_as.to_string_lossy().into_owned();
    match root.clone_of() {
        None => Origin { path, ..Origin::default() },
        Some((_, target)) => Origin {
            path,
            repo: target.repo.clone(),
            reference: target.reference.clone(),
            ..Origin::default()
        },
    }
}

/// A level's kustomization file as an origin names it.
fn file_seen_as(level: &Level<'_>) -> PathBuf {
    let name = Path::new(&level.target.file).file_name().unwrap_or_default();
    level.root.seen_as(&name.to_string_lossy())
}
