//! `kzui mcp`: the arguments of the server for agents.

use clap::Args;

use super::BuildFlags;

#[derive(Clone, Debug, Args)]
#[command(
    after_help = "The server talks to an agent through standard input and output. Its tools are build, why, check, try_edit, where and compat. It reads files below FOLDER and git objects, masks Secrets, and runs, fetches and writes none.\n\n\
                  Examples:\n  kzui mcp\n  kzui mcp ~/shop\n\n\
                  Exit status: 0 when the agent ends the session, 1 if standard output is closed, 2 for a usage error."
)]
pub struct McpArgs {
    /// The folder that tools may read; by default the repository around the current folder
    #[arg(value_name = "FOLDER")]
    pub folder: Option<String>,
    /// The flags of the builds
    #[command(flatten)]
    pub build: BuildFlags,
}
