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
        ("b: {1: a}\ns: .inf", "json: unsupported type: map[interface {}]interface {}"),
        (
            "s: {~: a}",
            "yaml: unmarshal errors:\n  line 4: mapping key \"~\" already defined at line 4",
        ),
    ]);
}

/// The check of the tree returns the result of printing, for each key with each value.
#[test]
fn check_document_equals_the_result_of_printing() {
    let keys = [
        "a",
        "\"a\"",
        "'b'",
        "~",
        "1",
        "yes",
        "y",
        "null",
        "<<",
        "é",
        "\"x\\x85\"",
        "? |\n  a\n",
        "!!str a",
        "!!int a",
        "\"\"",
        "a.b/c",
        "-a",
        ".inf",
        "[a]",
        "nullify",
        "\"a\\tb\"",
        "2001-01-01",
    ];
    let values = [
        " a",
        " .inf",
        " -.Inf",
        " 1e999",
        " 0x1F",
        " !!int x",
        " !!int 5",
        " !!float 3",
        " !!binary zz",
        " !foo 1",
        " |\n    a",
        " |2\n    \ta",
        " >\n    a\n\n",
        " \"a\\x80b\"",
        " \"\\x7f\"",
        " \"\\u0001\"",
        " é",
        " {}",
        " []",
        " {a: 1, a: 2}",
        " [1, .nan]",
        "\n    x: 1\n    x: 2",
        "\n    x: 1\n    z: {}",
        "\n  - a\n  - .nan",
        " ~",
        "",
        " !!map {}",
        " !!seq []",
        " *one",
        " \"\"",
        " 'it''s'",
        " \"a: b\"",
        " 100m",
        " 12345678901234567890",
        " a:b",
        " {b: c, d: [e, 1]}",
        " [{a: b}, {a: 'x y'}, ~]",
        " [a, \"b\\tc\"]",
    ];
    let mut met = (0, 0);
    for (key, value) in keys.iter().flat_map(|key| values.iter().map(move |value| (key, value))) {
        for text in [
            format!("one: &one\n  k: v\nm:\n  {key}:{value}\n  a: 1\nlast: 1\n"),
            format!("one: &one\n  k: v\nl:\n- {key}:{value}\n- 1\n"),
            format!("one: &one [a]\n{key}:{value}\n"),
            format!("one: &one x\nf: {{k: v, {key}:{value}, last: 1}}\n"),
            format!("one: &one x\nf: [a, {{{key}:{value}}},{value} ]\n"),
        ] {
            let Ok(file) = parse_documents(text.as_bytes(), SourceId::NONE, Limits::default())
            else {
                continue;
            };
            let Some(document) = file.documents.first() else { continue };
            let printed = print_output(&document.node).map(drop);
            assert_eq!(
                check_document(&document.node).is_ok(),
                printed.is_ok(),
                "{text}: {printed:?}"
            );
            if printed.is_ok() { met.0 += 1 } else { met.1 += 1 }
        }
    }
    assert!(met.0 > 500 && met.1 > 500, "{met:?}");
}
