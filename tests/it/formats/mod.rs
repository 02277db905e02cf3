//! The output for other programs matches the schemas in `assets/schemas`.

mod json_and_yaml;
mod two_folders;

use std::path::{Path, PathBuf};

use serde_json::Value;

use crate::support::{Tree, demo, kzui, kzui_in, messages};

/// All violations of a schema by a value. Fields that the schema does not list are violations.
fn schema_violations(schema: &Value, value: &Value) -> Vec<String> {
    let mut closed = schema.clone();
    close(&mut closed);
    let validator = jsonschema::validator_for(&closed).unwrap();
    let place = |error: &jsonschema::ValidationError<'_>| error.instance_path().to_string();
    validator.iter_errors(value).map(|it| format!("{}: {it}", place(&it))).collect()
}

/// Forbids unlisted fields in all objects of a schema.
fn close(schema: &mut Value) {
    if schema.get("properties").is_some_and(Value::is_object) {
        schema["additionalProperties"] = false.into();
    }
    match schema {
        Value::Object(fields) => fields.values_mut().for_each(close),
        Value::Array(items) => items.iter_mut().for_each(close),
        _ => {}
    }
}

fn schema_path(schema: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("assets/schemas").join(schema)
}

fn read(schema: &str) -> Value {
    serde_json::from_slice(&std::fs::read(schema_path(schema)).unwrap()).unwrap()
}

pub(crate) fn assert_matches_schema(name: &str, document: &Value) {
    let schema = read(name);
    assert_eq!(schema_violations(&schema, document), Vec::<String>::new());
}

fn json(text: &str) -> Value {
    serde_json::from_str(text).unwrap_or_else(|error| panic!("{error} in {text}"))
}

/// Every versioned document has a test of its schema.
#[test]
fn every_document_has_a_schema() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let (mut documents, mut tested) = (0, 0);
    for entry in walkdir::WalkDir::new(&folder) {
        let path = entry.unwrap().into_path();
        if path.extension().is_some_and(|extension| extension == "rs") {
            let text = std::fs::read_to_string(&path).unwrap();
            let is_version = |line: &&str| line.trim().ends_with("schema_version: u32,");
            documents += text.lines().filter(is_version).count();
            tested += text.lines().filter(|line| line.contains("assert_schema::<")).count();
        }
    }
    assert_eq!(documents, tested);
}

#[test]
fn schema_violations_are_detected() {
    let document =
        json(&kzui(&["trace".into(), demo("shop/overlays/production"), "--json".into()]).built());
    let schema = read("trace-v1.json");
    let wrong = |change: fn(&mut Value)| {
        let mut document = document.clone();
        change(&mut document);
        schema_violations(&schema, &document)
    };
    assert_eq!(wrong(|_| {}), Vec::<String>::new());
    assert_eq!(wrong(|it| it["steps"][0]["kind"] = "loaded".into()).len(), 1);
    assert_eq!(wrong(|it| it["steps"][1]["added"] = "1".into()).len(), 1);
    assert_eq!(wrong(|it| it["more"] = 1.into()).len(), 1);
    assert_eq!(wrong(|it| it["steps"][0]["at"]["line"] = Value::Null).len(), 1);
}

#[test]
fn trace_matches_its_schema_with_every_flag() {
    for target in ["shop/overlays/production", "components/overlays/dev", "platform/staging"] {
        for flags in [&["--json"][..], &["--json", "--diff", "--times"], &["--json", "--step", "1"]]
        {
            let mut arguments = vec!["trace".into(), demo(target)];
            arguments.extend(flags.iter().map(Into::into));
            assert_matches_schema("trace-v1.json", &json(&kzui(&arguments).out));
        }
    }
}

#[test]
fn source_map_matches_its_schema_without_absolute_paths() {
    for target in ["shop/overlays/production", "components/overlays/dev"] {
        let tree = Tree::of_demo(target.split('/').next().unwrap());
        let below = target.split_once('/').unwrap().1;
        kzui_in(&tree.root(), &["build", below, "--map", "a.map"]).built();
        let text = String::from_utf8(tree.read("a.map")).unwrap();
        assert!(!text.contains(&*tree.root().to_string_lossy()), "{text}");
        assert_matches_schema("source-map-v1.json", &json(&text));
    }
}

