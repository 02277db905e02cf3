//! Test support: scratch trees, the program under test, a terminal to run it in.

#[expect(dead_code, reason = "where a block stands is for the runner of the pages")]
mod blocks;
mod builds;
mod disk;
mod environment;
mod fake_remote;
#[cfg(unix)]
mod git_server;
mod lines;
pub(crate) mod messages;
mod overview_screens;
mod program;
mod starlark;
mod terminal;
mod tree;
mod workbench;

pub(crate) use blocks::{Block, blocks};
pub(crate) use builds::{Build, build_of, each_build};
pub(crate) use disk::Disk;
#[cfg(unix)]
pub(crate) use git_server::GitServer;
pub(crate) use lines::{line_with, numbers_after};
#[cfg(unix)]
pub(crate) use program::shell;
pub(crate) use program::{Answer, kzui, kzui_in, program, program_with_bin};
pub(crate) use starlark::has_starlark;
pub(crate) use terminal::{Key, Terminal};
pub(crate) use tree::{Tree, demo};
pub(crate) use workbench::{Workbench, check_screen};
