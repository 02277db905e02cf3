//! A temporary git folder that borrows the objects of a repository.

use std::collections::BTreeMap;
use std::io;
use std::path::{Path, PathBuf};

use tempfile::TempDir;

use super::GitError;
use crate::host::bounds::MAX_SETTINGS_BYTES;
use crate::host::fs::read::{ReadError, read_file, read_text};
use crate::host::process::ending::{clear_abandoned, temporary_folder};

pub(super) struct RepositoryDirs {
    /// The work tree; the repository itself when it has none.
    pub(super) top: PathBuf,
    /// The folder of `HEAD` and the index.
    pub(super) own: PathBuf,
    /// The folder of objects and references, which differs for a linked work tree.
    pub(super) shared: PathBuf,
}

const MAX_REFERENCES_BYTES: u64 = 64 << 20;

pub(super) fn find(folder: &Path) -> Option<RepositoryDirs> {
    let folder = folder.canonicalize().ok()?;
    folder.ancestors().find_map(|top| {
        let dot = top.join(".git");
        let own = if dot.is_dir() {
            dot
        } else if dot.is_file() {
            let text = small_text(&dot)?;
            top.join(text.trim().strip_prefix("gitdir:")?.trim())
        } else if top.join("objects").is_dir() && top.join("HEAD").is_file() {
            top.to_owned()
        } else {
            return None;
        };
        let shared = match small_text(&own.join("commondir")) {
            Some(text) => own.join(text.trim()),
            None => own.clone(),
        };
        shared.join("objects").is_dir().then(|| RepositoryDirs { top: top.to_owned(), own, shared })
    })
}

/// Creates a temporary git folder that uses the objects of this repository, with a copy of its
/// references and a minimal configuration.
pub(super) fn create_borrowing_folder(found: &RepositoryDirs) -> io::Result<TempDir> {
    clear_abandoned();
    let scratch = temporary_folder()?;
    let top = scratch.path();
    std::fs::create_dir_all(top.join("objects/info"))?;
    std::fs::create_dir_all(top.join("refs"))?;
    let objects = std::fs::canonicalize(found.shared.join("objects"))?;
    let mut line = objects.as_os_str().as_encoded_bytes().to_vec();
    if line.contains(&b'\n') {
        let objects = objects.display();
        return Err(io::Error::other(format!("git cannot borrow objects from {objects}")));
    }
    line.push(b'\n');
    // Git reads a path that begins with a quote as a quoted path.
    std::fs::write(top.join("objects/info/alternates"), line)?;
    let theirs = small_text(&found.shared.join("config")).unwrap_or_default().to_lowercase();
    let is_sha256 = theirs.lines().any(|line| {
        line.split_once('=').is_some_and(|(key, value)| {
            key.trim() == "objectformat" && value.trim().trim_matches('"') == "sha256"
        })
    });
    let config = if is_sha256 {
        "[core]\n\trepositoryformatversion = 1\n[extensions]\n\tobjectformat = sha256\n"
    } else {
        "[core]\n\trepositoryformatversion = 0\n"
    };
    std::fs::write(top.join("config"), config)?;
    if let Some(exclude) = small_text(&found.shared.join("info/exclude")) {
        std::fs::create_dir_all(top.join("info"))?;
        std::fs::write(top.join("info/exclude"), exclude)?;
    }
    references(found, top)?;
    for name in ["ORIG_HEAD", "FETCH_HEAD", "MERGE_HEAD"] {
        if let Some(text) = small_text(&found.own.join(name)) {
            std::fs::write(top.join(name), text)?;
        }
    }
    if let Some(shallow) = small_text(&found.shared.join("shallow")) {
        std::fs::write(top.join("shallow"), shallow)?;
    }
    Ok(scratch)
}

const MAX_ALTERNATE_STORES: usize = 6;

/// An object store and the stores from which it borrows objects, as listed in `info/alternates`.
/// Git reads these lists without a size limit.
pub(super) fn object_stores(objects: &Path) -> Result<Vec<PathBuf>, GitError> {
    let mut stores = vec![objects.to_owned()];
    let mut at = 0;
    while let Some(store) = stores.get(at).cloned() {
        at += 1;
        let list = store.join("info/alternates");
        let lines = match read_file(&list, MAX_SETTINGS_BYTES) {
            Ok(lines) => lines,
            Err(ReadError::System(error)) if error.kind() == io::ErrorKind::NotFound => continue,
            Err(ReadError::NotRegular) => return Err(GitError::Special(list)),
            Err(error) => return Err(GitError::Other(format!("{}: {error}", list.display()))),
        };
        for line in lines.split(|byte| *byte == b'\n').filter(|line| !line.is_empty()) {
            let other = store.join(&*String::from_utf8_lossy(line));
            if stores.len() < MAX_ALTERNATE_STORES && !stores.contains(&other) {
                stores.push(other);
            }
        }
    }
    Ok(stores)
}

/// Copies `HEAD`, its branch, and the shared references.
fn references(found: &RepositoryDirs, top: &Path) -> io::Result<()> {
    let mut all: BTreeMap<String, String> = BTreeMap::new();
    let packed = small_text(&found.shared.join("packed-refs")).unwrap_or_default();
    for line in packed.lines().filter(|line| !line.starts_with(['#', '^'])) {
        if let Some((id, name)) = line.split_once(' ') {
            all.insert(name.trim().to_owned(), id.to_owned());
        }
    }
    let mut folders = vec![found.shared.join("refs")];
    while let Some(folder) = folders.pop() {
        let Ok(entries) = std::fs::read_dir(&folder) else { continue };
        for entry in entries.flatten() {
            let (path, kind) = (entry.path(), entry.file_type()?);
            if kind.is_dir() {
                folders.push(path);
            } else if let (Some(text), Ok(name)) =
                (small_text(&path), path.strip_prefix(&found.shared))
            {
                all.insert(name.to_string_lossy().into_owned(), text.trim().to_owned());
            }
        }
    }
    let is_id = |text: &str| text.len() >= 40 && text.bytes().all(|byte| byte.is_ascii_hexdigit());
    let mut lines = String::new();
    for (name, first) in &all {
        // A symbolic reference: `ref: refs/heads/main`.
        let mut text = first;
        for _ in 0..5 {
            match text.strip_prefix("ref:").and_then(|name| all.get(name.trim())) {
                Some(next) => text = next,
                None => break,
            }
        }
        if is_id(text) {
            lines.push_str(&format!("{text} {name}\n"));
        }
    }
    std::fs::write(top.join("packed-refs"), lines)?;
    let head = small_text(&found.own.join("HEAD")).unwrap_or_default();
    std::fs::write(top.join("HEAD"), head)
}

/// The text of an existing, regular and small file.
fn small_text(path: &Path) -> Option<String> {
    read_text(path, MAX_REFERENCES_BYTES).ok()
}
