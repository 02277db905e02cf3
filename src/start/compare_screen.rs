//! Opens the workbench on a comparison.

use kzui::cli::{self, Exit};
use kzui::tui::ComparisonSides;

use super::opening::WorkbenchStart;
use super::workbench::open;

/// Opens the workbench on a comparison.
pub(crate) fn open_comparison(diff: &cli::Diff) -> std::io::Result<Exit> {
    let sides = ComparisonSides::Words {
        before: diff.before.clone().unwrap_or_default(),
        after: diff.after.clone(),
        like: [diff.like_a.clone(), diff.like_b.clone()],
        draft: None,
    };
    let build = diff.build.clone();
    let show_secrets = diff.show_secrets;
    let arguments =
        cli::Workbench { build, show_secrets, ..cli::Workbench::in_working_directory() };
    open(&arguments, WorkbenchStart::On(sides))
}
