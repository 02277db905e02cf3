//! `kzui extract`, `kzui inline`, `kzui prune` and `kzui convert`: no output changes.

use crate::support::{Answer, Tree, kzui_in};

const WEB: &str =
    "apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: web}\nspec:\n  replicas: 1\n";
const PATCH: &str =
    "apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: web}\nspec:\n  paused: true\n";
const MAP: &str = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: extra}\n";

fn text(tree: &Tree, path: &str) -> String {
    String::from_utf8(tree.read(path)).unwrap()
}

fn run(tree: &Tree, arguments: &[&str]) -> Answer {
    kzui_in(&tree.root(), arguments)
}

fn output(tree: &Tree, target: &str) -> String {
    run(tree, &["build", target]).built()
}

/// A tree in a git repository.
fn repository(files: &[(&str, &str)]) -> Tree {
    let tree = Tree::new(files);
    tree.write(".git/HEAD", "ref: refs/heads/main\n");
    tree
}

/// Runs a command that is refused, and checks its status and message.
fn assert_refused(tree: &Tree, arguments: &[&str], status: i32, words: &str) {
    let refused = run(tree, arguments);
    assert_eq!(refused.status, Some(status), "{}{}", refused.out, refused.err);
    assert!(refused.err.contains(words), "{}", refused.err);
}

/// Two overlays of one base with a common patch, image and generator.
fn overlays() -> Tree {
    let overlay = |own: &str| {
        format!(
            "# the {own} overlay\nresources:\n# all of it\n- ../../base\nnamespace: {own}\nimages:\n- name: nginx\n  newTag: \"{own}\"\npatches:\n# no rollout\n- path: paused.yaml # for {own}\n- patch: |-\n    - op: add\n      path: /spec/replicas\n      value: 2\n  target: {{kind: Deployment}}\nconfigMapGenerator:\n- name: c\n  files: [k=map.txt]\n"
        )
    };
    repository(&[
        ("base/kustomization.yaml", "resources: [web.yaml]\n"),
        ("base/web.yaml", WEB),
        ("overlays/a/kustomization.yaml", &overlay("a")),
        ("overlays/a/paused.yaml", PATCH),
        ("overlays/a/map.txt", "one\n"),
        ("overlays/b/kustomization.yaml", &overlay("b")),
        ("overlays/b/paused.yaml", PATCH),
        ("overlays/b/map.txt", "one\n"),
    ])
}

#[test]
fn the_common_part_of_overlays_moves_to_a_base() {
    let tree = overlays();
    let before = (output(&tree, "overlays/a"), output(&tree, "overlays/b"));
    let arguments = ["extract", "overlays/a", "overlays/b", "--to", "common"];
    let shown = run(&tree, &arguments);
    assert_eq!(shown.status, Some(0), "{}{}", shown.out, shown.err);
    assert!(
        shown
            .out
            .ends_with("4 entries of 2 overlays to common: 2 files, 2 of 2 outputs identical\n"),
        "{}",
        shown.out
    );
    assert!(shown.out.contains("overlays/a/map.txt, overlays/b/map.txt to common/map.txt\n"));
    assert!(!tree.root().join("common").exists(), "shown only");
    let written = run(&tree, &[&arguments[..], &["--write"]].concat());
    assert_eq!(written.status, Some(0), "{}{}", written.out, written.err);
    assert_eq!((output(&tree, "overlays/a"), output(&tree, "overlays/b")), before);
    assert_eq!(
        text(&tree, "common/kustomization.yaml"),
        "apiVersion: kustomize.config.k8s.io/v1beta1\nkind: Kustomization\nresources:\n# all of it\n- ../base\npatches:\n# for b\n# no rollout\n- path: paused.yaml # for a\n- patch: |-\n    - op: add\n      path: /spec/replicas\n      value: 2\n  target: {kind: Deployment}\nconfigMapGenerator:\n- name: c\n  files: [k=map.txt]\n"
    );
    assert_eq!(
        text(&tree, "overlays/b/kustomization.yaml"),
        "# the b overlay\nresources:\n- ../../common\nnamespace: b\nimages:\n- name: nginx\n  newTag: \"b\"\n"
    );
    assert!(!tree.root().join("overlays/a/paused.yaml").exists());
    assert_eq!(text(&tree, "common/map.txt"), "one\n");
}

