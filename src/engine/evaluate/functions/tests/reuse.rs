//! Which bases are reused in the next build, and their warnings.

use super::*;
use crate::plugin::{FunctionRun, TrustedCatalog};
use crate::resource::Resource;

fn layer_resources(evaluation: &Evaluation, layer: &str) -> Vec<Arc<Resource>> {
    let at = evaluation.trace.layers.iter().position(|it| it.path.ends_with(layer)).unwrap();
    let steps = evaluation.trace.steps.iter().filter(|step| step.layer.0 == at);
    steps.flat_map(|step| &step.changes).filter_map(|change| change.after.clone()).collect()
}

/// If the cached result of a function is dropped, only the base that calls the function is rebuilt.
#[test]
fn only_the_base_that_called_a_function_is_rebuilt() {
    let called = "resources: [map.yaml]\ntransformers: [fn.yaml]\n";
    let mut scene = Scene::new(
        &[
            ("kustomization.yaml", "resources: [plain, called]\n"),
            ("plain/kustomization.yaml", "resources: [map.yaml]\n"),
            ("plain/map.yaml", &CONFIG_MAP.replace("name: c", "name: d")),
            ("called/kustomization.yaml", called),
            ("called/map.yaml", CONFIG_MAP),
            ("called/fn.yaml", TRANSFORMER),
            ("called/f", "#!/bin/sh\n"),
        ],
        editing_program(|text| text.replace("a: b", "a: x")),
    );
    scene.options.functions.replay = true;
    let first = scene.evaluate();
    let second = scene.evaluate();
    let same = |one: &Evaluation, other: &Evaluation, layer: &str| {
        let (one, other) = (layer_resources(one, layer), layer_resources(other, layer));
        assert_eq!(one.len(), other.len());
        one.iter().zip(&other).all(|(one, other)| Arc::ptr_eq(one, other))
    };
    assert!(same(&first, &second, "/plain") && same(&first, &second, "/called"));
    let run = second.trace.steps.iter().find_map(|step| step.run.clone()).unwrap();
    assert_eq!(scene.programs_run().len(), 1);
    scene.memory.drop_run(&FunctionRun { cached: false, ..(*run).clone() });
    let third = scene.evaluate();
    assert_eq!(scene.programs_run().len(), 2);
    assert!(same(&second, &third, "/plain"), "it called nothing");
    assert!(!same(&second, &third, "/called"));
}

/// D-B9: the catalogs of a reused base still count as referenced.
#[test]
fn a_base_that_is_used_again_still_references_its_catalogs() {
    let catalog = "apiVersion: config.kubernetes.io/v1alpha1\nkind: Catalog\nspec:\n  krmFunctions:\n  - group: x\n    \
                   names: {kind: Fn}\n    versions:\n    - name: v1\n      runtime: {starlark: {path: f.star}}\n";
    let base = "catalogs: [catalog.yaml]\nresources: [map.yaml]\ntransformers: [fn.yaml]\n";
    let mut scene = Scene::new(
        &[
            ("kustomization.yaml", "resources: [base]\n"),
            ("base/kustomization.yaml", base),
            ("base/map.yaml", CONFIG_MAP),
            ("base/fn.yaml", "apiVersion: x/v1\nkind: Fn\nmetadata: {name: f}\n"),
            ("base/catalog.yaml", catalog),
            ("base/f.star", "ctx.resource_list[\"items\"][0][\"data\"][\"a\"] = \"x\"\n"),
        ],
        fake_starlark(|list| list["items"][0]["data"]["a"] = "x".into()),
    );
    scene.options.trust.flags =
        vec![TrustedCatalog::parse("base/catalog.yaml", Path::new("/w")).unwrap()];
    let first = scene.evaluate();
    assert!(first.outcome.is_ok(), "{:?}", first.outcome);
    let unused = |evaluation: &Evaluation| {
        evaluation
            .warnings
            .iter()
            .any(|warning| matches!(warning, crate::evaluate::BuildWarning::UnusedTrust(_)))
    };
    assert!(!unused(&first), "{:?}", first.warnings);
    let second = scene.evaluate();
    assert!(
        Arc::ptr_eq(&layer_resources(&first, "/base")[0], &layer_resources(&second, "/base")[0]),
        "used again"
    );
    assert!(!unused(&second), "{:?}", second.warnings);
}
