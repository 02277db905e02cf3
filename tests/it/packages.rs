//! What packages contain besides the program: manual pages, completions, names of plugins.

use std::collections::BTreeSet;
use std::os::unix::fs::symlink;
use std::path::Path;
use std::process::Command;

use clap::CommandFactory as _;
use kzui::cli::Arguments;

use crate::support::{Tree, kzui, kzui_in, program};

fn names(command: &clap::Command, prefix: &str, names: &mut BTreeSet<String>) {
    names.insert(format!("{prefix}.1"));
    for it in command.get_subcommands().filter(|it| !it.is_hide_set()) {
        self::names(it, &format!("{prefix}-{}", it.get_name()), names);
    }
}

#[test]
fn every_visible_command_has_a_manual_page() {
    let tree = Tree::new(&[]);
    kzui_in(&tree.root(), &["man", "pages/man1"]).built();
    let mut expected = BTreeSet::new();
    names(&Arguments::command(), "kzui", &mut expected);
    let written = std::fs::read_dir(tree.path("pages/man1")).unwrap();
    let written: BTreeSet<String> =
        written.map(|it| it.unwrap().file_name().into_string().unwrap()).collect();
    assert_eq!(written, expected);
    let page = std::fs::read_to_string(tree.path("pages/man1/kzui-check.1")).unwrap();
    assert!(page.contains(".SH SYNOPSIS") && page.contains("kzui check"), "{page}");
}

#[test]
fn a_directory_of_pages_that_cannot_be_written_is_an_error() {
    let tree = Tree::new(&[("pages", "")]);
    let error = kzui_in(&tree.root(), &["man", "pages"]).refused();
    assert!(error.contains("pages"), "{error}");
}

/// kubectl and flux start `kubectl-kzui` and `flux-kzui`; the user typed `kubectl kzui`.
#[test]
fn help_of_a_plugin_shows_the_words_that_start_it() {
    for (file, words) in [("kubectl-kzui", "kubectl kzui"), ("flux-kzui", "flux kzui")] {
        let tree = Tree::new(&[]);
        symlink(env!("CARGO_BIN_EXE_kzui"), tree.path(file)).unwrap();
        for arguments in [&["--help"][..], &["check", "--help"]] {
            let help = Command::new(tree.path(file)).args(arguments).output().unwrap();
            let help = String::from_utf8(help.stdout).unwrap();
            let usage = help.lines().find(|line| line.starts_with("Usage:")).unwrap();
            assert!(usage.starts_with(&format!("Usage: {words}")), "{usage}");
        }
    }
}

/// The file that kubectl runs for completions prints candidates and Cobra's directive.
#[test]
fn kubectl_gets_completions() {
    let home = Tree::new(&[]);
    let script =
        Path::new(env!("CARGO_MANIFEST_DIR")).join("assets/packaging/kubectl_complete-kzui");
    let folder = Path::new(env!("CARGO_BIN_EXE_kzui")).parent().unwrap();
    let path = format!("{}:{}", folder.display(), std::env::var("PATH").unwrap());
    let mut command = Command::new(script);
    let answer = command.arg("che").env("PATH", path).env("HOME", home.root()).output().unwrap();
    let text = String::from_utf8(answer.stdout).unwrap();
    let lines: Vec<&str> = text.lines().collect();
    assert!(lines[0].starts_with("check\t"), "{text}");
    assert_eq!(lines.last(), Some(&":4"), "{text}");
}

#[test]
fn completion_files_name_a_command_that_exists() {
    for (file, shell) in [("kzui.bash", "bash"), ("_kzui", "zsh"), ("kzui.fish", "fish")] {
        let path =
            Path::new(env!("CARGO_MANIFEST_DIR")).join("assets/packaging/completions").join(file);
        let text = std::fs::read_to_string(path).unwrap();
        assert!(text.contains(&format!("kzui completions {shell}")), "{text}");
        assert!(!kzui(&["completions", shell]).built().is_empty());
    }
}

#[test]
fn the_long_version_names_the_build() {
    let home = Tree::new(&[]);
    let run = |word: &str| {
        let output = program(&home.root()).arg(word).output().unwrap();
        String::from_utf8(output.stdout).unwrap()
    };
    let long = run("--version");
    let words: Vec<&str> =
        long.lines().filter_map(|line| line.split_once(' ').map(|(word, _)| word)).collect();
    assert_eq!(words, ["kzui", "commit", "profile", "target"]);
    assert_eq!(run("-V"), format!("kzui {}\n", env!("CARGO_PKG_VERSION")));
}
