//! Repositories of real peers on this machine: HTTPS with a self-signed certificate, ssh,
//! submodules; and the exact requests of git.

use std::process::{Command, Stdio};

use crate::support::{GitServer, Tree, messages};

const BASE: &[(&str, &str)] = &[
    ("deploy/kustomization.yaml", "resources: [../common]\nnamePrefix: r-\n"),
    ("common/kustomization.yaml", "resources: [a.yaml]\n"),
    ("common/a.yaml", "{apiVersion: v1, kind: A, metadata: {name: a}}"),
    ("kustomization.yaml", "resources: [common]\nnameSuffix: -top\n"),
];

fn git(directory: &std::path::Path, arguments: &[&str]) {
    let settings = [
        "user.name=t",
        "user.email=t@example.com",
        "init.defaultBranch=trunk",
        "protocol.file.allow=always",
    ];
    let settings = settings.iter().flat_map(|setting| ["-c", setting]);
    let output = Command::new("git").args(settings).args(arguments).current_dir(directory).output();
    let output = output.expect("git is installed");
    assert!(output.status.success(), "{arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
}

/// `org/base.git` below the root: a repository with the tag `v1`, and a branch `trunk` with another
/// name for A.
fn repositories(files: &[(&str, &str)]) -> Tree {
    let (work, root) = (Tree::new(files), Tree::new(&[]));
    git(&work.root(), &["init", "--quiet"]);
    git(&work.root(), &["add", "--all"]);
    git(&work.root(), &["commit", "--quiet", "--message", "first"]);
    git(&work.root(), &["tag", "v1"]);
    work.write("common/a.yaml", "{apiVersion: v1, kind: A, metadata: {name: newer}}");
    git(&work.root(), &["commit", "--quiet", "--all", "--message", "second"]);
    let (from, to) = (work.root().display().to_string(), root.path("org/base.git"));
    git(&work.root(), &["clone", "--quiet", "--bare", &from, &to.display().to_string()]);
    root
}

/// A build of one remote entry, with a home folder and environment variables.
struct Build {
    tree: Tree,
    home: Tree,
    variables: Vec<(String, String)>,
}

impl Build {
    /// A build of a kustomization that lists these entries in a field.
    fn of(field: &str, entries: &[&str]) -> Self {
        let kustomization = format!("{field}:\n- {}\n", entries.join("\n- "));
        let tree = Tree::new(&[("kustomization.yaml", &kustomization)]);
        Self { tree, home: Tree::new(&[]), variables: Vec::new() }
    }

    fn with(mut self, variables: &[(&str, &str)]) -> Self {
        let owned = variables.iter().map(|(name, text)| ((*name).to_owned(), (*text).to_owned()));
        self.variables.extend(owned);
        self
    }

    fn run(&self, arguments: &[&str]) -> Result<String, String> {
        let output = Command::new(env!("CARGO_BIN_EXE_kzui"))
            .arg("build")
            .args(arguments)
            .current_dir(self.tree.root())
            .env("HOME", self.home.root())
            .env("XDG_CACHE_HOME", self.home.path("cache"))
            .envs(self.variables.iter().map(|(name, text)| (name, text)))
            .stdin(Stdio::null())
            .output()
            .unwrap();
        let text = |bytes| String::from_utf8(bytes).unwrap();
        if output.status.success() { Ok(text(output.stdout)) } else { Err(text(output.stderr)) }
    }

    fn names(&self) -> Vec<String> {
        let out = self.run(&["."]).unwrap();
        let names = out.lines().filter_map(|line| line.strip_prefix("  name: "));
        names.map(str::to_owned).collect()
    }
}

#[test]
fn https_with_custom_certificate_is_accepted() {
    let root = repositories(BASE);
    root.write("files/b.yaml", "{apiVersion: v1, kind: B, metadata: {name: b}}");
    let server = GitServer::start(&root.root(), None);
    let at = |rest: &str| format!("https://{}/{rest}", server.authority);
    let (tagged, newest) = (at("org/base.git//deploy?ref=v1"), at("org/base.git/common"));
    let build = Build::of("resources", &[&tagged, &newest, &at("files/b.yaml")]);
    let error = build.run(&["."]).unwrap_err();
    assert!(error.contains("certificate"), "nobody trusts it: {error}");
    let build = build.with(&GitServer::trust_variables());
    assert_eq!(build.names(), ["newer", "r-a", "b"]);
    let before = server.requested_paths().len();
    assert_eq!(build.run(&["--offline", "."]).unwrap(), build.run(&["--offline", "."]).unwrap());
    assert_eq!(server.requested_paths().len(), before, "nobody is asked");
    let missing = Build::of("resources", &[&at("none.yaml")]).with(&GitServer::trust_variables());
    let error = missing.run(&["."]).unwrap_err();
    assert!(error.contains("HTTP Error: status code 404 (Not Found)"), "{error}");
}

/// An attacker on the network could answer instead of the server.
#[test]
fn a_redirect_from_https_to_http_is_not_followed() {
    let plain = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let server = GitServer::start(&Tree::new(&[]).root(), None);
    let (authority, port) = (&server.authority, plain.local_addr().unwrap().port());
    let url = format!("https://{authority}/to-http/127.0.0.1:{port}/a.yaml");
    let error = Build::of("resources", &[&url])
        .with(&GitServer::trust_variables())
        .run(&["."])
        .unwrap_err();
    assert!(error.contains("redirect from https to \"http://127.0.0.1:"), "{error}");
    plain.set_nonblocking(true).unwrap();
    assert!(plain.accept().is_err(), "nobody asked there");
}

/// Git would follow the redirect, too.
#[test]
fn git_is_not_led_from_https_to_http() {
    let plain = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    plain.set_nonblocking(true).unwrap();
    let server = GitServer::start(&repositories(BASE).root(), None);
    let (authority, port) = (&server.authority, plain.local_addr().unwrap().port());
    let url = format!("https://{authority}/to-http/127.0.0.1:{port}/org/base.git//deploy?ref=v1");
    let kept =
        [("GIT_CONFIG_COUNT", "1"), ("GIT_CONFIG_KEY_0", "a.b"), ("GIT_CONFIG_VALUE_0", "c")];
    let build = Build::of("resources", &[]).with(&GitServer::trust_variables()).with(&kept);
    let error = build.run(&[&url]).unwrap_err();
    assert!(error.contains("fetch --depth=1"), "{error}");
    assert!(!server.requested_paths().is_empty(), "the first was asked");
    assert!(plain.accept().is_err(), "nobody asked there");
}

/// A host or a path that begins with a dash would be an option of ssh or git.
#[test]
fn nothing_that_a_tree_names_is_an_option_of_ssh_or_git() {
    let root = repositories(BASE);
    root.write(
        "ssh",
        "#!/bin/sh\necho \"$@\" >>\"$(dirname \"$(realpath \"$0\")\")/calls\"\nexit 1\n",
    );
    let mut permissions = fs_err::metadata(root.path("ssh")).unwrap().permissions();
    std::os::unix::fs::PermissionsExt::set_mode(&mut permissions, 0o755);
    fs_err::set_permissions(root.path("ssh"), permissions).unwrap();
    let ssh = root.path("ssh").display().to_string();
    let mark = root.path("ran").display().to_string();
    let entries = [
        format!("ssh://-oProxyCommand=touch%20{mark}/org/base.git//deploy"),
        format!("ssh://git@-oProxyCommand=touch%20{mark}/org/base.git//deploy"),
        "git@-oProxyCommand=touch${IFS}ran:org/base.git//deploy".to_owned(),
        "ssh://git@example.com/-oProxyCommand=x.git".to_owned(),
        "git@example.com:-oProxyCommand=x.git".to_owned(),
        "git@example.com:org/base.git?ref=--upload-pack=touch${IFS}ran".to_owned(),
        "git::ssh://git@example.com/org/base.git?ref=-f".to_owned(),
        "git::ext::sh -c touch% ran".to_owned(),
        "ext::sh -c touch% ran".to_owned(),
        "--upload-pack=touch ran".to_owned(),
        format!("file://{}/org/base.git?ref=--output=ran", root.root().display()),
    ];
    for entry in &entries {
        root.write("calls", "");
        let quoted = format!("\"{entry}\"");
        let build = Build::of("resources", &[&quoted]);
        let build = build.with(&[("GIT_SSH_COMMAND", &*ssh), ("GIT_SSH_VARIANT", "ssh")]);
        build.run(&["."]).unwrap_err();
        let calls = String::from_utf8(root.read("calls")).unwrap();
        let is_option = |word: &str| word.starts_with("-oProxy");
        assert!(!calls.split_whitespace().any(is_option), "{entry}: {calls}");
        assert!(!root.path("ran").exists() && !build.tree.path("ran").exists(), "{entry}");
    }
}

#[test]
fn missing_password_fails_without_a_prompt() {
    let server = GitServer::start(&repositories(BASE).root(), Some("secret"));
    let at = |user: &str| format!("https://{user}{}/org/base.git//deploy?ref=v1", server.authority);
    let build = Build::of("resources", &[&at("")]).with(&GitServer::trust_variables());
    let error = build.run(&["."]).unwrap_err();
    assert!(error.contains("could not read Username") && error.contains("disabled"), "{error}");
}

#[test]
fn target_can_be_remote() {
    let root = repositories(BASE);
    let server = GitServer::start(&root.root(), None);
    let build = Build::of("resources", &[]).with(&GitServer::trust_variables());
    let url = format!("https://{}/org/base.git?ref=v1", server.authority);
    assert!(build.run(&[&url]).unwrap().contains("name: a-top"));
    let url = format!("git::https://{}/org/base.git//deploy", server.authority);
    assert!(build.run(&[&url]).unwrap().contains("name: r-newer"));
}

/// A fake ssh: runs git's remote command on this machine, below the folder of the repositories, and
/// records its calls.
const SSH: &str = r#"#!/bin/sh
here=$(dirname "$(realpath "$0")")
echo "$@" >>"$here/calls"
for last in "$@"; do :; done
cd "$here" && exec sh -c "$(echo "$last" | sed "s|'/|'|")"
"#;

#[test]
fn ssh_urls_of_every_form_are_fetched() {
    let root = repositories(BASE);
    root.write("ssh", SSH);
    let mut permissions = fs_err::metadata(root.path("ssh")).unwrap().permissions();
    std::os::unix::fs::PermissionsExt::set_mode(&mut permissions, 0o755);
    fs_err::set_permissions(root.path("ssh"), permissions).unwrap();
    let ssh = root.path("ssh").display().to_string();
    let variables = [("GIT_SSH_COMMAND", &*ssh), ("GIT_SSH_VARIANT", "ssh")];
    for (entry, host, path) in [
        ("git@example.com:org/base.git//deploy?ref=v1", "git@example.com", "org/base.git"),
        ("ssh://git@example.com/org/base.git//deploy?ref=v1", "git@example.com", "/org/base.git"),
        ("ssh://git@example.com:2222/org/base.git/deploy?ref=v1", "-p 2222", "/org/base.git"),
        ("git@github.com:org/base.git//deploy?version=v1", "git@github.com", "org/base.git"),
        ("ssh://git@github.com/org/base.git//deploy?ref=v1", "git@github.com", "org/base.git"),
        ("git::git@example.com:org/base.git//deploy?ref=v1", "git@example.com", "org/base.git"),
    ] {
        root.write("calls", "");
        let build = Build::of("resources", &[entry]).with(&variables);
        assert_eq!(build.names(), ["r-a"], "{entry}");
        let calls = String::from_utf8(root.read("calls")).unwrap();
        let asks = format!("git-upload-pack '{path}'");
        assert!(calls.contains(host) && calls.contains(&asks), "{entry}: {calls}");
    }
    let build = Build::of("resources", &["git@example.com:org/none.git"]).with(&variables);
    let error = build.run(&["."]).unwrap_err();
    assert!(error.contains("'org/none.git' does not appear to be a git repository"), "{error}");
    assert!(error.contains("git fetch --depth=1 git@example.com:org/none.git HEAD"), "{error}");
}

#[test]
fn submodules_are_fetched_unless_disabled() {
    let root = repositories(BASE);
    let outer = Tree::new(&[("kustomization.yaml", "resources: [sub/common]\n")]);
    let inner = format!("file://{}", root.path("org/base.git").display());
    git(&outer.root(), &["init", "--quiet"]);
    git(&outer.root(), &["submodule", "--quiet", "add", &inner, "sub"]);
    git(&outer.root(), &["add", "--all"]);
    git(&outer.root(), &["commit", "--quiet", "--message", "first"]);
    let variables = [
        ("GIT_CONFIG_COUNT", "1"),
        ("GIT_CONFIG_KEY_0", "protocol.file.allow"),
        ("GIT_CONFIG_VALUE_0", "always"),
    ];
    let url = format!("file://{}", outer.root().display());
    assert_eq!(Build::of("resources", &[&url]).with(&variables).names(), ["newer"]);
    let without = Build::of("resources", &[&format!("{url}?submodules=false")]).with(&variables);
    let error = without.run(&["."]).unwrap_err();
    assert!(error.contains("sub/common"), "{error}");
}

#[test]
fn paths_cannot_leave_a_clone() {
    let outside = Tree::new(&[("kustomization.yaml", "resources: []\n")]);
    let above = format!("resources: [{}]\n", "../".repeat(20) + "etc");
    let repository = Tree::new(&[("up/kustomization.yaml", &above), ("file", "")]);
    std::os::unix::fs::symlink(outside.root(), repository.path("out")).unwrap();
    repository.write("through/kustomization.yaml", "resources: [../out]\n");
    repository.write("narrow/kustomization.yaml", "resources: [../a.yaml]\n");
    repository.write("a.yaml", "{apiVersion: v1, kind: A, metadata: {name: a}}");
    git(&repository.root(), &["init", "--quiet"]);
    git(&repository.root(), &["add", "--all"]);
    git(&repository.root(), &["commit", "--quiet", "--message", "first"]);
    let url = format!("file://{}", repository.root().display());
    for (path, words) in [
        ("out", "refers to directory outside of repo"),
        (
            "up",
            "security; bases in kustomizations found in cloned git repos must be within the repo",
        ),
        (
            "through",
            "security; bases in kustomizations found in cloned git repos must be within the repo",
        ),
        ("file", "expecting directory"),
        ("none", "no such file or directory"),
    ] {
        let error = Build::of("resources", &[&format!("{url}//{path}")]).run(&["."]).unwrap_err();
        assert!(error.contains(words), "{path}: {error}");
    }
    // Permissions for the user's own files do not apply to fetched ones.
    for restrictor in ["LoadRestrictionsNone", "LoadRestrictionsRootOnly"] {
        let build = Build::of("resources", &[&format!("{url}//narrow")]);
        let error = build.run(&["--load-restrictor", restrictor, "."]).unwrap_err();
        assert!(error.contains(messages::NOT_IN_OR_BELOW_FOLDER), "{restrictor}: {error}");
    }
}

/// Kustomize compares entries as written: another directory of the same repository is no cycle.
#[test]
fn repositories_that_need_each_other_are_a_cycle() {
    let (one, two) = (Tree::new(&[]), Tree::new(&[]));
    let url = |tree: &Tree| format!("file://{}", tree.root().display());
    one.write("kustomization.yaml", &format!("resources: ['{}//a']\n", url(&two)));
    one.write("deploy/x/kustomization.yaml", &format!("resources: ['{}//base']\n", url(&one)));
    one.write("base/kustomization.yaml", "resources: [../deploy]\n");
    one.write("deploy/kustomization.yaml", "resources: [a.yaml]\n");
    one.write("deploy/a.yaml", "{apiVersion: v1, kind: A, metadata: {name: a}}");
    two.write("a/kustomization.yaml", &format!("resources: ['{}//b?ref=trunk']\n", url(&two)));
    two.write("b/kustomization.yaml", &format!("resources: ['{}']\n", url(&one)));
    for tree in [&one, &two] {
        git(&tree.root(), &["init", "--quiet"]);
        git(&tree.root(), &["add", "--all"]);
        git(&tree.root(), &["commit", "--quiet", "--message", "first"]);
    }
    assert_eq!(Build::of("resources", &[&format!("{}//deploy/x", url(&one))]).names(), ["a"]);
    let error = Build::of("resources", &[&url(&one)]).run(&["."]).unwrap_err();
    let words = format!("cycle detected: URI '{0}' referenced by previous URI '{0}'", url(&one));
    assert!(error.contains(&words), "{error}");
    assert!(error.matches("note: in resources").count() == 3, "{error}");
}

/// A fake git: records its arguments and environment, and creates a kustomization.
const GIT: &str = r#"#!/bin/sh
here=$(dirname "$(realpath "$0")")
{ for a in "$@"; do printf '[%s]' "$a"; done
  echo " prompt=$GIT_TERMINAL_PROMPT askpass=$SSH_ASKPASS dir=${GIT_DIR-none} tree=${GIT_WORK_TREE-none}"; } >>"$here/calls"
case $1 in
checkout) echo 'resources: []' >kustomization.yaml ;;
rev-parse) echo 0123456789012345678901234567890123456789 ;;
esac
"#;

