//! `kzui diff`: two builds, and all builds of two commits, with the edits that made them differ.

use std::path::Path;
use std::process::Command;

use serde_json::Value;

use crate::support::{Answer, Tree, kzui_in, messages};

pub(crate) const DEPLOYMENT: &str = "apiVersion: apps/v1\nkind: Deployment\nmetadata:\n  name: web\nspec:\n  replicas: 1\n  \
     selector:\n    matchLabels:\n      app: web\n  template:\n    metadata:\n      labels:\n        app: web\n    spec:\n      \
     containers:\n      - name: web\n        image: example.com/web:1\n";

pub(crate) fn git(tree: &Tree, arguments: &[&str]) {
    let done = Command::new("git")
        .args(["-c", "user.name=Ada", "-c", "user.email=ada@example.com"])
        .args(arguments)
        .current_dir(tree.root())
        .status();
    assert!(done.expect("git is installed").success());
}

pub(crate) fn commit(tree: &Tree, message: &str) {
    git(tree, &["add", "-A"]);
    git(tree, &["commit", "-q", "--allow-empty", "-m", message]);
}

/// A base, three overlays of which one sets the image itself, and an unrelated target.
pub(crate) fn repository() -> Tree {
    let tree = Tree::new(&[
        ("base/kustomization.yaml", "resources:\n- deployment.yaml\n"),
        ("base/deployment.yaml", DEPLOYMENT),
        ("dev/kustomization.yaml", "resources: [../base]\nnamePrefix: dev-\n"),
        ("stage/kustomization.yaml", "resources: [../base]\nnamePrefix: stage-\n"),
        (
            "prod/kustomization.yaml",
            "resources: [../base]\nnamePrefix: prod-\nimages:\n- name: example.com/web\n  newTag: \"7\"\n",
        ),
        ("other/kustomization.yaml", "configMapGenerator:\n- name: c\n  literals: [a=1]\n"),
    ]);
    git(&tree, &["init", "-q", "-b", "main"]);
    commit(&tree, "First");
    tree
}

fn json(answer: Answer) -> Value {
    assert_eq!(answer.status, Some(1), "{}", answer.err);
    serde_json::from_str(&answer.out).expect("it is JSON")
}

fn targets(report: &Value) -> Vec<&str> {
    let targets = report["targets"].as_array().unwrap().iter();
    targets.map(|target| target["target"].as_str().unwrap()).collect()
}

#[test]
fn edit_of_a_base_is_one_row_with_its_affected_targets() {
    let tree = repository();
    tree.write("base/deployment.yaml", &DEPLOYMENT.replace("web:1", "web:2"));
    commit(&tree, "Raise the version of web");
    let report = json(kzui_in(&tree.root(), &["diff", "HEAD~1", "HEAD", "--format", "json"]));
    assert_eq!(targets(&report), ["dev", "stage"], "prod sets the tag itself");
    assert_eq!(report["targetsTotal"], 4);
    assert_eq!(report["targetsNotReached"], 1);
    let edits = report["edits"].as_array().unwrap();
    assert_eq!(edits.len(), 1);
    assert_eq!(edits[0]["file"], "base/deployment.yaml");
    assert_eq!(edits[0]["line"], 17);
    assert_eq!(edits[0]["commit"]["subject"], "Raise the version of web");
    let field = &report["targets"][0]["resources"][0]["fields"][0];
    assert_eq!(field["path"], "spec.template.spec.containers[web].image");
    assert_eq!((&field["edits"][0], &field["tried"]), (&0.into(), &true.into()));
    let text = kzui_in(&tree.root(), &["diff", "main~1...main"]);
    assert_eq!(text.status, Some(1));
    let cause = "base/deployment.yaml:17  image: example.com/web:1 → example.com/web:2";
    assert!(text.out.contains(cause), "{}", text.out);
    assert!(text.out.contains(": dev, stage\n"), "{}", text.out);
    assert!(text.out.contains("warning[KZ330]"), "{}", text.out);
}

