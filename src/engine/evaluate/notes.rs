//! Facts that a build records for later steps and for its end.

use std::sync::Arc;

use indexmap::IndexSet;

use crate::diagnostic::Diagnostic;
use crate::load::Reference;
use crate::resource::{Gvk, Resource, Schema};

use super::layer_schema::{LayerSchema, SchemaUse};
use super::{BuildWarning, LayerId};

/// The notes of a build or of a part of a build. Notes are only added, never removed.
#[derive(Clone, Debug, Default)]
#[expect(clippy::struct_excessive_bools, reason = "independent facts about the build")]
pub(super) struct BuildNotes {
    pub(super) warnings: Vec<BuildWarning>,
    pub(super) schemas: Vec<LayerSchema>,
    /// All referenced catalogs, used or not (D-B9).
    pub(super) catalogs: Vec<Reference>,
    /// True if a step queried the built-in schema, on which the effect of a later `openapi` depends.
    pub(super) builtin_was_asked: bool,
    /// The types of the objects read so far, on which it depends too.
    types: IndexSet<Gvk>,
    pub(super) waits: bool,
    /// True if a message may contain a path relative to the root.
    pub(super) names_root: bool,
    /// True if some step ran a program: it may read files that the ports do not see.
    pub(super) ran: bool,
}

impl BuildNotes {
    /// Adds the notes of a part, possibly from an earlier evaluation. With `counts_programs`, a
    /// program that ran in the part also counts as run here.
    pub(super) fn add(&mut self, part: &Self, counts_programs: bool) {
        for warning in &part.warnings {
            // Keep only one of several equal warnings about a location.
            if !self.warnings.iter().any(|told| told.is_same_warning(warning)) {
                self.warnings.push(warning.clone());
            }
        }
        self.schemas.extend(part.schemas.iter().cloned());
        self.add_catalogs(&part.catalogs);
        self.builtin_was_asked |= part.builtin_was_asked;
        self.types.extend(part.types.iter().cloned());
        self.waits |= part.waits;
        self.names_root |= part.names_root;
        self.ran |= part.ran && counts_programs;
    }

    fn add_catalogs(&mut self, references: &[Reference]) {
        for reference in references {
            if !self.catalogs.contains(reference) {
                self.catalogs.push(reference.clone());
            }
        }
    }
}

/// The notes of a build, kept separately for each [part](super::part), so that a cached part can
/// restore exactly its own notes.
#[derive(Debug, Default)]
pub(super) struct NotesByPart {
    around: Vec<BuildNotes>,
    pub(super) own: BuildNotes,
}

impl NotesByPart {
    pub(super) fn begin_part(&mut self) {
        self.around.push(std::mem::take(&mut self.own));
    }

    /// Ends the part and returns its notes; they are not added to the enclosing part.
    pub(super) fn end_part(&mut self) -> BuildNotes {
        let around = self.around.pop().unwrap_or_default();
        std::mem::replace(&mut self.own, around)
    }

    pub(super) fn take(&mut self) -> BuildNotes {
        let mut around = std::mem::take(&mut self.around).into_iter();
        let own = std::mem::take(&mut self.own);
        let Some(mut all) = around.next() else { return own };
        around.chain([own]).for_each(|part| all.add(&part, true));
        all
    }

    fn all(&self) -> impl Iterator<Item = &BuildNotes> {
        self.around.iter().chain([&self.own])
    }

    pub(super) fn warn(&mut self, warning: BuildWarning) {
        self.own.warnings.push(warning);
    }

    pub(super) fn warn_all(&mut self, warnings: impl IntoIterator<Item = BuildWarning>) {
        self.own.warnings.extend(warnings);
    }

    pub(super) fn warn_of_step<'d>(&mut self, all: impl IntoIterator<Item = &'d Diagnostic>) {
        let all = all.into_iter().map(|it| BuildWarning::StepWarning(Box::new(it.clone())));
        self.warn_all(all);
    }

    pub(super) fn add_warning(&mut self, warning: BuildWarning) {
        if !self.own.warnings.contains(&warning) {
            self.own.warnings.push(warning);
        }
    }

    pub(super) fn has_warning(&self, is_it: impl Fn(&BuildWarning) -> bool) -> bool {
        self.all().flat_map(|notes| &notes.warnings).any(is_it)
    }

    pub(super) fn schema(
        &mut self,
        layer: LayerId,
        usage: SchemaUse,
        sources: Vec<(Arc<str>, Arc<Schema>)>,
    ) {
        self.own.schemas.push(LayerSchema { layer, usage, sources });
    }

    pub(super) fn catalog(&mut self, reference: &Reference) {
        self.own.add_catalogs(std::slice::from_ref(reference));
    }

    pub(super) fn catalogs(&self) -> Vec<Reference> {
        let mut all = BuildNotes::default();
        self.all().for_each(|notes| all.add_catalogs(&notes.catalogs));
        all.catalogs
    }

    /// Records a type: Kustomize looks it up for every object, plugin configurations included.
    pub(super) fn record_type(&mut self, resource: &Resource) {
        let types = &mut self.own.types;
        if !types.contains(&resource.id.gvk) {
            types.insert(resource.id.gvk.clone());
        }
    }

    /// True if the build read an object of a type that Kustomize finds only in the full built-in
    /// schema, so that this schema was loaded.
    pub(super) fn met_unknown_type(&self) -> bool {
        let builtin = Schema::builtin();
        let mut types = self.all().flat_map(|notes| &notes.types);
        types.any(|gvk| builtin.of_type(&gvk.api_version(), &gvk.kind).is_none())
    }

    pub(super) fn has_queried_builtin(&self) -> bool {
        self.all().any(|notes| notes.builtin_was_asked)
    }
}
