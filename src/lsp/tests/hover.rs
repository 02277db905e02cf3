//! Hover: final values and the lines that override a line.

use serde_json::Value;

use crate::client::{Client, SHOP};

fn text(hover: &Value) -> &str {
    hover["contents"]["value"].as_str().unwrap_or_default()
}

#[test]
fn a_line_of_a_base_shows_the_final_value_in_each_target() {
    let mut client = Client::with_shop_document("base/web.yaml");
    let hover = client.request_at_text("textDocument/hover", "base/web.yaml", "replicas");
    let text = text(&hover);
    assert!(text.contains("overridden by dev/patch.yaml:6: final value `2`"), "{text}");
    assert!(text.contains("overridden by prod/kustomization.yaml:"), "{text}");
    assert!(text.contains("final value `5`"), "{text}");
    assert!(text.contains("in dev") && text.contains("in prod"), "{text}");
}

#[test]
fn a_line_of_a_patch_shows_its_resource_by_its_final_name() {
    let mut client = Client::with_shop_document("dev/patch.yaml");
    let hover = client.request_at_text("textDocument/hover", "dev/patch.yaml", "replicas");
    let text = text(&hover);
    assert!(text.contains("**Deployment/dev-web** `spec.replicas`"), "{text}");
    assert!(text.contains("final value `2`"), "{text}");
}

#[test]
fn hover_of_an_entry_counts_its_resources() {
    let mut client = Client::with_shop_document("prod/kustomization.yaml");
    let hover = client.request_at_text("textDocument/hover", "prod/kustomization.yaml", "shop/api");
    assert!(text(&hover).contains("no match"), "{}", text(&hover));
    let mut client = Client::with_shop_document("dev/kustomization.yaml");
    let hover =
        client.request_at_text("textDocument/hover", "dev/kustomization.yaml", "patch.yaml");
    assert!(text(&hover).contains("1 resource in 1 target"), "{}", text(&hover));
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
        let hover = client.request_at_text("textDocument/hover", file, "labels");
        let first = text(&hover).lines().next().unwrap_or_default();
        assert_eq!(first, format!("**{expected}**"));
    }
}

#[test]
fn the_name_of_a_generator_comes_before_its_type() {
    let generator = "configMapGenerator:\n- name: made\n  literals: [a=b]\n";
    let mut client = Client::new(&[("kustomization.yaml", generator)]);
    client.open("kustomization.yaml");
    let hover = client.request_at_text("textDocument/hover", "kustomization.yaml", "name");
    let first = text(&hover).lines().next().unwrap_or_default();
    assert!(first.trim_end().ends_with("`metadata.name`"), "{first}");
}

#[test]
fn hover_of_a_line_that_moved_is_kept() {
    let mut client = Client::with_shop_document("dev/patch.yaml");
    let patch = SHOP[4].1;
    client.change("dev/patch.yaml", &format!("# a comment\n{patch}"));
    let hover = client.request_at_position("textDocument/hover", "dev/patch.yaml", 6, 3);
    assert!(text(&hover).contains("`spec.replicas`"), "{}", text(&hover));
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
    assert!(text(&hover).contains("Secret/s"), "{}", text(&hover));
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
    let hover = client.request_at_text("textDocument/hover", "map.yaml", "'`<b>`'");
    let text = text(&hover);
    assert!(text.contains("`` `<b>` ``"), "{text}");
    assert!(!text.split('`').step_by(2).any(|plain| plain.contains("![x]")), "{text}");
}

#[test]
fn a_target_that_fails_is_named_as_not_known() {
    let mut tree = SHOP.to_vec();
    tree.push(("bad/kustomization.yaml", "resources:\n- ../base\n- gone.yaml\n"));
    let mut client = Client::new(&tree);
    client.open("base/web.yaml");
    let hover = client.request_at_text("textDocument/hover", "base/web.yaml", "replicas");
    assert!(text(&hover).contains("not known (the build fails): bad"), "{}", text(&hover));
}

#[test]
fn a_reference_is_not_overridden_by_its_own_line() {
    let mut tree = SHOP.to_vec();
    let scaler = "apiVersion: autoscaling/v2\nkind: HorizontalPodAutoscaler\nmetadata:\n  name: web\nspec:\n  scaleTargetRef:\n    apiVersion: apps/v1\n    kind: Deployment\n    name: web\n";
    tree.push(("scaled/scaler.yaml", scaler));
    let over = "resources: [../base, scaler.yaml]\nnamePrefix: a-\n";
    tree.push(("scaled/kustomization.yaml", over));
    let mut client = Client::new(&tree);
    client.open("scaled/scaler.yaml");
    let hover = client.request_at_position("textDocument/hover", "scaled/scaler.yaml", 8, 4);
    let text = text(&hover);
    assert!(text.contains("final value `a-web`"), "{text}");
    assert!(!text.contains("overridden"), "{text}");
}

#[test]
fn both_lines_of_an_image_show_it() {
    let mut tree = SHOP.to_vec();
    let images = "images:\n- name: shop/web\n  newName: mirror/web\n  newTag: '3'\n";
    let mirror = format!("resources: [../base]\n{images}");
    tree.push(("mirror/kustomization.yaml", &mirror));
    let mut client = Client::new(&tree);
    client.open("mirror/kustomization.yaml");
    for line in [3, 4] {
        let hover =
            client.request_at_position("textDocument/hover", "mirror/kustomization.yaml", line, 3);
        assert!(text(&hover).contains("final value `mirror/web:3`"), "{line} {hover}");
    }
}
