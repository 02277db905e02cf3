//! `kzui openapi fetch`: the schema of a cluster, through the `kubectl` program.

use std::path::Path;

use super::super::{CliPorts, Exit};
use super::OpenApiFetch;
use super::reduce::{SelectedTypes, keep_selected_definitions};
use crate::cli::failure::{CommandResult, Failure};
use crate::display::{escape_json, message};
use crate::engine::plugin::Program;
use crate::engine::yaml::{Node, from_json, print_output, to_json_pretty};

const FAILED: &str = "Error fetching schema from cluster. Please make sure kubectl is installed, its context is set correctly, and your cluster is up.";
const FETCH_NOTICE: &str = "Fetching OpenAPI document using the current context in kubeconfig";

pub(super) fn run(arguments: &OpenApiFetch, outside: &mut CliPorts<'_>) -> CommandResult {
    let is_yaml = match arguments.format.as_deref() {
        Some("json") => false,
        Some("yaml") => true,
        Some(_) => return Err(Failure::failed("format must be either 'json' or 'yaml'")),
        None => {
            let extension = arguments.file.as_deref().and_then(Path::extension);
            extension.is_some_and(|extension| extension == "yaml" || extension == "yml")
        }
    };
    if let Some(file) = arguments.file.as_deref().filter(|_| !arguments.force)
        && outside.ports.files.resolve(&outside.current.join(file)).is_ok()
    {
        writeln!(outside.err, "error: {} exists", file.display())?;
        writeln!(outside.err, "  = help: --force replaces it")?;
        return Ok(Exit::FAILED);
    }
    match &arguments.context {
        None => writeln!(outside.err, "{FETCH_NOTICE}")?,
        Some(context) => {
            writeln!(outside.err, "Fetching OpenAPI document using the context {context}")?;
        }
    }
    let text = fetch(arguments, outside).and_then(|document| print(&document, is_yaml));
    match (text, &arguments.file) {
        (Err(reason), _) => {
            outside.err.text(&(message(&reason) + "\n"))?;
            return Ok(Exit::FAILED);
        }
        (Ok(text), Some(file)) => {
            (outside.write)(&outside.current.join(file), text.as_bytes())?;
        }
        (Ok(text), None) => outside.out.document(&text)?,
    }
    Ok(Exit::OK)
}

/// The schema document of the cluster, reduced to the selected types, or the error message.
fn fetch(arguments: &OpenApiFetch, outside: &CliPorts<'_>) -> Result<Node, String> {
    let wanted = SelectedTypes { only: &arguments.only, crds: arguments.crds_only };
    let mut words = vec!["get".to_owned(), "--raw".to_owned(), "/openapi/v2".to_owned()];
    let given = [("--context", &arguments.context), ("--kubeconfig", &arguments.kubeconfig)];
    for (flag, value) in given {
        words.extend(value.iter().flat_map(|value| [flag.to_owned(), value.clone()]));
    }
    let program = Program {
        command: "kubectl".to_owned(),
        arguments: words,
        inherits_environment: true,
        directory: outside.current.clone(),
        ..Program::default()
    };
    let cancel = &outside.ports.cancel;
    let ended = outside.ports.programs.run(&program, &|| cancel.is_cancelled());
    let ended = ended.map_err(|error| format!("{error}\n{FAILED}"))?;
    let messages = String::from_utf8_lossy(&ended.messages).trim_end().to_owned();
    if ended.status != Some(0) {
        return Err(format!("{messages}\n{FAILED}"));
    }
    let text = std::str::from_utf8(&ended.output)
        .map_err(|_| format!("error: the output of kubectl is not text\n{FAILED}"))?;
    let document = from_json(text)
        .map_err(|error| format!("error: the output of kubectl is not JSON: {error}\n{FAILED}"))?;
    keep_selected_definitions(document, &wanted)
}

fn print(document: &Node, is_yaml: bool) -> Result<String, String> {
    let text = if is_yaml {
        print_output(document)
    } else {
        to_json_pretty(document).map(|it| escape_json(&it).into_owned() + "\n")
    };
    text.map_err(|error| format!("error: {error}"))
}
