//! `generators:`, `transformers:` and `validators:`: objects that configure built-in or external
//! plugins (section 8.1).

use std::sync::Arc;

use crate::diagnostic::Fault;
use crate::manifest::{KustomizationKind, Marked, kebab};
use crate::plugin::{RunRefusal, validate};
use crate::resource::{
    NotAResource, NotAResourceCause, Resource, Scopes, TextOffset, read_resources, shift_marks,
};
use crate::transform::{Generator, TransformError, Transformer};
use crate::yaml::{Limits, Mark, Node, ParsedFile, SourceId, parse_documents};

use super::accumulator::drop_empties;
use super::build::Build;
use super::composition::split_compositions;
use super::configured::{PluginConfig, PluginUse, ReferencedComposition};
use super::functions::Function;
use super::generators::{PlannedGenerator, absorb_all};
use super::level::ActiveLayer;
use super::origins::configured_origin;
use super::plan::{ReadyTransformer, builtin_generator};
use super::recorder::BuildAbort;
use super::{ErrorCause, LayerKind, StepError, StepKind};

type PlannedPlugin<'l> = (PluginConfig<'l>, Plugin);

pub(super) enum Plugin {
    Composition(Box<ReferencedComposition>),
    /// A built-in generator, or a legacy one.
    Generator(Box<dyn Generator>),
    /// A built-in transformer, or a legacy one.
    Transformer(Box<dyn Transformer>),
    Function(Box<Result<Function, RunRefusal>>),
}

