//! Many trees that build and have hostile texts everywhere, on every face.

use std::io::Write as _;
use std::path::Path;
use std::process::Stdio;

use kzui::display::is_unsafe;
use kzui::engine::evaluate::{BuildCache, BuildOptions, Ports, evaluate};
use kzui::engine::load::Files as _;
use rayon::iter::{IntoParallelIterator as _, ParallelIterator as _};

use crate::hostile::bodies::{Tree, check_face, hostile_tree, trees};
use crate::support::{Answer, Workbench, program};

/// The number of trees; `KZUI_HOSTILE_TREES` sets another number.
fn count(usual: usize) -> usize {
    let told = std::env::var("KZUI_HOSTILE_TREES").ok().and_then(|text| text.parse().ok());
    told.unwrap_or(usual)
}

/// The files of a tree, by their paths below it.
fn files(tree: &Tree) -> Vec<(String, String)> {
    let text = |path| String::from_utf8(tree.files.read(path).unwrap().to_vec()).unwrap();
    let below = |path: &Path| path.strip_prefix("/k").unwrap().display().to_string();
    tree.paths.iter().map(|path| (below(path), text(path))).collect()
}

#[test]
fn enough_hostile_trees_build() {
    let mut built = 0;
    let mut errors = std::collections::BTreeMap::<String, usize>::new();
    for number in 0..60_u32 {
        let tree = hostile_tree(&number.to_be_bytes());
        let ports = Ports::of_files(tree.files);
        let options = BuildOptions::default();
        match evaluate("/k", Path::new("/"), &options, &ports, &mut BuildCache::default()).outcome {
            Ok(_) => built += 1,
            Err(error) => *errors.entry(error.message.chars().take(60).collect()).or_default() += 1,
        }
    }
    assert!(built > 25, "{built} of 60 trees build: {errors:#?}");
}

/// Runs the fuzz target `trees` on numbered seeds.
#[test]
fn hostile_tree_is_harmless_in_every_output() {
    trees(b"every face");
}

/// No output has a character of a hostile tree on which a terminal acts. Some of the commands run
/// on each tree, so that all commands take their turn.
#[test]
fn no_face_prints_what_is_acted_on() {
    let trees = u32::try_from(count(220)).unwrap();
    (0..trees).into_par_iter().for_each(|number| {
        let tree = hostile_tree(&number.to_be_bytes());
        for face in 0..5 {
            let held = std::panic::catch_unwind(|| check_face(&tree, number as usize * 5 + face));
            assert!(held.is_ok(), "tree {number} on face {}", number as usize * 5 + face);
        }
    });
}

/// Keys through all screens, and the overlays above them.
const WALK: [&str; 16] = [
    "1",
    "j j j",
    "gs",
    "j",
    "gd",
    "gr",
    "j w",
    "esc gc",
    "gm",
    "gk",
    "j enter",
    "esc gf",
    "gp",
    "j",
    "?",
    "esc / a enter",
];

/// Keys that copy the text at the cursor.
const COPY_KEYS: [&str; 5] = ["esc 1 g g y n", "j j j y f", "gr y v", "y y", "y r"];

#[test]
fn no_screen_of_a_hostile_tree_shows_unsafe_characters() {
    let trees = u32::try_from(count(220) / 10).unwrap();
    (0..trees).into_par_iter().for_each(|number| {
        let tree = hostile_tree(&number.to_be_bytes());
        let files = files(&tree);
        let files: Vec<(&str, &str)> =
            files.iter().map(|(p, t)| (p.as_str(), t.as_str())).collect();
        let size = [(80, 24), (120, 36), (200, 60)][number as usize % 3];
        let mut bench = Workbench::of_files(&files, ".", size);
        for keys in WALK.iter().chain(&COPY_KEYS) {
            bench.keys(keys);
            let screen = bench.text().replace('\n', "");
            let found =
                screen.find(is_unsafe).map(|at| screen[at..].chars().take(60).collect::<String>());
            assert!(found.is_none(), "tree {number}, {keys}: {found:?}");
        }
        let copied: Vec<_> = bench.asked.iter().filter(|it| it.starts_with("copy ")).collect();
        for copied in &copied {
            let wrong = |c: char| is_unsafe(c) && !matches!(c, '\n' | '\t');
            assert!(!copied.contains(wrong), "tree {number}: {copied:?}");
        }
        assert!(!copied.is_empty(), "{:?}", bench.asked);
    });
}

/// The real program in line mode prints no unsafe character of a hostile tree.
#[test]
fn a_conversation_about_a_hostile_tree_is_harmless() {
    for number in 0..u32::try_from(count(200) / 50).unwrap() {
        let directory = tempfile::tempdir().unwrap();
        for (path, text) in files(&hostile_tree(&number.to_be_bytes())) {
            let path = directory.path().join(path);
            fs_err::create_dir_all(path.parent().unwrap()).unwrap();
            fs_err::write(path, text).unwrap();
        }
        let home = tempfile::tempdir().unwrap();
        let mut child = program(home.path())
            .args(["--linear", "."])
            .current_dir(directory.path())
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let asked = "tree\nsteps\nproblems\nresources\nresource 1\nstep 1\nstep 3\ndiff 3\nwhy 1\ncatalogs\nfunctions\ncomponents\ntoggle 2\nwrite\nn\nquit!\n";
        let _ = child.stdin.take().unwrap().write_all(asked.as_bytes());
        let answer = Answer::of(&child.wait_with_output().unwrap());
        for said in [&answer.out, &answer.err] {
            assert!(!said.contains(|c| is_unsafe(c) && c != '\n'), "tree {number}: {said:?}");
        }
    }
}
