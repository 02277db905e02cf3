//! Files that are looked at once: what was answered is answered again, for as long as one build and its trials take.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use indexmap::IndexMap;

use super::{FileError, FileKind, Files};

type Resolved = Result<(PathBuf, FileKind), FileError>;
type Bytes = Result<Arc<[u8]>, FileError>;
type Names = Result<Vec<String>, FileError>;

/// Files as they were when they were first asked for. A build asks for many of them several times, and for many in one
/// directory, and must not get two answers.
pub struct OneLook {
    inner: Arc<dyn Files>,
    // A port is shared between the threads that read side by side; who asks first changes no answer.
    known: Mutex<Known>,
}

/// By the text of a path: to take its parts apart costs more than to look again at one that is written in two ways.
type ByText<T> = IndexMap<OsString, T, foldhash::fast::RandomState>;

#[derive(Default)]
struct Known {
    resolved: ByText<Resolved>,
    bytes: ByText<Bytes>,
    names: ByText<Names>,
}

impl OneLook {
    /// Over these files.
    pub fn over(inner: Arc<dyn Files>) -> Self {
        Self { inner, known: Mutex::default() }
    }

    fn known<T>(&self, look: impl FnOnce(&mut Known) -> T) -> T {
        look(&mut self.known.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// Where the directory leads that a path is in, if that is known to be one: only the last part is new then.
    fn look(&self, path: &Path) -> Resolved {
        if let (Some(parent), Some(name)) = (path.parent(), path.file_name())
            && !parent.as_os_str().is_empty()
            // Below a directory a name is an entry's text. Here it may stand for bytes that are no
            // text.
            && name.is_ascii()
            && let Ok((directory, FileKind::Directory)) = self.resolve(parent)
        {
            return self.inner.resolve_below(&directory, &directory.join(name));
        }
        self.inner.resolve(path)
    }
}

impl Files for OneLook {
    fn resolve(&self, path: &Path) -> Resolved {
        if let Some(known) = self.known(|known| known.resolved.get(path.as_os_str()).cloned()) {
            return known;
        }
        let answer = self.look(path);
        self.known(|known| known.resolved.insert(path.into(), answer.clone()));
        answer
    }

    fn read(&self, path: &Path) -> Bytes {
        if let Some(known) = self.known(|known| known.bytes.get(path.as_os_str()).cloned()) {
            return known;
        }
        let answer = self.inner.read(path);
        self.known(|known| known.bytes.insert(path.into(), answer.clone()));
        answer
    }

    fn list(&self, path: &Path) -> Names {
        if let Some(known) = self.known(|known| known.names.get(path.as_os_str()).cloned()) {
            return known;
        }
        let answer = self.inner.list(path);
        self.known(|known| known.names.insert(path.into(), answer.clone()));
        answer
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::load::MemoryFiles;

    /// Files that change with every look.
    struct Counting(Mutex<usize>);

    impl Files for Counting {
        fn resolve(&self, path: &Path) -> Resolved {
            *self.0.lock().unwrap() += 1;
            MemoryFiles::default().file("/a/b/c.yaml", "x").resolve(path)
        }

        fn read(&self, _: &Path) -> Bytes {
            let mut count = self.0.lock().unwrap();
            *count += 1;
            Ok(count.to_string().into_bytes().into())
        }

        fn list(&self, path: &Path) -> Names {
            *self.0.lock().unwrap() += 1;
            MemoryFiles::default().file("/a/b/c.yaml", "x").list(path)
        }
    }

    #[test]
    fn what_was_answered_is_answered_again() {
        let files = OneLook::over(Arc::new(Counting(Mutex::new(0))));
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
}
