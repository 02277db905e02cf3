//! Schema files, read as Kustomize reads them or as sources to merge.

use crate::diagnostic::{Diagnostic, LayerFault, OpenApiRemark};
use crate::evaluate::build::cannot_load;
use crate::evaluate::level::ActiveLayer;
use crate::load::LoadedFile;
use crate::resource::{Schema, SchemaError, SchemaFault, SchemaNote};
use crate::transform::TransformError;
use crate::yaml::Mark;

pub(super) fn load(
    level: &ActiveLayer<'_>,
    path: &str,
    mark: Mark,
) -> Result<LoadedFile, TransformError> {
    level.root.load(path).map_err(|error| cannot_load("openapi", mark, error))
}

fn schema_fault(path: &str, mark: Mark, error: SchemaError) -> SchemaFault {
    SchemaFault { file: path.to_owned(), mark, error }
}

/// A schema as Kustomize reads it. An invalid file fails the build only when the schema is queried.
pub(super) fn parse_like_kustomize(
    path: &str,
    bytes: &[u8],
    mark: Mark,
    warnings: &mut Vec<Diagnostic>,
) -> Schema {
    let mut warn = |remark: OpenApiRemark, hint: &'static str| {
        warnings.push(Diagnostic::new(remark, mark).hint(hint));
    };
    match Schema::parse(bytes) {
        Ok(schema) => {
            let is_source = schema.is_empty()
                && Schema::parse_source(bytes).is_ok_and(|source| !source.schema.is_empty());
            if is_source {
                let remark = OpenApiRemark::NothingTaken(path.to_owned());
                warn(remark, "write `openapi.mode: merge` to use the file unchanged");
            } else if schema.is_empty() {
                let path = path.to_owned();
                let remark = OpenApiRemark::NoDefinitions { path, replaces: true };
                warn(remark, "remove `openapi.path`, or name a schema");
            }
            schema
        }
        Err(error) => {
            let fault = schema_fault(path, mark, error);
            let hint = "Kustomize panics as soon as it needs the schema";
            warn(OpenApiRemark::Invalid(fault.clone()), hint);
            Schema::unusable(fault)
        }
    }
}

/// Parses a schema for merging over others (D-E4).
pub(super) fn parse_for_merge(
    path: &str,
    bytes: &[u8],
    mark: Mark,
    warnings: &mut Vec<Diagnostic>,
) -> Result<Schema, TransformError> {
    let source = Schema::parse_source(bytes).map_err(|error| {
        TransformError::fault(LayerFault::BadSchema(schema_fault(path, mark, error)), mark)
    })?;
    for note in source.notes {
        let path = path.to_owned();
        let remark = match note {
            SchemaNote::NoDefinitions => OpenApiRemark::NoDefinitions { path, replaces: false },
            SchemaNote::BadType { definition, cause } => {
                OpenApiRemark::BadType { path, definition, cause }
            }
        };
        warnings.push(Diagnostic::new(remark, mark));
    }
    Ok(source.schema)
}

pub(super) fn warn_undefined_references(
    path: &str,
    names: &[&str],
    mark: Mark,
    warnings: &mut Vec<Diagnostic>,
) {
    let [first, others @ ..] = names else { return };
    let (path, first) = (path.to_owned(), (*first).to_owned());
    let remark = OpenApiRemark::Undefined { path, first, more: others.len() };
    let hint = "define it; until then the field counts as one without a schema";
    warnings.push(Diagnostic::new(remark, mark).hint(hint));
}
