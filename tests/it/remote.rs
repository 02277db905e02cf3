//! Git targets over `file://` and HTTP files over loopback, against the real adapters.

use std::io::{BufRead, BufReader, Write};
use std::net::TcpListener;
use std::path::Path;
use std::process::Command;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use kzui::engine::evaluate::NoCancel;
use kzui::engine::load::{GitTarget, Remote, RemoteError};
use kzui::host::{Cache, Fetcher, Network};

use crate::support::{Tree, messages, program};

fn git(directory: &Path, arguments: &[&str]) -> String {
    let output = Command::new("git")
        .args([
            "-c",
            "user.name=t",
            "-c",
            "user.email=t@example.com",
            "-c",
            "init.defaultBranch=main",
        ])
        .args(["-c", "protocol.file.allow=always"])
        .args(arguments)
        .current_dir(directory)
        .output()
        .expect("git is installed");
    assert!(output.status.success(), "{arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap().trim().to_owned()
}

/// A repository with one commit, tagged `v1`.
fn repository(files: &[(&str, &str)]) -> Tree {
    let tree = Tree::new(files);
    git(&tree.root(), &["init", "--quiet"]);
    commit(&tree, "first");
    git(&tree.root(), &["tag", "v1"]);
    tree
}

fn commit(tree: &Tree, message: &str) -> String {
    git(&tree.root(), &["add", "--all"]);
    git(&tree.root(), &["commit", "--quiet", "--allow-empty", "--message", message]);
    git(&tree.root(), &["rev-parse", "HEAD"])
}

fn git_target(tree: &Tree, rest: &str) -> GitTarget {
    GitTarget::parse(&format!("file://{}{rest}", tree.root().display())).expect("a git target")
}

fn fetcher(network: Network, cache: &Tree) -> Fetcher {
    Fetcher::new(network, Cache::at(cache.root()), Arc::new(NoCancel))
}

fn text(tree: &Path, name: &str) -> String {
    fs_err::read_to_string(tree.join(name)).unwrap()
}

#[test]
fn a_branch_is_fetched_again_by_every_build_and_a_tag_stays() {
    let (origin, cache) = (repository(&[("a/x", "one")]), Tree::new(&[]));
    let first = fetcher(Network::Online, &cache);
    let head = git_target(&origin, "//a");
    let one = first.fetch_git(&head).unwrap();
    assert_eq!(text(&one, "a/x"), "one");
    assert_eq!(one, one.canonicalize().unwrap(), "no symbolic links are left in it");
    origin.write("a/x", "two");
    commit(&origin, "second");
    assert_eq!(first.fetch_git(&head).unwrap(), one, "one build sees one state");
    let two = fetcher(Network::Online, &cache).fetch_git(&head).unwrap();
    assert_eq!(text(&two, "a/x"), "two");
    assert_eq!(text(&one, "a/x"), "one", "a build that still reads the old clone is left alone");
    let tagged =
        fetcher(Network::Online, &cache).fetch_git(&git_target(&origin, "//a?ref=v1")).unwrap();
    assert_eq!(text(&tagged, "a/x"), "one");
}

/// Offline, fetched bases are used, and others are refused by name.
#[test]
fn offline_serves_what_was_fetched_and_says_what_was_not() {
    let (origin, cache) = (repository(&[("x", "one")]), Tree::new(&[]));
    let wanted = git_target(&origin, "?ref=v1");
    let error = fetcher(Network::Offline, &cache).fetch_git(&wanted).unwrap_err();
    assert!(error.to_string().ends_with(messages::BUILD_ONCE_WITHOUT_OFFLINE), "{error}");
    let online = fetcher(Network::Online, &cache).fetch_git(&wanted).unwrap();
    fs_err::remove_dir_all(origin.root()).unwrap();
    assert_eq!(fetcher(Network::Offline, &cache).fetch_git(&wanted).unwrap(), online);
}

#[test]
fn a_full_commit_is_fetched_once() {
    let (origin, cache) = (repository(&[("x", "one")]), Tree::new(&[]));
    let commit = git(&origin.root(), &["rev-parse", "HEAD"]);
    let wanted = git_target(&origin, &format!("?ref={commit}"));
    let tree = fetcher(Network::Online, &cache).fetch_git(&wanted).unwrap();
    fs_err::remove_dir_all(origin.root()).unwrap();
    assert_eq!(fetcher(Network::Online, &cache).fetch_git(&wanted).unwrap(), tree);
}

#[test]
fn fetch_failures_equal_kustomize_errors_and_leave_no_files() {
    let (origin, cache) = (repository(&[("x", "one")]), Tree::new(&[]));
    let fetch = |rest: &str| {
        fetcher(Network::Online, &cache)
            .fetch_git(&git_target(&origin, rest))
            .unwrap_err()
            .to_string()
    };
    let error = fetch("?ref=nowhere");
    let repo = format!("file://{}", origin.root().display());
    assert!(error.contains(&format!("/git fetch --depth=1 {repo} nowhere': ")), "{error}");
    assert!(error.starts_with("failed to run '/"), "{error}");
    assert!(error.ends_with(": exit status 128"), "{error}");
    let error = fetch("?ref=--upload-pack=touch+owned");
    assert!(error.contains(messages::BEGINS_WITH_DASH), "{error}");
    let left: Vec<_> = walkdir::WalkDir::new(cache.root())
        .into_iter()
        .filter_map(Result::ok)
        .filter(|entry| entry.file_name().to_string_lossy().starts_with("kustomize-"))
        .collect();
    assert!(left.is_empty(), "{left:?}");
}

#[test]
fn fetching_can_be_stopped() {
    let (origin, cache) = (repository(&[("x", "one")]), Tree::new(&[]));
    let cancel = Arc::new(AtomicBool::new(true));
    let remote = Fetcher::new(Network::Online, Cache::at(cache.root()), cancel);
    let error = remote.fetch_git(&git_target(&origin, "")).unwrap_err();
    assert!(error.to_string().ends_with("was cancelled"), "{error}");
}

/// A server that answers every path from `answers`, and counts the requests.
pub(crate) fn serve(
    answers: &'static [(&'static str, &'static str)],
) -> (String, Arc<AtomicUsize>) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let base = format!("http://{}", listener.local_addr().unwrap());
    let asked = Arc::new(AtomicUsize::new(0));
    let counter = asked.clone();
    std::thread::spawn(move || {
        for stream in listener.incoming() {
            let mut stream = stream.unwrap();
            let mut lines = BufReader::new(stream.try_clone().unwrap()).lines();
            let first = lines.next().unwrap().unwrap_or_default();
            let headers: Vec<String> =
                lines.map_while(Result::ok).take_while(|line| !line.is_empty()).collect();
            counter.fetch_add(1, Ordering::SeqCst);
            let path = first.split(' ').nth(1).unwrap_or_default().to_owned();
            let answer = answers.iter().find(|(known, _)| *known == path);
            let head = answer.map_or("404 Not Found\r\n\r\nnothing", |(_, answer)| answer);
            let agent = headers.iter().find(|line| line.eq_ignore_ascii_case("user-agent: kzui"));
            assert!(agent.is_some(), "{headers:?}");
            let _ = write!(stream, "HTTP/1.1 {head}");
        }
    });
    (base, asked)
}

