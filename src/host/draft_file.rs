//! What was drafted and not written, kept in the user's state folder until the tree is opened again.

use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde_json::{Value, json};

use crate::engine::load::Digest;

use super::private::{folders, write_whole};

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
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DraftFile {
    path: Option<PathBuf>,
    root: PathBuf,
}

impl DraftFile {
    /// The user's own for the tree with this root (`~/.local/state/kzui/drafts/…`). Where the user has no home nothing
    /// is kept.
    pub fn of_user(root: &Path) -> Self {
        let folder = folders()
            .map(|dirs| dirs.state_dir().unwrap_or_else(|| dirs.data_local_dir()).join("drafts"));
        Self::in_folder(folder.as_deref(), root)
    }

    /// In a folder of drafts.
    pub fn in_folder(folder: Option<&Path>, root: &Path) -> Self {
        let name = Digest::of(root.as_os_str().as_encoded_bytes());
        let path = folder.map(|folder| folder.join(format!("{}.json", name.hex())));
        Self { path, root: root.to_owned() }
    }

    /// What is kept. A file that is none of ours, or of another tree, counts as nothing.
    pub fn read(&self) -> Vec<KeptFile> {
        let Some(path) = &self.path else { return Vec::new() };
        let read = fs_err::read(path).ok();
        let value = read.and_then(|text| serde_json::from_slice::<Value>(&text).ok());
        value.and_then(|value| self.changes(&value)).unwrap_or_default()
    }

    fn changes(&self, value: &Value) -> Option<Vec<KeptFile>> {
        let is_ours = value["version"].as_u64() == Some(VERSION)
            && value["root"].as_str().map(Path::new) == Some(self.root.as_path());
        let files = value["files"].as_array().filter(|_| is_ours)?;
        let text = |value: &Value| -> Option<Option<Arc<[u8]>>> {
            match value.as_str() {
                None if value.is_null() => Some(None),
                text => Some(Some(STANDARD.decode(text?).ok()?.into())),
            }
        };
        let change = |file: &Value| {
            Some(KeptFile {
                path: file["path"].as_str()?.into(),
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
        let Some(path) = &self.path else {
            return Err(io::Error::other("there is no home folder to keep drafts in"));
        };
        if changes.is_empty() {
            return match fs_err::remove_file(path) {
                Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
                _ => Ok(()),
            };
        }
        let text = |bytes: &Option<Arc<[u8]>>| bytes.as_ref().map(|bytes| STANDARD.encode(bytes));
        let mut files = Vec::with_capacity(changes.len());
        for change in changes {
            let Some(path) = change.path.to_str() else {
                return Err(io::Error::other("a path is not UTF-8"));
            };
            files.push(json!({
                "path": path, "base": text(&change.base), "draft": text(&change.draft),
            }));
        }
        let document =
            json!({ "version": VERSION, "root": self.root.to_string_lossy(), "files": files });
        write_whole(path, document.to_string().as_bytes())
    }
}

#[cfg(test)]
mod tests {
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
            assert_eq!(mode(file.path.as_deref().unwrap()), 0o600);
        }
        file.keep(&[]).unwrap();
        assert_eq!(std::fs::read_dir(&folder).unwrap().count(), 0);
        assert!(DraftFile::in_folder(None, Path::new("/tree")).keep(&changes).is_err());
    }
}
