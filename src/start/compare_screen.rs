//! Opens the workbench on a comparison.

use kzui::cli::{self, Exit};
use kzui::tui::ComparisonSides;

use super::workbench::open;

pub(crate) fn open_comparison(diff: &cli::Diff) -> std::io::Result<Exit> {
    let sides = ComparisonSides::Words {
        before: diff.before.clone().unwrap_or_default(),
        after: diff.after.clone(),
        like: [diff.like_a.clone(), diff.like_b.clone()],
        draft: None,
    };
    let (dir, build, show_secrets) = (".".to_owned(), diff.build.clone(), diff.show_secrets);
    let arguments = cli::Workbench { dir, build, show_secrets, ..cli::Workbench::default() };
    open(&arguments, false, Some(sides))
}
