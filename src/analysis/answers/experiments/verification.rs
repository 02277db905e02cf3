//! Verification of suspected findings by builds, before the findings are reported.

use std::path::Path;
use std::sync::Arc;

use crate::answers::lint::verified_findings::{StepFilter, add_verified_findings};
use crate::answers::{ClaimTrial, SwitchSuspicions, add_faults};
use crate::engine::evaluate::{BuildCache, BuildOptions, Evaluation, Ports, evaluate};
use crate::engine::load::{Files, NoRemote};
use crate::engine::plugin::NoPrograms;
use crate::engine::resource::Resource;

/// Adds findings to the steps of a build of `dir`, relative to `current`: findings that need the
/// complete recording, and findings from builds without an entry and from builds as other releases.
/// These builds neither fetch nor run anything; a finding that needs a fetch or a run is left out.
pub fn add_trial_findings(
    evaluation: &mut Evaluation,
    dir: &str,
    current: &Path,
    options: &BuildOptions,
    ports: &Ports,
) {
    let (memory, is_wanted) = (&BuildCache::default(), &mut |_: &_, _: &_| true);
    add_trial_findings_of_steps(evaluation, (dir, current), options, ports, (memory, is_wanted));
}

/// Like [`add_trial_findings`], with the cache of the build: the trials use its files and most of its steps,
/// and work on a copy of the cache. Of the steps that seem to be overridden, those that `is_wanted` accepts
/// are tried.
pub(in crate::answers) fn add_trial_findings_of_steps(
    evaluation: &mut Evaluation,
    (dir, current): (&str, &Path),
    options: &BuildOptions,
    ports: &Ports,
    (memory, is_wanted): (&BuildCache, &mut StepFilter<'_>),
) {
    evaluation.trace.add_late_warnings();
    let files = ports.files.clone();
    add_faults(evaluation, &*files);
    let output: Vec<&Resource> =
        evaluation.outcome.iter().flatten().map(|resource| &**resource).collect();
    let elsewhere = SwitchSuspicions::from_trace(&evaluation.trace, &output);
    add_entry_trials(evaluation, (dir, current), options, ports, (memory, is_wanted));
    if let Some(elsewhere) = elsewhere {
        let ports = offline_ports(ports, files);
        let mut memory = memory.read_only();
        let found = elsewhere.confirm_suspicions(&current.join(dir), &mut |profile| {
            evaluate(dir, current, &options.like(profile), &ports, &mut memory)
        });
        add_verified_findings(&mut evaluation.trace, None, found);
    }
}

/// Adds the findings of builds without or with moved entries; of the steps that seem to be
/// overridden, those that `is_wanted` accepts are tried.
pub(in crate::answers) fn add_entry_trials(
    evaluation: &mut Evaluation,
    (dir, current): (&str, &Path),
    options: &BuildOptions,
    ports: &Ports,
    (memory, is_wanted): (&BuildCache, &mut StepFilter<'_>),
) {
    let files = ports.files.clone();
    let output: Vec<&Resource> =
        evaluation.outcome.iter().flatten().map(|resource| &**resource).collect();
    let trial = ClaimTrial::of_wanted_steps(&evaluation.trace, &output, &*files, is_wanted);
    let Some(trial) = trial else { return };
    let mut memory = memory.read_only();
    let mut rebuild = |files: Arc<dyn Files>| {
        let ports = offline_ports(ports, files);
        Some(evaluate(dir, current, options, &ports, &mut memory))
    };
    let found = trial.run(&files, &mut rebuild);
    add_verified_findings(&mut evaluation.trace, evaluation.outcome.as_mut().err(), found);
}

/// The ports of a build that reads these files and does not fetch or run anything.
pub fn offline_ports(ports: &Ports, files: Arc<dyn Files>) -> Ports {
    Ports { files, remote: Arc::new(NoRemote), programs: Arc::new(NoPrograms), ..ports.clone() }
}
