//! `kzui compat`: the effect of another version of Kustomize on every target.

mod report;

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
        let name = directory.to_string_lossy();
        let given = options::headless_options(&arguments.build, &name, outside)?;
        let from = arguments.from.as_deref().map(|from| options::named(from, "--from"));
        let from = from.transpose().map_err(Failure::usage)?.unwrap_or(given.profile);
        let mut build = |profile: Profile| {
            let options = given.like(profile);
            Recording::new(evaluate_once(&name, &options, outside), &directory)
        };
        let mut secrets = super::diff::secrets(false, outside);
        let forecast = forecast(from, to, &mut secrets, &mut build);
        let target = TargetDocument::new(&directory, from, forecast, &outside.current);
        report.targets.push(target);
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
