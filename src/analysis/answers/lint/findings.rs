//! The findings of a build: errors, warnings, steps without effect. Every interface shows these.

use std::cell::LazyCell;
use std::sync::Arc;

use crate::engine::diagnostic::{
    BuildRemark, Code, Diagnostic, EntryEffect, EntryRemark, Fix, FunctionRemark, Remark, Severity,
    SilentRemark,
};
use crate::engine::evaluate::{
    AccumulatorState, BuildWarning, Step, StepError, StepKind, StepOutcome, Trace,
};
use crate::engine::manifest::{DeprecatedField, KustomizationField};
use crate::engine::yaml::Mark;

use super::finding_kind::FindingKind;
use super::unknown_cause::UnknownCause;
use crate::answers::Recording;
use crate::answers::recording::field::{WrittenPath, value_at};
use crate::engine::resource::Resource;

pub(in crate::answers) const MIGRATABLE_FIELDS: [&str; 6] =
    ["bases", "commonLabels", "imageTags", "patchesJson6902", "patchesStrategicMerge", VARS];

/// The field whose migration needs builds, which show where the vars are used.
pub(in crate::answers) const VARS: &str = "vars";

#[derive(Clone, Debug, PartialEq)]
pub struct Finding {
    pub diagnostic: Diagnostic<FindingKind>,
    /// The severity of the rule, or a note for a field in a layer without resources and for an entry
    /// that another layer overrides.
    pub severity: Severity,
    pub step: Option<usize>,
    /// Further lines of text: the layers from the root to a failure, or the needs of a pending
    /// step.
    pub details: Vec<String>,
}

impl Finding {
    fn new(diagnostic: Diagnostic<FindingKind>, step: Option<usize>) -> Self {
        let severity = diagnostic.severity();
        Self { diagnostic, severity, step, details: Vec::new() }
    }

    pub(in crate::answers) fn from_diagnostic(diagnostic: Diagnostic, step: usize) -> Self {
        Self::new(diagnostic.widen(), Some(step))
    }

    pub(in crate::answers) fn of_target(diagnostic: Diagnostic) -> Self {
        Self::new(diagnostic.widen(), None)
    }

    pub(in crate::answers) fn from_error(error: &Arc<StepError>, step: Option<usize>) -> Self {
        let diagnostic = Diagnostic::new(FindingKind::Failure(error.clone()), error.mark);
        let details = error.context.iter().map(|line| format!("in {line}")).collect();
        Self { details, ..Self::new(diagnostic.fix(error.fix.clone()), step) }
    }

    pub fn is_failure(&self) -> bool {
        matches!(self.diagnostic.remark, FindingKind::Failure(_))
    }

    /// Replaces the failure of a build by `remark`, for a build that may succeed where the target
    /// is deployed.
    pub fn replace_failure(&mut self, remark: BuildRemark) {
        self.diagnostic = Diagnostic::new(Remark::from(remark), self.diagnostic.mark);
        self.severity = self.diagnostic.severity();
    }
}

