//! Columns of lists begin at one place in all rows, and texts are whole while the pane has room.

use crate::support::{Workbench, line_with};

const ARGO: &str = "apiVersion: argoproj.io/v1alpha1\nkind: Application\nmetadata: {name: shop}\nspec:\n  source: {repoURL: 'https://git.example.com/org/shop.git', path: web}\n  destination: {namespace: shop}\n";

/// An object of a kind; the namespace is empty for none.
fn object(version: &str, kind: &str, name: &str) -> String {
    format!("apiVersion: {version}\nkind: {kind}\nmetadata:\n  name: {name}\n")
}

/// The cells before a text in each line with one of these words.
fn starts(text: &str, words: &[&str]) -> Vec<usize> {
    let start = |word: &&str| {
        let line = line_with(text, word);
        line[..line.find(*word).unwrap_or_default()].chars().count()
    };
    words.iter().map(start).collect()
}

#[test]
fn names_of_resources_begin_in_one_column() {
    let objects = [
        object("v1", "Service", "first-blobstore"),
        object("v1", "PersistentVolumeClaim", "second-volume"),
        object("apps/v1", "Deployment", "third-with-a-name-that-needs-more-than-its-column"),
    ]
    .join("---\n");
    let files =
        [("app/kustomization.yaml", "resources: [all.yaml]\n"), ("app/all.yaml", &*objects)];
    let mut bench = Workbench::of_files(&files, "app", (120, 36));
    let text = bench.keys("gr tab").text();
    let list: String = text
        .lines()
        .map(|line| line.chars().skip(68).collect::<String>() + "\n")
        .skip_while(|line| !line.contains("Resources"))
        .collect();
    let places = starts(&list, &["first-", "second-", "third-"]);
    assert!(places.iter().all(|place| *place == places[0]), "{places:?} {text}");
    assert!(list.contains("needs-more-than-its-"), "{text}");
}

#[test]
fn reason_of_a_failure_is_whole_and_moves_no_number() {
    let files = [
        ("apps/of-the-shop/kustomization.yaml", "resources: [all.yaml]\n"),
        ("apps/of-the-shop/all.yaml", &*object("v1", "Service", "web")),
        (
            "apps/broken/kustomization.yaml",
            "resources:\n- ../../a-base/of-the-whole-platform/with-a-long-name/that-is-gone/for-ever\n",
        ),
    ];
    let mut bench = Workbench::of_files(&files, "", (120, 36));
    let text = bench.keys("gg").text();
    let end = |name: &str, number: &str| {
        let line = line_with(&text, name);
        line[..line.find(&format!(" {number} ")).unwrap_or_default()].chars().count()
    };
    assert_eq!(end("  broken", "−"), end("of-the-shop", "1"), "{text}");
    assert!(text.contains("with-a-long-"), "{text}");
    assert!(text.contains("does not exist"), "{text}");
}

#[test]
fn object_of_two_targets_is_named_with_its_target() {
    let files = [
        ("apps/kustomization.yaml", "resources: [shop.yaml]\n"),
        ("apps/shop.yaml", ARGO),
        ("clusters/blue/kustomization.yaml", "resources: [../../apps]\nnamePrefix: blue-\n"),
        ("clusters/green/kustomization.yaml", "resources: [../../apps]\nnamePrefix: green-\n"),
        ("web/kustomization.yaml", "resources: [web.yaml]\n"),
        ("web/web.yaml", &*object("v1", "Service", "web")),
    ];
    let mut bench = Workbench::of_files(&files, "", (200, 60));
    bench.keys("gg /").type_text("web").keys("enter j");
    let text = bench.text();
    assert!(text.contains("deployed by 2 objects"), "{text}");
    assert!(text.contains("of clusters/blue") && text.contains("of clusters/green"), "{text}");
}

#[test]
fn rows_of_one_kind_and_name_have_their_group() {
    let objects = [
        object("v1", "ServiceAccount", "runner"),
        object("talos.dev/v1", "ServiceAccount", "runner"),
    ]
    .join("---\n");
    let files =
        [("app/kustomization.yaml", "resources: [all.yaml]\n"), ("app/all.yaml", &*objects)];
    let mut bench = Workbench::of_files(&files, "app", (120, 36));
    let text = bench.keys("ge").text();
    assert!(text.contains("ServiceAccount.talos.dev"), "{text}");
    let text = bench.keys("gr").text();
    assert!(text.contains("ServiceAccount.talos.dev"), "{text}");
}

#[test]
fn reason_of_a_pending_row_of_the_tree_is_whole() {
    let files = [(
        "app/kustomization.yaml",
        "resources:\n- https://git.example.com/organisation/of-the-platform//base/with/a/long/path?ref=v1.2.3\n",
    )];
    let mut bench = Workbench::of_files(&files, "app", (120, 36));
    let text = bench.keys("ge").text();
    assert!(text.contains("?ref=v1.2.3") || text.contains("ref=v1.2.3"), "{text}");
}
