//! The command line, declared once.

use std::ffi::OsString;
use std::path::PathBuf;

use super::{BuildFlags, FunctionCommand, Workbench};
use super::{check::CheckArgs, explain::Explain};
use clap::builder::OsStringValueParser;
use clap::{Args, Parser, Subcommand, ValueEnum};

use crate::engine::load::Network;

/// The text of `--version` after the name of the program; `-V` prints its first word.
const LONG_VERSION: &str = concat!(
    env!("CARGO_PKG_VERSION"),
    "\ncommit ",
    env!("KZUI_COMMIT"),
    "\nprofile ",
    env!("KZUI_PROFILE"),
    "\ntarget ",
    env!("KZUI_TARGET"),
);

/// A workbench on Kustomize builds: steps, diffs, blame, toggles.
#[derive(Clone, Debug, Parser)]
#[command(
    name = "kzui",
    version,
    long_version = LONG_VERSION,
    args_conflicts_with_subcommands = true,
    after_help = super::build_flags::AFTER_HELP
)]
pub struct Arguments {
    /// The command; without one the workbench opens.
    #[command(subcommand)]
    pub command: Option<CliCommand>,
    #[command(flatten)]
    pub workbench: Workbench,
    /// The downloads that the command may make.
    #[arg(skip)]
    pub network: Network,
}

/// The commands without the workbench. The arguments of each are made when it is parsed: those of
/// all commands are a quarter of the time of a short run. A doc comment of a struct of arguments
/// would take the place of the description here.
#[derive(Clone, Debug, Subcommand)]
#[command(defer = true)]
pub enum CliCommand {
    /// Build a kustomization target, as `kustomize build` does
    Build(BuildArgs),
    /// Print the steps of a build and their changes
    Trace(TraceArgs),
    /// Print the writers of a field: step, file and line, the final writer first
    Why(super::why::WhyArgs),
    /// Print the output with the file, line and step of each value beside it
    Blame(super::blame::BlameArgs),
    /// Map the findings of linters in rendered manifests to the lines of the sources
    Remap(Box<super::remap::Remap>),
    /// Compare two builds, or all builds of two commits: the differences and the edits that cause them
    Diff(Box<super::Diff>),
    /// Write everything that a build reads into one file, with values of Secrets masked; `kzui FILE` opens it
    Record(Box<super::record::RecordArgs>),
    /// Find the fewest edits that cause a difference of a field between two builds (verified)
    WhyDiffer(Box<super::WhyDiffer>),
    /// Find the commit that changed a value or broke a build, without checking out any commit
    Bisect(Box<super::bisect::Bisect>),
    /// Find neighbours in the lists of a target whose order matters
    Order(Box<super::what_if::OrderArgs>),
    /// Build the components of a target in all combinations, and print their conflicts and requirements
    Matrix(Box<super::what_if::MatrixArgs>),
    /// List the targets that use a file or a resource, with the lines that connect them; or unused files
    Where(Box<super::repository::WhereArgs>),
    /// Draw the dependency graph
    Graph(Box<super::repository::GraphArgs>),
    /// Search values and fields of all targets, at every step
    Grep(Box<super::repository::Grep>),
    /// List the values of fields in all targets as a table
    Table(Box<super::repository::Table>),
    /// List the images of all targets, by version
    Images(Box<super::repository::Images>),
    /// Print a Composition with its imports, overrides and order applied; runs no function
    Consolidate(Consolidate),
    /// List the kept drafts of a target: edits of the workbench that are not written
    Drafts(super::drafts::Drafts),
    /// Show which overlays list which components, with the effect of each
    Components(super::components::Components),
    /// Inspect a catalog
    #[command(subcommand)]
    View(ViewCommand),
    /// Check, fetch and pin catalogs of functions
    #[command(subcommand)]
    Catalog(CatalogCommand),
    /// Write, run and test functions
    #[command(name = "fn", subcommand)]
    Function(FunctionCommand),
    /// Trust catalogs, or revoke their trust
    #[command(subcommand)]
    Trust(TrustCommand),
    /// Fetch the schemas of a cluster, or print the schemas of a build
    #[command(subcommand, name = "openapi")]
    OpenApi(super::openapi::OpenApi),
    /// Build every target below some paths, and report problems
    Check(Box<CheckArgs>),
    /// Write deprecated fields in their new form, verified in every target
    Migrate(Box<super::migrate::MigrateArgs>),
    /// Move a file or folder with every reference to it, verified in every target
    Mv(Box<super::refactor::MoveArgs>),
    /// Move the common part of overlays to a base or component, verified in every target
    Extract(Box<super::refactor::ExtractArgs>),
    /// Move the entries of a base or component into a target that lists it, verified in every target
    Inline(Box<super::refactor::InlineArgs>),
    /// Write a Kustomization as a Composition, or the reverse, verified in every target
    Convert(Box<super::refactor::ConvertArgs>),
    /// Remove entries without effect and manifests in no build, verified in every target
    Prune(Box<super::refactor::PruneArgs>),
    /// Edit a kustomization file as `kustomize edit` does, in place, and show the changed outputs
    Edit(Box<super::edit::EditArgs>),
    /// List verified edits that give a field in the output of a target a new value, and write one of them
    Set(Box<super::set::SetArgs>),
    /// Serve an editor: the language server for kustomizations, patches and resources
    Lsp(Box<LspArgs>),
    /// Serve an agent: six read-only tools over the Model Context Protocol
    Mcp(Box<McpArgs>),
    /// Explain the code of a diagnostic; without one, list all codes
    Explain(Explain),
    /// List the targets that another version of Kustomize builds differently, with the reasons
    Compat(Compat),
    /// List the version profiles: the releases and programs that a build can imitate
    Versions(Versions),
    /// Write the demo into a folder of your choice, and open it with a tour
    Demo(super::Demo),
    /// Print the version
    Version,
    /// Print a completion script for a shell
    Completions {
        /// The shell to print the script for
        shell: clap_complete::Shell,
    },
    /// Write a manual page for each command into a directory, for packages
    #[command(hide = true)]
    Man {
        /// The directory; created if it does not exist
        directory: PathBuf,
    },
}

