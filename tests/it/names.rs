//! Names of files and folders that are no UTF-8.

use std::ffi::{OsStr, OsString};
use std::io::Write as _;
use std::os::unix::ffi::OsStrExt as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use crate::support::{Answer, messages, program};

const RESOURCE: &str = "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: a\n";

/// A tree with file names that are not UTF-8, and the home folder of its user.
struct OddlyNamedTree {
    folder: tempfile::TempDir,
    home: tempfile::TempDir,
}

impl OddlyNamedTree {
    /// `t\xff` with a base, an overlay and a component, beside `plain`.
    fn new() -> Self {
        let odd = Self { folder: tempfile::tempdir().unwrap(), home: tempfile::tempdir().unwrap() };
        for (path, text) in [
            (&b"t\xff/base/kustomization.yaml"[..], "resources: [r.yaml]\n"),
            (b"t\xff/base/r.yaml", RESOURCE),
            (b"t\xff/base/left\xfe.yaml", RESOURCE),
            (
                b"t\xff/over/kustomization.yaml",
                "resources: [../base]\ncomponents:\n- ../c\nnamePrefix: x-\n",
            ),
            (
                b"t\xff/c/kustomization.yaml",
                "apiVersion: kustomize.config.k8s.io/v1alpha1\nkind: Component\nnameSuffix: -c\n",
            ),
            (b"plain/kustomization.yaml", "resources: [r.yaml]\n"),
            (b"plain/r.yaml", RESOURCE),
        ] {
            let path = odd.path(path);
            fs_err::create_dir_all(path.parent().unwrap()).unwrap();
            fs_err::write(path, text).unwrap();
        }
        odd
    }

    fn path(&self, below: &[u8]) -> PathBuf {
        self.folder.path().join(OsStr::from_bytes(below))
    }

    fn program(&self, arguments: &[&OsStr]) -> Command {
        let mut command = program(self.home.path());
        command.current_dir(self.folder.path()).args(arguments);
        command
    }

    fn run(&self, arguments: &[&[u8]]) -> Answer {
        let words: Vec<&OsStr> = arguments.iter().map(|word| OsStr::from_bytes(word)).collect();
        Answer::of(&self.program(&words).output().unwrap())
    }
}

#[test]
fn target_with_non_utf8_name_is_built_and_explained() {
    let odd = OddlyNamedTree::new();
    let over = &b"t\xff/over"[..];
    assert!(odd.run(&[b"build", over]).built().contains("name: x-a-c"));
    let absolute = odd.path(over).as_os_str().as_bytes().to_vec();
    assert!(odd.run(&[b"build", &absolute]).built().contains("name: x-a-c"));
    let linear = odd.run(&[b"--linear", over]).built();
    assert!(linear.contains(messages::BUILD_OK), "{linear}");
    let trace = odd.run(&[b"trace", over]).built();
    assert!(trace.contains("namePrefix x-"), "{trace}");
    let blame = odd.run(&[b"blame", over]).built();
    assert!(
        blame.contains("t\\xff/over/kustomization.yaml:4") && blame.contains("name: x-a-c"),
        "{blame}"
    );
    let why = odd.run(&[b"why", over, b"ConfigMap/x-a-c", b"metadata.name"]).built();
    assert!(why.contains("\\xff/c/kustomization.yaml:3"), "{why}");
    let json: serde_json::Value =
        serde_json::from_str(&odd.run(&[b"trace", over, b"--json"]).built()).unwrap();
    assert_eq!(json["target"], "t\u{10ffff}/over");
    let checked = odd.run(&[b"check", b"."]);
    assert!(!checked.out.contains("t\u{fffd}") && checked.status == Some(0), "{}", checked.out);
    let made = odd.run(&[b"build", over, b"-o", b"o\xfd.yaml", b"--map", b"m\xfd.json"]);
    assert_eq!((made.status, &*made.err), (Some(0), ""));
    assert!(odd.path(b"o\xfd.yaml").exists() && odd.path(b"m\xfd.json").exists());
}