#[test]
fn work_tree_is_compared_without_writing() {
    let tree = repository();
    let same = kzui_in(&tree.root(), &["diff", "HEAD"]);
    assert_eq!((same.status, same.err.as_str()), (Some(0), ""));
    tree.write(
        "dev/kustomization.yaml",
        "resources: [../base]\nnamePrefix: dev-\nreplicas:\n- name: web\n  count: 3\n",
    );
    let before = read_all_files(&tree.root());
    let report = json(kzui_in(&tree.root(), &["diff", "HEAD", "--format", "json"]));
    assert_eq!(targets(&report), ["dev"]);
    let field = &report["targets"][0]["resources"][0]["fields"][0];
    assert_eq!((field["before"].as_str(), field["after"].as_str()), (Some("1"), Some("3")));
    let below = json(kzui_in(&tree.path("dev"), &["diff", "HEAD", "--format", "json"]));
    assert_eq!(targets(&below), ["dev"]);
    let alone = json(kzui_in(&tree.root(), &["diff", "dev", "--format", "json"]));
    assert_eq!(alone["targets"][0]["resources"], report["targets"][0]["resources"]);
    assert_eq!(read_all_files(&tree.root()), before);
}

pub(crate) fn read_all_files(top: &Path) -> Vec<(std::path::PathBuf, Vec<u8>)> {
    let files = walkdir::WalkDir::new(top).sort_by_file_name().into_iter().flatten();
    let files = files.filter(|entry| entry.file_type().is_file());
    files.map(|entry| (entry.path().to_owned(), fs_err::read(entry.path()).unwrap())).collect()
}

#[test]
fn differences_of_overlays_have_verified_causes() {
    let tree = repository();
    let report = json(kzui_in(&tree.root(), &["diff", "dev", "prod", "--format", "json"]));
    let resources = report["targets"][0]["resources"].as_array().unwrap();
    assert_eq!(resources.len(), 1, "found through its prefixes");
    assert_eq!(resources[0]["was"], "Deployment/dev-web");
    let of = |path: &str| {
        let fields = resources[0]["fields"].as_array().unwrap();
        let field = fields.iter().find(|field| field["path"] == path).unwrap();
        let edit = usize::try_from(field["edits"][0].as_u64().unwrap()).unwrap();
        assert_eq!(field["tried"], true);
        report["edits"][edit]["line"].as_u64().unwrap()
    };
    assert_eq!(of("metadata.name"), 2);
    assert_eq!(of("spec.template.spec.containers[web].image"), 3);
    let why = kzui_in(
        &tree.root(),
        &[
            "why-differ",
            "dev",
            "prod",
            "Deployment/prod-web",
            "spec.template.spec.containers[web].image",
        ],
    );
    assert_eq!(why.status, Some(1));
    assert!(
        why.out.contains(&format!("cause (verified): {}", messages::WITHOUT_THIS_EDIT)),
        "{}",
        why.out
    );
    assert!(why.out.contains("prod/kustomization.yaml:3"), "{}", why.out);
}

#[test]
fn rendered_file_is_compared_with_a_target() {
    let tree = repository();
    let built = kzui_in(&tree.root(), &["build", "prod"]).built();
    tree.write("rendered.yaml", &built);
    assert_eq!(kzui_in(&tree.root(), &["diff", "rendered.yaml", "prod"]).status, Some(0));
    let backwards = built.replace("replicas: 1", "replicas: 2");
    tree.write("rendered.yaml", &backwards);
    let short = kzui_in(&tree.root(), &["diff", "rendered.yaml", "prod", "--format", "short"]);
    assert!(short.out.contains("Deployment/prod-web\tspec.replicas  2 → 1"), "{}", short.out);
    let wrong = kzui_in(&tree.root(), &["diff", "none", "prod"]);
    assert_eq!(wrong.status, Some(2));
    assert!(wrong.err.contains(&format!("none {}", messages::NO_FOLDER_OR_FILE)), "{}", wrong.err);
}

