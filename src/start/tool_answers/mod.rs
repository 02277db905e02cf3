//! The answers of the tools for agents: each is the output of a command, which reads files below
//! one folder and changes none.

mod session;
mod try_edit;

use std::io::{Error, ErrorKind};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use kzui::cli::{
    self, Arguments, BuildFlags, CliCommand, CliPorts, Exit, Palette, RepositoryPorts, TrustPorts,
};
use kzui::display::{OutputReader, Printer};
use kzui::draft::{DraftedFiles, ListedDraft, work_tree_root};
use kzui::engine::evaluate::{Cancel as _, DeploymentCache, Ports};
use kzui::engine::load::{Files, Network, NoArtifacts};
use kzui::host::{self, DiskFiles};
use kzui::repository::{Listing, RepositoryCache};
use kzui_mcp::{AgentPorts, AnswerFormat, ToolCall};
use serde_json::Value;

use session::SessionFiles;

/// The file name under which `kzui why` reads the output of a target and prints it in messages; no
/// real file has this name.
const OUTPUT_NAME: &str = "(output of the target)";

/// The number of output lines on a page, unless the agent requests another number.
const DEFAULT_PAGE_LINES: u32 = 400;

/// The commands that answer more than one call, each with its option for JSON.
const WHY: (&str, &str) = ("why", "--json");
const WHERE: (&str, &str) = ("where", "--json");
const CHECK: (&str, &str) = ("check", "--format=json");
const DIFF: (&str, &str) = ("diff", "--format=json");

#[derive(Clone)]
pub(super) struct ToolAnswers {
    root: PathBuf,
    flags: BuildFlags,
    session: Arc<SessionFiles>,
    /// True once the client cancels the call that is answered.
    is_cancelled: Arc<AtomicBool>,
}

/// A call of a tool: the files, the list of files and the drafts that its commands read, and the form
/// of its answer.
#[derive(Clone)]
pub(super) struct RunningCall {
    tools: ToolAnswers,
    pub(super) files: Arc<dyn Files>,
    pub(super) listing: Arc<dyn Listing>,
    indexes: RepositoryCache,
    deployments: DeploymentCache,
    pub(super) drafts: Vec<ListedDraft>,
    pub(super) format: AnswerFormat,
}

pub(super) struct CommandOutput {
    exit: Exit,
    pub(super) out: String,
    err: String,
}

impl CommandOutput {
    /// The text for an agent: the output and the messages.
    ///
    /// # Errors
    /// The messages of a command without output that failed.
    pub(super) fn text(self) -> Result<String, String> {
        if self.out.is_empty() && self.exit != Exit::OK {
            return Err(self.err);
        }
        let gap = if self.out.is_empty() || self.err.is_empty() { "" } else { "\n" };
        Ok(format!("{}{gap}{}", self.out, self.err))
    }

    /// The JSON document that the command printed.
    ///
    /// # Errors
    /// The messages of a command without a document.
    pub(super) fn document(self) -> Result<Value, String> {
        serde_json::from_str(&self.out)
            .map_err(|_| if self.err.is_empty() { "no answer".to_owned() } else { self.err })
    }
}

impl ToolAnswers {
    pub(super) fn new(root: PathBuf, flags: BuildFlags) -> Self {
        let session = Arc::new(SessionFiles::new(root.clone()));
        Self { root, flags, session, is_cancelled: Arc::default() }
    }

    /// A call with the present files, of which only those that changed since the last call are read
    /// again.
    fn call(&self, format: AnswerFormat) -> RunningCall {
        let state = self.session.state();
        RunningCall {
            tools: self.clone(),
            files: state.files.clone(),
            indexes: state.indexes.clone(),
            deployments: state.deployments.clone(),
            listing: state,
            drafts: Vec::new(),
            format,
        }
    }
}

impl RunningCall {
    pub(super) fn stop_if_cancelled(&self) -> Result<(), String> {
        if self.tools.is_cancelled.is_cancelled() { Err("cancelled".into()) } else { Ok(()) }
    }

    pub(super) fn as_json(&self) -> Self {
        Self { format: AnswerFormat::Json, ..self.clone() }
    }

