//! `kzui edit`: the edits of `kustomize edit`, in place.

use crate::support::{Answer, Tree, kzui_in, messages, numbers_after};

const WEB: &str = "apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: web}\nspec:\n  replicas: 1\n  template: {spec: {containers: [{name: web, image: 'acme/web:v1'}]}}\n";
const COMMENTED_KUSTOMIZATION: &str = "# Production.\nnamePrefix: prod-   # ours\nresources:\n  - ../base\n\nimages:\n  # by the bot\n  - name: acme/web\n    newTag: v2\n";

fn tree() -> Tree {
    Tree::new(&[
        ("base/kustomization.yaml", "resources: [web.yaml]\n"),
        ("base/web.yaml", WEB),
        ("prod/kustomization.yaml", COMMENTED_KUSTOMIZATION),
        ("prod/cm.yaml", "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: cm}\n"),
        ("prod/more.yaml", "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: more}\n"),
        ("other/kustomization.yaml", "resources: [../base]\n"),
    ])
}

fn edit(tree: &Tree, words: &str) -> Answer {
    let words: Vec<&str> = words.split(' ').collect();
    kzui_in(&tree.path("prod"), &[&["edit"], &*words].concat())
}

/// The file after edits that succeed.
fn edited(tree: &Tree, all: &[&str]) -> String {
    for words in all {
        let answer = edit(tree, words);
        assert_eq!(answer.status, Some(0), "{words}: {}{}", answer.out, answer.err);
    }
    String::from_utf8(tree.read("prod/kustomization.yaml")).unwrap()
}

#[test]
fn an_edit_keeps_every_other_byte_and_shows_the_changed_outputs() {
    let tree = tree();
    let dry = ["edit", "--dir", "prod", "set", "image", "acme/web:1.30", "--dry-run"];
    let dry = kzui_in(&tree.root(), &dry);
    assert_eq!(dry.status, Some(0), "{}", dry.err);
    assert!(dry.out.contains("-    newTag: v2\n+    newTag: \"1.30\"\n"), "{}", dry.out);
    assert_eq!(numbers_after(&dry.out, messages::AFFECTS), [1, 2], "{}", dry.out);
    assert!(dry.out.contains("\n  prod: ~ Deployment/prod-web"), "{}", dry.out);
    assert_eq!(edited(&tree, &[]), COMMENTED_KUSTOMIZATION, "a dry run writes no file");
    let text = edited(&tree, &["set image acme/web:1.30", "set nameprefix p-"]);
    assert_eq!(text, COMMENTED_KUSTOMIZATION.replace("v2", "\"1.30\"").replace("prod-", "p-"));
    let same = edit(&tree, "set nameprefix p-");
    assert_eq!((same.status, &*same.out), (Some(0), "no change: kustomization.yaml\n"));
}

#[test]
fn fields_and_entries_are_set_as_by_kustomize() {
    let text = edited(
        &tree(),
        &[
            "set namespace shop",
            "set namesuffix -- -x",
            "set replicas web=3",
            "set replicas web=4",
            "set label team:a",
            "add label tier:b --without-selector",
            "set annotation note:hi",
            "set image acme/web=acme/site:*",
        ],
    );
    assert_eq!(
        text,
        COMMENTED_KUSTOMIZATION
            .replace("    newTag: v2\n", "    newTag: v2\n    newName: acme/site\n")
            + "namespace: shop\nnameSuffix: -x\nreplicas:\n  - name: web\n    count: 4\nlabels:\n  - includeSelectors: true\n    pairs:\n      team: a\n  - pairs:\n      tier: b\ncommonAnnotations:\n  note: hi\n"
    );
}

