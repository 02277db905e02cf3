//! `kzui openapi`: schemas from a cluster, and those that a build uses (KEP-2206, section E.3 of
//! the composition reference).

mod fetch;
mod info;
mod reduce;

use std::path::PathBuf;

use clap::{Args, Subcommand};

use super::{BuildFlags, CliPorts};
use crate::cli::failure::CommandResult;

#[derive(Clone, Debug, Subcommand)]
pub enum OpenApi {
    /// Fetch the schemas of a cluster with kubectl
    Fetch(OpenApiFetch),
    /// Print the version of the built-in schema; with a directory, the schemas of its layers too
    Info(Box<OpenApiInfo>),
}

#[derive(Clone, Debug, Args)]
#[command(
    after_help = "Examples:\n  kzui openapi fetch schema.json --crds-only\n  kzui openapi fetch --only apps/Deployment --context staging\n\nExit status: 0 on success, 1 if the cluster does not answer, and if the file exists (without --force) or cannot be written."
)]
pub struct OpenApiFetch {
    /// The file to write; standard output by default
    pub file: Option<PathBuf>,
    /// Replace the file if it exists
    #[arg(long, requires = "file")]
    pub force: bool,
    /// json or yaml; by default the extension of the file, else json
    #[arg(long, value_name = "FORMAT")]
    pub format: Option<String>,
    /// Only this type and the types that it references: apps/Deployment, core/Pod, or a kind of any group
    #[arg(long, value_name = "GROUP/KIND")]
    pub only: Vec<String>,
    /// Only the types that are not part of Kubernetes itself, and the types that they reference
    #[arg(long, conflicts_with = "only")]
    pub crds_only: bool,
    /// A context of the kubeconfig
    #[arg(long, value_name = "NAME")]
    pub context: Option<String>,
    /// The kubeconfig file to use instead of the default one
    #[arg(long, value_name = "PATH")]
    pub kubeconfig: Option<String>,
}

#[derive(Clone, Debug, Args)]
#[command(
    after_help = "Examples:\n  kzui openapi info\n  kzui openapi info overlays/production\n\nExit status: 0 on success, 1 if the build fails."
)]
pub struct OpenApiInfo {
    /// The directory with the kustomization file
    pub dir: Option<String>,
    #[command(flatten)]
    pub build: BuildFlags,
}

pub(super) fn run(command: &OpenApi, outside: &mut CliPorts<'_>) -> CommandResult {
    match command {
        OpenApi::Fetch(arguments) => fetch::run(arguments, outside),
        OpenApi::Info(arguments) => info::run(arguments, outside),
    }
}
