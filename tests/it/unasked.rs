//! No fetch without a request: `kzui build` fetches as Kustomize does, every other command needs
//! `--fetch`.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use clap::CommandFactory as _;
use kzui::cli::Arguments;

use crate::compare::{commit, git};
use crate::remote::serve;
use crate::support::{Tree, messages, program};

const BASE: &str = "200 OK\r\nConnection: close\r\n\r\n{apiVersion: v1, kind: ConfigMap, metadata: {name: far}, data: {k: v}}";

/// The file that `kzui record` writes.
const RECORDING: &str = "app.kzui";

/// Every command with the flag, with arguments that build a target with a remote base.
const CALLS: [&[&str]; 30] = [
    &["trace", "app"],
    &["record", "app", "-o", RECORDING],
    &["why", "app", "ConfigMap/near", "data.k"],
    &["blame", "app"],
    &["remap", "--target", "app", "findings.sarif"],
    &["check"],
    &["migrate"],
    &["mv", "app", "web"],
    &["extract", "app", "base", "--to", "new"],
    &["inline", "app", "../one"],
    &["convert", "app", "--to", "composition"],
    &["prune"],
    &["set", "app", "ConfigMap/near", "data.k=v"],
    &["diff", "HEAD~1", "HEAD"],
    &["diff", "app", "base"],
    &["why-differ", "HEAD~1", "HEAD", "ConfigMap/near", "data.k"],
    &["bisect", "--good", "HEAD~1", "--field", "ConfigMap/a-near-z", "data.k", "app"],
    &["order", "app"],
    &["matrix", "app"],
    &["where", "ConfigMap/near"],
    &["graph", "--states"],
    &["grep", "near"],
    &["table", "data.k"],
    &["images"],
    &["components"],
    &["compat"],
    &["consolidate", "composed"],
    &["openapi", "info", "app"],
    &["fn", "eval", "fn.yaml", "--target", "app"],
    &["fn", "test", "fn.yaml"],
];

struct Scene {
    tree: Tree,
    cache: Tree,
    asked: Arc<AtomicUsize>,
}

impl Scene {
    fn new() -> Self {
        let (base, asked) = serve(&[("/far.yaml", BASE)]);
        let near = |value: &str| {
            format!(
                "apiVersion: v1\nkind: ConfigMap\nmetadata: {{name: near}}\ndata: {{k: {value}}}\n"
            )
        };
        let app = format!(
            "resources: ['{base}/far.yaml', near.yaml]\ncomponents: [../one]\nnamePrefix: a-\nnameSuffix: -z\n"
        );
        let component = "kind: Component\ncommonLabels: {a: b}\n";
        let composed = format!(
            "apiVersion: kustomize.config.k8s.io/v1alpha1\nkind: Composition\nmetadata: {{name: c}}\ngenerators:\n- {base}/far.yaml\n"
        );
        let tree = Tree::new(&[
            ("app/kustomization.yaml", &app),
            ("app/near.yaml", &near("one")),
            ("base/kustomization.yaml", "resources: [near.yaml]\n"),
            ("base/near.yaml", &near("other")),
            ("one/kustomization.yaml", component),
            ("composed/composition.yaml", &composed),
            ("fn.yaml", "apiVersion: a/v1\nkind: F\nmetadata: {name: f}\n"),
            ("findings.sarif", "{\"version\": \"2.1.0\", \"runs\": []}"),
        ]);
        git(&tree, &["init", "-q", "-b", "main"]);
        commit(&tree, "first");
        tree.write("app/near.yaml", &near("two"));
        commit(&tree, "second");
        Self { tree, cache: Tree::new(&[]), asked }
    }

    /// The number of requests to the server by a command, and the command's output.
    fn run(&self, words: &[&str]) -> (usize, String) {
        let before = self.asked.load(Ordering::SeqCst);
        let output = program(&self.cache.root())
            .args(words)
            .current_dir(self.tree.root())
            .env("XDG_CACHE_HOME", self.cache.root())
            .output()
            .unwrap();
        let said = [output.stdout, output.stderr].map(|it| String::from_utf8(it).unwrap()).concat();
        (self.asked.load(Ordering::SeqCst) - before, said)
    }
}

#[test]
fn reading_commands_fetch_on_request_only() {
    for call in CALLS {
        let scene = Scene::new();
        for flags in [&[][..], &["--offline"]] {
            let (asked, said) = scene.run(&[call, flags].concat());
            assert_eq!(asked, 0, "{call:?} {flags:?}: {said}");
            let _ = fs_err::remove_file(scene.tree.path(RECORDING));
        }
        // Editing a Composition works without the content of its entries (test 894 of the
        // proposal).
        // Two overlays without a common entry are not built.
        if matches!(call, ["consolidate" | "fn" | "extract", ..]) {
            continue;
        }
        let (asked, said) = scene.run(&[call, &["--fetch"][..]].concat());
        assert!(asked > 0, "{call:?} --fetch: {said}");
    }
}

