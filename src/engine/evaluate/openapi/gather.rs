//! Opt-in merging: each layer has the built-in schema with those of the layers below, its own and those around it
//! laid over it (D-E2 to D-E6, narrowed by ruling 5).

use std::sync::Arc;

use crate::diagnostic::{Diagnostic, LayerFault};
use crate::evaluate::accumulator::Accumulator;
use crate::evaluate::build::Build;
use crate::evaluate::layer_schema::{Merging, SchemaUse, over};
use crate::evaluate::level::Level;
use crate::evaluate::recorder::Halt;
use crate::evaluate::{LayerKind, StepKind};
use crate::resource::{Schema, SchemaInForce, Scopes};
use crate::transform::TransformError;

use super::{Wish, read, use_scopes};

/// What was in force around a layer.
pub(in crate::evaluate) struct Around {
    merging: Merging,
    schema: SchemaInForce,
    scopes: Arc<Scopes>,
    is_set: bool,
}

impl Build<'_> {
    /// Begins a layer: its `openapi` is read.
    pub(in crate::evaluate) fn enter_schema(
        &mut self,
        level: &Level<'_>,
        acc: &mut Accumulator,
    ) -> Result<Around, Halt> {
        let layer = self.recorder.layers.get(level.id.0);
        let shares = layer.is_some_and(|layer| layer.shares);
        let around = Around {
            merging: self.carried.merging.clone(),
            schema: self.carried.schema.clone(),
            scopes: self.carried.scopes.clone(),
            is_set: self.carried.schema_is_set,
        };
        self.carried.merging = around.merging.within(shares);
        // Ruling 5: in a Composition, which has no past to be compatible with, merging is the rule.
        let is_composition = layer_kind(self, level) == Some(LayerKind::Composition);
        self.carried.merging.is_on |= is_composition;
        self.set_schema(level, acc)?;
        Ok(around)
    }

    /// Takes the schemas of the layers below into account, once they are there.
    pub(in crate::evaluate) fn take_schemas_from_below(
        &mut self,
        level: &Level<'_>,
        acc: &mut Accumulator,
    ) {
        let wish = Wish::of(level);
        if wish.from_resources && !self.carried.merging.is_closed {
            let nodes = acc.resources.iter().map(|(_, resource)| &resource.node);
            let crds = Arc::new(Schema::of_resources(nodes));
            if !crds.is_empty() {
                self.note_schema(level, SchemaUse::Merge, vec![("resources".into(), crds.clone())]);
                self.carried.merging.own = over(Some(&crds), self.carried.merging.own.as_ref());
            }
        }
        self.use_gathered_schemas(acc);
    }

    /// Ends a layer: what was in force around it is in force again, unless it set the schema as Kustomize does.
    pub(in crate::evaluate) fn leave_schema(
        &mut self,
        level: &Level<'_>,
        around: Around,
    ) -> Result<(), Halt> {
        self.fail_if_unusable(level)?;
        let layer = self.recorder.layers.get(level.id.0);
        let (shares, is_root) =
            layer.map_or((false, false), |layer| (layer.shares, layer.parent.is_none()));
        let is_step = level.target.composition.is_none()
            && layer_kind(self, level) == Some(LayerKind::Composition);
        let merged = self.carried.merging.is_on;
        let left = self.carried.merging.left();
        if !is_root && (merged || !self.carried.schema_is_set) {
            (self.carried.schema, self.carried.scopes, self.carried.schema_is_set) =
                (around.schema, around.scopes, around.is_set);
        }
        self.carried.merging = around.merging;
        if is_step || left.is_none() {
            // A Kustomization that is a step of a Composition keeps its schema to itself.
            return Ok(());
        }
        let below = self.carried.merging.below.take();
        self.carried.merging.below =
            if shares { left } else { over(below.as_ref(), left.as_ref()) };
        Ok(())
    }

    /// Reads the schemas that a merging layer names.
    pub(super) fn merge_schema(
        &mut self,
        level: &Level<'_>,
        wish: &Wish<'_>,
    ) -> Result<Vec<Diagnostic>, TransformError> {
        let mut warnings = Vec::new();
        let mut sources = Vec::new();
        let mut own: Option<Arc<Schema>> = None;
        for path in wish.path.iter().chain(&wish.extra_paths) {
            let loaded = read::load(level, path, wish.mark)?;
            let schema = read::as_source(path, &loaded.bytes, wish.mark, &mut warnings)?;
            let schema = Arc::new(schema);
            own = over(own.as_ref(), Some(&schema));
            sources.push(((*path).into(), schema));
        }
        wish.check_version()?;
        wish.check_builtin()?;
        self.carried.merging.own = own.filter(|_| !self.carried.merging.is_closed);
        let usage = match (&self.carried.merging.own, sources.is_empty()) {
            (None, false) => SchemaUse::Ignored,
            (None, true) if wish.wants_builtin() => SchemaUse::Builtin,
            _ => SchemaUse::Merge,
        };
        if usage != SchemaUse::Merge || !sources.is_empty() {
            self.note_schema(level, usage, sources);
        }
        if wish.wants_builtin() {
            self.carried.merging.is_closed = true;
            self.carried.merging.below = None;
        }
        self.warn_unresolved(wish, &mut warnings);
        Ok(warnings)
    }

    fn warn_unresolved(&self, wish: &Wish<'_>, warnings: &mut Vec<Diagnostic>) {
        let (Some(own), Some(gathered)) =
            (&self.carried.merging.own, self.carried.merging.gathered())
        else {
            return;
        };
        let all = Schema::builtin().merged_with(&gathered);
        let names = all.unresolved(own);
        let path = wish.path.or(wish.extra_paths.first().copied()).unwrap_or_default();
        read::unresolved(path, &names, wish.mark, warnings);
    }

    /// Puts in force what was gathered, where that is for this layer to say.
    pub(in crate::evaluate) fn use_gathered_schemas(&mut self, acc: &mut Accumulator) {
        if self.carried.merging.is_on || !self.carried.schema_is_set {
            if let Some(gathered) = self.carried.merging.gathered() {
                let schema = Arc::new(Schema::builtin().merged_with(&gathered));
                let same =
                    matches!(&self.carried.schema, SchemaInForce::Custom(old) if **old == *schema);
                if !same {
                    self.carried.scopes = Arc::new(self.carried.scopes.with_schema(schema.clone()));
                    self.carried.schema = SchemaInForce::Custom(schema);
                }
            } else if self.carried.merging.is_on
                && matches!(self.carried.schema, SchemaInForce::Custom(_))
            {
                self.carried.schema = SchemaInForce::Builtin;
                self.carried.scopes = Arc::new(self.carried.scopes.without_schema());
            }
        }
        use_scopes(&self.carried.scopes, acc);
    }

    /// Kustomize asks an invalid schema about the scope of types that it does not know itself.
    fn fail_if_unusable(&mut self, level: &Level<'_>) -> Result<(), Halt> {
        let Some(fault) = self.carried.schema.fault().map(str::to_owned) else { return Ok(()) };
        if !self.met_unknown_type() {
            return Ok(());
        }
        let mark = level.kustomization().openapi.mark;
        let heading = level
            .heading(StepKind::Configure, "openapi", "scopes", mark)
            .in_field(crate::manifest::Field::OpenApi);
        Err(self.failed_step(heading, TransformError::fault(LayerFault::BadSchema(fault), mark)))
    }
}

fn layer_kind(build: &Build<'_>, level: &Level<'_>) -> Option<LayerKind> {
    build.recorder.layers.get(level.id.0).map(|layer| layer.kind)
}
