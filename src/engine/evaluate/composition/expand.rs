//! Expands the items of `transformers` and `transformerOverrides` into configurations: inline ones,
//! files, directories (section A.8).

use crate::diagnostic::TextPurpose;
use crate::evaluate::build::cannot_load;
use crate::evaluate::configured::PluginUse;
use crate::evaluate::level::ActiveLayer;
use crate::evaluate::target::LoadedTarget;
use crate::load::{LoadError, LoadedFile};
use crate::manifest::{
    COMPOSITION_FILE_NAMES, CanonicalConfig, Item, ListedTransformer, Marked, is_function,
    read_entries, read_entry, runtime_kind,
};
use crate::resource::{TextOffset, shift_marks};
use crate::transform::TransformError;
use crate::yaml::{Limits, Mark, Node, SourceId, parse_documents};

use super::failure::{CompositionAbort, parent_directory, refused};
use super::gather::{Consolidation, file_warning};
use super::imports::{CompositionSource, target_files};
use super::{CompositionLocation, ConsolidatedEntry};

pub(super) struct LocatedConfig {
    pub(super) config: CanonicalConfig,
    pub(super) origin: CompositionLocation,
    pub(super) listed: CompositionLocation,
}

impl Consolidation<'_, '_> {
    /// The entries of this Composition itself, without those of its imports. D-A17: in strict list order, independent of the
    /// kind of item. `chain` leads to the Composition.
    pub(super) fn own_entries(
        &mut self,
        source: &CompositionSource<'_>,
        chain: &[CompositionLocation],
    ) -> Result<Vec<ConsolidatedEntry>, CompositionAbort> {
        let mut entries = Vec::with_capacity(source.composition.transformers.len());
        for (index, listed) in source.composition.transformers.iter().enumerate() {
            for found in self.expand_item(source, ("transformers", index), listed)? {
                entries.push(ConsolidatedEntry {
                    runtime: is_function(&found.config.id)
                        .then(|| runtime_kind(&found.config.node)),
                    id: found.config.id,
                    config: found.config.node,
                    origin: found.origin,
                    listed: found.listed,
                    imported_from: chain.to_vec(),
                    overridden_by: Vec::new(),
                    ordered_by: None,
                    root: source.root.clone(),
                });
            }
        }
        Ok(entries)
    }

