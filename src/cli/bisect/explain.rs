//! The report of the commit that was found: the value before, the value after, and the edits that
//! changed it.

use std::path::PathBuf;
use std::sync::Arc;

use super::search::{BadCondition, BisectSearch, MAX_TRIALS, PropertyState};
use crate::answers::compare::minimize::minimize;
use crate::answers::compare::{FileEdits, file_edits};
use crate::answers::experiments::bisect::{Bisection, CommitVerdict};
use crate::answers::report::{BisectCommit, BisectEdit, BisectReport, BisectState, UnknownCommit};
use crate::draft::DraftedFiles;
use crate::engine::load::Files;

impl BisectSearch {
    pub(super) fn report(
        &mut self,
        found: &Bisection,
        asked: &BadCondition,
        ends: (String, String),
    ) -> Result<BisectReport, String> {
        let suspect = |id: &String| {
            let about = self.commits.commit_summary(id)?;
            let (author, subject) = (about.author, about.subject);
            Ok(BisectCommit { id: id.clone(), author, subject, parents: self.parents(id)?.len() })
        };
        let suspects = found.suspects.iter().map(suspect).collect::<Result<_, String>>()?;
        let not_known = found.verdicts.iter().filter_map(|(id, verdict)| match verdict {
            CommitVerdict::NotKnown(why) => {
                Some(UnknownCommit { id: id.clone(), reason: self.secrets.text(why) })
            }
            _ => None,
        });
        let not_known: Vec<UnknownCommit> = not_known.collect();
        let mut report = BisectReport {
            schema_version: 2,
            target: crate::answers::relative(&self.folder, self.commits.work_tree_root()),
            question: self.words(),
            good: ends.0,
            bad: ends.1,
            commits: 0,
            built: 0,
            suspects,
            bad_parents: found.bad_parents.clone(),
            untold: not_known.clone(),
            not_known,
            before: None,
            after: None,
            edits: Vec::new(),
            tried: false,
        };
        if let [only] = found.suspects.as_slice() {
            self.explain(only, asked, &mut report)?;
        }
        Ok(report)
    }

    fn parents(&self, id: &str) -> Result<Vec<String>, String> {
        self.commits.parents(id)
    }

    /// Adds the states before and at the commit, and the edits that caused the change.
    fn explain(
        &mut self,
        id: &str,
        asked: &BadCondition,
        report: &mut BisectReport,
    ) -> Result<(), String> {
        let after = self.test_commit(id)?;
        report.after = after.ok().map(|seen| self.state(seen));
        let Some(parent) = self.parents(id)?.into_iter().next() else { return Ok(()) };
        let before = self.test_commit(&parent)?;
        report.before = before.ok().map(|seen| self.state(seen));
        let (old, new) = (self.files(&parent)?, self.files(id)?);
        let changed = self.commits.changed(&parent, id)?;
        let edits: Vec<FileEdits> = changed
            .iter()
            .map(|path| file_edits(path, path, old.read(path).ok(), new.read(path).ok()))
            .collect();
        let (fewest, tried) = self.edits(&edits, &new, &old, asked);
        report.tried = tried;
        let told = fewest.iter().filter_map(|(file, edit)| {
            let file = edits.get(*file)?;
            let edit = file.edits.get(*edit)?;
            let [before, after] = file.masked_lines(&self.secrets);
            Some(BisectEdit {
                file: crate::answers::relative(&file.path, self.commits.work_tree_root()),
                line: edit.new_line(),
                old_line: edit.old_line(),
                old: before.get(edit.old.clone()).unwrap_or_default().to_vec(),
                new: after.get(edit.new.clone()).unwrap_or_default().to_vec(),
            })
        });
        report.edits = told.collect();
        Ok(())
    }

    fn state(&self, PropertyState { value, words, at, is_hidden }: PropertyState) -> BisectState {
        let words = self.secrets.text(&words);
        let value = value.filter(|_| !is_hidden);
        BisectState { value: value.map(|value| self.secrets.text(&value)), words, at }
    }

    /// The fewest edits that cause the change, and whether that is verified.
    fn edits(
        &mut self,
        edits: &[FileEdits],
        new: &Arc<dyn Files>,
        old: &Arc<dyn Files>,
        asked: &BadCondition,
    ) -> (Vec<(usize, usize)>, bool) {
        let read: Vec<PathBuf> = [new, old]
            .into_iter()
            .filter_map(|files| self.build(files.clone()).ok())
            .flat_map(|built| built.watched)
            .collect();
        let all: Vec<(usize, usize)> = edits
            .iter()
            .enumerate()
            .filter(|(_, file)| read.contains(&file.path))
            .flat_map(|(at, file)| (0..file.edits.len()).map(move |edit| (at, edit)))
            .collect();
        let mut left = MAX_TRIALS;
        let mut holds = |ids: &[(usize, usize)]| {
            left = left.checked_sub(1)?;
            let texts = edits.iter().enumerate().map(|(at, file)| {
                (file.path.clone(), file.with_edits_reverted(&|edit| ids.contains(&(at, edit))))
            });
            let texts: Vec<_> = texts.filter(|(path, _)| read.contains(path)).collect();
            let files: Arc<dyn Files> = Arc::new(DraftedFiles::new(texts.into_iter(), new.clone()));
            let built = self.build(files).ok()?;
            let seen = self.property_state(built);
            Some(seen.is_ok_and(|seen| !asked.has(seen.value.as_deref())))
        };
        for id in &all {
            if holds(&[*id]) == Some(true) {
                return (vec![*id], true);
            }
        }
        if all.is_empty() || holds(&all) != Some(true) {
            return (Vec::new(), false);
        }
        let mut fewest = all.clone();
        let is_minimal = minimize(&mut fewest, &mut holds).is_some();
        (if is_minimal { fewest } else { all }, true)
    }
}