#[test]
fn a_component_gets_the_common_entries_and_the_others_stay_with_their_reason() {
    let overlay = |own: &str| {
        format!(
            "resources: [../base, {own}.yaml]\nnamePrefix: p-\ncommonLabels: {{app: web}}\nreplicas:\n- {{name: web, count: 3}}\ncomponents: []\n"
        )
    };
    let tree = repository(&[
        ("base/kustomization.yaml", "resources: [web.yaml]\n"),
        ("base/web.yaml", WEB),
        ("a/kustomization.yaml", &overlay("a")),
        ("a/a.yaml", MAP),
        ("b/kustomization.yaml", &overlay("b")),
        ("b/b.yaml", &MAP.replace("extra", "other")),
    ]);
    let before = (output(&tree, "a"), output(&tree, "b"));
    let arguments = ["extract", "a", "b", "--to", "common", "--write"];
    let written = run(&tree, &arguments);
    assert_eq!(written.status, Some(0), "{}{}", written.out, written.err);
    assert!(
        written.out.contains(
            "a/kustomization.yaml:2: namePrefix not moved: a: its output would change in line "
        ),
        "{}",
        written.out
    );
    assert_eq!((output(&tree, "a"), output(&tree, "b")), before);
    let common = text(&tree, "common/kustomization.yaml");
    assert!(
        common.ends_with("resources:\n- ../base\nreplicas:\n- {name: web, count: 3}\n"),
        "{common}"
    );
    let tree = overlays();
    let before = output(&tree, "overlays/b");
    let arguments = ["extract", "overlays/a", "overlays/b", "--to", "c", "--component", "--write"];
    let written = run(&tree, &arguments);
    assert_eq!(written.status, Some(0), "{}{}", written.out, written.err);
    assert_eq!(output(&tree, "overlays/b"), before);
    assert!(text(&tree, "c/kustomization.yaml").contains("kind: Component\n"));
    assert!(text(&tree, "overlays/a/kustomization.yaml").ends_with("components:\n- ../../c\n"));
}

#[test]
fn an_extraction_without_a_proved_part_is_refused() {
    let tree = overlays();
    tree.write("other/kustomization.yaml", "resources: [web.yaml]\n");
    tree.write("other/web.yaml", MAP);
    tree.write("broken/kustomization.yaml", "resources: [../base, absent.yaml]\n");
    let both = ["extract", "overlays/a", "overlays/b", "--to"];
    assert_refused(&tree, &[&both[..], &["base"]].concat(), 1, "base has a kustomization file");
    assert_refused(&tree, &[&both[..], &["../x"]].concat(), 2, "not in one repository");
    let command = |one: &'static str, other: &'static str| ["extract", one, other, "--to", "new"];
    assert_refused(&tree, &command("overlays/a", "other"), 1, "no common entries");
    assert_refused(&tree, &command("overlays/a", "overlays/a"), 2, "is given twice");
    assert_refused(&tree, &command("overlays/a", "overlays"), 1, "no kustomization file");
    assert_refused(&tree, &["extract", "overlays/a", "--to", "new"], 2, "2 values required");
    tree.write("broken2/kustomization.yaml", "resources: [../base, missing.yaml]\n");
    assert_refused(&tree, &command("broken", "broken2"), 1, "its build fails");
    // A file that another kustomization uses stays, and so does its entry.
    tree.write(
        "user/kustomization.yaml",
        "resources: [../base]\npatches: [{path: ../overlays/a/paused.yaml}]\n",
    );
    let kept = run(&tree, &[&both[..], &["common"]].concat());
    assert!(
        kept.out.contains("overlays/a/paused.yaml is used at user/kustomization.yaml:2 too"),
        "{}{}",
        kept.out,
        kept.err
    );
}

