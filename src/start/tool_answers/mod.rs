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
use kzui_mcp::{AgentPorts, AnswerFormat, BuildPage, ToolCall};
use serde_json::Value;

use session::SessionFiles;

/// The file name under which `kzui why` reads the output of a target and prints it in messages; no
/// real file has this name.
const OUTPUT_NAME: &str = "(output of the target)";

/// Answers the tools of an agent by running commands.
#[derive(Clone)]
pub(super) struct ToolAnswers {
    root: PathBuf,
    flags: BuildFlags,
    session: Arc<SessionFiles>,
    /// True once the client cancels the call that is answered.
    is_cancelled: Arc<AtomicBool>,
}

/// The files, the list of files and the drafts that a command reads.
#[derive(Clone)]
pub(super) struct CommandInputs {
    pub(super) files: Arc<dyn Files>,
    pub(super) listing: Arc<dyn Listing>,
    indexes: RepositoryCache,
    deployments: DeploymentCache,
    pub(super) drafts: Vec<ListedDraft>,
}

/// The exit status and both streams of a command.
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

    /// The error of a call that the client cancelled.
    pub(super) fn stop_if_cancelled(&self) -> Result<(), String> {
        if self.is_cancelled.is_cancelled() { Err("cancelled".into()) } else { Ok(()) }
    }

    /// The present files, of which only those that changed since the last call are read again.
    pub(super) fn inputs(&self) -> CommandInputs {
        let state = self.session.state();
        CommandInputs {
            files: state.files.clone(),
            indexes: state.indexes.clone(),
            deployments: state.deployments.clone(),
            listing: state,
            drafts: Vec::new(),
        }
    }

    /// Runs the command of these words (without `kzui`) on a target, with the build flags of this
    /// server; returns its exit status and both of its outputs.
    pub(super) fn run(
        &self,
        words: &[&str],
        inputs: &CommandInputs,
        target: &str,
    ) -> Result<CommandOutput, String> {
        let words = std::iter::once("kzui").chain(words.iter().copied()).map(Into::into);
        let Ok(Arguments { command: Some(mut command), .. }) = cli::parse_arguments(words) else {
            return Err("no such command".to_owned());
        };
        if let Some(build) = build_flags(&mut command) {
            *build = self.flags.clone();
        }
        let (mut out, mut err) = (Vec::new(), Vec::new());
        let exit = self.run_into(&command, inputs, target, (&mut out, &mut err));
        let exit = exit.map_err(|error| error.to_string())?;
        let text = |bytes| String::from_utf8_lossy(bytes).into_owned();
        Ok(CommandOutput { exit, out: text(&out), err: text(&err) })
    }

    /// Runs a command on a target, and writes standard output and standard error to the two
    /// buffers.
    fn run_into(
        &self,
        command: &CliCommand,
        inputs: &CommandInputs,
        target: &str,
        (out, err): (&mut Vec<u8>, &mut Vec<u8>),
    ) -> std::io::Result<Exit> {
        let store = host::TrustFile::of_user();
        let (preferences, _) = host::trusted_by_preference();
        // A deployment object is no folder on the disk, but counts as one if it is the target.
        let target = self.root.join(target);
        let is_directory = |path: &Path| path == target || host::is_folder(path);
        let drafts = inputs.drafts.clone();
        let drafts = move |_: &Path| drafts.clone();
        let mut outside = CliPorts {
            ports: Ports {
                files: inputs.files.clone(),
                cancel: self.is_cancelled.clone(),
                deployments: inputs.deployments.clone(),
                ..super::repository::build_ports()
            },
            network: Network::Unasked,
            current: self.root.clone(),
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
                listing: inputs.listing.clone(),
                indexes: inputs.indexes.clone(),
                drafts: &drafts,
                input: &|| Ok(Vec::new()),
                ..super::repository::ports()
            },
        };
        cli::run(command, &mut outside)
    }

    fn build(
        &self,
        target: &str,
        resource: Option<&str>,
        page: BuildPage,
        format: AnswerFormat,
    ) -> Result<String, String> {
        let resource = resource.map(|name| format!("--resource={name}"));
        let words =
            [&["blame", "--json"], resource.as_deref().as_slice(), &["--", target]].concat();
        let mut document = self.run(&words, &self.inputs(), target)?.document()?;
        let lines = document.get_mut("lines").and_then(Value::as_array_mut);
        let lines = lines.ok_or("no lines")?;
        let count = |number: u32| usize::try_from(number).unwrap_or(usize::MAX);
        let (total, first) = (lines.len(), count(page.offset).min(lines.len()));
        let last = first.saturating_add(count(page.limit)).min(total);
        lines.truncate(last);
        lines.drain(..first);
        if format == AnswerFormat::Json {
            return serde_json::to_string(&document).map_err(|error| error.to_string());
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

    fn why(
        &self,
        target: &str,
        what: &[&str],
        inputs: &CommandInputs,
        format: AnswerFormat,
    ) -> Result<String, String> {
        let words = [&["why"], if_json(format, &["--json"]), &["--", target], what].concat();
        answer(self.run(&words, inputs, target)?, format)
    }

    /// Answers `kzui why` for a line of the output of a target, which is offered to the command as
    /// a file.
    fn why_line(&self, target: &str, line: u32, format: AnswerFormat) -> Result<String, String> {
        let page = BuildPage { offset: 0, limit: u32::MAX };
        let output = self.build(target, None, page, AnswerFormat::Text)?;
        let inputs = self.inputs();
        let file = (self.root.join(OUTPUT_NAME), Some(Arc::from(output.as_bytes())));
        let files = DraftedFiles::new(std::iter::once(file), inputs.files.clone());
        let inputs = CommandInputs { files: Arc::new(files), ..inputs };
        self.why(target, &[&format!("{OUTPUT_NAME}:{line}")], &inputs, format)
    }

    /// Runs `kzui check` on these paths; `changed` limits it to targets that read a file which
    /// differs from this git commit.
    pub(super) fn check(
        &self,
        paths: &[String],
        (changed, notes): (Option<&str>, bool),
        inputs: &CommandInputs,
        format: AnswerFormat,
    ) -> Result<CommandOutput, String> {
        let changed = changed.map(|commit| format!("--changed={commit}"));
        let mut words = [&["check"], if_json(format, &["--format=json"])].concat();
        words.extend(changed.as_deref());
        words.extend(notes.then_some("--notes"));
        words.push("--");
        words.extend(paths.iter().map(String::as_str));
        self.run(&words, inputs, ".")
    }

    /// Compares two folders or commits. Commits are read only in a repository that is not larger
    /// than the root.
    fn compare_sides(
        &self,
        before: &str,
        after: Option<&str>,
        format: AnswerFormat,
    ) -> Result<String, String> {
        let mut sides = std::iter::once(before).chain(after);
        let has_commit =
            after.is_none() || sides.any(|side| !host::is_folder(&self.root.join(side)));
        let top = work_tree_root(&self.root, &DiskFiles);
        if has_commit && top.is_some_and(|top| top != self.root) {
            return Err("the root is a part of a git repository: only folders are compared".into());
        }
        let format_option = if_json(format, &["--format=json"]);
        let words = [&["diff"], format_option, &["--", before], after.as_slice()].concat();
        answer(self.run(&words, &self.inputs(), ".")?, format)
    }

    fn places(
        &self,
        what: &str,
        inputs: &CommandInputs,
        format: AnswerFormat,
    ) -> Result<String, String> {
        let words = [&["where"], if_json(format, &["--json"]), &["--", what]].concat();
        answer(self.run(&words, inputs, what)?, format)
    }

    fn compat(
        &self,
        paths: &[String],
        [from, to]: [&Option<String>; 2],
        format: AnswerFormat,
    ) -> Result<String, String> {
        let from = from.as_ref().map(|profile| format!("--from={profile}"));
        let to = to.as_ref().map(|profile| format!("--to={profile}"));
        let mut words = [&["compat"], if_json(format, &["--output=json"])].concat();
        words.extend(from.as_deref().into_iter().chain(to.as_deref()));
        words.push("--");
        words.extend(paths.iter().map(String::as_str));
        answer(self.run(&words, &self.inputs(), ".")?, format)
    }
}

impl AgentPorts for ToolAnswers {
    fn root(&self) -> &Path {
        &self.root
    }

    fn answer(
        &self,
        call: &ToolCall,
        format: AnswerFormat,
        is_cancelled: &Arc<AtomicBool>,
    ) -> Result<String, String> {
        let tools = Self { is_cancelled: is_cancelled.clone(), ..self.clone() };
        tools.stop_if_cancelled()?;
        match call {
            ToolCall::Build { target, resource, page } => {
                tools.build(target, resource.as_deref(), *page, format)
            }
            ToolCall::Why { target, resource, field } => {
                let what: Vec<&str> =
                    std::iter::once(&**resource).chain(field.as_deref()).collect();
                tools.why(target, &what, &tools.inputs(), format)
            }
            ToolCall::WhyLine { target, line } => tools.why_line(target, *line, format),
            ToolCall::Check { paths, changed, notes } => {
                let wanted = (changed.as_deref(), *notes);
                answer(tools.check(paths, wanted, &tools.inputs(), format)?, format)
            }
            ToolCall::TryEdit { edits } => try_edit::try_edits(&tools, edits, format),
            ToolCall::CompareSides { before, after } => {
                tools.compare_sides(before, after.as_deref(), format)
            }
            ToolCall::Where { file } => {
                let inputs = tools.inputs();
                let is_object = file.contains('#');
                if !is_object && inputs.files.resolve(&self.root.join(file)).is_err() {
                    return Err(format!("{file}: no such file"));
                }
                tools.places(file, &inputs, format)
            }
            ToolCall::WhereResource { resource } => tools.places(resource, &tools.inputs(), format),
            ToolCall::Compat { paths, from, to } => tools.compat(paths, [from, to], format),
        }
    }

    fn explain(&self, code: &str) -> Result<String, String> {
        self.run(&["explain", "--", code], &self.inputs(), ".")?.text()
    }

    fn targets(&self) -> Vec<String> {
        let inputs = self.inputs();
        let read = inputs.indexes.index(&self.root, &*inputs.listing, &inputs.files);
        let Ok(index) = read else { return Vec::new() };
        let repository = &index.repository;
        let all = repository.all_target_names(&index.objects);
        all.iter().map(|target| repository.shown(target)).collect()
    }
}

/// The output of a command as the answer of a tool, in this format.
fn answer(output: CommandOutput, format: AnswerFormat) -> Result<String, String> {
    match format {
        AnswerFormat::Text => output.text(),
        AnswerFormat::Json => {
            let document = output.document()?;
            serde_json::to_string(&document).map_err(|error| error.to_string())
        }
    }
}

/// The options of a command that prints JSON; none for text.
pub(super) fn if_json<'a>(format: AnswerFormat, options: &'a [&'a str]) -> &'a [&'a str] {
    if format == AnswerFormat::Json { options } else { &[] }
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
