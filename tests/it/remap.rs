//! `kzui remap`: reports of linters about an output, mapped to the lines of its sources.

use serde_json::{Value, json};

use crate::support::{Answer, Tree, kzui_in, messages};

/// A base and two overlays; the first adds a container.
fn shop() -> Tree {
    let tree = Tree::new(&[
        ("base/kustomization.yaml", "resources: [web.yaml]\n"),
        (
            "base/web.yaml",
            "apiVersion: apps/v1\nkind: Deployment\nmetadata:\n  name: web\nspec:\n  template:\n    spec:\n      containers:\n      - name: app\n        image: nginx:1\n        securityContext:\n          privileged: true\n",
        ),
        (
            "dev/kustomization.yaml",
            "resources: [../base]\nnamePrefix: dev-\nnamespace: one\npatches:\n- path: side.yaml\n",
        ),
        (
            "dev/side.yaml",
            "apiVersion: apps/v1\nkind: Deployment\nmetadata:\n  name: web\nspec:\n  template:\n    spec:\n      containers:\n      - name: side\n        image: side:1\n",
        ),
        (
            "prod/kustomization.yaml",
            "resources: [../base]\nnamePrefix: prod-\nnamespace: two\nimages:\n- name: nginx\n  newTag: \"2\"\n",
        ),
    ]);
    for name in ["dev", "prod"] {
        let (output, map) = (format!("out/{name}.yaml"), format!("{name}.map"));
        tree.write(&output, "");
        kzui_in(&tree.root(), &["build", name, "-o", &output, "--map", &map]).built();
    }
    tree
}

/// The line of the output with this text.
fn line(tree: &Tree, output: &str, text: &str) -> usize {
    let told = String::from_utf8(tree.read(output)).unwrap();
    told.lines().position(|line| line.contains(text)).unwrap() + 1
}

fn run_remap(tree: &Tree, report: &Value, arguments: &[&str]) -> Answer {
    tree.write("report.json", &report.to_string());
    let all: Vec<&str> = ["remap", "report.json"].iter().chain(arguments).copied().collect();
    kzui_in(&tree.root(), &all)
}

/// The findings of a report, one line each, mapped with the maps of both overlays.
fn lines(tree: &Tree, report: &Value) -> Vec<String> {
    let answer = run_remap(tree, report, &["--map", "dev.map", "--map", "prod.map", "-o", "text"]);
    assert_eq!(answer.status, Some(0), "{}", answer.err);
    answer.out.lines().map(str::to_owned).collect()
}

#[test]
fn finding_is_mapped_to_the_line_to_edit() {
    let tree = shop();
    let result = |file: &str, text: &str| {
        let line = line(&tree, &format!("out/{file}"), text);
        let place = json!({"artifactLocation": {"uri": file}, "region": {"startLine": line}});
        json!({"ruleId": "R1", "message": {"text": "no"}, "locations": [{"physicalLocation": place}]})
    };
    let report = json!({"version": "2.1.0", "runs": [{
        "tool": {"driver": {"name": "mine", "rules": [{"id": "R1", "defaultConfiguration": {"level": "error"}}]}},
        "results": [
            result("dev.yaml", "privileged"), result("prod.yaml", "privileged"),
            result("dev.yaml", "image: side"), result("prod.yaml", "image: nginx"),
            result("prod.yaml", "securityContext"), result("dev.yaml", "name: dev-web"),
        ],
    }]});
    assert_eq!(
        lines(&tree, &report),
        [
            "base/web.yaml:12:23: error: no [R1]  Deployment/dev-web and 1 more",
            "dev/side.yaml:10:16: error: no [R1]  Deployment/dev-web",
            "prod/kustomization.yaml:6:11: error: no [R1]  Deployment/prod-web",
            "base/web.yaml:12:11: error: no [R1]  Deployment/prod-web",
            "dev/kustomization.yaml:2:13: error: no [R1]  Deployment/dev-web",
        ]
    );
}

