//! Names of folders and files for output: those from the command line, and short names that are as long as
//! needed to distinguish the files of a build.

use std::path::{Path, PathBuf};

use crate::engine::evaluate::target_file_names;
use crate::engine::load::{clean, is_absolute, relative_path};
use crate::engine::resource::QuickMap;

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

/// A short name for every file of a build. Common parts are left out: `kustomization.yaml` is named
/// by its directory (`high-availability`), another file by its directory and file name
/// (`orders/deployment.yaml`); if two files have the same name, by as much of the path as needed
/// (`base/orders/deployment.yaml`).
#[derive(Clone, Debug, Default)]
pub struct FileNames {
    names: QuickMap<String, String>,
}

impl FileNames {
    pub fn from_paths<'p>(paths: impl IntoIterator<Item = &'p str>) -> Self {
        let mut names: QuickMap<&str, (usize, String)> = QuickMap::default();
        for path in paths {
            names.entry(path).or_insert_with(|| (1, name(path, 1)));
        }
        loop {
            let mut count: QuickMap<&str, usize> = QuickMap::default();
            for (_, name) in names.values() {
                *count.entry(name).or_default() += 1;
            }
            let is_unclear = |name: &str| count.get(name).is_some_and(|count| *count > 1);
            let unclear = names.iter().filter(|(_, (_, name))| is_unclear(name));
            let longer = unclear.filter_map(|(path, (above, short))| {
                let longer = name(path, above + 1);
                (longer != *short).then_some((*path, (above + 1, longer)))
            });
            let longer: Vec<_> = longer.collect();
            if longer.is_empty() {
                break;
            }
            names.extend(longer);
        }
        Self { names: names.into_iter().map(|(path, (_, name))| (path.to_owned(), name)).collect() }
    }

    /// The short name of a file; a file outside the build is named as if it were the only file.
    pub fn name(&self, path: &str) -> String {
        self.names.get(path).cloned().unwrap_or_else(|| name(path, 1))
    }
}

/// The end of a path with this many directories. A kustomization file is named by these directories
/// alone, unless the path has fewer directories.
fn name(path: &str, above: usize) -> String {
    let parts: Vec<&str> = path.split('/').filter(|part| !part.is_empty()).collect();
    let Some((file, dirs)) = parts.split_last() else { return path.to_owned() };
    let shown = &dirs[dirs.len().saturating_sub(above)..];
    let is_constant = target_file_names().any(|name| name == *file);
    if is_constant && !shown.is_empty() && above <= dirs.len() {
        return shown.join("/");
    }
    shown.iter().chain([file]).copied().collect::<Vec<_>>().join("/")
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

    #[test]
    fn names_are_as_long_as_needed_to_differ() {
        let sets: [&[(&str, &str)]; 3] = [
            &[
                ("/r/shop/components/high-availability/kustomization.yaml", "high-availability"),
                ("/r/shop/overlays/production/kustomization.yaml", "production"),
                ("/r/shop/overlays/production/hpa.yaml", "production/hpa.yaml"),
            ],
            &[
                ("/r/base/orders/deployment.yaml", "base/orders/deployment.yaml"),
                ("/r/other/orders/deployment.yaml", "other/orders/deployment.yaml"),
                ("/r/a/base/kustomization.yaml", "a/base"),
                ("/r/b/base/kustomization.yaml", "b/base"),
                ("/r/c/kustomization.yaml", "r/c/kustomization.yaml"),
                ("/r/c/kustomization.yml", "r/c/kustomization.yml"),
            ],
            &[("/kustomization.yaml", "kustomization.yaml"), ("x.yaml", "x.yaml")],
        ];
        for set in sets {
            let names = FileNames::from_paths(set.iter().map(|(path, _)| *path));
            for (path, name) in set {
                assert_eq!(names.name(path), *name);
            }
        }
    }
}
