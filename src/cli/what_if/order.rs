//! `kzui order`: neighbours whose order matters.

use clap::Args;

use super::TargetSetup;
use crate::answers::experiments::order::order;
use crate::answers::experiments::what_if::order_text;
use crate::answers::report::SwapWord;
use crate::cli::diff::secrets;
use crate::cli::failure::{CommandResult, Failure};
use crate::cli::place::{displayed_target_name, make_paths_relative};
use crate::cli::{AnswerFlags, CliPorts, Exit};

#[derive(Clone, Debug, Args)]
#[command(
    after_help = "Every two neighbours in the lists of the target's files, and of the bases and components that it uses, are swapped in \
                  memory; the target is built, and the outputs are compared resource by resource, whatever the order in which they are \
                  printed. No file changes and no program runs.\n\n\
                  Examples:\n  kzui order overlays/production\n\n\
                  Exit status: 0 if no order matters, 1 if some order matters, 2 if the result is not known."
)]
pub struct OrderArgs {
    /// The directory with the kustomization file
    #[arg(default_value = ".")]
    pub dir: String,
    /// Also show the independent pairs
    #[arg(long)]
    pub all: bool,
    /// The maximum number of swapped pairs; further pairs are not known
    #[arg(long, value_name = "N", default_value_t = 2000)]
    pub most_trials: usize,
    #[command(flatten)]
    pub flags: AnswerFlags,
}

/// Builds the target with each pair of neighbours swapped, and prints the report.
pub(in crate::cli) fn run(arguments: &OrderArgs, outside: &mut CliPorts<'_>) -> CommandResult {
    let bench = TargetSetup::open(&arguments.dir, &arguments.flags.build, outside)
        .map_err(Failure::usage)?;
    let mut secrets = secrets(arguments.flags.show_secrets, outside);
    let target = displayed_target_name(&arguments.dir, outside);
    let place = (&*target, &*bench.folder);
    let report = match order(&bench.variants, place, &mut secrets, arguments.most_trials) {
        Ok(report) => report,
        Err(why) => {
            let why = make_paths_relative(&why, &outside.current);
            writeln!(outside.err, "not known whether an order matters: {why}")?;
            writeln!(outside.err, "  help: run `kzui trace {}` for the reason", arguments.dir)?;
            return Ok(Exit::USAGE);
        }
    };
    outside.report(arguments.flags.json, &report, || order_text(&report, arguments.all))?;
    let told = |word: SwapWord| report.pairs.iter().any(|pair| pair.swapped == word);
    Ok(match &report.failure {
        Some(_) => Exit::USAGE,
        None if told(SwapWord::Differs) || told(SwapWord::Fails) => Exit::FAILED,
        None if told(SwapWord::Unknown) => Exit::USAGE,
        None => Exit::OK,
    })
}