#[derive(Clone, Debug, Args)]
#[command(
    after_help = "Examples:\n  kzui build overlays/production\n  kzui build overlays/production --like argocd-3.2\n  kzui build https://github.com/org/repo//overlays/dev?ref=v1\n\nExit status: 0 on success, 1 for every error, as with `kustomize build`."
)]
pub struct BuildArgs {
    /// The directory with the kustomization file, or a git target
    #[arg(value_name = "DIR")]
    pub dirs: Vec<String>,
    /// Write to this file, or one file for each resource to this existing directory
    #[arg(short, long, value_name = "PATH", value_parser = OsStringValueParser::new())]
    pub output: Option<OsString>,
    /// Write a source map to this file: the lines of every field in the output, and its files and lines in the sources.
    /// A failed build removes an earlier map
    #[arg(long, value_name = "FILE")]
    pub map: Option<PathBuf>,
    #[command(flatten)]
    pub build: BuildFlags,
}

#[derive(Clone, Debug, Args)]
#[command(
    after_help = "Examples:\n  kzui consolidate app/\n  kzui consolidate app/ -o json\n\nExit status: 0 on success, 1 without a Composition or if it cannot be consolidated, 2 for a usage error."
)]
pub struct Consolidate {
    /// The directory with the Composition, or its file
    #[arg(value_name = "DIR|composition.yaml", default_value = ".")]
    pub target: String,
    /// The format of the output
    #[arg(short, long, value_enum, default_value_t)]
    pub output: Format,
    /// The origin of each entry, as comments (YAML only)
    #[arg(long, value_enum, default_value_t)]
    pub provenance: Provenance,
    #[command(flatten)]
    pub build: BuildFlags,
}

/// `-o` of `kzui consolidate`
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum Format {
    /// YAML, with comments
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
    /// No comments
    None,
}

