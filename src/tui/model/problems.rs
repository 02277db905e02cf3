//! Everything that a person should know about the build: errors, warnings, steps without effect.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use crate::engine::evaluate::{Outcome, Step, StepError};
use crate::engine::transform::WhyNot;
use crate::engine::yaml::Mark;

use super::super::message::SourceFile;
use super::super::text::sanitize;
use super::{Compare, Decider, Model, Recording, builtin_order, decider, need_of};

/// How bad it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(in crate::tui) enum Severity {
    /// The build fails, or a patch did nothing at all.
    Error,
    /// Probably not what was meant.
    Warning,
    /// Good to know.
    Note,
}

/// Codes of warnings that say why a step changed nothing.
const WHY_NOTHING: [&str; 3] = ["KZ101", "KZ102", "KZ103"];

/// How bad a warning of a step is.
pub(super) fn severity(code: &str) -> Severity {
    match code {
        "KZ101" => Severity::Error,
        "KZ103" => Severity::Note,
        _ => Severity::Warning,
    }
}

/// One problem.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::tui) struct Problem {
    /// How bad it is.
    pub severity: Severity,
    /// A stable code.
    pub code: &'static str,
    /// Where, as it is shown.
    pub place: String,
    /// The file, absolute.
    pub file: Option<PathBuf>,
    /// 1-based; 0 for none.
    pub line: u32,
    /// In one line.
    pub message: String,
    /// What to do, and where it comes from.
    pub details: Vec<String>,
    /// The step.
    pub step: Option<usize>,
    /// Where it is decided, for a step that waits.
    pub decider: Option<Decider>,
    /// Why a target or a reference reached nothing.
    pub why: Option<WhyNot>,
}

/// The problems of a recording, the worst first.
pub(in crate::tui) fn problems(
    recording: &Recording,
    sources: &BTreeMap<PathBuf, SourceFile>,
) -> Vec<Problem> {
    let mut found = Vec::new();
    let mut failed = false;
    for (index, step) in recording.trace.steps.iter().enumerate() {
        if let Outcome::Failed(error) = &step.outcome {
            failed = true;
            found.push(failure(recording, error, Some(index)));
        }
        found.extend(waits(recording, index, step));
        // The engine says better than we can why a target matched nothing.
        if step.warnings.iter().all(|warning| !WHY_NOTHING.contains(&warning.code)) {
            found.extend(no_effect(recording, index, step));
        }
        for warning in &step.warnings {
            let (code, text, mark) = (warning.code, &warning.message, warning.mark);
            let mut problem = problem(recording, severity(code), code, text, mark, Some(index));
            problem.details.extend(warning.hint.as_deref().map(|hint| sanitize(hint).into_owned()));
            problem.why.clone_from(&warning.why);
            found.push(problem);
        }
    }
    if let Some(error) = recording.error.as_ref().filter(|_| !failed) {
        found.push(failure(recording, error, None));
    }
    let told: Vec<String> = found.iter().map(|problem| problem.message.clone()).collect();
    for (index, warning) in recording.warnings.iter().enumerate() {
        let text = warning.trim_start_matches("# Warning: ");
        // What a step says is told with the step.
        if told.iter().any(|told| text.ends_with(told.as_str())) {
            continue;
        }
        let mark = Mark::default();
        let mut problem = problem(recording, Severity::Warning, "KZ001", text, mark, None);
        let before = recording.warnings.iter().take(index);
        let nth = before.filter(|other| *other == warning).count();
        if let Some((file, line)) = deprecated_at(recording, sources, text, nth) {
            problem.place = recording.place_of(&file.to_string_lossy(), line);
            (problem.file, problem.line) = (Some(file), line);
        }
        found.push(problem);
    }
    found.sort_by_key(|problem| problem.severity);
    found
}

/// So many lines of notes stand above what a step changed.
const NOTES: usize = 3;

