//! The unwritten edits of a draft as a list; each edit can be left out.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use super::{DISCARD_DESCRIPTION, Draft, EditRecord, FileChange, FileDraft};

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ListedEdit {
    pub act: u64,
    pub words: String,
    /// For each file of the edit, the text without the edit and with it.
    pub files: Vec<FileChange>,
    pub is_left_out: bool,
}

impl Draft {
    /// The unwritten edits in files that differ from the disk, the edits that are left out, and the
    /// written edits that are undone, oldest first. An entry that was switched off and on again is
    /// not listed, although an undo goes back through both edits.
    pub fn edits(&self) -> Vec<ListedEdit> {
        let reverted = self.reverted_records();
        let done = self.effective_records().into_iter().chain(&reverted);
        let done = done.map(|record| (record, false));
        let mut records: Vec<(&EditRecord, bool)> =
            done.chain(self.left_out.iter().map(|record| (record, true))).collect();
        records.sort_by_key(|(record, _)| record.act);
        let mut edits: Vec<ListedEdit> = Vec::new();
        for (record, is_left_out) in records {
            let (path, base, draft) =
                (record.file.clone(), record.before.clone(), record.after.clone());
            let change = FileChange { path, base, draft };
            match edits.last_mut().filter(|edit| edit.act == record.act) {
                Some(edit) => match edit.files.iter_mut().find(|it| it.path == change.path) {
                    Some(known) => known.draft = change.draft,
                    None => edit.files.push(change),
                },
                None => edits.push(ListedEdit {
                    act: record.act,
                    words: record.words.clone(),
                    files: vec![change],
                    is_left_out,
                }),
            }
        }
        edits
    }

    /// The written edits that are undone and not written since, as edits back to the text before.
    fn reverted_records(&self) -> Vec<EditRecord> {
        let undone = self.history.undone.iter().rev();
        let is_listed = |record: &&EditRecord| {
            record.written && self.files.get(&record.file).is_some_and(FileDraft::is_edited)
        };
        let revert = |record: &EditRecord| EditRecord {
            words: format!("revert {}", record.words),
            before: record.after.clone(),
            after: record.before.clone(),
            ..record.clone()
        };
        undone.filter(is_listed).map(revert).collect()
    }

    /// The draft up to this edit, without the later edits. `None` if one of these cannot be left
    /// out.
    #[must_use]
    pub fn up_to_edit(&self, act: u64) -> Option<Self> {
        let later = self.edits().into_iter().rev().filter(|edit| edit.act > act);
        let later = later.filter(|edit| !edit.is_left_out);
        later.map(|edit| edit.act).try_fold(self.clone(), |draft, act| draft.with_edit_toggled(act))
    }

    /// The draft without this edit, or with it again if it was left out. `None` if other edits of
    /// the same files depend on it.
    #[must_use]
    pub fn with_edit_toggled(&self, act: u64) -> Option<Self> {
        let mut draft = self.clone();
        if self.reverted_records().iter().any(|record| record.act == act) {
            // Only the edit that was undone last can be redone.
            let is_last = self.history.undone.last().is_some_and(|record| record.act == act);
            return (is_last && draft.redo().is_some()).then_some(draft);
        }
        let is_in = |record: &&EditRecord| record.act == act;
        let back: Vec<EditRecord> = draft.left_out.iter().filter(is_in).cloned().collect();
        let files: BTreeSet<PathBuf> = if back.is_empty() {
            self.unwritten_records().filter(is_in).map(|record| record.file.clone()).collect()
        } else {
            back.iter().map(|record| record.file.clone()).collect()
        };
        draft.left_out.retain(|record| record.act != act);
        for file in &files {
            let back = back.iter().filter(|record| record.file == *file);
            draft.replay(file, act, back.cloned().collect())?;
        }
        draft.left_out.sort_by_key(|record| record.act);
        draft.increment_revision();
        (!files.is_empty()).then_some(draft)
    }

    /// Removes an edit from the list; a redo restores it. Returns false if other edits depend on
    /// it.
    pub fn drop_edit(&mut self, act: u64) -> bool {
        let is_left_out = self.left_out.iter().any(|record| record.act == act);
        let draft = if is_left_out { Some(self.clone()) } else { self.with_edit_toggled(act) };
        let Some(mut draft) = draft else { return false };
        let dropped: Vec<EditRecord> =
            draft.left_out.extract_if(.., |record| record.act == act).collect();
        draft.history.undone.extend(dropped.into_iter().rev());
        draft.dropped.insert(act, is_left_out);
        draft.increment_revision();
        *self = draft;
        true
    }