#[test]
fn changed_line_of_a_long_text_is_shown() {
    let tree = Tree::new(&[
        ("a/kustomization.yaml", "configMapGenerator:\n- name: c\n  files: [run.sh]\n"),
        ("a/run.sh", "#!/bin/sh\nset -e\n  echo one\n"),
        ("b/kustomization.yaml", "configMapGenerator:\n- name: c\n  files: [run.sh]\n"),
        ("b/run.sh", "#!/bin/sh\nset -e\n  echo two\n"),
    ]);
    let answer = kzui_in(&tree.root(), &["diff", "a", "b"]);
    assert!(answer.out.contains("line 3: echo one → echo two"), "{}", answer.out);
}

#[test]
fn merged_shards_equal_the_full_comparison() {
    let tree = repository();
    tree.write("base/deployment.yaml", &DEPLOYMENT.replace("replicas: 1", "replicas: 2"));
    commit(&tree, "More");
    let whole = kzui_in(&tree.root(), &["diff", "HEAD~1", "HEAD", "--format", "json"]).out;
    for number in 1..=3 {
        let shard = format!("{number}/3");
        let part = kzui_in(
            &tree.root(),
            &["diff", "HEAD~1", "HEAD", "--format", "json", "--shard", &shard],
        );
        tree.write(&format!("part{number}"), &part.out);
    }
    let merged =
        kzui_in(&tree.root(), &["diff", "--format", "json", "--merge", "part2", "part1", "part3"]);
    assert_eq!(merged.out, whole);
    for format in ["text", "short", "markdown", "html"] {
        let whole = kzui_in(&tree.root(), &["diff", "HEAD~1", "HEAD", "--format", format]);
        let merge = ["diff", "--format", format, "--merge", "part1", "part2", "part3"];
        let merged = kzui_in(&tree.root(), &merge);
        assert_eq!((merged.status, merged.out), (whole.status, whole.out), "{format}");
    }
    let missing = kzui_in(&tree.root(), &["diff", "--merge", "part2", "part1"]);
    assert_eq!(missing.status, Some(2));
}

#[test]
fn values_of_secrets_are_masked_also_in_the_edit() {
    let tree = repository();
    let secret = |word: &str| {
        format!(
            "secretGenerator:\n- name: s\n  literals: [password={word}]\n  options: {{disableNameSuffixHash: true}}\n"
        )
    };
    tree.write("other/kustomization.yaml", &secret("hunter2"));
    commit(&tree, "A secret");
    tree.write("other/kustomization.yaml", &secret("swordfish"));
    commit(&tree, "Another");
    for format in ["text", "short", "json", "markdown", "html"] {
        let answer = kzui_in(&tree.root(), &["diff", "HEAD~1", "HEAD", "--format", format]);
        assert_eq!(answer.status, Some(1), "{}", answer.err);
        for word in ["hunter2", "swordfish", "aHVudGVyMg", "c3dvcmRmaXNo"] {
            assert!(!answer.out.contains(word), "{format}: {}", answer.out);
        }
        assert!(answer.out.contains("secret "), "{format}");
    }
    let shown = kzui_in(&tree.root(), &["diff", "HEAD~1", "HEAD", "--show-secrets"]);
    assert!(shown.out.contains("hunter2") && shown.out.contains("c3dvcmRmaXNo"));
}

#[test]
fn edit_of_a_file_without_text_is_named() {
    let layer = "configMapGenerator:\n- name: c\n  files: [x.bin]\n";
    let tree = Tree::new(&[("a/kustomization.yaml", layer), ("b/kustomization.yaml", layer)]);
    fs_err::write(tree.path("a/x.bin"), b"\xff\xfea\n").unwrap();
    fs_err::write(tree.path("b/x.bin"), b"\xff\xfeb\n").unwrap();
    for format in ["text", "markdown"] {
        let answer = kzui_in(&tree.root(), &["diff", "a", "b", "--format", format]);
        assert_eq!(answer.status, Some(1), "{}", answer.err);
        assert!(answer.out.contains("content changed"), "{}", answer.out);
    }
}

