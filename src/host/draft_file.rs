//! What was drafted and not written, kept in the user's state folder until the tree is opened again.

use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde_json::{Value, json};

use crate::engine::load::Digest;

use super::private::{Before, path_of, private_folder, state_folder, text_of, write_whole_with};

/// The version of the file's form.
const VERSION: u64 = 1;

/// A file that a draft changes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KeptFile {
    /// Absolute path.
    pub path: PathBuf,
    /// The bytes that the draft is based on; `None`: no file.
    pub base: Option<Arc<[u8]>>,
    /// The bytes of the draft; `None`: the file goes.
    pub draft: Option<Arc<[u8]>>,
}

/// The kept draft of one tree: a file that only the user can read. Nothing is made before there is a draft.
///
/// Each workbench that is open on the tree has a file of its own, locked as long as it is open: what one writes or throws
/// away is not another's. Whoever opens the tree next finds one that nobody holds.
#[derive(Clone, Debug)]
pub struct DraftFile {
    folder: Option<PathBuf>,
    name: String,
    root: PathBuf,
    own: Arc<Mutex<Option<Own>>>,
}

/// The file of this process.
#[derive(Debug)]
struct Own {
    path: PathBuf,
    lock: PathBuf,
    /// Held as long as it is open.
    _held: std::fs::File,
}

/// How many workbenches may be open on one tree and keep a draft.
const MOST: usize = 64;

impl DraftFile {
    /// The user's own for the tree with this root (`~/.local/state/kzui/drafts/…`). Where the user has no home nothing
    /// is kept.
    pub fn of_user(root: &Path) -> Self {
        Self::in_folder(state_folder().map(|folder| folder.join("drafts")).as_deref(), root)
    }

    /// In a folder of drafts.
    pub fn in_folder(folder: Option<&Path>, root: &Path) -> Self {
        let name = Digest::of(root.as_os_str().as_encoded_bytes()).hex();
        let folder = folder.map(Path::to_owned);
        Self { folder, name, root: root.to_owned(), own: Arc::default() }
    }

    /// What is kept. A file that is none of ours, or of another tree, or of a workbench that is open, counts as nothing.
    pub fn read(&self) -> Vec<KeptFile> {
        let mut own = self.own.lock().unwrap_or_else(PoisonError::into_inner);
        if own.is_none() {
            *own = self.places().filter(|(path, _)| path.is_file()).find_map(hold);
        }
        let read = own.as_ref().and_then(|own| fs_err::read(&own.path).ok());
        let value = read.and_then(|text| serde_json::from_slice::<Value>(&text).ok());
        value.and_then(|value| self.changes(&value)).unwrap_or_default()
    }

    /// Where drafts of this tree may stand, each with its lock.
    fn places(&self) -> impl Iterator<Item = (PathBuf, PathBuf)> + '_ {
        let folder = self.folder.iter();
        folder.flat_map(|folder| {
            (0..MOST).map(|number| {
                let behind = if number == 0 { String::new() } else { format!("-{number}") };
                let place = |end: &str| folder.join(format!("{}{behind}.{end}", self.name));
                (place("json"), place("lock"))
            })
        })
    }

    fn changes(&self, value: &Value) -> Option<Vec<KeptFile>> {
        let is_ours = value["version"].as_u64() == Some(VERSION)
            && value["root"].as_str().map(path_of).as_deref() == Some(self.root.as_path());
        let files = value["files"].as_array().filter(|_| is_ours)?;
        let text = |value: &Value| -> Option<Option<Arc<[u8]>>> {
            match value.as_str() {
                None if value.is_null() => Some(None),
                text => Some(Some(STANDARD.decode(text?).ok()?.into())),
            }
        };
        let change = |file: &Value| {
            Some(KeptFile {
                path: path_of(file["path"].as_str()?),
                base: text(&file["base"])?,
                draft: text(&file["draft"])?,
            })
        };
        files.iter().map(change).collect()
    }

    /// Keeps these changes in place of what was kept; none of them removes the file.
    ///
    /// # Errors
    /// When the system refuses, or there is no home.
    pub fn keep(&self, changes: &[KeptFile]) -> io::Result<()> {
        self.keep_with(changes, &|_| Ok(()))
    }

    fn keep_with(&self, changes: &[KeptFile], before: Before<'_>) -> io::Result<()> {
        let Some(folder) = &self.folder else {
            return Err(io::Error::other("there is no home folder to keep drafts in"));
        };
        let mut own = self.own.lock().unwrap_or_else(PoisonError::into_inner);
        if changes.is_empty() {
            if let Some(held) = own.as_ref() {
                for gone in [&held.path, &held.lock] {
                    before("unlink")?;
                    match fs_err::remove_file(gone) {
                        Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
                        _ => {}
                    }
                }
            }
            *own = None;
            return Ok(());
        }
        if own.is_none() {
            private_folder(folder)?;
            *own = self.places().find_map(hold);
        }
        let Some(held) = own.as_ref() else {
            return Err(io::Error::other("too many workbenches are open on this tree"));
        };
        let text = |bytes: &Option<Arc<[u8]>>| bytes.as_ref().map(|bytes| STANDARD.encode(bytes));
        let mut files = Vec::with_capacity(changes.len());
        for change in changes {
            files.push(json!({
                "path": text_of(&change.path), "base": text(&change.base), "draft": text(&change.draft),
            }));
        }
        let document = json!({ "version": VERSION, "root": text_of(&self.root), "files": files });
        write_whole_with(&held.path, document.to_string().as_bytes(), before)
    }
}

