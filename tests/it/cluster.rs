//! `kzui diff --live`: a build compared with the objects of a cluster, which a stand-in for kubectl
//! replays.

use std::os::unix::fs::PermissionsExt;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde_json::{Value, json};

use crate::compare::{DEPLOYMENT, git};
use crate::support::{Answer, Tree, messages, program_with_bin};

/// Writes its arguments to `calls`, and prints the recorded answer for the whole build or for the
/// object of its input. An answer `NAME.error` is a message, with status 1.
const KUBECTL: &str = r#"#!/bin/sh
here=$(dirname "$(realpath "$0")")
echo "$*" >>"$here/calls"
case "$1 $2" in
"get --raw") test ! -f "$here/version.error" || { cat "$here/version.error" >&2; exit 1; }; echo '{}'; exit ;;
esac
input=$(cat)
name=all
test "$(echo "$input" | grep -c '^kind:')" != 1 || name=$(echo "$input" | sed -n 's/^kind: *//p')
answer="$here/$1-$name"
test -f "$answer.json" -o -f "$answer.error" || answer="$here/$1-all"
if test -f "$answer.error"; then cat "$answer.error" >&2; exit 1; fi
cat "$answer.json"
"#;

const OLD_PASSWORD: &str = "canary-of-the-cluster";
const NEW_PASSWORD: &str = "canary-of-the-build";

fn tree() -> Tree {
    let secret = format!(
        "apiVersion: v1\nkind: Secret\nmetadata:\n  name: login\nstringData:\n  password: {NEW_PASSWORD}\n"
    );
    let tree = Tree::new(&[
        ("base/kustomization.yaml", "resources:\n- deployment.yaml\n- secret.yaml\n"),
        ("base/deployment.yaml", &DEPLOYMENT.replace("replicas: 1", "replicas: 2")),
        ("base/secret.yaml", &secret),
        (
            "prod/kustomization.yaml",
            "resources:\n- ../base\n- settings.yaml\nimages:\n- name: example.com/web\n  newTag: \"7\"\n",
        ),
        (
            "prod/settings.yaml",
            "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: settings\ndata:\n  mode: fast\n",
        ),
        ("bin/kubectl", KUBECTL),
    ]);
    fs_err::set_permissions(tree.path("bin/kubectl"), PermissionsExt::from_mode(0o755)).unwrap();
    // Locations are shown relative to the repository.
    git(&tree, &["init", "-q"]);
    tree
}

/// What the API server adds to a deployed object.
fn deployed(object: Value, managed: Value) -> Value {
    let mut object = object;
    object["metadata"]["namespace"] = "default".into();
    object["metadata"]["uid"] = "9c1f5a0e-6d5c-4b7e-8a86-0d4a8a3c1b11".into();
    object["metadata"]["resourceVersion"] = "41".into();
    object["metadata"]["creationTimestamp"] = "2026-08-01T10:00:00Z".into();
    object["metadata"]["managedFields"] = managed;
    object
}

/// The Deployment with the server's defaults.
fn deployment(image: &str, replicas: u32) -> Value {
    json!({
        "apiVersion": "apps/v1", "kind": "Deployment",
        "metadata": {"name": "web", "generation": replicas},
        "spec": {
            "progressDeadlineSeconds": 600, "replicas": replicas, "revisionHistoryLimit": 10,
            "selector": {"matchLabels": {"app": "web"}},
            "template": {
                "metadata": {"creationTimestamp": null, "labels": {"app": "web"}},
                "spec": {
                    "containers": [{
                        "env": [{"name": "DEBUG", "value": "yes"}],
                        "image": image, "imagePullPolicy": "IfNotPresent", "name": "web",
                    }],
                    "dnsPolicy": "ClusterFirst",
                },
            },
        },
        "status": {"replicas": replicas},
    })
}

fn owner(manager: &str, operation: &str, fields: Value) -> Value {
    json!({
        "manager": manager, "operation": operation, "apiVersion": "apps/v1", "fieldsType": "FieldsV1",
        "fieldsV1": fields, "time": "2026-08-01T10:00:00Z",
    })
}