#[derive(Clone, Debug, Args)]
#[expect(clippy::struct_excessive_bools, reason = "each is a separate flag")]
#[command(
    after_help = "Examples:\n  kzui trace overlays/production\n  kzui trace overlays/production --step 12 --diff\n  kzui trace overlays/production --resource Deployment/web --watch spec.replicas\n\nExit status: 0 on success, 1 if the build fails or is pending, or no step matches, 2 for a usage error."
)]
pub struct TraceArgs {
    /// The directory with the kustomization file
    #[arg(default_value = ".")]
    pub dir: String,
    /// Print JSON, for scripts
    #[arg(long, group = "form")]
    pub json: bool,
    /// Print YAML: the content of --json, for people
    #[arg(long, group = "form")]
    pub yaml: bool,
    /// Add the time of each step to --json or --yaml
    #[arg(long, requires = "form")]
    pub times: bool,
    /// Show the diff of every step
    #[arg(long)]
    pub diff: bool,
    /// Show the values of Secrets
    #[arg(long)]
    pub show_secrets: bool,
    /// Only the steps that touch this resource: KIND/NAME
    #[arg(long, value_name = "KIND/NAME")]
    pub resource: Option<String>,
    /// Only this step, by its number
    #[arg(long, value_name = "N")]
    pub step: Option<usize>,
    /// Only the steps that write this field of the resource, with the value before and after
    #[arg(long, value_name = "FIELD", requires = "resource")]
    pub watch: Option<String>,
    /// Only the steps at which this happens: `appears` or `gone` (needs --resource), `equals:VALUE` (needs --watch), `problem`
    #[arg(long, value_name = "CONDITION")]
    pub stop_at: Option<String>,
    #[command(flatten)]
    pub build: BuildFlags,
}

#[derive(Clone, Debug, Args)]
#[command(
    after_help = "Examples:\n  kzui compat --from v5.4.2 --to latest\n  kzui compat --to argocd-3.2 overlays\n\nExit status: 0 if every target has the same output, 1 if some differ, 2 for a usage error, 3 if none is known to differ and some are not known."
)]
pub struct Compat {
    /// The directories; every kustomization in and below them is built
    #[arg(value_name = "DIR", default_value = ".")]
    pub dirs: Vec<String>,
    /// The current version profile; by default the profile of --like, the environment and the
    /// config files
    #[arg(long, value_name = "NAME")]
    pub from: Option<String>,
    /// The version profile to compare with; latest by default
    #[arg(long, value_name = "NAME")]
    pub to: Option<String>,
    /// The format of the output
    #[arg(short, long, value_enum, default_value_t)]
    pub output: CompatFormat,
    #[command(flatten)]
    pub build: BuildFlags,
}

/// `-o` of `kzui compat`
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum CompatFormat {
    /// For people
    #[default]
    Text,
    /// For programs
    Json,
    /// For a review
    Markdown,
}

#[derive(Clone, Copy, Debug, Args)]
pub struct Versions {
    /// Print JSON, for scripts
    #[arg(long)]
    pub json: bool,
}

#[derive(Clone, Debug, Subcommand)]
pub enum ViewCommand {
    /// Show a function catalog: publishers, runtimes, requested permissions. Runs and downloads no function
    Catalog(ViewCatalog),
}

#[derive(Clone, Debug, Args)]
#[command(
    after_help = "Examples:\n  kzui view catalog platform/catalog\n  kzui view catalog oci://registry.example.com/catalog:v1\n\nExit status: 0 on success, 1 if the catalog cannot be fetched or read."
)]
pub struct ViewCatalog {
    /// A file, a directory with catalog.yaml, https://…, a git reference, oci://… or oci-layout:…
    #[arg(value_name = "REF")]
    pub reference: String,
    /// The format of the output
    #[arg(short, long, value_enum, default_value_t)]
    pub output: CatalogFormat,
    /// The signer that must have signed the catalog: a public key file, or identity=NAME,issuer=URL with ca=FILE,log=FILE or root=FILE. Several: one is enough
    #[arg(long, value_name = "SIGNER")]
    pub require_signature: Vec<String>,
    /// A catalog that counts as trusted
    #[arg(long, value_name = "REF")]
    pub trusted_catalog: Vec<String>,
    /// Never fetch: use cached content, or fail
    #[arg(long)]
    pub offline: bool,
}