#[test]
fn a_base_that_only_one_target_uses_is_inlined_with_its_files() {
    let tree = repository(&[
        (
            "base/kustomization.yaml",
            "# the base\nresources:\n- web.yaml # first\n- sub/map.yaml\nnamePrefix: b-\npatches:\n# no rollout\n- path: p.yaml\ncommonLabels:\n  app: web\n",
        ),
        ("base/web.yaml", WEB),
        ("base/sub/map.yaml", MAP),
        ("base/p.yaml", PATCH),
        (
            "prod/kustomization.yaml",
            "resources:\n  - ../base # all\nnamePrefix: p-\nreplicas:\n  - {name: web, count: 3}\ncommonLabels:\n  tier: front\n",
        ),
    ]);
    let before = output(&tree, "prod");
    let written = run(&tree, &["inline", "prod", "base", "--write"]);
    assert_eq!(written.status, Some(0), "{}{}", written.out, written.err);
    assert!(
        written.out.ends_with("base in prod: 5 entries, 3 files, 1 of 1 outputs identical\n"),
        "{}",
        written.out
    );
    assert_eq!(output(&tree, "prod"), before);
    assert_eq!(
        text(&tree, "prod/kustomization.yaml"),
        "resources:\n  - web.yaml # first\n  - sub/map.yaml\nnamePrefix: p-b-\nreplicas:\n  - {name: web, count: 3}\ncommonLabels:\n  app: web\n  tier: front\npatches:\n  # no rollout\n  - path: p.yaml\n# the base\n"
    );
    assert!(!tree.root().join("base/kustomization.yaml").exists());
    assert_eq!(text(&tree, "prod/sub/map.yaml"), MAP);
}

#[test]
fn a_component_that_others_use_stays_and_refusals_name_their_reason() {
    let component = "apiVersion: kustomize.config.k8s.io/v1alpha1\nkind: Component\nconfigMapGenerator:\n- name: c\n  literals: [a=b]\npatches:\n- patch: '{\"apiVersion\": \"apps/v1\", \"kind\": \"Deployment\", \"metadata\": {\"name\": \"web\"}, \"spec\": {\"paused\": true}}'\n";
    let target = "resources: [../base]\ncomponents: [../tls]\n";
    let tree = repository(&[
        ("base/kustomization.yaml", "resources: [web.yaml]\n"),
        ("base/web.yaml", WEB),
        ("tls/kustomization.yaml", component),
        ("a/kustomization.yaml", target),
        ("b/kustomization.yaml", target),
        (
            "remote/kustomization.yaml",
            "resources:\n- https://example.com/x.git//y?ref=v1\n- absent\n",
        ),
    ]);
    let before = (output(&tree, "a"), output(&tree, "b"));
    let written = run(&tree, &["inline", "a", "../tls", "--write"]);
    assert_eq!(written.status, Some(0), "{}{}", written.out, written.err);
    assert_eq!((output(&tree, "a"), output(&tree, "b")), before);
    assert_eq!(text(&tree, "tls/kustomization.yaml"), component);
    assert!(!text(&tree, "a/kustomization.yaml").contains("components"));
    let refused = |arguments: &[&str], words: &str| {
        assert_refused(&tree, &[&["inline"], arguments].concat(), 1, words);
    };
    refused(&["b", "../base"], "base stays, because a/kustomization.yaml uses it");
    refused(&["b", "nothing"], "b/kustomization.yaml does not list nothing");
    refused(&["remote", "https://example.com/x.git//y?ref=v1"], "is remote");
    refused(&["remote", "absent"], "absent does not exist");
    refused(&["base", "web.yaml"], "web.yaml is a file");
    // A transformer of the base would also change the other resources of the target.
    tree.write("base2/kustomization.yaml", "resources: [../base]\nnamePrefix: x-\n");
    tree.write("c/kustomization.yaml", "resources: [../base2, m.yaml]\n");
    tree.write("c/m.yaml", MAP);
    refused(&["c", "../base2"], "c: its output would change in line");
    let options = |value: &str| format!("generatorOptions:\n  labels: {{a: {value}}}\n");
    tree.write(
        "base3/kustomization.yaml",
        &format!("{}configMapGenerator: [{{name: x}}]\n", options("x")),
    );
    tree.write("d/kustomization.yaml", &format!("resources: [../base3]\n{}", options("other")));
    refused(&["d", "../base3"], "`generatorOptions`: set in both files");
}

