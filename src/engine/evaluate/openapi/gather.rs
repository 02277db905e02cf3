//! Opt-in merging: the schema of a layer is the built-in one with the schemas of the layers below,
//! of the layer itself and of the enclosing layers merged over it, in this order (D-E2 to D-E6,
//! narrowed by ruling 5).

use std::sync::Arc;

use crate::diagnostic::{Diagnostic, LayerFault};
use crate::evaluate::accumulator::Accumulator;
use crate::evaluate::build::Build;
use crate::evaluate::layer_schema::{LayerSchemaSettings, SchemaUse, Schemas, merge_over};
use crate::evaluate::level::ActiveLayer;
use crate::evaluate::notes::NotesByPart;
use crate::evaluate::recorder::BuildAbort;
use crate::evaluate::{LayerKind, StepKind};
use crate::resource::{Schema, SchemaInForce};
use crate::transform::TransformError;

use super::{OpenApiKeys, read};

impl Build<'_> {
    /// Begins a layer: reads its `openapi` and returns the schemas of the enclosing layer.
    pub(in crate::evaluate) fn enter_schema(
        &mut self,
        level: &ActiveLayer<'_>,
    ) -> Result<Schemas, BuildAbort> {
        let around = self.carried.schemas.clone();
        let shares = self.recorder.layer(level.id).is_some_and(|layer| layer.shares);
        self.carried.schemas.merging = around.merging.within(shares);
        // Ruling 5: Compositions merge by default, since no existing Composition depends on
        // replacing.
        let is_composition = self.recorder.kind(level.id) == Some(LayerKind::Composition);
        self.carried.schemas.merging.is_on |= is_composition;
        self.set_schema(level)?;
        Ok(around)
    }

    /// Merges the schemas of the layers below, after those layers are built.
    pub(in crate::evaluate) fn take_schemas_from_below(&mut self, level: &ActiveLayer<'_>) {
        let wish = OpenApiKeys::from_layer(level);
        let merging = &mut self.carried.schemas.merging;
        if wish.from_resources && !merging.is_closed {
            let nodes = self.acc.resources.iter().map(|(_, resource)| &resource.node);
            let crds = Arc::new(Schema::of_resources(nodes));
            if !crds.is_empty() {
                merging.own = merge_over(Some(&crds), merging.own.as_ref());
                let sources = vec![("resources".into(), crds)];
                self.notes.schema(level.id, SchemaUse::Merge, sources);
            }
        }
        self.use_gathered_schemas();
    }

    pub(in crate::evaluate) fn use_gathered_schemas(&mut self) {
        self.carried.schemas.use_gathered();
        self.carried.schemas.use_scopes(&mut self.acc);
    }

    /// Ends a layer: restores the enclosing layer's schemas, unless the layer replaced the schema
    /// for the rest of the build, as in Kustomize.
    pub(in crate::evaluate) fn leave_schema(
        &mut self,
        level: &ActiveLayer<'_>,
        around: Schemas,
    ) -> Result<(), BuildAbort> {
        self.fail_if_unusable(level)?;
        let layer = self.recorder.layer(level.id);
        let (shares, is_root) =
            layer.map_or((false, false), |layer| (layer.shares, layer.parent.is_none()));
        // A Kustomization that is an entry of a Composition sets its schema only for itself.
        let is_step = level.target.composition.is_none()
            && self.recorder.kind(level.id) == Some(LayerKind::Composition);
        let schemas = &mut self.carried.schemas;
        let left = schemas.merging.schema_for_parent().filter(|_| !is_step);
        let stays = is_root || !schemas.merging.is_on && schemas.is_set;
        let inside = std::mem::replace(schemas, around);
        if stays {
            let Schemas { in_force, is_set, scopes, .. } = inside;
            (schemas.in_force, schemas.is_set, schemas.scopes) = (in_force, is_set, scopes);
        }
        if left.is_some() {
            let below = schemas.merging.below.take();
            schemas.merging.below =
                if shares { left } else { merge_over(below.as_ref(), left.as_ref()) };
        }
        Ok(())
    }

    /// Fails if the schema in force is invalid and a type is not known: Kustomize looks up the
    /// scope of such a type in the schema.
    fn fail_if_unusable(&mut self, level: &ActiveLayer<'_>) -> Result<(), BuildAbort> {
        let fault = self.carried.schemas.in_force.fault().cloned();
        let Some(fault) = fault.filter(|_| self.notes.met_unknown_type()) else { return Ok(()) };
        let mark = level.kustomization().openapi.mark;
        let heading = level
            .heading(StepKind::Configure, "openapi", "scopes", mark)
            .in_field(crate::manifest::KustomizationField::OpenApi);
        Err(self.failed_step(heading, TransformError::fault(LayerFault::BadSchema(fault), mark)))
    }
}

