//! Whole transformers against what Kustomize prints for the same input.

use indexmap::IndexMap;

use crate::engine::manifest::{
    Image, Label, Replica, RoleBindingSubjects, SortOptions, TransformerConfig, Var,
};
use crate::engine::yaml::Mark;

use super::trial::Trial;
use super::*;

fn specs() -> TransformerConfig {
    TransformerConfig::default_specs()
}

fn map(pairs: &[(&str, &str)]) -> IndexMap<String, String> {
    pairs.iter().map(|(key, value)| ((*key).to_owned(), (*value).to_owned())).collect()
}

fn namespace(name: &str) -> NamespaceTransformer {
    NamespaceTransformer::new(name, specs().namespace, false, RoleBindingSubjects::DefaultOnly)
}

#[test]
fn namespaces_are_set_by_scope() {
    let mut trial = Trial::of(
        r#"apiVersion: v1
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
"#,
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
    let mut trial = Trial::of(
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
    trial.run(&PrefixTransformer::new("1", specs().name_prefix)).unwrap();
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
fn labels_reach_selectors() {
    let mut trial = Trial::of(
        r#"apiVersion: apps/v1
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
"#,
    );
    let label = Label { include_selectors: true, ..Label::default() };
    let (fields, _) = label_specs(&label, &specs(), Mark::default()).unwrap();
    trial.run(&LabelTransformer::new(map(&[("b", "1"), ("a", "yes")]), fields)).unwrap();
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
    let mut trial = Trial::of(
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
    for image in [
        Image { name: "app".into(), tag_suffix: "-x".into(), ..Image::default() },
        Image { name: "nginx".into(), new_name: "123".into(), ..Image::default() },
        Image { name: "a|b".into(), new_tag: "alt".into(), ..Image::default() },
    ] {
        trial.run(&ImageTagTransformer::new(image, specs().images)).unwrap();
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

#[test]
fn the_legacy_order() {
    let mut trial = Trial::of(
        r#"apiVersion: v1
kind: Zed
metadata: {name: u}
---
apiVersion: v1
kind: Zed
metadata: {name: a, namespace: zz}
---
apiVersion: v1
kind: Zed
metadata: {name: a, namespace: aa}
---
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingWebhookConfiguration
metadata: {name: w}
---
apiVersion: apps/v1
kind: Abc
metadata: {name: x}
---
apiVersion: v1
kind: Abc
metadata: {name: x}
---
apiVersion: x.io/v1
kind: Namespace
metadata: {name: n}
---
apiVersion: v1
kind: Namespace
metadata: {name: n}
---
apiVersion: v1
kind: ConfigMap
metadata: {name: c}
"#,
    );
    trial.run(&SortOrderTransformer::legacy()).unwrap();
    assert_eq!(
        trial.text(),
        r#"apiVersion: v1
kind: Namespace
metadata:
  name: "n"
---
apiVersion: x.io/v1
kind: Namespace
metadata:
  name: "n"
---
apiVersion: v1
kind: ConfigMap
metadata:
  name: c
---
apiVersion: apps/v1
kind: Abc
metadata:
  name: x
---
apiVersion: v1
kind: Abc
metadata:
  name: x
---
apiVersion: v1
kind: Zed
metadata:
  name: a
  namespace: aa
---
apiVersion: v1
kind: Zed
metadata:
  name: a
  namespace: zz
---
apiVersion: v1
kind: Zed
metadata:
  name: u
---
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingWebhookConfiguration
metadata:
  name: w
"#
    );
}

#[test]
fn vars_are_replaced_at_the_root() {
    let mut trial = Trial::of(
        r#"apiVersion: v1
kind: Service
metadata: {name: s}
spec: {ports: [{port: 8080}]}
---
apiVersion: v1
kind: Pod
metadata: {name: p, annotations: {a: "$(NAME):$(PORT) $$(X)"}}
spec: {containers: [{env: [{value: $(PORT)}], args: ["$(NAME)", "$(NOPE)"]}]}
"#,
    );
    trial.run(&PrefixTransformer::new("p-", specs().name_prefix)).unwrap();
    let var = |name: &str, path: &str| {
        let mut var = Var { name: name.into(), field_path: path.into(), ..Var::default() };
        (var.objref.api_version, var.objref.kind, var.objref.name) =
            ("v1".into(), "Service".into(), "s".into());
        (var, Mark::default())
    };
    let mut vars = VarSet::default();
    vars.record(&[var("PORT", "spec.ports[0].port"), var("NAME", "")], &trial.resources).unwrap();
    assert!(vars.clone().merge(vars.clone()).is_err());
    trial.run(&ReplaceVars::new(vars, specs().var_reference)).unwrap();
    assert_eq!(
        trial.text(),
        r#"apiVersion: v1
kind: Service
metadata:
  name: p-s
spec:
  ports:
  - port: 8080
---
apiVersion: v1
kind: Pod
metadata:
  annotations:
    a: p-s:8080 $(X)
  name: p-p
spec:
  containers:
  - args:
    - p-s
    - $(NOPE)
    env:
    - value: 8080
"#
    );
    assert_eq!(trial.codes(), ["KZ116"]);
}

#[test]
fn annotations_end_as_strings() {
    let mut trial = Trial::of(
        r#"apiVersion: v1
kind: Foo
metadata: {name: a, annotations: {z: true, d: 2020-01-01, n: null, m: {x: y}, internal.config.kubernetes.io/index: "3", config.kubernetes.io/origin: me}}
---
apiVersion: v1
kind: Foo
metadata: {name: b, annotations: {}}
---
apiVersion: v1
kind: Foo
metadata: {name: c, annotations: {config.kubernetes.io/local-config: "no"}}
"#,
    );
    trial.run(&DropLocalConfig).unwrap();
    trial.run(&FinalAnnotations::default()).unwrap();
    assert_eq!(
        trial.text(),
        r#"apiVersion: v1
kind: Foo
metadata:
  annotations:
    d: "2020-01-01"
    m: ""
    "n": "null"
    z: "true"
  name: a
---
apiVersion: v1
kind: Foo
metadata:
  name: b
"#
    );
}

#[test]
fn replicas_keep_their_quotes_and_must_hit_something() {
    let text =
        "apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: d}\nspec: {replicas: '3'}\n";
    let count = |name: &str| {
        ReplicaCountTransformer::new(Replica { name: name.into(), count: 5 }, specs().replicas)
    };
    let mut trial = Trial::of(text);
    assert!(trial.run(&count("d")).unwrap().text().contains("replicas: \"5\"\n"));
    let error = trial.run(&count("x")).err().unwrap().to_string();
    assert_eq!(
        error,
        "resource with name x does not match a config with the following GVK \
         [Deployment.[noVer].[noGrp] StatefulSet.[noVer].[noGrp] ReplicaSet.[noVer].[noGrp] \
         ReplicationController.[noVer].[noGrp]]"
    );
}

#[test]
fn two_resources_may_not_meet_in_a_namespace() {
    let mut trial = Trial::of(
        "{apiVersion: v1, kind: ConfigMap, metadata: {name: a, namespace: x}}\n---\n\
         {apiVersion: v1, kind: ConfigMap, metadata: {name: a, namespace: y}}\n",
    );
    let error = trial.run(&namespace("foo")).err().unwrap().to_string();
    assert!(error.starts_with("namespace transformation produces ID conflict: ["), "{error}");
}

#[test]
fn the_sort_options_are_checked() {
    let options = SortOptions::default();
    let error = SortOrderTransformer::from_options(&options, Mark::default()).unwrap_err();
    assert_eq!(error.to_string(), "the field 'sortOptions.order' must be one of [fifo, legacy]");
}

#[test]
fn a_setter_on_the_wrong_kind_says_where() {
    let text =
        "{apiVersion: v1, kind: Pod, metadata: {name: p}, spec: {l: [{a: c}, b], m: null}}\n";
    let fail = |path: &str| {
        let fields = vec![crate::engine::manifest::FieldSpec {
            path: path.into(),
            create: true,
            ..Default::default()
        }];
        let label = LabelTransformer::new(map(&[("a", "b")]), fields);
        let mut trial = Trial::of(text);
        trial.run(&label).map(|trial| trial.text()).map_err(|error| error.to_string())
    };
    assert_eq!(
        fail("spec/l").unwrap_err(),
        "considering field 'spec/l' of object Pod.v1.[noGrp]/p.[noNs]: wrong node kind: expected \
         MappingNode but got SequenceNode: node contents:\n[{a: c}, b]"
    );
    assert_eq!(
        fail("spec/l//m").unwrap_err(),
        "considering field 'spec/l//m' of object Pod.v1.[noGrp]/p.[noNs]: visit traversal on path: \
         [ m]: cannot set or create an empty field name"
    );
    assert!(fail("spec/m/x\\/y[]").unwrap().contains("m: {}\n"));
    assert!(fail("spec/m/x\\/y").unwrap().contains("m:\n    x/y:\n      a: b\n"));
}

#[test]
fn what_is_written_carries_the_step() {
    let mut trial = Trial::of("{apiVersion: v1, kind: Pod, metadata: {name: p, labels: {a: b}}}\n");
    let label = LabelTransformer::new(map(&[("a", "b"), ("c", "d")]), specs().template_labels);
    trial.run(&label).unwrap();
    let resource = trial.resources.iter().next().unwrap().1;
    let mark = |key: &str| resource.node.at(&["metadata", "labels", key]).unwrap().mark;
    assert_eq!(mark("c"), super::trial::STEP);
    assert_ne!(mark("a"), super::trial::STEP);
}
