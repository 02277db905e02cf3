//! `kzui.lock`: the catalogs that a repository has reviewed. It only adds restrictions (ruling 36):
//! no entry grants trust, and content that differs from the entries does not run.

use std::fmt::Write;
use std::path::{Path, PathBuf};

use crate::load::{Artifact, Digest, FileError, Files, Reference};
use crate::yaml::{Mark, Node, parse_nodes};

use super::record::quoted;

pub const LOCK_FILE: &str = "kzui.lock";

const VERSION: &str = "1";

const HEADER: &str = "\
# The function catalogs that this repository has reviewed, written by `kzui trust add --lock`.
# It grants no trust: it only forbids content that differs from it.
";

/// The reviewed catalogs of a repository.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CatalogLock {
    pub path: PathBuf,
    pub entries: Vec<LockEntry>,
}

/// A reviewed catalog.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LockEntry {
    /// The reference of the catalog; a path is relative to the folder of the lock file.
    pub reference: String,
    pub digest: Digest,
    /// The scripts and programs that the catalog names, with their digests.
    pub files: Vec<(String, Digest)>,
    /// The verified signer; empty if none was verified.
    pub signer: String,
    /// Empty if not known.
    pub reviewer: String,
    /// The time of the decision, as RFC 3339.
    pub date: String,
}

impl CatalogLock {
    /// The lock files for a folder: those in the folder and above it, up to the root of the
    /// outermost repository, the nearest first. All of them apply, so that a further file only adds
    /// restrictions.
    ///
    /// # Errors
    /// One of them is malformed, or exists and cannot be read: then no function of a catalog runs
    /// below it.
    pub fn find_all(directory: &Path, files: &dyn Files) -> Result<Vec<Self>, String> {
        let is_root = |above: &&Path| files.resolve(&above.join(".git")).is_ok();
        let root = directory.ancestors().filter(is_root).last();
        // A link without a destination is listed.
        let is_listed = |folder: &Path| {
            files.list(folder).is_ok_and(|names| names.iter().any(|name| *name == LOCK_FILE))
        };
        let mut locks = Vec::new();
        for above in directory.ancestors() {
            let path = above.join(LOCK_FILE);
            match files.read(&path) {
                Ok(bytes) => locks.push(Self::parse(&path, &bytes)?),
                Err(FileError::Missing { .. }) if !is_listed(above) => {}
                Err(error) => return Err(format!("{}: {error}", path.display())),
            }
            if Some(above) == root {
                break;
            }
        }
        Ok(locks)
    }

    /// Reads a lock file. Unknown content is an error, because it might be a further restriction.
    ///
    /// # Errors
    /// Not YAML, another version, a field that is missing, unknown or malformed.
    pub fn parse(path: &Path, bytes: &[u8]) -> Result<Self, String> {
        let wrong = |mark: Mark, reason: String| {
            format!("{}:{}: {reason}", path.display(), mark.line.max(1))
        };
        let nodes =
            parse_nodes(bytes).map_err(|error| wrong(Mark::default(), error.to_string()))?;
        let [node] = nodes.as_slice() else {
            return Err(wrong(Mark::default(), "expected one document".to_owned()));
        };
        let read = || -> Result<Vec<LockEntry>, (Mark, String)> {
            check_known_fields(node, &["version", "catalogs"])?;
            if node.text_of("version") != Some(VERSION) {
                return Err((node.mark, format!("expected version: {VERSION}")));
            }
            let items = node.items_of("catalogs");
            items.iter().map(entry).collect()
        };
        let entries = read().map_err(|(mark, reason)| wrong(mark, reason))?;
        Ok(Self { path: path.to_owned(), entries })
    }

    /// The text of the file, sorted by reference.
    pub fn to_yaml(&self) -> String {
        let mut text = format!("{HEADER}version: {VERSION}\ncatalogs:\n");
        let mut entries: Vec<&LockEntry> = self.entries.iter().collect();
        entries.sort_by(|one, other| one.reference.cmp(&other.reference));
        for LockEntry { reference, digest, files, signer, reviewer, date } in entries {
            let _ = write!(text, "- reference: {}\n  digest: {digest}\n", quoted(reference));
            let fields = [("signer", signer), ("reviewer", reviewer), ("date", date)];
            for (name, value) in fields.into_iter().filter(|(_, value)| !value.is_empty()) {
                let _ = writeln!(text, "  {name}: {}", quoted(value));
            }
            text.push_str(if files.is_empty() { "" } else { "  files:\n" });
            for (path, digest) in files {
                let _ = write!(text, "  - path: {}\n    digest: {digest}\n", quoted(path));
            }
        }
        text
    }