    /// Restores the edit that was dropped last, and returns its number; `None` if the last action
    /// was another one.
    pub fn restore_dropped_edit(&mut self) -> Option<u64> {
        let act = self.history.undone.last()?.act;
        let was_left_out = *self.dropped.get(&act)?;
        let mut draft = self.clone();
        let is_dropped = |record: &mut EditRecord| record.act == act;
        let back: Vec<EditRecord> = draft.history.undone.extract_if(.., is_dropped).collect();
        draft.left_out.extend(back.into_iter().rev());
        draft.left_out.sort_by_key(|record| record.act);
        if !was_left_out {
            draft = draft.with_edit_toggled(act)?;
        }
        draft.dropped.remove(&act);
        draft.increment_revision();
        *self = draft;
        Some(act)
    }

    /// Applies the unwritten edits of a file to its base again: the edits of action `act` are left
    /// out, and the edits `back` are added.
    fn replay(&mut self, path: &Path, act: u64, back: Vec<EditRecord>) -> Option<()> {
        let undone = self.history.undone.iter();
        if undone.clone().any(|record| record.written && record.file == path) {
            return self.change_text(path, act, back);
        }
        let file = self.files.get(path).filter(|file| file.conflict.is_none())?;
        let mut now = file.base.clone();
        let ours = |record: &EditRecord| record.file == path;
        let mut kept: Vec<EditRecord> =
            self.unwritten_records().filter(|it| ours(it)).cloned().collect();
        let count = kept.len();
        let is_out = |record: &mut EditRecord| back.is_empty() && record.act == act;
        let out: Vec<EditRecord> = kept.extract_if(.., is_out).collect();
        kept.extend(back);
        kept.sort_by_key(|record| record.act);
        kept.iter_mut().try_for_each(|record| record.repeat(&mut now))?;
        // The repeated edits replace the last edits of this file in the history.
        let done = &mut self.history.undo_stack;
        for _ in 0..count {
            done.remove(done.iter().rposition(ours)?);
        }
        done.extend(kept);
        done.sort_by_key(|record| record.act);
        self.left_out.extend(out);
        self.files.get_mut(path)?.text = now;
        Some(())
    }

    /// As [`Self::replay`] in a file with written edits that were undone: the edits of action `act`
    /// are taken out of the current text, or the edits `back` are added to it.
    fn change_text(&mut self, path: &Path, act: u64, back: Vec<EditRecord>) -> Option<()> {
        let file = self.files.get_mut(path).filter(|file| file.conflict.is_none())?;
        let is_out = |record: &mut EditRecord| {
            back.is_empty() && record.act == act && record.file == path && !record.written
        };
        let out: Vec<EditRecord> = self.history.undo_stack.extract_if(.., is_out).collect();
        for record in out.iter().rev() {
            file.text = record.text_without_edit(file.text.as_ref())?;
        }
        self.left_out.extend(out);
        for mut record in back {
            record.repeat(&mut file.text)?;
            self.history.undo_stack.push(record);
        }
        Some(())
    }

    /// The unwritten edits without pairs of actions that switch an entry and switch it back, or that
    /// add an entry and remove it.
    pub(super) fn effective_records(&self) -> Vec<&EditRecord> {
        let records: Vec<&EditRecord> = self.unwritten_records().collect();
        without_opposites(&records)
    }

    /// The unwritten edits that are not discarded, in files that differ from the disk.
    pub(super) fn unwritten_records(&self) -> impl Iterator<Item = &EditRecord> {
        let records = self.history.undo_stack.iter().enumerate();
        let counts = |at: usize, record: &EditRecord| {
            let mut later = self.history.undo_stack[at..].iter();
            later.all(|other| other.file != record.file || other.words != DISCARD_DESCRIPTION)
        };
        records
            .filter(move |(at, record)| {
                let differs = self.files.get(&record.file).is_some_and(FileDraft::is_edited);
                !record.written && differs && counts(*at, record)
            })
            .map(|(_, record)| record)
    }
}