#[test]
fn why_and_blame_match_schema() {
    let target = demo("shop/overlays/production");
    for asked in [
        &["why", "Deployment/prod-storefront", "--json"][..],
        &["why", "Deployment/prod-storefront", "spec.replicas", "--json"],
        &["blame", "--json"],
        &["blame", "--json", "--commits"],
    ] {
        let answer = kzui_in(&target, asked);
        // A copy of the sources need not be a repository.
        if answer.status != Some(2) {
            assert_matches_schema(&format!("{}-v1.json", asked[0]), &json(&answer.built()));
        }
    }
}

#[test]
fn comparison_matches_its_schema() {
    let overlay = |name: &str| demo("shop/overlays").join(name);
    for (one, other) in [("development", "production"), ("staging", "production")] {
        let arguments =
            ["diff".into(), overlay(one), overlay(other), "--format".into(), "json".into()];
        let answer = kzui(&arguments);
        assert_eq!(answer.status, Some(1), "{}", answer.err);
        let report = json(&answer.out);
        assert_matches_schema("diff-v1.json", &report);
        let resources = report["targets"][0]["resources"].as_array().unwrap().iter();
        let fields = resources.flat_map(|it| it["fields"].as_array().unwrap());
        let unknown = |field: &&Value| {
            field["edits"] == Value::Array(Vec::new())
                && field["at"].is_null()
                && field["wasAt"].is_null()
        };
        assert_eq!(fields.filter(unknown).count(), 0, "every difference has a reason");
    }
}

#[test]
fn failing_trace_matches_its_schema_and_locates_the_error() {
    let tree = Tree::new(&[
        ("overlay/kustomization.yaml", "resources: [../base]\n"),
        ("base/kustomization.yaml", "resources: [a.yaml]\npatches:\n- patch: 'nonsense'\n"),
        ("base/a.yaml", "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: a\n"),
    ]);
    let answer = kzui_in(&tree.root(), &["trace", "overlay", "--json"]);
    assert_eq!(answer.status, Some(1));
    let document = json(&answer.out);
    assert_matches_schema("trace-v1.json", &document);
    assert_eq!(document["ok"], false);
    assert_eq!(document["target"], "overlay");
    assert_eq!(document["error"]["context"][0]["entry"], "../base");
    assert_eq!(document["error"]["context"][0]["directory"], "../base");
    assert_eq!(document["error"]["at"]["file"], "../base/kustomization.yaml");
    assert_eq!(document["error"]["at"]["line"], 3);
}

#[test]
fn two_machines_print_the_same_trace() {
    let files = [
        ("overlay/kustomization.yaml", "resources: [../base]\nnamePrefix: dev-\n"),
        ("base/kustomization.yaml", "resources: [a.yaml]\nnamespace: blue\n"),
        ("base/a.yaml", "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: a\n"),
    ];
    let trace = |form: &str| {
        let tree = Tree::new(&files);
        let told = kzui_in(&tree.root(), &["trace", "overlay", "--diff", form]).built();
        assert!(!told.contains(&*tree.root().to_string_lossy()), "{told}");
        told
    };
    for form in ["--json", "--yaml"] {
        assert_eq!(trace(form), trace(form));
    }
    let document = json(&trace("--json"));
    let ids: Vec<&str> = document["steps"]
        .as_array()
        .unwrap()
        .iter()
        .filter_map(|step| step["id"].as_str())
        .collect();
    assert!(ids.contains(&"../base#resources[a.yaml]"), "{ids:?}");
    assert!(ids.contains(&".#namePrefix[dev-]"), "{ids:?}");
}

