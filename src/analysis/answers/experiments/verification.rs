//! Verification of suspected findings by builds, before the findings are reported.

use std::path::Path;
use std::sync::Arc;

use crate::answers::lint::verified_findings::add_verified_findings;
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
    add_trial_findings_with_cache(
        evaluation,
        (dir, current),
        options,
        ports,
        &BuildCache::default(),
    );
}

/// Like [`add_trial_findings`], with the cache of the build: the trials use its files and most of its steps,
/// and work on a copy of the cache.
pub fn add_trial_findings_with_cache(
    evaluation: &mut Evaluation,
    (dir, current): (&str, &Path),
    options: &BuildOptions,
    ports: &Ports,
    memory: &BuildCache,
) {
    evaluation.trace.add_late_warnings();
    let files = ports.files.clone();
    add_faults(&mut evaluation.trace, &*files);
    let output: Vec<&Resource> =
        evaluation.outcome.iter().flatten().map(|resource| &**resource).collect();
    let elsewhere = SwitchSuspicions::from_trace(&evaluation.trace, &output);
    let mut found = Vec::new();
    if let Some(trial) = ClaimTrial::from_trace(&evaluation.trace, &output, &*files) {
        let mut memory = memory.read_only();
        let mut rebuild = |files: Arc<dyn Files>| {
            let ports = offline_ports(ports, files);
            Some(evaluate(dir, current, options, &ports, &mut memory))
        };
        found = trial.run(&files, &mut rebuild);
    }
    if let Some(elsewhere) = elsewhere {
        let ports = offline_ports(ports, files);
        let mut memory = memory.read_only();
        found.extend(elsewhere.confirm_suspicions(&current.join(dir), &mut |profile| {
            evaluate(dir, current, &options.like(profile), &ports, &mut memory)
        }));
    }
    add_verified_findings(&mut evaluation.trace, evaluation.outcome.as_mut().err(), found);
}

/// The ports of a build that reads these files and does not fetch or run anything.
pub fn offline_ports(ports: &Ports, files: Arc<dyn Files>) -> Ports {
    Ports { files, remote: Arc::new(NoRemote), programs: Arc::new(NoPrograms), ..ports.clone() }
}
