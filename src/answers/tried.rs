//! What is said about a build, tried before it is said.

use std::path::Path;
use std::sync::Arc;

use super::claims::say;
use super::{Trial, add_faults};
use crate::engine::evaluate::{BuildOptions, Evaluation, Memory, Ports, evaluate};
use crate::engine::load::{Files, NoRemote};
use crate::engine::plugin::NoPrograms;
use crate::engine::resource::Resource;

/// Adds to the steps of a build of `dir`, as seen from `current`, what only the whole recording tells, and what was found
/// out by building without an entry. Nothing is fetched or run for that: where it would be needed, nothing is claimed.
pub fn complete(
    evaluation: &mut Evaluation,
    dir: &str,
    current: &Path,
    options: &BuildOptions,
    ports: &Ports,
) {
    complete_with(evaluation, (dir, current), options, ports, &mut Memory::default());
}

/// The same with a memory for the builds that are done to find out: many targets have much in common.
pub fn complete_with(
    evaluation: &mut Evaluation,
    (dir, current): (&str, &Path),
    options: &BuildOptions,
    ports: &Ports,
    memory: &mut Memory,
) {
    evaluation.trace.add_hindsight();
    let files = ports.files.clone();
    add_faults(&mut evaluation.trace, &*files);
    let output: Vec<&Resource> =
        evaluation.outcome.iter().flatten().map(|resource| &**resource).collect();
    let Some(trial) = Trial::of(&evaluation.trace, &output, &*files) else { return };
    let mut rebuild = |files: Arc<dyn Files>| {
        let ports = alone(ports, files);
        Some(evaluate(dir, current, options, &ports, memory))
    };
    let found = trial.run(&files, &mut rebuild);
    say(&mut evaluation.trace, evaluation.outcome.as_mut().err(), found);
}

/// The ports of a build that reads these files and reaches nothing else.
pub fn alone(ports: &Ports, files: Arc<dyn Files>) -> Ports {
    Ports { files, remote: Arc::new(NoRemote), programs: Arc::new(NoPrograms), ..ports.clone() }
}
