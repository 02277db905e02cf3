//! `kzui matrix`: the components of a target in all combinations.

use clap::Args;

use super::TargetSetup;
use crate::answers::experiments::combinations::try_combinations;
use crate::answers::experiments::what_if::matrix_text;
use crate::answers::report::CombinationWord;
use crate::cli::failure::{CommandResult, Failure};
use crate::cli::place::displayed_target_name;
use crate::cli::{BuildFlags, CliPorts, Exit, diff};

#[derive(Clone, Debug, Args)]
#[command(
    after_help = "Commented-out components of the kustomization file are combined too. With up to ten components every combination is built; with more, only the combinations that switch at most two components on, and those that differ from the file in at most two components. No file changes and no program runs.\n\n\
                  Examples:\n  kzui matrix overlays/production --all\n\n\
                  Exit status: 0 if all combinations build, 1 if some fail, 2 if the result is not known."
)]
pub struct MatrixArgs {
    /// The directory with the kustomization file that lists components
    #[arg(default_value = ".")]
    pub dir: String,
    /// List all combinations, not only the conflicts and requirements
    #[arg(long)]
    pub all: bool,
    /// Print JSON
    #[arg(long)]
    pub json: bool,
    #[command(flatten)]
    pub build: BuildFlags,
}

/// Builds and prints the report.
pub(in crate::cli) fn run(arguments: &MatrixArgs, outside: &mut CliPorts<'_>) -> CommandResult {
    let mut secrets = diff::secrets(false, outside);
    let bench = TargetSetup::open(&arguments.dir, &arguments.build, outside);
    let target = displayed_target_name(&arguments.dir, outside);
    let report = bench.and_then(|bench| {
        let place = (&*target, &*bench.folder);
        try_combinations(&bench.variants, &bench.file, place, &mut secrets)
    });
    let report = report.map_err(|error| Failure::usage(format!("{}: {error}", arguments.dir)))?;
    outside.report(arguments.json, &report, || matrix_text(&report, arguments.all))?;
    let has = |word| report.combinations.iter().any(|it| it.result == word);
    Ok(match (has(CombinationWord::Fails), has(CombinationWord::Unknown)) {
        (true, _) => Exit::FAILED,
        (false, true) => Exit::USAGE,
        (false, false) => Exit::OK,
    })
}