    pub(super) fn expand_item(
        &mut self,
        source: &CompositionSource<'_>,
        (field, index): (&'static str, usize),
        listed: &ListedTransformer,
    ) -> Result<Vec<LocatedConfig>, CompositionAbort> {
        let place = source.place(field, index, listed.mark);
        let text = match &listed.item {
            Item::Config(config) => {
                let config = CanonicalConfig::clone(config);
                return Ok(vec![LocatedConfig { config, origin: place.clone(), listed: place }]);
            }
            Item::Text(text) => text,
        };
        if text.contains('\n') || text.trim_start().starts_with('{') {
            let above = if text.contains('\n') { listed.mark.line } else { listed.mark.line - 1 };
            let number = listed.mark.source;
            let documents = documents(text.as_bytes(), number, &place, above)?;
            return self.found(&documents, &place, &place.file);
        }
        match source.root.load(text) {
            Ok(loaded) => {
                let number = self.build.memory.sources.intern(&loaded.path);
                let documents = documents(&loaded.bytes, number, &place, 0)?;
                self.found(&documents, &place, &loaded.path)
            }
            Err(error) if field == "transformerOverrides" => {
                let what = TextPurpose::entry(field, index, Some(text));
                Err(cannot_load(what, listed.mark, error).into())
            }
            Err(error) => self.expand_directory(source, text, &place, error),
        }
    }

    fn found(
        &mut self,
        documents: &[Node],
        place: &CompositionLocation,
        file: &str,
    ) -> Result<Vec<LocatedConfig>, CompositionAbort> {
        if documents.is_empty() {
            let fault = format!("{}[{}]: no configuration in it", place.field, place.index);
            return Err(refused(fault, place.mark));
        }
        let is_override = place.field == "transformerOverrides";
        let (listed, told) = read_entries(documents, is_override).map_err(|problems| {
            self.build.invalid_file_error(&problems, &parent_directory(&place.file))
        })?;
        self.warnings.extend(told.iter().map(file_warning));
        let found = listed.into_iter().enumerate().map(|(index, config)| {
            let origin = CompositionLocation {
                file: file.to_owned(),
                field: if file == place.file { place.field } else { "" },
                index,
                mark: config.mark,
            };
            LocatedConfig { config, origin, listed: place.clone() }
        });
        Ok(found.collect())
    }

    /// Expands an item that names a directory or URL with a Kustomization: the resources of its
    /// output are the configurations, as in the `transformers` of a Kustomization. `error` is the
    /// reason why the item cannot be read as a file.
    fn expand_directory(
        &mut self,
        source: &CompositionSource<'_>,
        text: &str,
        place: &CompositionLocation,
        error: LoadError,
    ) -> Result<Vec<LocatedConfig>, CompositionAbort> {
        let name = format!("transformers[{}]", place.index);
        let opened = match source.root.open(text) {
            Ok(opened) => opened,
            Err(other) => {
                let says_more = matches!(error, LoadError::OutsideRoot { .. });
                let error = if says_more { error } else { other };
                let what = TextPurpose::entry("transformers", place.index, Some(text));
                return Err(cannot_load(what, place.mark, error).into());
            }
        };
        let files = target_files(&opened);
        if let [(file, _)] = files.as_slice()
            && COMPOSITION_FILE_NAMES.contains(file)
        {
            let fault =
                format!("{name}: '{text}' holds a Composition; import it with transformersFrom");
            return Err(refused(fault, place.mark));
        }
        let target = LoadedTarget::of_entry(&source.file.path);
        let level = ActiveLayer { root: source.root, target: &target, id: self.layer };
        let entry = [Marked { value: text.to_owned(), mark: place.mark }];
        let mut found = Vec::new();
        for configured in self.build.plugin_configs(&level, PluginUse::Transformer, &entry)? {
            let (config, told) =
                read_entry(&configured.config.node, &name).map_err(|problems| {
                    self.build.invalid_file_error(&problems, &parent_directory(&place.file))
                })?;
            self.warnings.extend(told.iter().map(file_warning));
            let file = self.build.memory.sources.path(configured.mark.source).unwrap_or_default();
            let origin = CompositionLocation {
                file: file.to_owned(),
                field: "",
                index: found.len(),
                mark: configured.mark,
            };
            found.push(LocatedConfig { config, origin, listed: place.clone() });
        }
        Ok(found)
    }
}

/// The documents of a text that starts below line `above` of its file.
fn documents(
    bytes: &[u8],
    number: SourceId,
    place: &CompositionLocation,
    above: u32,
) -> Result<Vec<Node>, CompositionAbort> {
    let file = parse_documents(bytes, number, Limits::default()).map_err(|error| {
        let mark = Mark {
            source: number,
            line: error.line + above,
            column: error.column,
            ..Mark::default()
        };
        let reading = TextPurpose::entry(place.field, place.index, None);
        CompositionAbort::Error(TransformError::Yaml { reading, mark, source: error })
    })?;
    let nodes = file.documents.into_iter().map(|document| {
        let mut node = document.node;
        shift_marks(&mut node, TextOffset { lines: above, columns: 0 });
        node
    });
    Ok(nodes.collect())
}

pub(super) fn composition_in(root: &crate::load::Root) -> Option<LoadedFile> {
    match target_files(root).as_slice() {
        [(name, file)] if COMPOSITION_FILE_NAMES.contains(name) => Some(file.clone()),
        _ => None,
    }
}
