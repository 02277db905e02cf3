//! `kzui diff` of two folders: the causes are entries that can be reverted, in files of one role.

use serde_json::Value;

use crate::compare::{DEPLOYMENT, git};
use crate::support::{Tree, kzui_in};

fn report(tree: &Tree, before: &str, after: &str) -> Value {
    let answer = kzui_in(&tree.root(), &["diff", before, after, "--format", "json"]);
    assert_eq!(answer.status, Some(1), "{}{}", answer.out, answer.err);
    serde_json::from_str(&answer.out).unwrap()
}

/// Each field with the locations of its edits, and whether they are verified.
fn causes(report: &Value) -> Vec<(String, Vec<String>, bool)> {
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let all = |value: &Value| value.as_array().cloned().unwrap_or_default();
    let fields = all(&report["targets"]);
    let fields = fields.iter().flat_map(|target| all(&target["resources"]));
    let fields = fields.flat_map(|resource| all(&resource["fields"]));
    fields
        .map(|field| {
            let edits = all(&field["edits"]).into_iter().map(|at| {
                let edit = &report["edits"][usize::try_from(at.as_u64().unwrap()).unwrap()];
                format!("{}:{}", text(&edit["file"]), edit["line"])
            });
            (text(&field["path"]), edits.collect(), field["tried"] == true)
        })
        .collect()
}

/// A patch that sets the replicas of `web`.
const PATCH: &str =
    "apiVersion: apps/v1\nkind: Deployment\nmetadata:\n  name: web\nspec:\n  replicas: 3\n";

/// A base, and an overlay that adds a resource, a patch and a prefix.
fn overlay() -> Tree {
    let kustomization =
        "resources:\n- ../base\n- extra.yaml\npatches:\n- path: p.yaml\nnamePrefix: a-\n";
    let extra = "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: extra\n";
    Tree::new(&[
        ("base/kustomization.yaml", "resources: [deployment.yaml]\n"),
        ("base/deployment.yaml", DEPLOYMENT),
        ("overlay/kustomization.yaml", kustomization),
        ("overlay/p.yaml", PATCH),
        ("overlay/extra.yaml", extra),
        ("top/kustomization.yaml", "resources: [../overlay]\nlabels: [{pairs: {t: x}}]\n"),
    ])
}

#[test]
fn an_overlay_differs_from_its_base_by_its_entries() {
    let tree = overlay();
    let found = report(&tree, "base", "overlay");
    let at = |entry: &str| vec![format!("overlay/kustomization.yaml:{entry}")];
    let mut found = causes(&found);
    found.sort();
    let expected = [
        (String::new(), at("3"), true),
        ("metadata.name".to_owned(), at("6"), true),
        ("spec.replicas".to_owned(), at("5"), true),
    ];
    assert_eq!(found, expected);
    // The other direction has the same causes, and a target two layers above has those of both.
    let mut back = causes(&report(&tree, "overlay", "base"));
    back.sort();
    let edits = |all: &[(String, Vec<String>, bool)]| {
        all.iter().map(|it| (it.0.clone(), it.1.len(), it.2)).collect::<Vec<_>>()
    };
    assert_eq!(edits(&back), edits(&expected));
    let top = causes(&report(&tree, "base", "top"));
    let labels = top.iter().find(|it| it.0 == "metadata.labels").unwrap();
    assert_eq!(
        labels,
        &("metadata.labels".to_owned(), vec!["top/kustomization.yaml:2".to_owned()], true)
    );
}

#[test]
fn a_removal_between_two_folders_is_no_danger() {
    let tree = overlay();
    tree.write("base/kustomization.yaml", "resources: [deployment.yaml, pvc.yaml]\n");
    let claim = "apiVersion: v1\nkind: PersistentVolumeClaim\nmetadata:\n  name: data\n";
    tree.write("base/pvc.yaml", claim);
    tree.write("overlay/kustomization.yaml", "resources: [../base]\npatches:\n- patch: |-\n    $patch: delete\n    apiVersion: v1\n    kind: PersistentVolumeClaim\n    metadata: {name: data}\n");
    let found = report(&tree, "base", "overlay");
    let resource = &found["targets"][0]["resources"][0];
    assert_eq!((&resource["change"], &resource["dangers"]), (&"removed".into(), &Value::Null));
    assert_eq!(causes(&found)[0].1, ["overlay/kustomization.yaml:3"]);
}