#[test]
fn edits_needed_together_are_named_together() {
    let tree = repository();
    let patch = "resources: [../base]\nnamePrefix: dev-\npatches:\n- path: more.yaml\n";
    tree.write("dev/kustomization.yaml", patch);
    tree.write(
        "dev/more.yaml",
        "apiVersion: apps/v1\nkind: Deployment\nmetadata:\n  name: web\nspec:\n  replicas: 5\n",
    );
    tree.write(
        "base/kustomization.yaml",
        "resources:\n- deployment.yaml\nreplicas:\n- name: web\n  count: 5\n",
    );
    commit(&tree, "Twice");
    let report = json(kzui_in(
        &tree.root(),
        &["diff", "HEAD~1", "HEAD", "dev", "--format", "json"]
            .iter()
            .filter(|it| **it != "dev")
            .copied()
            .collect::<Vec<_>>(),
    ));
    let dev =
        report["targets"].as_array().unwrap().iter().find(|it| it["target"] == "dev").unwrap();
    let field = &dev["resources"][0]["fields"][0];
    assert_eq!(field["path"], "spec.replicas");
    assert_eq!(field["edits"].as_array().unwrap().len(), 2, "{report:#}");
    assert_eq!(field["tried"], true);
}

/// A field that two edits write with the same value: neither alone changes it back. An edit that
/// was tried without success is not named as the cause.
#[test]
fn edit_without_effect_is_not_named_as_cause() {
    let tree = repository();
    tree.write(
        "dev/kustomization.yaml",
        "resources: [../base]\nnamePrefix: dev-\nreplicas:\n- name: web\n  count: 5\n",
    );
    tree.write("base/deployment.yaml", &DEPLOYMENT.replace("replicas: 1", "replicas: 5"));
    commit(&tree, "Twice");
    let field = |most: &str| {
        let arguments = ["diff", "HEAD~1", "HEAD", "--format", "json", "--most-trials", most];
        let report = json(kzui_in(&tree.root(), &arguments));
        let all = report["targets"].as_array().unwrap().clone();
        let dev = all.into_iter().find(|it| it["target"] == "dev").unwrap();
        let field = dev["resources"][0]["fields"][0].clone();
        assert_eq!(field["path"], "spec.replicas");
        let edits = field["edits"].as_array().unwrap().iter();
        let place = |at: &Value| {
            report["edits"][usize::try_from(at.as_u64().unwrap()).unwrap()]["file"].clone()
        };
        let files: Vec<Value> = edits.map(place).collect();
        (files, field["tried"] == true)
    };
    let (dev, base) = ("dev/kustomization.yaml", "base/deployment.yaml");
    assert_eq!(field("0"), (vec![base.into()], false), "the likeliest");
    assert_eq!(field("1"), (vec![dev.into()], false), "the other, of which nothing is known");
    // Without both edits the second side is the first side: no further trial.
    assert_eq!(field("2"), (vec![base.into(), dev.into()], true), "both together");
    assert_eq!(field("100"), (vec![base.into(), dev.into()], true));
}

/// The name of a generated resource comes from two files, and no origin leads to either. Trials
/// alone find the edits; if they end early, each face reports only the known part.
#[test]
fn every_output_reports_missing_cause() {
    let tree = repository();
    let generator = "configMapGenerator:\n- name: c\n  files: [a.txt, b.txt]\n";
    tree.write("other/kustomization.yaml", generator);
    let both = |value: &str| ["a", "b"].map(|name| tree.write(&format!("other/{name}.txt"), value));
    both("1");
    commit(&tree, "Before");
    both("2");
    commit(&tree, "Both");
    for (name, text) in [("kustomization.yaml", generator), ("a.txt", "1"), ("b.txt", "1")] {
        tree.write(&format!("copy/{name}"), text);
    }
    for (most, word) in [("0", "notAllTried"), ("1", "notAllTried"), ("2", "noneAlone")] {
        // For two folders, all edits together are one more trial. The changed name counts as a
        // rename, for which the text formats print no cause.
        let (sides, formats) = match most {
            "2" => (["copy", "other"], &[][..]),
            _ => (["HEAD~1", "HEAD"], &["text", "markdown"][..]),
        };
        let [before, after] = sides;
        let page = ["diff", before, after, "--format", "html", "--most-trials", most];
        let page = kzui_in(&tree.root(), &page).out;
        assert!(page.contains(&format!("\"noEdit\": \"{word}\"")), "{page}");
        let (_, rest) = page.split_once(&format!("\"{word}\": \"")).unwrap();
        let words = rest.split('"').next().unwrap();
        assert!(!words.is_empty(), "{page}");
        for format in formats {
            let arguments = ["diff", before, after, "--format", format, "--most-trials", most];
            let said = kzui_in(&tree.root(), &arguments).out;
            let said = said.replace("\\(", "(").replace("\\)", ")");
            assert!(said.contains(words), "{most}: {said}");
        }
    }
    let tried = kzui_in(&tree.root(), &["diff", "HEAD~1", "HEAD", "--most-trials", "2"]);
    assert!(tried.out.contains(&format!("2 {}:", messages::EDITS_TOGETHER)), "{}", tried.out);
    assert!(!tried.out.contains(messages::PROBABLE_CAUSES), "{}", tried.out);
    let untried = kzui_in(&tree.root(), &["diff", "HEAD~1", "HEAD", "--most-trials", "0"]);
    assert!(
        untried.out.contains(&format!("{}\nother/a.txt:1", messages::PROBABLE_CAUSES)),
        "{}",
        untried.out
    );
}