/// The answers of the test server, by path.
const ANSWERS: &[(&str, &str)] = &[
    ("/a.yaml", "200 OK\r\nContent-Length: 5\r\nConnection: close\r\n\r\na: 1\n"),
    ("/moved", "302 Found\r\nLocation: /a.yaml\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"),
    ("/round", "302 Found\r\nLocation: /round\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"),
    ("/broken", "503 Service Unavailable\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"),
];

#[test]
fn http_follows_redirects_and_gives_the_status_of_failures() {
    let ((base, asked), cache) = (serve(ANSWERS), Tree::new(&[]));
    let remote = fetcher(Network::Online, &cache);
    let get = |path: &str| remote.get(&format!("{base}{path}"));
    let moved = get("/moved").unwrap();
    assert_eq!((moved.status, &*moved.body), (200, &b"a: 1\n"[..]));
    let missing = get("/none").unwrap();
    assert_eq!((missing.status, &*missing.reason), (404, "Not Found"));
    assert_eq!(get("/broken").unwrap().status, 503);
    let error = get("/round").unwrap_err().to_string();
    assert!(error.ends_with("stopped after 10 redirects"), "{error}");
    let before = asked.load(Ordering::SeqCst);
    get("/moved").unwrap();
    assert_eq!(asked.load(Ordering::SeqCst), before, "one build asks once");
}

