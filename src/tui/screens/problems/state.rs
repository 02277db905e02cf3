//! The findings of the build as rows.

use std::collections::BTreeSet;
use std::path::PathBuf;

use crate::answers::secrets::Secrets;
use crate::answers::{Finding, Offer, build_rows, findings, row_message};
use crate::engine::diagnostic::{Code, Severity};
use crate::engine::evaluate::{StepOutcome, WaitCause};
use crate::engine::load::RemoteError;
use crate::engine::resource::Slot;
use crate::model::finding_rows::FindingRows;
use crate::model::pending::waits_for_fetch;
use crate::model::{Compare, Decider, Model, WorkbenchRecording, decider, narrowing_rows};
use crate::text::sanitize;

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Problem {
    pub severity: Severity,
    pub code: Code,
    pub place: String,
    pub file: Option<PathBuf>,
    /// The 1-based line; 0 without a line.
    pub line: u32,
    pub message: String,
    /// How to solve the problem, and its origin.
    pub details: Vec<String>,
    pub step: Option<usize>,
    /// For a pending step: the screen on which the user decides about it.
    pub decider: Option<Decider>,
    /// The rows of [`narrowing_rows`].
    pub narrowing: Vec<String>,
    /// The resource that the problem is about.
    pub subject: Option<Slot>,
    /// The field of that resource, with dots.
    pub field: Option<String>,
}

impl Problem {
    /// The rows of [`narrowing_rows`] and the details, of which the first is in these rows.
    pub(crate) fn narrowing_and_details(&self) -> impl Iterator<Item = &String> {
        let told = usize::from(!self.narrowing.is_empty());
        let rows = self.narrowing.iter().filter(|row| !row.is_empty());
        rows.chain(self.details.iter().skip(told))
    }
}

#[derive(Default)]
pub(crate) struct ProblemList {
    pub(crate) all: Vec<Problem>,
    pub(crate) rows: FindingRows,
    pub(crate) offers: Vec<Offer>,
}

impl Model {
    pub(crate) fn problem(&self, row: usize) -> Option<&Problem> {
        self.problems_of_row(row).next()
    }

    /// The problems of a shown row: those of all its places.
    pub(crate) fn problems_of_row(&self, row: usize) -> impl Iterator<Item = &Problem> {
        self.problems.rows.findings(row).iter().filter_map(|at| self.problems.all.get(*at))
    }

    /// The message of a shown row; of a place, the step and the message that the row above it does
    /// not have.
    pub(crate) fn problem_message(&self, row: usize) -> String {
        let Some(first) = self.problem(row) else { return String::new() };
        if let Some(above) = self.problems.rows.parent(row) {
            let is_same_step = self.problem(above).is_some_and(|above| above.step == first.step);
            let step = first.step.filter(|_| !is_same_step);
            let step = step.map(|step| format!("step {}", step + 1));
            let is_as_above = self.problem_message(above).starts_with(&first.message);
            let message = (!is_as_above).then(|| first.message.clone());
            return step.into_iter().chain(message).collect::<Vec<_>>().join(": ");
        }
        // One line in several steps is one place.
        let places: BTreeSet<_> = self.problems_of_row(row).map(|it| (&it.file, it.line)).collect();
        row_message(first.code, &first.message, places.into_iter().map(|(file, _)| file.as_deref()))
    }
}

/// The problems of the build, the worst first, and the rows of the list.
pub(crate) fn problems(model: &Model) -> (Vec<Problem>, FindingRows) {
    let (recording, secrets) = (&model.builds.recording, &model.look.secrets);
    let found = findings(recording);
    let rows = FindingRows::new(build_rows(&found, recording), |at| found[at].severity);
    let problems = found.iter().map(|finding| {
        let mut problem = problem(recording, finding, secrets);
        if let Some(message) = failed_fetch(model, finding) {
            problem.message = sanitize(&secrets.text(&message)).into_owned();
        }
        problem
    });
    (problems.collect(), rows)
}

