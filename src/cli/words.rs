//! Parses the command line by the rules of Kustomize's flags: a switch may have a value
//! (`--enable-helm=false`), and the last value of a repeated flag counts.

use std::collections::BTreeSet;
use std::ffi::OsString;
use std::path::Path;

use clap::error::ErrorKind;
use clap::{ArgAction, ArgMatches, Args as _, CommandFactory, FromArgMatches};

use super::{Arguments, BuildFlags, Exit, Palette};
use crate::display::{Printer, sanitize};
use crate::engine::load::{Network, go_bool, nearest_name};

/// A command line that cannot be run, or that requests help.
#[derive(Debug)]
pub struct UnparsedCommandLine(clap::Error, Exit);

impl UnparsedCommandLine {
    /// Prints the error or the help, and returns the exit status: Kustomize's for `kzui build`.
    pub fn print(&self, stream: &mut Printer<'_>, palette: Palette) -> std::io::Result<Exit> {
        let text = self.0.render();
        let plain = text.to_string();
        // An argument may contain colour sequences, for example the name of a file that the shell
        // inserted for `*`.
        if palette == Palette::Plain || plain.contains('\u{1b}') {
            stream.text(&plain)?;
        } else {
            stream.print_coloured(&text.ansi().to_string())?;
        }
        stream.flush()?;
        Ok(self.1)
    }

    /// True for an error, which belongs on standard error; false for help on request.
    pub fn is_error(&self) -> bool {
        self.0.use_stderr()
    }
}

/// Parses the command line, the name of the program first.
pub fn parse_arguments(
    words: impl IntoIterator<Item = OsString>,
) -> Result<Arguments, UnparsedCommandLine> {
    let words: Vec<OsString> = words.into_iter().collect();
    let shown = sanitized_words(&words);
    // An error quotes arguments: it is made from the arguments without control characters.
    read(words).map_err(|error| shown.and_then(|shown| read(shown).err()).unwrap_or(error))
}

/// The words of a command line without control characters; `None` if they contain none.
fn sanitized_words(words: &[OsString]) -> Option<Vec<OsString>> {
    let shown = |word: &OsString| OsString::from(sanitize(&word.to_string_lossy()).into_owned());
    let shown: Vec<OsString> = words.iter().map(shown).collect();
    (shown != words).then_some(shown)
}

/// The command that the user types, if kubectl or flux started this program as a plugin.
fn plugin_name(words: &[OsString]) -> Option<&'static str> {
    let program = Path::new(words.first()?).file_stem()?;
    match program.to_str()? {
        "kubectl-kzui" => Some("kubectl kzui"),
        "flux-kzui" => Some("flux kzui"),
        _ => None,
    }
}

fn read(words: Vec<OsString>) -> Result<Arguments, UnparsedCommandLine> {
    let builds = words.get(1).is_some_and(|word| word == "build");
    let first = words.get(1).map(|word| word.to_string_lossy().into_owned());
    let mut command = hide_build_flags(Arguments::command().args_override_self(true));
    if let Some(name) = plugin_name(&words) {
        command = command.bin_name(name);
    }
    let parsed = normalize_switches(words, &switches_of(&command, first.as_deref()))
        .map_err(|words| command.error(ErrorKind::InvalidValue, words))
        .and_then(|words| command.try_get_matches_from_mut(words))
        .and_then(|matches| {
            let network = requested_downloads(&matches);
            Ok(Arguments { network, ..Arguments::from_arg_matches(&matches)? })
        });
    parsed.map_err(|error| {
        // The unknown word is followed by flags or arguments of a command, so the user meant it as
        // a command.
        let error = match first.as_deref().filter(|_| error.kind() == ErrorKind::ArgumentConflict) {
            Some(word) if !word.starts_with('-') && !is_command(word) => {
                let meant = similar_command(word);
                let meant =
                    meant.map_or_else(String::new, |name| format!("; did you mean '{name}'?"));
                command
                    .error(ErrorKind::InvalidSubcommand, format!("unknown command '{word}'{meant}"))
            }
            _ => error,
        };
        let exit = match (error.use_stderr(), builds) {
            (false, _) => Exit::OK,
            (true, true) => Exit::FAILED,
            (true, false) => Exit::USAGE,
        };
        UnparsedCommandLine(error, exit)
    })
}

/// The commands that fetch unless `--offline` is set. Commands that only read a tree need `--fetch`.
const FETCHING_COMMANDS: [&[&str]; 6] = [
    &["build"],
    &["view", "catalog"],
    &["catalog", "fetch"],
    &["catalog", "lint"],
    &["trust", "add"],
    &["trust", "diff"],
];