#[test]
fn unused_entries_and_manifests_are_pruned() {
    let tree = repository(&[
        (
            "app/kustomization.yaml",
            "resources: [web.yaml]\nimages:\n# the old image\n- name: ghcr.io/acme/payments\n  newTag: v2\npatches:\n- path: gone.yaml\n  target: {kind: StatefulSet, name: database}\n- target: {kind: Deployment, name: wbe}\n  path: near.yaml\n",
        ),
        ("app/web.yaml", WEB),
        ("app/gone.yaml", PATCH),
        ("app/near.yaml", PATCH),
        ("app/old.yaml", MAP),
        ("other/kustomization.yaml", "resources: [map.yaml]\n#- off.yaml\n"),
        ("other/map.yaml", MAP),
        ("other/off.yaml", MAP),
    ]);
    let before = output(&tree, "app");
    let shown = run(&tree, &["prune"]);
    assert_eq!(shown.status, Some(0), "{}{}", shown.out, shown.err);
    assert!(shown.out.contains("app/old.yaml: in no build\n"), "{}", shown.out);
    assert!(shown.out.contains("app/kustomization.yaml:9: "), "{}", shown.out);
    assert!(tree.root().join("app/old.yaml").exists(), "shown only");
    let written = run(&tree, &["prune", "app", "--write"]);
    assert_eq!(written.status, Some(0), "{}{}", written.out, written.err);
    assert!(
        written.out.ends_with("2 entries, 2 files to remove, 1 of 1 outputs identical\n"),
        "{}",
        written.out
    );
    assert_eq!(output(&tree, "app"), before);
    assert_eq!(
        text(&tree, "app/kustomization.yaml"),
        "resources: [web.yaml]\npatches:\n- target: {kind: Deployment, name: wbe}\n  path: near.yaml\n"
    );
    assert!(!tree.root().join("app/gone.yaml").exists());
    assert!(tree.root().join("other/off.yaml").exists());
    let again = run(&tree, &["prune"]);
    assert!(again.out.ends_with("no unused entries or files\n"), "{}", again.out);
    assert_refused(&tree, &["prune", "absent"], 2, "cannot read absent");
}

