//! `kzui trace`: the recording of a build, for scripts and reviews.

use std::path::Path;

use crate::answers::provenance::blame::value_text;
use crate::answers::provenance::watch::{FieldWrite, StopCondition};
use crate::answers::recording::field::{WrittenPath, named_path_text, path_text};
use crate::answers::report::{
    ChangeReport, ReportPaths, StepReport, TraceReport, WriteReport, layer_name, step_title,
};
use crate::answers::secrets::Secrets;
use crate::answers::{self, ResourceNameError, add_trial_findings, change_diff};
use crate::cli::failure::{CommandResult, Failure};
use crate::display::{line, sanitize};
use crate::engine::evaluate::{Evaluation, Step, StepOutcome, Trace as Recording};
use crate::engine::resource::{Change, PathStep, Slot};
use crate::engine::yaml::Node;

use super::place::make_paths_relative;
use super::report::{print_failure, print_pending};
use super::{CliPorts, Exit, Format, TraceArgs, document, evaluate_once, options};

struct TraceFilter {
    /// Only steps that change this resource.
    resource: Option<Slot>,
    step: Option<usize>,
    /// Only steps that write the watched field.
    watched: Option<Vec<FieldWrite>>,
    /// Only steps at which the condition becomes true, by index.
    stops: Option<Vec<usize>>,
}

impl TraceFilter {
    fn includes_step(&self, number: usize, step: &Step) -> bool {
        self.stops.as_ref().is_none_or(|stops| stops.contains(&(number - 1)))
            && self.step.is_none_or(|wanted| wanted == number)
            && match &self.watched {
                Some(_) => self.write_in_step(number).is_some(),
                None if self.resource.is_none() => true,
                None => step.changes.iter().any(|change| self.shows_change(change)),
            }
    }

    fn shows_change(&self, change: &Change) -> bool {
        self.resource.is_none_or(|slot| change.slot == slot)
    }

    fn write_in_step(&self, number: usize) -> Option<&FieldWrite> {
        self.watched.iter().flatten().find(|write| write.step + 1 == number)
    }

    /// A value of a watched field in one line; `None` if it is not set.
    fn value(
        value: Option<&Node>,
        write: &FieldWrite,
        change: &Change,
        secrets: &Secrets,
    ) -> Option<String> {
        let resource = change.after.as_ref().or(change.before.as_ref())?;
        let keys: Vec<&str> = write.path.iter().filter_map(PathStep::key).collect();
        value.map(|value| value_text(&secrets.part(resource, &keys, value)))
    }
}

pub(super) fn run(arguments: &TraceArgs, outside: &mut CliPorts<'_>) -> CommandResult {
    let options = options::headless_options(&arguments.build, &arguments.dir, outside)?;
    let mut evaluation = evaluate_once(&arguments.dir, &options, outside);
    let (current, ports) = (&outside.current, &outside.ports);
    add_trial_findings(&mut evaluation, &arguments.dir, current, &options, ports);
    let steps = evaluation.trace.steps.len();
    if let Some(step) = arguments.step.filter(|step| !(1..=steps).contains(step)) {
        return Err(Failure::usage(format!("no step {step}: the build has steps 1 to {steps}")));
    }
    let recording = (arguments.resource.is_some() || arguments.stop_at.is_some())
        .then(|| answers::Recording::new(evaluation.clone(), &outside.current));
    let named = arguments.resource.as_ref().zip(recording.as_ref());
    let resource = match named.map(|(text, recording)| recording.find(text)).transpose() {
        Ok(resource) => resource,
        Err(why) => return print_no_such_resource(&why, &evaluation, outside),
    };
    let mut secrets = super::diff::secrets(arguments.show_secrets, outside);
    secrets.learn(&evaluation.trace);
    let filter = trace_filter(arguments, resource, recording.as_ref()).map_err(Failure::usage)?;
    let shown: Vec<(usize, &Step)> = evaluation
        .trace
        .steps
        .iter()
        .enumerate()
        .map(|(index, step)| (index + 1, step))
        .filter(|(number, step)| filter.includes_step(*number, step))
        .collect();
    let format = match (arguments.json, arguments.yaml) {
        (true, _) => Some(Format::Json),
        (false, true) => Some(Format::Yaml),
        (false, false) => None,
    };
    if let Some(format) = format {
        let report = report(&evaluation, &shown, &filter, arguments, &secrets);
        document::print(&mut outside.out, &report, format)?;
    } else {
        let text =
            render(&evaluation, &shown, &filter, (&secrets, arguments.diff), &outside.current);
        outside.out.text(&text)?;
    }
    if shown.is_empty() && (filter.watched.is_some() || filter.stops.is_some()) {
        writeln!(outside.err, "No step matches.")?;
        return Ok(Exit::FAILED);
    }
    match &evaluation.outcome {
        Ok(_) => Ok(print_pending(&evaluation.trace, outside)?.unwrap_or(Exit::OK)),
        Err(error) => print_failure(error, &evaluation.trace, outside),
    }
}

