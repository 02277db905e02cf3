//! `openapi:` of a layer: which schema is in force (section 5.6, ruling 5).

use std::sync::Arc;

use crate::engine::resource::{Schema, SchemaInForce, Scopes};
use crate::engine::transform::TransformError;
use crate::engine::yaml::Mark;

use super::accumulator::Accumulator;
use super::build::{Build, Level, cannot_load};
use super::recorder::Halt;
use super::{LayerKind, StepKind};

impl Build<'_> {
    /// Applies the `openapi` of a layer. The root's wins; without one, the first layer that has one sets it for the
    /// rest of the build.
    pub(super) fn set_schema(
        &mut self,
        level: &Level<'_>,
        acc: &mut Accumulator,
    ) -> Result<(), Halt> {
        let openapi = &level.kustomization().openapi;
        let (path, version) = (openapi.value.get("path"), openapi.value.get("version"));
        if path.is_none() && version.is_none() {
            return Ok(());
        }
        let mark = openapi.mark;
        let heading = level.heading(
            StepKind::Configure,
            "openapi",
            path.or(version).cloned().unwrap_or_default(),
            mark,
        );
        let heading = heading.in_field("openapi");
        let decided = self.schema_is_set;
        let is_root =
            self.recorder.layers.get(level.id.0).is_some_and(|layer| layer.kind == LayerKind::Root);
        let is_inline = self
            .recorder
            .layers
            .get(level.id.0)
            .is_some_and(|layer| layer.kind == LayerKind::Composition);
        let custom = match path {
            None => None,
            Some(path) => match self.read_schema(level, path, mark) {
                Ok(schema) => Some(schema),
                Err(error) => return Err(self.failed_step(heading, error)),
            },
        };
        if decided && !is_root {
            return Ok(());
        }
        if path.is_some() && version.is_some() {
            let phrase = "builtin version and custom schema provided, cannot use both";
            return Err(self.failed_step(heading, TransformError::phrase(phrase, mark)));
        }
        if let Some(version) = version.filter(|version| *version != "v1.21.2") {
            let hint = Some(format!("the only built-in version is v1.21.2; this is `{version}`"));
            let phrase = "the specified OpenAPI version is not built in".to_owned();
            return Err(self.failed_step(heading, TransformError::Phrase { phrase, mark, hint }));
        }
        let schema = match custom {
            None => SchemaInForce::Builtin,
            // Ruling 5: in a Composition, which has no past to be compatible with, merging is the rule.
            Some(custom) if is_inline => {
                SchemaInForce::Custom(Arc::new(Schema::builtin().merged_with(&custom)))
            }
            // A type that Kustomize had to look up before makes it load the built-in schema on top.
            Some(custom) if self.met_unknown_type() => {
                SchemaInForce::Custom(Arc::new(custom.merged_with(Schema::builtin())))
            }
            Some(custom) => SchemaInForce::Custom(Arc::new(custom)),
        };
        self.schema_is_set = true;
        if path.is_some() {
            let scopes = match &schema {
                SchemaInForce::Builtin => Scopes::default(),
                SchemaInForce::Custom(schema) => Scopes::with_schema(schema.clone()),
            };
            self.scopes = Arc::new(scopes);
            acc.resources.set_scopes(self.scopes.clone());
        }
        self.schema = schema;
        self.step(heading, acc, |_, cx| {
            cx.matched = 1;
            Ok(())
        })
    }

    fn met_unknown_type(&self) -> bool {
        let builtin = Schema::builtin();
        self.types.iter().any(|gvk| builtin.of_type(&gvk.api_version(), &gvk.kind).is_none())
    }

    fn read_schema(
        &mut self,
        level: &Level<'_>,
        path: &str,
        mark: Mark,
    ) -> Result<Schema, TransformError> {
        let loaded = level.root.load(path).map_err(|error| cannot_load("openapi", mark, error))?;
        Schema::parse(&loaded.bytes).map_err(|error| TransformError::Phrase {
            phrase: format!("openapi: '{path}' is not valid: invalid schema file: {error}"),
            mark,
            hint: None,
        })
    }
}