/// All findings of a build, the worst first: its failure comes before every other error.
pub fn findings(recording: &Recording) -> Vec<Finding> {
    let pending_inputs = recording.trace.pending_inputs();
    let mut found = Vec::new();
    let mut failed = false;
    let empty = LazyCell::new(|| recording.trace.empty_before());
    for (index, (step, pending_input)) in
        recording.trace.steps.iter().zip(pending_inputs).enumerate()
    {
        if let StepOutcome::Failed(error) = &step.outcome {
            failed = true;
            found.push(Finding::from_error(error, Some(index)));
        }
        found.extend(pending(index, step));
        if !step.warnings.iter().any(explains_no_change) {
            // The content of resources from a pending step is not known.
            let finding = no_effect_finding(index, recording, &empty);
            found.extend(finding.filter(|_| pending_input.is_none()));
        }
        let state = LazyCell::new(|| recording.trace.state_after(index));
        found.extend(step.warnings.iter().map(|it| {
            let place = locate_function_result(it, || &state);
            Finding::from_diagnostic(place.unwrap_or_else(|| it.clone()), index)
        }));
    }
    if let Some(error) = recording.error.as_ref().filter(|_| !failed) {
        found.push(Finding::from_error(error, None));
    }
    found.extend(build_warnings(recording, &found));
    for finding in &mut found {
        let step = finding.step.and_then(|index| recording.step(index));
        // A field for all resources is harmless in a layer without resources, and so is an entry
        // where the files of the layer are empty until another tool fills them.
        let is_for_all = finding.diagnostic.code() == Code::KZ122
            && step.is_some_and(|step| step.entry.is_none());
        let is_placeholder = finding.diagnostic.code().effect() == Some(EntryEffect::NoMatch)
            && finding.step.is_some_and(|index| {
                empty.get(index) == Some(&true) && layer_loads_file_before(&recording.trace, index)
            });
        // An overlay or component overrides values of other layers on purpose.
        let by = match &finding.diagnostic.remark {
            FindingKind::Remark(Remark::Entry(EntryRemark::Overwritten { by, .. })) => {
                by.number.checked_sub(1)
            }
            _ => None,
        };
        let by_layer = by.and_then(|by| recording.step(by));
        let is_layered = step.zip(by_layer).is_some_and(|(step, by)| step.layer != by.layer);
        // Missing information is no fault of the author.
        let is_unknown = UnknownCause::from_finding(&finding.diagnostic.remark).is_some();
        if is_for_all || is_placeholder || is_layered || is_unknown || is_often_meant(finding) {
            finding.severity = Severity::Note;
        }
    }
    // With the missing schema of KZ602, the lists that a patch replaces are merged.
    if found.iter().any(|finding| finding.diagnostic.code() == Code::KZ602) {
        let consequences = [Code::KZ202, Code::KZ207, Code::KZ208, Code::KZ601];
        found.retain(|finding| !consequences.contains(&finding.diagnostic.code()));
    }
    found.sort_by_key(|finding| (finding.severity, !finding.is_failure()));
    found
}

/// True for an entry that authors often write on purpose: a selector for resources of which the
/// build has none, as in shared components and variants, values that a later step writes again, or
/// a part appended to a value without the delimiter.
fn is_often_meant(finding: &Finding) -> bool {
    let FindingKind::Remark(remark) = &finding.diagnostic.remark else { return false };
    match remark {
        Remark::Entry(
            EntryRemark::PatchTarget(narrowing) | EntryRemark::ReplacementTarget(Some(narrowing)),
        ) => {
            // A fix that does more than to leave out parts of the selector shows the meaning.
            let writes = match &finding.diagnostic.fix {
                Some(Fix::SetValues(values)) => values.iter().any(|it| it.with.is_some()),
                fix => fix.is_some(),
            };
            narrowing.is_without_candidate() && !writes
        }
        Remark::Entry(EntryRemark::Overwritten { is_repeated, .. }) => *is_repeated,
        Remark::Silent(SilentRemark::PastEnd { parts, .. }) => *parts == 1,
        _ => false,
    }
}

fn layer_loads_file_before(trace: &Trace, index: usize) -> bool {
    let layer = trace.steps.get(index).map(|step| step.layer);
    let mut before = trace.steps.iter().take(index);
    before.any(|step| Some(step.layer) == layer && step.kind == StepKind::Load)
}

/// A result of a function, located at the line that writes its field; the function names the field
/// by resource and path. `None` for other diagnostics, and for a field that no line of a file
/// writes.
fn locate_function_result<'s>(
    diagnostic: &Diagnostic,
    state: impl Fn() -> &'s AccumulatorState,
) -> Option<Diagnostic> {
    let Remark::Function(FunctionRemark::Result(result)) = &diagnostic.remark else { return None };
    let about = result.resource.as_ref()?;
    let is_it = |resource: &&Arc<Resource>| about.matches(&resource.id);
    let resource = state().values().find(is_it)?;
    let path = result.field.as_deref().unwrap_or_default();
    let path = WrittenPath::parse(path).find(&resource.node)?;
    let (_, mark) = value_at(&resource.node, &path)?;
    // A value that the function wrote itself is located at the entry of the function, and so is the
    // diagnostic already.
    (mark.line > 0 && mark.writer != diagnostic.mark.writer)
        .then(|| Diagnostic { mark, ..diagnostic.clone() })
}

