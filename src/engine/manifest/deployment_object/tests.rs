use super::argo::image;
use super::*;
use crate::yaml::{Limits, parse_config, print_preserving_style};

fn edit_kustomization(object: &str, file: &str, missing: &str) -> Result<String, String> {
    let consumer = deployment_objects_in(object.as_bytes(), SourceId(2)).remove(0);
    let root = parse_config(file.as_bytes(), SourceId(1), Limits::default()).unwrap();
    let mut root = root.unwrap_or_else(Node::mapping);
    let exists = |path: &str| path != missing;
    let around = AdditionContext { exists: &exists, environment: &[] };
    let result = consumer.add_to(&mut root, &around);
    result.map(|_| print_preserving_style(&root)).map_err(|error| error.to_string())
}

fn application(options: &str) -> String {
    format!(
        "apiVersion: argoproj.io/v1alpha1\nkind: Application\nmetadata: {{name: web}}\nspec:\n  \
         source:\n    path: app\n    kustomize: {options}\n"
    )
}

#[test]
fn helm_versions_come_from_the_application() {
    let text = "apiVersion: argoproj.io/v1alpha1\nkind: Application\nmetadata: {name: shop}\nspec:\n  source:\n    \
                path: app\n    kustomize: {kubeVersion: 1.34.0, apiVersions: [apps/v1, a.io/v1]}\n";
    let consumers = deployment_objects_in(text.as_bytes(), SourceId::NONE);
    let told: Vec<_> = consumers.iter().map(DeploymentObject::helm_versions).collect();
    assert_eq!(told, [("1.34.0".to_owned(), vec!["apps/v1".to_owned(), "a.io/v1".to_owned()])]);
}

#[test]
fn image_is_parsed_as_by_kustomize_edit() {
    let expect = |parts: [&str; 4]| Some(parts.map(str::to_owned));
    assert_eq!(image("a:v1"), expect(["a", "", "v1", ""]));
    assert_eq!(image("r.io:5000/a=b"), expect(["r.io:5000/a", "b", "", ""]));
    assert_eq!(image("a=r.io:5000/b:v2"), expect(["a", "r.io:5000/b", "v2", ""]));
    assert_eq!(image("a@sha256:1"), expect(["a", "", "", "sha256:1"]));
    assert_eq!(image("a=b@sha256:1"), expect(["a", "b", "", "sha256:1"]));
    assert_eq!(image("a=*:v2"), expect(["a", "*", "v2", ""]));
    assert_eq!(image("a"), None);
}

#[test]
fn application_options_override_the_file() {
    let file = "namePrefix: old-\nimages:\n- name: b\n  newTag: v1\n- name: c\n  newName: d\n";
    let object = application(
        "{namePrefix: new-, images: ['b=*:v2', 'a:$ARGOCD_APP_NAME'], replicas: [{name: x, count: '3'}]}",
    );
    assert_eq!(
        edit_kustomization(&object, file, "").unwrap(),
        "namePrefix: new-\nimages:\n- name: a\n  newTag: web\n- name: b\n  newTag: v2\n- name: c\n  newName: d\n\
         replicas:\n- name: x\n  count: 3\n"
    );
}

#[test]
fn existing_label_is_replaced_only_with_force() {
    let file = "commonLabels: {a: b}\n";
    let error = edit_kustomization(&application("{commonLabels: {a: c}}"), file, "").unwrap_err();
    assert_eq!(error, "label a already in kustomization file. Use --force to override.");
    let forced = application("{commonLabels: {a: c}, forceCommonLabels: true}");
    assert_eq!(edit_kustomization(&forced, file, "").unwrap(), "commonLabels: {a: c}\n");
    let beside = application("{commonLabels: {a: c}, labelWithoutSelector: true}");
    let built = edit_kustomization(&beside, file, "").unwrap();
    assert_eq!(built, "commonLabels: {a: b}\nlabels:\n- pairs:\n    a: c\n");
}

#[test]
fn missing_components_are_ignored_if_the_option_is_set() {
    let object = application("{components: [x, y], ignoreMissingComponents: true}");
    assert_eq!(
        edit_kustomization(&object, "resources: [a]\n", "y").unwrap(),
        "resources: [a]\ncomponents:\n- x\n"
    );
}

#[test]
fn flux_merges_an_image_field_by_field() {
    let object = "apiVersion: kustomize.toolkit.fluxcd.io/v1\nkind: Kustomization\nmetadata: {name: web}\nspec:\n  \
                  path: ./app\n  targetNamespace: prod\n  images: [{name: a, newTag: v2}, {name: b, newName: c}]\n";
    let file = "resources: [x]\nimages:\n- name: a\n  newName: z\n  digest: sha256:1\n";
    assert_eq!(
        edit_kustomization(object, file, "").unwrap(),
        "resources: [x]\nimages:\n- name: a\n  newName: z\n  newTag: v2\n- name: b\n  newName: c\nnamespace: prod\n"
    );
    let consumer = deployment_objects_in(object.as_bytes(), SourceId(2)).remove(0);
    assert_eq!(consumer.directory().unwrap().0, "./app");
}

/// In YAML, `name: {{.Name}}` is a mapping: the file is a template.
#[test]
fn template_of_an_object_is_no_deployment_object() {
    let text = "apiVersion: argoproj.io/v1alpha1\nkind: Application\nmetadata: {name: {{.Name}}}\nspec:\n  source:\n    \
                path: {{.Path}}\n";
    assert!(deployment_objects_in(text.as_bytes(), SourceId::NONE).is_empty());
}
