//! `kzui build`: Kustomize's output, exit codes and warnings.

use std::collections::BTreeSet;
use std::path::Path;
use std::sync::Arc;

use crate::answers::Recording;
use crate::answers::report::MapReport;
use crate::cli::failure::{CommandResult, Failure};
use crate::display::to_json_lines;
use crate::engine::evaluate::{BuildCache, ErrorCause, Evaluation, StepError, StepOutcome};
use crate::engine::load::relative_path;
use crate::engine::plugin::results_file;
use crate::engine::resource::{Resource, Scope};
use crate::engine::yaml::{YamlError, print_documents, print_output};

use super::report::print_failure_with_message;
use super::{BuildArgs, BuildFlags, CliPorts, Exit, evaluate_with_cache, options};

/// Builds and prints. A failed build deletes the map of an earlier one, which would describe
/// another output.
pub(super) fn run(arguments: &BuildArgs, outside: &mut CliPorts<'_>) -> CommandResult {
    let ended = build(arguments, outside);
    let is_good = matches!(ended, Ok(Exit::OK));
    if let Some(map) = arguments.map.as_ref().filter(|_| !is_good) {
        let path = outside.current.join(map);
        let old = outside.ports.files.read(&path);
        let is_map = old.is_ok_and(|bytes| serde_json::from_slice::<MapReport>(&bytes).is_ok());
        if is_map && (outside.replace)(&path, None).is_ok() {
            let map = map.display();
            writeln!(outside.err, "note: {map}, the map of an earlier build, is removed")?;
        }
    }
    ended
}

fn build(arguments: &BuildArgs, outside: &mut CliPorts<'_>) -> CommandResult {
    let dir = match arguments.dirs.as_slice() {
        [] => ".",
        [dir] if dir.is_empty() => {
            // A note about a removed map comes after the error.
            writeln!(
                outside.err,
                "error: must build at directory: directory path cannot be empty"
            )?;
            return Ok(Exit::FAILED);
        }
        [dir] => dir,
        [..] => return Err(Failure::failed("specify one path to kustomization.yaml")),
    };
    warn_of_deprecated_flags(&arguments.build, outside)?;
    let options =
        options::kustomize_options(&arguments.build, dir, outside).map_err(Failure::failed)?;
    if let Some(directory) = &arguments.build.results_dir
        && let Err(error) = (outside.create_directory)(&outside.current.join(directory))
    {
        // Fails before any function runs, because the results of functions would be lost.
        return Err(Failure::failed(format!("--results-dir {}: {error}", directory.display())));
    }
    let memory = BuildCache::disabled();
    // Only the source map needs the changes of each step.
    let memory = if arguments.map.is_some() { memory } else { memory.without_changes() };
    // The process ends after the build: dropping the trees would only take time.
    let mut kept = std::mem::ManuallyDrop::new(evaluate_with_cache(
        memory.with_output_check(),
        dir,
        &options,
        outside,
    ));
    let text = kept.1.take_text();
    let evaluation = &kept.0;
    for warning in &evaluation.warnings {
        writeln!(outside.err, "{warning}")?;
    }
    if let Some(directory) = &arguments.build.results_dir {
        write_results(directory, evaluation, outside)?;
    }
    let waiting = first_pending(evaluation);
    match (&evaluation.outcome, &waiting) {
        (Err(error), _) | (_, Some(error)) => {
            let message = Some(error.exact_message());
            print_failure_with_message(error, message, &evaluation.trace, outside)
        }
        (Ok(resources), None) => write_output(arguments, (resources, text), evaluation, outside),
    }
}

fn warn_of_deprecated_flags(flags: &BuildFlags, outside: &mut CliPorts<'_>) -> std::io::Result<()> {
    if flags.reorder.is_some() {
        writeln!(
            outside.err,
            "Flag --reorder has been deprecated, use the new 'sortOptions' field in kustomization.yaml instead."
        )?;
    }
    if flags.enable_managedby_label || flags.enable_managedby_label_named {
        writeln!(
            outside.err,
            "Flag --enable-managedby-label has been deprecated, The flag `enable-managedby-label` has been deprecated. \
             Use the `managedByLabel` option in the `buildMetadata` field instead."
        )?;
    }
    Ok(())
}

/// The first pending step: the output would be incomplete.
fn first_pending(evaluation: &Evaluation) -> Option<Arc<StepError>> {
    evaluation.trace.steps.iter().find_map(|step| match &step.outcome {
        StepOutcome::Waiting(wait) => Some(Arc::new(StepError {
            context: Vec::new(),
            message: wait.to_string(),
            mark: step.mark,
            hint: None,
            cause: ErrorCause::Waiting(wait.clone()),
            fix: None,
            class: None,
        })),
        _ => None,
    })
}

