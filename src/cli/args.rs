//! The command line, declared once.

use std::ffi::OsString;
use std::path::PathBuf;

use clap::builder::OsStringValueParser;
use clap::{Args, Parser, Subcommand, ValueEnum};

/// A workbench on Kustomize builds: steps, diffs, blame, toggles.
#[derive(Clone, Debug, Parser)]
#[command(
    name = "kzui",
    version,
    args_conflicts_with_subcommands = true,
    disable_help_subcommand = true
)]
pub struct Arguments {
    /// What to do; the workbench opens when nothing is said.
    #[command(subcommand)]
    pub command: Option<Command>,
    /// The workbench.
    #[command(flatten)]
    pub workbench: Workbench,
}

/// `kzui [DIR]`
#[derive(Clone, Debug, Args)]
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
    /// Converse line by line, for screen readers: no colours, no boxes, nothing drawn over (`KZUI_LINEAR=1`)
    #[arg(long)]
    pub linear: bool,
    /// How the build is done
    #[command(flatten)]
    pub build: BuildFlags,
}

/// What kzui does without the workbench.
#[derive(Clone, Debug, Subcommand)]
pub enum Command {
    /// Build a kustomization target, as `kustomize build` does
    Build(Build),
    /// Print the recording of a build: every step and what it did
    Trace(Trace),
    /// Compare two builds, or all builds of two commits: what differs, and which edit made it so
    Diff(Box<super::Diff>),
    /// The fewest edits between two builds that make a field the same, found by trying
    WhyDiffer(Box<super::WhyDiffer>),
    /// Which targets a file or a resource reaches, and through which lines; or what nothing uses
    Where(Box<super::Where>),
    /// Draw who uses whom
    Graph(Box<super::Graph>),
    /// Look for a value or a field in all targets, at every step
    Grep(Box<super::Grep>),
    /// Print a Composition with its imports, overrides and order worked in; nothing is run
    Consolidate(Consolidate),
    /// Look at something without running it
    #[command(subcommand)]
    View(View),
    /// Have catalogs at hand
    #[command(subcommand)]
    Catalog(CatalogCommand),
    /// Decide which catalogs are trusted
    #[command(subcommand)]
    Trust(TrustCommand),
    /// Schemas: fetch them from a cluster, or see which a build uses
    #[command(subcommand, name = "openapi")]
    OpenApi(super::OpenApi),
    /// Print a completion script for a shell
    Completions {
        /// The shell
        shell: clap_complete::Shell,
    },
}

/// `kzui build`
#[derive(Clone, Debug, Args)]
pub struct Build {
    /// The directory with the kustomization file, or a git target
    #[arg(value_name = "DIR")]
    pub dirs: Vec<String>,
    /// Write to this file, or one file for each resource to this existing directory
    #[arg(short, long, value_name = "PATH", value_parser = OsStringValueParser::new())]
    pub output: Option<OsString>,
    /// How the build is done
    #[command(flatten)]
    pub build: BuildFlags,
}

/// `kzui consolidate`
#[derive(Clone, Debug, Args)]
pub struct Consolidate {
    /// The directory with the Composition, or its file
    #[arg(value_name = "DIR|composition.yaml", default_value = ".")]
    pub target: String,
    /// The form of the output
    #[arg(short, long, value_enum, default_value_t)]
    pub output: Format,
    /// Where entries come from, as comments (YAML only)
    #[arg(long, value_enum, default_value_t)]
    pub provenance: Provenance,
    /// How the build is done
    #[command(flatten)]
    pub build: BuildFlags,
}

/// `-o` of `kzui consolidate`
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum Format {
    /// YAML
    #[default]
    Yaml,
    /// JSON, without comments
    Json,
}

/// `--provenance` of `kzui consolidate`
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum Provenance {
    /// A comment above each entry
    #[default]
    Comments,
    /// None
    None,
}

