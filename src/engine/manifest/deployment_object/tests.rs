use super::*;
use crate::yaml::{Limits, parse_config, print_preserving_style};

#[test]
fn helm_versions_come_from_the_application() {
    let text = "apiVersion: argoproj.io/v1alpha1\nkind: Application\nmetadata: {name: shop}\nspec:\n  source:\n    \
                path: app\n    kustomize: {kubeVersion: 1.34.0, apiVersions: [apps/v1, a.io/v1]}\n";
    let consumers = deployment_objects_in(text.as_bytes(), SourceId::NONE);
    let told: Vec<_> = consumers.iter().map(DeploymentObject::helm_versions).collect();
    assert_eq!(told, [("1.34.0".to_owned(), vec!["apps/v1".to_owned(), "a.io/v1".to_owned()])]);
}

#[test]
fn existing_label_is_replaced_only_with_force() {
    let edited = |options: &str| {
        let text = format!(
            "apiVersion: argoproj.io/v1alpha1\nkind: Application\nmetadata: {{name: web}}\nspec:\n  source:\n    \
             path: app\n    kustomize: {options}\n"
        );
        let root = parse_config(b"commonLabels: {a: b}\n", SourceId(1), Limits::default());
        let mut root = root.unwrap().unwrap();
        let around = AdditionContext { exists: &|_| true, environment: &[] };
        let object = deployment_objects_in(text.as_bytes(), SourceId(2)).remove(0);
        let result = object.add_to(&mut root, &around);
        result.map(|_| print_preserving_style(&root)).map_err(|error| error.to_string())
    };
    let error = edited("{commonLabels: {a: c}}").unwrap_err();
    assert_eq!(error, "label a already in kustomization file. Use --force to override.");
    let beside = edited("{commonLabels: {a: c}, labelWithoutSelector: true}").unwrap();
    assert_eq!(beside, "commonLabels: {a: b}\nlabels:\n- pairs:\n    a: c\n");
}

/// In YAML, `name: {{.Name}}` is a mapping: the file is a template.
#[test]
fn template_of_an_object_is_no_deployment_object() {
    let text = "apiVersion: argoproj.io/v1alpha1\nkind: Application\nmetadata: {name: {{.Name}}}\nspec:\n  source:\n    \
                path: {{.Path}}\n";
    assert!(deployment_objects_in(text.as_bytes(), SourceId::NONE).is_empty());
}
