//! Everything that a person should know about a build: errors, warnings, steps without effect. Every face tells these.

use std::path::{Path, PathBuf};

use crate::engine::diagnostic::{Code, Diagnostic, Fix};
use crate::engine::evaluate::{Outcome, Step, StepError, StepKind};
use crate::engine::manifest::Field;
use crate::engine::yaml::Mark;

use super::Recording;
use super::migrate::MIGRATED;

/// One diagnostic of a build, with the step that it belongs to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    /// What there is to say.
    pub diagnostic: Diagnostic,
    /// The step.
    pub step: Option<usize>,
    /// Where, when the diagnostic has no mark: a file and a line.
    pub at: Option<(PathBuf, u32)>,
    /// The way from the root, or what is waited for, line by line.
    pub details: Vec<String>,
}

impl Finding {
    fn new(diagnostic: Diagnostic, step: Option<usize>) -> Self {
        Self { diagnostic, step, at: None, details: Vec::new() }
    }
}

/// Codes that say why a step changed nothing.
const WHY_NOTHING: [Code; 6] =
    [Code::KZ101, Code::KZ102, Code::KZ103, Code::KZ120, Code::KZ121, Code::KZ191];

/// All findings of a build, the worst first. `line_of` gives the line of a field that is in force in a kustomization
/// file.
pub fn findings(
    recording: &Recording,
    line_of: &dyn Fn(&Path, &str) -> Option<u32>,
) -> Vec<Finding> {
    let mut found = Vec::new();
    let mut failed = false;
    for (index, step) in recording.trace.steps.iter().enumerate() {
        if let Outcome::Failed(error) = &step.outcome {
            failed = true;
            found.push(failure(error, Some(index)));
        }
        found.extend(waits(index, step));
        // The engine says better than we can why a target matched nothing.
        if step.warnings.iter().all(|warning| !WHY_NOTHING.contains(&warning.code)) {
            found.extend(no_effect(index, step));
        }
        found.extend(step.warnings.iter().map(|it| Finding::new(it.clone(), Some(index))));
    }
    if let Some(error) = recording.error.as_ref().filter(|_| !failed) {
        found.push(failure(error, None));
    }
    found.extend(of_build(recording, &found, line_of));
    found.sort_by_key(|finding| finding.diagnostic.severity());
    found
}

/// What the build as a whole is warned of, without what a step says already.
fn of_build(
    recording: &Recording,
    found: &[Finding],
    line_of: &dyn Fn(&Path, &str) -> Option<u32>,
) -> Vec<Finding> {
    let is_told = |text: &str| {
        found.iter().any(|told| {
            let first = told.diagnostic.message.lines().next().unwrap_or_default();
            !first.is_empty() && text.ends_with(first)
        })
    };
    let mut out = Vec::new();
    for (index, warning) in recording.warnings.iter().enumerate() {
        let text = warning.trim_start_matches("# Warning: ");
        if is_told(text) {
            continue;
        }
        let before = recording.warnings.iter().take(index);
        let nth = before.filter(|other| *other == warning).count();
        let field = text.split('\'').nth(1).unwrap_or_default();
        let fix = MIGRATED.contains(&field).then(|| Fix::Migrate(field.to_owned()));
        let diagnostic = Diagnostic::new(Code::KZ001, text, Mark::default()).fix(fix);
        let mut finding = Finding::new(diagnostic, None);
        finding.at = deprecated_at(recording, line_of, text, nth);
        out.push(finding);
    }
    out
}

/// Where a field stands that Kustomize warns of: each layer that has it is warned of once, in order.
fn deprecated_at(
    recording: &Recording,
    line_of: &dyn Fn(&Path, &str) -> Option<u32>,
    warning: &str,
    nth: usize,
) -> Option<(PathBuf, u32)> {
    let field = warning.split('\'').nth(1)?;
    let places = recording.trace.layers.iter().filter_map(|layer| {
        let file = Path::new(&*layer.file);
        Some((file.to_path_buf(), line_of(file, field)?))
    });
    places.into_iter().nth(nth)
}

fn failure(error: &StepError, step: Option<usize>) -> Finding {
    let mut diagnostic = Diagnostic::new(Code::KZ000, error.message.clone(), error.mark);
    diagnostic.hint.clone_from(&error.hint);
    diagnostic.fix.clone_from(&error.fix);
    let details = error.context.iter().map(|line| format!("in {line}")).collect();
    Finding { details, ..Finding::new(diagnostic, step) }
}

fn no_effect(index: usize, step: &Step) -> Option<Finding> {
    // That Kustomize's own steps at the root, and loads, do nothing is nothing to report; that a generator merges what is
    // there already is.
    let merges = step.kind == StepKind::Generate && step.builtin.is_some() && step.matched > 0;
    if !merges {
        step.configured_by().and_then(Field::order)?;
    }
    let what = format!("{} {}", step.field, step.argument);
    match step.outcome {
        Outcome::MatchedNothing => {
            let message = format!("{what} matches nothing");
            let details = [
                "`kustomize build` would exit 0 and say nothing about this",
                "compare it with the resources before this step",
            ];
            let finding =
                Finding::new(Diagnostic::new(Code::KZ122, message, step.mark), Some(index));
            Some(Finding { details: details.map(str::to_owned).to_vec(), ..finding })
        }
        Outcome::NoChange => {
            let message = match step.matched {
                1 => {
                    format!("{what} changes nothing: the resource that it matches says so already")
                }
                count => format!(
                    "{what} changes nothing: the {count} resources that it matches say so already"
                ),
            };
            Some(Finding::new(Diagnostic::new(Code::KZ103, message, step.mark), Some(index)))
        }
        _ => None,
    }
}

/// A step that waits is no fault: somebody has a decision to make.
fn waits(index: usize, step: &Step) -> Option<Finding> {
    let Outcome::Waiting(wait) = &step.outcome else { return None };
    let what = if step.argument.is_empty() { &step.name } else { &step.argument };
    let need = &wait.need;
    let (code, message) = if wait.is_for_an_earlier_step() {
        (Code::KZ191, format!("{what}: {need}"))
    } else {
        (Code::KZ190, format!("{what} waits: {need}"))
    };
    let finding = Finding::new(Diagnostic::new(code, message, step.mark), Some(index));
    Some(Finding { details: wait.words.lines().map(str::to_owned).collect(), ..finding })
}

/// What a step waits for, in one line; nothing for one that does not wait.
pub fn need(step: &Step) -> Option<String> {
    let Outcome::Waiting(wait) = &step.outcome else { return None };
    Some(wait.need.to_string())
}
