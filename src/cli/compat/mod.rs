//! `kzui compat`: the effect of another version of Kustomize on every target.

mod report;

use std::path::Path;

use self::report::{CompatReport, TargetDocument};
use super::targets::select;
use super::{CliPorts, Compat, CompatFormat, Exit, evaluate_once, options};
use crate::answers::Recording;
use crate::answers::experiments::compat::{CompatVerdict, forecast};
use crate::cli::failure::{CommandResult, Failure};
use crate::engine::profile::{LATEST, Profile};

pub(super) fn run(arguments: &Compat, outside: &mut CliPorts<'_>) -> CommandResult {
    let to = options::named(arguments.to.as_deref().unwrap_or(LATEST), "--to")
        .map_err(Failure::usage)?;
    let selection = select(&arguments.dirs, outside, &outside.ports.files)?;
    let mut report = CompatReport::new(arguments.from.as_deref(), to);
    for directory in selection.names {
        report.targets.push(compare_target(arguments, &directory, to, outside)?);
    }
    match arguments.output {
        CompatFormat::Text => outside.out.text(&report.text())?,
        CompatFormat::Json => outside.out.json(&report)?,
        CompatFormat::Markdown => outside.out.text(&report.markdown())?,
    }
    let different = [CompatVerdict::Fails, CompatVerdict::Changes, CompatVerdict::Builds];
    if different.into_iter().any(|verdict| report.has(verdict)) {
        return Ok(Exit::FAILED);
    }
    Ok(if report.has(CompatVerdict::Unknown) { Exit::NOT_KNOWN } else { Exit::OK })
}

fn compare_target(
    arguments: &Compat,
    directory: &Path,
    to: Profile,
    outside: &CliPorts<'_>,
) -> Result<TargetDocument, String> {
    let name = directory.to_string_lossy();
    let given = options::headless_options(&arguments.build, &name, outside)?;
    let from = match arguments.from.as_deref() {
        Some(from) => options::named(from, "--from").map_err(|error| error.to_string())?,
        None => given.profile,
    };
    let mut build = |profile: Profile| {
        let options = given.like(profile);
        Recording::new(evaluate_once(&name, &options, outside), directory)
    };
    let mut secrets = super::diff::secrets(false, outside);
    let forecast = forecast(from, to, &mut secrets, &mut build);
    Ok(TargetDocument::new(directory, from, forecast, &outside.current))
}