/// The commands are read from the program, so that a new command cannot be left out.
#[test]
fn every_command_with_fetch_is_tested() {
    fn collect_commands_with_fetch(
        command: &clap::Command,
        before: &[&str],
        all: &mut BTreeSet<String>,
    ) {
        for sub in command.get_subcommands() {
            let name = [before, &[sub.get_name()]].concat();
            if sub.get_arguments().any(|it| it.get_long() == Some("fetch")) {
                all.insert(name.join(" "));
            }
            collect_commands_with_fetch(sub, &name, all);
        }
    }
    let mut all = BTreeSet::new();
    let mut root = Arguments::command();
    root.build();
    collect_commands_with_fetch(&root, &[], &mut all);
    assert!(all.remove("build"), "it fetches without being told to");
    let own_test = "outdated_fetches_on_request_only_and_mentions_a_changed_remote";
    assert!(all.remove("catalog outdated"), "it has the test {own_test}");
    assert!(all.remove("lsp") && all.remove("mcp"), "a server refuses the flag");
    let held = CALLS.iter().map(|call| match call {
        [group @ ("openapi" | "fn"), name, ..] => format!("{group} {name}"),
        [name, ..] => (*name).to_owned(),
        [] => String::new(),
    });
    assert_eq!(held.collect::<BTreeSet<String>>(), all);
}

#[test]
fn fetched_content_is_cached_for_every_command() {
    let scene = Scene::new();
    assert_eq!(scene.run(&["build", "app"]).0, 1);
    let (asked, said) = scene.run(&["why", "app", "ConfigMap/a-far-z", "data.k"]);
    assert!(asked == 0 && said.contains("far.yaml"), "{said}");
    let (asked, said) = scene.run(&["graph", "--states"]);
    assert!(asked == 0 && said.contains("app: builds"), "{said}");
}

#[test]
fn unfetched_content_is_reported_as_unknown() {
    let scene = Scene::new();
    let said = |words: &[&str]| scene.run(words).1;
    let why = messages::FETCHES_ON_REQUEST;
    assert!(said(&["trace", "app"]).contains(why), "{}", said(&["trace", "app"]));
    assert!(said(&["blame", "app"]).contains(messages::OUTPUT_PENDING));
    assert!(said(&["check", "--select", "KZ190"]).contains(why));
    assert!(said(&["graph", "--states"]).contains("app: waits"));
    assert!(said(&["grep", "near"]).contains(messages::MATCHES_PENDING));
    let told = said(&["where", "ConfigMap/elsewhere"]);
    assert!(told.contains(&format!("2 of 3 {}", messages::TARGETS_FAIL_OR_ARE_PENDING)), "{told}");
    let told = said(&["compat", "--from", "v5.0.3", "--to", "v5.8.1"]);
    assert!(told.contains(&format!("1 {}", messages::NOT_KNOWN)) && told.contains(why), "{told}");
    let told = said(&["components"]);
    assert!(told.contains(&format!("app {}", messages::COUNTS_ARE_PENDING)), "{told}");
    let told = said(&["order", "app"]);
    assert!(told.contains("pending: "), "{told}");
}

#[test]
fn workbench_has_no_fetch_flag() {
    let scene = Scene::new();
    let (asked, said) = scene.run(&["--fetch", "--linear"]);
    assert!(
        asked == 0 && said.contains(&format!("{} --fetch: F lists", messages::WORKBENCH_HAS_NO)),
        "{said}"
    );
    let (_, said) = scene.run(&["check", "--fetch", "--offline"]);
    assert!(said.contains("'--fetch'") && said.contains("'--offline'"), "{said}");
}

/// Helm pulls a chart that is not in the tree: that is a fetch too.
#[test]
fn chart_is_pulled_on_request_only() {
    let chart = "helmCharts: [{name: web, repo: 'https://example.com/charts', version: 1.0.0}]\n";
    let tree = Tree::new(&[("kustomization.yaml", chart)]);
    tree.write(
        "helm",
        "#!/bin/sh\necho \"$1\" >>calls\n[ \"$1\" = version ] && echo v3.18.0\ntrue\n",
    );
    let mut permissions = fs_err::metadata(tree.path("helm")).unwrap().permissions();
    std::os::unix::fs::PermissionsExt::set_mode(&mut permissions, 0o755);
    fs_err::set_permissions(tree.path("helm"), permissions).unwrap();
    let helm = tree.path("helm").to_string_lossy().into_owned();
    let run = |words: &[&str]| {
        let flags = ["--enable-helm", "--helm-command", &helm];
        let mut command = program(&tree.root());
        let output = command.args(words).args(flags).current_dir(tree.root()).output().unwrap();
        String::from_utf8_lossy(&output.stderr).into_owned()
            + &String::from_utf8_lossy(&output.stdout)
    };
    let pulls = || {
        let calls = fs_err::read_to_string(tree.path("calls")).unwrap_or_default();
        calls.lines().filter(|line| *line == "pull").count()
    };
    let said = run(&["trace"]);
    assert!(
        said.contains(&format!(
            "the chart web of https://example.com/charts {}",
            messages::IS_NOT_IN
        )),
        "{said}"
    );
    run(&["check"]);
    run(&["build", "--offline"]);
    assert_eq!(pulls(), 0);
    run(&["build"]);
    assert_eq!(pulls(), 1);
    run(&["trace", "--fetch"]);
    assert_eq!(pulls(), 2);
}
