//! The command line of `kzui diff`.

use std::path::PathBuf;

use clap::{Args, ValueEnum};

use crate::answers::compare::Shard;
use crate::cli::build_flags::parse_shard;
use crate::cli::{AnswerFlags, BuildFlags};

#[derive(Clone, Debug, Args)]
#[expect(clippy::struct_excessive_bools, reason = "each is a flag of its own")]
#[command(
    after_help = "Examples:\n  kzui diff main...HEAD\n  kzui diff overlays/staging overlays/production\n  kzui diff HEAD~3:overlays/production draft:NAME\n  kzui build overlays/production | kzui diff released.yaml -\n  kzui diff overlays/production --live --context production\n\nExit status: 0 if everything was compared and is the same, 1 if something differs, 2 for an error, 3 if no difference was found but some targets could not be compared. A target that builds on only one of the sides counts as different. A target with pending steps is compared as far as it is built. If a target fails on both sides, the largest targets below it that build are compared instead. A draft alone is compared with the files in all targets that it affects; beside another side, it is built for the targets of that side. With --live, fields that another field manager owns are listed, but are no difference."
)]
pub struct Diff {
    /// A folder, a git reference (main, HEAD~3, REF:path, main...HEAD), `draft` or `draft:NAME`, a rendered file, or - for standard input
    #[arg(value_name = "A", required_unless_present = "merge")]
    pub before: Option<String>,
    /// The second side, in the same forms; the work tree by default
    #[arg(value_name = "B")]
    pub after: Option<String>,
    /// The format of the output
    #[arg(short, long, value_enum, default_value_t)]
    pub format: DiffFormat,
    /// Show diffs side by side
    #[arg(long)]
    pub side_by_side: bool,
    /// The width of the output, with --side-by-side
    #[arg(long, value_name = "COLUMNS", default_value_t = 160)]
    pub width: usize,
    /// Print every edit, location, target and diff: text is not limited to 60 lines, Markdown not
    /// to 20 kB
    #[arg(long)]
    pub all: bool,
    /// Only the dangers, with their edits and resources; headline and exit status are those of the
    /// whole comparison
    #[arg(long)]
    pub danger: bool,
    /// The ID of the comment `<!-- kzui-diff: ID -->` on the first line of Markdown, by which a bot finds its own comment
    #[arg(long, value_name = "ID", default_value = "main", value_parser = parse_marker_id)]
    pub marker: String,
    /// Compare bases too: targets that other targets use
    #[arg(long)]
    pub bases: bool,
    /// Only the K-th of N parts of all targets, as K/N; --merge joins the JSON of all parts
    #[arg(long, value_name = "K/N", value_parser = parse_shard)]
    pub shard: Option<Shard>,
    /// Merge the JSON of all parts, written with --shard and --format json
    #[arg(long, value_name = "FILE", num_args = 1.., conflicts_with_all = ["before", "after", "shard"])]
    pub merge: Vec<PathBuf>,
    /// Compare the objects of a cluster with the build of A: kubectl reads the deployed objects, and the
    /// server tries the apply without doing it. Runs the kubectl of PATH with the user's kubeconfig
    #[arg(long, requires = "before", conflicts_with_all = ["after", "merge", "shard", "screen", "bases", "like_a"])]
    pub live: bool,
    /// The context of the kubeconfig, with --live
    #[arg(long, value_name = "NAME", requires = "live")]
    pub context: Option<String>,
    /// The field manager that deploys the build, with --live; those of kubectl, Flux and Argo CD by default
    #[arg(long, value_name = "NAME", requires = "live")]
    pub field_manager: Option<String>,
    /// The version profile of the first side (`kzui versions` lists them)
    #[arg(long, value_name = "VERSION")]
    pub like_a: Option<String>,
    /// The version profile of the second side
    #[arg(long, value_name = "VERSION")]
    pub like_b: Option<String>,
    /// Show the comparison in the workbench: by cause, by target, by resource
    #[arg(long, conflicts_with_all = ["merge", "shard", "format"])]
    pub screen: bool,
    /// Show the values of Secrets
    #[arg(long)]
    pub show_secrets: bool,
    /// The maximum number of builds for each target, to verify the causes of its differences
    #[arg(long, value_name = "N", default_value_t = 400)]
    pub most_trials: usize,
    #[command(flatten)]
    pub build: BuildFlags,
}

/// The ID of a marker: without characters that could end the comment.
fn parse_marker_id(text: &str) -> Result<String, String> {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "._/:-".contains(c);
    if text.is_empty() || text.contains("--") || !text.chars().all(is_plain) {
        return Err("use letters, digits and `.`, `_`, `/`, `:`, single `-`".to_owned());
    }
    Ok(text.to_owned())
}

/// `--format` of `kzui diff`
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum DiffFormat {
    /// Headline, dangers, images, other edits, then the diffs; at most 60 lines
    #[default]
    Text,
    /// One line for each field, and for each target that fails or is not known
    Short,
    /// One JSON document
    Json,
    /// For a pull request: in the same order, at most 20 kB
    Markdown,
    /// One self-contained page
    Html,
    /// The dangers as SARIF, at the lines of the edits that cause them
    Sarif,
}

#[derive(Clone, Debug, Args)]
#[command(
    after_help = "Examples:\n  kzui why-differ overlays/staging overlays/production Deployment/web spec.replicas\n\nExit status: 0 when both sides are the same, 1 when they differ, 2 for an error, and when neither side has the resource or field, 3 if the answer is not known."
)]
pub struct WhyDiffer {
    /// The first side, as for `kzui diff`
    #[arg(value_name = "A")]
    pub before: String,
    /// The second side
    #[arg(value_name = "B")]
    pub after: String,
    /// The resource, on both sides
    #[arg(value_name = "KIND/NAME")]
    pub resource: String,
    /// The field, as `kzui diff` prints it; without it, all fields of the resource
    #[arg(value_name = "FIELD")]
    pub field: Option<String>,
    #[command(flatten)]
    pub flags: AnswerFlags,
}
