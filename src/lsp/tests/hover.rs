//! Hover: final values and the lines that override a line.

use crate::client::{Client, SHOP};

/// The text over the first `needle` in the text on disk.
fn hover(client: &mut Client, path: &str, needle: &str) -> String {
    let hover = client.request_at_text("textDocument/hover", path, needle);
    hover["contents"]["value"].as_str().unwrap_or_default().to_owned()
}

/// The text over a position, from 0.
fn hover_at(client: &mut Client, path: &str, line: usize, column: usize) -> String {
    let hover = client.request_at_position("textDocument/hover", path, line, column);
    hover["contents"]["value"].as_str().unwrap_or_default().to_owned()
}

#[test]
fn lines_show_final_values_and_entries_their_resources() {
    let in_base = [
        "overridden by dev/patch.yaml:6: final value `2`",
        "overridden by prod/kustomization.yaml:",
        "final value `5`",
        "in dev",
        "in prod",
        "not known (the build fails): bad",
    ];
    let in_patch = ["**Deployment/dev-web** `spec.replicas`", "final value `2`"];
    let bad = ("bad/kustomization.yaml", "resources:\n- ../base\n- gone.yaml\n");
    for (path, needle, expected) in [
        ("base/web.yaml", "replicas", &in_base[..]),
        ("dev/patch.yaml", "replicas", &in_patch),
        ("prod/kustomization.yaml", "shop/api", &["no match"]),
        ("dev/kustomization.yaml", "patch.yaml", &["1 resource in 1 target"]),
    ] {
        let mut client = Client::with_more_files(&[bad], path);
        let text = hover(&mut client, path, needle);
        for part in expected {
            assert!(text.contains(part), "{path}: {part} in {text}");
        }
    }
}

#[test]
fn hover_of_a_list_counts_each_resource_once() {
    let labels = "labels:\n- pairs: {a: b}\n- pairs: {c: d}\n";
    let one =
        |number| format!("---\napiVersion: v1\nkind: Service\nmetadata: {{name: s{number}}}\n");
    let many = (0..61).map(one).collect::<Vec<_>>().concat();
    let few = format!("resources:\n- ../base\n{labels}");
    let all = format!("resources:\n- many.yaml\n{labels}");
    let mut tree = SHOP.to_vec();
    tree.extend([("few/kustomization.yaml", &*few), ("all/kustomization.yaml", &*all)]);
    tree.push(("all/many.yaml", &*many));
    let mut client = Client::new(&tree);
    for (file, expected) in [
        ("few/kustomization.yaml", "2 resources in 1 target"),
        ("all/kustomization.yaml", "at least 61 resources in 1 target"),
    ] {
        client.open(file);
        let text = hover(&mut client, file, "labels");
        assert_eq!(text.lines().next(), Some(&*format!("**{expected}**")));
    }
}

#[test]
fn the_name_of_a_generator_comes_before_its_type() {
    let generator = "configMapGenerator:\n- name: made\n  literals: [a=b]\n";
    let mut client = Client::new(&[("kustomization.yaml", generator)]);
    client.open("kustomization.yaml");
    let text = hover(&mut client, "kustomization.yaml", "name");
    let first = text.lines().next().unwrap_or_default();
    assert!(first.trim_end().ends_with("`metadata.name`"), "{first}");
}

#[test]
fn hover_of_a_line_that_moved_is_kept() {
    let mut client = Client::with_shop_document("dev/patch.yaml");
    let patch = SHOP[4].1;
    client.change("dev/patch.yaml", &format!("# a comment\n{patch}"));
    let text = hover_at(&mut client, "dev/patch.yaml", 6, 3);
    assert!(text.contains("`spec.replicas`"), "{text}");
}

#[test]
fn a_value_of_a_secret_is_masked() {
    let tree = [
        ("kustomization.yaml", "resources:\n- secret.yaml\n"),
        (
            "secret.yaml",
            "apiVersion: v1\nkind: Secret\nmetadata:\n  name: s\nstringData:\n  key: correct-horse-battery\n",
        ),
    ];
    let mut client = Client::new(&tree);
    client.open("secret.yaml");
    let hover = client.request_at_text("textDocument/hover", "secret.yaml", "key:");
    assert!(hover["contents"]["value"].as_str().unwrap().contains("Secret/s"), "{hover}");
    assert!(!hover.to_string().contains("battery"), "{hover}");
}

#[test]
fn markdown_in_names_is_escaped() {
    let tree = [
        ("kustomization.yaml", "resources:\n- map.yaml\n"),
        (
            "map.yaml",
            "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: m\ndata:\n  '![x](http://a)': '`<b>`'\n",
        ),
    ];
    let mut client = Client::new(&tree);
    client.open("map.yaml");
    let text = hover(&mut client, "map.yaml", "'`<b>`'");
    assert!(text.contains("`` `<b>` ``"), "{text}");
    assert!(!text.split('`').step_by(2).any(|plain| plain.contains("![x]")), "{text}");
}

#[test]
fn a_reference_and_both_lines_of_an_image_show_the_final_value() {
    let scaler = "apiVersion: autoscaling/v2\nkind: HorizontalPodAutoscaler\nmetadata:\n  name: web\nspec:\n  scaleTargetRef:\n    apiVersion: apps/v1\n    kind: Deployment\n    name: web\n";
    let more = [
        ("scaled/scaler.yaml", scaler),
        ("scaled/kustomization.yaml", "resources: [../base, scaler.yaml]\nnamePrefix: a-\n"),
        (
            "mirror/kustomization.yaml",
            "resources: [../base]\nimages:\n- name: shop/web\n  newName: mirror/web\n  newTag: '3'\n",
        ),
    ];
    for (path, line, expected) in [
        ("scaled/scaler.yaml", 8, "final value `a-web`"),
        ("mirror/kustomization.yaml", 3, "final value `mirror/web:3`"),
        ("mirror/kustomization.yaml", 4, "final value `mirror/web:3`"),
    ] {
        let mut client = Client::with_more_files(&more, path);
        let text = hover_at(&mut client, path, line, 4);
        assert!(text.contains(expected) && !text.contains("overridden"), "{path} {line} {text}");
    }
}