fn trace_filter(
    arguments: &TraceArgs,
    resource: Option<Slot>,
    recording: Option<&answers::Recording>,
) -> Result<TraceFilter, String> {
    let watched = recording.zip(resource).zip(arguments.watch.as_deref());
    let field = WrittenPath::parse(arguments.watch.as_deref().unwrap_or_default());
    let stop = match (arguments.stop_at.as_deref(), resource) {
        (None, _) => None,
        (Some("problem"), _) => Some(StopCondition::Problem),
        (Some("appears"), Some(slot)) => Some(StopCondition::Appears(slot)),
        (Some("gone"), Some(slot)) => Some(StopCondition::Disappears(slot)),
        (Some("appears" | "gone"), None) => {
            return Err("`--stop-at appears` and `--stop-at gone` need --resource".into());
        }
        (Some(word), slot) => match (word.strip_prefix("equals:"), slot, &arguments.watch) {
            (Some(value), Some(slot), Some(_)) => {
                Some(StopCondition::Equals(slot, field.clone(), value.to_owned()))
            }
            (Some(_), ..) => {
                return Err("`--stop-at equals:VALUE` needs --resource and --watch".into());
            }
            (None, ..) => {
                return Err(format!(
                    "--stop-at {word}: expected appears, gone, equals:VALUE or problem"
                ));
            }
        },
    };
    Ok(TraceFilter {
        resource,
        step: arguments.step,
        watched: watched.map(|((recording, slot), _)| recording.writes(slot, &field)),
        stops: stop.zip(recording).map(|(stop, recording)| recording.stop_steps(&stop)),
    })
}

/// Prints that no resource or more than one has this name, and the error of the build, if it
/// failed.
fn print_no_such_resource(
    why: &ResourceNameError,
    evaluation: &Evaluation,
    outside: &mut CliPorts<'_>,
) -> CommandResult {
    writeln!(outside.err, "error: --resource: {why}")?;
    if !matches!(why, ResourceNameError::Unknown { .. }) {
        return Ok(Exit::USAGE);
    }
    match &evaluation.outcome {
        Ok(_) => Ok(print_pending(&evaluation.trace, outside)?.unwrap_or(Exit::FAILED)),
        Err(error) => print_failure(error, &evaluation.trace, outside),
    }
}

fn report(
    evaluation: &Evaluation,
    shown: &[(usize, &Step)],
    filter: &TraceFilter,
    arguments: &TraceArgs,
    secrets: &Secrets,
) -> TraceReport {
    let trace = &evaluation.trace;
    let places = ReportPaths::relative_to_target(trace);
    let steps = shown.iter().map(|(number, step)| {
        let changes = step.changes.iter().filter(|change| filter.shows_change(change));
        let changes = changes.map(|change| {
            let diff = arguments.diff.then(|| change_diff(change, secrets));
            let write = filter.write_in_step(*number).map(|write| WriteReport {
                path: path_text(&write.path),
                before: TraceFilter::value(write.before.as_ref(), write, change, secrets),
                after: TraceFilter::value(write.after.as_ref(), write, change, secrets),
                equal: write.equal,
                at: places.at(write.mark),
            });
            ChangeReport { diff, write, ..ChangeReport::from_change(change) }
        });
        let report = StepReport::from_step(&places, (*number, step), trace, changes.collect());
        if arguments.times { report.with_duration(step) } else { report }
    });
    TraceReport::from_evaluation(evaluation, steps.collect(), secrets)
}

const MAX_LAYER: usize = 48;

