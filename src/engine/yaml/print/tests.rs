use super::super::{Limits, SourceId, parse_documents};
use super::*;

fn printed(body: &str) -> String {
    let text = format!("apiVersion: e/v1\nkind: Foo\nmetadata: {{name: a}}\n{body}\n");
    let file = parse_documents(text.as_bytes(), SourceId::NONE, Limits::default()).unwrap();
    match print_output(&file.documents[0].node) {
        Ok(text) => {
            let head = "apiVersion: e/v1\nkind: Foo\nmetadata:\n  name: a\n";
            text.strip_prefix(head).unwrap_or(&text).to_owned()
        }
        Err(error) => error.to_string(),
    }
}

fn assert_printed(cases: &[(&str, &str)]) {
    for (body, expected) in cases {
        assert_eq!(printed(body), *expected, "of {body}");
    }
}

/// Each pair was seen with `kubectl kustomize`. The pages in `tests/cases/output-scalars` have the usual
/// values.
#[test]
fn rare_values_print_as_in_kubectl() {
    let word = "aaaaaaaaaaaaaaaaaaa";
    let (long, head) = ([word; 6].join(" "), [word; 4].join(" "));
    let key = "k".repeat(129);
    assert_printed(&[
        ("s: {a: 2001-12-14t21:59:43Z}", "s:\n  a: \"2001-12-14t21:59:43Z\"\n"),
        ("s: !!float 9007199254740993", "s: 9007199254740992\n"),
        ("s: !!timestamp \"2021-01-01\"", "s: \"2021-01-01T00:00:00Z\"\n"),
        ("s: !!binary gICA", "s: \u{FFFD}\u{FFFD}\u{FFFD}\n"),
        ("s: \"a \\x85\\x85 b\"", "s: |-\n  a\n  b\n"),
        (&format!("s: ['a:  {long}']"), &format!("s:\n- 'a:  {head}\n  {word} {word}'\n")),
        (
            "s: {z: 1, é: 1, \"\": 1, \"1.5\": 1, \"10\": 1, \"2\": 1, a b: 1, a: 1, a-1: 1, a1b: 1, a02: 1, a2: 1}",
            "s:\n  \"\": 1\n  \"1.5\": 1\n  \"2\": 1\n  \"10\": 1\n  a: 1\n  a b: 1\n  a-1: 1\n  a1b: 1\n  a2: 1\n  a02: 1\n  z: 1\n  é: 1\n",
        ),
        (&format!("s: {{? {key} : [x]}}"), &format!("s:\n  ? {key}\n  : - x\n")),
        (
            "1: a\ntrue: b",
            "\"1\": a\napiVersion: e/v1\nkind: Foo\nmetadata:\n  name: a\n\"true\": b\n",
        ),
    ]);
    // An order with a cycle: any result is correct, but it must be the same from every start.
    let cycle = printed("s: {v12: 1, v1beta1: 1, v2: 1}");
    assert_eq!(printed("s: {v2: 1, v1beta1: 1, v12: 1}"), cycle);
}

/// The words were seen with `kubectl kustomize`.
#[test]
fn unprintable_values_are_refused_as_in_kustomize() {
    assert_printed(&[
        ("s: !!int 2020-01-01", "yaml: cannot decode !!str `2020-01-01` as a !!int"),
        (
            "s: !!float 18446744073709551615",
            "yaml: cannot decode !!int `18446744073709551615` as a !!float",
        ),
        ("s: !!binary a", "yaml: !!binary value contains invalid base64 data"),
        ("s: \"a\\x80b\"", "yaml: control characters are not allowed"),
        ("s: {\"a\\x85b\": c}", "yaml: line 1: did not find expected ',' or '}'"),
        ("b: {1: a}\ns: .inf", "json: unsupported type: map[interface {}]interface {}"),
        (
            "s: {~: a}",
            "yaml: unmarshal errors:\n  line 4: mapping key \"~\" already defined at line 4",
        ),
    ]);
}
