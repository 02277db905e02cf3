//! Shell completion: commands and flags, targets, resources, themes, versions. Completion runs no
//! program, fetches no content and writes no file.

use std::collections::BTreeSet;
use std::ffi::{OsStr, OsString};
use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

use clap::{Arg, Command, CommandFactory as _};
use clap_complete::engine::{
    ArgValueCandidates, ArgValueCompleter, CompletionCandidate, PathCompleter, ValueCompleter as _,
};
use clap_complete::env::Shells;
use kzui::cli::{self, COMPLETION_VARIABLE};
use kzui::engine::diagnostic::{Code, all_codes};
use kzui::engine::evaluate::{BuildCache, BuildOptions, evaluate};
use kzui::engine::profile::Profile;
use kzui::host;
use kzui::repository::Repository;
use kzui::tui::theme_names;

use super::repository::build_ports;
use super::standard_output;

/// Time limit of a completion, which holds up the shell.
const PATIENCE: Duration = Duration::from_millis(400);

/// The word after which kubectl's and flux's plugins are asked for completions: Cobra's protocol. Each
/// answer is a line `WORD<tab>DESCRIPTION`.
const COBRA: &str = "__complete";
/// The last line of an answer in Cobra's protocol: the shell adds no names of files.
const NO_FILES: &str = ":4\n";

/// Answers a completion request of a shell, or of kubectl or flux. Returns false if this run is none.
///
/// # Errors
/// Standard output could not be written, or the shell's request is invalid.
pub(crate) fn complete() -> io::Result<bool> {
    let all: Vec<OsString> = std::env::args_os().collect();
    let is_cobra = all.get(1).is_some_and(|word| word == COBRA);
    let name = match std::env::var_os(COMPLETION_VARIABLE).filter(|name| !name.is_empty()) {
        // The answers of fish have the form of Cobra's.
        _ if is_cobra => "fish".to_owned(),
        Some(shell) => shell.to_string_lossy().into_owned(),
        None => return Ok(false),
    };
    let shells = Shells::builtins();
    let Some(shell) = shells.completer(&name) else {
        return Err(io::Error::other(format!("kzui has no completions for {name}")));
    };
    let words: Vec<OsString> = if is_cobra {
        [OsString::from("kzui")].into_iter().chain(all.into_iter().skip(2)).collect()
    } else {
        all.into_iter().skip_while(|word| word != "--").skip(1).collect()
    };
    let current = std::env::current_dir()?;
    let target = target_among(&words, &current);
    let mut command = cli::Arguments::command();
    command.build();
    let mut command = known(command, &target);
    let mut answer = Vec::new();
    shell.write_complete(&mut command, words, Some(&current), &mut answer)?;
    let mut out = standard_output();
    out.document(&String::from_utf8_lossy(&answer))?;
    if is_cobra {
        out.write_all(NO_FILES.as_bytes())?;
    }
    out.flush()?;
    Ok(true)
}

/// The target of the command line: the first word that is a directory.
fn target_among(words: &[OsString], current: &Path) -> PathBuf {
    let directories = words.iter().skip(1).map(|word| current.join(word));
    directories.into_iter().find(|path| path.is_dir()).unwrap_or_else(|| current.to_owned())
}

fn known(command: Command, target: &Path) -> Command {
    let command = command.mut_args(|argument| with_values(argument, target));
    command.mut_subcommands(|command| known(command, target))
}

fn with_values(argument: Arg, target: &Path) -> Arg {
    let target = target.to_owned();
    match argument.get_id().as_str() {
        "like" | "from" | "to" => argument.add(candidates(Profile::names)),
        "theme" => argument.add(candidates(theme_names)),
        "code" => argument.add(candidates(|| all_codes().map(Code::as_str))),
        "resource" => argument.add(ArgValueCandidates::new(move || resources(&target))),
        "what" => argument.add(ArgValueCompleter::new(move |typed: &OsStr| {
            let mut both = resources(&target);
            let typed_text = typed.to_string_lossy();
            both.retain(|one| one.get_value().to_string_lossy().starts_with(&*typed_text));
            if both.is_empty() { targets(typed) } else { both }
        })),
        "dir" | "dirs" | "target" | "targets" | "before" | "after" => {
            argument.add(ArgValueCompleter::new(targets))
        }
        _ => argument,
    }
}

fn candidates<N: Into<OsString>, I: Iterator<Item = N>>(
    names: impl Fn() -> I + Send + Sync + 'static,
) -> ArgValueCandidates {
    ArgValueCandidates::new(move || names().map(CompletionCandidate::new).collect())
}

/// The targets below the current directory whose names begin with the typed text; directories if no
/// target is found.
fn targets(typed: &OsStr) -> Vec<CompletionCandidate> {
    let directories = || {
        let mut all = PathCompleter::dir().complete(typed);
        all.retain(|one| one.get_value().to_str().is_some_and(needs_no_quotes));
        all
    };
    let (Some(text), Ok(current)) = (typed.to_str(), std::env::current_dir()) else {
        return directories();
    };
    let found = Repository::from_files(&current, host::files_within(&current, PATIENCE), None);
    let names = found.targets().filter_map(|found| {
        let below = found.folder.strip_prefix(&current).ok()?.to_str()?.to_owned();
        (!below.is_empty() && below.starts_with(text)).then_some(below)
    });
    let names: BTreeSet<String> = names.filter(|name| needs_no_quotes(name)).collect();
    if names.is_empty() {
        return directories();
    }
    names.into_iter().map(CompletionCandidate::new).collect()
}

/// The resources of a target, as arguments of `kzui why`.
fn resources(target: &Path) -> Vec<CompletionCandidate> {
    let ports = build_ports();
    let options = BuildOptions::default();
    let name = target.to_string_lossy();
    let evaluation = evaluate(&name, target, &options, &ports, &mut BuildCache::disabled());
    let resources = evaluation.outcome.unwrap_or_default();
    let names: BTreeSet<String> = resources
        .iter()
        .map(|resource| format!("{}/{}", resource.id.gvk.kind, resource.id.name))
        .filter(|name| needs_no_quotes(name))
        .collect();
    names.into_iter().map(CompletionCandidate::new).collect()
}

/// True for a name that needs no quotes in a shell. Candidates are put into the command line, where
/// a name such as `$(cmd)` would be run.
fn needs_no_quotes(name: &str) -> bool {
    let is_plain = |c: char| c.is_alphanumeric() || "-_./:@+,=%".contains(c);
    name.chars().all(is_plain) && !name.starts_with('-')
}
