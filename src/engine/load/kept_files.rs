//! A cache of file queries: for one build and its trials, or for the builds of many targets of the
//! same files.

use std::collections::BTreeSet;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use indexmap::IndexMap;

use super::{FileError, FileKind, Files, MAX_BUILD_BYTES};

type ResolveResult = Result<(PathBuf, FileKind), FileError>;
type ReadResult = Result<Arc<[u8]>, FileError>;
type ListResult = Result<Vec<String>, FileError>;

/// Files as they were at their first read. A build reads many files and directories several times
/// and must get the same answer each time. To see changes, create a new value or
/// [`KeptFiles::invalidate`] the changed files. The total size of cached files is limited to that
/// of one build; further files are not cached.
pub struct KeptFiles {
    inner: Arc<dyn Files>,
    // Threads may share the port: the first answer is kept, in any order.
    known: Mutex<FileCache>,
}

/// A map keyed by the text of a path, which is cheaper than comparing paths by their parts. Two
/// spellings of one path have two entries.
type PathTextMap<T> = IndexMap<OsString, T, foldhash::fast::RandomState>;

#[derive(Clone, Default)]
struct FileCache {
    resolved: PathTextMap<ResolveResult>,
    bytes: PathTextMap<ReadResult>,
    names: PathTextMap<ListResult>,
    size: u64,
    generation: u64,
}

impl FileCache {
    fn cache_file(&mut self, path: &Path, bytes: &ReadResult) {
        let more = size_of_file(bytes);
        if !self.bytes.contains_key(path.as_os_str()) && self.size + more <= MAX_BUILD_BYTES {
            self.size += more;
            self.bytes.insert(path.into(), bytes.clone());
        }
    }

    fn forget(&mut self, changed: &[PathBuf]) {
        let files: BTreeSet<&Path> = changed.iter().map(PathBuf::as_path).collect();
        let all: BTreeSet<&Path> = changed.iter().flat_map(|path| path.ancestors()).collect();
        let is_kept =
            |text: &OsString, forgotten: &BTreeSet<&Path>| !forgotten.contains(Path::new(text));
        self.generation += 1;
        self.bytes.retain(|text, _| is_kept(text, &files));
        self.size = self.bytes.values().map(size_of_file).sum();
        self.resolved.retain(|text, _| is_kept(text, &all));
        self.names.retain(|text, _| is_kept(text, &all));
    }
}

fn size_of_file(bytes: &ReadResult) -> u64 {
    bytes.as_ref().map_or(0, |bytes| bytes.len() as u64)
}

impl KeptFiles {
    /// A cache over these files.
    pub fn new(inner: Arc<dyn Files>) -> Self {
        Self { inner, known: Mutex::default() }
    }

    /// The files themselves if they are cached, otherwise a cache over them.
    pub fn over(files: Arc<dyn Files>) -> Arc<dyn Files> {
        if files.is_cached() { files } else { Arc::new(Self::new(files)) }
    }

    /// A cache over other files, with the answers that these changes leave.
    #[must_use]
    pub fn with_changes(&self, changed: &[PathBuf], inner: Arc<dyn Files>) -> Self {
        let mut known = self.known(|known| known.clone());
        known.forget(changed);
        Self { inner, known: Mutex::new(known) }
    }

    /// Forgets the answers for these files and for the folders above them.
    pub fn invalidate(&self, changed: &[PathBuf]) {
        self.known(|known| known.forget(changed));
    }

