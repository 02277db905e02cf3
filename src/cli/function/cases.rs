//! `kzui fn test`: a function on stored `ResourceList`s.

use std::path::Path;

use crate::answers::diff_review_lines;
use crate::cli::failure::{CommandResult, Failure};
use crate::engine::evaluate::Evaluation;
use crate::engine::load::clean;
use crate::engine::manifest::FUNCTION_ANNOTATIONS;
use crate::engine::resource::set_annotation;
use crate::engine::yaml::{Node, parse_nodes, print_preserving_style};

use super::super::report::print_failure;
use super::super::review_text::review_text;
use super::super::{BuildFlags, CliPorts, Exit};
use super::FunctionTest;
use super::standalone_function::{StandaloneFunction, function_step, listed_catalogs};

const INPUT_FILE: &str = "input.yaml";
const OUTPUT_FILE: &str = "output.yaml";

enum CaseFailure {
    Build(Box<Evaluation>),
    Message(String),
}

impl From<String> for CaseFailure {
    fn from(message: String) -> Self {
        Self::Message(message)
    }
}

pub(super) fn run(arguments: &FunctionTest, outside: &mut CliPorts<'_>) -> CommandResult {
    let files = outside.ports.files.clone();
    let file = clean(&outside.current.join(&arguments.file));
    let file = files.resolve(&file).map_or(file, |(file, _)| file);
    let folder = file.parent().unwrap_or(&file).to_owned();
    let cases = arguments.cases.as_ref().map(|cases| clean(&outside.current.join(cases)));
    let cases = cases.unwrap_or_else(|| folder.join("tests"));
    let mut names = files.list(&cases).unwrap_or_default();
    names.sort_unstable();
    names.retain(|name| files.read(&cases.join(name).join(INPUT_FILE)).is_ok());
    if names.is_empty() {
        let cases = cases.display();
        let words = format!("no case in {cases}: a case is a folder with {INPUT_FILE}");
        return Err(Failure::usage(words));
    }
    let mut failed = 0;
    for name in &names {
        let case = cases.join(name);
        match run_case(&file, &case, &arguments.build, outside) {
            Err(CaseFailure::Message(reason)) => {
                writeln!(outside.err, "error: {name}: {reason}")?;
                failed += 1;
            }
            Err(CaseFailure::Build(evaluation)) => {
                writeln!(outside.out, "failed  {name}")?;
                if let Err(error) = &evaluation.outcome {
                    print_failure(error, &evaluation.trace, outside)?;
                }
                failed += 1;
            }
            Ok((expected, found)) if expected == found => writeln!(outside.out, "ok      {name}")?,
            Ok((expected, found)) => {
                let word = if arguments.update { "wrote" } else { "failed" };
                writeln!(outside.out, "{word:<6}  {name}")?;
                outside.out.text(&review_text(&diff_review_lines(&expected, &found)))?;
                if arguments.update {
                    (outside.replace)(&case.join(OUTPUT_FILE), Some(found.as_bytes()))?;
                } else {
                    failed += 1;
                }
            }
        }
    }
    writeln!(outside.out, "{} passed, {failed} failed", names.len() - failed)?;
    Ok(if failed == 0 { Exit::OK } else { Exit::FAILED })
}

/// The expected text of a case, and the text of this run.
fn run_case(
    file: &Path,
    case: &Path,
    flags: &BuildFlags,
    outside: &CliPorts<'_>,
) -> Result<(String, String), CaseFailure> {
    let input = read_resource_list(&case.join(INPUT_FILE), outside)?;
    let items = input.get("items").and_then(Node::items).unwrap_or_default();
    let config = input.get("functionConfig");
    let config = config.map(|config| with_runtime(config, file, outside)).transpose()?;
    let folder = file.parent().unwrap_or(file);
    let catalogs = listed_catalogs(&[folder], folder, outside);
    let lone = StandaloneFunction { file, config, catalogs };
    let run = lone.run(items.iter(), flags, outside)?;
    let Some((index, step)) = function_step(&run).filter(|_| run.outcome.is_ok()) else {
        if run.outcome.is_ok() {
            return Err(format!("{} configures no function", file.display()).into());
        }
        return Err(CaseFailure::Build(Box::new(run)));
    };
    let state = run.trace.state_after(index);
    let items = state.values().map(|resource| resource.node.clone()).collect();
    let own = step
        .run
        .as_ref()
        .and_then(|run| parse_nodes(&run.output).ok()?.first()?.get("results").cloned());
    let found = list_text(items, own);
    let path = case.join(OUTPUT_FILE);
    let expected = match outside.ports.files.read(&path) {
        Ok(_) => {
            let node = read_resource_list(&path, outside)?;
            let items = node.get("items").and_then(Node::items).unwrap_or_default().to_vec();
            list_text(items, node.get("results").cloned())
        }
        Err(_) => String::new(),
    };
    Ok((expected, found))
}

fn list_text(items: Vec<Node>, results: Option<Node>) -> String {
    let mut list = Node::mapping();
    list.set("apiVersion", Node::string("config.kubernetes.io/v1"));
    list.set("kind", Node::string("ResourceList"));
    list.set("items", Node::sequence(items));
    if let Some(results) = results.filter(|results| !results.is_empty_collection()) {
        list.set("results", results);
    }
    print_preserving_style(&list)
}

fn read_resource_list(path: &Path, outside: &CliPorts<'_>) -> Result<Node, String> {
    let shown = path.display();
    let bytes = outside.ports.files.read(path).map_err(|error| error.to_string())?;
    let nodes = parse_nodes(&bytes).map_err(|error| format!("{shown}: {error}"))?;
    match nodes.as_slice() {
        [node] if node.text_of("kind") == Some("ResourceList") => Ok(node.clone()),
        _ => Err(format!("{shown}: expected one document of kind ResourceList")),
    }
}

fn with_runtime(config: &Node, file: &Path, outside: &CliPorts<'_>) -> Result<String, String> {
    let bytes = outside.ports.files.read(file).map_err(|error| error.to_string())?;
    let own = parse_nodes(&bytes).map_err(|error| format!("{}: {error}", file.display()))?;
    let own = own.first();
    let mut config = config.clone();
    for name in FUNCTION_ANNOTATIONS {
        let annotation = own.and_then(|it| it.at(&["metadata", "annotations", name])?.text());
        if let Some(text) = annotation {
            set_annotation(&mut config, name, text);
        }
    }
    if let Some(runtime) = own.and_then(|own| own.get("runtime")) {
        config.set("runtime", runtime.clone());
    }
    Ok(print_preserving_style(&config))
}
