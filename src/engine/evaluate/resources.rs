//! `resources:` of one kustomization (sections 1.6 and 2.1).

use std::sync::Arc;

use crate::diagnostic::{CompositionRemark, Diagnostic};
use crate::load::{FileError, LoadError, LoadedFile, RemoteError, Root};
use crate::manifest::Marked;
use crate::resource::{Change, Resource, is_composition_file, read_resources};
use crate::transform::TransformError;
use crate::yaml::{Mark, Node, ParsedFile, SourceId, TextCache, YamlError};

use super::accumulator::Accumulator;
use super::build::{Build, cannot_load};
use super::composition::{is_composition, load_entry_file};
use super::duplicate_ids::ConflictingResource;
use super::external::with_names;
use super::generators::merge_configs;
use super::level::ActiveLayer;
use super::origins::origin_of_loaded;
use super::recorder::{BuildAbort, OpenStep};
use super::step::Step;
use super::{LayerId, LayerKind, StepKind};

impl Build<'_> {
    pub(super) fn load_resources(&mut self, level: &ActiveLayer<'_>) -> Result<(), BuildAbort> {
        self.load_entries(level, "resources", &level.kustomization().resources)
    }

    pub(super) fn load_entries(
        &mut self,
        level: &ActiveLayer<'_>,
        field: &'static str,
        entries: &[Marked<String>],
    ) -> Result<(), BuildAbort> {
        let off = if field == "resources" { level.target.switched_off(field) } else { Vec::new() };
        let (mut off, described) = (off.into_iter().peekable(), (field, StepKind::Load, "load"));
        let loaded = entries.iter().map(|entry| load_entry_file(level.root, &entry.value));
        let loaded: Vec<_> = loaded.collect();
        let bytes = loaded.iter().flatten().map(|loaded| loaded.bytes.len()).sum();
        let mut texts = TextCache::for_text_size(bytes);
        // If the files together exceed the size limit, none is parsed, since a tree takes several
        // times the memory of its text.
        let first = loaded.iter().position(is_too_much).unwrap_or_default();
        for (index, (entry, loaded)) in entries.iter().zip(loaded).enumerate().skip(first) {
            self.switched_off(level, described, &mut off, index);
            let heading = level
                .heading(StepKind::Load, "load", entry.value.as_str(), entry.mark)
                .with_entry(field, index);
            let begun = self.begin(heading)?;
            self.load_entry(level, entry, loaded, begun, &mut texts)?;
        }
        self.switched_off(level, described, &mut off, usize::MAX);
        Ok(())
    }

    fn load_entry(
        &mut self,
        level: &ActiveLayer<'_>,
        entry: &Marked<String>,
        loaded: Result<LoadedFile, LoadError>,
        begun: OpenStep,
        texts: &mut TextCache,
    ) -> Result<(), BuildAbort> {
        let unreadable = match loaded {
            Ok(loaded) => {
                let source = self.memory.sources.intern(&loaded.path);
                match self.memory.parse((source, begun.step.mark.writer), &loaded.bytes, texts) {
                    Ok(file) if is_composition(&file) => {
                        return self.load_composition(level, entry, &loaded, begun);
                    }
                    Ok(file) => return self.append_file(level, &loaded, &file, begun),
                    Err(error) => Unreadable::Yaml(error, source),
                }
            }
            Err(error) => Unreadable::File(error),
        };
        self.load_directory(level, entry, begun, unreadable)
    }

    fn append_file(
        &mut self,
        level: &ActiveLayer<'_>,
        loaded: &LoadedFile,
        file: &ParsedFile,
        mut begun: OpenStep,
    ) -> Result<(), BuildAbort> {
        let result = self.append_documents(level, loaded, file, begun.step.mark);
        let warnings = self.printed_compositions(level, loaded, file);
        for warning in &warnings {
            self.add_warning(warning);
        }
        (begun.step.matched, begun.step.warnings) = (file.documents.len(), warnings);
        self.end(begun, result)
    }

    fn printed_compositions(
        &self,
        level: &ActiveLayer<'_>,
        loaded: &LoadedFile,
        file: &ParsedFile,
    ) -> Vec<Diagnostic> {
        if self.recorder.kind(level.id) == Some(LayerKind::Configuration) {
            return Vec::new();
        }
        let nodes = file.documents.iter().map(|document| &document.node);
        let warning = |node: &Node| {
            let name = loaded.path.rsplit('/').next().unwrap_or_default();
            Diagnostic::new(CompositionRemark::Resource(name.to_owned()), node.mark)
        };
        nodes.filter(|node| is_composition_file(node)).map(warning).collect()
    }

    fn append_documents(
        &mut self,
        level: &ActiveLayer<'_>,
        loaded: &LoadedFile,
        file: &ParsedFile,
        entry: Mark,
    ) -> Result<(), TransformError> {
        let configures = self.recorder.kind(level.id) == Some(LayerKind::Configuration);
        let named = configures.then(|| with_names(level, file)).flatten();
        let resources = read_resources(named.as_ref().unwrap_or(file), self.acc.resources.scopes())
            .map_err(TransformError::from)?;
        let origin = || Arc::new(origin_of_loaded(level.root, loaded));
        let origin = self.root.tracks_origins().then(origin);
        for mut resource in resources {
            if let Some(origin) = &origin {
                resource.set_origin(origin);
            }
            self.notes.record_type(&resource);
            self.append(resource, (level, entry))?;
        }
        Ok(())
    }

    pub(super) fn append(
        &mut self,
        resource: Resource,
        (level, entry): (&ActiveLayer<'_>, Mark),
    ) -> Result<(), TransformError> {
        let new =
            ConflictingResource::new(super::accumulator::place(&resource), level, Some(entry));
        let added = self.acc.resources.append(resource).map(drop);
        added.map_err(|error| self.duplicate_id_error(&error, new))
    }

    /// Loads an entry that is not a readable file as a directory. If that fails too, the error
    /// takes both attempts into account.
    fn load_directory(
        &mut self,
        level: &ActiveLayer<'_>,
        entry: &Marked<String>,
        begun: OpenStep,
        file: Unreadable,
    ) -> Result<(), BuildAbort> {
        if file.is_final() {
            return self.fail_entry(begun, file.into_error(entry));
        }
        self.warn_of_forced_git(&entry.value);
        match level.root.open(&entry.value) {
            Ok(root) => self.build_base(level, entry, &root, begun.step),
            Err(error) => self.fail_entry(begun, file.choose_error(error, entry)),
        }
    }

    /// Ends the step of an entry that cannot be loaded or configured: as pending if it only lacks an
    /// external item, else as failed.
    pub(super) fn fail_entry(
        &mut self,
        begun: OpenStep,
        error: TransformError,
    ) -> Result<(), BuildAbort> {
        let Some(wait) = super::errors::wait_of_error(&error) else {
            return Err(self.recorder.fail(begun, error));
        };
        self.mark_pending(begun, wait);
        Ok(())
    }

    fn build_base(
        &mut self,
        level: &ActiveLayer<'_>,
        entry: &Marked<String>,
        root: &Root,
        begun: Step,
    ) -> Result<(), BuildAbort> {
        let heading = begun.into_merge();
        let mark = heading.mark;
        let asked = self.setup.files.mark();
        let (id, target) = match self.open_layer(level, root, LayerKind::Base, &entry.value, mark) {
            Ok(opened) => opened,
            Err(error) => {
                let layer = LayerId(self.recorder.layers.len() - 1);
                return Err(self.failed_step(Step { layer, ..heading }, error));
            }
        };
        let child = self.build_or_reuse(root, &target, id, asked)?;
        self.recorder.leave(id);
        self.merge(level, heading, child)
    }

    pub(super) fn merge(
        &mut self,
        level: &ActiveLayer<'_>,
        heading: Step,
        mut child: Accumulator,
    ) -> Result<(), BuildAbort> {
        let mut begun = self.begin(heading)?;
        let result =
            self.acc.resources.insert_all(&mut child.resources).map_err(|(slot, error)| {
                let place = child.resources.get(slot).map(|it| super::accumulator::place(it));
                let new = ConflictingResource::new(place.unwrap_or_default(), level, None);
                self.duplicate_id_error(&error, new)
            });
        let (mark, profile) = (begun.step.mark, self.setup.profile());
        let result = result
            .and_then(|()| merge_configs(&self.acc.config, &child.config, mark, profile))
            .and_then(|config| {
                self.acc.config = config;
                self.acc.vars.merge(child.vars)
            });
        let result = result.map_err(|error| self.recorder.describe(error, mark, level.id));
        let changes: Vec<Change> = self.acc.resources.take_changes();
        begun.step.matched = changes.len();
        self.recorder.record(begun, changes, result)
    }
}

