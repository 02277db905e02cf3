use serde_json::{Value, json};

use super::*;

#[expect(clippy::needless_pass_by_value, reason = "a list is made for one run")]
fn run(script: &str, resource_list: Value) -> Result<EvaluatedScript, ScriptFailure> {
    evaluate("f.star", script.to_owned(), &resource_list)
}

fn output(script: &str, list: Value) -> Value {
    let json = run(script, list).unwrap_or_else(|failure| panic!("{script}: {failure:?}")).json;
    serde_json::from_str(&json).unwrap()
}

fn error_message(script: &str) -> String {
    run(script, list(vec![])).unwrap_err().0
}

#[expect(clippy::needless_pass_by_value, reason = "a list is made for one run")]
fn list(items: Vec<Value>) -> Value {
    json!({"apiVersion": "config.kubernetes.io/v1", "kind": "ResourceList", "items": items})
}

/// The result is the given list, also if its names are assigned other values, and if the garbage
/// collector moves values.
#[test]
fn result_is_the_given_list_with_its_changes() {
    let scripts = [
        "items = ctx.resource_list[\"items\"]\nctx = struct(resource_list = {\"items\": []})\n\
         for it in items:\n  it[\"namespace\"] = \"prod\"\nitems = None\n",
        "for it in ctx.resource_list[\"items\"]:\n  it[\"namespace\"] = \"prod\"\nctx = None\n\
         x = [str(i) for i in range(5000)]\n",
    ];
    for count in [1, 2, 39, 40, 41, 150, 2000] {
        let objects = |namespace: &str| {
            list((0..count).map(|n| json!({"name": n, "namespace": namespace})).collect())
        };
        for script in scripts {
            assert!(output(script, objects("")) == objects("prod"), "{count} objects: {script}");
        }
    }
}

#[test]
fn json_library_is_loaded_by_its_name_in_kpt() {
    let script = "load('encoding/json.star', 'json')\n\
                  def scale(items):\n  for it in items:\n    if it[\"kind\"] == \"Deployment\":\n      \
                  last = json.decode(it[\"metadata\"][\"annotations\"][\"last\"])\n      it[\"spec\"][\"replicas\"] = last[\"spec\"][\"replicas\"] + 1\n\
                  scale(ctx.resource_list[\"items\"])\n";
    let annotations = json!({"last": "{\"spec\": {\"replicas\": 3}}"});
    let annotated = json!({
        "kind": "Deployment", "metadata": {"annotations": annotations}, "spec": {"replicas": 0},
    });
    let mut expected = annotated.clone();
    expected["spec"]["replicas"] = json!(4);
    assert_eq!(output(script, list(vec![annotated])), list(vec![expected]));
}

#[test]
fn numbers_keep_their_value_up_to_64_bits() {
    let text = r#"{"a":[0,-1,9223372036854775808,1.5,0.1],"b":123456789012345678901234567890}"#;
    let found = run("x = 1\n", serde_json::from_str(text).unwrap()).unwrap().json;
    // A longer integer becomes a double, as in JSON parsers without big integers.
    assert_eq!(found, text.replace("123456789012345678901234567890", "1.2345678901234568e+29"));
}

#[test]
fn failures_name_the_limit_or_the_fault() {
    let cases = [
        ("def f():\n  for i in range(1000000000):\n    x = i\nf()\n", "step limit exceeded"),
        ("def f():\n  f()\nf()\n", "call depth limit exceeded"),
        (
            "def f():\n  for i in range(2000):\n    print(\"x\" * 1000)\nf()\n",
            "print limit exceeded",
        ),
        (
            "def f():\n  l = []\n  for i in range(100000):\n    l.append(\"%s\" % i + \"x\" * 10000)\nf()\n",
            "memory limit exceeded",
        ),
        ("fail(\"no\")\n", "error: fail: no"),
        ("x = (\n", "Parse error"),
        ("y = x\n", "Variable `x`"),
        ("load(\"x.star\", \"x\")\n", JSON_LIBRARY),
        ("load(\"/etc/passwd\", \"x\")\n", "/etc/passwd"),
        // No JSON.
        ("ctx.resource_list[\"items\"] = lambda: 1\n", ""),
        ("ctx.resource_list[\"items\"].append(ctx.resource_list)\n", ""),
    ];
    for (script, expected) in cases {
        let message = error_message(script);
        assert!(message.contains(expected), "{script}: {message}");
    }
}
