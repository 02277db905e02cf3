//! `kzui grep`: a value or a field, over all resources, all steps and all targets.

use std::path::PathBuf;
use std::sync::Arc;

use regex::Regex;

use super::{Grep, location, open_with_objects};
use crate::answers::grep;
use crate::answers::report::{ReportPaths, documents};
use crate::cli::failure::CommandResult;
use crate::cli::{CliPorts, Exit, diff, options, targets};
use crate::display::line;
use crate::engine::load::Files;
use crate::repository::{Repository, TargetKind, build_targets_separately};

documents! {
    pub(super) struct GrepReport {
        schema_version: u32,
        pattern: String,
        targets: usize,
        failing: usize,
        found: Vec<GrepHit>,
    }

    struct GrepHit {
        target: String,
        kind: String,
        name: String,
        path: String,
        value: String,
        #[serde(skip_serializing_if = "Option::is_none")]
        at: Option<String>,
        first_step: usize,
        #[serde(skip_serializing_if = "Option::is_none")]
        last_step: Option<usize>,
        steps: usize,
    }
}

/// Searches all targets and prints the matches. The exit status is 1 without a match, as for
/// `grep`.
pub(in crate::cli) fn run(arguments: &Grep, outside: &mut CliPorts<'_>) -> CommandResult {
    let answer = grep_report(arguments, outside)?;
    outside.report(arguments.flags.json, &answer, || text(&answer))?;
    let GrepReport { failing, targets, .. } = answer;
    if failing > 0 && !arguments.flags.json {
        writeln!(
            outside.err,
            "{failing} of {targets} targets fail or are pending: their matches are not known"
        )?;
    }
    Ok(if answer.found.is_empty() { Exit::FAILED } else { Exit::OK })
}

fn grep_report(arguments: &Grep, outside: &CliPorts<'_>) -> Result<GrepReport, String> {
    let pattern =
        if arguments.fixed { regex::escape(&arguments.pattern) } else { arguments.pattern.clone() };
    let pattern = Regex::new(&pattern).map_err(|error| error.to_string())?;
    let options = options::repository_options(&arguments.flags.build, outside)?;
    let (repository, ports) =
        open_with_objects(None, arguments.targets.first().map(String::as_str), outside)?;
    let repository = &*repository;
    let targets = resolve_targets(&arguments.targets, repository, &ports.files, outside)?;
    let secrets = diff::secrets(arguments.flags.show_secrets, outside);
    let found = build_targets_separately(&targets, &options, &ports, |folder, evaluation| {
        let mut secrets = secrets.clone();
        secrets.learn(&evaluation.trace);
        let hits = grep(&evaluation.trace, &pattern);
        let hits = hits.into_iter().filter(|hit| !arguments.results || hit.last.is_none());
        let target = repository.shown(folder);
        let places = ReportPaths::relative_to(&evaluation.trace, repository.root.clone());
        let found = hits.map(|hit| GrepHit {
            target: target.clone(),
            kind: hit.resource.id.gvk.kind.to_string(),
            name: hit.resource.id.name.to_string(),
            path: hit.path.to_string(),
            value: secrets.field(&hit.resource, &hit.path.keys(), hit.mark, &hit.value),
            at: location(&places, hit.mark),
            first_step: hit.first,
            last_step: hit.last,
            steps: evaluation.trace.steps.len(),
        });
        let is_partial = evaluation.outcome.is_err() || evaluation.trace.first_wait().is_some();
        (found.collect::<Vec<GrepHit>>(), is_partial)
    });
    let failing = found.iter().filter(|(_, fails)| *fails).count();
    let built = found.len();
    let found = found.into_iter().flat_map(|(found, _)| found).collect();
    Ok(GrepReport {
        schema_version: 1,
        pattern: arguments.pattern.clone(),
        targets: built,
        failing,
        found,
    })
}

/// The targets of the arguments. A folder that is a target itself counts as that target only, under
/// the given name.
pub(super) fn resolve_targets(
    named: &[String],
    repository: &Repository,
    files: &Arc<dyn Files>,
    outside: &CliPorts<'_>,
) -> Result<Vec<PathBuf>, String> {
    let current = [".".to_owned()];
    let words = if named.is_empty() { &current } else { named };
    let mut names = Vec::new();
    for word in words {
        let path = targets::path(word, outside, &**files);
        if repository.target(&path).is_some_and(|target| target.kind != TargetKind::Component) {
            names.push(path);
        } else {
            let word = std::slice::from_ref(word);
            names.extend(targets::select(word, outside, files)?.names);
        }
    }
    names.dedup();
    Ok(names)
}

fn text(answer: &GrepReport) -> String {
    let line = |found: &GrepHit| {
        let value = found.value.lines().next().unwrap_or_default();
        let more = if found.value.lines().count() > 1 { "…" } else { "" };
        let steps = match found.last_step {
            None => format!("from step {} on", found.first_step),
            Some(last) if last == found.first_step => format!("step {last} only"),
            Some(last) => format!("steps {} to {last}, then removed", found.first_step),
        };
        let at = found.at.as_deref().unwrap_or("created by a function");
        line!(
            "{at}\t{}\t{}/{}\t{}: {value}{more}\t{steps}\n",
            found.target,
            found.kind,
            found.name,
            found.path
        )
    };
    answer.found.iter().map(line).collect::<Vec<_>>().concat()
}