/// What there is to know about the step under the cursor, where what it changed is listed; a step that changed
/// nothing tells it in full instead.
pub(in crate::tui) fn step_notes(model: &Model) -> Vec<&Problem> {
    if model.compared() != Compare::Step || model.diff.changed.is_empty() {
        return Vec::new();
    }
    about_step(model, model.cursor).take(NOTES).collect()
}

/// The problems of a step.
pub(in crate::tui) fn about_step(model: &Model, step: usize) -> impl Iterator<Item = &Problem> {
    model.problems.iter().filter(move |problem| problem.step == Some(step))
}

/// Where a field stands that Kustomize warns of: each layer that has it is warned of once, in order.
fn deprecated_at(
    recording: &Recording,
    sources: &BTreeMap<PathBuf, SourceFile>,
    warning: &str,
    nth: usize,
) -> Option<(PathBuf, u32)> {
    let field = warning.split('\'').nth(1)?;
    let mut places = recording.trace.layers.iter().filter_map(|layer| {
        let file = Path::new(&*layer.file);
        let found = sources.get(file)?.outline.field(field).filter(|field| !field.disabled)?;
        Some((file.to_path_buf(), found.line))
    });
    places.nth(nth)
}

fn failure(recording: &Recording, error: &StepError, step: Option<usize>) -> Problem {
    let mut problem =
        problem(recording, Severity::Error, "KZ000", &error.message, error.mark, step);
    problem.details.extend(error.hint.as_deref().map(|hint| format!("to do: {}", sanitize(hint))));
    problem.details.extend(error.context.iter().map(|line| format!("in {}", sanitize(line))));
    problem
}

fn no_effect(recording: &Recording, index: usize, step: &Step) -> Option<Problem> {
    // Kustomize's own steps at the root, and loads, do nothing without anybody minding.
    if step.field.is_empty() || builtin_order(step.field).is_none() {
        return None;
    }
    let what = format!("{} {}", step.field, step.argument);
    match step.outcome {
        Outcome::MatchedNothing => {
            let message = format!("{what} matches nothing");
            let mut problem =
                problem(recording, Severity::Error, "KZ101", &message, step.mark, Some(index));
            problem
                .details
                .push("`kustomize build` would exit 0 and say nothing about this".to_owned());
            problem.details.push(
                "compare its target (kind, name, namespace, labels) with the resources before this step".to_owned(),
            );
            Some(problem)
        }
        Outcome::NoChange => {
            let count = step.matched;
            let message = format!("{what} matches {count}, and they already say so: no change");
            Some(problem(recording, Severity::Note, "KZ102", &message, step.mark, Some(index)))
        }
        _ => None,
    }
}

/// A step that waits is no fault: somebody has a decision to make.
fn waits(recording: &Recording, index: usize, step: &Step) -> Option<Problem> {
    let (Outcome::Waiting(why), Some(need)) = (&step.outcome, need_of(step)) else { return None };
    let what = if step.argument.is_empty() { &step.name } else { &step.argument };
    let message = format!("{what} waits: {need}");
    let mut problem = problem(recording, Severity::Note, "KZ190", &message, step.mark, Some(index));
    problem.decider = decider(recording, index);
    problem.details.extend(why.lines().map(|line| sanitize(line).into_owned()));
    problem.details.push(String::new());
    problem.details.push(
        match problem.decider {
            Some(Decider::Catalog(_)) => "enter shows the catalog; T there decides about it",
            _ => "enter shows the function and what it needs",
        }
        .to_owned(),
    );
    Some(problem)
}

fn problem(
    recording: &Recording,
    severity: Severity,
    code: &'static str,
    message: &str,
    mark: Mark,
    step: Option<usize>,
) -> Problem {
    Problem {
        severity,
        code,
        place: recording.place(mark),
        file: recording.file(mark).map(PathBuf::from),
        line: mark.line,
        message: sanitize(message.lines().next().unwrap_or_default()).into_owned(),
        details: message.lines().skip(1).map(|line| sanitize(line).into_owned()).collect(),
        step,
        decider: None,
        why: None,
    }
}