/// The form in which a catalog is printed.
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

#[derive(Clone, Debug, Subcommand)]
pub enum CatalogCommand {
    /// Fetch catalogs into the cache, for builds with --offline
    Fetch(CatalogFetch),
    /// Check a catalog before it is published
    Lint(CatalogLint),
    /// Write the digests of scripts and programs into a catalog
    Pin(CatalogPin),
    /// Publish a catalog and its files in a registry or an OCI layout
    Push(CatalogPush),
    /// Compare the catalogs of kzui.lock with their current content
    Outdated(CatalogOutdated),
}

#[derive(Clone, Debug, Args)]
#[command(
    after_help = "Examples:\n  kzui catalog lint platform/catalog\n  kzui catalog lint platform/catalog --format github --strict\n\n`kzui explain CODE` explains a code.\n\nExit status: 0 on success, 1 with errors (with --strict also with warnings), and if a catalog cannot be read."
)]
pub struct CatalogLint {
    /// The catalogs: PATH, URL or `oci://REGISTRY/NAME:TAG`
    #[arg(value_name = "REF", required = true)]
    pub references: Vec<String>,
    /// The format of the output
    #[arg(long, value_enum, default_value_t)]
    pub format: LintFormat,
    /// Fail on warnings too
    #[arg(long)]
    pub strict: bool,
    /// Never fetch: use cached content, or fail
    #[arg(long)]
    pub offline: bool,
}

/// The form of the findings.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum LintFormat {
    /// One line for each finding
    #[default]
    Text,
    /// Annotations of GitHub Actions
    Github,
}

#[derive(Clone, Debug, Args)]
#[command(
    after_help = "Examples:\n  kzui catalog pin platform/catalog\n  kzui catalog pin platform/catalog --write\n\nExit status: 0 when every file has its digest, 1 when a digest is missing and was not written."
)]
pub struct CatalogPin {
    /// A local catalog
    #[arg(value_name = "REF")]
    pub reference: String,
    /// Write the digests; without this flag only the diff is shown
    #[arg(long)]
    pub write: bool,
}

#[derive(Clone, Debug, Args)]
#[command(
    after_help = "Examples:\n  kzui catalog push platform/catalog oci://registry.example.com/platform/catalog:v1\n  kzui catalog push platform/catalog oci-layout:build/catalog:v1 --yes\n\nThe catalog is published unchanged, with the files that it names by a path as further layers; each needs its digest in the catalog. Credentials are those of docker and podman.\n\nExit status: 0 when the destination has the content, 1 when it was not published."
)]
pub struct CatalogPush {
    /// A local catalog
    #[arg(value_name = "REF")]
    pub reference: String,
    /// The destination: `oci://REGISTRY/NAME:TAG` or `oci-layout:DIR:TAG`
    #[arg(value_name = "DESTINATION")]
    pub destination: String,
    /// Publish without a question
    #[arg(long)]
    pub yes: bool,
}

#[derive(Clone, Debug, Args)]
#[command(
    after_help = "Examples:\n  kzui catalog outdated\n  kzui catalog outdated --fetch\n\nExit status: 0 when all content is as locked, 1 when some differs or cannot be fetched, 2 without a lock file, 3 when some was not fetched."
)]
pub struct CatalogOutdated {
    /// A folder; kzui.lock is read from it or from a folder above it
    #[arg(value_name = "DIR", default_value = ".")]
    pub directory: String,
    /// Fetch the remote catalogs of the lock file; without this flag only local ones are compared
    #[arg(long)]
    pub fetch: bool,
}

#[derive(Clone, Debug, Args)]
#[command(
    after_help = "Examples:\n  kzui catalog fetch oci://registry.example.com/catalog:v1 --with-functions\n\nExit status: 0 on success, 1 if something cannot be fetched."
)]
pub struct CatalogFetch {
    /// The catalogs: PATH, URL or `oci://REGISTRY/NAME:TAG`
    #[arg(value_name = "REF", required = true)]
    pub references: Vec<String>,
    /// Fetch and check the scripts and binaries of the catalogs too, without running them
    #[arg(long)]
    pub with_functions: bool,
    /// Only list the cached content
    #[arg(long)]
    pub offline: bool,
}

