//! Each danger, and harmless changes that are similar to it.

use std::sync::Arc;

use super::*;
use crate::answers::compare::differences;
use crate::engine::resource::Scopes;
use crate::engine::yaml::{Limits, SourceId, parse_documents};

fn resource(text: &str) -> Arc<Resource> {
    let parsed = parse_documents(text.as_bytes(), SourceId::NONE, Limits::default()).unwrap();
    Arc::new(Resource::new(parsed.documents[0].node.clone(), &Scopes::default()))
}

fn codes(before: &str, after: &str) -> Vec<&'static str> {
    let read = |text: &str| (!text.is_empty()).then(|| resource(text));
    let pair = Pair { before: read(before), after: read(after) };
    let changes = match (&pair.before, &pair.after) {
        (Some(one), Some(other)) => differences(&one.node, &other.node),
        _ => Vec::new(),
    };
    let changes: Vec<(FieldChange, Reason)> =
        changes.into_iter().map(|change| (change, Reason::default())).collect();
    dangers(&pair, &changes).into_iter().map(|danger| danger.code().as_str()).collect()
}

#[test]
fn what_a_deployment_cannot_take_and_what_restarts_it() {
    let deployment = |label: &str, image: &str, replicas: u32| {
        format!(
            "apiVersion: apps/v1\nkind: Deployment\nmetadata: {{name: web}}\nspec:\n  replicas: {replicas}\n  \
             selector: {{matchLabels: {{app: {label}}}}}\n  template:\n    spec:\n      containers:\n      - name: a\n        image: {image}\n"
        )
    };
    let base = deployment("web", "x:1", 1);
    assert_eq!(codes(&base, &deployment("web", "x:1", 2)), Vec::<&str>::new());
    assert_eq!(codes(&base, &deployment("other", "x:1", 1)), ["KZ310"]);
    assert_eq!(codes(&base, &deployment("web", "x:2", 1)), ["KZ330", "KZ331"]);
    assert_eq!(codes(&base, &base.replace("name: web", "name: shop")), ["KZ313"]);
}

#[test]
fn what_is_lost() {
    let namespace = "apiVersion: v1\nkind: Namespace\nmetadata: {name: a}\n";
    assert_eq!(codes(namespace, ""), ["KZ312"]);
    assert_eq!(codes("", namespace), Vec::<&str>::new());
    let claim = |size: &str| {
        format!(
            "apiVersion: v1\nkind: PersistentVolumeClaim\nmetadata: {{name: a}}\nspec:\n  resources: {{requests: {{storage: {size}}}}}\n"
        )
    };
    assert_eq!(codes(&claim("2Gi"), &claim("1Gi")), ["KZ311"]);
    assert_eq!(codes(&claim("1Gi"), &claim("2Gi")), Vec::<&str>::new());
    let set = "apiVersion: apps/v1\nkind: StatefulSet\nmetadata: {name: a}\nspec: {serviceName: a, replicas: 1}\n";
    assert_eq!(codes(set, &set.replace("serviceName: a", "serviceName: b")), ["KZ310"]);
    assert_eq!(codes(set, &set.replace("replicas: 1", "replicas: 2")), Vec::<&str>::new());
}

#[test]
fn rights_widen_only_when_nothing_granted_them_before() {
    let role = |verbs: &str| {
        format!(
            "apiVersion: rbac.authorization.k8s.io/v1\nkind: Role\nmetadata: {{name: a}}\nrules:\n- apiGroups: ['']\n  resources: [pods]\n  verbs: {verbs}\n"
        )
    };
    assert_eq!(codes(&role("[get]"), &role("[get, list]")), ["KZ320"]);
    assert_eq!(codes(&role("['*']"), &role("[get, list]")), Vec::<&str>::new());
    assert_eq!(codes(&role("[get]"), &role("['*']")), ["KZ321"]);
    assert_eq!(codes("", &role("[get]")), ["KZ320"]);
    let binding = |subject: &str| {
        format!(
            "apiVersion: rbac.authorization.k8s.io/v1\nkind: RoleBinding\nmetadata: {{name: a}}\nroleRef: {{kind: Role, name: a}}\nsubjects:\n- {{kind: User, name: {subject}}}\n"
        )
    };
    assert_eq!(codes(&binding("ada"), &binding("bob")), ["KZ320"]);
    assert_eq!(
        codes(&binding("ada"), &binding("ada").replace("Role, name: a", "Role, name: b")),
        ["KZ310"]
    );
}