fn failed_fetch(model: &Model, finding: &Finding) -> Option<String> {
    let step = model.builds.recording.step(finding.step?)?;
    let StepOutcome::Waiting(wait) = &step.outcome else { return None };
    let WaitCause::NotFetched(RemoteError::NotAllowed { subject, .. }) = &wait.why else {
        return None;
    };
    let is_of_subject = |request: &str| request.contains(&**subject) || subject.contains(request);
    let (_, reason) = model.fetching.failed.iter().find(|(request, _)| is_of_subject(request))?;
    Some(format!("{subject} is not fetched: {reason}"))
}

const MAX_STEP_NOTES: usize = 3;

/// The notes to show above the changes of the selected step. Empty for a step without changes: its
/// problems are then shown in full.
pub(crate) fn step_notes(model: &Model) -> Vec<&Problem> {
    if model.compared() != Compare::Step || model.diff.changed.is_empty() {
        return Vec::new();
    }
    step_problems(model, model.cursor).take(MAX_STEP_NOTES).collect()
}

pub(crate) fn step_problems(model: &Model, step: usize) -> impl Iterator<Item = &Problem> {
    model.problems.all.iter().filter(move |problem| problem.step == Some(step))
}

impl Model {
    pub(crate) fn offer(&self, problem: &Problem) -> Option<&Offer> {
        self.tried(problem).find(|offer| offer.refused.is_none())
    }

    /// The reason why the suggested fix of a problem was rejected, if one was tried.
    pub(crate) fn rejected_fix_reason(&self, problem: &Problem) -> Option<&str> {
        self.tried(problem).find_map(|offer| offer.refused.as_deref())
    }

    fn tried(&self, problem: &Problem) -> impl Iterator<Item = &Offer> {
        self.problems.offers.iter().filter(|offer| {
            offer.code == problem.code && offer.file == problem.file && offer.line == problem.line
        })
    }
}

fn problem(recording: &WorkbenchRecording, finding: &Finding, secrets: &Secrets) -> Problem {
    let diagnostic = &finding.diagnostic;
    let base = format!("{}/", recording.base_dir().to_string_lossy());
    let shown = |text: &str| sanitize(&secrets.text(&text.replace(&base, ""))).into_owned();
    let (code, mark) = (diagnostic.code(), diagnostic.mark);
    let (place, file, line) =
        (recording.location(mark), recording.file(mark).map(PathBuf::from), mark.line);
    let words = diagnostic.message();
    let mut lines = words.lines();
    let message = shown(lines.next().unwrap_or_default());
    let mut details: Vec<String> = lines.map(shown).collect();
    let hint = diagnostic.advice().as_deref().map(shown);
    details.extend(hint);
    // The reason of a pending step is often the end of its message.
    let more = finding.details.iter().map(|line| shown(line));
    details.extend(more.filter(|line| !message.ends_with(line.as_str())));
    let step = finding.step;
    let decider = step.filter(|_| code == Code::KZ190).and_then(|at| decider(recording, at));
    let outcome = step.and_then(|at| recording.step(at)).map(|step| &step.outcome);
    if code == Code::KZ190 {
        let where_to = match decider {
            Some(Decider::Catalog(_)) => "enter: show the catalog (T there: trust)",
            _ => match outcome {
                Some(StepOutcome::Waiting(wait)) if waits_for_fetch(wait) => {
                    "F: fetch (asks first)"
                }
                _ => "enter: show the function and its requirements",
            },
        };
        if !details.is_empty() {
            details.push(String::new());
        }
        details.push(where_to.to_owned());
    }
    let narrowing = narrowing_rows(&diagnostic.remark, details.first());
    let subject = diagnostic.subject.as_ref().and_then(|subject| subject.slot);
    let field = diagnostic.field.clone();
    Problem {
        severity: finding.severity,
        code,
        place,
        file,
        line,
        message,
        details,
        step,
        decider,
        narrowing,
        subject,
        field,
    }
}
