//! The command line of the workbench.

use clap::Args;

use super::BuildFlags;

// `kzui [DIR]`
#[derive(Clone, Debug, Default, Args)]
#[expect(clippy::struct_excessive_bools, reason = "each is a separate flag")]
pub struct Workbench {
    /// The directory with the kustomization file
    #[arg(default_value = ".")]
    pub dir: String,
    /// The theme, by name or by file
    #[arg(long, value_name = "NAME")]
    pub theme: Option<String>,
    /// Show this catalog too, besides those of the target; this neither fetches nor trusts it
    #[arg(long, value_name = "REF")]
    pub show_catalog: Vec<String>,
    /// Read-only: write no file, draft or trust decision; edits are lost at the end
    #[arg(long)]
    pub read_only: bool,
    /// Run allowed functions (by flag or trust) at opening and whenever their input changes; without this
    /// functions run only after R
    #[arg(long)]
    pub run_on_open: bool,
    /// Linear mode, line by line, for screen readers: no colours, no boxes (`KZUI_LINEAR=1`)
    #[arg(long)]
    pub linear: bool,
    /// Show the values of Secrets; V masks them and shows them again
    #[arg(long)]
    pub show_secrets: bool,
    #[command(flatten)]
    pub build: BuildFlags,
}
