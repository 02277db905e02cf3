//! The output of transformers, compared with that of Kustomize for the same input.

mod end;
mod rules;

use crate::manifest::{Label, Marked, Pairs, RoleBindingSubjects, SpecList, TransformerConfig};
use crate::profile::Profile;
use crate::yaml::Mark;

use super::images::{ImageEntry, ImageTagTransformer};
use super::trial::TransformTrial;
use super::*;

fn specs() -> TransformerConfig {
    TransformerConfig::default_specs()
}

fn to_pairs(pairs: &[(&str, &str)]) -> Pairs {
    let placed = |value: &str| Marked { value: value.to_owned(), mark: Mark::default() };
    pairs.iter().map(|(key, value)| ((*key).to_owned(), placed(value))).collect()
}

fn namespace(name: &str) -> NamespaceTransformer {
    NamespaceTransformer::new(
        name,
        specs().list(SpecList::Namespace).to_vec(),
        false,
        RoleBindingSubjects::DefaultOnly,
    )
}

#[test]
fn namespace_is_set_on_namespaced_objects_only() {
    let mut trial = TransformTrial::from_text(
        r"apiVersion: v1
kind: Namespace
metadata: {name: bar}
---
apiVersion: example.com/v1
kind: Namespace
metadata: {name: bar}
---
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRoleBinding
metadata: {name: crb, namespace: gone}
subjects: [{kind: User, name: default}, {kind: ServiceAccount, name: x, namespace: old}]
---
apiVersion: apiregistration.k8s.io/v1
kind: APIService
metadata: {name: as}
",
    );
    trial.run(&namespace("007")).unwrap();
    assert_eq!(
        trial.text(),
        r#"apiVersion: v1
kind: Namespace
metadata:
  name: "007"
---
apiVersion: example.com/v1
kind: Namespace
metadata:
  name: bar
  namespace: "007"
---
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRoleBinding
metadata:
  name: crb
  namespace: gone
subjects:
- kind: User
  name: default
  namespace: "007"
- kind: ServiceAccount
  name: x
  namespace: old
---
apiVersion: apiregistration.k8s.io/v1
kind: APIService
metadata:
  name: as
spec:
  service:
    namespace: "007"
"#
    );
}

#[test]
fn an_unquoted_name_can_turn_into_a_number() {
    let mut trial = TransformTrial::from_text(
        r#"apiVersion: v1
kind: ConfigMap
metadata: {name: 123}
---
apiVersion: v1
kind: ConfigMap
metadata: {name: e5}
---
apiVersion: v1
kind: ConfigMap
metadata: {name: "4"}
---
apiVersion: v1
kind: Namespace
metadata: {name: bar}
"#,
    );
    trial.run(&AffixTransformer::prefix("1", specs().list(SpecList::NamePrefix).to_vec())).unwrap();
    assert_eq!(
        trial.text(),
        r#"apiVersion: v1
kind: ConfigMap
metadata:
  name: 1123
---
apiVersion: v1
kind: ConfigMap
metadata:
  name: 100000
---
apiVersion: v1
kind: ConfigMap
metadata:
  name: "14"
---
apiVersion: v1
kind: Namespace
metadata:
  name: bar
"#
    );
    assert_eq!(trial.codes(), ["KZ112", "KZ112"]);
    assert_eq!(trial.matched, 3);
}

#[test]
fn labels_are_added_to_selectors() {
    let mut trial = TransformTrial::from_text(
        r"apiVersion: apps/v1
kind: Deployment
metadata: {name: d, labels: {a: 'x'}}
spec: null
---
apiVersion: serving.knative.dev/v1
kind: Service
metadata: {name: s}
---
apiVersion: batch/v1
kind: Job
metadata: {name: j}
spec: {selector: {}}
",
    );
    let label = Label { include_selectors: true, ..Label::default() };
    let (fields, _) = label_specs(&label, &specs(), (Profile::MASTER, Mark::default())).unwrap();
    trial.run(&PairsTransformer::new(to_pairs(&[("b", "1"), ("a", "yes")]), fields)).unwrap();
    assert_eq!(
        trial.text(),
        r#"apiVersion: apps/v1
kind: Deployment
metadata:
  labels:
    a: "yes"
    b: "1"
  name: d
spec:
  selector:
    matchLabels:
      a: "yes"
      b: "1"
  template:
    metadata:
      labels:
        a: "yes"
        b: "1"
---
apiVersion: serving.knative.dev/v1
kind: Service
metadata:
  labels:
    a: "yes"
    b: "1"
  name: s
spec:
  selector:
    a: "yes"
    b: "1"
---
apiVersion: batch/v1
kind: Job
metadata:
  labels:
    a: "yes"
    b: "1"
  name: j
spec:
  selector: {}
  template:
    metadata:
      labels:
        a: "yes"
        b: "1"
"#
    );
}

