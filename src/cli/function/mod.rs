//! `kzui fn`: commands for the authors of functions.

mod cases;
mod eval;
mod skeleton;
mod standalone_function;

use std::path::PathBuf;

use clap::{Args, Subcommand, ValueEnum};

use super::{BuildFlags, CliPorts};
use crate::cli::failure::CommandResult;

#[derive(Clone, Debug, Subcommand)]
pub enum FunctionCommand {
    /// Run one function on objects of a build, and show its changes
    Eval(FunctionEval),
    /// Run one function on stored inputs, and compare its output
    Test(FunctionTest),
    /// Write a new function with its configuration, a catalog and a test
    New(FunctionNew),
}

#[derive(Clone, Debug, Args)]
#[command(
    after_help = "If the target calls the function, the input is that of its step; otherwise the input is the output of the target. The same flags and trust as for `kzui build` decide whether the function may run.\n\nExamples:\n  kzui fn eval overlays/prod/set-team.yaml --on Deployment/web\n  kzui fn eval new/fn.yaml --target overlays/prod --enable-alpha-plugins --enable-exec\n\nExit status: 0 on success, 1 when the build or the function fails, 2 for a usage error."
)]
pub struct FunctionEval {
    /// The file with the configuration of the function
    #[arg(value_name = "FILE")]
    pub file: PathBuf,
    /// Only these objects: KIND/NAME, repeatable
    #[arg(long, value_name = "KIND/NAME")]
    pub on: Vec<String>,
    /// The target with the objects; the folder of FILE by default
    #[arg(long, value_name = "DIR")]
    pub target: Option<String>,
    /// Show values of Secrets
    #[arg(long)]
    pub show_secrets: bool,
    #[command(flatten)]
    pub build: BuildFlags,
}

#[derive(Clone, Debug, Args)]
#[command(
    after_help = "A case is a folder with input.yaml, a ResourceList, and output.yaml, the expected ResourceList. The functionConfig of the input replaces the configuration in FILE, except for its runtime.\n\nExamples:\n  kzui fn test set-team/fn.yaml --enable-alpha-plugins --enable-exec\n  kzui fn test set-team/fn.yaml --update\n\nExit status: 0 when every case passes, 1 when one fails, 2 if there is no case."
)]
pub struct FunctionTest {
    /// The file with the configuration of the function
    #[arg(value_name = "FILE")]
    pub file: PathBuf,
    /// The folder of the cases; `tests` beside FILE by default
    #[arg(long, value_name = "DIR")]
    pub cases: Option<PathBuf>,
    /// Write output.yaml of each case after showing its diff
    #[arg(long)]
    pub update: bool,
    #[command(flatten)]
    pub build: BuildFlags,
}

#[derive(Clone, Debug, Args)]
#[command(
    after_help = "Examples:\n  kzui fn new set-team --lang sh\n  kzui fn new set-team --lang starlark\n  kzui fn new set-team --lang rust\n\nExit status: 0 on success, 1 if the folder exists or cannot be written."
)]
pub struct FunctionNew {
    /// The name of the function, and of its new folder
    #[arg(value_name = "NAME")]
    pub name: String,
    /// The language
    #[arg(long, value_enum, default_value_t)]
    pub lang: FunctionLanguage,
}

/// The languages of new functions.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum FunctionLanguage {
    /// A shell script with sed
    #[default]
    Sh,
    /// Python 3 with `PyYAML`
    Python,
    /// Starlark, without a program on the machine of the user
    Starlark,
    /// Rust, one file without dependencies
    Rust,
    /// Go, one file without dependencies
    Go,
}

pub(super) fn run(command: &FunctionCommand, outside: &mut CliPorts<'_>) -> CommandResult {
    match command {
        FunctionCommand::Eval(arguments) => eval::run(arguments, outside),
        FunctionCommand::Test(arguments) => cases::run(arguments, outside),
        FunctionCommand::New(arguments) => skeleton::run(arguments, outside),
    }
}