impl Build<'_> {
    /// The objects of the entries of a field: inline ones first, then those of files and
    /// directories, in Kustomize's order.
    pub(super) fn plugin_configs<'l>(
        &mut self,
        level: &'l ActiveLayer<'l>,
        usage: PluginUse,
        entries: &[Marked<String>],
    ) -> Result<Vec<PluginConfig<'l>>, BuildAbort> {
        if entries.is_empty() {
            return Ok(Vec::new());
        }
        let field = usage.field();
        let source = self.memory.sources.intern(&level.target.file);
        let text = level.root.files().read(level.target.file.as_ref()).unwrap_or_default();
        let mut paths = Vec::new();
        let (mut compositions, mut counts) = (Vec::new(), Vec::new());
        let acc = self.with_accumulator(self.new_accumulator(), |build| {
            for entry in entries {
                if !build.append_inline(level, field, entry, (source, &text))? {
                    paths.push(entry.clone());
                }
            }
            compositions = split_compositions(level, field, &mut paths);
            counts = vec![0; compositions.len()];
            if !paths.is_empty() {
                let (kind, own) = (LayerKind::Configuration, Some(level.id));
                let id = build.recorder.enter_root(kind, own, level.root, field, Mark::default());
                build.recorder.set_file(id, &level.target.file);
                let inner = ActiveLayer { root: level.root, target: level.target, id };
                build.acc.resources.take_changes();
                let mut rest = paths.as_slice();
                let mut done = 0;
                for (count, (before, _)) in counts.iter_mut().zip(&compositions) {
                    let (now, later) = rest.split_at((before - done).min(rest.len()));
                    build.load_entries(&inner, field, now)?;
                    (rest, done, *count) = (later, *before, build.acc.resources.len());
                }
                build.load_entries(&inner, field, rest)?;
                build.recorder.leave(id);
            }
            Ok(())
        })?;
        self.carried.continue_slots_after(&acc.resources);
        let configured = acc.resources.iter().map(|(_, resource)| {
            let mark = super::accumulator::place(resource);
            PluginConfig::new(level, usage, Resource::clone(resource), mark)
        });
        let mut configured: Vec<PluginConfig<'_>> = configured.collect();
        for (count, (_, composition)) in counts.into_iter().zip(compositions).rev() {
            let mark = composition.entry.mark;
            let named = PluginConfig {
                composition: Some(Box::new(composition)),
                ..PluginConfig::new(level, usage, Resource::default(), mark)
            };
            configured.insert(count.min(configured.len()), named);
        }
        Ok(configured)
    }

    /// Appends the objects of an entry that is YAML text; false for a path.
    fn append_inline(
        &mut self,
        level: &ActiveLayer<'_>,
        field: &'static str,
        entry: &Marked<String>,
        file: (SourceId, &[u8]),
    ) -> Result<bool, BuildAbort> {
        let scopes = &self.carried.schemas.scopes;
        let resources = parse_inline_objects(entry, file, scopes, generates_names(level));
        for resource in resources.iter().flatten() {
            self.notes.record_type(resource);
            if let Err(error) = self.append(resource.clone(), (level, entry.mark)) {
                let heading = level.heading(StepKind::Load, "load", "inline", entry.mark);
                return Err(self.failed_step(heading.in_field(field), error));
            }
        }
        Ok(resources.is_some())
    }

    pub(super) fn plan_plugins<'l>(
        &mut self,
        level: &'l ActiveLayer<'l>,
        usage: PluginUse,
    ) -> Result<Vec<PlannedPlugin<'l>>, BuildAbort> {
        let kustomization = level.kustomization();
        let entries = match usage {
            PluginUse::Generator => &kustomization.generators,
            PluginUse::Validator => &kustomization.validators,
            PluginUse::Transformer | PluginUse::Composition => &kustomization.transformers,
        };
        let configs = self.plugin_configs(level, usage, entries).map_err(|halt| match halt {
            BuildAbort::Failed(error) if lacks_catalogs(level, &error) => {
                BuildAbort::Failed(self.replace_hint(&error, CATALOGS_OF_COMPONENT_HINT.into()))
            }
            halt => halt,
        })?;
        let mut planned = Vec::with_capacity(configs.len());
        for configured in configs {
            let plugin = if let Some(composition) = configured.composition.clone() {
                Ok(Plugin::Composition(composition))
            } else if self.is_function(&configured) {
                let resolved = self.resolve_function(&configured);
                let resolved = self.refuse_unless_pending(&configured, resolved)?;
                Ok(Plugin::Function(Box::new(resolved)))
            } else if usage == PluginUse::Generator {
                self.external_generator(&configured).map(Plugin::Generator)
            } else if configured.is_builtin() {
                let made = self.planner(configured.level).builtin_transformer(&configured);
                made.map(Plugin::Transformer)
            } else {
                let plugin = self.legacy_plugin(&configured);
                plugin.map(|plugin| Plugin::Transformer(Box::new(plugin)))
            };
            match plugin {
                Ok(plugin) => planned.push((configured, plugin)),
                Err(error) => self.handle_config_error(configured.heading(), error)?,
            }
        }
        Ok(planned)
    }

    pub(super) fn run_plugins(
        &mut self,
        planned: Vec<PlannedPlugin<'_>>,
    ) -> Result<(), BuildAbort> {
        for (configured, plugin) in planned {
            let (level, heading) = (configured.level, configured.heading());
            let origin = self.root.plugin_origin(&configured, &self.memory.sources);
            match plugin {
                Plugin::Composition(composition) if configured.usage == PluginUse::Generator => {
                    let Marked { value, mark } = &composition.entry;
                    let heading = level
                        .heading(StepKind::Generate, "Composition", value.as_str(), *mark)
                        .in_field("generators");
                    let made = self.compose_generator(level, &composition, &heading)?;
                    self.step(heading, |acc, cx| absorb_all(level, acc, made, None, cx))?;
                }
                Plugin::Composition(composition) if configured.usage == PluginUse::Validator => {
                    self.compose_on_copy(level, &composition)?;
                }
                Plugin::Composition(composition) => self.compose_onto(level, &composition)?,
                Plugin::Generator(generator) => {
                    let origin = origin.map(Arc::new);
                    self.run_generator(level, PlannedGenerator { heading, generator, origin })?;
                }
                Plugin::Transformer(it) if configured.usage == PluginUse::Validator => {
                    self.step(heading, |acc, cx| {
                        validate(&mut acc.resources, cx.mark, |all| it.transform(all, cx))
                    })?;
                }
                Plugin::Transformer(transformer) => {
                    let warnings = Vec::new();
                    let planned = ReadyTransformer { heading, transformer, warnings, origin };
                    self.run_transformer(level, planned, true)?;
                }
                Plugin::Function(function) => self.run_resolved(&configured, *function)?,
            }
        }
        Ok(())
    }

    /// Runs one transformer as a step and drops the resources that it emptied. If `recorded` is
    /// true, the `transformations` of `buildMetadata` list the transformer.
    pub(super) fn run_transformer(
        &mut self,
        level: &ActiveLayer<'_>,
        planned: ReadyTransformer,
        recorded: bool,
    ) -> Result<(), BuildAbort> {
        let ReadyTransformer { heading, transformer, warnings, origin } = planned;
        let name = heading.name.clone();
        let wanted = self.root.tracks_origins() && recorded;
        let own = || wanted.then(|| configured_origin(level, &name));
        let origin = origin.or_else(own).map(Arc::new);
        self.transform(heading, &*transformer, |acc, cx| {
            cx.warnings = warnings;
            transformer.transform(&mut acc.resources, cx)?;
            drop_empties(&mut acc.resources);
            if let Some(origin) = origin {
                super::origins::mark_each_transformed(&mut acc.resources, &origin, cx)?;
            }
            Ok(())
        })?;
        self.recorder.keep_transformer(transformer.into());
        Ok(())
    }

    pub(super) fn external_generator(
        &mut self,
        configured: &PluginConfig<'_>,
    ) -> Result<Box<dyn Generator>, TransformError> {
        if !configured.is_builtin() {
            return Ok(Box::new(self.legacy_plugin(configured)?));
        }
        builtin_generator(configured, |config| self.helm_generator(config, configured))
    }
}

