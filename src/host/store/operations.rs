//! The log of writes to the files of a repository, kept in the user's state folder so that each can
//! be reverted later.

use std::io;
use std::path::{Path, PathBuf};

use crate::draft::{FileChange, PastWrite};
use crate::engine::load::Digest;

use super::private_files::{BeforeCallHook, kept_for, parse_kept, write_atomically_with};
use super::trust_file::now;
use crate::host::bounds::MAX_KEPT_FILE_BYTES;
use crate::host::fs::folders::state_folder;
use crate::host::fs::ownership;

const VERSION: u32 = 2;
const MAX_KEPT_WRITES: usize = 200;
/// The size limit in bytes of all kept writes together; the newest is kept whatever its size.
const MAX_KEPT_WRITES_BYTES: u64 = 64 << 20;

/// The writes to one repository: a folder readable by the user only, with one file for each write.
/// Nothing is created before the first write.
#[derive(Clone, Debug)]
pub struct OperationLog {
    folder: Option<PathBuf>,
    root: PathBuf,
}

impl OperationLog {
    /// The log of the user for the repository with this root (`~/.local/state/kzui/operations/…`).
    /// Nothing is kept if the user has no home.
    pub fn of_user(root: &Path) -> Self {
        Self::in_folder(state_folder().map(|folder| folder.join("operations")).as_deref(), root)
    }

    pub fn in_folder(folder: Option<&Path>, root: &Path) -> Self {
        let name = Digest::compute(root.as_os_str().as_encoded_bytes()).hex();
        Self { folder: folder.map(|folder| folder.join(name)), root: root.to_owned() }
    }

    pub fn append(&self, words: &[String], changes: &[FileChange]) -> io::Result<()> {
        self.append_with_hook(words, changes, &|_| Ok(()))
    }

    fn append_with_hook(
        &self,
        words: &[String],
        changes: &[FileChange],
        before: BeforeCallHook<'_>,
    ) -> io::Result<()> {
        let Some(folder) = &self.folder else {
            return Err(io::Error::other("no home folder to record writes in"));
        };
        let write = PastWrite { at: now(), words: words.to_vec(), files: changes.to_vec() };
        let text = kept_for(&self.root, VERSION, &write)?;
        let mut number = self.numbers().last().map_or(1, |last| last + 1);
        // Another workbench on the same repository may use the same number.
        loop {
            match write_atomically_with(&place(folder, number), &text, false, before) {
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => number += 1,
                done => break done?,
            }
        }
        self.remove_old(folder);
        Ok(())
    }

    /// The kept writes, newest first. Files in another format are ignored.
    pub fn read(&self) -> Vec<PastWrite> {
        let Some(folder) = &self.folder else { return Vec::new() };
        let numbers = self.numbers().into_iter().rev();
        numbers.filter_map(|number| self.operation(&place(folder, number))).collect()
    }

    fn numbers(&self) -> Vec<u64> {
        let entries = self.folder.as_ref().and_then(|folder| fs_err::read_dir(folder).ok());
        let names = entries.into_iter().flatten().flatten().map(|entry| entry.file_name());
        let number = |name: std::ffi::OsString| name.to_str()?.strip_suffix(".json")?.parse().ok();
        let mut numbers: Vec<u64> = names.filter_map(number).collect();
        numbers.sort_unstable();
        numbers
    }

    fn operation(&self, path: &Path) -> Option<PastWrite> {
        let bytes = ownership::read(path, MAX_KEPT_FILE_BYTES).ok()?;
        parse_kept(&bytes, &self.root, VERSION)
    }

    /// Removes files over the limits, oldest first.
    fn remove_old(&self, folder: &Path) {
        let (mut kept, mut bytes) = (0, 0);
        for number in self.numbers().into_iter().rev() {
            let path = place(folder, number);
            kept += 1;
            bytes += fs_err::metadata(&path).map_or(0, |it| it.len());
            if kept > 1 && (kept > MAX_KEPT_WRITES || bytes > MAX_KEPT_WRITES_BYTES) {
                // A failed removal is repeated after the next write.
                let _ = fs_err::remove_file(path);
            }
        }
    }
}

fn place(folder: &Path, number: u64) -> PathBuf {
    folder.join(format!("{number:08}.json"))
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use crate::host::store::operations::*;
    use crate::host::store::private_files::with_faults;

    fn change(before: Option<&str>, after: Option<&str>) -> FileChange {
        let bytes = |text: Option<&str>| text.map(|text| Arc::from(text.as_bytes()));
        FileChange { path: "/t/a.yaml".into(), base: bytes(before), draft: bytes(after) }
    }

    #[test]
    fn fault_during_append_leaves_no_partial_write() {
        let scratch = tempfile::tempdir().unwrap();
        let log = OperationLog::in_folder(Some(scratch.path()), Path::new("/t"));
        let words = |text: &str| vec![text.to_owned()];
        log.append(&words("first"), &[change(None, Some("a"))]).unwrap();
        let calls = with_faults(|before| {
            let done =
                log.append_with_hook(&words("next"), &[change(Some("a"), Some("b"))], before);
            let read = log.read();
            assert_eq!(read.len(), if done.is_ok() { 2 } else { 1 });
            assert_eq!(read.last().unwrap().words, words("first"));
            let folder = log.folder.as_ref().unwrap();
            assert_eq!(std::fs::read_dir(folder).unwrap().count(), read.len(), "a rest is there");
            done
        });
        assert!(calls >= 6, "{calls} calls");
    }

    #[test]
    fn writes_are_read_newest_first_and_oldest_are_dropped() {
        let home = tempfile::tempdir().unwrap();
        let log = OperationLog::in_folder(Some(home.path()), Path::new("/t"));
        assert!(log.read().is_empty());
        for number in 0..MAX_KEPT_WRITES + 3 {
            let (before, after) = (number.to_string(), (number + 1).to_string());
            let change = change((number > 0).then_some(&*before), Some(&after));
            log.append(&[format!("edit {number}")], &[change]).unwrap();
        }
        let read = log.read();
        assert_eq!(read.len(), MAX_KEPT_WRITES);
        assert_eq!(read[0].words, [format!("edit {}", MAX_KEPT_WRITES + 2)]);
        assert_eq!(read[MAX_KEPT_WRITES - 1].words, ["edit 3"]);
        assert_eq!(
            read[0].files[0].draft.as_deref(),
            Some((MAX_KEPT_WRITES + 3).to_string().as_bytes())
        );
        let other = OperationLog::in_folder(Some(home.path()), Path::new("/other"));
        assert!(other.read().is_empty());
    }

    #[test]
    fn unreadable_and_foreign_files_are_ignored() {
        let home = tempfile::tempdir().unwrap();
        let log = OperationLog::in_folder(Some(home.path()), Path::new("/t"));
        log.append(&[], &[change(None, Some("x"))]).unwrap();
        let folder = log.folder.clone().unwrap();
        fs_err::write(folder.join("00000002.json"), "{").unwrap();
        fs_err::write(folder.join("notes.txt"), "").unwrap();
        assert_eq!(log.read().len(), 1);
        log.append(&[], &[change(Some("x"), None)]).unwrap();
        let read = log.read();
        assert_eq!((read.len(), read[0].files[0].draft.as_deref()), (2, None));
    }
}
