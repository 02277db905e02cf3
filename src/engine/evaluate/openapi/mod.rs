//! `openapi:` of a layer: the schema in force (section 5.6; D-E1 as narrowed by ruling 5).

mod gather;
mod read;
#[cfg(test)]
mod tests;

use std::sync::Arc;

use crate::diagnostic::{Diagnostic, LayerFault, OpenApiRemark};
use crate::resource::{Schema, SchemaInForce};
use crate::transform::TransformError;
use crate::yaml::Mark;

use super::build::Build;
use super::layer_schema::{SchemaUse, Schemas};
use super::level::ActiveLayer;
use super::notes::NotesByPart;
use super::recorder::BuildAbort;
use super::{LayerKind, StepKind};

struct OpenApiKeys<'k> {
    path: Option<&'k str>,
    version: Option<&'k str>,
    extra_paths: Vec<&'k str>,
    from_resources: bool,
    merges: bool,
    mark: Mark,
}

impl<'k> OpenApiKeys<'k> {
    fn from_layer(level: &'k ActiveLayer<'_>) -> Self {
        let openapi = &level.kustomization().openapi;
        let word = |key: &str| openapi.value.get(key).map(String::as_str);
        let extra = word("extraPaths");
        let extra_paths = extra.into_iter().flat_map(str::lines).map(str::trim);
        let from_resources = word("fromResources") == Some("true");
        Self {
            path: word("path"),
            version: word("version"),
            extra_paths: extra_paths.filter(|path| !path.is_empty()).collect(),
            from_resources,
            merges: word("mode") == Some("merge") || extra.is_some() || from_resources,
            mark: openapi.mark,
        }
    }

    /// True if the built-in schema is requested. An empty version is ignored (Kustomize).
    fn requests_builtin(&self) -> bool {
        self.path.is_none() && self.version.is_some_and(|version| !version.is_empty())
    }

    fn is_set(&self) -> bool {
        self.path.is_some() || self.version.is_some() || self.merges
    }

    fn warnings(level: &ActiveLayer<'_>) -> Vec<Diagnostic> {
        let kustomization = level.kustomization();
        let openapi = &kustomization.openapi;
        let lists = kustomization
            .openapi_lists
            .iter()
            .map(|list| Diagnostic::new(OpenApiRemark::List(list.value.clone()), list.mark));
        let known: [(&str, &'static [&'static str]); 2] =
            [("mode", &["merge", "replace"]), ("fromResources", &["true", "false"])];
        let unknown = known.iter().filter_map(|(key, words)| {
            let value = openapi.value.get(*key).filter(|value| !words.contains(&&***value))?;
            let remark = OpenApiRemark::UnknownWord { key, value: value.clone() };
            Some(
                Diagnostic::new(remark, openapi.mark)
                    .hint(format!("write one of: {}", words.join(", "))),
            )
        });
        lists.chain(unknown).collect()
    }
}

impl Build<'_> {
    /// Applies the `openapi` of a layer. Without merging, the root's takes precedence; if the root
    /// has none, the first layer with an `openapi` sets the schema for the rest of the build.
    fn set_schema(&mut self, level: &ActiveLayer<'_>) -> Result<(), BuildAbort> {
        let wish = OpenApiKeys::from_layer(level);
        let warnings = OpenApiKeys::warnings(level);
        if !wish.is_set() && warnings.is_empty() && !self.carried.schemas.merging.is_on {
            return Ok(());
        }
        let merges = self.carried.schemas.merging.is_on || wish.merges;
        let mut argument: Vec<&str> = wish.path.into_iter().collect();
        argument.extend(&wish.extra_paths);
        let argument = if argument.is_empty() {
            wish.version.unwrap_or_default().to_owned()
        } else {
            argument.join(", ")
        };
        let heading = level
            .heading(StepKind::Configure, "openapi", argument, wish.mark)
            .in_field(crate::manifest::KustomizationField::OpenApi);
        let set = if merges {
            self.carried.schemas.merge(level, &wish, &mut self.notes)
        } else {
            let is_root = self.recorder.kind(level.id) == Some(LayerKind::Root);
            self.carried.schemas.replace(level, &wish, is_root, &mut self.notes)
        };
        let mut told = set.map_err(|error| self.failed_step(heading.clone(), error))?;
        if merges {
            self.carried.schemas.use_gathered();
        }
        self.carried.schemas.use_scopes(&mut self.acc);
        if !wish.is_set() && warnings.is_empty() {
            return Ok(());
        }
        told.splice(0..0, warnings);
        self.step(heading, |_, cx| {
            (cx.matched, cx.warnings) = (1, told);
            Ok(())
        })
    }
}