fn deployment_owners() -> Value {
    let container = |fields: Value| json!({"f:spec": {"f:template": {"f:spec": {"f:containers": {"k:{\"name\":\"web\"}": fields}}}}});
    let mut scale =
        owner("kube-controller-manager", "Update", json!({"f:spec": {"f:replicas": {}}}));
    scale["subresource"] = "scale".into();
    let mut own = container(json!({".": {}, "f:image": {}, "f:name": {}}));
    own["f:spec"]["f:selector"] = json!({});
    own["f:spec"]["f:template"]["f:metadata"] = json!({"f:labels": {"f:app": {}}});
    let env = json!({"f:env": {".": {}, "k:{\"name\":\"DEBUG\"}": {".": {}, "f:name": {}, "f:value": {}}}});
    json!([owner("kubectl", "Apply", own), scale, owner("kubectl-edit", "Update", container(env)),])
}

fn secret(password: &str) -> Value {
    json!({
        "apiVersion": "v1", "kind": "Secret", "metadata": {"name": "login"}, "type": "Opaque",
        "data": {"password": STANDARD.encode(password)},
    })
}

fn settings() -> Value {
    json!({"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "settings"}, "data": {"mode": "fast"}})
}

fn list(items: &[Value]) -> String {
    json!({"apiVersion": "v1", "kind": "List", "items": items, "metadata": {"resourceVersion": ""}})
        .to_string()
}

/// The cluster has an older image and password, five replicas by an autoscaler, and no `ConfigMap`.
fn record(tree: &Tree) {
    let secret_owners =
        json!([owner("kubectl", "Apply", json!({"f:stringData": {"f:password": {}}}))]);
    let found = [
        deployed(deployment("example.com/web:1", 5), deployment_owners()),
        deployed(secret(OLD_PASSWORD), secret_owners),
    ];
    let tried = [
        deployed(deployment("example.com/web:7", 2), json!([])),
        deployed(secret(NEW_PASSWORD), json!([])),
        deployed(settings(), json!([])),
    ];
    tree.write("bin/get-all.json", &list(&found));
    tree.write("bin/apply-all.json", &list(&tried));
}

fn diff(tree: &Tree, flags: &[&str]) -> Answer {
    let mut command = program_with_bin(&tree.root());
    command.current_dir(tree.root()).args(["diff", "prod", "--live"]).args(flags);
    Answer::of(&command.output().unwrap())
}

fn report(tree: &Tree, status: i32) -> Value {
    let answer = diff(tree, &["--format", "json"]);
    assert_eq!(answer.status, Some(status), "{} {}", answer.err, answer.out);
    serde_json::from_str(&answer.out).unwrap()
}

/// The fields that differ, each with its location.
fn fields(report: &Value) -> Vec<String> {
    let resources = report["targets"][0]["resources"].as_array().unwrap().iter();
    let field = |resource: &Value, field: &Value| {
        let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
        let words = [&resource["kind"], &resource["change"], &field["path"], &field["at"]];
        words.map(text).join(" ")
    };
    let each =
        resources.flat_map(|it| it["fields"].as_array().unwrap().iter().map(move |of| (it, of)));
    each.map(|(resource, of)| field(resource, of)).collect()
}

#[test]
fn cluster_differs_at_the_lines_of_the_build() {
    let tree = tree();
    record(&tree);
    let report = report(&tree, 1);
    let expected = [
        "ConfigMap added  prod/settings.yaml:1",
        "Deployment changed spec.template.spec.containers[web].image prod/kustomization.yaml:6",
        "Secret changed data.password base/secret.yaml:6",
    ];
    let mut found = fields(&report);
    found.sort();
    assert_eq!(found, expected, "defaults and status are no differences");
    assert_eq!(report["targets"][0]["resources"][0]["fields"][0]["noEdit"], "cluster");
    let drift = report["cluster"]["drift"].as_array().unwrap().iter();
    let drift: Vec<Value> = drift
        .map(|it| json!([it["path"], it["managers"][0], it["cluster"], it["build"], it["at"]]))
        .collect();
    let env = "spec.template.spec.containers[web].env[DEBUG]";
    let expected = json!([
        ["spec.replicas", "kube-controller-manager", "5", "2", "base/deployment.yaml:6"],
        [format!("{env}.name"), "kubectl-edit", "DEBUG", null, null],
        [format!("{env}.value"), "kubectl-edit", "yes", null, null],
    ]);
    assert_eq!(json!(drift), expected);
    let calls = String::from_utf8(tree.read("bin/calls")).unwrap();
    assert_eq!(calls.lines().count(), 3, "{calls}");
    for call in calls.lines().filter(|call| !call.starts_with("get ")) {
        assert!(call.starts_with("apply --server-side --dry-run=server "), "{call}");
        assert!(call.contains("--field-manager=kubectl "), "{call}");
    }
    let text = diff(&tree, &[]).out;
    assert!(text.contains("Deployment/web: spec.replicas: 5 by kube-controller-manager"), "{text}");
}

#[test]
fn drift_of_other_managers_alone_is_no_difference() {
    let tree = tree();
    record(&tree);
    let found = [
        deployed(deployment("example.com/web:7", 5), deployment_owners()),
        deployed(secret(NEW_PASSWORD), json!([])),
        deployed(settings(), json!([])),
    ];
    tree.write("bin/get-all.json", &list(&found));
    let same = report(&tree, 0);
    assert_eq!(same["cluster"]["drift"].as_array().unwrap().len(), 3);
    // With the autoscaler as the manager of the build, its field is the build's.
    let own = diff(&tree, &["--field-manager", "kube-controller-manager", "--format", "short"]);
    assert_eq!(own.status, Some(1), "{}", own.err);
    assert!(own.out.contains("spec.replicas"), "{}", own.out);
    assert!(own.out.contains("\tbase/deployment.yaml:6"), "{}", own.out);
}

/// Which fields an apply sets back is known only for a manager that deploys objects.
#[test]
fn objects_of_unknown_managers_are_not_called_the_same() {
    let tree = tree();
    record(&tree);
    let of_helm = json!([owner("helm", "Update", json!({"f:data": {"f:mode": {}}}))]);
    let mut old = settings();
    old["data"]["mode"] = "slow".into();
    let found = [
        deployed(deployment("example.com/web:7", 5), deployment_owners()),
        deployed(secret(NEW_PASSWORD), json!([])),
        deployed(old, of_helm),
    ];
    tree.write("bin/get-all.json", &list(&found));
    let told = report(&tree, 1);
    assert!(fields(&told).iter().any(|it| it.contains("data.mode")), "{told}");
    // A manager that the user names and that owns no field of an object does not deploy it.
    let named = diff(&tree, &["--field-manager", "nobody"]);
    assert_eq!(named.status, Some(3), "{}{}", named.out, named.err);
    assert!(named.out.contains("helm"), "{}", named.out);
}

#[test]
fn fields_of_an_earlier_apply_on_the_client_are_removed() {
    let tree = tree();
    record(&tree);
    let applied = json!({"data": {"mode": "fast", "gone": "1"}, "kind": "ConfigMap"}).to_string();
    let mut found = settings();
    found["data"]["gone"] = "1".into();
    found["data"]["other"] = "2".into();
    found["metadata"]["annotations"] =
        json!({"kubectl.kubernetes.io/last-applied-configuration": applied});
    let managed = json!([
        owner(
            "kubectl-client-side-apply",
            "Update",
            json!({"f:data": {"f:mode": {}, "f:gone": {}}})
        ),
        owner("dashboard", "Update", json!({"f:data": {"f:other": {}}})),
    ]);
    let both = deployed(found, managed);
    tree.write("bin/get-all.json", &list(std::slice::from_ref(&both)));
    tree.write("bin/apply-all.json", &list(&[both]));
    let report = report(&tree, 1);
    assert!(fields(&report).contains(&"ConfigMap changed data.gone ".to_owned()), "{report}");
    let drift = &report["cluster"]["drift"];
    assert_eq!(drift.as_array().unwrap().len(), 1, "{drift}");
    assert_eq!(
        (&drift[0]["path"], &drift[0]["managers"][0]),
        (&"data.other".into(), &"dashboard".into())
    );
}

#[test]
fn refused_objects_name_the_immutable_field_with_its_line() {
    let tree = tree();
    record(&tree);
    let mut found = deployment("example.com/web:7", 2);
    found["spec"]["selector"]["matchLabels"]["app"] = "other".into();
    let found = [
        deployed(found, json!([])),
        deployed(secret(NEW_PASSWORD), json!([])),
        deployed(settings(), json!([])),
    ];
    tree.write("bin/get-all.json", &list(&found));
    tree.write("bin/apply-all.error", "one object is refused");
    tree.write("bin/apply-Secret.json", &deployed(secret(NEW_PASSWORD), json!([])).to_string());
    tree.write("bin/apply-ConfigMap.json", &deployed(settings(), json!([])).to_string());
    let message = format!(
        "The Deployment \"web\" is invalid: spec.selector: Invalid value: {{\"{NEW_PASSWORD}\"}}: field is immutable"
    );
    tree.write("bin/apply-Deployment.error", &message);
    let report = report(&tree, 1);
    let refusal = &report["cluster"]["refusals"][0];
    assert_eq!(refusal["resource"], "Deployment/web");
    let field = json!({
        "path": "spec.selector", "immutable": true, "differs": true, "at": "base/deployment.yaml:9",
    });
    assert_eq!(refusal["fields"], json!([field]));
    let text = diff(&tree, &[]).out;
    assert!(text.contains("immutable: spec.selector  base/deployment.yaml:9"), "{text}");
    assert!(!text.contains(NEW_PASSWORD), "{text}");
    // Another refusal leaves the object not known.
    tree.write(
        "bin/apply-Deployment.error",
        "Error from server (Forbidden): deployments.apps \"web\" is forbidden",
    );
    let report = self::report(&tree, 3);
    assert_eq!(report["targets"][0]["state"], "notKnown");
}

#[test]
fn unreachable_clusters_and_pending_builds_are_reported() {
    let tree = tree();
    let refused = "The connection to the server localhost:8080 was refused";
    tree.write("bin/version.error", refused);
    let answer = diff(&tree, &["--context", "a"]);
    assert_eq!((answer.status, answer.out.as_str()), (Some(2), ""));
    assert!(answer.err.contains(refused), "{}", answer.err);
    let calls = String::from_utf8(tree.read("bin/calls")).unwrap();
    assert!(calls.trim().ends_with("--context=a") && calls.lines().count() == 1, "{calls}");
    tree.write("prod/kustomization.yaml", "resources:\n- ../base\n- https://localhost:1/x.yaml\n");
    let answer = diff(&tree, &[]);
    assert_eq!(answer.status, Some(3), "{}", answer.err);
    assert!(answer.out.contains("https://localhost:1/x.yaml"), "{}", answer.out);
    assert_eq!(tree.read("bin/calls"), calls.into_bytes(), "the cluster is not asked");
    fs_err::remove_file(tree.path("bin/kubectl")).unwrap();
    tree.write("prod/kustomization.yaml", "resources: [../base]\n");
    let mut command = program_with_bin(&tree.root());
    command.env("PATH", tree.path("bin")).current_dir(tree.root()).args(["diff", "prod", "--live"]);
    let answer = Answer::of(&command.output().unwrap());
    assert_eq!(answer.status, Some(2));
    assert!(answer.err.contains(messages::KUBECTL_NOT_FOUND), "{}", answer.err);
}

#[test]
fn no_format_shows_a_secret_of_the_cluster() {
    let tree = tree();
    record(&tree);
    for format in ["text", "short", "json", "markdown", "html", "sarif"] {
        let answer = diff(&tree, &["--format", format, "--all"]);
        assert_eq!(answer.status, Some(1), "{}", answer.err);
        for password in [OLD_PASSWORD, NEW_PASSWORD] {
            for form in [password.to_owned(), STANDARD.encode(password)] {
                assert!(!(answer.out.clone() + &answer.err).contains(&form), "{format}");
            }
        }
    }
}