/// The downloads that the command of a command line may make.
fn requested_downloads(mut matches: &ArgMatches) -> Network {
    let mut command = Vec::new();
    while let Some((name, below)) = matches.subcommand() {
        command.push(name);
        matches = below;
    }
    let is_set = |flag: &str| matches!(matches.try_get_one(flag), Ok(Some(true)));
    match (is_set("offline"), is_set("fetch") || FETCHING_COMMANDS.contains(&&*command)) {
        (true, _) => Network::Offline,
        (false, true) => Network::Online,
        (false, false) => Network::Unasked,
    }
}

/// True for the name of a command, which parses the flags that follow it.
pub fn is_command(word: &str) -> bool {
    Arguments::command().find_subcommand(word).is_some()
}

/// True for an option of a command whose value is the next word.
pub fn takes_next_word(command: &str, word: &str) -> bool {
    let mut commands = Arguments::command();
    // The arguments of commands are deferred.
    commands.build();
    let Some(command) = commands.find_subcommand(command) else { return false };
    let is_it = |flag: &&clap::Arg| match word.strip_prefix("--") {
        Some(name) => flag.get_long() == Some(name),
        None => word.strip_prefix('-').is_some_and(|name| {
            name.chars().count() == 1 && flag.get_short() == name.chars().next()
        }),
    };
    command.get_arguments().find(is_it).is_some_and(|flag| flag.get_action().takes_values())
}

/// The help of the workbench without the flags of a build, which the help of `kzui build` explains.
fn hide_build_flags(command: clap::Command) -> clap::Command {
    let flags = BuildFlags::augment_args(clap::Command::new("build"));
    let names: BTreeSet<String> =
        flags.get_arguments().map(|flag| flag.get_id().to_string()).collect();
    command.mut_args(|flag| {
        let is_of_build = names.contains(flag.get_id().as_str());
        if is_of_build { flag.hide(true) } else { flag }
    })
}

/// The flags without a value of a command line with this first word: those of the command that it
/// names, or of the workbench.
fn switches_of(command: &clap::Command, first: Option<&str>) -> BTreeSet<String> {
    let Some(named) = first.and_then(|word| command.find_subcommand(word)) else {
        return switches(command);
    };
    let mut named = named.clone();
    named.build();
    switches(&named)
}

fn switches(command: &clap::Command) -> BTreeSet<String> {
    let own = command
        .get_arguments()
        .filter(|flag| matches!(flag.get_action(), ArgAction::SetTrue))
        .filter_map(|flag| Some(format!("--{}", flag.get_long()?)));
    own.chain(command.get_subcommands().flat_map(switches)).collect()
}

const DEPRECATED_SWITCH: &str = "--enable-managedby-label";
/// The suffix of the internal flag that records a switch with the value `false`.
const GIVEN_SWITCH_SUFFIX: &str = "-named";

/// Removes the values of switches: a switch with a true value is kept without the value, and a
/// switch with a false value is dropped.
fn normalize_switches(
    words: Vec<OsString>,
    switches: &BTreeSet<String>,
) -> Result<Vec<OsString>, String> {
    let mut kept: Vec<OsString> = Vec::with_capacity(words.len());
    let mut words = words.into_iter();
    for word in words.by_ref() {
        if word == "--" {
            kept.push(word);
            break;
        }
        let text = word.to_str().and_then(|text| text.split_once('='));
        let Some((name, value)) = text.filter(|(name, _)| switches.contains(*name)) else {
            kept.push(word);
            continue;
        };
        match go_bool(value) {
            Some(true) => kept.push(name.into()),
            Some(false) => {
                kept.retain(|word| word != name);
                // Kustomize warns of a deprecated flag whatever its value is.
                if name == DEPRECATED_SWITCH {
                    kept.push(format!("{DEPRECATED_SWITCH}{GIVEN_SWITCH_SUFFIX}").into());
                }
            }
            None => {
                return Err(format!(
                    "invalid argument \"{value}\" for \"{name}\" flag: strconv.ParseBool: parsing \"{value}\": invalid syntax"
                ));
            }
        }
    }
    kept.extend(words);
    Ok(kept)
}

/// The command with a similar name; `None` if no name is similar enough.
pub fn similar_command(word: &str) -> Option<String> {
    let command = Arguments::command();
    let names = command.get_subcommands().map(clap::Command::get_name).filter(|name| *name != word);
    nearest_name(word, names).map(str::to_owned)
}