#[test]
fn ignored_files_are_causes_of_differences() {
    let kustomization = "resources: [../base]\nconfigMapGenerator:\n- name: env\n  envs: [.env]\n";
    let tree = Tree::new(&[
        (".gitignore", ".env\n"),
        ("base/kustomization.yaml", "resources: [deployment.yaml]\n"),
        ("base/deployment.yaml", DEPLOYMENT),
        ("a/kustomization.yaml", kustomization),
        ("a/.env", "X=1\nHOST=https://a\n"),
        ("b/kustomization.yaml", kustomization),
        ("b/.env", "X=1\nHOST=https://b\n"),
    ]);
    git(&tree, &["init", "-q", "-b", "main"]);
    let found = causes(&report(&tree, "a", "b"));
    let host = found.iter().find(|it| it.0 == "data.HOST").unwrap();
    assert_eq!((&host.1, host.2), (&vec!["b/.env:2".to_owned()], true));
}

#[test]
fn differing_bases_are_paired_by_role() {
    let with = |folder: &str, image: &str| {
        vec![
            (format!("{folder}/setup/kustomization.yaml"), "resources: [../common]\n".to_owned()),
            (format!("{folder}/common/kustomization.yaml"), "resources: [d.yaml]\n".to_owned()),
            (format!("{folder}/common/d.yaml"), DEPLOYMENT.replace("web:1", image)),
        ]
    };
    let files = [with("azure", "web:1"), with("local", "web:2")].concat();
    let files: Vec<(&str, &str)> = files.iter().map(|(path, text)| (&**path, &**text)).collect();
    let found = causes(&report(&Tree::new(&files), "azure/setup", "local/setup"));
    let (path, edits, is_tried) = &found[0];
    assert_eq!(path, "spec.template.spec.containers[web].image");
    assert_eq!((edits, is_tried), (&vec!["local/common/d.yaml:17".to_owned()], &true));
}

/// The lists of images are at different places of the two files: a trial file in which `images` is
/// repeated verifies no cause.
#[test]
fn repeated_key_in_a_trial_verifies_no_cause() {
    let old = "resources:\n- ../base\n";
    let new = "apiVersion: kustomize.config.k8s.io/v1beta1\nkind: Kustomization\n\nresources:\n- ../base\n\nimages:\n- name: example.com/web\n  newTag: debug\n";
    let old = format!(
        "images:\n- name: example.com/web\n  newTag: plain\n\n{old}\napiVersion: kustomize.config.k8s.io/v1beta1\nkind: Kustomization\n"
    );
    let tree = Tree::new(&[
        ("base/kustomization.yaml", "resources: [deployment.yaml]\n"),
        ("base/deployment.yaml", DEPLOYMENT),
        ("plain/kustomization.yaml", &old),
        ("debug/kustomization.yaml", new),
    ]);
    let found = causes(&report(&tree, "plain", "debug"));
    let (_, edits, is_tried) = &found[0];
    assert_eq!((edits, is_tried), (&vec!["debug/kustomization.yaml:9".to_owned()], &true));
}

/// Two overlays of one base that differ in prefix, namespace and one field.
fn siblings() -> Tree {
    let binding = "apiVersion: rbac.authorization.k8s.io/v1\nkind: RoleBinding\nmetadata:\n  name: web\nroleRef: {apiGroup: rbac.authorization.k8s.io, kind: Role, name: web}\nsubjects:\n- kind: ServiceAccount\n  name: web\n";
    let account = "apiVersion: v1\nkind: ServiceAccount\nmetadata:\n  name: web\n";
    let role = "apiVersion: rbac.authorization.k8s.io/v1\nkind: Role\nmetadata:\n  name: web\n";
    let overlay = |name: &str, count: u8| {
        format!(
            "namePrefix: {name}-\nnamespace: {name}\nresources: [../base]\nreplicas:\n- name: web\n  count: {count}\n"
        )
    };
    Tree::new(&[
        ("base/kustomization.yaml", "resources: [d.yaml, rb.yaml, sa.yaml, r.yaml]\n"),
        ("base/d.yaml", DEPLOYMENT),
        ("base/rb.yaml", binding),
        ("base/sa.yaml", account),
        ("base/r.yaml", role),
        ("one/kustomization.yaml", &overlay("one", 1)),
        ("two/kustomization.yaml", &overlay("two", 2)),
    ])
}