impl Schemas {
    pub(super) fn merge(
        &mut self,
        level: &ActiveLayer<'_>,
        wish: &OpenApiKeys<'_>,
        notes: &mut NotesByPart,
    ) -> Result<Vec<Diagnostic>, TransformError> {
        self.merging.is_on = true;
        let mut warnings = Vec::new();
        let mut sources = Vec::new();
        let mut own: Option<Arc<Schema>> = None;
        for path in wish.path.iter().chain(&wish.extra_paths) {
            let loaded = read::load(level, path, wish.mark)?;
            let schema = read::parse_for_merge(path, &loaded.bytes, wish.mark, &mut warnings)?;
            let schema = Arc::new(schema);
            own = merge_over(own.as_ref(), Some(&schema));
            sources.push(((*path).into(), schema));
        }
        wish.check_version()?;
        wish.check_builtin()?;
        let merging = &mut self.merging;
        merging.own = own.filter(|_| !merging.is_closed);
        let usage = match (&merging.own, sources.is_empty()) {
            (None, false) => SchemaUse::Ignored,
            (None, true) if wish.requests_builtin() => SchemaUse::Builtin,
            _ => SchemaUse::Merge,
        };
        if usage != SchemaUse::Merge || !sources.is_empty() {
            notes.schema(level.id, usage, sources);
        }
        if wish.requests_builtin() {
            merging.is_closed = true;
            merging.below = None;
        }
        warn_unresolved(merging, wish, &mut warnings);
        Ok(warnings)
    }

    pub(super) fn use_gathered(&mut self) {
        if !self.merging.is_on && self.is_set {
            return;
        }
        if let Some(gathered) = self.merging.schema_to_merge() {
            let schema = Arc::new(Schema::builtin().merged_with(&gathered));
            let same = matches!(&self.in_force, SchemaInForce::Custom(old) if **old == *schema);
            if !same {
                self.scopes = Arc::new(self.scopes.with_schema(schema.clone()));
                self.in_force = SchemaInForce::Custom(schema);
            }
        } else if self.merging.is_on && matches!(self.in_force, SchemaInForce::Custom(_)) {
            self.in_force = SchemaInForce::Builtin;
            self.scopes = Arc::new(self.scopes.without_schema());
        }
    }

    pub(super) fn use_scopes(&self, acc: &mut Accumulator) {
        if !Arc::ptr_eq(&self.scopes, acc.resources.scopes()) {
            acc.resources.set_scopes(self.scopes.clone());
        }
    }
}

fn warn_unresolved(
    merging: &LayerSchemaSettings,
    wish: &OpenApiKeys<'_>,
    warnings: &mut Vec<Diagnostic>,
) {
    let (Some(own), Some(gathered)) = (&merging.own, merging.schema_to_merge()) else { return };
    let all = Schema::builtin().merged_with(&gathered);
    let names = all.unresolved(own);
    let path = wish.path.or(wish.extra_paths.first().copied()).unwrap_or_default();
    read::warn_undefined_references(path, &names, wish.mark, warnings);
}