/// Writes the results of the functions that ran to one file for each, numbered in the order of the
/// build.
fn write_results(
    directory: &Path,
    evaluation: &Evaluation,
    outside: &mut CliPorts<'_>,
) -> std::io::Result<()> {
    let runs = evaluation.trace.steps.iter().filter_map(|step| step.run.as_deref());
    for (number, run) in runs.enumerate() {
        let id = run.function.split(' ').next().unwrap_or_default();
        let name = format!("{:02}-{}.yaml", number + 1, id.replace('/', "-").to_lowercase());
        let path = outside.current.join(directory).join(name);
        (outside.write)(&path, results_file(run).as_bytes())?;
    }
    Ok(())
}

/// Writes the output to standard output, a file or a directory, and the source map if requested.
/// `text` is used for all resources in one text, if the build has already printed them to one.
fn write_output(
    arguments: &BuildArgs,
    (resources, text): (&[Arc<Resource>], Option<String>),
    evaluation: &Evaluation,
    outside: &mut CliPorts<'_>,
) -> CommandResult {
    // As in Kustomize, an empty path counts as no path.
    let output = arguments.output.as_deref().filter(|path| !path.is_empty()).map(Path::new);
    // One file for each resource (section 6.1 of the build reference).
    let apart = output.filter(|path| (outside.is_directory)(path));
    let printed: Result<Vec<(String, String)>, YamlError> = if apart.is_some() {
        let namespaced = resources.iter().filter(|it| it.id.scope == Scope::Namespaced);
        let namespaces: BTreeSet<&str> =
            namespaced.map(|resource| resource.id.effective_namespace()).collect();
        let file = |resource: &Arc<Resource>| {
            let name = resource_file_name(resource, namespaces.len() > 1);
            print_output(&resource.node).map(|text| (name, text))
        };
        resources.iter().map(file).collect()
    } else {
        let nodes = resources.iter().map(|resource| &resource.node);
        let text = text.map_or_else(|| print_documents(nodes), Ok);
        text.map(|text| vec![(String::new(), text)])
    };
    let printed = printed.map_err(Failure::failed)?;
    for (name, text) in &printed {
        match (apart, output) {
            (Some(directory), _) => {
                (outside.write)(&outside.current.join(directory).join(name), text.as_bytes())?;
            }
            (None, Some(file)) => (outside.write)(&outside.current.join(file), text.as_bytes())?,
            (None, None) => outside.out.document(text)?,
        }
    }
    let Some(map) = &arguments.map else { return Ok(Exit::OK) };
    let recording = Recording::new(evaluation.clone(), &outside.current);
    let texts = printed.iter().map(|(_, text)| text).enumerate();
    let fields = texts.map(|(number, text)| recording.source_map_of(number, text));
    let fields = fields.collect::<Result<Vec<_>, _>>().map_err(|error| {
        Failure::failed(format!("--map: the output cannot be read back: {error}"))
    })?;
    let names = printed.iter().filter(|_| apart.is_some()).map(|(name, _)| name.clone());
    let output = output.map(|path| {
        let relative = path.is_absolute().then(|| relative_path(&outside.current, path));
        relative.unwrap_or_else(|| path.to_string_lossy().into_owned())
    });
    let (fields, files) = (fields.concat(), names.collect::<Vec<_>>());
    let report = MapReport::new(&recording, &fields, &outside.current, (output, &files));
    let text = to_json_lines(&report)?;
    (outside.replace)(&outside.current.join(map), Some(text.as_bytes()))?;
    Ok(Exit::OK)
}

/// The name that Kustomize gives the file of a resource.
fn resource_file_name(resource: &Resource, with_namespace: bool) -> String {
    let id = &resource.id;
    let parts = [&*id.gvk.group, &*id.gvk.version, &*id.gvk.kind];
    let parts = parts.into_iter().filter(|part| !part.is_empty());
    // For a resource without a name, the last part of the file name is empty.
    let parts: Vec<&str> = parts.chain([&*id.name]).collect();
    let name = parts.join("_").to_lowercase();
    if with_namespace && id.scope == Scope::Namespaced {
        format!("{}_{name}.yaml", id.effective_namespace().to_lowercase())
    } else {
        format!("{name}.yaml")
    }
}