fn is_too_much(loaded: &Result<LoadedFile, LoadError>) -> bool {
    matches!(loaded, Err(LoadError::Read { source: FileError::TooMuch { .. }, .. }))
}

enum Unreadable {
    File(LoadError),
    Yaml(YamlError, SourceId),
}

impl Unreadable {
    /// True if the entry must not be tried as a directory or repository: a server responded with an
    /// error status, the connection is insecure, or the limit of file memory is reached.
    fn is_final(&self) -> bool {
        matches!(
            self,
            Self::File(
                LoadError::HttpStatus { .. }
                    | LoadError::Remote(RemoteError::Insecure(_))
                    | LoadError::Read { source: FileError::TooMuch { .. }, .. }
            )
        )
    }

    fn into_error(self, entry: &Marked<String>) -> TransformError {
        match self {
            Self::File(source) => {
                let reading = format!("accumulating resources from '{}'", entry.value);
                cannot_load(reading, entry.mark, source)
            }
            Self::Yaml(source, file) => {
                let YamlError { line, column, .. } = source;
                let mark = Mark { source: file, line, column, ..Mark::default() };
                TransformError::Yaml { reading: "MalformedYAMLError".into(), mark, source }
            }
        }
    }

    /// Chooses the error for an entry that is neither a readable file nor a directory. Kustomize
    /// reports the syntax error of a file alone, and otherwise both errors; here the one that fits
    /// the kind of entry is enough.
    fn choose_error(self, directory: LoadError, entry: &Marked<String>) -> TransformError {
        let is_file =
            |url: &str| [".yaml", ".yml", ".json"].into_iter().any(|ending| url.ends_with(ending));
        match (&self, &directory) {
            // Neither the file nor a repository was fetched yet, and the URL is that of a file.
            (
                Self::File(LoadError::Remote(RemoteError::NotAllowed { .. })),
                LoadError::Remote(RemoteError::NotAllowed { .. }),
            ) if is_file(&entry.value) => self.into_error(entry),
            // For a URL the fetch error is more useful than "no such directory"; for an existing
            // file the read error is more useful than "not a directory".
            (Self::Yaml(..), _)
            | (Self::File(LoadError::Remote(_)), LoadError::NotDirectory { .. })
            | (
                Self::File(LoadError::OutsideRoot { .. } | LoadError::Read { .. }),
                LoadError::FileNotDirectory { .. },
            ) => self.into_error(entry),
            _ => Self::File(directory).into_error(entry),
        }
    }
}
