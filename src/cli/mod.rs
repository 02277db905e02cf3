//! Headless commands: the command line, `build`, `trace` and the printing of errors.

mod args;
mod bisect;
mod blame;
mod build;
mod build_flags;
mod catalog;
mod changes;
mod check;
mod compat;
mod components;
mod consolidate;
mod demo;
mod diff;
mod document;
mod drafts;
mod edit;
mod explain;
mod failure;
mod function;
mod man;
mod migrate;
mod object_names;
mod openapi;
mod options;
mod place;
mod record;
mod refactor;
mod remap;
mod report;
mod repository;
mod review_text;
mod sarif;
mod set;
mod targets;
mod trace;
mod trust;
mod versions;
mod what_if;
mod why;
mod words;
mod workbench;

pub use crate::repository::{ProfileSettings, REPOSITORY_FILE, profile_of, with_target_profiles};
pub use args::{
    Arguments, BuildArgs, CatalogCommand, CatalogFetch, CatalogFormat, CatalogLint,
    CatalogOutdated, CatalogPin, CatalogPush, CliCommand, Compat, CompatFormat, Consolidate,
    Format, LintFormat, LspArgs, McpArgs, Provenance, TraceArgs, TrustAdd, TrustCommand, Versions,
    ViewCatalog, ViewCommand,
};
pub use build_flags::{AnswerFlags, BuildFlags};
pub use demo::{Demo, FIRST_TARGET};
pub use diff::{Diff, DiffFormat, WhyDiffer};
pub use explain::{Explain, diagnostics_book};
use function::FunctionCommand;
pub use object_names::object_argument;
pub use options::{build_options, signer_options, trust_options};
pub use record::parse_recorded_flags;
pub use words::{
    UnparsedCommandLine, is_command, parse_arguments, similar_command, takes_next_word,
};
pub use workbench::Workbench;

use std::path::{Path, PathBuf};
use std::sync::Arc;

use self::failure::{CommandResult, Failure};
use crate::display::Printer;
use crate::draft::{FileChange, ListedDraft};
use crate::engine::evaluate::{BuildCache, BuildOptions, Evaluation, Ports, StepId, evaluate};
use crate::engine::load::{Network, Publisher};
use crate::engine::plugin::{Sandbox, TrustStore, TrustedCatalog};
use crate::repository::{Commits, Listing, RepositoryCache};

/// The variable by which a shell requests completions; its value names the shell.
pub const COMPLETION_VARIABLE: &str = "KZUI_COMPLETE";

/// The files that differ from a git commit, or git's error message.
pub type ChangedSince = dyn Fn(&Path, &str) -> Result<Vec<PathBuf>, String>;

/// Replaces the content of a file by these bytes; without bytes, deletes the file.
pub type Replace = dyn Fn(&Path, Option<&[u8]>) -> std::io::Result<()>;

/// Writes changes of files together; the words describe the write in the log.
pub type WriteTogether = dyn Fn(&Path, &[String], &[FileChange]) -> std::io::Result<Option<String>>;

pub struct CliPorts<'a> {
    pub ports: Ports,
    /// The downloads that the remote port makes.
    pub network: Network,
    pub current: PathBuf,
    pub out: Printer<'a>,
    pub err: Printer<'a>,
    /// Writes a file of `-o`.
    pub write: &'a dyn Fn(&Path, &[u8]) -> std::io::Result<()>,
    /// Writes a temporary file next to the destination and renames it when it is complete; without
    /// bytes, deletes the file.
    pub replace: &'a Replace,
    /// Writes changes of the files of a repository together, all or none, and logs them with these
    /// words, so that the write can be reverted. Returns a note if they could not be logged.
    pub write_together: &'a WriteTogether,
    /// Creates a directory and its parents, unless they exist.
    pub create_directory: &'a dyn Fn(&Path) -> std::io::Result<()>,
    /// The files that differ from a git commit, in the repository of a directory.
    pub changed_since: &'a ChangedSince,
    pub is_directory: &'a dyn Fn(&Path) -> bool,
    /// True if the environment requests the managed-by label.
    pub managed_by_label: bool,
    pub palette: Palette,
    /// The version profile of a build if the command line sets none.
    pub like: ProfileSettings,
    pub trust: TrustPorts<'a>,
    pub publisher: &'a dyn Publisher,
    pub repository: RepositoryPorts<'a>,
}

