//! The command lines of `kzui where`, `graph`, `grep`, `table` and `images`.

use clap::{Args, ValueEnum};

use crate::cli::{AnswerFlags, BuildFlags};

#[derive(Clone, Debug, Args)]
#[command(
    after_help = "Examples:\n  kzui where base/deployment.yaml\n  kzui where Deployment/web\n  kzui where --unused\n\nExit status: 0 on success, 2 for an unknown name."
)]
pub struct WhereArgs {
    /// A file, a folder, or a resource as KIND/NAME
    #[arg(value_name = "FILE|KIND/NAME", required_unless_present = "unused")]
    pub what: Option<String>,
    /// The repository: all targets below this folder; by default the repository around the current
    /// folder
    #[arg(value_name = "REPO")]
    pub repository: Option<String>,
    /// Unused files and components, and entries without a file
    #[arg(long)]
    pub unused: bool,
    /// Print JSON
    #[arg(long)]
    pub json: bool,
    #[command(flatten)]
    pub build: BuildFlags,
}

#[derive(Clone, Debug, Args)]
#[command(
    after_help = "Examples:\n  kzui graph > graph.svg\n  kzui graph base --format mermaid\n\nExit status: 0 on success, 2 for a usage error. Failing targets are marked."
)]
pub struct GraphArgs {
    /// Only the targets that use this file or folder
    #[arg(value_name = "FILE")]
    pub what: Option<String>,
    /// The format of the output
    #[arg(short, long, value_enum, default_value_t)]
    pub format: GraphFormat,
    /// Accepted for older scripts: every target is built and drawn with its state
    #[arg(long, hide = true)]
    pub states: bool,
    #[command(flatten)]
    pub build: BuildFlags,
}

/// `--format` of `kzui graph`
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum GraphFormat {
    /// A picture
    #[default]
    Svg,
    /// For Markdown
    Mermaid,
    /// For Graphviz
    Dot,
}

#[derive(Clone, Debug, Args)]
#[command(
    after_help = "Examples:\n  kzui grep 'example.com/web:1'\n  kzui grep -F replicas overlays/production --results\n\nExit status: 0 with matches, 1 without, 2 for a usage error."
)]
pub struct Grep {
    /// A regular expression for values and paths of fields
    #[arg(value_name = "PATTERN")]
    pub pattern: String,
    /// The targets, and folders with targets below them; by default the current folder
    #[arg(value_name = "DIR")]
    pub targets: Vec<String>,
    /// Search for the pattern as plain text, not as a regular expression
    #[arg(short = 'F', long)]
    pub fixed: bool,
    /// Search only the outputs, not earlier steps
    #[arg(long)]
    pub results: bool,
    #[command(flatten)]
    pub flags: AnswerFlags,
}

#[derive(Clone, Debug, Args)]
#[command(
    after_help = "Examples:\n  kzui table spec.replicas\n  kzui table Deployment:spec.replicas HorizontalPodAutoscaler:spec.maxReplicas --in overlays\n  kzui table Deployment/web:spec.template.spec.containers[web].resources.limits --json\n\nA field is written as `kzui diff` prints it; a list without an element in brackets means all of its elements.\n\nExit status: 0 with values, 1 if no target has a value, 2 for a usage error."
)]
pub struct Table {
    /// The fields: FIELD, KIND:FIELD or KIND/NAME:FIELD
    #[arg(value_name = "FIELD", required = true)]
    pub fields: Vec<String>,
    /// A target, or a folder with targets below it; by default the current folder
    #[arg(long = "in", value_name = "DIR")]
    pub targets: Vec<String>,
    #[command(flatten)]
    pub flags: AnswerFlags,
}

#[derive(Clone, Debug, Args)]
#[command(
    after_help = "Examples:\n  kzui images\n  kzui images overlays/production --json\n\nExit status: 0 with images, 1 if no target has an image, 2 for a usage error."
)]
pub struct Images {
    /// The targets, and folders with targets below them; by default the current folder
    #[arg(value_name = "DIR")]
    pub targets: Vec<String>,
    /// Print JSON
    #[arg(long)]
    pub json: bool,
    #[command(flatten)]
    pub build: BuildFlags,
}
