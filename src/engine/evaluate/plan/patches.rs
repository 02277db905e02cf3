//! `patches`, `patchesStrategicMerge`, `patchesJson6902` and `replacements`: the entries that bring further texts.

use crate::diagnostic::{PatchFault, ReplacementFault};
use crate::manifest::{
    Field, Patch, PatchStrategicMergeArgs, Placed, Replacement, decode_replacements,
};
use crate::resource::ResMap;
use crate::transform::{
    Context, PatchTransformer, ReplacementTransformer, TransformError, Transformer,
};
use crate::yaml::{Limits, Mark, SourceId, parse_documents};

use crate::evaluate::recorder::Heading;

use super::planner::{Plan, Planned, Planner, Refused, heading};

type Made = Result<Box<dyn Transformer>, TransformError>;

impl Planner<'_> {
    pub(super) fn strategic_merges(&mut self) -> Plan {
        let level = self.level;
        let entries = &level.kustomization().patches_strategic_merge;
        let planned =
            self.plan_each(Field::PatchesStrategicMerge, entries, entry_name, |planner, entry| {
                PatchTransformer::load_strategic_merge(entry, level.root, planner.sources)
            })?;
        let empty = planned.iter().all(|(_, transformer)| transformer.is_empty());
        if empty && let Some(first) = entries.first() {
            let files = entries.iter().map(|entry| entry.value.clone()).collect();
            let fault = PatchFault::EmptyStrategicMerges { files, content: String::new() };
            let heading =
                heading(level, Field::PatchesStrategicMerge, first.value.as_str(), first.mark);
            return Err(Box::new((heading, TransformError::fault(fault, first.mark))));
        }
        Ok(boxed(planned))
    }

    pub(super) fn patches(&mut self) -> Plan {
        let level = self.level;
        let entries = &level.kustomization().patches;
        let planned = self.plan_each(Field::Patches, entries, patch_name, |planner, entry| {
            PatchTransformer::load(entry, level.root, planner.sources)
        })?;
        Ok(boxed(planned))
    }

    pub(super) fn json_patches(&mut self) -> Plan {
        let level = self.level;
        let entries = &level.kustomization().patches_json6902;
        let planned =
            self.plan_each(Field::PatchesJson6902, entries, patch_name, |planner, entry| {
                PatchTransformer::load_json6902(entry, level.root, planner.sources)
            })?;
        Ok(boxed(planned))
    }

    pub(super) fn replacements(&mut self) -> Plan {
        let level = self.level;
        let mut planned = Vec::new();
        for (index, entry) in level.kustomization().replacements.iter().enumerate() {
            let heading = |name: &str, mark: Mark| {
                heading(level, Field::Replacements, name, mark).of(Field::Replacements, index)
            };
            let named = replacement_name(&entry.value);
            match self.read_replacements(entry) {
                Err(error) => return Err(Box::new((heading(&named, entry.mark), error))),
                Ok(all) => {
                    for (replacement, transformer) in all {
                        let mark = replacement.mark;
                        planned.push((
                            heading(&replacement_name(&replacement.value), mark),
                            transformer,
                        ));
                    }
                }
            }
        }
        Ok(boxed(planned))
    }

    /// The replacements of one entry: itself, or those of the file that it names.
    fn read_replacements(
        &mut self,
        entry: &Placed<Replacement>,
    ) -> Result<Vec<(Placed<Replacement>, ReplacementTransformer)>, TransformError> {
        let level = self.level;
        let mark = entry.mark;
        let path = &entry.value.path;
        if path.is_empty() {
            return Ok(vec![(
                entry.clone(),
                ReplacementTransformer::new(entry, level.root.profile())?,
            )]);
        }
        if entry.value.source.is_some() || entry.value.targets.iter().any(|all| !all.is_empty()) {
            return Err(TransformError::fault(ReplacementFault::PathAndInline, mark));
        }
        let loaded = level.root.load(path);
        let loaded = loaded.map_err(|source| TransformError::Load {
            phrase: "replacements".to_owned(),
            mark,
            source,
        })?;
        let source = self.sources.intern(&loaded.path);
        let all = decode_replacements(&loaded.bytes, source, level.root.profile())?;
        all.into_iter()
            .map(|replacement| {
                let transformer = ReplacementTransformer::new(&replacement, level.root.profile())?;
                Ok((replacement, transformer))
            })
            .collect()
    }

    /// One transformer for each entry, or the heading of the entry that cannot be configured.
    fn plan_each<E, T>(
        &mut self,
        field: Field,
        entries: &[Placed<E>],
        name: impl Fn(&E) -> String,
        load: impl Fn(&mut Self, &Placed<E>) -> Result<T, TransformError>,
    ) -> Result<Vec<(Heading, T)>, Refused> {
        let level = self.level;
        let mut planned = Vec::with_capacity(entries.len());
        for (index, entry) in entries.iter().enumerate() {
            let heading = heading(level, field, name(&entry.value), entry.mark).of(field, index);
            match load(self, entry) {
                Ok(transformer) => planned.push((heading, transformer)),
                Err(error) => return Err(Box::new((heading, error))),
            }
        }
        Ok(planned)
    }

    /// A `PatchTransformer` of a plugin configuration.
    pub(super) fn patch_transformer(&mut self, entry: &Placed<Patch>) -> Made {
        Ok(Box::new(PatchTransformer::load(entry, self.level.root, self.sources)?))
    }

    /// A `PatchJson6902Transformer` of a plugin configuration.
    pub(super) fn json_patch_transformer(&mut self, entry: &Placed<Patch>) -> Made {
        Ok(Box::new(PatchTransformer::load_json6902(entry, self.level.root, self.sources)?))
    }

    /// A `PatchStrategicMergeTransformer` of a plugin configuration.
    pub(super) fn strategic_merge_transformer(
        &mut self,
        args: &PatchStrategicMergeArgs,
        mark: Mark,
    ) -> Made {
        let PatchStrategicMergeArgs { paths, patches } = args;
        if paths.is_empty() && patches.value.is_empty() {
            return Err(TransformError::fault(PatchFault::NeitherFilesNorContent, mark));
        }
        let mut all = Vec::with_capacity(paths.len() + 1);
        for entry in paths {
            all.push(PatchTransformer::load_strategic_merge(entry, self.level.root, self.sources)?);
        }
        if !patches.value.is_empty() {
            all.push(PatchTransformer::inline_strategic_merge(patches, self.level.root.profile())?);
        }
        if all.iter().all(PatchTransformer::is_empty) {
            let files = paths.iter().map(|path| path.value.clone()).collect();
            let fault = PatchFault::EmptyStrategicMerges { files, content: patches.value.clone() };
            return Err(TransformError::fault(fault, mark));
        }
        Ok(Box::new(InTurn(all)))
    }

    /// A `ReplacementTransformer` of a plugin configuration.
    pub(super) fn replacement_transformer(&mut self, entries: &[Placed<Replacement>]) -> Made {
        let mut all = Vec::with_capacity(entries.len());
        for entry in entries {
            all.extend(
                self.read_replacements(entry)?.into_iter().map(|(_, transformer)| transformer),
            );
        }
        Ok(Box::new(InTurn(all)))
    }
}