/// A file of function configurations with a generated name for each unnamed object; `None` if the
/// layer requires `metadata.name`.
pub(super) fn with_names(level: &ActiveLayer<'_>, file: &ParsedFile) -> Option<ParsedFile> {
    generates_names(level).then(|| {
        let mut file = file.clone();
        add_missing_names(&mut file);
        file
    })
}

const CATALOGS_OF_COMPONENT_HINT: &str = "a function of a catalog needs no name, but a component does not use the catalogs of the kustomizations that include \
     it: list the catalog under `catalogs` of the component; any other object needs a `name` under `metadata`";

fn lacks_catalogs(level: &ActiveLayer<'_>, error: &StepError) -> bool {
    let kustomization = level.kustomization();
    let ErrorCause::Fault(fault) = &error.cause else { return false };
    let is_nameless = matches!(
        fault.innermost(),
        Fault::NotAResource(NotAResource { oddity: NotAResourceCause::NoName(_), .. })
    );
    is_nameless
        && kustomization.kind == KustomizationKind::Component
        && kustomization.catalogs.is_none()
}

/// True if function configurations need no `metadata.name`: in layers with `catalogs`, a field that
/// Kustomize does not have; the examples of KEP-2906 are unnamed. The generated name is the same as
/// in a Composition (A.4 of the composition reference).
fn generates_names(level: &ActiveLayer<'_>) -> bool {
    level.kustomization().catalogs.is_some()
}

fn add_missing_names(file: &mut ParsedFile) {
    for document in &mut file.documents {
        let node = &mut document.node;
        let named = node.text_at(&["metadata", "name"]);
        let kind = node.get("kind").and_then(|kind| Some((kind.text()?.to_owned(), kind.mark)));
        let (None | Some(""), Some((kind, mark))) = (named, kind) else { continue };
        let name = Node::string(kebab(&kind)).marked(mark);
        let Some(object) = node.as_mapping_mut() else { continue };
        if object.get("metadata").is_none_or(|metadata| metadata.as_mapping().is_none()) {
            object.set("metadata", Node::mapping().marked(mark));
        }
        if let Some(metadata) = object.get_mut("metadata").and_then(Node::as_mapping_mut) {
            metadata.set("name", name);
        }
    }
}

/// The objects of an entry that is YAML text in the file `around`; `None` for a path.
fn parse_inline_objects(
    entry: &Marked<String>,
    (source, around): (SourceId, &[u8]),
    scopes: &Scopes,
    gives_names: bool,
) -> Option<Vec<Resource>> {
    let mut file = parse_documents(entry.value.as_bytes(), source, Limits::default()).ok()?;
    // The mark of a block scalar is the line of its header, one line above its text.
    let first_line = entry.mark.line + u32::from(entry.value.contains('\n'));
    let offset = TextOffset::in_file(entry.value.as_bytes(), around, first_line);
    for document in &mut file.documents {
        shift_marks(&mut document.node, offset);
    }
    if gives_names {
        add_missing_names(&mut file);
    }
    read_resources(&file, scopes).ok()
}
