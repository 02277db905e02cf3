//! The problems of all targets, as `kzui check` reports them.

use std::path::{Path, PathBuf};

use crate::answers::{SharedFinding, relative, repository_rows};
use crate::engine::diagnostic::Severity;
use crate::model::Model;
use crate::screen::Pane;
use crate::screens::targets::state::BoardState;
use crate::text::{sanitize, wrap};
use crate::theme::StyleRole;

/// The problems of all targets, as of the last check.
#[derive(Debug, Default)]
pub(crate) struct RepositoryFindings {
    /// All findings except for waived ones, the worst first, then by file; `None` before the first
    /// check.
    pub rows: Option<Vec<SharedFinding>>,
    /// The indices in `rows` of the findings that match the filter.
    pub kept: Vec<usize>,
    /// The severities of the findings that `kzui check` reports in the row of another one.
    merged: Vec<Severity>,
}

impl RepositoryFindings {
    /// Stores the findings of a check of the repository in this folder.
    pub(crate) fn take(&mut self, found: Vec<SharedFinding>, root: &Path) {
        let shown = found.into_iter().filter(|found| found.waived.is_none());
        let mut rows: Vec<SharedFinding> = shown.collect();
        rows.sort_by_key(|found| found.severity);
        self.kept = (0..rows.len()).collect();
        let groups = repository_rows(&rows, &[root]);
        let further = groups.iter().flat_map(|group| group.iter().skip(1));
        self.merged = further.filter_map(|at| Some(rows.get(*at)?.severity)).collect();
        self.rows = Some(rows);
    }

    /// The number of errors and warnings, as `kzui check` counts them.
    pub(crate) fn problem_count(&self) -> usize {
        self.count(Severity::Error) + self.count(Severity::Warning)
    }

    /// The number of findings with a severity, as `kzui check` counts them: findings of some rules
    /// are one row.
    pub(crate) fn count(&self, severity: Severity) -> usize {
        let rows = self.rows.iter().flatten().filter(|found| found.severity == severity).count();
        rows - self.merged.iter().filter(|merged| **merged == severity).count()
    }

    /// True if some findings are counted with another one.
    pub(crate) fn has_merged(&self) -> bool {
        !self.merged.is_empty()
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
    /// The problem in a row of the filtered list.
    pub(crate) fn finding(&self, row: usize) -> Option<&SharedFinding> {
        self.board.findings.rows.as_ref()?.get(*self.board.findings.kept.get(row)?)
    }

    pub(crate) fn selected_finding(&self) -> Option<&SharedFinding> {
        self.finding(self.list(Pane::Findings).selected)
    }

    /// True if the draft changes the file of a problem, whose fix was tried without the draft.
    pub(crate) fn is_file_drafted(&self, found: &SharedFinding) -> bool {
        let is_drafted = |file: &PathBuf| self.edits.changes.iter().any(|it| it.path == *file);
        found.file.as_ref().is_some_and(is_drafted)
    }

    /// The selected problem in full, wrapped.
    pub(crate) fn finding_lines(&self) -> Vec<(StyleRole, String)> {
        // The pane has the width of the screen.
        let columns = usize::from(self.look.size.0).saturating_sub(5).max(1);
        let wrapped = self.finding_texts().into_iter().flat_map(|(role, text)| {
            let pieces = if text.is_empty() { vec![text] } else { wrap(&text, columns) };
            pieces.into_iter().map(move |piece| (role, piece))
        });
        wrapped.collect()
    }

    /// The selected problem in full, harmless on a terminal.
    pub(crate) fn finding_texts(&self) -> Vec<(StyleRole, String)> {
        let Some(found) = self.selected_finding() else { return Vec::new() };
        let mut lines = vec![(StyleRole::Text, found.message.clone())];
        if let Some(hint) = &found.hint {
            lines.push((StyleRole::Dim, format!("help: {hint}")));
        }
        lines.push((StyleRole::Place, self.board.place_of(found)));
        lines.push((StyleRole::Dim, String::new()));
        lines.push(match &found.fix {
            _ if self.is_file_drafted(found) => {
                (StyleRole::Draft, "its file is in the draft (2: the edits)".to_owned())
            }
            _ if found.has_fix() => {
                (StyleRole::Ok, "f: try the automatic fix, and apply it to the draft".to_owned())
            }
            _ => (StyleRole::Dim, "no automatic fix for this problem".to_owned()),
        });
        lines.push((StyleRole::Dim, String::new()));
        let shown = |target: &Path| self.board.shown(target);
        lines.push((StyleRole::Title, targets(found)));
        lines.extend(found.targets.iter().map(|it| (StyleRole::Text, format!("  {}", shown(it)))));
        lines.into_iter().map(|(role, text)| (role, sanitize(&text).into_owned())).collect()
    }
}

/// The number of targets with the problem in words, as in `in 3 of 5 targets`.
pub(crate) fn targets(found: &SharedFinding) -> String {
    let (count, all) = (found.targets.len(), found.used_by);
    let word = if count.max(all) == 1 { "target" } else { "targets" };
    if all > count { format!("in {count} of {all} {word}") } else { format!("in {count} {word}") }
}