    /// The entry with the content of a catalog: that of its reference, or if the lock file has none,
    /// another one, since trust follows content too.
    ///
    /// # Errors
    /// The digest of the entry of the reference, if it is another one; `None` without an entry.
    pub fn judge(
        &self,
        reference: &Reference,
        artifact: &Artifact,
        files: &dyn Files,
    ) -> Result<&LockEntry, Option<Digest>> {
        match self.entry(reference, files) {
            Some(entry) if artifact.matches_pin(&entry.digest) => Ok(entry),
            Some(entry) => Err(Some(entry.digest)),
            None => {
                let same = self.entries.iter().find(|entry| artifact.matches_pin(&entry.digest));
                same.ok_or(None)
            }
        }
    }

    /// The entry of a reference, if there is one; symbolic links are resolved to compare.
    pub fn entry(&self, reference: &Reference, files: &dyn Files) -> Option<&LockEntry> {
        let wanted = unpinned(reference);
        let is_it = |entry: &&LockEntry| {
            let found = entry.parsed(&self.path).ok();
            found.is_some_and(|it| unpinned(&it.resolved(files).unwrap_or(it)) == wanted)
        };
        self.entries.iter().find(is_it)
    }

    /// Replaces the entry of the same reference, or adds one.
    pub fn put(&mut self, reference: &Reference, entry: LockEntry, files: &dyn Files) {
        let known = self.entry(reference, files).map(|known| known.reference.clone());
        self.entries.retain(|other| Some(&other.reference) != known.as_ref());
        self.entries.push(entry);
    }
}

impl LockEntry {
    /// The parsed reference, relative to the folder of the lock file.
    ///
    /// # Errors
    /// The text is not a reference.
    pub fn parsed(&self, lock: &Path) -> Result<Reference, crate::load::ReferenceError> {
        Reference::parse(&self.reference, lock.parent().unwrap_or(lock))
    }

    /// The digest that the entry contains for a file of the catalog, if any.
    pub fn digest_of(&self, path: &str) -> Option<Digest> {
        self.files.iter().find(|(other, _)| other == path).map(|(_, digest)| *digest)
    }
}

fn unpinned(reference: &Reference) -> String {
    Reference { pin: None, ..reference.clone() }.normalised()
}

fn check_known_fields(node: &Node, fields: &[&str]) -> Result<(), (Mark, String)> {
    if node.as_mapping().is_none() {
        return Err((node.mark, "expected a mapping".to_owned()));
    }
    for field in node.entries() {
        let name = field.key.text().unwrap_or_default();
        if !fields.contains(&name) {
            return Err((field.key.mark, format!("unknown field {name:?}")));
        }
    }
    Ok(())
}

fn entry(node: &Node) -> Result<LockEntry, (Mark, String)> {
    check_known_fields(node, &["reference", "digest", "files", "signer", "reviewer", "date"])?;
    let text = |key: &str| node.text_of(key).unwrap_or_default().to_owned();
    let reference = text("reference");
    if reference.is_empty() {
        return Err((node.mark, "reference is missing".to_owned()));
    }
    let files = node.items_of("files");
    let files = files.iter().map(|file| {
        check_known_fields(file, &["path", "digest"])?;
        let path = file.text_of("path");
        let path = path.ok_or_else(|| (file.mark, "path is missing".to_owned()))?;
        Ok((path.to_owned(), digest(file)?))
    });
    let files = files.collect::<Result<Vec<_>, _>>()?;
    let (signer, reviewer, date) = (text("signer"), text("reviewer"), text("date"));
    Ok(LockEntry { reference, digest: digest(node)?, files, signer, reviewer, date })
}

fn digest(node: &Node) -> Result<Digest, (Mark, String)> {
    let digest = node.text_of("digest").and_then(Digest::parse);
    digest.ok_or_else(|| (node.mark, "digest: expected sha256: and 64 hexadecimal digits".into()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn invalid_lock_files_fail_with_a_line() {
        let digest = Digest::compute(b"");
        for (text, line) in [
            (String::new(), 1),
            ("catalogs: []\n".to_owned(), 1),
            ("version: 2\ncatalogs: []\n".to_owned(), 1),
            ("version: 1\nmore: x\n".to_owned(), 2),
            ("version: 1\ncatalogs:\n- reference: a\n".to_owned(), 3),
            (format!("version: 1\ncatalogs:\n- digest: {digest}\n"), 3),
            ("version: 1\ncatalogs:\n- reference: a\n  digest: sha256:ab\n".to_owned(), 3),
            (format!("version: 1\ncatalogs:\n- reference: a\n  digest: {digest}\n  by: x\n"), 5),
        ] {
            let error = CatalogLock::parse(Path::new("/kzui.lock"), text.as_bytes()).unwrap_err();
            assert!(error.starts_with(&format!("/kzui.lock:{line}: ")), "{text}: {error}");
        }
    }
}
