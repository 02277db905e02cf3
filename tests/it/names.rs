//! Names of files and folders that are not UTF-8: each is refused, and no other file suffers.

use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt as _;

use crate::support::{Answer, Tree, program};

#[test]
fn names_that_are_not_utf8_are_refused() {
    let tree = Tree::new(&[
        ("plain/kustomization.yaml", "namePrefix: a-\nconfigMapGenerator:\n- name: b\n"),
        ("through/kustomization.yaml", "resources: [../link]\n"),
    ]);
    let odd = tree.root().join(OsStr::from_bytes(b"t\xff"));
    fs_err::create_dir(&odd).unwrap();
    fs_err::write(odd.join("kustomization.yaml"), "namePrefix: a-\n").unwrap();
    fs_err::write(tree.root().join("plain").join(OsStr::from_bytes(b"\xfe")), "").unwrap();
    std::os::unix::fs::symlink(&odd, tree.root().join("link")).unwrap();
    let run = |folder: &std::path::Path, words: &[&OsStr]| {
        let mut command = program(&tree.root());
        Answer::of(&command.current_dir(folder).args(words).output().unwrap())
    };
    let [build, plain, through, dot] = ["build", "plain", "through", "."].map(OsStr::new);
    assert!(run(&tree.root(), &[build, plain]).built().contains("name: a-b-"));
    for (folder, target) in
        [(&tree.root(), odd.file_name().unwrap()), (&tree.root(), through), (&odd, dot)]
    {
        let refused = run(folder, &[build, target]);
        assert_eq!(refused.out, "");
        assert!(refused.err.to_lowercase().contains("utf-8"), "{}", refused.err);
    }
    let checked = run(&tree.root(), &[OsStr::new("check"), plain]);
    assert_eq!(checked.status, Some(0), "{}", checked.err);
}
