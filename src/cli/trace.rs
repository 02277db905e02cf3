//! `kzui trace`: the recording of a build, for scripts and reviews.

use std::path::Path;

use crate::answers::provenance::blame::{FieldWriter, value_text};
use crate::answers::recording::field::{WrittenPath, named_path_text, path_text};
use crate::answers::report::{
    ChangeReport, ReportPaths, StepReport, TraceReport, WriteReport, layer_name, step_title,
};
use crate::answers::secrets::Secrets;
use crate::answers::{Recording, ResourceNameError, add_trial_findings, change_diff};
use crate::cli::failure::{CommandResult, Failure};
use crate::display::{line, sanitize};
use crate::engine::evaluate::{Evaluation, Step, StepKind, StepOutcome};
use crate::engine::resource::{Change, PathStep, Slot};
use crate::engine::yaml::Node;

use super::place::make_paths_relative;
use super::report::{print_failure, print_pending};
use super::{CliPorts, Exit, Format, TraceArgs, document, evaluate_once, options};

/// The part of a build that is shown, and how.
struct TraceView<'a> {
    arguments: &'a TraceArgs,
    evaluation: &'a Evaluation,
    secrets: &'a Secrets,
    /// Only steps that change this resource.
    resource: Option<Slot>,
    /// Only steps that write the watched field, each with the value before it.
    watched: Option<Vec<(Option<Node>, FieldWriter)>>,
    /// Only steps at which the condition becomes true, by index.
    stops: Option<Vec<usize>>,
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
        .then(|| Recording::new(evaluation.clone(), &outside.current));
    let named = arguments.resource.as_ref().zip(recording.as_ref());
    let resource = match named.map(|(text, recording)| recording.find(text)).transpose() {
        Ok(resource) => resource,
        Err(why) => {
            writeln!(outside.err, "error: --resource: {why}")?;
            return match why {
                ResourceNameError::Unknown { .. } => print_end(&evaluation, Exit::FAILED, outside),
                _ => Ok(Exit::USAGE),
            };
        }
    };
    let mut secrets = super::diff::secrets(arguments.show_secrets, outside);
    secrets.learn(&evaluation.trace);
    let field = WrittenPath::parse(arguments.watch.as_deref().unwrap_or_default());
    let stops = recording.as_ref().zip(arguments.stop_at.as_deref());
    let stops = stops.map(|(recording, word)| {
        stop_steps(word, recording, (resource, arguments.watch.as_ref().map(|_| &field)))
    });
    let watched = recording.as_ref().zip(resource).filter(|_| arguments.watch.is_some());
    let view = TraceView {
        arguments,
        evaluation: &evaluation,
        secrets: &secrets,
        resource,
        watched: watched.map(|(recording, slot)| recording.writes(slot, &field)),
        stops: stops.transpose()?,
    };
    let shown: Vec<(usize, &Step)> = (1..)
        .zip(&evaluation.trace.steps)
        .filter(|(number, step)| view.has(*number, step))
        .collect();
    match (arguments.json, arguments.yaml) {
        (true, _) => document::print(&mut outside.out, &view.report(&shown), Format::Json)?,
        (false, true) => document::print(&mut outside.out, &view.report(&shown), Format::Yaml)?,
        (false, false) => outside.out.text(&view.text(&shown, &outside.current))?,
    }
    if shown.is_empty() && (view.watched.is_some() || view.stops.is_some()) {
        writeln!(outside.err, "No step matches.")?;
        return Ok(Exit::FAILED);
    }
    print_end(&evaluation, Exit::OK, outside)
}

/// Prints the error of a failed build or the first pending step; `good` is the exit status of a
/// complete build.
fn print_end(evaluation: &Evaluation, good: Exit, outside: &mut CliPorts<'_>) -> CommandResult {
    match &evaluation.outcome {
        Ok(_) => Ok(print_pending(&evaluation.trace, outside)?.unwrap_or(good)),
        Err(error) => print_failure(error, &evaluation.trace, outside),
    }
}