/// A Kustomization becomes a Composition with the same output and back, with its comments.
#[test]
fn converted_target_has_the_same_output_in_both_forms() {
    let tree = repository(&[
        ("base/kustomization.yaml", "resources: [web.yaml]\n"),
        ("base/web.yaml", WEB),
        (
            "app/kustomization.yaml",
            "# the shop\nresources:\n# the front\n- ../base\n- extra.yaml\nnamespace: shop\nnamePrefix: a-\n\
             configMapGenerator:\n- name: settings # for all\n  literals: [a=1]\n\
             labels:\n- pairs: {team: shop}\nreplicas:\n- {name: web, count: 4}\n\
             images:\n- {name: web, newTag: '2'}\n- {name: db, newTag: '3'}\npatches:\n- path: patch.yaml\n",
        ),
        ("app/extra.yaml", MAP),
        ("app/patch.yaml", PATCH),
        ("top/kustomization.yaml", "resources: [../app]\nnameSuffix: -z\n"),
    ]);
    let before = [output(&tree, "app"), output(&tree, "top")];
    let shown = run(&tree, &["convert", "app", "--to", "composition"]);
    assert_eq!(shown.status, Some(0), "{}{}", shown.out, shown.err);
    assert!(shown.out.contains("1 of 1 outputs identical"), "{}", shown.out);
    assert!(tree.path("app/kustomization.yaml").exists(), "only shown");

    run(&tree, &["convert", "app", "--to", "composition", "--write"]).built();
    assert!(!tree.path("app/kustomization.yaml").exists());
    let written = text(&tree, "app/composition.yaml");
    for kept in ["# the shop", "# the front", "# for all", "kind: PatchTransformer"] {
        assert!(written.contains(kept), "{kept}: {written}");
    }
    assert_eq!([output(&tree, "app"), output(&tree, "top")], before);

    let back = run(&tree, &["convert", "app", "--to", "kustomization", "--write"]);
    assert_eq!(back.status, Some(0), "{}{}{written}", back.out, back.err);
    assert!(!tree.path("app/composition.yaml").exists());
    assert_eq!([output(&tree, "app"), output(&tree, "top")], before);
    let written = text(&tree, "app/kustomization.yaml");
    assert!(written.contains("namePrefix: a-") && written.contains("# the shop"), "{written}");
}

/// A function of a Composition becomes one of `transformers`, with its runtime in the annotation that
/// Kustomize reads.
#[cfg(unix)]
#[test]
fn converted_function_keeps_its_runtime() {
    let tree = repository(&[
        (
            "composition.yaml",
            "transformers:\n- kind: ResourceAccumulator\n  paths: [map.yaml]\n\
             - apiVersion: example.com/v1\n  kind: Same\n  metadata: {name: same}\n\
             \x20 runtime:\n    exec: {path: ./same.sh}\n",
        ),
        ("map.yaml", MAP),
    ]);
    crate::functions::write_script(&tree, "same.sh", "cat");
    let flags = ["--enable-alpha-plugins", "--enable-exec"];
    let before = run(&tree, &[&["build", "."], &flags[..]].concat()).built();
    let convert = ["convert", ".", "--to", "kustomization", "--write"];
    run(&tree, &[&convert, &flags[..]].concat()).built();
    let written = text(&tree, "kustomization.yaml");
    assert!(written.contains("config.kubernetes.io/function:"), "{written}");
    assert_eq!(run(&tree, &[&["build", "."], &flags[..]].concat()).built(), before);
}

/// What the other form cannot express is refused at its line, and nothing is written.
#[test]
fn conversion_names_the_entry_that_the_other_form_cannot_express() {
    let tree = repository(&[
        ("app/kustomization.yaml", "resources: [web.yaml]\ncomponents: [../part]\n"),
        ("app/web.yaml", WEB),
        ("part/kustomization.yaml", "kind: Component\n"),
        (
            "late/composition.yaml",
            "transformers:\n- kind: ResourceAccumulator\n  paths: [web.yaml]\n\
             - kind: PrefixTransformer\n  prefix: a-\n\
             - kind: ResourceAccumulator\n  metadata: {name: more}\n  paths: [map.yaml]\n",
        ),
        ("late/web.yaml", WEB),
        ("late/map.yaml", MAP),
        ("over/composition.yaml", "transformersFrom: [{path: ../late}]\n"),
    ]);
    let convert = |target: &str, to: &str, words: &str| {
        assert_refused(&tree, &["convert", target, "--to", to, "--write"], 1, words);
    };
    convert("app", "composition", "app/kustomization.yaml:2: components");
    convert("late", "kustomization", "late/composition.yaml:6: entry 3, ResourceAccumulator");
    convert("over", "kustomization", "over/composition.yaml:1: transformersFrom");
    convert("part", "composition", "is a Component");
    assert!(tree.path("app/kustomization.yaml").exists());
    assert!(tree.path("late/composition.yaml").exists());
}