#[test]
fn offline_http_serves_only_successful_downloads() {
    let ((base, _), cache) = (serve(ANSWERS), Tree::new(&[]));
    for path in ["/a.yaml", "/none"] {
        fetcher(Network::Online, &cache).get(&format!("{base}{path}")).unwrap();
    }
    let offline = fetcher(Network::Offline, &cache);
    assert_eq!(&*offline.get(&format!("{base}/a.yaml")).unwrap().body, b"a: 1\n");
    let error = offline.get(&format!("{base}/none")).unwrap_err();
    assert!(matches!(error, RemoteError::NotAllowed { .. }), "{error}");
}

/// The clone in use is the newest one, whatever its age.
#[test]
fn a_clone_that_is_fetched_again_is_not_removed_for_its_age() {
    let (origin, cache) = (repository(&[("x", "one")]), Tree::new(&[]));
    let wanted = git_target(&origin, "");
    let tree = fetcher(Network::Online, &cache).fetch_git(&wanted).unwrap();
    let long_ago = std::time::SystemTime::now() - std::time::Duration::from_secs(30 * 24 * 60 * 60);
    std::fs::File::open(&tree).unwrap().set_modified(long_ago).unwrap();
    let again = fetcher(Network::Online, &cache).fetch_git(&wanted).unwrap();
    assert_eq!((&again, &*text(&again, "x")), (&tree, "one"));
}

/// A build uses the body of a successful answer; the scheme may be in upper case.
#[test]
fn only_the_body_of_a_good_answer_is_built() {
    const OBJECT: &str = "{apiVersion: v1, kind: A, metadata: {name: a}}";
    const GOOD: &str =
        "200 OK\r\nConnection: close\r\n\r\n{apiVersion: v1, kind: A, metadata: {name: a}}";
    const CHOICES: &str = "300 Multiple Choices\r\nConnection: close\r\n\r\n{apiVersion: v1, kind: A, metadata: {name: a}}";
    assert!(GOOD.ends_with(OBJECT) && CHOICES.ends_with(OBJECT));
    let (base, _) = serve(&[("/good.yaml", GOOD), ("/choices.yaml", CHOICES)]);
    let build = |url: &str| {
        let tree = Tree::new(&[("kustomization.yaml", &format!("resources: ['{url}']\n"))]);
        let output = program(&tree.root()).args(["build"]).current_dir(tree.root()).output();
        let output = output.unwrap();
        (output.status.success(), String::from_utf8(output.stderr).unwrap())
    };
    assert_eq!(build(&format!("{base}/good.yaml")), (true, String::new()));
    let capitals = base.replace("http://", "HTTP://");
    assert_eq!(build(&format!("{capitals}/good.yaml")), (true, String::new()));
    let (is_built, error) = build(&format!("{base}/choices.yaml"));
    assert!(!is_built && error.contains("300"), "{error}");
}

#[test]
fn refused_connection_is_a_connection_error() {
    let cache = Tree::new(&[]);
    let url = "http://127.0.0.1:1/a.yaml";
    let error = fetcher(Network::Online, &cache).get(url).unwrap_err();
    assert!(matches!(error, RemoteError::Connection(_)), "{error}");
    assert!(error.to_string().starts_with("Get \"http://127.0.0.1:1/a.yaml\": "), "{error}");
}