/// True for a warning that explains better than the outcome of a step why the step has no effect.
fn explains_no_change(warning: &Diagnostic) -> bool {
    warning.code().effect().is_some_and(EntryEffect::explains_no_change)
}

fn build_warnings(recording: &Recording, found: &[Finding]) -> Vec<Finding> {
    let is_of_step = |warning: &Diagnostic| {
        found.iter().any(|finding| match &finding.diagnostic.remark {
            FindingKind::Remark(remark) => *remark == warning.remark,
            _ => false,
        })
    };
    let warnings = recording.warnings.iter().filter_map(|warning| {
        let at = |mark| Diagnostic::new(FindingKind::Warning(Box::new(warning.clone())), mark);
        let diagnostic = match warning {
            BuildWarning::StepWarning(_)
            | BuildWarning::UnusedVars(_)
            | BuildWarning::FunctionStderr { .. }
            | BuildWarning::FunctionResult { .. } => return None,
            BuildWarning::InFile { diagnostic, .. } if is_of_step(diagnostic) => return None,
            BuildWarning::InFile { .. }
            | BuildWarning::OrderTwice
            | BuildWarning::ForcedGit
            | BuildWarning::UnusedTrust(_) => at(Mark::default()),
            BuildWarning::Deprecated(DeprecatedField { field, mark, .. }) => {
                let fix =
                    MIGRATABLE_FIELDS.contains(field).then(|| Fix::Migrate((*field).to_owned()));
                at(*mark).fix(fix)
            }
        };
        let mut finding = Finding::new(diagnostic, None);
        if matches!(warning, BuildWarning::Deprecated(_)) {
            finding.severity = Severity::Note;
        }
        Some(finding)
    });
    warnings.collect()
}

/// The finding for a step that did not change its input. For each step, `empty` is true if the step
/// had no resources.
fn no_effect_finding(
    index: usize,
    recording: &Recording,
    empty: &LazyCell<Vec<bool>, impl FnOnce() -> Vec<bool>>,
) -> Option<Finding> {
    let step = recording.step(index)?;
    // Loads and final steps are not reported, but a generator that merges only equal values is.
    let merges = step.kind == StepKind::Generate && step.builtin.is_some() && step.matched > 0;
    if !merges {
        step.configured_by().and_then(KustomizationField::order)?;
    }
    let (field, argument) = (step.field, step.argument.clone());
    match step.outcome {
        StepOutcome::MatchedNothing => {
            let is_empty = empty.get(index).copied().unwrap_or_default();
            let remark = EntryRemark::MatchesNothing { field, argument, is_empty };
            let details = [
                "`kustomize build` exits 0 without a warning about this",
                "compare the entry with the resources before this step",
            ];
            let finding = Finding::from_diagnostic(Diagnostic::new(remark, step.mark), index);
            Some(Finding { details: details.map(str::to_owned).to_vec(), ..finding })
        }
        // A namespace that the files already set is there on purpose.
        StepOutcome::NoChange if field != "namespace" => {
            let matched = step.matched;
            let remark = EntryRemark::SaysSoAlready { field, argument, matched };
            Some(Finding::from_diagnostic(Diagnostic::new(remark, step.mark), index))
        }
        _ => None,
    }
}

fn pending(index: usize, step: &Step) -> Option<Finding> {
    let StepOutcome::Waiting(wait) = &step.outcome else { return None };
    let name = if step.argument.is_empty() { &step.name } else { &step.argument };
    let kind = FindingKind::Pending(name.clone(), wait.clone());
    let finding = Finding::new(Diagnostic::new(kind, step.mark), Some(index));
    Some(Finding { details: wait.to_string().lines().map(str::to_owned).collect(), ..finding })
}

/// The action that a pending step requires, in one line; `None` for any other step.
pub fn pending_need(step: &Step) -> Option<String> {
    let StepOutcome::Waiting(wait) = &step.outcome else { return None };
    Some(wait.required_action_text())
}
