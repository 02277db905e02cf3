//! `patches`, `patchesStrategicMerge`, `patchesJson6902` and `replacements`: entries that may name
//! further files.

use crate::diagnostic::{PatchFault, ReplacementFault};
use crate::load::{Root, SourceNumbers};
use crate::manifest::{
    KustomizationField, Marked, Patch, PatchStrategicMergeArgs, Replacement, decode_replacements,
};
use crate::resource::ResMap;
use crate::transform::{
    Context, PatchTransformer, ReplacementTransformer, TransformError, Transformer,
};
use crate::yaml::Mark;

use crate::evaluate::build::cannot_load;
use crate::evaluate::step::Step;

use super::names::{patch_name, replacement_name, text_name};
use super::{Plan, Planner, ReadyTransformer, RefusedEntry, heading};

type LoadPatch =
    fn(&Marked<Patch>, &Root, &mut SourceNumbers) -> Result<PatchTransformer, TransformError>;

type TransformerBox = Result<Box<dyn Transformer>, TransformError>;

impl Planner<'_> {
    pub(super) fn plan_strategic_merges(&mut self) -> Plan {
        let level = self.level;
        let entries = &level.kustomization().patches_strategic_merge;
        let field = KustomizationField::PatchesStrategicMerge;
        let name = |entry: &String| text_name(entry);
        let planned = self.plan_each(field, entries, name, |planner, entry| {
            PatchTransformer::load_strategic_merge(entry, level.root, planner.sources)
        })?;
        let empty = planned.iter().all(|(_, transformer)| transformer.is_empty());
        if empty && let Some(first) = entries.first() {
            let files = entries.iter().map(|entry| entry.value.clone()).collect();
            let fault = PatchFault::EmptyStrategicMerges { files, content: String::new() };
            let heading = heading(level, field, first.value.as_str(), first.mark);
            return Err(Box::new((heading, TransformError::fault(fault, first.mark))));
        }
        Ok(boxed(planned))
    }

    pub(super) fn patches(
        &mut self,
        field: KustomizationField,
        entries: &[Marked<Patch>],
        load: LoadPatch,
    ) -> Plan {
        let level = self.level;
        let planned = self.plan_each(field, entries, patch_name, |planner, entry| {
            load(entry, level.root, planner.sources)
        })?;
        Ok(boxed(planned))
    }

    pub(super) fn plan_replacements(&mut self) -> Plan {
        let level = self.level;
        let mut planned = Vec::new();
        for (index, entry) in level.kustomization().replacements.iter().enumerate() {
            let heading = |replacement: &Marked<Replacement>| {
                let (field, name) =
                    (KustomizationField::Replacements, replacement_name(&replacement.value));
                heading(level, field, name, replacement.mark).with_entry(field, index)
            };
            let all = self.read_replacements(entry);
            let all = all.map_err(|error| Box::new((heading(entry), error)))?.into_iter();
            planned.extend(all.map(|(it, transformer)| (heading(&it), transformer)));
        }
        Ok(boxed(planned))
    }

    fn read_replacements(
        &mut self,
        entry: &Marked<Replacement>,
    ) -> Result<Vec<(Marked<Replacement>, ReplacementTransformer)>, TransformError> {
        let (level, mark) = (self.level, entry.mark);
        let profile = level.root.profile();
        let path = &entry.value.path;
        if path.is_empty() {
            return Ok(vec![(entry.clone(), ReplacementTransformer::new(entry, profile))]);
        }
        if entry.value.source.is_some() || entry.value.targets.iter().any(|all| !all.is_empty()) {
            return Err(TransformError::fault(ReplacementFault::PathAndInline, mark));
        }
        let loaded = level.root.load(path);
        let loaded = loaded.map_err(|source| cannot_load("replacements", mark, source))?;
        let source = self.sources.intern(&loaded.path);
        let all = decode_replacements(&loaded.bytes, source, profile)?;
        let planned = all.into_iter().map(|replacement| {
            let transformer = ReplacementTransformer::new(&replacement, profile);
            (replacement, transformer)
        });
        Ok(planned.collect())
    }

    fn plan_each<E, T>(
        &mut self,
        field: KustomizationField,
        entries: &[Marked<E>],
        name: impl Fn(&E) -> String,
        load: impl Fn(&mut Self, &Marked<E>) -> Result<T, TransformError>,
    ) -> Result<Vec<(Step, T)>, RefusedEntry> {
        let level = self.level;
        let mut planned = Vec::with_capacity(entries.len());
        for (index, entry) in entries.iter().enumerate() {
            let heading =
                heading(level, field, name(&entry.value), entry.mark).with_entry(field, index);
            match load(self, entry) {
                Ok(transformer) => planned.push((heading, transformer)),
                Err(error) => return Err(Box::new((heading, error))),
            }
        }
        Ok(planned)
    }

    pub(super) fn strategic_merge_transformer(
        &mut self,
        args: &PatchStrategicMergeArgs,
        mark: Mark,
    ) -> TransformerBox {
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
        Ok(Box::new(TransformerSequence(all)))
    }

    pub(super) fn replacement_transformer(
        &mut self,
        entries: &[Marked<Replacement>],
    ) -> TransformerBox {
        let mut all = Vec::with_capacity(entries.len());
        for entry in entries {
            let read = self.read_replacements(entry)?.into_iter();
            all.extend(read.map(|(_, transformer)| transformer));
        }
        Ok(Box::new(TransformerSequence(all)))
    }
}

#[derive(Debug)]
struct TransformerSequence<T>(Vec<T>);

impl<T: Transformer> Transformer for TransformerSequence<T> {
    fn transform(
        &self,
        resources: &mut ResMap,
        cx: &mut Context<'_>,
    ) -> Result<(), TransformError> {
        self.0.iter().try_for_each(|transformer| transformer.transform(resources, cx))
    }
}

fn boxed<T: Transformer + 'static>(planned: Vec<(Step, T)>) -> Vec<ReadyTransformer> {
    let planned = planned.into_iter();
    planned.map(|(heading, it)| ReadyTransformer::new(heading, Box::new(it))).collect()
}
