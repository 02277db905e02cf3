//! Trees of files on disk that vanish with the test.

use std::path::{Path, PathBuf};

/// A scratch directory.
pub(crate) struct Tree {
    directory: tempfile::TempDir,
}

/// The name of a tree in its private parent directory: outside of a repository, targets are
/// searched in the parent.
const TREE_FOLDER_NAME: &str = "tree";

impl Tree {
    /// A tree with these files, by path below its root.
    pub(crate) fn new(files: &[(&str, &str)]) -> Self {
        let tree = Self { directory: tempfile::tempdir().expect("a scratch directory") };
        fs_err::create_dir(tree.directory.path().join(TREE_FOLDER_NAME))
            .expect("the scratch directory is empty");
        for (path, text) in files {
            tree.write(path, text);
        }
        tree
    }

    /// A copy of one of the demos.
    pub(crate) fn of_demo(name: &str) -> Self {
        let tree = Self::new(&[]);
        copy(&demo(name), &tree.root());
        tree
    }

    /// The root of the tree, with symbolic links resolved.
    pub(crate) fn root(&self) -> PathBuf {
        self.directory.path().join(TREE_FOLDER_NAME).canonicalize().expect("it is there")
    }

    /// A path in the tree.
    pub(crate) fn path(&self, path: &str) -> PathBuf {
        self.root().join(path)
    }

    /// Writes a file, with the directories above it.
    pub(crate) fn write(&self, path: &str, text: &str) {
        let path = self.path(path);
        fs_err::create_dir_all(path.parent().expect("below the root")).unwrap();
        fs_err::write(path, text).unwrap();
    }

    /// Makes the tree a git repository with one commit that has this tag.
    pub(crate) fn commit(&self, tag: &str) {
        for arguments in [
            &["init", "-q"][..],
            &["add", "-A"],
            &["-c", "user.name=t", "-c", "user.email=t@example.com", "commit", "-qm", "x"],
            &["tag", tag],
        ] {
            let git =
                std::process::Command::new("git").args(arguments).current_dir(self.root()).status();
            assert!(git.expect("git is installed").success());
        }
    }

    /// The bytes of a file.
    pub(crate) fn read(&self, path: &str) -> Vec<u8> {
        fs_err::read(self.path(path)).unwrap()
    }
}

/// The path of a demo in the repository.
pub(crate) fn demo(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("demo").join(name)
}

fn copy(from: &Path, to: &Path) {
    fs_err::create_dir_all(to).unwrap();
    for entry in fs_err::read_dir(from).unwrap() {
        let entry = entry.unwrap();
        let target = to.join(entry.file_name());
        if entry.file_type().unwrap().is_dir() {
            copy(&entry.path(), &target);
        } else {
            fs_err::copy(entry.path(), target).unwrap();
        }
    }
}