    /// Runs a command on a target, with the build flags of this server; its output is text or JSON.
    pub(super) fn run(
        &self,
        (name, json_option): (&str, &str),
        options: &[Option<String>],
        arguments: &[impl AsRef<str>],
        target: &str,
    ) -> Result<CommandOutput, String> {
        let json_option = (self.format == AnswerFormat::Json).then_some(json_option);
        let options = json_option.into_iter().chain(options.iter().flatten().map(String::as_str));
        let arguments = arguments.iter().map(AsRef::as_ref);
        let words = ["kzui", name].into_iter().chain(options).chain(["--"]).chain(arguments);
        let words = words.map(Into::into);
        let Ok(Arguments { command: Some(mut command), .. }) = cli::parse_arguments(words) else {
            return Err("no such command".to_owned());
        };
        if let Some(build) = build_flags(&mut command) {
            *build = self.tools.flags.clone();
        }
        let (mut out, mut err) = (Vec::new(), Vec::new());
        let exit = self.run_into(&command, target, (&mut out, &mut err));
        let exit = exit.map_err(|error| error.to_string())?;
        let text = |bytes| String::from_utf8_lossy(bytes).into_owned();
        Ok(CommandOutput { exit, out: text(&out), err: text(&err) })
    }

    /// Runs a command on a target, and writes standard output and standard error to the two
    /// buffers.
    fn run_into(
        &self,
        command: &CliCommand,
        target: &str,
        (out, err): (&mut Vec<u8>, &mut Vec<u8>),
    ) -> std::io::Result<Exit> {
        let store = host::TrustFile::of_user();
        let (preferences, _) = host::trusted_by_preference();
        // A deployment object is no folder on the disk, but counts as one if it is the target.
        let target = self.tools.root.join(target);
        let is_directory = |path: &Path| path == target || path.is_dir();
        let drafts = self.drafts.clone();
        let drafts = move |_: &Path| drafts.clone();
        let mut outside = CliPorts {
            ports: Ports {
                files: self.files.clone(),
                cancel: self.tools.is_cancelled.clone(),
                deployments: self.deployments.clone(),
                ..super::repository::build_ports()
            },
            network: Network::Unasked,
            current: self.tools.root.clone(),
            out: Printer::new(out, OutputReader::Program),
            err: Printer::new(err, OutputReader::Program),
            write: &|_, _| Err(refused()),
            replace: &|_, _| Err(refused()),
            write_together: &|_, _, _| Err(refused()),
            create_directory: &|_| Err(refused()),
            changed_since: &host::changed_since,
            is_directory: &is_directory,
            managed_by_label: false,
            palette: Palette::Plain,
            like: super::settings::like().0,
            trust: TrustPorts {
                store: &store,
                preferences,
                now: &host::now,
                sandbox: &host::sandbox,
                allows_additions: false,
                user: String::new(),
                ask: &|_| Ok(None),
            },
            publisher: &NoArtifacts,
            repository: RepositoryPorts {
                listing: self.listing.clone(),
                indexes: self.indexes.clone(),
                drafts: &drafts,
                input: &|| Ok(Vec::new()),
                ..super::repository::ports()
            },
        };
        cli::run(command, &mut outside)
    }

    /// The lines of the output of a target: those of a page that begins after `offset` lines.
    fn build(
        &self,
        target: &str,
        resource: Option<&str>,
        (offset, limit): (u32, u32),
    ) -> Result<String, String> {
        let options = [resource.map(|resource| format!("--resource={resource}"))];
        let blame = self.as_json().run(("blame", "--json"), &options, &[target], target)?;
        let mut document = blame.document()?;
        let lines = document.get_mut("lines").and_then(Value::as_array_mut);
        let lines = lines.ok_or("no lines")?;
        let count = |number: u32| usize::try_from(number).unwrap_or(usize::MAX);
        let (total, first) = (lines.len(), count(offset).min(lines.len()));
        let last = first.saturating_add(count(limit)).min(total);
        lines.truncate(last);
        lines.drain(..first);
        if self.format == AnswerFormat::Json {
            return Ok(document.to_string());
        }
        let mut text = String::new();
        for line in &*lines {
            text.push_str(line.get("text").and_then(Value::as_str).unwrap_or_default());
            text.push('\n');
        }
        if first == total && first > 0 {
            text.push_str(&format!("… no line: the output has {total}\n"));
        } else if last - first < total {
            text.push_str(&format!("… lines {} to {last} of {total}\n", first + 1));
        }
        Ok(text)
    }

