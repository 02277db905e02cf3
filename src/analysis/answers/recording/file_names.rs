//! Short names of files: as long as needed to distinguish the files of a build.

use crate::engine::evaluate::target_file_names;
use crate::engine::resource::QuickMap;

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
    use crate::answers::recording::file_names::*;

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
