//! `kzui bisect`: the commit that changed a value, or from which a build fails.

mod search;
mod text;

use clap::{ArgGroup, Args};

use super::{AnswerFlags, CliPorts, Exit};
use crate::cli::failure::CommandResult;

#[derive(Clone, Debug, Args)]
#[command(
    group = ArgGroup::new("question").required(true).args(["field", "fails", "resource"]),
    after_help = "Commits are built from git's objects: no commit is checked out, and no code of the repository runs. The search goes by ancestry, as `git bisect` does, into merged branches too; --first-parent follows first parents only. Commits with a pending build or without the target are skipped; with --field and --resource also commits with a failing build.\n\n\
                  Examples:\n  kzui bisect overlays/production --good v1.4 --field Deployment/web spec.replicas\n  kzui bisect overlays/production --good v1.4 --fails\n\n\
                  Exit status: 0 if the commit is found, 1 if it is one of several candidates, 2 if it cannot be found."
)]
pub struct Bisect {
    /// The directory with the kustomization file
    #[arg(default_value = ".")]
    pub dir: String,
    /// A commit before the change: with the good value, or a build that succeeds
    #[arg(long, value_name = "REF")]
    pub good: String,
    /// A commit after the change
    #[arg(long, value_name = "REF", default_value = "HEAD")]
    pub bad: String,
    /// The field whose value changed, and its resource
    #[arg(long, num_args = 2, value_names = ["KIND/NAME", "PATH"])]
    pub field: Option<Vec<String>>,
    /// With --field: the bad value, instead of any other value
    #[arg(long, value_name = "V", requires = "field")]
    pub value: Option<String>,
    /// Search for the commit that broke the build
    #[arg(long)]
    pub fails: bool,
    /// A resource that was added to the output or removed from it
    #[arg(long, value_name = "KIND/NAME")]
    pub resource: Option<String>,
    /// Follow only first parents: a merge counts as one commit with all its changes
    #[arg(long)]
    pub first_parent: bool,
    #[command(flatten)]
    pub flags: AnswerFlags,
}

pub(super) fn run(arguments: &Bisect, outside: &mut CliPorts<'_>) -> CommandResult {
    let report = search::search(arguments, outside)?;
    outside.report(arguments.flags.json, &report, || text::text(&report))?;
    Ok(if report.suspects.len() == 1 { Exit::OK } else { Exit::FAILED })
}