#[test]
fn renames_of_sibling_overlays_are_one_row_for_each_entry() {
    let tree = siblings();
    let found = report(&tree, "one", "two");
    let rows: Vec<(&str, &str, &str, &str, u64, u64)> = found["renames"]
        .as_array()
        .unwrap()
        .iter()
        .map(|it| {
            let text = |key: &str| it[key].as_str().unwrap();
            let count = |key: &str| it[key].as_u64().unwrap();
            let (old, new, at) = (text("before"), text("after"), text("at"));
            (text("field"), old, new, at, count("resources"), count("references"))
        })
        .collect();
    assert_eq!(
        rows,
        [
            ("namePrefix", "one-", "two-", "two/kustomization.yaml:1", 4, 2),
            ("namespace", "one", "two", "two/kustomization.yaml:2", 4, 1),
        ]
    );
    assert_eq!(found["renames"][0]["wasAt"], "one/kustomization.yaml:1");
    // The renamed subject is one element with another name, and no removal.
    let causes = causes(&found);
    assert!(causes.iter().any(|it| it.0 == "subjects[two-web].name"), "{causes:?}");
    let other: Vec<&(String, Vec<String>, bool)> =
        causes.iter().filter(|it| it.0 == "spec.replicas").collect();
    assert_eq!((other.len(), other[0].2), (1, true));
    for format in ["text", "markdown"] {
        let arguments = ["diff", "one", "two", "--format", format];
        let text = kzui_in(&tree.root(), &arguments).out;
        assert!(text.contains("namePrefix: one- → two-"), "{text}");
        assert!(text.contains("4 resources, 2 references"), "{text}");
        assert!(!text.contains("metadata.name"), "{text}");
        assert!(text.contains("spec.replicas"), "{text}");
    }
}

#[test]
fn resources_of_one_role_are_compared_although_their_names_differ() {
    let with = |folder: &str, name: &str, size: &str| {
        let claim = format!(
            "apiVersion: v1\nkind: PersistentVolumeClaim\nmetadata:\n  name: {name}\nspec:\n  storageClassName: {size}\n"
        );
        vec![
            (format!("{folder}/kustomization.yaml"), "resources: [claim.yaml]\n".to_owned()),
            (format!("{folder}/claim.yaml"), claim),
        ]
    };
    let files = [with("mysql", "mysql-data", "slow"), with("postgres", "pg-data", "fast")].concat();
    let files: Vec<(&str, &str)> = files.iter().map(|(path, text)| (&**path, &**text)).collect();
    let found = report(&Tree::new(&files), "mysql", "postgres");
    assert_eq!(found["targets"][0]["resources"][0]["change"], "changed");
    assert_eq!(found["renames"], Value::Null, "a name in a file is renamed by no transformer");
    let at = |line: u8| vec![format!("postgres/claim.yaml:{line}")];
    assert_eq!(
        causes(&found),
        [
            ("metadata.name".to_owned(), at(4), true),
            ("spec.storageClassName".to_owned(), at(6), true)
        ]
    );
}

#[test]
fn targets_of_two_folders_are_compared_by_their_paths_in_these_folders() {
    let kustomization = "resources: [../../base]\nreplicas: [{name: web, count: N}]\n";
    let tree = Tree::new(&[
        ("base/kustomization.yaml", "resources: [d.yaml]\n"),
        ("base/d.yaml", DEPLOYMENT),
        ("staging/web/kustomization.yaml", &kustomization.replace('N', "1")),
        ("production/web/kustomization.yaml", &kustomization.replace('N', "2")),
        ("staging/only/kustomization.yaml", "resources: [../../base]\n"),
    ]);
    git(&tree, &["init", "-q", "-b", "main"]);
    let found = report(&tree, "staging", "production");
    let states: Vec<(&str, &str)> = found["targets"]
        .as_array()
        .unwrap()
        .iter()
        .map(|it| (it["target"].as_str().unwrap(), it["state"].as_str().unwrap()))
        .collect();
    assert_eq!(states, [("only", "removed"), ("web", "differs")]);
    assert_eq!(found["targets"][0]["resources"][0]["dangers"], Value::Null);
    let help = kzui_in(&tree.root(), &["diff", "web", "production"]);
    let names = "name the folder: production/web, staging/web";
    assert!(help.status == Some(2) && help.err.contains(names), "{}", help.err);
    let causes = causes(&found);
    let at = vec!["production/web/kustomization.yaml:2".to_owned()];
    assert_eq!(causes, [("spec.replicas".to_owned(), at, true)]);
}