#[test]
fn trace_finds_a_resource_by_each_of_its_names() {
    let files = [
        ("kustomization.yaml", "resources: [a.yaml]\nnamespace: blue\nnamePrefix: dev-\n"),
        ("a.yaml", "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: web\n"),
    ];
    let tree = Tree::new(&files);
    let of = |name: &str| kzui_in(&tree.root(), &["trace", "--resource", name]);
    let by_first = of("ConfigMap/web").built();
    assert!(by_first.contains("a.yaml") && by_first.contains("namePrefix dev-"), "{by_first}");
    assert_eq!(of("configmap/dev-web").built(), by_first);
    let slip = of("ConfigMap/wbe");
    assert_eq!(slip.status, Some(1));
    assert_eq!(slip.out, "");
    assert!(
        slip.err.contains(&format!(
            "{} `ConfigMap/wbe`; {} ConfigMap/dev-web",
            messages::NO_RESOURCE_CALLED,
            messages::SIMILAR_NAMES
        )),
        "{}",
        slip.err
    );
    let far = of("ConfigMap/something-else").err;
    assert!(far.contains("`ConfigMap/something-else`"), "{far}");
    assert!(far.contains(&format!("{} ConfigMap/dev-web", messages::SIMILAR_NAMES)), "{far}");
}

/// `trace --watch` prints each change of the field with the value before it, and its JSON matches
/// the schema.
#[test]
fn a_watched_field_is_told_with_what_was_there_before_and_holds_the_schema() {
    let files = [
        (
            "kustomization.yaml",
            "resources: [base]\nreplicas:\n- name: web\n  count: 3\nnamePrefix: a-\ncommonAnnotations: {x: z}\n",
        ),
        (
            "base/kustomization.yaml",
            "resources: [web.yaml]\npatches:\n- target: {kind: Deployment}\n  patch: '- {op: replace, path: /spec/replicas, value: 2}'\n",
        ),
        (
            "base/web.yaml",
            "apiVersion: apps/v1\nkind: Deployment\nmetadata:\n  name: web\nspec:\n  replicas: 1\n",
        ),
    ];
    let tree = Tree::new(&files);
    let watch = ["trace", "--resource", "Deployment/web", "--watch", "spec.replicas"];
    let with = |more: &[&str]| kzui_in(&tree.root(), &[&watch[..], more].concat());
    let told = with(&[]).built();
    for line in [
        "spec.replicas: (absent) → 1  base/web.yaml:6\n",
        "spec.replicas: 1 → 2  base/kustomization.yaml:4\n",
        "spec.replicas: 2 → 3  kustomization.yaml:4\n",
    ] {
        assert!(told.contains(line), "{line}\nin\n{told}");
    }
    assert!(
        !told.contains("Prefix") && !told.contains("Annotations"),
        "only what writes it: {told}"
    );
    let document = json(&with(&["--json"]).built());
    assert_matches_schema("trace-v1.json", &document);
    let writes = document["steps"].as_array().unwrap().iter();
    let writes: Vec<(&Value, &Value)> = writes
        .map(|step| {
            let write = &step["changes"][0]["write"];
            (&write["before"], &write["after"])
        })
        .collect();
    let text = Value::from;
    assert_eq!(
        writes,
        [(&Value::Null, &text("1")), (&text("1"), &text("2")), (&text("2"), &text("3"))]
    );
    let stop = with(&["--stop-at", "equals:2"]).built();
    assert!(stop.contains(": 1 → 2") && !stop.contains(": 2 → 3"), "{stop}");
    let plain = |more: &[&str]| kzui_in(&tree.root(), &[&["trace"], more].concat());
    let appears = plain(&["--resource", "Deployment/a-web", "--stop-at", "appears"]).built();
    assert_eq!(appears.lines().count(), 2, "{appears}");
    assert!(appears.contains("web.yaml"), "{appears}");
    let none = plain(&["--resource", "Deployment/a-web", "--stop-at", "gone"]);
    assert_eq!((none.status, none.err.as_str()), (Some(1), "No step matches.\n"));
    for (wrong, said) in [
        (&["--stop-at", "gone"][..], "--resource"),
        (&["--stop-at", "equals:1"], "--watch"),
        (&["--stop-at", "later"], "equals:VALUE"),
    ] {
        let answer = plain(wrong);
        assert_eq!(answer.status, Some(2));
        assert!(answer.err.contains(said), "{}", answer.err);
    }
    let problem = plain(&["--stop-at", "problem"]).built();
    assert!(problem.contains("KZ110") && problem.lines().count() == 3, "{problem}");
}
