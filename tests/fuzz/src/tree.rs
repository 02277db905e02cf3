//! A tree of files below `/k`, in memory.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use kzui::engine::load::MemoryFiles;

/// A tree, with the text of its main file.
#[derive(Clone, Debug, Default)]
pub struct Tree {
    /// The text of the main file, usually `/k/kustomization.yaml`.
    pub main: Vec<u8>,
    /// All files.
    pub files: MemoryFiles,
    /// The paths of all files.
    pub paths: BTreeSet<PathBuf>,
}

impl Tree {
    /// A tree with only a kustomization file.
    pub fn of(main: &[u8]) -> Self {
        Self::named(main, "kustomization.yaml")
    }

    /// A tree with only a main file of this name.
    pub fn named(main: &[u8], name: &str) -> Self {
        Self { main: main.to_vec(), ..Self::default() }
            .with_bytes(&Path::new("/k").join(name), main)
    }

    /// Adds a file; `path` is relative to `/k`.
    #[must_use]
    pub fn with(self, path: &str, text: &str) -> Self {
        self.with_bytes(&Path::new("/k").join(path), text.as_bytes())
    }

    fn with_bytes(mut self, path: &Path, text: &[u8]) -> Self {
        self.paths.insert(path.to_owned());
        self.files = self.files.file(path, text);
        self
    }

    /// Reads a main file, and the other files after lines of `=== NAME`.
    pub fn read(bytes: &[u8], name: &str) -> Self {
        let mark = b"=== ";
        let starts =
            |at: usize| bytes[at..].starts_with(mark) && (at == 0 || bytes[at - 1] == b'\n');
        let places: Vec<usize> = (0..bytes.len()).filter(|at| starts(*at)).collect();
        let main = &bytes[..places.first().copied().unwrap_or(bytes.len())];
        let mut tree = Self::named(main, name);
        for (number, place) in places.iter().enumerate() {
            let end = places.get(number + 1).copied().unwrap_or(bytes.len());
            let text = &bytes[place + mark.len()..end];
            let line = text.iter().position(|byte| *byte == b'\n').unwrap_or(text.len());
            let name = String::from_utf8_lossy(&text[..line]);
            let is_below = name.split('/').all(|part| !matches!(part, "" | "." | ".."));
            if is_below && !name.contains('\0') {
                let path = Path::new("/k").join(&*name);
                tree = tree.with_bytes(&path, text.get(line + 1..).unwrap_or_default());
            }
        }
        tree
    }
}
