//! Untrusted functions are pending: every command with results reports them, none as an error, and
//! only `kzui build` refuses.

use super::{Desk, STAMP, catalog, desk, script};
use crate::support::messages;

fn untrusted_desk() -> Desk {
    let files = [
        ("catalog.yaml", &*catalog("v1", STAMP)),
        ("stamp.star", &script("one")),
        ("findings.sarif", "{\"version\": \"2.1.0\", \"runs\": []}"),
    ];
    desk(&["catalog.yaml"], &files)
}

#[test]
fn pending_functions_are_reported_with_next_step() {
    let desk = untrusted_desk();
    let waits = format!(
        "{}: catalog 'catalog.yaml' {}",
        messages::OUTPUT_PENDING,
        messages::IS_NOT_TRUSTED
    );
    for arguments in [
        &["trace"][..],
        &["blame"],
        &["why", "--porcelain", "ConfigMap/c", "metadata.name"],
        &["why", "ConfigMap/other"],
        &["trace", "--resource", "ConfigMap/c"],
        &["remap", "--target", ".", "findings.sarif"],
    ] {
        let told = desk.run(arguments);
        assert!(told.err.contains(&waits), "{arguments:?}: {}", told.err);
        assert!(told.err.contains("`kzui trust add catalog.yaml`"), "{}", told.err);
        assert!(!told.err.contains("error"), "{arguments:?}: {}", told.err);
        assert!(!told.out.contains("failed"), "{arguments:?}: {}", told.out);
    }
    let order = desk.run(&["order"]);
    assert_eq!(order.status, Some(2), "{}", order.err);
    assert!(
        order.err.starts_with(&format!("{}: pending: ", messages::NOT_KNOWN_WHETHER_ORDER_MATTERS)),
        "{}",
        order.err
    );
    assert!(order.err.contains("catalog 'catalog.yaml'"), "{}", order.err);
    let known = desk.run(&["why", "--porcelain", "ConfigMap/c", "metadata.name"]);
    assert!(known.out.starts_with("cm.yaml:4:"), "{}", known.out);
    let unknown = desk.run(&["why", "ConfigMap/other"]);
    assert_eq!(unknown.status, Some(1));
    assert!(
        unknown.err.contains(&format!(
            "not known: no resource ConfigMap/other {}",
            messages::BEFORE_PENDING_STEP
        )),
        "{}",
        unknown.err
    );
    let refused = desk.run(&["build"]).refused();
    assert!(refused.starts_with("error: catalog 'catalog.yaml'"), "{refused}");
}

#[test]
fn trace_lists_pending_reason_without_error() {
    if !crate::support::has_starlark() {
        return;
    }
    let desk = untrusted_desk();
    let told = desk.run(&["trace", "--json"]);
    let report: serde_json::Value = serde_json::from_str(&told.out).unwrap();
    assert_eq!(report["ok"], false);
    assert_eq!(report["error"], serde_json::Value::Null);
    let waiting = format!("catalog 'catalog.yaml' {}", messages::IS_NOT_TRUSTED);
    assert_eq!(report["waiting"], serde_json::json!([waiting]));
    let steps = report["steps"].as_array().unwrap();
    let waits = steps.iter().find(|step| step["name"] == "Stamp").unwrap();
    assert_eq!(waits["outcome"], "waiting", "{}", told.out);
    let trusted = desk.run(&["trace", "--trusted-catalog=catalog.yaml"]);
    assert_eq!(trusted.status, Some(0), "{}", trusted.err);
    assert!(!trusted.out.contains("waiting"), "{}", trusted.out);
}

/// Catalogs of a Composition are identified by their resolved paths; messages contain paths
/// relative to the working directory nevertheless.
#[test]
fn pending_steps_contain_no_absolute_path() {
    let desk = Desk::new(&[
        ("catalog/catalog.yaml", &catalog("v1", STAMP)),
        ("catalog/stamp.star", &script("one")),
        ("app/cm.yaml", "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: c}\n"),
        (
            "app/composition.yaml",
            "apiVersion: kustomize.config.k8s.io/v1alpha1\nkind: Composition\ncatalogs: [../catalog/catalog.yaml]\ntransformers:\n\
             - {apiVersion: builtin, kind: ResourceGenerator, resources: [cm.yaml]}\n\
             - {apiVersion: team.example.com/v1, kind: Stamp, metadata: {name: s}, spec: {value: x}}\n",
        ),
    ]);
    let root = desk.tree.root().to_string_lossy().into_owned();
    for (arguments, catalog) in [
        (&["trace", "app"][..], "'catalog/catalog.yaml'"),
        (&["trace", "app", "--json"], "'../catalog/catalog.yaml'"),
    ] {
        let told = desk.run(arguments);
        let waiting = format!("catalog {catalog} {}", messages::IS_NOT_TRUSTED);
        assert!(told.out.contains(&waiting), "{}", told.out);
        assert!(
            told.err
                .contains(&format!("catalog 'catalog/catalog.yaml' {}", messages::IS_NOT_TRUSTED)),
            "{}",
            told.err
        );
        assert!(!told.out.contains(&root) && !told.err.contains(&root), "{}{}", told.out, told.err);
    }
    let order = desk.run(&["order", "app"]).err;
    let (why, help) = order.split_once('\n').unwrap();
    assert!(why.starts_with(messages::NOT_KNOWN_WHETHER_ORDER_MATTERS), "{order}");
    let waiting = format!("catalog 'catalog/catalog.yaml' {}", messages::IS_NOT_TRUSTED);
    assert!(why.ends_with(&waiting), "{order}");
    assert!(help.contains("`kzui trace app`") && help.lines().count() == 1, "{order}");
}