/// A name without its middle if it is longer than a column.
fn cut_in_middle(name: &str) -> String {
    let signs: Vec<char> = name.chars().collect();
    if signs.len() <= MAX_LAYER {
        return name.to_owned();
    }
    let (head, tail) = (MAX_LAYER / 3, MAX_LAYER - MAX_LAYER / 3 - 1);
    signs[..head].iter().chain(&['…']).chain(&signs[signs.len() - tail..]).collect()
}

fn render(
    evaluation: &Evaluation,
    shown: &[(usize, &Step)],
    filter: &TraceFilter,
    (secrets, with_diff): (&Secrets, bool),
    current: &Path,
) -> String {
    let trace = &evaluation.trace;
    let layer = |(_, step): &(usize, &Step)| cut_in_middle(&sanitize(&layer_name(trace, step)));
    let layers: Vec<String> = shown.iter().map(layer).collect();
    let width = layers.iter().map(|name| name.chars().count()).max().unwrap_or(0).max(5);
    let mut out = line!("{:>4}  {:width$}  {:>4} {:>4} {:>4}  step\n", "#", "layer", "+", "~", "-");
    for ((number, step), layer) in shown.iter().zip(&layers) {
        let number_of = |count: usize| if count == 0 { ".".to_owned() } else { count.to_string() };
        let counts = step.counts;
        out.push_str(&line!(
            "{number:>4}  {layer:width$}  {:>4} {:>4} {:>4}  {}{}\n",
            number_of(counts.added),
            number_of(counts.modified),
            number_of(counts.removed),
            sanitize(&secrets.label(&step_title(step))),
            sanitize(&make_paths_relative(&outcome_suffix(step), current))
        ));
        let write = filter.write_in_step(*number);
        let change = step.changes.iter().find(|change| filter.shows_change(change));
        if let (Some(write), Some(change)) = (write, change) {
            out.push_str(&line!(
                "{:>6}{}\n",
                "",
                sanitize(&format_write(write, change, secrets, trace))
            ));
        }
        let messages = step.run.as_ref().map(|run| secrets.text(&run.messages));
        for message in messages.iter().flat_map(|it| it.lines()) {
            out.push_str(&line!("{:>6}{}\n", "", sanitize(message)));
        }
        for warning in &step.warnings {
            let (code, message) = (warning.code(), secrets.text(&warning.message()));
            let advice = warning.advice().map(|it| format!(" ({})", sanitize(&secrets.text(&it))));
            let (message, advice) = (sanitize(&message), advice.unwrap_or_default());
            out.push_str(&format!("{:>6}{code}: {message}{advice}\n", ""));
        }
        if with_diff {
            for change in step.changes.iter().filter(|change| filter.shows_change(change)) {
                out.push_str(&change_diff(change, secrets));
            }
        }
    }
    out
}

/// The write of the watched field in one line, as in `spec.replicas: 1 → 3  kustomization.yaml:9`.
fn format_write(
    write: &FieldWrite,
    change: &Change,
    secrets: &Secrets,
    trace: &Recording,
) -> String {
    let value = |value: &Option<Node>| {
        let text = TraceFilter::value(value.as_ref(), write, change, secrets);
        text.unwrap_or_else(|| "(absent)".to_owned())
    };
    let at = ReportPaths::relative_to_target(trace).at(write.mark);
    let at = at.map(|at| format!("  {}:{}", at.file, at.line)).unwrap_or_default();
    let equal = if write.equal { "  (same as before)" } else { "" };
    let (before, after) = (value(&write.before), value(&write.after));
    let state = change.after.as_ref().or(change.before.as_ref());
    let path = match state {
        Some(resource) => named_path_text(&resource.node, &write.path),
        None => path_text(&write.path),
    };
    format!("{path}: {before} → {after}{at}{equal}")
}

fn outcome_suffix(step: &Step) -> String {
    match &step.outcome {
        StepOutcome::Applied => String::new(),
        _ if step.is_after_pending => "  (not known: an earlier step is pending)".to_owned(),
        // The final steps of Kustomize have no entry that could match.
        StepOutcome::MatchedNothing if step.field.is_empty() => "  (no change)".to_owned(),
        StepOutcome::NoChange => "  (no change)".to_owned(),
        StepOutcome::MatchedNothing => "  (no match)".to_owned(),
        StepOutcome::SwitchedOff => "  (switched off)".to_owned(),
        StepOutcome::Waiting(wait) => format!("  (pending: {})", wait.required_action_text()),
        StepOutcome::Failed(_) => "  (failed)".to_owned(),
    }
}
