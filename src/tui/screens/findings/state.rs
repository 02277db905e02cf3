//! The problems of all targets, as `kzui check` reports them.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use crate::answers::{SharedFinding, relative, report_rows, row_message};
use crate::display::counted;
use crate::model::Model;
use crate::model::finding_rows::FindingRows;
use crate::screen::Pane;
use crate::screens::targets::state::BoardState;
use crate::text::{TextLine, wrap};
use crate::theme::StyleRole;

/// The problems of all targets, as of the last check.
#[derive(Debug, Default)]
pub(crate) struct RepositoryFindings {
    /// All findings except for waived ones; `None` before the first check.
    pub all: Option<Vec<SharedFinding>>,
    /// The rows of `kzui check`, the worst first, then by file.
    pub rows: FindingRows,
}

impl RepositoryFindings {
    pub(crate) fn take(&mut self, found: Vec<SharedFinding>, root: &Path) {
        let shown = found.into_iter().filter(|found| found.waived.is_none());
        let all: Vec<SharedFinding> = shown.collect();
        self.rows = FindingRows::new(report_rows(&all, &[root]), |at| all[at].severity);
        self.all = Some(all);
    }

    fn get(&self, at: usize) -> Option<&SharedFinding> {
        self.all.as_ref()?.get(at)
    }
}

impl BoardState {
    /// The file and line of a problem, relative to the folder of the Board.
    pub(crate) fn place_of(&self, found: &SharedFinding) -> String {
        let Some(file) = &found.file else { return String::new() };
        let file = relative(file, &self.scope);
        if found.mark.line > 0 { format!("{file}:{}", found.mark.line) } else { file }
    }
}

impl Model {
    /// The problems of a shown row: those of all its places.
    pub(crate) fn findings(&self, row: usize) -> impl Iterator<Item = &SharedFinding> + Clone {
        let findings = &self.board.findings;
        findings.rows.findings(row).iter().filter_map(|at| findings.get(*at))
    }

    pub(crate) fn finding(&self, row: usize) -> Option<&SharedFinding> {
        self.findings(row).next()
    }

    pub(crate) fn selected_finding(&self) -> Option<&SharedFinding> {
        self.finding(self.list(Pane::Findings).selected)
    }

    /// The first problem of the selected row with a fix of a file that is not in the draft.
    pub(crate) fn fixable_finding(&self, row: usize) -> Option<&SharedFinding> {
        self.findings(row).find(|found| found.has_fix() && !self.is_file_drafted(found))
    }

    /// The message of a shown row; of a place, the part that the row above it does not have.
    pub(crate) fn finding_message(&self, row: usize) -> String {
        let Some(first) = self.finding(row) else { return String::new() };
        let files = self.findings(row).map(|found| found.file.as_deref());
        let message = row_message(first.code, &first.message, files);
        let rows = &self.board.findings.rows;
        let above = rows.parent(row).map(|above| self.finding_message(above));
        let is_as_above = above.is_some_and(|above| above.starts_with(&message));
        if is_as_above { String::new() } else { message }
    }

    pub(crate) fn finding_targets(&self, row: usize) -> Vec<&Path> {
        let targets = self.findings(row).flat_map(|found| &found.targets);
        let targets: BTreeSet<&Path> = targets.map(PathBuf::as_path).collect();
        targets.into_iter().collect()
    }

    /// True if the draft changes the file of a problem, whose fix was tried without the draft.
    pub(crate) fn is_file_drafted(&self, found: &SharedFinding) -> bool {
        let is_drafted = |file: &PathBuf| self.edits.changes.iter().any(|it| it.path == *file);
        found.file.as_ref().is_some_and(is_drafted)
    }

    pub(crate) fn finding_lines(&self) -> Vec<TextLine> {
        // The pane has the width of the screen.
        let columns = usize::from(self.look.size.0).saturating_sub(5).max(1);
        let wrapped = self.finding_texts().into_iter().flat_map(|line| {
            let pieces = wrap(&line.text(), columns).into_iter();
            pieces.map(move |piece| TextLine::new(line.role(), piece))
        });
        wrapped.collect()
    }

    pub(crate) fn finding_location(&self) -> Option<(PathBuf, u32)> {
        let found = self.selected_finding()?;
        Some((found.file.clone()?, found.mark.line.max(1)))
    }

    /// The selected problem in full, harmless on a terminal.
    pub(crate) fn finding_texts(&self) -> Vec<TextLine> {
        let row = self.list(Pane::Findings).selected;
        let Some(found) = self.finding(row) else { return Vec::new() };
        let files = self.findings(row).map(|found| found.file.as_deref());
        let message = row_message(found.code, &found.message, files);
        let help = found.hint.as_ref().map(|hint| (StyleRole::Dim, format!("help: {hint}")));
        let places = self.findings(row).map(|found| (StyleRole::Place, self.board.place_of(found)));
        let empty = || (StyleRole::Dim, String::new());
        let count = (StyleRole::Title, self.finding_targets_words(row));
        let targets = self.finding_targets(row).into_iter();
        let targets = targets.map(|it| (StyleRole::Text, format!("  {}", self.board.shown(it))));
        let lines = [(StyleRole::Text, message)].into_iter().chain(help).chain(places);
        let lines = lines.chain([empty(), self.fix_line(row), empty(), count]).chain(targets);
        lines.map(|(role, text)| TextLine::new(role, text)).collect()
    }

    fn fix_line(&self, row: usize) -> (StyleRole, String) {
        let mut all = self.findings(row);
        match self.fixable_finding(row) {
            Some(found) => {
                let of = if all.nth(1).is_some() {
                    format!(" of {}", self.board.place_of(found))
                } else {
                    String::new()
                };
                let words = format!("f: try the automatic fix{of}, and apply it to the draft");
                (StyleRole::Ok, words)
            }
            None if all.any(|found| self.is_file_drafted(found)) => {
                (StyleRole::Draft, "its file is in the draft (2: the edits)".to_owned())
            }
            None => (StyleRole::Dim, "no automatic fix for this problem".to_owned()),
        }
    }

    /// The number of targets with the problem of a row in words, as in `in 3 of 5 targets`.
    pub(crate) fn finding_targets_words(&self, row: usize) -> String {
        let count = self.finding_targets(row).len();
        let all = match self.board.findings.rows.findings(row) {
            [one] => self.board.findings.get(*one).map_or(count, |found| found.used_by),
            _ => count,
        };
        let of = if all > count { format!("{count} of ") } else { String::new() };
        format!("in {of}{}", counted(count.max(all), "target"))
    }
}