#[derive(Clone, Debug, Subcommand)]
pub enum TrustCommand {
    /// List the catalogs that are trusted
    #[command(
        after_help = "Examples:\n  kzui trust list\n\nExit status: 0 on success, 1 if the records cannot be read."
    )]
    List,
    /// Trust the current content of a catalog, after a review
    ///
    /// Shows images, programs and scripts with their digests, the text of scripts, permissions, and
    /// the number of objects and Secrets that the functions see; then asks. Without a terminal it
    /// shows the same review, and trusts with --yes only. The decision covers the catalog and each
    /// file that it names: changed content needs a new decision.
    #[command(
        after_help = "Examples:\n  kzui trust add platform/catalog\n  kzui trust add platform/catalog --yes --lock\n  kzui trust add platform/catalog --require-signature cosign.pub\n  kzui trust add oci://registry.example.com/catalog:v1 --any-content\n\nExit status: 0 when trusted, 1 when not: no --yes and no terminal, the catalog cannot be fetched, is not signed by a required signer, or requests more permissions than agreed to."
    )]
    Add(TrustAdd),
    /// Stop trusting a catalog
    #[command(
        after_help = "Examples:\n  kzui trust remove platform/catalog\n\nExit status: 0 on success, 1 if the catalog is not trusted."
    )]
    Remove {
        /// The catalog
        #[arg(value_name = "REF")]
        reference: String,
    },
    /// Show what changed since a catalog was trusted
    #[command(
        after_help = "Examples:\n  kzui trust diff platform/catalog\n\nExit status: 0 without changes, 1 with changes, and for a catalog that is not trusted or cannot be fetched."
    )]
    Diff {
        /// The catalog
        #[arg(value_name = "REF")]
        reference: String,
        /// The signer that must have signed the catalog: a public key file, or identity=NAME,issuer=URL with ca=FILE,log=FILE or root=FILE. Several: one is enough
        #[arg(long, value_name = "SIGNER")]
        require_signature: Vec<String>,
        /// Never fetch: use cached content, or fail
        #[arg(long)]
        offline: bool,
    },
}

#[derive(Clone, Debug, Args)]
#[expect(clippy::struct_excessive_bools, reason = "each is a separate flag")]
pub struct TrustAdd {
    /// The catalog
    #[arg(value_name = "REF")]
    pub reference: String,
    /// Trust after showing the review, without asking
    #[arg(long)]
    pub yes: bool,
    /// Trust the reference with any content, now and later
    #[arg(long)]
    pub any_content: bool,
    /// Accept the wider permissions of this function
    #[arg(long, value_name = "FUNCTION")]
    pub widened: Option<String>,
    /// Record the content in kzui.lock, which CI and teammates read; without this flag an existing kzui.lock is updated, and none is created
    #[arg(long)]
    pub lock: bool,
    /// Your name in kzui.lock; your user name by default
    #[arg(long, value_name = "NAME")]
    pub reviewer: Option<String>,
    /// The signer that must have signed the catalog: a public key file, or identity=NAME,issuer=URL with ca=FILE,log=FILE or root=FILE. Several: one is enough
    #[arg(long, value_name = "SIGNER")]
    pub require_signature: Vec<String>,
    /// Never fetch: use cached content, or fail
    #[arg(long)]
    pub offline: bool,
}

#[derive(Clone, Debug, Args)]
#[command(
    after_help = "The server talks to an editor through standard input and output. Open documents are a draft: it reads files, and runs, fetches and writes none.\n\n\
                  Examples:\n  kzui lsp\n  kzui lsp --like argocd-3.2\n\n\
                  Exit status: 0 when the editor ends the session, 1 if standard output is closed, 2 for a usage error."
)]
pub struct LspArgs {
    #[command(flatten)]
    pub build: BuildFlags,
}

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
    #[command(flatten)]
    pub build: BuildFlags,
}