#[test]
fn repository_with_non_utf8_names_is_listed_and_compared() {
    let odd = OddlyNamedTree::new();
    let unused = odd.run(&[b"where", b"--unused", b"."]).built();
    assert!(unused.contains("t\\xff/base/left\\xfe.yaml"), "{unused}");
    let reached = odd.run(&[b"where", b"t\xff/base/r.yaml"]).built();
    assert!(reached.contains("t\\xff/over"), "{reached}");
    let drawn = odd.run(&[b"graph", b"-f", b"dot"]).built();
    assert!(drawn.contains("t\\\\xff/over"), "{drawn}");
    let found = odd.run(&[b"grep", b"x-a-c"]).built();
    assert!(found.contains("t\\xff/over"), "{found}");
    let compared = odd.run(&[b"diff", b"t\xff/base", b"t\xff/over"]);
    assert!(compared.out.contains("x-a-c"), "{}{}", compared.out, compared.err);
    let git = |arguments: &[&str]| {
        let settings = ["-c", "user.name=t", "-c", "user.email=t@example.com"];
        let command = &mut Command::new("git");
        let ended = command.args(settings).args(arguments).current_dir(odd.folder.path()).output();
        assert!(ended.unwrap().status.success(), "{arguments:?}");
    };
    git(&["init", "-q"]);
    git(&["add", "-A"]);
    git(&["commit", "-qm", "first"]);
    fs_err::write(odd.path(b"t\xff/base/r.yaml"), RESOURCE.replace("name: a", "name: b")).unwrap();
    let compared = odd.run(&[b"diff", b"HEAD"]);
    assert!(
        compared.out.contains("x-b-c") && compared.out.contains("t\\xff/over"),
        "{}{}",
        compared.out,
        compared.err
    );
    let unused = odd.run(&[b"where", b"--unused", b"."]).built();
    assert!(unused.contains("t\\xff/base/left\\xfe.yaml"), "git lists it: {unused}");
}

/// The line mode opens the target, switches an entry, writes, and undoes the write.
#[test]
fn file_in_a_non_utf8_folder_is_written() {
    let odd = OddlyNamedTree::new();
    let file = odd.path(b"t\xff/over/kustomization.yaml");
    let before = fs_err::read_to_string(&file).unwrap();
    let converse = |folder: &Path, target: &OsStr, said: &str| {
        let mut child = odd
            .program(&[OsStr::new("--linear"), target])
            .current_dir(folder)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        child.stdin.take().unwrap().write_all(said.as_bytes()).unwrap();
        Answer::of(&child.wait_with_output().unwrap())
    };
    let target = OsString::from(OsStr::from_bytes(b"t\xff/over"));
    let said = "tree\n";
    let told = converse(odd.folder.path(), &target, said).out;
    let row = told.lines().find(|line| line.contains("../c")).unwrap_or_else(|| panic!("{told}"));
    let number = row.trim_start_matches("> ").split('.').next().unwrap().to_owned();
    let said = format!("tree\ntoggle {number}\nwrite\ny\nquit\n");
    let told = converse(odd.folder.path(), &target, &said);
    let after = fs_err::read_to_string(&file).unwrap();
    assert_eq!(after, before.replace("- ../c", "#- ../c"), "{}{}", told.out, told.err);
    // The workbench is started inside the folder, with a kept draft.
    let inside = odd.path(b"t\xff/over");
    let told = converse(&inside, OsStr::new("."), &format!("tree\ntoggle {number}\nquit\n"));
    assert!(told.err.contains(messages::IT_IS_KEPT), "{}{}", told.out, told.err);
    let told = converse(&inside, OsStr::new("."), "quit!\n");
    assert!(told.out.contains("draft"), "{}{}", told.out, told.err);
}
