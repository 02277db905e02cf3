//! The version of this program, and its build.

/// The text of `--version` after the name of the program; `-V` prints its first word.
pub(super) const LONG_VERSION: &str = concat!(
    env!("CARGO_PKG_VERSION"),
    "\ncommit ",
    env!("KZUI_COMMIT"),
    "\nprofile ",
    env!("KZUI_PROFILE"),
    "\ntarget ",
    env!("KZUI_TARGET"),
);
