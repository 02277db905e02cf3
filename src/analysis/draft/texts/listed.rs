//! The unwritten edits of a draft as a list.

use std::path::PathBuf;

use super::{Draft, EditRecord, THROWN};

/// An unwritten edit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ListedEdit {
    /// Its number.
    pub act: u64,
    pub words: String,
    /// The files that it changes, each once.
    pub files: Vec<PathBuf>,
}

impl Draft {
    /// The unwritten edits in files that differ from those on disk, oldest first.
    pub fn edits(&self) -> Vec<ListedEdit> {
        let mut edits: Vec<ListedEdit> = Vec::new();
        for record in self.unwritten_records() {
            match edits.iter_mut().find(|edit| edit.act == record.act) {
                Some(edit) if edit.files.contains(&record.file) => {}
                Some(edit) => edit.files.push(record.file.clone()),
                None => edits.push(ListedEdit {
                    act: record.act,
                    words: record.words.clone(),
                    files: vec![record.file.clone()],
                }),
            }
        }
        edits
    }

    /// The unwritten edits, without discarded ones, of the files that differ from those on disk.
    pub(super) fn unwritten_records(&self) -> impl Iterator<Item = &EditRecord> {
        let records = self.history.done.iter().enumerate();
        let counts = |at: usize, record: &EditRecord| {
            let mut later = self.history.done[at..].iter();
            later.all(|other| other.file != record.file || other.words != THROWN)
        };
        records
            .filter(move |(at, record)| {
                let differs = self.files.get(&record.file).is_some_and(super::FileDraft::differs);
                !record.written && differs && counts(*at, record)
            })
            .map(|(_, record)| record)
    }
}
