use super::*;
use crate::yaml::{from_json, to_json};

const DOCUMENT: &str =
    r#"{"data":{"k":"v","n":1,"z":null,"m":{"x":1}},"list":["a","b",{"c":"d"}]}"#;

/// Applies an operation to [`DOCUMENT`] and returns the result as JSON.
fn apply_as(profile: Profile, operation: &str) -> Result<String, String> {
    let text = format!("- {operation}\n");
    let patch =
        JsonPatch::parse(text.as_bytes(), SourceId::NONE, TextOffset::default(), Limits::default());
    let mut node = from_json(DOCUMENT).unwrap();
    let patch = patch.map_err(|fault| fault.to_string())?.unwrap();
    let patch = patch.with_writer(Mark::default(), profile);
    patch.apply(&mut node).map(|()| to_json(&node).unwrap()).map_err(|error| error.to_string())
}

fn apply(operation: &str) -> Result<String, String> {
    apply_as(Profile::MASTER, operation)
}

/// Releases from v5.2.0 to v5.3.0 use version 5 of the library, as its source shows.
#[test]
fn old_releases_replace_and_copy_only_existing_values() {
    let profile = Profile::named("v5.3.0").unwrap();
    for (operation, words) in [
        (
            "{op: replace, path: /data/new, value: 1}",
            "replace operation does not apply: doc is missing key: /data/new: missing value",
        ),
        (
            "{op: copy, from: /data/new, path: /data/k}",
            "error in copy for from: '/data/new': unable to get nonexistent key: new: missing value",
        ),
    ] {
        assert_eq!(apply_as(profile, operation).unwrap_err(), words);
        for other in ["v5.1.0", "v5.4.0", "master"] {
            assert!(apply_as(Profile::named(other).unwrap(), operation).is_ok(), "{other}");
        }
    }
    assert!(apply_as(profile, "{op: replace, path: /data/z, value: 1}").is_ok());
}

#[test]
fn operations_change_list_elements() {
    for (operation, list) in [
        ("{op: add, path: /list/3, value: 1}", r#"["a","b",{"c":"d"},1]"#),
        ("{op: add, path: /list/-, value: 1}", r#"["a","b",{"c":"d"},1]"#),
        ("{op: add, path: /list/-1, value: 1}", r#"["a","b",{"c":"d"},1]"#),
        ("{op: add, path: /list/-2, value: 1}", r#"["a","b",1,{"c":"d"}]"#),
        ("{op: add, path: /list/00, value: q}", r#"["q","a","b",{"c":"d"}]"#),
        ("{op: replace, path: /list/-1, value: 1}", r#"["a","b",1]"#),
        ("{op: replace, path: /list/2/c, value: yes}", r#"["a","b",{"c":true}]"#),
        ("{op: remove, path: /list/-1}", r#"["a","b"]"#),
    ] {
        let out = apply(operation).unwrap();
        assert!(out.ends_with(&format!("\"list\":{list}}}")), "{operation}: {out}");
    }
    assert!(apply("{op: replace, path: /data/new, value: 0644}").unwrap().contains(r#""new":420"#));
    assert!(apply("{op: add, path: /data/new}").unwrap().contains(r#""new":null"#));
    assert!(apply("{op: copy, from: /data/zz, path: /data/q}").unwrap().contains(r#""q":null"#));
    assert!(apply("{op: move, from: /data/k, path: /data/q}").unwrap().contains(r#""q":"v""#));
    assert!(apply("{op: add, path: /data/a~1b~0c, value: 1}").unwrap().contains(r#""a/b~c":1"#));
    assert!(apply("{op: add, path: data/k2, value: 1}").unwrap().contains(r#""k2":1,"list""#));
    let big = apply("{op: add, path: /data/n, value: 9007199254740993}").unwrap();
    assert!(big.contains(r#""n":9007199254740992"#));
}

#[test]
fn test_operation_compares_json_values() {
    for yes in [
        "{op: test, path: /data/n, value: 1.0}",
        "{op: test, path: /data/m, value: {x: 1}}",
        "{op: test, path: /data/zz, value: null}",
        "{op: test, path: /list/0, value: a}",
    ] {
        apply(yes).unwrap();
    }
    let no = apply("{op: test, path: /data/m, value: {x: 2}}").unwrap_err();
    assert_eq!(no, "testing value /data/m failed: test failed");
}

#[test]
fn errors_have_the_words_of_the_library() {
    for (operation, text) in [
        (
            "{op: add, path: /data/k/x, value: 1}",
            "add operation does not apply: doc is missing path: \"/data/k/x\": missing value",
        ),
        (
            "{op: replace, path: /foo/bar, value: 1}",
            "replace operation does not apply: doc is missing path: /foo/bar: missing value",
        ),
        (
            "{op: replace, path: /list/-, value: 1}",
            "replace operation does not apply: doc is missing key: /list/-: missing value",
        ),
        (
            "{op: add, path: /list/x, value: 1}",
            "error in add for path: '/list/x': value was not a proper array index: 'x': strconv.Atoi: parsing \"x\": invalid syntax",
        ),
        (
            "{op: move, from: /data/zz, path: /data/q}",
            "error in move for path: 'zz': Unable to remove nonexistent key: zz: missing value",
        ),
        (
            "{op: copy, path: /data/q}",
            "copy operation failed to decode from: operation, missing from field: missing value",
        ),
        ("{path: /data/k}", "Unexpected kind: unknown"),
        ("{op: add, value: 1}", "add operation failed to decode path: missing value"),
        (
            "{op: test, path: /list/9, value: a}",
            "error in test for path: '/list/9': Unable to access invalid index: 9: invalid index referenced",
        ),
    ] {
        assert_eq!(apply(operation).unwrap_err(), text, "{operation}");
    }
}

/// So many keys that a linear search for each of them would take minutes.
#[test]
fn operations_on_many_keys_take_linear_time() {
    let count = 60_000;
    let lines = |line: &dyn Fn(usize) -> String| (0..count).map(line).collect::<String>();
    let text = format!("data: {{{}}}\n", lines(&|at| format!("k{at}: {{x: {{}}}}, ")));
    let operations = lines(&|at| {
        format!(
            "- {{op: add, path: /data/k{at}/x/y, value: 1}}\n- {{op: replace, path: /data/k{at}/x/y, value: 2}}\n- {{op: remove, path: /data/k{}/x}}\n",
            count - at - 1
        )
    });
    let read = parse_config(text.as_bytes(), SourceId::NONE, Limits::default());
    let (mut node, limits) = (read.unwrap().unwrap(), Limits::default());
    let patch =
        JsonPatch::parse(operations.as_bytes(), SourceId::NONE, TextOffset::default(), limits);
    let error = patch.unwrap().unwrap().apply(&mut node).unwrap_err().to_string();
    assert!(
        error.contains(&format!("doc is missing path: \"/data/k{}/x/y\"", count / 2)),
        "{error}"
    );
}
