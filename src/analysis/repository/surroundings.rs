//! The folder that contains everything that a target reads.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use super::model::target_in;
use crate::engine::load::Files;

/// The nearest folder above a target that contains all files that the target reads, also through
/// its bases and components. A file that cannot be read has no references.
pub fn folder_around(target: &Path, files: &dyn Files) -> PathBuf {
    let mut around = target.parent().unwrap_or(target).to_owned();
    let (mut open, mut seen) = (vec![target.to_owned()], BTreeSet::new());
    while let Some(folder) = open.pop() {
        if !seen.insert(folder.clone()) {
            continue;
        }
        let Some(target) = target_in(&folder, files) else { continue };
        for path in target.uses.iter().filter_map(|it| it.to.path()) {
            while !path.starts_with(&around) && around.pop() {}
            open.push(path.to_owned());
        }
    }
    around
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::load::MemoryFiles;

    #[test]
    fn bases_of_components_are_in_the_folder() {
        let files = MemoryFiles::default()
            .file("/r/shop/overlays/dev/kustomization.yaml", "components: [../../parts/log]")
            .file(
                "/r/shop/parts/log/kustomization.yaml",
                "kind: Component\nresources: [../../../base]\n",
            )
            .file("/r/base/kustomization.yaml", "resources: [web.yaml, ../shop/parts/log]")
            .file("/r/base/web.yaml", "")
            .file("/r/shop/overlays/alone/kustomization.yaml", "resources: [../none]");
        let around = |target: &str| folder_around(Path::new(target), &files);
        assert_eq!(around("/r/shop/overlays/dev"), Path::new("/r"));
        assert_eq!(around("/r/shop/overlays/alone"), Path::new("/r/shop/overlays"));
    }
}
