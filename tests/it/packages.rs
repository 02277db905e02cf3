//! The contents of packages besides the program: manual pages, completions, names of plugins.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::{TcpListener, TcpStream};
use std::os::unix::fs::symlink;
use std::path::Path;
use std::process::Command;

use clap::CommandFactory as _;
use kzui::cli::Arguments;

use crate::support::{Tree, kzui, kzui_in, program};

fn names(command: &clap::Command, prefix: &str, names: &mut BTreeSet<String>) {
    names.insert(format!("{prefix}.1"));
    let visible = command.get_subcommands().filter(|it| !it.is_hide_set());
    for it in visible.filter(|it| it.get_name() != "help") {
        self::names(it, &format!("{prefix}-{}", it.get_name()), names);
    }
}

#[test]
fn every_visible_command_has_a_manual_page() {
    let tree = Tree::new(&[]);
    kzui_in(&tree.root(), &["man", "pages/man1"]).built();
    let mut expected = BTreeSet::new();
    let mut root = Arguments::command();
    root.build();
    names(&root, "kzui", &mut expected);
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

/// flux asks the plugin itself, with Cobra's command.
#[test]
fn flux_gets_completions() {
    let tree = Tree::new(&[("overlays/dev/kustomization.yaml", "namePrefix: a-\n")]);
    symlink(env!("CARGO_BIN_EXE_kzui"), tree.path("flux-kzui")).unwrap();
    let ask = |words: &[&str]| {
        let mut command = Command::new(tree.path("flux-kzui"));
        command.arg("__complete").args(words).env("HOME", tree.root()).current_dir(tree.root());
        String::from_utf8(command.output().unwrap().stdout).unwrap()
    };
    assert_eq!(ask(&["build", "over"]), "overlays/dev\n:4\n");
    assert!(ask(&["che"]).starts_with("check\t"));
}

/// `flux plugin install` takes the archive of its system, with its checksum.
#[test]
fn flux_gets_a_manifest_of_the_archives_of_a_release() {
    let config =
        std::fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join(".goreleaser.yaml"));
    let config: serde_json::Value = serde_yaml::from_str(&config.unwrap()).unwrap();
    let targets: BTreeSet<&str> = config["builds"][0]["targets"]
        .as_array()
        .unwrap()
        .iter()
        .map(|it| it.as_str().unwrap())
        .collect();
    let archive = |target: &str| {
        let ending = if target.contains("windows") { "zip" } else { "tgz" };
        format!("kzui-{target}-v1.2.3.{ending}")
    };
    let mut sums = String::new();
    for (number, target) in targets.iter().enumerate() {
        writeln!(sums, "{number:064x}  {}", archive(target)).unwrap();
    }
    let tree = Tree::new(&[("checksums.txt", &sums), ("none.txt", "")]);
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("assets/packaging/flux-plugin");
    let run = |sums: &str| {
        let mut command = Command::new(&script);
        command.args(["1.2.3", &tree.path(sums).display().to_string(), "https://example.com/kzui"]);
        command.output().unwrap()
    };
    let manifest: serde_json::Value =
        serde_yaml::from_str(&String::from_utf8(run("checksums.txt").stdout).unwrap()).unwrap();
    let platforms = manifest["versions"][0]["platforms"].as_array().unwrap();
    for (number, target) in targets.iter().enumerate() {
        let url = format!("https://example.com/kzui/releases/download/v1.2.3/{}", archive(target));
        let platform = platforms.iter().find(|it| it["url"] == *url).unwrap();
        assert_eq!(platform["checksum"], format!("sha256:{number:064x}"), "{target}");
    }
    assert_eq!(platforms.len(), targets.len());
    assert!(!run("none.txt").status.success());
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

/// A request: method, path, body.
type Request = (String, String, String);

/// Reads one request and sends the answer for its method and path.
fn serve(stream: TcpStream, answer: &dyn Fn(&str, &str) -> String) -> Request {
    let mut reader = BufReader::new(stream);
    let mut first = String::new();
    reader.read_line(&mut first).unwrap();
    let mut length = 0;
    loop {
        let mut line = String::new();
        reader.read_line(&mut line).unwrap();
        if line.trim().is_empty() {
            break;
        }
        if let Some((name, value)) = line.split_once(':')
            && name.eq_ignore_ascii_case("content-length")
        {
            length = value.trim().parse().unwrap();
        }
    }
    let mut body = vec![0; length];
    reader.read_exact(&mut body).unwrap();
    let mut words = first.split_whitespace().map(str::to_owned);
    let (method, path) = (words.next().unwrap(), words.next().unwrap());
    let text = answer(&method, &path);
    let head = "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nConnection: close";
    let mut stream = reader.into_inner();
    write!(stream, "{head}\r\nContent-Length: {}\r\n\r\n{text}", text.len()).unwrap();
    (method, path, String::from_utf8(body).unwrap())
}

/// The requests with which the action posts `text` as a comment, to an API that already has
/// `comments`; `None` if a program that it needs is not installed.
fn comment(text: &str, comments: &str) -> Option<Vec<Request>> {
    let has = |name: &str| Command::new(name).arg("--version").output().is_ok();
    if !["bash", "curl", "jq"].iter().all(|name| has(name)) {
        eprintln!("skipped: bash, curl or jq is not installed");
        return None;
    }
    let tree = Tree::new(&[("report.txt", text)]);
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let host = format!("http://{}", listener.local_addr().unwrap());
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join(".github/actions/kzui/comment.sh");
    let mut command = Command::new(script);
    command.arg(tree.path("report.txt")).env("GITHUB_API_URL", &host);
    command.env("GITHUB_REPOSITORY", "acme/shop").env("NUMBER", "7").env("GH_TOKEN", "t");
    let mut program = command.spawn().unwrap();
    let answer = |method: &str, _: &str| match method {
        "GET" => comments.replace("HOST", &host),
        _ => "{}".to_owned(),
    };
    let requests = listener.incoming().take(2).map(|it| serve(it.unwrap(), &answer)).collect();
    assert!(program.wait().unwrap().success());
    Some(requests)
}

#[test]
fn the_action_adds_a_comment_with_a_marker() {
    let Some(requests) = comment("2 targets differ\n", r#"[{"body": "hello", "url": "HOST/x"}]"#)
    else {
        return;
    };
    let (method, path, body) = &requests[1];
    assert_eq!((&**method, &**path), ("POST", "/repos/acme/shop/issues/7/comments"));
    let body: serde_json::Value = serde_json::from_str(body).unwrap();
    assert_eq!(body["body"], "<!-- kzui -->\n2 targets differ\n");
}

#[test]
fn the_action_replaces_its_own_comment() {
    let own = r#"[{"body": "hello", "url": "HOST/x"}, {"body": "<!-- kzui -->\nold", "url": "HOST/own"}]"#;
    let Some(requests) = comment("`$(x)` \"quoted\"\n", own) else { return };
    let (method, path, body) = &requests[1];
    assert_eq!((&**method, &**path), ("PATCH", "/own"));
    let body: serde_json::Value = serde_json::from_str(body).unwrap();
    assert_eq!(body["body"], "<!-- kzui -->\n`$(x)` \"quoted\"\n");
}

/// GitHub refuses comments above 65,536 characters.
#[test]
fn a_long_comment_is_shortened() {
    let Some(requests) = comment(&"line\n".repeat(20_000), "[]") else { return };
    let body: serde_json::Value = serde_json::from_str(&requests[1].2).unwrap();
    assert!(body["body"].as_str().unwrap().chars().count() <= 65_536);
}

/// A difference is for the reviewer of a pull request; only an error or a finding fails the job.
#[test]
fn the_action_fails_for_errors_and_findings_and_not_for_differences() {
    if Command::new("bash").arg("--version").output().is_err() {
        eprintln!("skipped: bash is not installed");
        return;
    }
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join(".github/actions/kzui/action.yml");
    let action: serde_json::Value =
        serde_yaml::from_str(&std::fs::read_to_string(file).unwrap()).unwrap();
    let steps = action["runs"]["steps"].as_array().unwrap();
    let run = steps.iter().find(|step| step["id"] == "run").unwrap()["run"].as_str().unwrap();
    let end = steps.last().unwrap()["run"].as_str().unwrap();
    let tree = Tree::new(&[("kzui", "#!/bin/sh\necho \"$*\"\nexit \"$CODE\"\n")]);
    let mode = std::os::unix::fs::PermissionsExt::from_mode(0o755);
    std::fs::set_permissions(tree.path("kzui"), mode).unwrap();
    let path = format!("{}:{}", tree.root().display(), std::env::var("PATH").unwrap());
    let fails = |arguments: &str, status: &str| {
        let step = |script: &str| {
            // As a runner starts `shell: bash`.
            let mut command = Command::new("bash");
            command.args(["--noprofile", "--norc", "-eo", "pipefail", "-c", script]);
            command.env("ARGS", arguments).env("CODE", status).env("STATUS", status);
            command.env("PATH", &path).env("RUNNER_TEMP", tree.root());
            command.env("GITHUB_OUTPUT", tree.path("status.txt"));
            command.output().unwrap().status.success()
        };
        let _ = std::fs::remove_file(tree.path("status.txt"));
        assert!(step(run), "{arguments}");
        assert_eq!(tree.read("status.txt"), format!("status={status}\n").into_bytes());
        assert_eq!(tree.read("kzui-output.txt"), format!("{arguments}\n").into_bytes());
        !step(end)
    };
    assert!(fails("check --format github", "1") && fails("check --format github", "2"));
    assert!(fails("diff main...HEAD", "2") && !fails("diff main...HEAD", "0"));
    assert!(!fails("diff main...HEAD", "1") && !fails("diff main...HEAD", "3"));
}