/// The edits without pairs of actions that cancel each other.
pub(super) fn without_opposites<'e>(records: &[&'e EditRecord]) -> Vec<&'e EditRecord> {
    let is_alone = |act: u64| records.iter().filter(|it| it.act == act).count() == 1;
    let mut effective: Vec<&EditRecord> = Vec::new();
    for record in records {
        let back = effective.iter().rposition(|earlier| {
            earlier.file == record.file && earlier.intent.is_opposite(&record.intent)
        });
        match back.filter(|back| is_alone(effective[*back].act) && is_alone(record.act)) {
            Some(back) => {
                effective.remove(back);
            }
            None => effective.push(record),
        }
    }
    effective
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::draft::{Edit, EntryRef};
    use crate::engine::load::MemoryFiles;

    const FILE: &str = "/k/kustomization.yaml";
    const TEXT: &str = "resources:\n- a\n- b\n- c\n";

    fn disk() -> MemoryFiles {
        MemoryFiles::default().file(FILE, TEXT)
    }

    fn toggled(indices: &[usize]) -> Draft {
        let mut draft = Draft::default();
        for index in indices.iter().copied() {
            let entry = EntryRef { file: FILE.into(), field: "resources".to_owned(), index };
            draft.apply(&Edit::ToggleEntry(entry), &disk()).unwrap();
        }
        draft
    }

    fn text(draft: &Draft) -> String {
        let change = draft.changes().into_iter().next();
        let bytes = change.and_then(|change| change.draft);
        bytes.map_or_else(|| TEXT.to_owned(), |bytes| String::from_utf8_lossy(&bytes).into_owned())
    }

    #[test]
    fn entry_that_is_switched_three_times_is_one_edit_with_three_undos() {
        let mut draft = toggled(&[1, 0, 1, 1]);
        let names: Vec<String> = draft.edits().into_iter().map(|edit| edit.words).collect();
        assert_eq!(names, ["switch off resources a", "switch off resources b"]);
        assert_eq!((draft.pending(), draft.unwritten()), (2, names));
        for edit in draft.edits() {
            let without = draft.with_edit_toggled(edit.act).unwrap();
            assert_eq!(text(&without).matches('#').count(), 1, "{}", text(&without));
            let with = without.with_edit_toggled(edit.act).unwrap();
            assert_eq!((text(&with), with.edits()), (text(&draft), draft.edits()));
        }
        for left in [1, 2, 1, 0] {
            assert!(draft.undo().is_some());
            assert_eq!(draft.edits().len(), left);
        }
        assert!(draft.undo().is_none());
    }

    #[test]
    fn entry_that_is_added_and_removed_is_no_edit() {
        let (disk, mut draft) = (disk(), toggled(&[0]));
        let (file, field) = (PathBuf::from(FILE), "components".to_owned());
        let add = Edit::AddEntry { file: file.clone(), field: field.clone(), text: "c".to_owned() };
        draft.apply(&add, &disk).unwrap();
        draft.apply(&Edit::ToggleEntry(EntryRef { file, field, index: 0 }), &disk).unwrap();
        assert_eq!(text(&draft), "resources:\n#- a\n- b\n- c\n");
        let names: Vec<String> = draft.edits().into_iter().map(|edit| edit.words).collect();
        assert_eq!(
            (names.as_slice(), draft.pending()),
            (&["switch off resources a".into()][..], 1)
        );
        assert_eq!(draft.to_stored(None).edit_count(), 1);
        assert_eq!(draft.undo().as_deref(), Some("remove components c"));
        assert!(text(&draft).contains("components:\n- c\n"));
    }

    #[test]
    fn left_out_edit_is_restored_from_the_store_and_after_a_reverted_write() {
        let draft = toggled(&[0, 2]);
        let first = draft.edits()[0].act;
        let mut draft = draft.with_edit_toggled(first).unwrap();
        let (again, _) = Draft::from_stored(draft.to_stored(None), &disk());
        assert!(again.edits()[0].is_left_out);
        assert_eq!(again.edits().len(), 2);
        draft.mark_written(Path::new(FILE));
        assert!(draft.undo().is_some());
        let with = draft.with_edit_toggled(first).unwrap();
        assert_eq!(text(&with), "resources:\n#- a\n- b\n- c\n");
        let without = with.with_edit_toggled(first).unwrap();
        assert_eq!(text(&without), TEXT);
    }

    #[test]
    fn undo_restores_dropped_edits_first() {
        let mut draft = toggled(&[0, 1, 2]);
        let all = draft.edits();
        assert!(draft.restore_dropped_edit().is_none());
        assert!(draft.drop_edit(all[0].act) && draft.drop_edit(all[2].act));
        for act in [all[2].act, all[0].act] {
            assert_eq!(draft.restore_dropped_edit(), Some(act));
        }
        assert_eq!((draft.edits(), draft.restore_dropped_edit()), (all, None));
        // An edit that was left out is left out again.
        let mut without = draft.with_edit_toggled(draft.edits()[1].act).unwrap();
        let listed = without.edits();
        assert!(without.drop_edit(listed[1].act));
        assert_eq!(without.restore_dropped_edit(), Some(listed[1].act));
        assert_eq!(without.edits(), listed);
        // An edit that is undone is not restored by the next undo.
        assert!(draft.undo().is_some() && draft.restore_dropped_edit().is_none());
    }

    #[test]
    fn an_edit_that_others_depend_on_is_kept() {
        let disk = disk();
        let mut draft = Draft::default();
        for text in ["resources: [x]\n", "resources: [y]\n"] {
            let text: Arc<[u8]> = text.as_bytes().into();
            draft.apply(&Edit::SetText { file: FILE.into(), text }, &disk).unwrap();
        }
        let edits = draft.edits();
        assert!(draft.with_edit_toggled(edits[0].act).is_none());
        assert!(!draft.drop_edit(edits[0].act));
        assert_eq!(text(&draft), "resources: [y]\n");
    }
}
