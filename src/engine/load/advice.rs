//! Hints for files and directories that cannot be loaded.

use std::path::Path;

use super::ignore_patterns::repository_of;
use super::{
    FileError, Files, LoadAdvice, LoadError, is_ignored_by_git, nearest_name, relative_path,
};

impl LoadError {
    /// The hint for this error; `None` if no hint is known.
    pub fn hint(&self) -> Option<LoadAdvice> {
        Some(match self {
            Self::Resolve { clue: Some(clue), .. } => LoadAdvice::clone(clue),
            Self::Resolve { path, source: FileError::Missing { path: missing }, .. } => {
                let name = missing.file_name()?.to_string_lossy().into_owned();
                if missing == path {
                    LoadAdvice::Missing(name)
                } else {
                    LoadAdvice::MissingFolder(name)
                }
            }
            Self::NotDirectory { source } => return source.hint(),
            Self::AbsoluteRoot(_) => LoadAdvice::Relative,
            Self::EmptyRoot => LoadAdvice::RemoveEmptyEntry,
            Self::OutsideRoot { root, path } => match target_directory(path, root) {
                Some(directory) => LoadAdvice::Directory(directory),
                None => LoadAdvice::Below(root.clone()),
            },
            Self::FileNotDirectory { path } => match target_directory(path, path) {
                Some(_) => LoadAdvice::Directory(path.parent()?.to_string_lossy().into_owned()),
                None => LoadAdvice::NotTarget,
            },
            Self::Cycle { .. } => LoadAdvice::MoveSharedPart,
            Self::Read { source: FileError::TooMuch { .. }, .. } => LoadAdvice::BuildInParts,
            _ => return None,
        })
    }

    /// The file outside of the directory that its layer may read, if that is the error.
    pub fn outside(&self) -> Option<&Path> {
        match self {
            Self::OutsideRoot { path, .. } => Some(path),
            _ => None,
        }
    }

    /// The missing file or folder, if that is the error.
    pub fn missing(&self) -> Option<&Path> {
        match self {
            Self::Resolve { source: FileError::Missing { path }, .. } => Some(path),
            Self::NotDirectory { source } => source.missing(),
            _ => None,
        }
    }

    /// The path that cannot be resolved, if that is the error.
    pub fn path(&self) -> Option<&Path> {
        match self {
            Self::Resolve { path, .. } => Some(path),
            Self::NotDirectory { source } => source.path(),
            _ => None,
        }
    }

    pub(super) fn with_similar_name(self, files: &dyn Files) -> Self {
        match self {
            Self::Resolve { path, source, clue: None } => Self::unresolved(&path, source, files),
            other => other,
        }
    }

    pub(super) fn unresolved(path: &Path, source: FileError, files: &dyn Files) -> Self {
        let clue = clue(path, &source, files).map(Box::new);
        Self::Resolve { clue, path: path.to_owned(), source }
    }
}

fn target_directory(path: &Path, root: &Path) -> Option<String> {
    let name = path.file_name()?.to_str()?;
    TARGET_FILES.contains(&name).then(|| relative_path(root, path.parent().unwrap_or(path)))
}

const TARGET_FILES: [&str; 5] = [
    "kustomization.yaml",
    "kustomization.yml",
    "Kustomization",
    "composition.yaml",
    "composition.yml",
];

/// The clue for a path that cannot be resolved. Only its last part may be a file: a folder above it
/// may be ignored as a folder.
fn clue(path: &Path, error: &FileError, files: &dyn Files) -> Option<LoadAdvice> {
    let FileError::Missing { path: missing } = error else { return None };
    made_file_clue(path, missing, files).or_else(|| near(missing, files).map(LoadAdvice::Near))
}

fn made_file_clue(path: &Path, missing: &Path, files: &dyn Files) -> Option<LoadAdvice> {
    let name = path.file_name()?.to_string_lossy().into_owned();
    if is_ignored_by_git(path, files) {
        return Some(LoadAdvice::Ignored(name));
    }
    if let Some(folder) = submodule(path, files) {
        return Some(LoadAdvice::Submodule(folder));
    }
    example(missing, files).map(|example| LoadAdvice::FromExample(name, example))
}

/// The advice for a missing file that is made before a build: git ignores it, or an example of it is
/// in the same folder. `None` for other files.
pub fn made_file_advice(path: &Path, files: &dyn Files) -> Option<LoadAdvice> {
    made_file_clue(path, path, files)
}

/// The path of the git submodule that would contain a missing file, relative to the root of the
/// repository: `.gitmodules` names it, and it has no file.
fn submodule(path: &Path, files: &dyn Files) -> Option<String> {
    let root = repository_of(path, files)?;
    let bytes = files.read(&root.join(".gitmodules")).ok()?;
    let text = String::from_utf8_lossy(&bytes);
    let values = text.lines().filter_map(|line| line.split_once('='));
    let folders = values.filter(|(key, _)| key.trim() == "path").map(|(_, value)| value.trim());
    let is_absent = |folder: &&str| {
        let folder = root.join(folder);
        path.starts_with(&folder) && files.list(&folder).unwrap_or_default().is_empty()
    };
    folders.into_iter().find(is_absent).map(str::to_owned)
}

const EXAMPLE_ENDINGS: [&str; 7] =
    [".example", ".sample", ".template", ".tmpl", ".tpl", ".in", ".dist"];

fn example(path: &Path, files: &dyn Files) -> Option<String> {
    let (folder, name) = (path.parent()?, path.file_name()?.to_str()?);
    let names = files.list(folder).ok()?;
    let mut names = names.into_iter();
    names.find(|it| it.strip_prefix(name).is_some_and(|rest| EXAMPLE_ENDINGS.contains(&rest)))
}

fn near(path: &Path, files: &dyn Files) -> Option<String> {
    let (folder, name) = (path.parent()?, path.file_name()?.to_str()?);
    let names = files.list(folder).ok()?;
    // A manifest of that name is meant rather than a similar name.
    let is_manifest = |it: &&String| {
        it.strip_prefix(name).is_some_and(|end| [".yaml", ".yml", ".json"].contains(&end))
    };
    if let Some(manifest) = names.iter().find(is_manifest) {
        return Some(manifest.clone());
    }
    let near = nearest_name(name, names.iter().map(String::as_str));
    near.or_else(|| shortened(name, &names)).map(str::to_owned)
}

const MIN_SHORT_NAME_CHARS: usize = 3;

/// The only name that abbreviates another one, or is abbreviated by it: `prod` for `production`.
fn shortened<'n>(name: &str, names: &'n [String]) -> Option<&'n str> {
    let is_short = |short: &str, long: &str| {
        let rest = long.strip_prefix(short).filter(|_| short.len() >= MIN_SHORT_NAME_CHARS);
        rest.is_some_and(|rest| rest.chars().all(char::is_alphabetic))
    };
    let mut found = names.iter().filter(|it| is_short(it, name) || is_short(name, it));
    found.next().filter(|_| found.next().is_none()).map(String::as_str)
}
