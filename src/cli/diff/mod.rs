//! `kzui diff` and `kzui why-differ`: the differences of two builds, and the edits that caused
//! them.

mod args;
mod html;
mod markdown;
mod sarif;
mod short;
mod side_by_side;
mod text;
mod why;

pub use args::{Diff, DiffFormat, WhyDiffer};
pub(super) use why::print_difference_causes;

use std::path::Path;

use super::{CliPorts, Exit, Palette, options, profile_of};
use crate::answers::compare::{
    ClusterRequest, CompareReport, CompareSettings, ComparisonResult, SideSources, compare_sides,
    compare_with_cluster, merge_reports, parse_side, parse_sides,
};
use crate::answers::secrets::Secrets;
use crate::cli::failure::CommandResult;
use crate::engine::evaluate::BuildOptions;

fn status(report: &CompareReport) -> Exit {
    match report.result() {
        ComparisonResult::Same => Exit::OK,
        ComparisonResult::Different => Exit::FAILED,
        ComparisonResult::NotKnown => Exit::NOT_KNOWN,
    }
}

/// Compares and prints. Exit codes: 0 the same, 1 different, 2 error, 3 not known.
pub(super) fn run(arguments: &Diff, outside: &mut CliPorts<'_>) -> CommandResult {
    let report = report(arguments, outside)?;
    let shown = || if arguments.danger { report.clone().only_dangers() } else { report.clone() };
    match arguments.format {
        DiffFormat::Text => {
            let text = text::page(&report, arguments);
            match outside.palette {
                Palette::Plain => outside.out.text(&text)?,
                Palette::Coloured => outside.out.print_coloured(&text::coloured(&text))?,
            }
        }
        DiffFormat::Short => outside.out.text(&short::page(&shown()))?,
        DiffFormat::Json => outside.out.document(&crate::display::to_json(&shown())?)?,
        DiffFormat::Markdown => outside.out.text(&markdown::page(&report, arguments))?,
        DiffFormat::Sarif => outside.out.document(&sarif::page(&report)?)?,
        DiffFormat::Html => outside.out.document(&html::page(&shown())?)?,
    }
    Ok(status(&report))
}

fn report(arguments: &Diff, outside: &CliPorts<'_>) -> Result<CompareReport, String> {
    if !arguments.merge.is_empty() {
        let parts: Result<Vec<CompareReport>, String> =
            arguments.merge.iter().map(|path| read(path, outside)).collect();
        return merge_reports(parts?);
    }
    let options = options::repository_options(&arguments.build, outside)?;
    let before = arguments.before.as_deref().unwrap_or_default();
    let secrets = secrets(arguments.show_secrets, outside);
    let how = CompareSettings {
        before: &options_with_profile(&options, arguments.like_a.as_deref(), outside)?,
        after: &options_with_profile(&options, arguments.like_b.as_deref(), outside)?,
        shard: arguments.shard,
        bases: arguments.bases,
        most: arguments.most_trials,
        ..CompareSettings::new(&outside.ports, &options, secrets)
    };
    let sources = sources(outside);
    if arguments.live {
        let request = ClusterRequest {
            context: arguments.context.clone(),
            field_manager: arguments.field_manager.clone(),
        };
        return compare_with_cluster(&parse_side(before, &sources)?, &request, &how);
    }
    let (before, after) = parse_sides(before, arguments.after.as_deref(), &sources)?;
    compare_sides(&before, &after, &how)
}

fn options_with_profile(
    options: &BuildOptions,
    version: Option<&str>,
    outside: &CliPorts<'_>,
) -> Result<BuildOptions, String> {
    let Some(version) = version else { return Ok(options.clone()) };
    let (here, files) = (&outside.current, &*outside.ports.files);
    let profile = profile_of(Some(version), &outside.like, here, files);
    Ok(options.like(profile.map_err(|error| error.to_string())?))
}

pub(super) fn sources<'a>(outside: &'a CliPorts<'_>) -> SideSources<'a> {
    let repository = &outside.repository;
    SideSources {
        files: outside.ports.files.clone(),
        current: outside.current.clone(),
        opened: None,
        open_draft: None,
        listing: repository.listing.clone(),
        indexes: repository.indexes.clone(),
        commits: repository.commits,
        drafts: repository.drafts,
        input: repository.input,
    }
}

pub(super) fn secrets(are_shown: bool, outside: &CliPorts<'_>) -> Secrets {
    if are_shown { Secrets::shown() } else { Secrets::masked(outside.repository.salt) }
}

fn read(path: &Path, outside: &CliPorts<'_>) -> Result<CompareReport, String> {
    let wrong = |why: String| format!("{} is not a report of kzui diff: {why}", path.display());
    let file = outside.current.join(path);
    let bytes = outside.ports.files.read(&file).map_err(|error| wrong(error.to_string()))?;
    serde_json::from_slice(&bytes).map_err(|error| wrong(error.to_string()))
}