#[test]
fn git_requests_equal_those_of_kustomize() {
    let program = Tree::new(&[("git", GIT)]);
    let mut permissions = fs_err::metadata(program.path("git")).unwrap().permissions();
    std::os::unix::fs::PermissionsExt::set_mode(&mut permissions, 0o755);
    fs_err::set_permissions(program.path("git"), permissions).unwrap();
    let path = format!("{}:{}", program.root().display(), std::env::var("PATH").unwrap());
    let url = "ssh://git@example.com/org/base.git//?ref=v1";
    let build = Build::of("resources", &[url]).with(&[
        ("PATH", &path),
        ("GIT_DIR", "/somewhere/.git"),
        ("GIT_WORK_TREE", "/somewhere"),
    ]);
    build.run(&["."]).unwrap();
    let calls = String::from_utf8(program.read("calls")).unwrap();
    let around = " prompt=0 askpass=false dir=none tree=none\n";
    let expected = [
        "[init]",
        "[remote][add][origin][ssh://git@example.com/org/base.git]",
        "[fetch][--depth=1][ssh://git@example.com/org/base.git][v1]",
        "[checkout][FETCH_HEAD]",
        "[submodule][update][--init][--recursive]",
        "[rev-parse][HEAD]",
    ];
    assert_eq!(calls, expected.map(|call| format!("{call}{around}")).concat());
}

/// Git sets these variables while it runs a hook: the repository of the hook must not change.
#[test]
fn a_build_inside_a_hook_leaves_the_repository_alone() {
    let root = repositories(BASE);
    let own = Tree::new(&[("x", "mine")]);
    git(&own.root(), &["init", "--quiet"]);
    let (folder, tree) = (own.path(".git").display().to_string(), own.root().display().to_string());
    let url = format!("file://{}", root.path("org/base.git").display());
    let build = Build::of("resources", &[&format!("{url}//deploy?ref=v1")]).with(&[
        ("GIT_DIR", &folder),
        ("GIT_WORK_TREE", &tree),
        ("GIT_INDEX_FILE", ".git/index"),
    ]);
    assert_eq!(build.names(), ["r-a"]);
    let config = String::from_utf8(own.read(".git/config")).unwrap();
    assert!(!config.contains("origin"), "{config}");
    assert!(!own.path("deploy").exists());
}
