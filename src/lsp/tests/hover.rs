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
fn a_line_of_a_base_shows_the_final_value_in_each_target() {
    let mut client = Client::with_shop_document("base/web.yaml");
    let text = hover(&mut client, "base/web.yaml", "replicas");
    assert!(text.contains("overridden by dev/patch.yaml:6: final value `2`"), "{text}");
    assert!(text.contains("overridden by prod/kustomization.yaml:"), "{text}");
    assert!(text.contains("final value `5`"), "{text}");
    assert!(text.contains("in dev") && text.contains("in prod"), "{text}");
}

#[test]
fn a_line_of_a_patch_shows_its_resource_by_its_final_name() {
    let mut client = Client::with_shop_document("dev/patch.yaml");
    let text = hover(&mut client, "dev/patch.yaml", "replicas");
    assert!(text.contains("**Deployment/dev-web** `spec.replicas`"), "{text}");
    assert!(text.contains("final value `2`"), "{text}");
}

#[test]
fn hover_of_an_entry_counts_its_resources() {
    let mut client = Client::with_shop_document("prod/kustomization.yaml");
    let text = hover(&mut client, "prod/kustomization.yaml", "shop/api");
    assert!(text.contains("no match"), "{text}");
    let mut client = Client::with_shop_document("dev/kustomization.yaml");
    let text = hover(&mut client, "dev/kustomization.yaml", "patch.yaml");
    assert!(text.contains("1 resource in 1 target"), "{text}");
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
fn a_target_that_fails_is_named_as_not_known() {
    let bad = ("bad/kustomization.yaml", "resources:\n- ../base\n- gone.yaml\n");
    let mut client = Client::with_more_files(&[bad], "base/web.yaml");
    let text = hover(&mut client, "base/web.yaml", "replicas");
    assert!(text.contains("not known (the build fails): bad"), "{text}");
}

#[test]
fn a_reference_is_not_overridden_by_its_own_line() {
    let scaler = "apiVersion: autoscaling/v2\nkind: HorizontalPodAutoscaler\nmetadata:\n  name: web\nspec:\n  scaleTargetRef:\n    apiVersion: apps/v1\n    kind: Deployment\n    name: web\n";
    let over = "resources: [../base, scaler.yaml]\nnamePrefix: a-\n";
    let more = [("scaled/scaler.yaml", scaler), ("scaled/kustomization.yaml", over)];
    let mut client = Client::with_more_files(&more, "scaled/scaler.yaml");
    let text = hover_at(&mut client, "scaled/scaler.yaml", 8, 4);
    assert!(text.contains("final value `a-web`"), "{text}");
    assert!(!text.contains("overridden"), "{text}");
}

#[test]
fn both_lines_of_an_image_show_it() {
    let images = "images:\n- name: shop/web\n  newName: mirror/web\n  newTag: '3'\n";
    let mirror = format!("resources: [../base]\n{images}");
    let path = "mirror/kustomization.yaml";
    let mut client = Client::with_more_files(&[(path, &mirror)], path);
    for line in [3, 4] {
        let text = hover_at(&mut client, path, line, 3);
        assert!(text.contains("final value `mirror/web:3`"), "{line} {text}");
    }
}
