//! Names of folders and files from the command line, for output.

use std::path::{Path, PathBuf};

use crate::engine::load::{clean, relative_path};

/// Finds the top of the repository around a path.
pub type FindRepositoryTop<'a> = dyn Fn(&Path) -> Option<PathBuf> + 'a;

/// The displayed form of a path of the command line: a relative path is unchanged; an absolute path
/// is relative to the working directory, or, if the two share only the root of the disk, to the top
/// of its repository.
pub fn displayed_path(word: &str, current: &Path, top_of: &FindRepositoryTop<'_>) -> String {
    let path = clean(Path::new(word));
    if !path.is_absolute() {
        return word.to_owned();
    }
    if is_shown_relative(current, &path) {
        return relative(&path, current);
    }
    match top_of(&path).filter(|top| path.starts_with(top)) {
        Some(top) => relative(&path, &top),
        None => word.to_owned(),
    }
}

/// A path relative to `base`, `.` for `base` itself.
pub fn relative(file: &Path, base: &Path) -> String {
    match relative_path(base, file) {
        here if here.is_empty() => ".".to_owned(),
        path => path,
    }
}

/// True if `path` is shown relative to `from`: it is below `from`, or both share more than the root
/// of the disk.
pub fn is_shown_relative(from: &Path, path: &Path) -> bool {
    path.starts_with(from)
        || from.components().nth(1).is_some_and(|first| path.components().nth(1) == Some(first))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn absolute_path_is_shown_relative() {
        let told = |word: &str, current: &str| {
            let top = |_: &Path| Some(PathBuf::from("/home/me/shop"));
            displayed_path(word, Path::new(current), &top)
        };
        assert_eq!(told("/home/me/shop/prod", "/home/me/shop"), "prod");
        assert_eq!(told("/home/me/shop/prod/", "/home/me/shop/prod"), ".");
        assert_eq!(told("/home/me/shop/prod", "/home/me/shop/base"), "../prod");
        assert_eq!(told("/home/me/shop/prod", "/"), "home/me/shop/prod");
        assert_eq!(told("/home/me/shop/prod", "/var/tmp"), "prod");
        assert_eq!(told("/srv/prod", "/home/me"), "/srv/prod");
        assert_eq!(told("../prod", "/home/me"), "../prod");
        assert_eq!(
            told("https://example.com/shop//prod", "/home/me"),
            "https://example.com/shop//prod"
        );
    }
}