impl CliPorts<'_> {
    fn work_tree_root(&self, folder: &Path) -> Option<PathBuf> {
        Some((self.repository.commits)(folder).ok()?.work_tree_root().to_owned())
    }

    fn report(
        &mut self,
        is_json: bool,
        report: &impl serde::Serialize,
        text: impl FnOnce() -> String,
    ) -> std::io::Result<()> {
        if is_json { self.out.json(report) } else { self.out.text(&text()) }
    }
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Palette {
    #[default]
    Plain,
    Coloured,
}

type OpenCommits = dyn Fn(&Path) -> Result<Arc<dyn Commits>, String>;
type ListDrafts = dyn Fn(&Path) -> Vec<ListedDraft>;

impl RepositoryPorts<'_> {
    /// Ports without lists of files, commits and drafts: files are found by name only.
    pub fn none() -> Self {
        Self {
            listing: Arc::new(crate::repository::ListedFiles::default()),
            indexes: RepositoryCache::default(),
            commits: &|_| Err("no repository".to_owned()),
            drafts: &|_| Vec::new(),
            input: &|| Ok(Vec::new()),
            salt: [0; 16],
        }
    }
}

pub struct RepositoryPorts<'a> {
    /// The files below a folder of the disk.
    pub listing: Arc<dyn Listing>,
    /// The indexes of the repositories whose files are cached.
    pub indexes: RepositoryCache,
    pub commits: &'a OpenCommits,
    pub drafts: &'a ListDrafts,
    pub input: &'a dyn Fn() -> std::io::Result<Vec<u8>>,
    /// The random salt of the texts that replace masked values, constant for the life of the
    /// process.
    pub salt: [u8; 16],
}

pub struct TrustPorts<'a> {
    pub store: &'a dyn TrustStore,
    pub preferences: Vec<TrustedCatalog>,
    /// The time as RFC 3339.
    pub now: &'a dyn Fn() -> String,
    /// The sandbox of the programs of catalogs; determined only when it is shown.
    pub sandbox: &'a dyn Fn() -> Sandbox,
    /// True if users may trust further catalogs; false for a program that is built for its own
    /// catalog only.
    pub allows_additions: bool,
    pub user: String,
    /// Asks on the terminal, and returns the typed line; `None` without a terminal.
    pub ask: &'a dyn Fn(&str) -> std::io::Result<Option<String>>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Exit(pub u8);

impl Exit {
    pub const OK: Self = Self(0);
    pub const FAILED: Self = Self(1);
    pub const USAGE: Self = Self(2);
    /// Not known: something was not fetched or not run (ruling 29).
    pub const NOT_KNOWN: Self = Self(3);
}

pub fn run(command: &CliCommand, outside: &mut CliPorts<'_>) -> std::io::Result<Exit> {
    match answer(command, outside) {
        Ok(exit) | Err(Failure::Printed(exit)) => Ok(exit),
        Err(Failure::Message(words, exit)) => {
            writeln!(outside.err, "error: {words}")?;
            Ok(exit)
        }
        Err(Failure::Stream(error)) => Err(error),
    }
}