#[test]
fn remapped_sarif_has_the_chain_and_each_target() {
    let tree = shop();
    let region = json!({"startLine": line(&tree, "out/prod.yaml", "image: nginx")});
    let of = |file: &str, region: &Value| {
        json!({
            "ruleIndex": 0, "message": {"text": "no"}, "partialFingerprints": {"lines": "x"},
            "suppressions": [{"kind": "external"}],
            "locations": [{"physicalLocation": {"artifactLocation": {"uri": file}, "region": region}}],
        })
    };
    let report = json!({"version": "2.1.0", "runs": [{
        "tool": {"driver": {"name": "mine", "version": "3", "rules": [{"id": "R1"}]}},
        "results": [of("prod.yaml", &region), of("elsewhere.yaml", &json!({"startLine": 900}))],
    }]});
    let answer =
        run_remap(&tree, &report, &["--map", "dev.map", "--map", "prod.map", "--root", "sub/"]);
    assert_eq!(answer.err, "1 of 2 findings not mapped: they keep their location in the output.\n");
    let written: Value = serde_json::from_str(&answer.out).unwrap();
    let run = &written["runs"][0];
    assert_eq!(run["tool"]["driver"]["version"], "3");
    let first = &run["results"][0];
    let place = |location: &Value| {
        let place = &location["physicalLocation"];
        let uri = place["artifactLocation"]["uri"].as_str().unwrap().to_owned();
        (uri, place["region"]["startLine"].as_u64().unwrap())
    };
    assert_eq!(place(&first["locations"][0]), ("sub/prod/kustomization.yaml".to_owned(), 6));
    assert_eq!(place(&first["relatedLocations"][0]), ("sub/base/web.yaml".to_owned(), 10));
    assert_eq!((&first["ruleId"], &first["level"]), (&json!("R1"), &json!("warning")));
    assert_eq!(first["suppressions"], json!([{"kind": "external"}]));
    assert!(first["partialFingerprints"].is_null() && first["ruleIndex"].is_null());
    assert_eq!(first["properties"]["kzui"]["targets"], json!(["prod"]));
    let last = &run["results"][1];
    assert_eq!(place(&last["locations"][0]), ("elsewhere.yaml".to_owned(), 900));
    assert_eq!(last["properties"]["kzui"]["placed"], false);
    let said = last["message"]["text"].as_str().unwrap();
    assert!(said.contains(&format!("{} elsewhere.yaml", messages::NO_MAP_DESCRIBES)), "{said}");
}

#[test]
fn report_format_is_detected_by_content() {
    let tree = shop();
    let container = |text: &str| line(&tree, "out/dev.yaml", text);
    let documents = [
        json!({"resources": [
            {"filename": "out/dev.yaml", "kind": "Deployment", "name": "dev-web", "version": "apps/v1", "status": "statusInvalid", "msg": "x",
             "validationErrors": [{"path": "/spec/template/spec/containers/1/image", "msg": "no"}]},
            {"filename": "out/dev.yaml", "kind": "Service", "name": "s", "version": "v1", "status": "statusValid", "msg": ""},
        ]}),
        json!({"Checks": [{"name": "privileged", "description": "d"}], "Reports": [{
            "Diagnostic": {"Message": "container \"app\" is privileged"}, "Check": "privileged", "Remediation": "r",
            "Object": {"Metadata": {"FilePath": "out/prod.yaml"}, "K8sObject": {
                "Namespace": "two", "Name": "prod-web", "GroupVersionKind": {"Group": "apps", "Version": "v1", "Kind": "Deployment"}}},
        }], "Summary": {}}),
        json!({"summaryDetails": {"controls": {"C-1": {"scoreFactor": 5}}}, "resources": [{
            "resourceID": "r1", "object": {"apiVersion": "apps/v1", "kind": "Deployment", "metadata": {"name": "prod-web", "namespace": "two"}},
        }], "results": [{"resourceID": "r1", "controls": [
            {"controlID": "C-1", "name": "Privileged", "status": {"status": "failed"}, "rules": [{"status": "failed", "paths": [
                {"failedPath": "spec.template.spec.containers[0].securityContext.privileged", "fixPath": {"path": "", "value": ""}}]}]},
            {"controlID": "C-2", "name": "Fine", "status": {"status": "passed"}},
        ]}]}),
        json!({"check_type": "kubernetes", "results": {"passed_checks": [], "failed_checks": [{
            "check_id": "CKV_1", "check_name": "Memory", "file_path": "/dev.yaml", "file_line_range": [1, 900],
            "resource": "Deployment.one.dev-web", "severity": null,
            "check_result": {"evaluated_keys": ["spec/template/spec/containers/[1]/resources/limits/memory"]},
        }]}}),
        json!({"SchemaVersion": 2, "Results": [{"Target": "dev.yaml", "Type": "kubernetes", "Misconfigurations": [
            {"ID": "KSV1", "Title": "t", "Message": "Container 'app' of Deployment 'dev-web' …", "Severity": "MEDIUM", "Status": "FAIL",
             "CauseMetadata": {"StartLine": container("nginx"), "EndLine": container("privileged")}},
            {"ID": "KSV2", "Status": "PASS", "CauseMetadata": {}},
        ]}]}),
        json!({"apiVersion": "wgpolicyk8s.io/v1alpha2", "kind": "ClusterPolicyReport", "results": [
            {"policy": "p", "rule": "r", "result": "fail", "message": "validation error: rule r failed at path /spec/template/spec/containers/0/image/",
             "resources": [{"apiVersion": "apps/v1", "kind": "Deployment", "name": "prod-web", "namespace": "two"}]},
            {"policy": "p", "rule": "r", "result": "pass", "resources": []},
        ]}),
        json!([{"filename": "out/dev.yaml", "namespace": "main", "successes": 1, "warnings": [
            {"msg": "m", "metadata": {"query": "data.main.warn", "_loc": {"file": "x", "line": line(&tree, "out/dev.yaml", "privileged")}}}]}]),
    ];
    let expected = [
        (
            "kubeconform",
            "base/web.yaml:10:16: error: /spec/template/spec/containers/1/image: no [invalid]  Deployment/dev-web",
        ),
        (
            "kube-linter",
            "base/web.yaml:9:9: error: container \"app\" is privileged [privileged]  Deployment/prod-web",
        ),
        ("kubescape", "base/web.yaml:12:23: warning: Privileged [C-1]  Deployment/prod-web"),
        ("checkov", "base/web.yaml:9:9: error: Memory [CKV_1]  Deployment/dev-web"),
        (
            "trivy",
            "base/web.yaml:9:9: warning: Container 'app' of Deployment 'dev-web' … [KSV1]  Deployment/dev-web",
        ),
        (
            "kyverno",
            "prod/kustomization.yaml:6:11: error: validation error: rule r failed at path /spec/template/spec/containers/0/image/ [p/r]  Deployment/prod-web",
        ),
        ("conftest", "base/web.yaml:12:23: warning: m [main.warn]  Deployment/dev-web"),
    ];
    for (document, (program, expected)) in documents.iter().zip(expected) {
        assert_eq!(lines(&tree, document), [expected], "{program}");
        let answer = run_remap(
            &tree,
            document,
            &["--map", "dev.map", "--map", "prod.map", "--format", program],
        );
        let written: Value = serde_json::from_str(&answer.out).unwrap();
        let driver = &written["runs"][0]["tool"]["driver"];
        assert_eq!(driver["name"], program);
        assert_eq!(driver["rules"].as_array().map(Vec::len), Some(1), "{program}");
    }
}

