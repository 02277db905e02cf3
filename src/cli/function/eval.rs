//! `kzui fn eval`: one function on objects of a build.

use std::path::Path;
use std::sync::Arc;

use crate::answers::{Recording, unified};
use crate::cli::failure::{CommandResult, Failure};
use crate::display::line;
use crate::engine::evaluate::Evaluation;
use crate::engine::load::clean;
use crate::engine::plugin::display;
use crate::engine::resource::{Resource, Slot};

use super::super::report::print_failure;
use super::super::{CliPorts, Exit, diff, evaluate_once, options};
use super::FunctionEval;
use super::standalone_function::{StandaloneFunction, function_step, is_pending, listed_catalogs};

pub(super) fn run(arguments: &FunctionEval, outside: &mut CliPorts<'_>) -> CommandResult {
    let written = clean(&outside.current.join(&arguments.file));
    let file = outside.ports.files.resolve(&written).map_err(Failure::usage)?.0;
    let target = arguments.target.clone().unwrap_or_else(|| {
        let folder = arguments.file.parent().filter(|folder| !folder.as_os_str().is_empty());
        folder.map_or_else(|| ".".to_owned(), |folder| folder.to_string_lossy().into_owned())
    });
    let options = options::headless_options(&arguments.build, &target, outside)?;
    let built = evaluate_once(&target, &options, outside);
    let (objects, is_partial) = match function_input(&built, &file, &arguments.on, outside) {
        Ok(found) => found,
        Err(reason) => {
            if let Err(error) = &built.outcome {
                return print_failure(error, &built.trace, outside);
            }
            return Err(Failure::usage(reason));
        }
    };
    if is_partial {
        writeln!(outside.err, "Warning: an earlier step is pending: the input is not complete")?;
    }
    let folder = file.parent().unwrap_or(&file);
    let target_folder = clean(&outside.current.join(&target));
    let catalogs = listed_catalogs(&[folder, &target_folder], folder, outside);
    let lone = StandaloneFunction { file: &file, config: None, catalogs };
    let nodes = objects.iter().map(|object| &object.node);
    let evaluation = lone.run(nodes, &arguments.build, outside)?;
    print_changes(&evaluation, arguments.show_secrets, outside)
}

/// The objects to run on, and whether a pending step makes them incomplete.
fn function_input(
    built: &Evaluation,
    file: &Path,
    on: &[String],
    outside: &CliPorts<'_>,
) -> Result<(Vec<Arc<Resource>>, bool), String> {
    let trace = &built.trace;
    let own = trace.steps.iter().position(|step| {
        let source = trace.sources.path(step.mark.source).map(Path::new);
        let source = source.and_then(|path| outside.ports.files.resolve(path).ok());
        step.function.is_some() && source.is_some_and(|(path, _)| path == file)
    });
    let before = own.unwrap_or(trace.steps.len());
    let pending = trace.steps.iter().take(before).any(is_pending);
    if own.is_none() && built.outcome.is_err() {
        return Err("the target cannot be built".to_owned());
    }
    let state = match own {
        Some(index) => trace.input_of(index),
        None if on.is_empty() => return Ok((built.outcome.clone().unwrap_or_default(), pending)),
        None => trace.state_after(trace.steps.len().saturating_sub(1)),
    };
    if on.is_empty() {
        return Ok((state.into_values().collect(), pending));
    }
    let mut input = built.clone();
    if let Some(index) = own {
        // The function may give an object another identity.
        input.trace.steps.truncate(index);
        input.outcome = Ok(state.values().cloned().collect());
    }
    let recording = Recording::new(input, &outside.current);
    let objects = on.iter().map(|text| {
        let slot: Slot = recording.find(text).map_err(|error| error.to_string())?;
        state.get(&slot).cloned().ok_or_else(|| format!("{text} is not in the input"))
    });
    Ok((objects.collect::<Result<_, _>>()?, pending))
}

fn print_changes(
    evaluation: &Evaluation,
    show_secrets: bool,
    outside: &mut CliPorts<'_>,
) -> CommandResult {
    let mut secrets = diff::secrets(show_secrets, outside);
    secrets.learn(&evaluation.trace);
    if let Err(error) = &evaluation.outcome {
        return print_failure(error, &evaluation.trace, outside);
    }
    let Some((_, step)) = function_step(evaluation) else {
        return Err(Failure::failed("the file configures no function"));
    };
    for change in step.changes.iter().filter(|change| !change.is_rewrite()) {
        let sides = [&change.before, &change.after].map(Option::as_ref);
        let name = |it: &Arc<Resource>| display(&it.id);
        let [before, after] = sides.map(|side| side.map_or_else(|| "/dev/null".to_owned(), name));
        let [old, new] = sides.map(|side| side.map(|it| secrets.masked_node(it)));
        let text = unified(old.as_ref(), new.as_ref(), (&before, &after));
        outside.out.text(&text)?;
    }
    if let Some(run) = &step.run {
        for text in run.messages.lines() {
            outside.err.text(&line!("{}\n", secrets.text(text)))?;
        }
        for result in &run.results {
            outside.out.text(&line!("{}\n", secrets.text(&result.to_string())))?;
        }
        let changed = step.changes.iter().filter(|change| !change.is_rewrite()).count();
        let (given, back) = (run.items_in, run.items_out);
        writeln!(outside.err, "{}: {given} in, {back} out, {changed} changed", run.function)?;
    }
    Ok(Exit::OK)
}