/// The steps at which the condition `word` of `--stop-at` becomes true, in order.
fn stop_steps(
    word: &str,
    recording: &Recording,
    (resource, watched): (Option<Slot>, Option<&WrittenPath>),
) -> Result<Vec<usize>, String> {
    let steps = |is_it: &dyn Fn(&Step) -> bool| {
        let steps = recording.trace.steps.iter().enumerate().filter(|(_, step)| is_it(step));
        steps.map(|(index, _)| index).collect()
    };
    let changes = |slot: Slot, is_it: fn(bool, bool) -> bool| {
        let is = |it: &Change| it.slot == slot && is_it(it.before.is_some(), it.after.is_some());
        // A merge adds no resources that its base does not have already.
        steps(&|step| step.kind != StepKind::Merge && step.changes.iter().any(is))
    };
    Ok(match (word, word.strip_prefix("equals:"), resource, watched) {
        ("problem", ..) => steps(&|step| {
            matches!(step.outcome, StepOutcome::Failed(_) | StepOutcome::Waiting(_))
                || !step.warnings.is_empty()
        }),
        ("appears", _, Some(slot), _) => changes(slot, |before, after| !before && after),
        ("gone", _, Some(slot), _) => changes(slot, |before, after| before && !after),
        ("appears" | "gone", _, None, _) => {
            return Err("`--stop-at appears` and `--stop-at gone` need --resource".into());
        }
        (_, Some(value), Some(slot), Some(field)) => {
            let is = |node: Option<&Node>| node.is_some_and(|node| value_text(node) == value);
            let mut writes = recording.writes(slot, field);
            writes.retain(|(before, it)| is(it.value.as_ref()) && !is(before.as_ref()));
            writes.into_iter().map(|(_, writer)| writer.step).collect()
        }
        (_, Some(_), ..) => {
            return Err("`--stop-at equals:VALUE` needs --resource and --watch".into());
        }
        (_, None, ..) => {
            let expected = "expected appears, gone, equals:VALUE or problem";
            return Err(format!("--stop-at {word}: {expected}"));
        }
    })
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

impl TraceView<'_> {
    fn has(&self, number: usize, step: &Step) -> bool {
        self.stops.as_ref().is_none_or(|stops| stops.contains(&(number - 1)))
            && self.arguments.step.is_none_or(|wanted| wanted == number)
            && match &self.watched {
                Some(_) => self.write_in_step(number).is_some(),
                None => self.resource.is_none() || self.changes(step).next().is_some(),
            }
    }

    fn changes<'s>(&self, step: &'s Step) -> impl Iterator<Item = &'s Change> + use<'s> {
        let resource = self.resource;
        step.changes.iter().filter(move |change| resource.is_none_or(|slot| change.slot == slot))
    }

    fn write_in_step(&self, number: usize) -> Option<&(Option<Node>, FieldWriter)> {
        self.watched.iter().flatten().find(|(_, write)| write.step + 1 == number)
    }

    /// The values of a watched field before and after a change, in one line each; `None` for a
    /// value that is not set.
    fn values(
        &self,
        (before, write): &(Option<Node>, FieldWriter),
        change: &Change,
    ) -> [Option<String>; 2] {
        let keys: Vec<&str> = write.path.iter().filter_map(PathStep::key).collect();
        [before, &write.value].map(|value| {
            let resource = change.after.as_ref().or(change.before.as_ref())?;
            value.as_ref().map(|value| value_text(&self.secrets.part(resource, &keys, value)))
        })
    }

    fn report(&self, shown: &[(usize, &Step)]) -> TraceReport {
        let trace = &self.evaluation.trace;
        let places = ReportPaths::relative_to_target(trace);
        let steps = shown.iter().map(|(number, step)| {
            let changes = self.changes(step).map(|change| {
                let diff = self.arguments.diff.then(|| change_diff(change, self.secrets));
                let write = self.write_in_step(*number).map(|write| {
                    let [before, after] = self.values(write, change);
                    let (_, write) = write;
                    let (path, at) = (path_text(&write.path), places.at(write.mark));
                    WriteReport { path, before, after, equal: write.equal, at }
                });
                ChangeReport { diff, write, ..ChangeReport::from_change(change) }
            });
            let time = u64::try_from(step.time.as_micros()).unwrap_or(u64::MAX);
            StepReport {
                microseconds: self.arguments.times.then_some(time),
                ..StepReport::from_step(&places, (*number, step), trace, changes.collect())
            }
        });
        TraceReport::from_evaluation(self.evaluation, steps.collect(), self.secrets)
    }

    fn text(&self, shown: &[(usize, &Step)], current: &Path) -> String {
        let (trace, secrets) = (&self.evaluation.trace, self.secrets);
        let layer = |(_, step): &(usize, &Step)| cut_in_middle(&sanitize(&layer_name(trace, step)));
        let layers: Vec<String> = shown.iter().map(layer).collect();
        let width = layers.iter().map(|name| name.chars().count()).max().unwrap_or(0).max(5);
        let head = ["+", "~", "-"].map(|sign| format!(" {sign:>4}")).concat();
        let mut out = line!("{:>4}  {:width$} {head}  step\n", "#", "layer");
        for ((number, step), layer) in shown.iter().zip(&layers) {
            let counts = [step.counts.added, step.counts.modified, step.counts.removed];
            let counts =
                counts.map(|it| if it == 0 { "    .".into() } else { format!(" {it:>4}") });
            let title = secrets.label(&step_title(step));
            let outcome = make_paths_relative(&outcome_suffix(step), current);
            let (counts, title, outcome) = (counts.concat(), sanitize(&title), sanitize(&outcome));
            out.push_str(&line!("{number:>4}  {layer:width$} {counts}  {title}{outcome}\n"));
            if let (Some(write), Some(change)) =
                (self.write_in_step(*number), self.changes(step).next())
            {
                out.push_str(&line!("      {}\n", sanitize(&self.write_text(write, change))));
            }
            let messages = step.run.as_ref().map(|run| secrets.text(&run.messages));
            for message in messages.iter().flat_map(|it| it.lines()) {
                out.push_str(&line!("      {}\n", sanitize(message)));
            }
            for warning in &step.warnings {
                let advice = warning.advice().map(|it| format!(" ({})", secrets.text(&it)));
                let text = secrets.text(&warning.message()) + &advice.unwrap_or_default();
                out.push_str(&format!("      {}: {}\n", warning.code(), sanitize(&text)));
            }
            if self.arguments.diff {
                out.extend(self.changes(step).map(|change| change_diff(change, secrets)));
            }
        }
        out
    }

    /// The write of the watched field in one line, as in
    /// `spec.replicas: 1 → 3  kustomization.yaml:9`.
    fn write_text(&self, write: &(Option<Node>, FieldWriter), change: &Change) -> String {
        let values = self.values(write, change);
        let (_, write) = write;
        let [before, after] = values.map(|text| text.unwrap_or_else(|| "(absent)".to_owned()));
        let at = ReportPaths::relative_to_target(&self.evaluation.trace).at(write.mark);
        let at = at.map(|at| format!("  {}:{}", at.file, at.line)).unwrap_or_default();
        let equal = if write.equal { "  (same as before)" } else { "" };
        let path = match change.after.as_ref().or(change.before.as_ref()) {
            Some(resource) => named_path_text(&resource.node, &write.path),
            None => path_text(&write.path),
        };
        format!("{path}: {before} → {after}{at}{equal}")
    }
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
