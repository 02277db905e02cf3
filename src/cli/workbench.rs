//! How the workbench is called.

use clap::Args;

use super::BuildFlags;

/// `kzui [DIR]`
#[derive(Clone, Debug, Args)]
#[expect(clippy::struct_excessive_bools, reason = "each is a flag of its own")]
pub struct Workbench {
    /// The directory with the kustomization file
    #[arg(default_value = ".")]
    pub dir: String,
    /// The theme, by name or by file
    #[arg(long, value_name = "NAME")]
    pub theme: Option<String>,
    /// Look at this catalog too, beside those of the tree; it is neither fetched nor trusted by that
    #[arg(long, value_name = "REF")]
    pub show_catalog: Vec<String>,
    /// Write nothing: no file, no draft, no decision about a catalog; what is tried out is gone when the workbench is left
    #[arg(long)]
    pub read_only: bool,
    /// Run at opening, and again whenever their input changes, the functions that flags or trust allow; without this
    /// nothing runs before R asks for it
    #[arg(long)]
    pub run_on_open: bool,
    /// Converse line by line, for screen readers: no colours, no boxes, nothing drawn over (`KZUI_LINEAR=1`)
    #[arg(long)]
    pub linear: bool,
    /// Show the values of Secrets; V masks them and shows them again
    #[arg(long)]
    pub show_secrets: bool,
    /// How the build is done
    #[command(flatten)]
    pub build: BuildFlags,
}

impl Workbench {
    /// The workbench on the working directory, without flags.
    pub fn here() -> Self {
        Self {
            dir: ".".to_owned(),
            theme: None,
            show_catalog: Vec::new(),
            run_on_open: false,
            linear: false,
            read_only: false,
            show_secrets: false,
            build: BuildFlags::default(),
        }
    }
}
