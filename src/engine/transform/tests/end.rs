//! The steps at the end of a build.

use super::super::trial::TransformTrial;
use super::super::*;
use super::specs;
use crate::manifest::{SpecList, Var};
use crate::resource::{Gvk, ResId, ResourceOrigin};
use crate::yaml::Mark;
use std::sync::Arc;

#[test]
fn legacy_order_sorts_by_kind_then_name() {
    let mut trial = TransformTrial::from_text(
        r"apiVersion: v1
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
",
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
    let mut trial = TransformTrial::from_text(
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
    trial
        .run(&AffixTransformer::prefix("p-", specs().list(SpecList::NamePrefix).to_vec()))
        .unwrap();
    let var = |name: &str, path: &str| {
        let mut var = Var { name: name.into(), field_path: path.into(), ..Var::default() };
        (var.objref.api_version, var.objref.kind, var.objref.name) =
            ("v1".into(), "Service".into(), "s".into());
        (var, Mark::default())
    };
    let mut vars = VarSet::default();
    vars.record(&[var("PORT", "spec.ports[0].port"), var("NAME", "")], &trial.resources).unwrap();
    assert!(vars.clone().merge(vars.clone()).is_err());
    trial.run(&ReplaceVars::new(vars, specs().list(SpecList::VarReference).to_vec())).unwrap();
    assert_eq!(
        trial.text(),
        r"apiVersion: v1
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
"
    );
    assert_eq!(trial.codes(), ["KZ116"]);
}

#[test]
fn final_annotations_are_strings() {
    let mut trial = TransformTrial::from_text(
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
fn origins_are_written_if_build_metadata_requests_them() {
    let mut trial = TransformTrial::from_text("{apiVersion: v1, kind: Foo, metadata: {name: a}}\n");
    let slot = trial.resources.slots()[0];
    let by = |kind: &str| {
        Arc::new(ResourceOrigin {
            configured_in: "c/kustomization.yaml".into(),
            configured_by: Some(ResId { gvk: Gvk::new("builtin", kind), ..ResId::default() }),
            ..ResourceOrigin::default()
        })
    };
    trial.resources.update(slot, |resource| {
        resource.origin = Some(Arc::new(ResourceOrigin {
            path: "b/sub/b.yaml".into(),
            ..ResourceOrigin::default()
        }));
        resource.transformations = vec![by("AnnotationsTransformer"), by("PrefixTransformer")];
    });
    trial.run(&FinalAnnotations { origin: true, transformations: true }).unwrap();
    assert_eq!(
        trial.text(),
        "apiVersion: v1
kind: Foo
metadata:
  annotations:
    alpha.config.kubernetes.io/transformations: |
      - configuredIn: c/kustomization.yaml
        configuredBy:
          apiVersion: builtin
          kind: AnnotationsTransformer
      - configuredIn: c/kustomization.yaml
        configuredBy:
          apiVersion: builtin
          kind: PrefixTransformer
    config.kubernetes.io/origin: |
      path: b/sub/b.yaml
  name: a
"
    );
}
