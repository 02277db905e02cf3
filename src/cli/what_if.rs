//! `kzui order` and `kzui matrix`: builds with entries in another order or with other components.

use std::path::PathBuf;

use clap::Args;

use super::diff::secrets;
use super::place::{displayed_target_name, make_paths_relative};
use super::{AnswerFlags, BuildFlags, CliPorts, Exit, options, targets};
use crate::answers::experiments::combinations::try_combinations;
use crate::answers::experiments::order::order as try_orders;
use crate::answers::experiments::variants::VariantBuilder;
use crate::answers::experiments::what_if::{matrix_text, order_text};
use crate::answers::report::{CombinationWord, SwapWord};
use crate::cli::failure::{CommandResult, Failure};
use crate::engine::evaluate::target_file_names;
use crate::engine::load::FileKind;

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

struct TargetSetup {
    variants: VariantBuilder,
    folder: PathBuf,
    file: PathBuf,
}

impl TargetSetup {
    fn open(dir: &str, flags: &BuildFlags, outside: &CliPorts<'_>) -> Result<Self, String> {
        let options = options::headless_options(flags, dir, outside)?;
        let files = &outside.ports.files;
        let (object, folder) = targets::object_and_folder(dir, outside);
        let folder = match folder {
            Ok((folder, FileKind::Directory)) => folder,
            Ok(_) => return Err(format!("{dir} is not a directory")),
            Err(error) => return Err(error.to_string()),
        };
        let file = target_file_names()
            .map(|name| folder.join(name))
            .find(|file| matches!(files.resolve(file), Ok((_, FileKind::File))))
            .ok_or_else(|| format!("no kustomization file in {dir}"))?;
        let target = object.as_ref().unwrap_or(&folder);
        Ok(Self { variants: VariantBuilder::new(&outside.ports, &options, target), folder, file })
    }
}

/// Builds the target with each pair of neighbours swapped, and prints the report.
pub(super) fn order(arguments: &OrderArgs, outside: &mut CliPorts<'_>) -> CommandResult {
    let bench = TargetSetup::open(&arguments.dir, &arguments.flags.build, outside)?;
    let mut secrets = secrets(arguments.flags.show_secrets, outside);
    let target = displayed_target_name(&arguments.dir, outside);
    let place = (&*target, &*bench.folder);
    let report = match try_orders(&bench.variants, place, &mut secrets, arguments.most_trials) {
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

pub(super) fn matrix(arguments: &MatrixArgs, outside: &mut CliPorts<'_>) -> CommandResult {
    let mut secrets = secrets(false, outside);
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