#[test]
fn images_are_matched_by_an_unescaped_expression() {
    let mut trial = TransformTrial::from_text(
        r#"apiVersion: apps/v1
kind: Deployment
metadata: {name: d}
spec:
  template:
    spec:
      containers: [{image: app:1}, {image: nginx}, {image: "nginx"}, {image: axx}, {image: foo/bb:2}]
---
apiVersion: example.com/v1
kind: Foo
metadata: {name: f}
spec: {deep: [{initContainers: [{image: "app:1@sha256:abc"}, {image: "reg:5000/app"}]}]}
---
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: c}
spec: {containers: [{image: app:1}]}
"#,
    );
    let specs = specs();
    let making = TransformerOptions {
        specs: specs.list(SpecList::Images),
        profile: crate::profile::Profile::MASTER,
    };
    for image in [
        ImageEntry { name: "app".into(), tag_suffix: "-x".into(), ..ImageEntry::default() },
        ImageEntry { name: "nginx".into(), new_name: "123".into(), ..ImageEntry::default() },
        ImageEntry { name: "a|b".into(), new_tag: "alt".into(), ..ImageEntry::default() },
    ] {
        trial.run(&ImageTagTransformer::all(std::iter::once(image), making)[0]).unwrap();
    }
    assert_eq!(
        trial.text(),
        r#"apiVersion: apps/v1
kind: Deployment
metadata:
  name: d
spec:
  template:
    spec:
      containers:
      - image: app:alt
      - image: 123
      - image: "123"
      - image: axx:alt
      - image: foo/bb:alt
---
apiVersion: example.com/v1
kind: Foo
metadata:
  name: f
spec:
  deep:
  - initContainers:
    - image: app:alt
    - image: reg:5000/app
---
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata:
  name: c
spec:
  containers:
  - image: app:1
"#
    );
    assert_eq!(trial.codes(), ["KZ111"]);
}

/// A Deployment with every third of `count` labels, and a second `k3`; the values are quoted.
fn labelled(count: usize) -> String {
    let labels: String = (0..count).step_by(3).map(|at| format!("k{at}: 'v{at}', ")).collect();
    let head = "apiVersion: apps/v1\nkind: Deployment\n";
    format!(
        "{head}metadata: {{name: d, labels: {{{labels}k3: again}}}}\nspec: {{template: {{}}}}\n"
    )
}

#[test]
fn batched_labels_equal_single_labels() {
    let label = Label { include_selectors: true, ..Label::default() };
    let (fields, _) = label_specs(&label, &specs(), (Profile::MASTER, Mark::default())).unwrap();
    let texts: Vec<_> = (0..40).map(|at| (format!("k{at:02}"), format!("v{}", at % 30))).collect();
    let pairs: Vec<(&str, &str)> = texts.iter().map(|(k, v)| (k.as_str(), v.as_str())).collect();
    let (mut at_once, mut one_by_one) =
        (TransformTrial::from_text(&labelled(60)), TransformTrial::from_text(&labelled(60)));
    at_once.run(&PairsTransformer::new(to_pairs(&pairs), fields.clone())).unwrap();
    for pair in &pairs {
        one_by_one.run(&PairsTransformer::new(to_pairs(&[*pair]), fields.clone())).unwrap();
    }
    let node = |trial: &TransformTrial| {
        let (_, resource) = trial.resources.iter().next().unwrap();
        (resource.node.clone(), resource.shared.clone())
    };
    assert_eq!(node(&at_once), node(&one_by_one));
}

/// So many labels that a linear search for each of them would take minutes.
#[test]
fn many_labels_are_set_in_linear_time() {
    let count = 30_000;
    let label = Label { include_templates: true, ..Label::default() };
    let (fields, _) = label_specs(&label, &specs(), (Profile::MASTER, Mark::default())).unwrap();
    let texts: Vec<_> = (0..count).map(|at| (format!("k{at}"), format!("w{at}"))).collect();
    let pairs: Vec<(&str, &str)> = texts.iter().map(|(k, v)| (k.as_str(), v.as_str())).collect();
    let mut trial = TransformTrial::from_text(&labelled(count));
    trial.run(&PairsTransformer::new(to_pairs(&pairs), fields.clone())).unwrap();
    trial.run(&PairsTransformer::new(to_pairs(&pairs[..1]), fields)).unwrap();
    let (_, resource) = trial.resources.iter().next().unwrap();
    for path in [&["metadata"][..], &["spec", "template", "metadata"]] {
        let labels = resource.node.at(path).and_then(|metadata| metadata.get("labels"));
        assert!(labels.unwrap().entries().len() >= count);
    }
}