    /// Answers `kzui why` for a line of the output of a target, which is offered to the command as
    /// a file.
    fn why_line(self, target: &str, line: u32) -> Result<CommandOutput, String> {
        let as_text = Self { format: AnswerFormat::Text, ..self.clone() };
        let output = as_text.build(target, None, (0, u32::MAX))?;
        let file = (self.tools.root.join(OUTPUT_NAME), Some(Arc::from(output.as_bytes())));
        let files = DraftedFiles::new(std::iter::once(file), self.files.clone());
        let with_output = Self { files: Arc::new(files), ..self };
        with_output.run(WHY, &[], &[target, &format!("{OUTPUT_NAME}:{line}")], target)
    }

    /// Compares two folders or commits. Commits are read only in a repository that is not larger
    /// than the root.
    fn compare_sides(&self, sides: &[&str]) -> Result<CommandOutput, String> {
        let root = &self.tools.root;
        let is_commit = |side: &&str| !root.join(side).is_dir();
        let has_commit = sides.len() == 1 || sides.iter().any(is_commit);
        let top = work_tree_root(root, &DiskFiles);
        if has_commit && top.is_some_and(|top| top != *root) {
            return Err("the root is a part of a git repository: only folders are compared".into());
        }
        self.run(DIFF, &[], sides, ".")
    }
}

impl AgentPorts for ToolAnswers {
    fn root(&self) -> &Path {
        &self.root
    }

    fn answer(&self, call: &ToolCall, is_cancelled: &Arc<AtomicBool>) -> Result<String, String> {
        let tools = Self { is_cancelled: is_cancelled.clone(), ..self.clone() };
        let running = tools.call(call.format);
        running.stop_if_cancelled()?;
        let text = |name: &str| call.text(name);
        let option = |name: &str| text(name).map(|value| format!("--{name}={value}"));
        let (target, resource) = (text("target").unwrap_or("."), text("resource"));
        let output = match call.tool {
            "build" => {
                let limit = call.number("limit").unwrap_or(DEFAULT_PAGE_LINES).max(1);
                let page = (call.number("offset").unwrap_or(0), limit);
                return running.build(target, resource, page);
            }
            "why" => {
                let words = [Some(target), resource, text("field")].into_iter().flatten();
                match call.number("line") {
                    Some(line) => running.why_line(target, line),
                    None => running.run(WHY, &[], &words.collect::<Vec<_>>(), target),
                }
            }
            "check" => {
                let options = [option("changed"), call.notes.then(|| "--notes".to_owned())];
                running.run(CHECK, &options, &call.paths, ".")
            }
            "try_edit" => match text("before") {
                Some(before) => {
                    let sides: Vec<&str> = [before].into_iter().chain(text("after")).collect();
                    running.compare_sides(&sides)
                }
                None => return try_edit::try_edits(&running, &call.edits),
            },
            "where" => {
                let file = text("file");
                let is_missing = |file: &&str| {
                    let is_object = file.contains('#');
                    !is_object && running.files.resolve(&self.root.join(file)).is_err()
                };
                if let Some(file) = file.filter(is_missing) {
                    return Err(format!("{file}: no such file"));
                }
                let word = file.or(resource).unwrap_or_default();
                running.run(WHERE, &[], &[word], word)
            }
            _ => {
                let options = [option("from"), option("to")];
                running.run(("compat", "--output=json"), &options, &call.paths, ".")
            }
        }?;
        match call.format {
            AnswerFormat::Text => output.text(),
            AnswerFormat::Json => Ok(output.document()?.to_string()),
        }
    }

    fn explain(&self, code: &str) -> Result<String, String> {
        self.call(AnswerFormat::Text).run(("explain", ""), &[], &[code], ".")?.text()
    }

    fn targets(&self) -> Vec<String> {
        let call = self.call(AnswerFormat::Text);
        let read = call.indexes.repository(&self.root, &*call.listing, &call.files);
        let Ok(repository) = read else { return Vec::new() };
        let all = repository.all_target_names();
        all.iter().map(|target| repository.shown(target)).collect()
    }
}

/// The build flags of a command; `None` for a command without them.
fn build_flags(command: &mut CliCommand) -> Option<&mut BuildFlags> {
    match command {
        CliCommand::Blame(arguments) => Some(&mut arguments.flags.build),
        CliCommand::Why(arguments) => Some(&mut arguments.flags.build),
        CliCommand::Check(arguments) => Some(&mut arguments.build),
        CliCommand::Where(arguments) => Some(&mut arguments.build),
        CliCommand::Compat(arguments) => Some(&mut arguments.build),
        CliCommand::Diff(arguments) => Some(&mut arguments.build),
        _ => None,
    }
}

/// The error of every port that would write.
fn refused() -> Error {
    Error::new(ErrorKind::PermissionDenied, "a server for agents only reads")
}