/// Two overlays on one base, which has an image.
fn with_base(files: &[(&str, &str)]) -> Tree {
    let base = [
        ("base/kustomization.yaml", "resources: [deployment.yaml]\n"),
        ("base/deployment.yaml", DEPLOYMENT),
    ];
    Tree::new(&[&base, files].concat())
}

#[test]
fn an_image_of_a_sibling_is_in_the_headline_and_no_danger() {
    let images = |tag: &str| {
        format!("resources: [../base]\nimages:\n- name: example.com/web\n  newTag: \"{tag}\"\n")
    };
    let tree = with_base(&[
        ("staging/kustomization.yaml", &images("1")),
        ("production/kustomization.yaml", &images("2")),
    ]);
    let found = report(&tree, "staging", "production");
    assert_eq!(found["headline"]["images"][0]["after"], "example.com/web:2");
    assert_eq!(found["headline"]["images"][0]["isMajor"], false);
    assert_eq!(found["headline"]["dangers"].as_array().unwrap().len(), 0);
    let text = kzui_in(&tree.root(), &["diff", "staging", "production"]).out;
    assert!(text.contains("images     example.com/web 1 → 2"), "{text}");
    assert!(text.contains("dangers    none") && !text.contains("warning["), "{text}");
}

#[test]
fn entries_of_a_list_are_paired_by_name() {
    let overlay =
        |generators: &str| format!("resources: [../base]\nconfigMapGenerator:\n{generators}");
    let entry = |name: &str, value: &str| format!("- name: {name}\n  literals: [k={value}]\n");
    let staging = overlay(&[entry("site", "a"), entry("payments", "a")].concat());
    let production = overlay(&[entry("payments", "b"), entry("database", "b")].concat());
    let tree = with_base(&[
        ("staging/kustomization.yaml", &staging),
        ("production/kustomization.yaml", &production),
    ]);
    let found = report(&tree, "staging", "production");
    let edits = found["edits"].as_array().unwrap();
    let sides = |edit: &Value| (edit["old"].to_string(), edit["new"].to_string());
    for edit in edits {
        let (old, new) = sides(edit);
        let other =
            ["site", "database"].iter().filter(|it| old.contains(**it) || new.contains(**it));
        assert!(other.count() < 2 && !(old.contains("site") && new.contains("payments")), "{edit}");
    }
    let found = causes(&found);
    assert!(
        found.iter().all(|(_, edits, is_verified)| edits.len() == 1 && *is_verified),
        "{found:?}"
    );
}

#[test]
fn targets_in_two_folders_are_compared_although_an_object_elsewhere_deploys_them() {
    let application = |path: &str| {
        format!(
            "apiVersion: argoproj.io/v1alpha1\nkind: Application\nmetadata:\n  name: {path}\nspec:\n  source: {{repoURL: https://example.com/r, path: {path}/web}}\n"
        )
    };
    let tree = with_base(&[
        ("argocd/staging.yaml", &application("staging")),
        ("argocd/production.yaml", &application("production")),
        ("staging/web/kustomization.yaml", "resources: [../../base]\n"),
        ("staging/old/kustomization.yaml", "resources: [../../base]\n"),
        ("production/web/kustomization.yaml", "resources: [../../base]\nnamespace: p\n"),
    ]);
    let found = report(&tree, "staging", "production");
    let states: Vec<(&str, &str)> = found["targets"]
        .as_array()
        .unwrap()
        .iter()
        .map(|it| (it["target"].as_str().unwrap(), it["state"].as_str().unwrap()))
        .collect();
    assert_eq!(states, [("old", "removed"), ("web", "differs")]);
}
