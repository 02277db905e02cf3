//! Steps say on their own screen what there is to know about them.

use crate::support::Workbench;

const WEB: &str =
    "apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: web}\nspec: {replicas: 3}\n";

/// A patch on `web` that sets its replicas.
fn replicas(name: &str, count: u8) -> String {
    format!(
        "- target: {{kind: Deployment, name: {name}}}\n  patch: |-\n    - {{op: replace, path: /spec/replicas, value: {count}}}\n"
    )
}

fn patched(patches: &[String]) -> Workbench {
    let text = format!("resources: [web.yaml]\npatches:\n{}", patches.concat());
    Workbench::of_files(&[("kustomization.yaml", text.as_str()), ("web.yaml", WEB)], "", (120, 36))
}

#[test]
fn a_step_without_effect_says_why_where_it_stands() {
    let mut bench = patched(&[replicas("wbe", 9)]);
    bench.keys("2 < )");
    let text = bench.text();
    assert!(text.contains("no effect: it matched nothing"), "{text}");
    assert!(text.contains("quick fix: \"wbe\" → \"web\""), "{text}");
    let mut bench = patched(&[replicas("web", 3)]);
    bench.keys("2 < )");
    let text = bench.text();
    assert!(text.contains("matched, changed nothing"), "{text}");
    assert!(text.contains("it comes from demo/web.yaml:4"), "{text}");
    bench.keys("9");
    assert!(bench.text().contains("0 errors  0 warnings  1 note"), "{}", bench.text());
}

#[test]
fn a_step_with_a_warning_has_a_mark_and_a_line_above_its_changes() {
    let mut bench = patched(&[replicas("web", 7), replicas("web", 8)]);
    bench.keys("2 < )");
    let text = bench.text();
    let row = text.lines().find(|line| line.contains("▶    2")).unwrap();
    assert!(row.contains('△'), "{text}");
    assert!(text.contains("△ KZ110 nothing that it wrote is left"), "{text}");
    assert!(text.contains("~ Deployment   web"), "the changes stand below it: {text}");
    bench.keys("1");
    assert!(bench.text().contains("1 changed  warned"), "{}", bench.text());
    bench.resize(80, 24);
    bench.keys("2");
    assert!(bench.text().contains("△ KZ110"), "{}", bench.text());
}

#[test]
fn what_a_layer_says_about_its_schemas_is_told_in_the_workbench() {
    let files = [
        ("kustomization.yaml", "resources: [web.yaml]\nopenapi: {path: [a.json]}\n"),
        ("a.json", "{}"),
        ("web.yaml", WEB),
    ];
    let mut bench = Workbench::of_files(&files, "", (160, 36));
    bench.keys("9");
    let text = bench.text();
    assert!(text.contains("KZ60"), "{text}");
    bench.keys("enter");
    let text = bench.text();
    assert!(text.contains("KZ606 openapi.path: kustomize cannot read a list here"), "{text}");
    let row = text.lines().find(|line| line.contains("▶    1")).unwrap();
    assert!(row.contains('△'), "{text}");
}

#[test]
fn each_label_comes_from_its_own_line() {
    let text = "resources: [web.yaml]\nlabels:\n- pairs:\n    tier: front\n    zone: a\ncommonAnnotations:\n  note: x\n";
    let files = [("kustomization.yaml", text), ("web.yaml", WEB)];
    let mut bench = Workbench::of_files(&files, "", (120, 36));
    bench.keys("4");
    let text = bench.text();
    for (line, value) in [(4, "tier: front"), (5, "zone: a"), (7, "annotations:")] {
        let row = text.lines().find(|row| row.contains(value)).unwrap();
        assert!(row.contains(&format!(" demo:{line} ")), "{text}");
    }
}
