//! The output for other programs matches the schemas in `assets/schemas`.

mod json_and_yaml;
mod schema;
mod two_folders;

use std::path::{Path, PathBuf};

use serde_json::Value;

use crate::support::{Tree, demo, kzui, kzui_in, messages};

/// Adds all violations of a schema by a value to `out`, for the keywords in use.
fn schema_violations(schema: &Value, root: &Value, value: &Value, at: &str, out: &mut Vec<String>) {
    if let Some(name) = schema["$ref"].as_str() {
        let target = root.pointer(name.trim_start_matches('#')).expect(name);
        return schema_violations(target, root, value, at, out);
    }
    if let Some(choices) = schema["anyOf"].as_array().or(schema["oneOf"].as_array()) {
        let fits = |choice: &Value| {
            let mut wrong = Vec::new();
            schema_violations(choice, root, value, at, &mut wrong);
            wrong.is_empty()
        };
        if !choices.iter().any(fits) {
            out.push(format!("{at}: {value} is none of the choices"));
        }
        return;
    }
    if schema.get("const").is_some_and(|only| only != value)
        || schema["enum"].as_array().is_some_and(|known| !known.contains(value))
    {
        out.push(format!("{at}: {value} is no such word"));
    }
    let types: Vec<&str> = match &schema["type"] {
        Value::String(one) => vec![one],
        Value::Array(several) => several.iter().filter_map(Value::as_str).collect(),
        _ => Vec::new(),
    };
    let is = match value {
        Value::Null => "null",
        Value::Bool(_) => "boolean",
        Value::Number(_) => "integer",
        Value::String(_) => "string",
        Value::Array(_) => "array",
        Value::Object(_) => "object",
    };
    if !types.is_empty() && !types.contains(&is) {
        out.push(format!("{at}: {is} instead of {types:?}"));
    }
    for (index, item) in value.as_array().into_iter().flatten().enumerate() {
        schema_violations(&schema["items"], root, item, &format!("{at}[{index}]"), out);
    }
    let Some(fields) = value.as_object() else { return };
    // Embedded foreign documents have no schema here.
    if schema.get("properties").is_none() {
        return;
    }
    for name in schema["required"].as_array().into_iter().flatten().filter_map(Value::as_str) {
        if !fields.contains_key(name) {
            out.push(format!("{at}: {name} is missing"));
        }
    }
    for (name, value) in fields {
        match schema["properties"].get(name) {
            Some(property) => {
                schema_violations(property, root, value, &format!("{at}.{name}"), out);
            }
            None => out.push(format!("{at}.{name} is not in the schema")),
        }
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
    let mut out = Vec::new();
    schema_violations(&schema, &schema, document, "", &mut out);
    assert_eq!(out, Vec::<String>::new());
}

fn json(text: &str) -> Value {
    serde_json::from_str(text).unwrap_or_else(|error| panic!("{error} in {text}"))
}

/// Every document with its version, its struct, and the path of the struct below `src`.
const DOCUMENTS: [(&str, u32, &str, &str); 23] = [
    ("baseline", 1, "Baseline", "cli/check/baseline.rs"),
    ("bisect", 2, "BisectReport", "analysis/answers/report"),
    ("blame", 1, "BlameReport", "analysis/answers/report"),
    ("catalog", 1, "CatalogReport", "analysis/answers/report"),
    ("check", 1, "CheckReport", "cli/check/formats.rs"),
    ("compat", 1, "CompatReport", "cli/compat/report.rs"),
    ("components", 1, "ComponentMatrix", "analysis/answers/targets/components.rs"),
    ("diff", 1, "CompareReport", "analysis/answers/compare"),
    ("drafts", 1, "DraftsReport", "cli/drafts.rs"),
    ("grep", 1, "GrepReport", "cli/repository/grep.rs"),
    ("images", 1, "ImagesReport", "cli/repository/table.rs"),
    ("matrix", 1, "MatrixReport", "analysis/answers/report"),
    ("migrate", 1, "MigrateReport", "analysis/answers/report"),
    ("order", 1, "OrderReport", "analysis/answers/report"),
    ("set", 1, "SetReport", "analysis/answers/report"),
    ("source-map", 1, "MapReport", "analysis/answers/report analysis/answers/provenance"),
    ("table", 1, "TableReport", "cli/repository/table.rs"),
    ("trace", 1, "TraceReport", "analysis/answers/report engine/evaluate/step.rs"),
    ("trial", 1, "TrialReport", "start/tool_answers/try_edit.rs"),
    ("unused", 1, "UnusedReport", "cli/repository/affected_targets.rs"),
    ("versions", 1, "VersionsReport", "cli/versions.rs"),
    ("where", 2, "WhereReport", "cli/repository/affected_targets.rs"),
    ("why", 1, "WhyReport", "analysis/answers/report"),
];

/// The files in `assets/schemas` equal the schemas of the structs; `UPDATE=1` updates them.
#[test]
fn schemas_equal_the_structs() {
    for (name, version, root, place) in DOCUMENTS {
        let name = format!("{name}-v{version}.json");
        let text = format!("{:#}\n", schema::of(root, version, place));
        if std::env::var("UPDATE").is_ok_and(|update| update == "1") {
            std::fs::write(schema_path(&name), &text).unwrap();
        }
        let stands = std::fs::read_to_string(schema_path(&name)).unwrap_or_default();
        assert!(
            stands == text,
            "{name} is not what {root} says: UPDATE=1 cargo test --test it formats"
        );
    }
}

/// Every versioned document has a schema, and every schema a listed document.
#[test]
fn every_document_is_listed() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut versioned = 0;
    for entry in walkdir::WalkDir::new(&folder) {
        let path = entry.unwrap().into_path();
        if path.extension().is_some_and(|extension| extension == "rs") {
            let text = std::fs::read_to_string(&path).unwrap();
            let is_field = |line: &&str| line.trim().ends_with("schema_version: u32,");
            versioned += text.lines().filter(is_field).count();
        }
    }
    assert_eq!(versioned, DOCUMENTS.len());
}

#[test]
fn schema_violations_are_detected() {
    let document =
        json(&kzui(&["trace".into(), demo("shop/overlays/production"), "--json".into()]).built());
    let schema = read("trace-v1.json");
    let wrong = |change: fn(&mut Value)| {
        let mut document = document.clone();
        change(&mut document);
        let mut out = Vec::new();
        schema_violations(&schema, &schema, &document, "", &mut out);
        out
    };
    assert_eq!(wrong(|_| {}), Vec::<String>::new());
    assert_eq!(wrong(|it| it["steps"][0]["kind"] = "loaded".into()).len(), 1);
    assert_eq!(wrong(|it| it["steps"][1]["added"] = "1".into()).len(), 1);
    assert_eq!(wrong(|it| it["more"] = 1.into()), [".more is not in the schema"]);
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
