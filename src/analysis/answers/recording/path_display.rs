//! Names of folders and files from the command line, for output.

use std::path::{Path, PathBuf};

use crate::engine::load::{clean, is_absolute, relative_path};

/// Finds the top of the repository around a path.
pub type FindRepositoryTop<'a> = dyn Fn(&Path) -> Option<PathBuf> + 'a;

/// The displayed form of a path of the command line: a relative path is unchanged; an absolute path
/// is relative to the working directory, or, if the two share only the root of the disk, to the top
/// of its repository.
pub fn displayed_path(word: &str, current: &Path, top_of: &FindRepositoryTop<'_>) -> String {
    let path = clean(Path::new(word));
    if !is_absolute(&path) {
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

/// A message in which paths near a directory are relative to the directory.
pub fn make_paths_relative(text: &str, directory: &Path) -> String {
    let mut out = text.to_owned();
    let mut up = String::new();
    // All directories above are tried, except the root, which is a prefix of every path.
    for above in directory.ancestors().filter(|above| above.parent().is_some()) {
        let name = above.to_string_lossy();
        let (mut told, mut rest) = (String::new(), &*out);
        while let Some(at) = rest.find(&*name) {
            let (before, behind) = (&rest[..at], &rest[at + name.len()..]);
            let begins = !before.ends_with(|c: char| c.is_alphanumeric() || "/-_.~:".contains(c));
            told.push_str(before);
            match behind.strip_prefix('/') {
                Some(below) if begins => {
                    told.push_str(&up);
                    rest = below;
                    continue;
                }
                None if begins
                    && !behind.starts_with(|c: char| c.is_alphanumeric() || "-_.~".contains(c)) =>
                {
                    told.push_str(if up.is_empty() { "." } else { up.trim_end_matches('/') });
                }
                _ => told.push_str(&name),
            }
            rest = behind;
        }
        told.push_str(rest);
        out = told;
        up.push_str("../");
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_in_messages_are_relative_to_the_directory() {
        let from = |text: &str| make_paths_relative(text, Path::new("/home/me/shop"));
        assert_eq!(from("in '../b' (/home/me/shop/b)"), "in '../b' (b)");
        assert_eq!(from("below /home/me/shop, or"), "below ., or");
        assert_eq!(from("/home/me/shop-2/k /home/me"), "../shop-2/k ..");
        assert_eq!(
            from("file:///home/me/shop/b /srv/home/me/shop"),
            "file:///home/me/shop/b /srv/home/me/shop"
        );
        assert_eq!(from("/home/you/b /var/k"), "../../you/b /var/k");
    }

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
