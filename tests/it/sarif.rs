//! The requirements of SARIF 2.1.0, as far as kzui writes logs: section 3 of the standard, object
//! by object. The published schema is not in the tree; the properties and words below are those of
//! the standard for the objects in use.

use serde_json::Value;

use crate::support::{Tree, kzui_in};

/// An object: its name, its required properties, and its optional ones.
type Rule = (&'static str, &'static [&'static str], &'static [&'static str]);

const RULES: [Rule; 12] = [
    ("log", &["version", "runs"], &["$schema"]),
    ("run", &["tool"], &["results", "columnKind", "artifacts", "originalUriBaseIds", "properties"]),
    ("tool", &["driver"], &["extensions", "properties"]),
    ("driver", &["name"], &["version", "semanticVersion", "informationUri", "rules", "properties"]),
    (
        "rule",
        &["id"],
        &[
            "name",
            "shortDescription",
            "fullDescription",
            "help",
            "helpUri",
            "defaultConfiguration",
            "properties",
        ],
    ),
    (
        "result",
        &["message"],
        &[
            "ruleId",
            "ruleIndex",
            "level",
            "kind",
            "locations",
            "relatedLocations",
            "fixes",
            "partialFingerprints",
            "suppressions",
            "properties",
        ],
    ),
    ("message", &["text"], &["markdown", "arguments"]),
    ("location", &[], &["physicalLocation", "logicalLocations", "message", "id", "properties"]),
    ("physicalLocation", &["artifactLocation"], &["region", "contextRegion"]),
    ("artifactLocation", &["uri"], &["uriBaseId", "index"]),
    ("region", &[], &["startLine", "startColumn", "endLine", "endColumn", "snippet"]),
    ("suppression", &["kind"], &["status", "justification", "location"]),
];

const LEVELS: [&str; 4] = ["none", "note", "warning", "error"];

/// Fails at the first violation in a log.
pub(crate) fn holds(log: &Value) {
    object("log", log);
    assert_eq!(log["version"], "2.1.0");
    for run in list(&log["runs"]) {
        object("run", run);
        if let Some(kind) = run.get("columnKind") {
            assert!(["utf16CodeUnits", "unicodeCodePoints"].contains(&kind.as_str().unwrap()));
        }
        object("tool", &run["tool"]);
        let driver = &run["tool"]["driver"];
        object("driver", driver);
        let mut known = std::collections::BTreeSet::new();
        for rule in list(&driver["rules"]) {
            object("rule", rule);
            assert!(known.insert(rule["id"].as_str().unwrap()), "{rule} is there twice");
            for text in ["shortDescription", "fullDescription", "help"] {
                assert_ne!(rule[text]["text"], "", "{rule}");
                rule.get(text).into_iter().for_each(|text| object("message", text));
            }
            let level = rule["defaultConfiguration"]["level"].as_str().unwrap_or("warning");
            assert!(LEVELS.contains(&level), "{rule}");
        }
        for result in list(&run["results"]) {
            one(result, &known);
        }
    }
}

fn one(result: &Value, rules: &std::collections::BTreeSet<&str>) {
    object("result", result);
    object("message", &result["message"]);
    assert!(LEVELS.contains(&result["level"].as_str().unwrap_or("warning")), "{result}");
    if let Some(id) = result["ruleId"].as_str() {
        assert!(rules.contains(id), "{id} is not among the rules");
    }
    for location in list(&result["locations"]).iter().chain(list(&result["relatedLocations"])) {
        object("location", location);
        let Some(place) = location.get("physicalLocation") else { continue };
        object("physicalLocation", place);
        object("artifactLocation", &place["artifactLocation"]);
        let uri = place["artifactLocation"]["uri"].as_str().unwrap();
        let is_uri = |c: char| c.is_ascii_graphic() && !"\"<>\\^`{|}".contains(c);
        assert!(!uri.is_empty() && uri.chars().all(is_uri), "{uri}");
        let first = uri.split('/').next().unwrap_or_default();
        assert!(!first.contains(':'), "{uri}: a relative reference has no colon in its first part");
        let Some(region) = place.get("region") else { continue };
        object("region", region);
        for number in ["startLine", "startColumn", "endLine", "endColumn"] {
            let is_one = |value: &Value| value.as_u64().is_some_and(|number| number > 0);
            assert!(region.get(number).is_none_or(is_one), "{region}");
        }
    }
    for print in result["partialFingerprints"].as_object().into_iter().flatten() {
        assert!(print.1.is_string(), "{result}");
    }
    for suppression in list(&result["suppressions"]) {
        object("suppression", suppression);
        assert!(["inSource", "external"].contains(&suppression["kind"].as_str().unwrap()));
    }
}

fn list(value: &Value) -> &[Value] {
    match value {
        Value::Null => &[],
        value => value.as_array().unwrap_or_else(|| panic!("{value} is no list")),
    }
}

fn object(name: &str, value: &Value) {
    let (_, must, may) = RULES.iter().find(|rule| rule.0 == name).expect(name);
    let fields = value.as_object().unwrap_or_else(|| panic!("{name}: {value} is no object"));
    for field in *must {
        assert!(fields.contains_key(*field), "{name} has no {field}: {value}");
    }
    for (field, value) in fields {
        let known = must.contains(&&**field) || may.contains(&&**field);
        assert!(known, "{name} has {field}, which SARIF does not know");
        assert!(!value.is_null(), "{name}.{field} is null: SARIF leaves out what does not exist");
    }
}

#[test]
fn the_report_of_a_check_is_sarif() {
    let tree = Tree::new(&[
        ("base/kustomization.yaml", "resources: [web.yaml]\n"),
        ("base/web.yaml", "apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: web}\n"),
        (
            "a: b {c}/kustomization.yaml",
            "resources: [../base]\n# kzui: ignore KZ101 because it is a test\npatches:\n- target: {kind: Deployment, name: wbe}\n  patch: '[]'\ncommonLabels: {a: b}\n",
        ),
        ("broken/kustomization.yaml", "resources: [nowhere.yaml]\n"),
    ]);
    let answer = kzui_in(&tree.root(), &["check", "--notes", "--format", "sarif"]);
    let log: Value = serde_json::from_str(&answer.out).unwrap();
    holds(&log);
    let results = log["runs"][0]["results"].as_array().unwrap();
    assert!(results.len() >= 3, "{log}");
    // The checks fail for invalid logs.
    let wrong = |change: fn(&mut Value)| {
        let mut log = log.clone();
        change(&mut log);
        std::panic::catch_unwind(|| holds(&log)).is_err()
    };
    assert!(wrong(|log| log["runs"][0]["results"][0]["level"] = "fatal".into()));
    assert!(wrong(|log| log["runs"][0]["results"][0]["where"] = "here".into()));
    assert!(wrong(|log| log["runs"][0]["results"][0]["ruleId"] = "X1".into()));
    assert!(wrong(|log| log["version"] = "2.0".into()));
}