/// `kzui trace`
#[derive(Clone, Debug, Args)]
#[expect(clippy::struct_excessive_bools, reason = "each is a flag of its own")]
pub struct Trace {
    /// The directory with the kustomization file
    #[arg(default_value = ".")]
    pub dir: String,
    /// As JSON, for scripts
    #[arg(long, group = "form")]
    pub json: bool,
    /// As YAML: what --json prints, for people
    #[arg(long, group = "form")]
    pub yaml: bool,
    /// With the time that each step took; with --json or --yaml
    #[arg(long, requires = "form")]
    pub times: bool,
    /// With the diff of every step
    #[arg(long)]
    pub diff: bool,
    /// Only the steps that touch this resource: KIND/NAME
    #[arg(long, value_name = "KIND/NAME")]
    pub resource: Option<String>,
    /// Only this step, by its number
    #[arg(long, value_name = "N")]
    pub step: Option<usize>,
    /// How the build is done
    #[command(flatten)]
    pub build: BuildFlags,
}

/// The flags of `kustomize build` that change what is built.
#[derive(Clone, Debug, Default, Args)]
#[expect(
    clippy::struct_excessive_bools,
    reason = "each is a flag of its own on Kustomize's command line"
)]
pub struct BuildFlags {
    /// `LoadRestrictionsNone` lets files outside the root be read, which breaks the relocatability of the target
    #[arg(long, value_name = "NAME", default_value = "LoadRestrictionsRootOnly")]
    pub load_restrictor: String,
    /// Deprecated: use `sortOptions`. `legacy` or `none`
    #[arg(long, value_name = "ORDER", hide = true)]
    pub reorder: Option<String>,
    /// Enable external plugins and functions
    #[arg(long)]
    pub enable_alpha_plugins: bool,
    /// Enable exec functions
    #[arg(long)]
    pub enable_exec: bool,
    /// Enable the helm chart inflation generator
    #[arg(long)]
    pub enable_helm: bool,
    /// The helm command
    #[arg(long, value_name = "PATH", default_value = "helm")]
    pub helm_command: String,
    /// Kubernetes API versions for helm
    #[arg(long, value_name = "VERSION")]
    pub helm_api_versions: Vec<String>,
    /// Kubernetes version for helm
    #[arg(long, value_name = "VERSION", default_value = "")]
    pub helm_kube_version: String,
    /// Debug output of helm
    #[arg(long)]
    pub helm_debug: bool,
    /// Functions that ask for it may use the network
    #[arg(long)]
    pub network: bool,
    /// The network of containers
    #[arg(long, value_name = "NAME", default_value = "bridge")]
    pub network_name: String,
    /// A mount for functions
    #[arg(long, value_name = "SPEC")]
    pub mount: Vec<String>,
    /// An environment variable for functions
    #[arg(short, long, value_name = "NAME[=VALUE]")]
    pub env: Vec<String>,
    /// Containers run as the current user
    #[arg(long)]
    pub as_current_user: bool,
    /// Enable Starlark functions
    #[arg(long)]
    pub enable_star: bool,
    /// How long a function may take; 0 for no limit
    #[arg(long, value_name = "TIME", default_value = "5m")]
    pub function_timeout: String,
    /// Fail when a function reports a result of this severity or worse: error or warning
    #[arg(long, value_name = "SEVERITY")]
    pub fail_on_result: Option<String>,
    /// Refuse to run exec functions that cannot be confined here
    #[arg(long)]
    pub require_confinement: bool,
    /// Write what functions report into this directory, one file for each run
    #[arg(long, value_name = "DIR")]
    pub results_dir: Option<PathBuf>,
    /// Deprecated: use `buildMetadata: [managedByLabel]`
    #[arg(long, hide = true)]
    pub enable_managedby_label: bool,
    /// Kustomize's, for its own errors; those of kzui say without it where they come from
    #[arg(long, hide = true)]
    pub stack_trace: bool,
    /// Fetch nothing: use what is on the machine, or fail
    #[arg(long)]
    pub offline: bool,
    /// A catalog whose functions may run: a reference, with @sha256:… for exactly that content, or sha256:… alone
    #[arg(long, value_name = "REF")]
    pub trusted_catalog: Vec<String>,
    /// Run images of catalogs that have a version tag and no digest
    #[arg(long)]
    pub allow_unpinned_images: bool,
    /// Refuse images of catalogs that are not pinned by digest
    #[arg(long)]
    pub require_pinned: bool,
    /// The names that drafts of the proposal had for --trusted-catalog; its second story writes `-catalog=…`
    #[arg(short = 'c', long, aliases = ["trusted-plugin-catalog", "alpha-trusted-plugin-catalog", "catalog"], hide = true, value_name = "REF", value_parser = formerly)]
    pub formerly_trusted_catalog: Vec<String>,
}