#[test]
fn remap_builds_targets_and_merges_equal_findings() {
    let tree = shop();
    let of = |name: &str, namespace: &str, number: usize| {
        let path = format!("spec/template/spec/containers/[{number}]/securityContext/privileged");
        json!({"check_type": "kubernetes", "results": {"failed_checks": [{
            "check_id": "C", "check_name": format!("{name} is privileged"), "file_path": "/stdin", "file_line_range": [1, 20],
            "resource": format!("Deployment.{namespace}.{name}"),
            "check_result": {"evaluated_keys": [path]},
        }]}})
    };
    tree.write("a.json", &format!("words before it\n{}", of("dev-web", "one", 1)));
    tree.write("b.json", &of("prod-web", "two", 0).to_string());
    let arguments =
        ["remap", "a.json", "b.json", "--target", "dev", "--target", "prod", "-o", "text"];
    let answer = kzui_in(&tree.root(), &arguments);
    assert_eq!(
        answer.out,
        "base/web.yaml:12:23: error: dev-web is privileged [C]  Deployment/dev-web and 1 more\n"
    );
}

#[test]
fn unreadable_inputs_are_refused_by_name() {
    let tree = shop();
    tree.write("report.json", "not json");
    for (arguments, words) in [
        (&["remap", "report.json", "--map", "dev.map"][..], ["report.json", "JSON"]),
        (&["remap", "dev.map", "--map", "dev.map"], ["dev.map", "SARIF"]),
        (&["remap", "report.json", "--map", "report.json"], ["report.json", "kzui build --map"]),
        (&["remap", "nowhere.json", "--map", "dev.map"], ["nowhere.json", ""]),
        (&["remap", "report.json"], ["--target <DIR>", ""]),
    ] {
        let answer = kzui_in(&tree.root(), arguments);
        assert_eq!((answer.status, answer.out.as_str()), (Some(2), ""), "{}", answer.err);
        assert!(words.iter().all(|word| answer.err.contains(word)), "{}", answer.err);
    }
}