#[test]
fn entries_are_added_once_and_removed() {
    let tree = tree();
    let added = edited(
        &tree,
        &[
            "add resource *.yaml",
            "add resource cm.yaml",
            "add configmap c --from-literal=A=1",
            "add configmap c --from-literal=B=2",
            "set configmap c --from-literal=A=3",
        ],
    );
    let resources = "resources:\n  - ../base\n  - cm.yaml\n  - more.yaml\n";
    let generator = "configMapGenerator:\n  - name: c\n    literals:\n    - A=3\n    - B=2\n";
    assert_eq!(
        added,
        COMMENTED_KUSTOMIZATION.replace("resources:\n  - ../base\n", resources) + generator
    );
    let removed = edited(
        &tree,
        &[
            "remove resource cm.yaml more.yaml",
            "remove configmap c",
            "add label a:b",
            "remove label a",
        ],
    );
    assert_eq!(removed, COMMENTED_KUSTOMIZATION);
    let patched = edited(&tree, &["add patch --path cm.yaml --kind ConfigMap --name none"]);
    let entry =
        "patches:\n  - path: cm.yaml\n    target:\n      kind: ConfigMap\n      name: none\n";
    assert_eq!(patched, format!("{COMMENTED_KUSTOMIZATION}{entry}"));
    let back = edited(&tree, &["remove patch --path cm.yaml --kind ConfigMap --name none"]);
    assert_eq!(back, COMMENTED_KUSTOMIZATION);
}

#[test]
fn unsupported_edit_is_refused_and_not_written() {
    let tree = tree();
    let refused = |words: &str, reason: &str| {
        let answer = edit(&tree, words);
        assert_eq!(answer.status, Some(1), "{words}: {}", answer.out);
        assert!(answer.err.contains(reason), "{words}: {}", answer.err);
        assert_eq!(edited(&tree, &[]), COMMENTED_KUSTOMIZATION);
    };
    refused("add resource missing.yaml", "missing.yaml");
    refused("set image acme", "acme");
    refused("set replicas web=many", "NAME=COUNT");
    refused("remove label none", " none");
    refused("set configmap none --from-literal=A=1", " none");
    assert_eq!(kzui_in(&tree.root(), &["edit", "set", "namespace", "x"]).status, Some(2));
}

#[test]
fn fix_migrates_the_file() {
    let tree = tree();
    tree.write("prod/kustomization.yaml", &COMMENTED_KUSTOMIZATION.replace("resources:", "bases:"));
    let dry = edit(&tree, "fix --dry-run");
    let sum = dry.out.lines().last().unwrap();
    assert_eq!(numbers_after(sum, ""), [1, 1, 1, 1], "{}", dry.out);
    assert_eq!(edited(&tree, &["fix"]), COMMENTED_KUSTOMIZATION);
}

/// The commands of `kustomize edit` with all their flags, from the folder `kustomize/commands/edit`
/// of Kustomize's repository.
const KUSTOMIZE_COMMANDS: [&str; 50] = [
    "add annotation note2:x other:y",
    "add annotation note:x --force",
    "add annotation note:x -f",
    "add base ../base2,../base3",
    "add buildmetadata managedByLabel,transformerAnnotations",
    "add component ../component2",
    "add configmap new --from-file=k=cm.yaml --from-file more.yaml --from-literal=A=1 --from-literal B=2",
    "add configmap new --from-env-file=x.env --behavior=merge --namespace test --disableNameSuffixHash",
    "add configuration more.yaml",
    "add generator more.yaml",
    "add label team2:x",
    "add label team:x --force",
    "add label team:x -f",
    "add label tier:b --without-selector --include-templates",
    "add patch --path cm.yaml --group g --version v --kind K --name n --namespace s --annotation-selector a=b --label-selector c=d",
    "add patch --patch {} --kind K",
    "add resource more.yaml",
    "add resource absent.yaml --no-verify",
    "add secret new --from-file=k=cm.yaml --from-literal=A=1 --type=Opaque",
    "add secret new --from-env-file=x.env --namespace test --disableNameSuffixHash",
    "add transformer more.yaml",
    "alpha-list-builtin-plugin",
    "fix",
    "fix --vars",
    "remove annotation note",
    "remove annotation absent --ignore-non-existence",
    "remove annotation absent -i",
    "remove buildmetadata originAnnotations",
    "remove component ../component",
    "remove configmap c",
    "remove configmap c --namespace=default",
    "remove label team",
    "remove label absent --ignore-non-existence",
    "remove label absent -i",
    "remove patch --path cm.yaml --kind ConfigMap",
    "remove resource cm.yaml",
    "remove secret s",
    "remove secret s --namespace default",
    "remove transformer cm.yaml",
    "set annotation note:z other:y",
    "set buildmetadata managedByLabel",
    "set configmap c --from-literal=A=2",
    "set configmap c --namespace=default --new-namespace=shop",
    "set image acme/web=nginx:1.27 alpine@sha256:24a0c4b4a4c0eb97a1aabb8e29f18e917d05abfe1b7a7c07857230879ce7d3d3",
    "set label team:z",
    "set nameprefix acme-",
    "set namespace staging",
    "set replicas web=3 other=1",
    "set secret s --from-literal=A=2",
    "set secret s --namespace=default --new-namespace=shop",
];

