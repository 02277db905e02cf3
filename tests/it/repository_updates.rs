//! A repository that is updated change by change equals one that is read again.

use kzui::host::{DiskFiles, DiskListing};
use kzui::repository::Repository;

use crate::support::Tree;

/// A random number generator with a fixed seed.
struct PseudoRandom(u64);

impl PseudoRandom {
    /// A random number below `end`.
    fn below(&mut self, end: usize) -> usize {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(self.0 >> 33).unwrap() % end
    }
}

const FOLDERS: [&str; 5] = ["base", "dev", "prod", "prod/eu", "tls"];
const KUSTOMIZATION_FILE_NAMES: [&str; 3] =
    ["kustomization.yaml", "kustomization.yml", "Kustomization"];
/// Possible entries of a kustomization file.
const ENTRIES: [&str; 9] = [
    "resources: [../base]",
    "resources: [../../base, web.yaml]",
    "resources: [web.yaml, ../base/kustomization.yaml]",
    "components: [../tls]",
    "kind: Component",
    "generators: [made.yaml]",
    "patches: [{path: gone.yaml}]",
    "resources: [../prod/eu, https://example.com/x.yaml]",
    "resources: [",
];
const GENERATOR: &str = "apiVersion: builtin\nkind: ConfigMapGenerator\nmetadata: {name: c}\nfiles: [web.yaml, gone.yaml]\n";

#[test]
fn incremental_updates_equal_a_fresh_read() {
    for seed in 0..12 {
        let mut chance = PseudoRandom(seed);
        let tree = Tree::new(&[("base/kustomization.yaml", "resources: [web.yaml]\n")]);
        let root = tree.root().canonicalize().unwrap();
        let anew = || Repository::read(&root, &DiskListing, &DiskFiles).unwrap();
        let mut kept = anew();
        for step in 0..40 {
            let folder = FOLDERS[chance.below(FOLDERS.len())];
            let (name, text) = match chance.below(5) {
                0 => ("web.yaml", "a: 1\n".to_owned()),
                1 => ("made.yaml", GENERATOR.to_owned()),
                2 => ("gone.yaml", "b: 2\n".to_owned()),
                _ => {
                    let entries: Vec<&str> = (0..=chance.below(2))
                        .map(|_| ENTRIES[chance.below(ENTRIES.len())])
                        .collect();
                    (
                        KUSTOMIZATION_FILE_NAMES[chance.below(KUSTOMIZATION_FILE_NAMES.len())],
                        entries.join("\n"),
                    )
                }
            };
            let path = root.join(folder).join(name);
            let mut changed = vec![path.clone()];
            if path.exists() && chance.below(3) == 0 {
                fs_err::remove_file(&path).unwrap();
            } else if path.exists() && chance.below(4) == 0 {
                // A folder is removed with its content.
                let all = walkdir::WalkDir::new(root.join(folder)).into_iter().flatten();
                changed = all
                    .filter(|it| it.file_type().is_file())
                    .map(walkdir::DirEntry::into_path)
                    .collect();
                fs_err::remove_dir_all(root.join(folder)).unwrap();
            } else {
                tree.write(&format!("{folder}/{name}"), &text);
            }
            let before = kept.clone();
            let again = kept.update(&changed, &DiskFiles);
            let expected = anew();
            assert_eq!(kept, expected, "seed {seed}, step {step}: {}", path.display());
            // Targets outside of the changed ones are unchanged.
            for target in expected.targets().filter(|it| !again.contains(&it.folder)) {
                let was = before.target(&target.folder).map(|it| &it.uses);
                assert_eq!(was, Some(&target.uses), "seed {seed}, step {step}");
            }
        }
    }
}
