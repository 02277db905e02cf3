//! The effect of each single edit of the draft.

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::answers::compare::{CompareReport, Consequence, ReportTarget, TargetState};
use crate::answers::{added_twice, headline};
use crate::display::counted;
use crate::draft::{ListedEdit, Revision};
use crate::model::{Model, Pane, WorkKind, report_lines};
use crate::screens::targets::state::{comparing_words, consequence_line, consequence_role};
use crate::text::{DiffRow, LineDiff, TextLine, sanitize};
use crate::theme::StyleRole;

/// For each edit, the comparison of all targets without the edit and with it.
#[derive(Debug, Default)]
pub(crate) struct EditEffects {
    /// The number of the edit that is being compared.
    pub asked: Option<u64>,
    /// The revision of the draft for which the comparisons were made.
    pub of: Revision,
    pub by_edit: BTreeMap<u64, Result<Arc<CompareReport>, String>>,
}

#[derive(Default)]
pub(crate) struct EditDiff {
    /// The revision and the edit for which the diff was computed.
    pub of: Option<(Revision, u64)>,
    pub files: Vec<(String, LineDiff, Vec<DiffRow>)>,
}

impl EditDiff {
    /// A row of the diff by its index: a row of a file, or the name of the file as `Err`.
    pub(crate) fn row(&self, index: usize) -> Option<Result<(&LineDiff, DiffRow), &str>> {
        let mut left = index;
        for (name, diff, rows) in &self.files {
            if left == 0 {
                return Some(Err(name));
            }
            if let Some(row) = rows.get(left - 1) {
                return Some(Ok((diff, *row)));
            }
            left -= rows.len() + 1;
        }
        None
    }

    pub(crate) fn len(&self) -> usize {
        self.files.iter().map(|(_, _, rows)| rows.len() + 1).sum()
    }
}

/// The fields whose entries are named in the descriptions of edits.
const LISTS: [&str; 6] =
    ["resources", "components", "patches", "images", "transformers", "generators"];

/// The shown description of an edit; a path in it begins below the folders above.
pub(crate) fn shown_edit_words(words: &str) -> String {
    let words = sanitize(words).replace("../", "");
    let mut shown: Vec<&str> = Vec::new();
    for word in words.split(' ') {
        // `components components/tls`: the path names the field already.
        let last = shown.last().copied().unwrap_or(" ");
        if word.strip_prefix(last).is_some_and(|rest| rest.starts_with('/')) {
            shown.pop();
        }
        shown.push(word);
    }
    // One entry is edited, not its list.
    if let Some(field) = shown.iter_mut().find(|word| LISTS.contains(word)) {
        *field = field
            .strip_suffix("es")
            .filter(|it| it.ends_with("ch"))
            .unwrap_or(field.strip_suffix('s').unwrap_or(field));
    }
    shown.join(" ")
}

impl Model {
    /// The folder of the edited file; empty if the draft has edits of only one file, or if the edit
    /// changes several.
    pub(crate) fn folder_of_edit(&self, edit: &ListedEdit) -> String {
        let files = || self.edits.list.iter().flat_map(|edit| &edit.files);
        let [change] = edit.files.as_slice() else { return String::new() };
        match change.path.parent() {
            Some(folder) if files().any(|other| other.path != change.path) => {
                sanitize(&self.board.shown(folder)).into_owned()
            }
            _ => String::new(),
        }
    }

    /// The description of an edit in a message: two files may have the same entry.
    pub(crate) fn edit_name(&self, edit: &ListedEdit) -> String {
        let words = shown_edit_words(&edit.words);
        match self.folder_of_edit(edit) {
            folder if folder.is_empty() => words,
            folder => format!("{words} in {folder}"),
        }
    }

    pub(crate) fn selected_edit(&self) -> Option<&ListedEdit> {
        self.edits.list.get(self.list(Pane::Edits).selected)
    }

    /// The effect of an edit in a few words; `…` before it is compared.
    pub(crate) fn effect_of_edit(&self, edit: &ListedEdit) -> (StyleRole, String) {
        let report = match self.edits.effects.by_edit.get(&edit.act) {
            None => return (StyleRole::Dim, "…".to_owned()),
            Some(Err(_)) => return (StyleRole::Warning, "not known".to_owned()),
            Some(Ok(report)) => report,
        };
        let consequence = Consequence::from_report(report);
        let (weight, words) = consequence.summary_words();
        let failing = consequence.failing_targets.len();
        let words = match self.conflicting_entry(edit).filter(|_| failing > 0) {
            _ if is_hidden(report) => HIDDEN.to_owned(),
            Some(other) => format!("with {other} in {}", counted(failing, "target")),
            None => words,
        };
        match consequence_role(weight) {
            StyleRole::Error => (StyleRole::Error, format!("{} {words}", self.glyphs().failed)),
            role => (role, words),
        }
    }

    /// The last part of the entry that adds the same resource as the entry of an edit, if the open
    /// target fails for that reason.
    fn conflicting_entry(&self, edit: &ListedEdit) -> Option<String> {
        let clash = added_twice(self.builds.recording.error.as_deref()?)?;
        let is_own = |entry: &str| edit.words.split(' ').any(|word| word == entry);
        clash.other_entry(is_own).map(|other| sanitize(&other).into_owned())
    }

    pub(crate) fn edit_effect_lines(&self) -> Vec<TextLine> {
        let Some(edit) = self.selected_edit() else { return Vec::new() };
        match self.edits.effects.by_edit.get(&edit.act) {
            None => {
                let progress = self.work.progress(WorkKind::EditEffect);
                vec![TextLine::new(StyleRole::Dim, comparing_words(progress))]
            }
            Some(Err(reason)) => {
                vec![TextLine::new(StyleRole::Warning, format!("not known: {reason}"))]
            }
            Some(Ok(report)) if is_hidden(report) => {
                let errors = report.targets.iter().filter_map(|target| {
                    let error = headline(target.error.as_deref()?);
                    let text = format!("{} does not build: {error}", target.target);
                    Some(TextLine::new(StyleRole::Error, text))
                });
                let first = format!("{HIDDEN} with another edit");
                [TextLine::new(StyleRole::Warning, first)].into_iter().chain(errors).collect()
            }
            Some(Ok(report)) => {
                let lines = Consequence::from_report(report).lines();
                let lines = lines.into_iter().map(|line| consequence_line(self, line));
                // The edit itself is the cause.
                lines.chain(report_lines(self, report, false)).collect()
            }
        }
    }
}

const HIDDEN: &str = "hidden: the build fails";

/// True if no effect is known because the targets do not build for another reason than the edit.
fn is_hidden(report: &CompareReport) -> bool {
    let fails = |it: &ReportTarget| it.state == TargetState::NotKnown && it.error.is_some();
    !report.targets.is_empty() && report.targets.iter().all(fails)
}