/// Transformers of one configuration, one after the other.
#[derive(Debug)]
struct InTurn<T>(Vec<T>);

impl<T: Transformer> Transformer for InTurn<T> {
    fn transform(
        &self,
        resources: &mut ResMap,
        cx: &mut Context<'_>,
    ) -> Result<(), TransformError> {
        self.0.iter().try_for_each(|transformer| transformer.transform(resources, cx))
    }
}

fn boxed<T: Transformer + 'static>(planned: Vec<(Heading, T)>) -> Vec<Planned> {
    planned
        .into_iter()
        .map(|(heading, transformer)| Planned {
            heading,
            transformer: Box::new(transformer),
            warnings: Vec::new(),
            origin: None,
        })
        .collect()
}

/// A path, or the first line of an inline text.
#[expect(clippy::ptr_arg, reason = "it names entries of a list of texts")]
fn entry_name(entry: &String) -> String {
    entry.lines().find(|line| !line.trim().is_empty()).unwrap_or_default().trim().to_owned()
}

/// The path of a patch, or what an inline one is for.
fn patch_name(patch: &Patch) -> String {
    if !patch.path.is_empty() {
        return patch.path.clone();
    }
    let target = patch.target.as_ref();
    let of_target = target.map(|target| {
        let parts =
            [&target.kind, &target.name, &target.label_selector, &target.annotation_selector];
        parts.into_iter().filter(|part| !part.is_empty()).cloned().collect::<Vec<_>>().join("/")
    });
    let of_text = || {
        let value = |key: &str| {
            patch
                .patch
                .lines()
                .find_map(|line| line.trim().strip_prefix(key)?.strip_prefix(':'))
                .map(str::trim)
        };
        match (value("kind"), value("name")) {
            (Some(kind), Some(name)) => format!("{kind}/{name}"),
            _ => named_inside(&patch.patch).unwrap_or_else(|| "patch".to_owned()),
        }
    };
    let name = of_target.filter(|name| !name.is_empty()).unwrap_or_else(of_text);
    format!("inline {name}")
}

/// Kind and name of a patch that is laid out in another way than line by line.
fn named_inside(text: &str) -> Option<String> {
    let read = parse_documents(text.as_bytes(), SourceId::NONE, Limits::default()).ok()?;
    let node = &read.documents.first()?.node;
    let name = node.at(&["metadata", "name"])?.text()?;
    Some(format!("{}/{name}", node.get("kind")?.text()?))
}

fn replacement_name(replacement: &Replacement) -> String {
    if !replacement.path.is_empty() {
        return replacement.path.clone();
    }
    let source = match (&replacement.source, &replacement.source_value) {
        (Some(source), _) => {
            let field =
                if source.field_path.is_empty() { "metadata.name" } else { &source.field_path };
            format!("{}/{} {field}", source.id.kind, source.id.name)
        }
        (None, Some(value)) => value.value.clone(),
        (None, None) => String::new(),
    };
    let targets = replacement.targets.as_deref().unwrap_or_default();
    let first = targets.iter().find_map(|target| target.select.as_ref());
    let target = first.map(|select| format!("{}/{}", select.kind, select.name)).unwrap_or_default();
    format!("{source} → {target}")
}