    fn known<T>(&self, query: impl FnOnce(&mut FileCache) -> T) -> T {
        query(&mut self.known.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// The cached answer to a query. The lock is not held while the files are queried: if two
    /// threads query the same path, both get the same answer.
    fn recall<T: Clone>(
        &self,
        path: &Path,
        table: impl Fn(&mut FileCache) -> &mut PathTextMap<T>,
        ask: impl FnOnce() -> T,
    ) -> T {
        if let Some(answer) = self.known(|known| table(known).get(path.as_os_str()).cloned()) {
            return answer;
        }
        let answer = ask();
        self.known(|known| table(known).insert(path.into(), answer.clone()));
        answer
    }

    /// Resolves a path by the cached real path of its parent: only the last part is resolved.
    fn resolve_in_known_parent(&self, path: &Path) -> ResolveResult {
        if let (Some(parent), Some(name)) = (path.parent(), path.file_name())
            && !parent.as_os_str().is_empty()
            // Names come from entries. A name that is not ASCII may represent bytes that are not
            // UTF-8: resolve it in full.
            && name.is_ascii()
            && let Ok((directory, FileKind::Directory)) = self.resolve(parent)
        {
            return self.inner.resolve_below(&directory, &directory.join(name));
        }
        self.inner.resolve(path)
    }
}

impl Files for KeptFiles {
    fn resolve(&self, path: &Path) -> ResolveResult {
        self.recall(path, |known| &mut known.resolved, || self.resolve_in_known_parent(path))
    }

    fn resolve_below(&self, directory: &Path, path: &Path) -> ResolveResult {
        let ask = || self.inner.resolve_below(directory, path);
        self.recall(path, |known| &mut known.resolved, ask)
    }

    fn read(&self, path: &Path) -> ReadResult {
        if let Some(bytes) = self.known(|known| known.bytes.get(path.as_os_str()).cloned()) {
            return bytes;
        }
        let bytes = self.inner.read(path);
        self.known(|known| known.cache_file(path, &bytes));
        bytes
    }

    fn list(&self, path: &Path) -> ListResult {
        self.recall(path, |known| &mut known.names, || self.inner.list(path))
    }

    fn edits(&self) -> Option<(&Arc<dyn Files>, Vec<PathBuf>)> {
        self.inner.edits()
    }

    fn is_cached(&self) -> bool {
        true
    }

    fn generation(&self) -> u64 {
        self.known(|known| known.generation) + self.inner.generation()
    }

    fn trusts_settings(&self, file: &Path, target: &Path, is_in_git: bool) -> bool {
        self.inner.trusts_settings(file, target, is_in_git)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::load::MemoryFiles;

    /// Files whose content is the number of queries so far: each query has a new answer.
    struct Counting(Mutex<usize>);

    impl Files for Counting {
        fn resolve(&self, path: &Path) -> ResolveResult {
            *self.0.lock().unwrap() += 1;
            MemoryFiles::default().file("/a/b/c.yaml", "x").resolve(path)
        }

        fn read(&self, _: &Path) -> ReadResult {
            let mut count = self.0.lock().unwrap();
            *count += 1;
            Ok(count.to_string().into_bytes().into())
        }

        fn list(&self, path: &Path) -> ListResult {
            *self.0.lock().unwrap() += 1;
            MemoryFiles::default().file("/a/b/c.yaml", "x").list(path)
        }
    }

    #[test]
    fn repeated_queries_return_cached_answers() {
        let files = KeptFiles::new(Arc::new(Counting(Mutex::new(0))));
        let file = Path::new("/a/b/c.yaml");
        for _ in 0..3 {
            assert_eq!(files.read(file).unwrap(), Arc::<[u8]>::from(*b"1"));
        }
        assert_eq!(files.resolve(file), Ok((file.to_owned(), FileKind::File)));
        assert!(files.resolve(Path::new("/a/b/missing.yaml")).is_err());
        assert!(files.resolve(Path::new("/a/b/c.yaml/below")).is_err());
        assert_eq!(files.list(Path::new("/a")).unwrap(), ["b"]);
        assert_eq!(files.resolve(Path::new("/a/b/../b/c.yaml")).unwrap().0, file);
    }

    #[test]
    fn a_file_that_changed_is_read_again() {
        let files = KeptFiles::new(Arc::new(Counting(Mutex::new(0))));
        let (one, two) = (Path::new("/a/1.yaml"), Path::new("/a/2.yaml"));
        let read = |path| files.read(path).unwrap();
        let before = (read(one), read(two));
        files.invalidate(&[PathBuf::from("/a/./1.yaml")]);
        assert_ne!(read(one), before.0);
        assert_eq!(read(two), before.1);
    }

    /// Files of 256 MiB, which count how often they are read.
    struct CountingLargeFiles(Arc<[u8]>, Mutex<usize>);

    impl Files for CountingLargeFiles {
        fn resolve(&self, path: &Path) -> ResolveResult {
            Ok((path.to_owned(), FileKind::File))
        }

        fn read(&self, _: &Path) -> ReadResult {
            *self.1.lock().unwrap() += 1;
            Ok(self.0.clone())
        }

        fn list(&self, _: &Path) -> ListResult {
            Ok(Vec::new())
        }
    }

    #[test]
    fn bytes_beyond_the_limit_are_read_again() {
        let large = Arc::new(CountingLargeFiles(vec![0; 256 << 20].into(), Mutex::new(0)));
        let files = KeptFiles::new(large.clone());
        let read = |names: &[&str]| {
            for name in names {
                assert!(files.read(Path::new(name)).is_ok());
            }
            std::mem::take(&mut *large.1.lock().unwrap())
        };
        assert_eq!(read(&["/a", "/b", "/a", "/b"]), 2);
        assert_eq!(read(&["/c", "/c", "/a"]), 2, "no room for another file");
        files.invalidate(&["/a".into()]);
        assert_eq!(read(&["/c", "/c", "/a", "/a"]), 3, "its room is free again");
    }
}
