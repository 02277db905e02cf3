//! Findings of one cause, which `check` lists as one row with the places of all.

use crate::support::kzui_in;
use crate::unwanted_findings::repository;

const MAP: &str = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: map}\ndata: {a: x}\n";

/// The text of `check` without notes, and the number of its rows with this code.
fn rows(files: &[(&str, &str)], code: &str) -> (usize, String) {
    let tree = repository(files);
    let text = kzui_in(&tree.root(), &["check"]).out;
    (text.matches(&format!("[{code}]")).count(), text)
}

/// A base with one object in a namespace, and three overlays with this text.
fn three_overlays(text: &str) -> Vec<(String, String)> {
    let mut files = vec![
        ("base/kustomization.yaml".to_owned(), "resources: [map.yaml]\n".to_owned()),
        ("base/map.yaml".to_owned(), MAP.replace("name: map", "name: map, namespace: web")),
    ];
    files.extend(
        ["dev", "prod", "test"]
            .map(|name| (format!("overlays/{name}/kustomization.yaml"), text.to_owned())),
    );
    files
}

fn rows_of_overlays(text: &str, code: &str) -> (usize, String) {
    let files = three_overlays(text);
    let files: Vec<(&str, &str)> =
        files.iter().map(|(path, text)| (path.as_str(), text.as_str())).collect();
    rows(&files, code)
}

#[test]
fn one_mistake_in_sibling_overlays_is_one_row() {
    for (text, code) in [
        (
            "resources: [../../base]\nconfigMapGenerator:\n- {name: map, behavior: merge, literals: [b=y]}\n",
            "KZ061",
        ),
        ("resources: [../../base]\nimages:\n- {name: nginx, newTag: '1'}\n", "KZ120"),
        ("resources: [../../base]\nnamespace: a\nnamespace: b\n", "KZ233"),
        ("resources: [../../base]\npatches: [{path: patch.yaml}]\n", "KZ020"),
        ("resources: [../../base]\ngenerators: [../../base/map.yaml]\n", "KZ021"),
    ] {
        let (count, out) = rows_of_overlays(text, code);
        assert_eq!(count, 1, "{code}: {out}");
        assert!(out.contains("(and 2 more)"), "{code}: {out}");
        assert!(out.contains("overlays/test/kustomization.yaml:"), "{code}: {out}");
        assert!(out.contains("Found 1 error"), "{code}: {out}");
    }
}

#[test]
fn patches_of_one_file_without_match_are_one_row_but_for_near_names() {
    let patch = |name: &str| {
        format!(
            "- target: {{kind: ConfigMap, name: {name}}}\n  patch: |-\n    - {{op: add, path: /data/b, value: y}}\n"
        )
    };
    let text = format!("resources: [map.yaml]\npatches:\n{}{}", patch("kavita"), patch("immich"));
    let (count, out) = rows(&[("kustomization.yaml", &text), ("map.yaml", MAP)], "KZ101");
    assert_eq!(count, 1, "{out}");
    assert!(out.contains("the other: line 6"), "{out}");
    let text = format!("{text}{}", patch("maps"));
    let (count, out) = rows(&[("kustomization.yaml", &text), ("map.yaml", MAP)], "KZ101");
    assert_eq!(count, 2, "a similar name has a row of its own: {out}");
}

/// Flux 2.9 and later fail at a variable that is not set.
#[test]
fn one_unset_variable_in_several_targets_is_one_row() {
    let object = |name: &str| {
        format!(
            "apiVersion: kustomize.toolkit.fluxcd.io/v1\nkind: Kustomization\nmetadata: {{name: {name}, namespace: flux-system}}\nspec:\n  path: ./apps/{name}\n  postBuild: {{substitute: {{X: y}}}}\n  sourceRef: {{kind: GitRepository, name: flux-system}}\n"
        )
    };
    let map = MAP.replace("a: x", "a: '${DATABASE}'");
    let other = map.replace("name: map", "name: other");
    let (one, two) = (object("one"), object("two"));
    let files = [
        ("clusters/one.yaml", one.as_str()),
        ("clusters/two.yaml", two.as_str()),
        ("clusters/kustomization.yaml", "resources: [one.yaml, two.yaml]\n"),
        ("apps/one/kustomization.yaml", "resources: [map.yaml]\n"),
        ("apps/one/map.yaml", map.as_str()),
        ("apps/two/kustomization.yaml", "resources: [map.yaml]\n"),
        ("apps/two/map.yaml", other.as_str()),
    ];
    let (count, out) = rows(&files, "KZ054");
    assert_eq!(count, 1, "{out}");
    assert!(out.contains("apps/two/map.yaml:"), "{out}");

    let mut files = files.to_vec();
    files[2].1 = "resources: [one.yaml, two.yaml]\n";
    files[5].1 = "resources: [../../shared]\nnamespace: two\n";
    files[3].1 = "resources: [../../shared]\nnamespace: one\n";
    files.push(("shared/kustomization.yaml", "resources: [map.yaml]\n"));
    files.push(("shared/map.yaml", &other));
    let (count, out) = rows(&files, "KZ054");
    assert_eq!(count, 1, "{out}");
    assert!(!out.contains("the other"), "one line: {out}");
}
