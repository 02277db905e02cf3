//! The annotations on each object in a function's input.

use super::*;

/// Origins and transformations are sent as in Kustomize: if any `buildMetadata` is set, for the
/// objects and for the configuration.
#[test]
fn build_metadata_sends_origins_and_transformations_to_functions() {
    let base = "resources: [map.yaml]\nnamePrefix: p-\ntransformers: [fn.yaml]\n";
    let sent = |metadata: &str| {
        let root = format!("resources: [base]\n{metadata}");
        let tree = [
            ("kustomization.yaml", &*root),
            ("base/kustomization.yaml", base),
            ("base/map.yaml", CONFIG_MAP),
            ("base/fn.yaml", TRANSFORMER),
            ("base/f", "#!/bin/sh\n"),
        ];
        let mut scene = Scene::new(&tree, editing_program(str::to_owned));
        let built = scene.build().unwrap();
        (scene.input(0), built)
    };
    let (silent, _) = sent("");
    assert!(!silent.contains("config.kubernetes.io/origin"), "{silent}");
    let (input, built) = sent("buildMetadata: [originAnnotations]\n");
    let item = "      alpha.config.kubernetes.io/transformations: |\n        \
                - configuredIn: base/kustomization.yaml\n          configuredBy:\n            \
                apiVersion: builtin\n            kind: PrefixTransformer\n      \
                config.kubernetes.io/origin: |\n        path: base/map.yaml\n";
    assert!(input.contains(item), "{input}");
    assert!(
        input.contains("      config.kubernetes.io/origin: |\n        path: base/fn.yaml\n"),
        "{input}"
    );
    let kept = "  annotations:\n    config.kubernetes.io/origin: |\n      path: base/map.yaml\n";
    assert!(built.contains(kept) && !built.contains("transformations"), "{built}");
    let (with_both, _) = sent("buildMetadata: [managedByLabel]\n");
    assert!(with_both.contains(item), "{with_both}");
}

/// A function's changes to the origin annotations are ignored: the build records the origin itself.
#[test]
fn function_cannot_change_the_origin_of_a_resource() {
    let tree = [(
        "kustomization.yaml",
        "resources: [map.yaml]\nbuildMetadata: [originAnnotations]\ntransformers: [fn.yaml]\n",
    )];
    let forged = editing_program(|text: &str| text.replace("path: map.yaml", "path: forged.yaml"));
    let built = Scene::new(&tree, forged).build().unwrap();
    assert!(built.contains("      path: map.yaml\n"), "{built}");
}