#[test]
fn every_command_and_flag_of_kustomize_edit_is_accepted() {
    let kustomization = "resources: [../base, cm.yaml]\ncomponents: [../component]\ntransformers: [cm.yaml]\nbuildMetadata: [originAnnotations]\ncommonLabels: {team: a}\ncommonAnnotations: {note: a}\npatches:\n- path: cm.yaml\n  target: {kind: ConfigMap}\nconfigMapGenerator:\n- {name: c, literals: [A=1]}\nsecretGenerator:\n- {name: s, literals: [A=1]}\n";
    let tree = tree();
    tree.write("prod/kustomization.yaml", kustomization);
    tree.write("prod/x.env", "A=1\n");
    for folder in ["base2", "base3"] {
        tree.write(&format!("{folder}/kustomization.yaml"), "namePrefix: a-\n");
    }
    for folder in ["component", "component2"] {
        let text = "apiVersion: kustomize.config.k8s.io/v1alpha1\nkind: Component\n";
        tree.write(&format!("{folder}/kustomization.yaml"), text);
    }
    let refused: Vec<String> = KUSTOMIZE_COMMANDS
        .iter()
        .map(|words| (words, edit(&tree, &format!("--dry-run {words}"))))
        .filter(|(_, answer)| answer.status != Some(0))
        .map(|(words, answer)| format!("{words}: {}", answer.err))
        .collect();
    assert_eq!(refused, Vec::<String>::new());
    let plugins = edit(&tree, "alpha-list-builtin-plugin").out;
    assert!(plugins.starts_with("Builtin plugins:\n\n * AnnotationsTransformer\n"), "{plugins}");
    assert_eq!(plugins.lines().count(), 20);
}

/// An edit of a base that the overlay writes over changes no listed target: the answers count the
/// bases that it changes.
#[test]
fn change_of_a_base_that_is_not_listed_is_told() {
    let tree = Tree::new(&[
        ("a/c.yaml", "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: c}\n"),
        ("a/kustomization.yaml", "namespace: m\nresources: [c.yaml]\n"),
        ("b/kustomization.yaml", "namespace: prod\nresources: [../a]\n"),
    ]);
    tree.commit("v1");
    let set = ["edit", "--dir", "a", "set", "namespace", "zz"];
    let dry = kzui_in(&tree.root(), &[&set[..], &["--dry-run"]].concat());
    assert!(dry.out.contains(messages::BASE_CHANGES), "{}{}", dry.out, dry.err);
    kzui_in(&tree.root(), &set);
    let told = kzui_in(&tree.root(), &["diff", "v1"]);
    assert!(told.out.contains(messages::BASE_CHANGES), "{}", told.out);
    let report = kzui_in(&tree.root(), &["diff", "v1", "--format", "json"]);
    assert!(report.out.contains("\"basesChanged\": 1"), "{}", report.out);
    let all = kzui_in(&tree.root(), &["diff", "v1", "--bases"]);
    assert!(!all.out.contains(messages::BASE_CHANGES) && all.out.contains("zz"), "{}", all.out);
}