/// Holds a place, unless a workbench that is open does.
fn hold((path, lock): (PathBuf, PathBuf)) -> Option<Own> {
    let mut options = std::fs::OpenOptions::new();
    options.create(true).truncate(false).write(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    let held = options.open(&lock).ok()?;
    #[cfg(unix)]
    {
        use rustix::fs::{FlockOperation, flock};
        use std::os::unix::fs::MetadataExt as _;
        flock(&held, FlockOperation::NonBlockingLockExclusive).ok()?;
        // Whoever held it before may have removed it meanwhile: then it locks nothing.
        let (is, named) = (held.metadata().ok()?, std::fs::metadata(&lock).ok()?);
        if (is.dev(), is.ino()) != (named.dev(), named.ino()) {
            return None;
        }
    }
    Some(Own { path, lock, _held: held })
}

#[cfg(test)]
mod tests {
    use super::super::private::with_faults;
    use super::*;

    #[test]
    fn a_draft_is_kept_for_its_tree_alone_and_removed_with_its_last_change() {
        let scratch = tempfile::tempdir().unwrap();
        let folder = scratch.path().join("drafts");
        let file = DraftFile::in_folder(Some(&folder), Path::new("/tree"));
        assert_eq!(file.read(), []);
        assert!(!folder.exists(), "reading makes nothing");
        let changes = [
            KeptFile { path: "/tree/a".into(), base: Some(b"\xff"[..].into()), draft: None },
            KeptFile { path: "/tree/b".into(), base: None, draft: Some(b"x"[..].into()) },
        ];
        file.keep(&changes).unwrap();
        assert_eq!(file.read(), changes);
        assert_eq!(DraftFile::in_folder(Some(&folder), Path::new("/other")).read(), []);
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt as _;
            let mode = |path: &Path| std::fs::metadata(path).unwrap().permissions().mode() & 0o777;
            assert_eq!(mode(&folder), 0o700);
            let (path, _) = file.places().next().unwrap();
            assert_eq!(mode(&path), 0o600);
        }
        file.keep(&[]).unwrap();
        assert_eq!(std::fs::read_dir(&folder).unwrap().count(), 0);
        assert!(DraftFile::in_folder(None, Path::new("/tree")).keep(&changes).is_err());
    }

    #[test]
    fn no_fault_loses_what_was_kept() {
        let scratch = tempfile::tempdir().unwrap();
        let change = |text: &str| {
            let draft = Some(text.as_bytes().into());
            vec![KeptFile { path: "/tree/a".into(), base: None, draft }]
        };
        let file = DraftFile::in_folder(Some(scratch.path()), Path::new("/tree"));
        file.keep(&change("before")).unwrap();
        let calls = with_faults(|before| {
            let kept = file.keep_with(&change("now"), before);
            assert_eq!(file.read(), change(if kept.is_ok() { "now" } else { "before" }));
            assert_eq!(
                std::fs::read_dir(scratch.path()).unwrap().count(),
                2,
                "a file and its lock"
            );
            kept
        });
        assert!(calls >= 6, "{calls} calls");
        // What was thrown away is gone, or it is said that it is not.
        let calls = with_faults(|before| {
            let removed = file.keep_with(&[], before);
            if removed.is_ok() {
                assert_eq!(file.read(), []);
            }
            removed
        });
        assert!(calls >= 2, "{calls} calls");
    }

    #[cfg(unix)]
    #[test]
    fn two_workbenches_on_one_tree_keep_a_draft_each() {
        let scratch = tempfile::tempdir().unwrap();
        let open = || DraftFile::in_folder(Some(scratch.path()), Path::new("/tree"));
        let change = |text: &str| {
            vec![KeptFile {
                path: "/tree/a".into(),
                base: None,
                draft: Some(text.as_bytes().into()),
            }]
        };
        let (one, two) = (open(), open());
        one.keep(&change("one")).unwrap();
        assert_eq!(two.read(), [], "it is another's, who is there");
        two.keep(&change("two")).unwrap();
        assert_eq!((one.read(), two.read()), (change("one"), change("two")));
        // One is thrown away: the other is kept.
        two.keep(&[]).unwrap();
        assert_eq!(one.read(), change("one"));
        two.keep(&change("three")).unwrap();
        drop((one, two));
        let (first, second) = (open(), open());
        assert_eq!((first.read(), second.read()), (change("one"), change("three")));
        let name = std::os::unix::ffi::OsStrExt::as_bytes(std::ffi::OsStr::new("/x")).to_vec();
        let odd: PathBuf = {
            use std::os::unix::ffi::OsStringExt as _;
            std::ffi::OsString::from_vec([&name[..], b"/\xff"].concat()).into()
        };
        let changes = [KeptFile { path: odd.clone(), base: None, draft: None }];
        let file = DraftFile::in_folder(Some(scratch.path()), &odd);
        file.keep(&changes).unwrap();
        assert_eq!(file.read(), changes);
    }
}
