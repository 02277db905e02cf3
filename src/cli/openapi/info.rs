//! `kzui openapi info`: the schema in force, and its origin.

use indexmap::IndexMap;

use super::super::place::displayed_file;
use super::super::report::print_failure;
use super::super::{CliPorts, Exit, evaluate_once, options};
use super::OpenApiInfo;
use crate::cli::failure::{CommandResult, Failure};
use crate::display::counted;
use crate::engine::evaluate::{Evaluation, LayerSchema, SchemaUse};
use crate::engine::resource::Schema;

/// The text that `kustomize openapi info` prints for its built-in schema.
const BUILTIN: &str = "{title:Kubernetes,version:v1.21.2}";

pub(super) fn run(arguments: &OpenApiInfo, outside: &mut CliPorts<'_>) -> CommandResult {
    let Some(dir) = &arguments.dir else {
        writeln!(outside.out, "{BUILTIN}")?;
        return Ok(Exit::OK);
    };
    let options =
        options::headless_options(&arguments.build, dir, outside).map_err(Failure::failed)?;
    let evaluation = evaluate_once(dir, &options, outside);
    let resources = match &evaluation.outcome {
        Ok(resources) => resources,
        Err(error) => return print_failure(error, &evaluation.trace, outside),
    };
    if let Some(wait) = evaluation.trace.first_wait() {
        writeln!(outside.err, "pending: {}; not in this report", wait.required_action_text())?;
    }
    writeln!(outside.out, "{BUILTIN}")?;
    if evaluation.schemas.is_empty() {
        let definitions = Schema::builtin().definitions().len();
        writeln!(
            outside.out,
            "no layer has `openapi`: the {definitions} built-in definitions are used"
        )?;
    }
    for layer in &evaluation.schemas {
        print_layer_schema(layer, &evaluation, outside)?;
    }
    let mut unknown: IndexMap<(String, &str), usize> = IndexMap::new();
    for gvk in resources.iter().map(|resource| &resource.id.gvk) {
        if evaluation.schema.ask().of_type(&gvk.api_version(), &gvk.kind).is_none() {
            *unknown.entry((gvk.api_version(), &*gvk.kind)).or_default() += 1;
        }
    }
    if !unknown.is_empty() {
        writeln!(outside.out, "kinds without a schema (a patch replaces their lists whole):")?;
    }
    for ((api_version, kind), count) in unknown {
        writeln!(outside.out, "  {kind} ({api_version}): {count}")?;
    }
    Ok(Exit::OK)
}

fn print_layer_schema(
    layer: &LayerSchema,
    evaluation: &Evaluation,
    outside: &mut CliPorts<'_>,
) -> std::io::Result<()> {
    let name = evaluation.trace.layers.get(layer.layer.0).map_or("", |it| &*it.path);
    let name = displayed_file(&evaluation.trace, name, &outside.current);
    let usage = match layer.usage {
        SchemaUse::Replace => "replaces the built-in schema, for the rest of the build",
        SchemaUse::Merge => "merged into the built-in schema, for this layer and those below it",
        SchemaUse::Builtin => "selects the built-in schema",
        SchemaUse::Ignored => "has no effect: overridden by another layer",
    };
    writeln!(outside.out, "{name}: {usage}")?;
    for (file, schema) in &layer.sources {
        if let Some(fault) = schema.fault() {
            writeln!(outside.out, "  {file}: {fault}")?;
            continue;
        }
        let builtin = Schema::builtin();
        let overridden: Vec<&str> =
            schema.definitions().filter(|name| builtin.definition(name).is_some()).collect();
        let definitions = counted(schema.definitions().len(), "definition");
        write!(outside.out, "  {file}: {definitions}")?;
        match overridden.as_slice() {
            [] => writeln!(outside.out)?,
            [one] => writeln!(outside.out, ", in place of a built-in one: {one}")?,
            [first, rest @ ..] => writeln!(
                outside.out,
                ", {} in place of built-in ones: {first} and {} more",
                overridden.len(),
                rest.len()
            )?,
        }
    }
    Ok(())
}
