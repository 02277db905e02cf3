//! `kzui lsp`: the arguments of the language server.

use clap::Args;

use super::BuildFlags;

#[derive(Clone, Debug, Args)]
#[command(
    after_help = "The server talks to an editor through standard input and output. Open documents are a draft: it reads files, and runs, fetches and writes none.\n\n\
                  Examples:\n  kzui lsp\n  kzui lsp --like argocd-3.2\n\n\
                  Exit status: 0 when the editor ends the session, 1 if standard output is closed, 2 for a usage error."
)]
pub struct LspArgs {
    /// The flags of the builds
    #[command(flatten)]
    pub build: BuildFlags,
}
