//! The flags of a build, for every command that builds.

use std::path::PathBuf;

use clap::Args;

use crate::answers::compare::Shard;

// The flags of `kustomize build` that change the result of a build.
#[derive(Clone, Debug, Default, Args)]
#[expect(clippy::struct_excessive_bools, reason = "each is a separate flag of Kustomize")]
pub struct BuildFlags {
    /// Build as this version of Kustomize does: v5.8.1, latest, master, kubectl-1.34, argocd-3.2 … (`kzui versions` lists them)
    #[arg(long, value_name = "NAME")]
    pub like: Option<String>,
    /// `LoadRestrictionsNone` also reads files outside the target's directory, so that the directory alone cannot be moved
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
    /// The name or path of the helm program
    #[arg(long, value_name = "PATH", default_value = "helm")]
    pub helm_command: String,
    /// Kubernetes API versions for helm
    #[arg(long, value_name = "VERSION")]
    pub helm_api_versions: Vec<String>,
    /// Kubernetes version for helm
    #[arg(long, value_name = "VERSION", default_value = "")]
    pub helm_kube_version: String,
    /// Run helm with --debug
    #[arg(long)]
    pub helm_debug: bool,
    /// Allow the network to functions that request it
    #[arg(long)]
    pub network: bool,
    /// The network that containers join
    #[arg(long, value_name = "NAME", default_value = "bridge")]
    pub network_name: String,
    /// A mount for functions
    #[arg(long, value_name = "SPEC")]
    pub mount: Vec<String>,
    /// An environment variable for functions, or a variable that Argo CD or Flux sets
    #[arg(short, long, value_name = "NAME[=VALUE]")]
    pub env: Vec<String>,
    /// Run containers as the current user
    #[arg(long)]
    pub as_current_user: bool,
    /// Enable Starlark functions; `kzui-starlark` evaluates them, confined
    #[arg(long)]
    pub enable_star: bool,
    /// The time limit of a function; 0 for no limit
    #[arg(long, value_name = "TIME", default_value = "5m")]
    pub function_timeout: String,
    /// Fail when a function reports a result of this severity or worse: error or warning
    #[arg(long, value_name = "SEVERITY")]
    pub fail_on_result: Option<String>,
    /// Refuse to run exec functions that this system cannot confine
    #[arg(long)]
    pub require_confinement: bool,
    /// Refuse to run an exec function if this system cannot limit the total memory and processes of the function and its children
    #[arg(long)]
    pub require_limits: bool,
    /// Write the results of functions into this directory, one file for each run
    #[arg(long, value_name = "DIR")]
    pub results_dir: Option<PathBuf>,
    /// Deprecated: use `buildMetadata: [managedByLabel]`
    #[arg(long, hide = true)]
    pub enable_managedby_label: bool,
    /// True if the command line contains `--enable-managedby-label=false`
    #[arg(long, hide = true)]
    pub enable_managedby_label_named: bool,
    /// Kustomize's flag for its own errors; errors of kzui always have a location
    #[arg(long, hide = true)]
    pub stack_trace: bool,
    /// Never fetch: use cached content, or fail
    #[arg(long)]
    pub offline: bool,
    /// Fetch the remotes, charts and catalogs of the target. Only `kzui build` fetches without this flag; other commands use cached content
    #[arg(long, conflicts_with = "offline")]
    pub fetch: bool,
    /// A catalog whose functions may run: a reference, with @sha256:… for exactly that content, or sha256:… alone
    #[arg(long, value_name = "REF")]
    pub trusted_catalog: Vec<String>,
    /// Run only functions of catalogs and images that this signer has signed: a public key file, or identity=NAME,issuer=URL with ca=FILE,log=FILE or root=FILE. Several: one is enough
    #[arg(long, value_name = "SIGNER")]
    pub require_signature: Vec<String>,
    /// Run images of catalogs that have a version tag and no digest
    #[arg(long)]
    pub allow_unpinned_images: bool,
    /// Refuse images of catalogs that are not pinned by digest
    #[arg(long)]
    pub require_pinned: bool,
    /// The names of --trusted-catalog in drafts of the proposal, whose second story writes
    /// `-catalog=…`
    #[arg(short = 'c', long = "catalog", aliases = ["trusted-plugin-catalog", "alpha-trusted-plugin-catalog"], hide = true, value_name = "REF", value_parser = reject_former_flag)]
    pub formerly_trusted_catalog: Vec<String>,
}

// The flags of a command that answers from builds.
#[derive(Clone, Debug, Args)]
pub struct AnswerFlags {
    /// Print JSON
    #[arg(long)]
    pub json: bool,
    /// Show the values of Secrets
    #[arg(long)]
    pub show_secrets: bool,
    #[command(flatten)]
    pub build: BuildFlags,
}

/// Refuses a former flag; the error names its replacement.
pub(super) fn reject_former_flag(value: &str) -> Result<String, String> {
    // `-catalog=REF` is read as `-c atalog=REF`.
    let reference = value.strip_prefix("atalog=").unwrap_or(value);
    Err(format!("unknown flag; did you mean --trusted-catalog={reference}?"))
}

/// The part of `--shard`.
pub(super) fn parse_shard(text: &str) -> Result<Shard, String> {
    Shard::parse(text).ok_or_else(|| "use K/N, from 1/N to N/N".to_owned())
}

pub(super) const AFTER_HELP: &str = "The build flags of `kzui build` work in the workbench too: `kzui help build`.\n\
Only `kzui build` fetches remotes; every other command uses cached content, and fetches with --fetch. In the workbench F fetches (asks first).\n\n\
Examples:\n  \
  kzui overlays/production              open the workbench on a target\n  \
  kzui build overlays/production        print what `kustomize build` prints\n  \
  kzui trace overlays/production        every step of the build, one line each\n  \
  kzui trace DIR --step 12 --diff       what one step changed\n\n\
Exit status: 0 success, 1 failed build or findings, 2 usage error; `kzui help COMMAND` has the details of each command.";