/// Two versions of Kustomize build the same files differently: neither an edit nor a location is
/// the cause.
#[test]
fn different_version_profiles_are_the_cause() {
    let tree = Tree::new(&[
        ("t/kustomization.yaml", "namespace: prod\nresources: [policy.yaml]\n"),
        (
            "t/policy.yaml",
            "apiVersion: admissionregistration.k8s.io/v1\nkind: ValidatingAdmissionPolicy\nmetadata:\n  name: p\n",
        ),
    ]);
    let likes = ["--like-a", "v5.8.1", "--like-b", "master"];
    let diff = kzui_in(&tree.root(), &[&["diff"][..], &likes, &["t", "t"]].concat());
    assert!(diff.out.contains(messages::DIFFERENT_PROFILES), "{}", diff.out);
    assert!(diff.out.contains("metadata.namespace"), "{}", diff.out);
}

#[test]
fn newly_failing_target_has_its_error() {
    let tree = repository();
    tree.write("base/kustomization.yaml", "resources:\n- none.yaml\n");
    commit(&tree, "Broken");
    let report = json(kzui_in(&tree.root(), &["diff", "HEAD~1", "HEAD", "--format", "json"]));
    assert_eq!(targets(&report), ["dev", "prod", "stage"]);
    assert_eq!(report["targets"][0]["state"], "failsNow");
    assert!(report["targets"][0]["error"].as_str().unwrap().contains("none.yaml"));
}

#[test]
fn html_and_markdown_show_dangers() {
    let tree = repository();
    tree.write("base/deployment.yaml", &DEPLOYMENT.replace("app: web", "app: shop"));
    commit(&tree, "Labels </script><b>");
    let page = kzui_in(&tree.root(), &["diff", "HEAD~1", "HEAD", "--format", "html"]).out;
    assert_eq!(page.matches("</script>").count(), 2, "no text ends the data");
    assert!(page.contains("KZ310") && !page.contains("http://") && !page.contains("https://"));
    let markdown = kzui_in(&tree.root(), &["diff", "HEAD~1", "HEAD", "--format", "markdown"]).out;
    assert!(markdown.len() < 20_000 && markdown.contains("<details>"), "{markdown}");
    assert!(markdown.contains("**error KZ310**"), "{markdown}");
    assert!(!markdown.contains("<b>"), "{markdown}");
    let beside =
        kzui_in(&tree.root(), &["diff", "HEAD~1", "HEAD", "--side-by-side", "--width", "80"]).out;
    assert!(
        beside.lines().any(|line| line.contains("app: web")
            && line.contains("| ")
            && line.contains("app: shop")),
        "{beside}"
    );
}

