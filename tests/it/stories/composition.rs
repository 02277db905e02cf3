//! KEP-2299, stories 1 and 2.

use super::{Stage, deployment};
use crate::support::messages;

pub(super) const APP: &str = "\
# app/composition.yaml
kind: Composition

transformers:
# generate resources for a Java application
- apiVersion: example.com/v1
  kind: JavaApplication
  runtime: {container: {image: docker.example.co/kustomize_transformers/java:v1.0.0}}
  metadata:
    name: my-app
  spec:
    application: team/my-app
    version: v1.0
# transform resources to inject a logger
- apiVersion: example.com/v1
  kind: Logger
  runtime: {container: {image: docker.example.co/kustomize_transformers/logger:v1.0.3}}
  metadata:
    name: logger
";

const STAGING: &str = "\
# staging/composition.yaml
kind: Composition

transformersFrom:
# import the JavaApplication and Logger transformers
- path: ../app/composition.yaml
  importMode: prepend

transformerOverrides:
# override the JavaApplication version before the function is run
- apiVersion: example.com/v1
  kind: JavaApplication
  metadata:
    name: my-app
  spec:
    version: v1.1-beta

transformers:
# transform resources from imported transformers to inject metrics
- apiVersion: example.com/v1
  kind: Prometheus
  runtime: {container: {image: docker.example.co/kustomize_transformers/prometheus:v1.0.2}}
  metadata:
    name: metrics
  spec:
    prefix: my-app-
";

/// The tree of the stories, with the fake docker.
fn stage() -> Stage {
    Stage::new(&[("app/composition.yaml", APP), ("staging/composition.yaml", STAGING)])
}

#[test]
fn story_1_a_composition_is_a_sequence_of_abstractions() {
    let stage = stage();
    let told = stage.run(&["build", "app"]).refused();
    assert!(told.contains(messages::ENABLE_ALPHA_PLUGINS_HELP), "{told}");
    assert_eq!(stage.image_runs(), Vec::<String>::new());
    let built = stage.run(&["build", "app", "--enable-alpha-plugins"]).built();
    assert_eq!(built, deployment("v1.0", "java:v1.0.0 logger:v1.0.3"));
    assert_eq!(stage.java_config(), java_config("v1.0"));
    for run in stage.image_runs() {
        assert!(run.starts_with("none --user nobody --security-opt=no-new-privileges "), "{run}");
    }
}

#[test]
fn story_2_a_composition_is_reused_and_extended() {
    let stage = stage();
    let built = stage.run(&["build", "staging", "--enable-alpha-plugins"]).built();
    assert_eq!(built, deployment("v1.1-beta", "java:v1.0.0 logger:v1.0.3 prometheus:v1.0.2"));
    assert_eq!(stage.java_config(), java_config("v1.1-beta"));
}

/// The configuration that the function gets in scenarios 33 and 63: the version of the override and
/// the other fields of the base, without `runtime`.
fn java_config(version: &str) -> String {
    format!(
        "  apiVersion: example.com/v1\n  kind: JavaApplication\n  metadata:\n    name: my-app\n    annotations:\n      config.kubernetes.io/local-config: \"true\"\n  spec:\n    application: team/my-app\n    version: {version}\n"
    )
}

/// Scenarios 61 to 64: the accepted and rejected forms of `runtime`.
#[test]
fn runtime_has_exactly_one_form() {
    let entry = |runtime: &str, annotation: &str| {
        format!(
            "transformers:\n- apiVersion: a.b/v1\n  kind: Java\n  metadata:\n    name: j\n    annotations:\n      config.kubernetes.io/function: '{annotation}'\n  runtime: {runtime}\n"
        )
    };
    let refused = |text: &str| {
        let stage = Stage::new(&[("composition.yaml", text)]);
        let told = stage.run(&["build", "--enable-alpha-plugins", "--enable-exec"]).refused();
        assert_eq!(stage.image_runs(), Vec::<String>::new());
        told
    };
    let told = refused(&entry("{container: {image: java}}", "container: {image: other}"));
    for name in ["'runtime'", "config.kubernetes.io/function"] {
        assert!(told.contains(name), "{name}: {told}");
    }
    let both = "transformers:\n- {apiVersion: a.b/v1, kind: J, runtime: {container: {image: a}, exec: {path: ./b}}}\n";
    let told = refused(both);
    assert!(told.contains("container, exec, starlark"), "{told}");
}

/// Row 20, D-A30: a function's new object may ask for the hash in its name, at any position in the
/// list.
#[test]
fn new_item_of_a_function_may_get_a_hash() {
    if !crate::support::has_starlark() {
        return;
    }
    let stage = Stage::new(&[(
        "composition.yaml",
        "transformers:\n- {apiVersion: a.b/v1, kind: M, runtime: {starlark: {path: make.star}}}\n- {kind: PrefixTransformer, prefix: p-}\n",
    )]);
    let item = "{\"apiVersion\": \"v1\", \"kind\": \"ConfigMap\", \"metadata\": {\"name\": \"made\", \"annotations\": {\"kustomize.config.k8s.io/needs-hash\": \"true\"}}, \"data\": {\"a\": \"b\"}}";
    stage.tree.write("make.star", &format!("ctx.resource_list[\"items\"].append({item})\n"));
    let built = stage.run(&["build", "--enable-alpha-plugins", "--enable-star"]).built();
    assert_eq!(
        built,
        "apiVersion: v1\ndata:\n  a: b\nkind: ConfigMap\nmetadata:\n  name: p-made-4h2mbtbbt6\n"
    );
}