impl Schemas {
    /// Applies the `openapi` of a layer as Kustomize does: the build has one schema, which the
    /// first layer with an `openapi` replaces, or the root.
    fn replace(
        &mut self,
        level: &ActiveLayer<'_>,
        wish: &OpenApiKeys<'_>,
        is_root: bool,
        notes: &mut NotesByPart,
    ) -> Result<Vec<Diagnostic>, TransformError> {
        // Kustomize reads the file even if another layer has decided: a missing one is an error.
        let loaded = wish.path.map(|path| read::load(level, path, wish.mark)).transpose()?;
        wish.check_version()?;
        let (path, loaded) = match (wish.path, loaded) {
            _ if self.is_set && !is_root => {
                notes.schema(level.id, SchemaUse::Ignored, Vec::new());
                return Ok(Vec::new());
            }
            (Some(path), Some(loaded)) => (path, loaded),
            _ if !wish.requests_builtin() => return Ok(Vec::new()),
            _ => {
                wish.check_builtin()?;
                self.in_force = SchemaInForce::Builtin;
                self.is_set = true;
                self.merging.is_closed = true;
                notes.schema(level.id, SchemaUse::Builtin, Vec::new());
                return Ok(Vec::new());
            }
        };
        let mut warnings = Vec::new();
        let custom =
            Arc::new(read::parse_like_kustomize(path, &loaded.bytes, wish.mark, &mut warnings));
        self.merging.own = Some(custom.clone());
        // Kustomize keeps earlier schemas, and looks up an unknown type in the built-in schema,
        // which then is merged on top.
        let in_force = if custom.fault().is_none() && notes.has_queried_builtin() {
            Arc::new(Schema::builtin().merged_with(&custom))
        } else if notes.met_unknown_type() && custom.fault().is_none() {
            Arc::new(custom.merged_with(Schema::builtin()))
        } else {
            custom.clone()
        };
        // An earlier schema may still define the referenced names.
        let names = in_force.unresolved(&custom);
        read::warn_undefined_references(path, &names, wish.mark, &mut warnings);
        let builtin = Schema::builtin();
        if let Some(warning) = warnings.last_mut().filter(|_| !names.is_empty())
            && names.iter().any(|name| builtin.definitions().any(|known| known == *name))
        {
            let hint = "this file replaces the built-in schema, which has the definition: add it (`mode: merge` keeps both in kzui alone, Kustomize ignores it)";
            warning.hint = Some(hint.into());
        }
        self.scopes = Arc::new(self.scopes.with_schema(in_force.clone()));
        self.in_force = SchemaInForce::Custom(in_force);
        self.is_set = true;
        notes.schema(level.id, SchemaUse::Replace, vec![(path.into(), custom)]);
        Ok(warnings)
    }
}

impl OpenApiKeys<'_> {
    /// Fails if both `path` and `version` are set. D-E7: Kustomize skips this check if another
    /// layer already set the schema.
    fn check_version(&self) -> Result<(), TransformError> {
        if self.path.is_none() || self.version.is_none() {
            return Ok(());
        }
        let hint = "remove `version` or `path`";
        Err(TransformError::fault(LayerFault::TwoSchemas, self.mark).with_hint(hint))
    }

    fn check_builtin(&self) -> Result<(), TransformError> {
        match self.version {
            None | Some("" | "v1.21.2") => Ok(()),
            Some(version) => {
                let hint = format!("the only built-in version is v1.21.2; got `{version}`");
                let fault = LayerFault::UnknownSchemaVersion;
                Err(TransformError::fault(fault, self.mark).with_hint(hint))
            }
        }
    }
}