/// Many objects with one version, of which some run pods, as in a release of a controller.
fn release(version: &str) -> String {
    let label = format!("labels: {{app.kubernetes.io/version: {version}}}");
    let mut text = String::new();
    for at in 0..100 {
        text.push_str(&format!(
            "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: c{at}\n  {label}\ndata: {{a: b}}\n---\n"
        ));
    }
    for at in 0..6 {
        let own = DEPLOYMENT.replace("name: web\nspec", &format!("name: d{at}\n  {label}\nspec"));
        let own = own.replace(
            "    metadata:\n",
            &format!("    metadata:\n      annotations: {{v: {version}}}\n"),
        );
        text.push_str(&own.replace("example.com/web:1", &format!("example.com/d{at}:{version}")));
        text.push_str("---\n");
    }
    text
}

fn tree_with_new_release() -> Tree {
    let tree = Tree::new(&[
        ("kustomization.yaml", "resources: [release.yaml]\n"),
        ("release.yaml", &release("v2.8.1")),
    ]);
    git(&tree, &["init", "-q", "-b", "main"]);
    commit(&tree, "First");
    tree.write("release.yaml", &release("v2.8.2"));
    commit(&tree, "Update the release");
    tree
}

#[test]
fn a_release_fits_on_a_screen_and_every_omitted_part_is_counted() {
    let tree = tree_with_new_release();
    let diff = |more: &[&str]| {
        let answer = kzui_in(&tree.root(), &[&["diff", "HEAD~1", "HEAD"][..], more].concat());
        assert_eq!(answer.status, Some(1), "{}", answer.err);
        answer.out
    };
    let text = diff(&[]);
    assert!(text.lines().count() <= 60, "{text}");
    assert!(text.contains("106 × app.kubernetes.io/version: v2.8.1 → v2.8.2\n"), "{text}");
    assert!(text.contains(&format!("{} 6 workloads\n", messages::RESTARTS_PODS)), "{text}");
    assert!(text.contains("example.com/d0 v2.8.1 → v2.8.2"), "{text}");
    assert_eq!(text.matches("Update the release").count(), 1, "{text}");
    assert!(text.find("KZ330") < text.find("106 ×"), "dangers are first: {text}");
    assert!(text.contains("~ 100 ConfigMap, 6 Deployment\n"), "{text}");
    assert!(text.contains("(--all)\n"), "{text}");
    let all = diff(&["--all"]);
    for at in 0..100 {
        assert!(all.contains(&format!("ConfigMap/c{at} (changed)")), "{at}");
    }
    assert!(!all.contains("(--all)") && all.matches("release.yaml:").count() > 100, "{all}");
    let markdown = diff(&["--format", "markdown"]);
    assert!(markdown.len() <= 20_000, "{}", markdown.len());
    assert!(markdown.contains("106 × `app.kubernetes.io/version: "), "{markdown}");
    assert!(markdown.contains(messages::NOT_SHOWN), "{markdown}");
    let report: Value = serde_json::from_str(&diff(&["--format", "json"])).unwrap();
    let headline = &report["headline"];
    assert_eq!((&headline["restarts"], &headline["changed"]), (&6.into(), &106.into()));
    assert_eq!(headline["images"].as_array().unwrap().len(), 6);
    assert_eq!(headline["commits"][0]["subject"], "Update the release");
    assert_eq!(report["targets"][0]["resources"].as_array().unwrap().len(), 106);
}

#[test]
fn danger_flag_hides_changes_without_danger() {
    let tree = tree_with_new_release();
    let diff = |format: &str| {
        kzui_in(&tree.root(), &["diff", "HEAD~1", "HEAD", "--danger", "--format", format]).out
    };
    for format in ["text", "short", "json", "markdown", "html"] {
        let shown = diff(format);
        assert!(shown.contains("d5") && !shown.contains("ConfigMap/c5"), "{format}: {shown}");
    }
    let report: Value = serde_json::from_str(&diff("json")).unwrap();
    assert_eq!(report["headline"]["changed"], 106, "the headline is that of the whole");
}