fn formerly(_: &str) -> Result<String, String> {
    Err("unknown flag; did you mean --trusted-catalog?".to_owned())
}

/// `kzui view`
#[derive(Clone, Debug, Subcommand)]
pub enum View {
    /// Show a function catalog: who publishes what, how it runs, what it asks for. Runs and downloads no function
    Catalog(ViewCatalog),
}

/// `kzui view catalog`
#[derive(Clone, Debug, Args)]
pub struct ViewCatalog {
    /// A file, a directory with catalog.yaml, https://…, a git reference, oci://… or oci-layout:…
    #[arg(value_name = "REF")]
    pub reference: String,
    /// The form of the output
    #[arg(short, long, value_enum, default_value_t)]
    pub output: CatalogFormat,
    /// A catalog that counts as trusted
    #[arg(long, value_name = "REF")]
    pub trusted_catalog: Vec<String>,
    /// Fetch nothing: use what is on the machine, or fail
    #[arg(long)]
    pub offline: bool,
}

/// How a catalog is printed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum CatalogFormat {
    /// For people
    #[default]
    Text,
    /// The normalised catalog with diagnostics and trust
    Json,
    /// The same as YAML
    Yaml,
}

/// `kzui catalog`
#[derive(Clone, Debug, Subcommand)]
pub enum CatalogCommand {
    /// Fetch catalogs into the cache, for builds with --offline
    Fetch(CatalogFetch),
}

/// `kzui catalog fetch`
#[derive(Clone, Debug, Args)]
pub struct CatalogFetch {
    /// The catalogs
    #[arg(value_name = "REF", required = true)]
    pub references: Vec<String>,
    /// Their scripts and binaries too, checked and not run
    #[arg(long)]
    pub with_functions: bool,
    /// Only say what is in the cache
    #[arg(long)]
    pub offline: bool,
}

/// `kzui trust`
#[derive(Clone, Debug, Subcommand)]
pub enum TrustCommand {
    /// List the catalogs that are trusted
    List,
    /// Trust a catalog as it is now, after showing what it offers or what changed
    Add {
        /// The catalog
        #[arg(value_name = "REF")]
        reference: String,
        /// Trust the reference whatever its content becomes
        #[arg(long)]
        any_content: bool,
        /// The function whose wider permissions are agreed to
        #[arg(long, value_name = "FUNCTION")]
        widened: Option<String>,
        /// Fetch nothing: use what is on the machine, or fail
        #[arg(long)]
        offline: bool,
    },
    /// Trust a catalog no longer
    Remove {
        /// The catalog
        #[arg(value_name = "REF")]
        reference: String,
    },
    /// Show what changed since a catalog was trusted; exit 1 when something did
    Diff {
        /// The catalog
        #[arg(value_name = "REF")]
        reference: String,
        /// Fetch nothing: use what is on the machine, or fail
        #[arg(long)]
        offline: bool,
    },
}

impl Command {
    /// True when nothing may be fetched.
    pub fn is_offline(&self) -> bool {
        match self {
            Self::Build(build) => build.build.offline,
            Self::Trace(trace) => trace.build.offline,
            Self::Diff(diff) => diff.build.offline,
            Self::WhyDiffer(why) => why.build.offline,
            Self::Where(it) => it.build.offline,
            Self::Graph(it) => it.build.offline,
            Self::Grep(it) => it.build.offline,
            Self::Consolidate(consolidate) => consolidate.build.offline,
            Self::OpenApi(super::OpenApi::Info(info)) => info.build.offline,
            Self::View(View::Catalog(view)) => view.offline,
            Self::Catalog(CatalogCommand::Fetch(fetch)) => fetch.offline,
            Self::Trust(TrustCommand::Add { offline, .. } | TrustCommand::Diff { offline, .. }) => {
                *offline
            }
            _ => false,
        }
    }
}