#[test]
fn a_build_takes_bases_from_repositories_and_files_from_servers() {
    let base = [
        ("deploy/kustomization.yaml", "resources: [../common]\nnamePrefix: r-\n"),
        ("common/kustomization.yaml", "resources: [a.yaml]\n"),
        ("common/a.yaml", "{apiVersion: v1, kind: A, metadata: {name: a}}"),
    ];
    let (origin, cache) = (repository(&base), Tree::new(&[]));
    let (base, _) = serve(&[(
        "/b.yaml",
        "200 OK\r\nConnection: close\r\n\r\n{apiVersion: v1, kind: B, metadata: {name: b}}",
    )]);
    let repo = format!("file://{}//deploy?ref=v1", origin.root().display());
    let kustomization = format!("resources: ['{repo}', '{base}/b.yaml']\n");
    let tree = Tree::new(&[("kustomization.yaml", &kustomization)]);
    let build = |flags: &[&str]| {
        let output = program(&cache.root())
            .args([&["build"], flags, &["."]].concat())
            .current_dir(tree.root())
            .env("XDG_CACHE_HOME", cache.root())
            .output()
            .unwrap();
        (String::from_utf8(output.stdout).unwrap(), String::from_utf8(output.stderr).unwrap())
    };
    let (out, error) = build(&["--offline"]);
    assert_eq!(out, "");
    assert!(error.contains(messages::BUILD_ONCE_WITHOUT_OFFLINE), "{error}");
    let object = |kind: &str, name: &str| {
        format!("apiVersion: v1\nkind: {kind}\nmetadata:\n  name: {name}\n")
    };
    let expected = format!("{}---\n{}", object("A", "r-a"), object("B", "b"));
    assert_eq!(build(&[]), (expected.clone(), String::new()));
    assert_eq!(build(&["--offline"]).0, expected);
}

/// Kustomize reads every URL that could be one as that of a repository (measured with kubectl 1.27
/// and 1.36).
#[test]
fn origins_of_server_files_name_possible_repositories() {
    const A: &str =
        "200 OK\r\nConnection: close\r\n\r\n{apiVersion: v1, kind: A, metadata: {name: a}}";
    let (base, _) = serve(&[("/org/repo/v1/a.yaml", A), ("/org/a.yaml", A)]);
    for (url, path, repo) in
        [("org/repo/v1/a.yaml", "v1/a.yaml", "org/repo"), ("org/a.yaml", "notCloned", "org/a.yaml")]
    {
        let text = format!("resources: ['{base}/{url}']\nbuildMetadata: [originAnnotations]\n");
        let tree = Tree::new(&[("kustomization.yaml", &text)]);
        let output = program(&tree.root()).args(["build"]).current_dir(tree.root()).output();
        let out = String::from_utf8(output.unwrap().stdout).unwrap();
        let wanted = format!("      path: {path}\n      repo: {base}/{repo}\n");
        assert!(out.contains(&wanted), "{out}");
    }
}

/// Origins of transformers and generators of a repository are paths inside the repository.
#[test]
fn origins_in_a_repository_name_its_own_files() {
    let files = [
        ("kustomization.yaml", "resources: [deploy]\n"),
        (
            "deploy/kustomization.yaml",
            "resources: [a.yaml]\nnamePrefix: r-\nconfigMapGenerator: [{name: g}]\n",
        ),
        ("deploy/a.yaml", "{apiVersion: v1, kind: A, metadata: {name: a}}"),
    ];
    let (origin, home) = (repository(&files), Tree::new(&[]));
    let repo = format!("file://{}", origin.root().display());
    let build = |target: &str| {
        let kustomization = format!(
            "resources: ['{target}']\nbuildMetadata: [originAnnotations, transformerAnnotations]\n"
        );
        let tree = Tree::new(&[("kustomization.yaml", &kustomization)]);
        let output = program(&home.root()).args(["build"]).current_dir(tree.root()).output();
        String::from_utf8(output.unwrap().stdout).unwrap()
    };
    let lines = |prefix: &str| {
        format!(
            "    alpha.config.kubernetes.io/transformations: |\n      \
             - repo: {repo}\n        ref: v1\n        configuredIn: {prefix}deploy/kustomization.yaml\n"
        )
    };
    let with_path = build(&format!("{repo}//deploy?ref=v1"));
    assert!(with_path.contains(&lines("")), "{with_path}");
    let generated =
        format!("repo: {repo}\n      ref: v1\n      configuredIn: deploy/kustomization.yaml");
    assert!(with_path.contains(&generated), "{with_path}");
    assert!(with_path.contains("path: deploy/a.yaml"), "{with_path}");
    // Kustomize: without a path in the repository, the placeholder for a clone that does not exist
    // yet stays.
    let whole = build(&format!("{repo}?ref=v1"));
    assert!(whole.contains(&lines("notCloned/")), "{whole}");
    assert!(whole.contains("path: notCloned/deploy/a.yaml"), "{whole}");
}