#[test]
fn sarif_has_each_danger_at_its_edit() {
    let tree = tree_with_new_release();
    let text = kzui_in(&tree.root(), &["diff", "HEAD~1", "HEAD", "--format", "sarif"]).out;
    let document: Value = serde_json::from_str(&text).unwrap();
    let results = document["runs"][0]["results"].as_array().unwrap();
    let of = |code: &str| results.iter().filter(|it| it["ruleId"] == code).count();
    assert_eq!((of("KZ330"), of("KZ331")), (6, 6), "{results:#?}");
    let place = &results[0]["locations"][0]["physicalLocation"];
    assert_eq!(place["artifactLocation"]["uri"], "release.yaml");
    assert!(place["region"]["startLine"].as_u64().unwrap() > 1);
}

#[test]
fn markdown_begins_with_a_marker_that_a_bot_finds() {
    let tree = tree_with_new_release();
    let diff = |marker: &[&str]| {
        let first = ["diff", "HEAD~1", "HEAD", "--format", "markdown"];
        kzui_in(&tree.root(), &[&first[..], marker].concat())
    };
    assert!(diff(&[]).out.starts_with("<!-- kzui-diff: main -->\n"));
    assert!(diff(&["--marker", "prod/eu-1"]).out.starts_with("<!-- kzui-diff: prod/eu-1 -->\n"));
    for bad in ["a --> b", "", "a\nb", "x--y"] {
        assert_eq!(diff(&["--marker", bad]).status, Some(2), "{bad}");
    }
}

#[expect(clippy::format_collect, reason = "a few lines")]
#[test]
fn descriptions_of_definitions_are_one_row() {
    let definition = |word: &str, kind: &str| {
        let fields: String = (0..30)
            .map(|at| {
                format!(
                    "              f{at}:\n                description: {word} {at}\n                type: {kind}\n"
                )
            })
            .collect();
        format!(
            "apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\nmetadata: {{name: a.example.com}}\nspec:\n  \
             group: example.com\n  versions:\n  - name: v1\n    schema:\n      openAPIV3Schema:\n        type: object\n        \
             properties:\n          spec:\n            type: object\n            properties:\n{fields}"
        )
    };
    let tree = Tree::new(&[
        ("kustomization.yaml", "resources: [crd.yaml]\n"),
        ("crd.yaml", &definition("Old", "string")),
    ]);
    git(&tree, &["init", "-q", "-b", "main"]);
    commit(&tree, "First");
    let new = definition("New", "string").replacen("type: string", "type: integer", 1);
    tree.write("crd.yaml", &new);
    let text = kzui_in(&tree.root(), &["diff", "HEAD"]).out;
    // The changed descriptions, and the edits that changed them.
    let is_counted = |line: &str| {
        line.matches("30 ").count() == 2
            && line.contains("1 CustomResourceDefinition")
            && line.ends_with("(--all)")
    };
    assert!(text.lines().any(is_counted), "{text}");
    assert!(text.contains("a.example.com  v1 spec.f0 type\n"), "{text}");
    assert!(text.lines().count() <= 60, "{text}");
    let all = kzui_in(&tree.root(), &["diff", "HEAD", "--all"]).out;
    assert!((0..30).all(|at| all.contains(&format!("v1 spec.f{at} description"))), "{all}");
}

#[test]
fn files_inside_config_maps_are_compared_as_text() {
    // A space at the end of a line makes Kustomize print the complete file in quotes.
    let script = |word: &str| format!("#!/bin/sh \nset -e\necho {word}\nexit\n");
    let map = |folder: &str, word: &str| {
        let generator = "configMapGenerator:\n- name: c\n  files: [run.sh]\n  options: {disableNameSuffixHash: true}\n";
        [
            (format!("{folder}/kustomization.yaml"), generator.to_owned()),
            (format!("{folder}/run.sh"), script(word)),
        ]
    };
    let files = [map("a", "one"), map("b", "two")].concat();
    let files: Vec<(&str, &str)> = files.iter().map(|(path, text)| (&**path, &**text)).collect();
    let tree = Tree::new(&files);
    let text = kzui_in(&tree.root(), &["diff", "a", "b"]).out;
    assert!(text.contains("\n-    echo one\n+    echo two\n"), "{text}");
    assert!(text.contains("line 3: echo one → echo two"), "{text}");
}