#[expect(clippy::too_many_lines, reason = "one arm per command")]
fn answer(command: &CliCommand, outside: &mut CliPorts<'_>) -> CommandResult {
    let named = object_names::with_files_of_objects(command, outside)?;
    match named.as_ref().unwrap_or(command) {
        CliCommand::Build(arguments) => build::run(arguments, outside),
        CliCommand::Check(arguments) => check::run(arguments, outside),
        CliCommand::Migrate(arguments) => migrate::run(arguments, outside),
        CliCommand::Mv(arguments) => refactor::move_path(arguments, outside),
        CliCommand::Extract(arguments) => refactor::extract(arguments, outside),
        CliCommand::Inline(arguments) => refactor::inline(arguments, outside),
        CliCommand::Convert(arguments) => refactor::convert(arguments, outside),
        CliCommand::Prune(arguments) => refactor::prune(arguments, outside),
        CliCommand::Edit(arguments) => edit::run(arguments, outside),
        CliCommand::Set(arguments) => set::run(arguments, outside),
        CliCommand::Trace(arguments) => trace::run(arguments, outside),
        CliCommand::Why(arguments) => why::run(arguments, outside),
        CliCommand::Blame(arguments) => blame::run(arguments, outside),
        CliCommand::Remap(arguments) => remap::run(arguments, outside),
        CliCommand::Where(arguments) => repository::reach(arguments, outside),
        CliCommand::Graph(arguments) => repository::graph(arguments, outside),
        CliCommand::Grep(arguments) => repository::grep(arguments, outside),
        CliCommand::Table(arguments) => repository::table(arguments, outside),
        CliCommand::Images(arguments) => repository::images(arguments, outside),
        CliCommand::Diff(arguments) => diff::run(arguments, outside),
        CliCommand::Bisect(arguments) => bisect::run(arguments, outside),
        CliCommand::Order(arguments) => what_if::order(arguments, outside),
        CliCommand::Matrix(arguments) => what_if::matrix(arguments, outside),
        CliCommand::WhyDiffer(arguments) => diff::print_difference_causes(arguments, outside),
        CliCommand::Consolidate(arguments) => consolidate::run(arguments, outside),
        CliCommand::Components(arguments) => components::run(arguments, outside),
        CliCommand::Drafts(arguments) => drafts::run(arguments, outside),
        CliCommand::View(ViewCommand::Catalog(arguments)) => catalog::view(arguments, outside),
        CliCommand::Catalog(CatalogCommand::Fetch(arguments)) => catalog::fetch(arguments, outside),
        CliCommand::Catalog(CatalogCommand::Lint(arguments)) => catalog::lint(arguments, outside),
        CliCommand::Catalog(CatalogCommand::Pin(arguments)) => catalog::pin(arguments, outside),
        CliCommand::Catalog(CatalogCommand::Push(arguments)) => catalog::push(arguments, outside),
        CliCommand::Catalog(CatalogCommand::Outdated(arguments)) => {
            catalog::print_outdated(arguments, outside)
        }
        CliCommand::Function(command) => function::run(command, outside),
        CliCommand::Trust(command) => trust::run(command, outside),
        CliCommand::Record(arguments) => record::run(arguments, outside),
        CliCommand::Explain(arguments) => explain::run(arguments, outside),
        CliCommand::OpenApi(command) => openapi::run(command, outside),
        CliCommand::Compat(arguments) => compat::run(arguments, outside),
        CliCommand::Versions(arguments) => versions::run(*arguments, outside),
        CliCommand::Demo(arguments) => demo::run(arguments, outside),
        CliCommand::Lsp(_) | CliCommand::Mcp(_) => {
            Err(Failure::usage("a server needs standard input and output"))
        }
        CliCommand::Version => {
            outside.out.document(concat!("kzui ", env!("CARGO_PKG_VERSION"), "\n"))?;
            Ok(Exit::OK)
        }
        CliCommand::Man { directory } => man::run(directory, outside),
        CliCommand::Completions { shell } => {
            let mut script = Vec::new();
            let shells = clap_complete::env::Shells::builtins();
            if let Some(shell) = shells.completer(&shell.to_string()) {
                shell.write_registration(
                    COMPLETION_VARIABLE,
                    "kzui",
                    "kzui",
                    "kzui",
                    &mut script,
                )?;
            }
            outside.out.document(&String::from_utf8_lossy(&script))?;
            Ok(Exit::OK)
        }
    }
}

fn resource_start(resource: &crate::engine::resource::Resource) -> crate::engine::yaml::Mark {
    let first = resource.node.entries().first().map(|entry| entry.key.mark);
    first.unwrap_or(resource.node.mark)
}

fn evaluate_once(dir: &str, options: &BuildOptions, outside: &CliPorts<'_>) -> Evaluation {
    evaluate_with_cache(BuildCache::disabled(), dir, options, outside).0
}

fn evaluate_with_cache(
    mut memory: BuildCache,
    dir: &str,
    options: &BuildOptions,
    outside: &CliPorts<'_>,
) -> (Evaluation, BuildCache) {
    let mut evaluation = evaluate(dir, &outside.current, options, &outside.ports, &mut memory);
    let name = place::displayed_target_name(dir, outside);
    if name != dir {
        let name: Arc<str> = name.into();
        let trace = &mut evaluation.trace;
        // The argument of the step that reads the target is the name of the target, which is shown
        // if the step fails.
        for step in trace.steps.iter_mut().filter(|step| &*step.argument == dir) {
            step.argument = name.clone();
            let id = step.id.0.replace(&format!("[{dir}]"), &format!("[{name}]"));
            step.id = StepId(id.into());
        }
        if let Some(layer) = trace.layers.first_mut() {
            layer.name = name;
        }
    }
    (evaluation, memory)
}
