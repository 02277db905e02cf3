//! Schema files, read as Kustomize reads them or as sources to merge.

use crate::diagnostic::{Code, Diagnostic, LayerFault, Reading};
use crate::evaluate::build::cannot_load;
use crate::evaluate::level::Level;
use crate::load::Loaded;
use crate::resource::{Schema, SchemaError, SchemaFault, SchemaNote};
use crate::transform::TransformError;
use crate::yaml::Mark;

/// The bytes of a schema file.
pub(super) fn load(level: &Level<'_>, path: &str, mark: Mark) -> Result<Loaded, TransformError> {
    level.root.load(path).map_err(|error| cannot_load(Reading::OpenApi, mark, error))
}

fn not_valid(path: &str, error: SchemaError) -> SchemaFault {
    SchemaFault { file: path.to_owned(), error }
}

/// A schema as Kustomize has it. A file that is not valid fails the build only when something is asked of it.
pub(super) fn as_kustomize(
    path: &str,
    bytes: &[u8],
    mark: Mark,
    warnings: &mut Vec<Diagnostic>,
) -> Schema {
    let mut warn = |code, message: String, hint: &str| {
        warnings.push(Diagnostic::new(code, message, mark).hint(hint));
    };
    match Schema::parse(bytes) {
        Ok(schema) => {
            let is_source = schema.is_empty()
                && Schema::parse_source(bytes).is_ok_and(|source| !source.schema.is_empty());
            if is_source {
                let message = format!(
                    "openapi: Kustomize takes nothing from '{path}', and the built-in schema is gone: it has no `definitions`"
                );
                warn(Code::KZ602, message, "with `openapi.mode: merge` it is used as it is");
            } else if schema.is_empty() {
                let message = format!("{}; the built-in schema is gone", no_definitions(path));
                warn(Code::KZ602, message, "remove `openapi.path`, or name a schema");
            }
            schema
        }
        Err(error) => {
            let fault = not_valid(path, error);
            let hint = "Kustomize panics as soon as it needs the schema";
            warn(Code::KZ607, fault.to_string(), hint);
            Schema::unusable(fault)
        }
    }
}

fn no_definitions(path: &str) -> String {
    format!("openapi: '{path}' has no definitions (is it a CRD list or an API index?)")
}

/// A schema that is merged over others (D-E4).
pub(super) fn as_source(
    path: &str,
    bytes: &[u8],
    mark: Mark,
    warnings: &mut Vec<Diagnostic>,
) -> Result<Schema, TransformError> {
    let source = Schema::parse_source(bytes).map_err(|error| {
        TransformError::fault(LayerFault::BadSchema(not_valid(path, error)), mark)
    })?;
    for note in source.notes {
        let (code, message) = match note {
            SchemaNote::NoDefinitions => (Code::KZ602, no_definitions(path)),
            SchemaNote::BadType { definition, cause } => (
                Code::KZ603,
                format!("openapi: '{path}': the definition {definition} is left out: {cause}"),
            ),
        };
        warnings.push(Diagnostic::new(code, message, mark));
    }
    Ok(source.schema)
}

/// References that lead nowhere count as no schema.
pub(super) fn unresolved(path: &str, names: &[&str], mark: Mark, warnings: &mut Vec<Diagnostic>) {
    let Some(first) = names.first() else { return };
    let more = match names.len() {
        1 => String::new(),
        count => format!(" (and {} more)", count - 1),
    };
    warnings.push(
        Diagnostic::new(
            Code::KZ604,
            format!("openapi: '{path}' refers to {first}{more}, which is defined nowhere"),
            mark,
        )
        .hint("what is there counts as a field without a schema"),
    );
}
