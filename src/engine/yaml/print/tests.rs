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

/// Each pair was seen with `kubectl kustomize`.
#[test]
fn values_print_as_in_kubectl() {
    assert_printed(&[
        ("s: 2020-01-01", "s: \"2020-01-01T00:00:00Z\"\n"),
        ("s: {a: 2001-12-14t21:59:43Z, b: }", "s:\n  a: \"2001-12-14t21:59:43Z\"\n  b: \"\"\n"),
        (
            "s: [1.0, 1e3, 1234567.5, 0.00001, 1e20]",
            "s:\n- 1\n- 1000\n- 1.2345675e+06\n- 1e-05\n- 1e+20\n",
        ),
        (
            "s: [18446744073709551615, 18446744073709551616, -0.0]",
            "s:\n- 18446744073709551615\n- 1.8446744073709552e+19\n- 0\n",
        ),
        ("s: !!int \"5\"", "s: 5\n"),
        ("s: !!float 9007199254740993", "s: 9007199254740992\n"),
        ("s: !!timestamp \"2021-01-01\"", "s: \"2021-01-01T00:00:00Z\"\n"),
        ("s: !!binary gICA", "s: \u{FFFD}\u{FFFD}\u{FFFD}\n"),
        ("s: !foo 12", "s: \"12\"\n"),
        ("s: \"a \\x85\\x85 b\"", "s: |-\n  a\n  b\n"),
        ("s: >\n  a\n    b\n  c\n", "s: |\n  a\n\n    b\n  c\n"),
        ("s: >+\n  bar\n", "s: |+\n  bar\n\n\n"),
    ]);
}

/// Each pair was seen with `kubectl kustomize`.
#[test]
fn strings_are_quoted_as_in_kubectl() {
    assert_printed(&[
        (
            "s: [yes, 12:30, <<, =, 0o8, \"0o7\"]",
            "s:\n- \"yes\"\n- \"12:30\"\n- <<\n- =\n- 0o8\n- \"0o7\"\n",
        ),
        ("s: 'a: b'", "s: 'a: b'\n"),
        ("s: a 😀 b", "s: \"a \\U0001F600 b\"\n"),
        ("s: \"\\uFEFFa b\"", "s: \"\\uFEFF\\x61\\x20\\x62\"\n"),
        ("s: \"a\\u2028b\"", "s: 'a\u{2028}  b'\n"),
        ("s: \"lit\\n\\n\"", "s: |+\n  lit\n\n"),
        ("s: \" a\\nb \"", "s: \" a\\nb \"\n"),
        ("s: \"\\ta\"", "s: \"\\ta\"\n"),
    ]);
}

/// Each pair was seen with `kubectl kustomize`.
#[test]
fn layout_matches_kustomize() {
    let word = "aaaaaaaaaaaaaaaaaaa";
    let long = [word; 6].join(" ");
    let head = [word; 4].join(" ");
    let key = "k".repeat(129);
    assert_printed(&[
        ("s: [[a, [b]], {c: [d]}]", "s:\n- - a\n  - - b\n- c:\n  - d\n"),
        (&format!("s: {long}"), &format!("s: {head}\n  {word} {word}\n")),
        (&format!("s: ['a:  {long}']"), &format!("s:\n- 'a:  {head}\n  {word} {word}'\n")),
        (&format!("s: {{? {key} : [x]}}"), &format!("s:\n  ? {key}\n  : - x\n")),
        ("s: {\"k\\nl\": {a: 1}}", "s:\n  ? |-\n    k\n    l\n  : a: 1\n"),
    ]);
}

#[test]
fn keys_are_printed_in_natural_order() {
    assert_printed(&[
        ("s: {a10: 1, a2: 1, A: 1, _x: 1}", "s:\n  _x: 1\n  A: 1\n  a2: 1\n  a10: 1\n"),
        (
            "s: {z: 1, é: 1, \"\": 1, \"1.5\": 1, \"10\": 1, \"2\": 1, a b: 1, a: 1, a-1: 1, a1b: 1, a02: 1, a2: 1}",
            "s:\n  \"\": 1\n  \"1.5\": 1\n  \"2\": 1\n  \"10\": 1\n  a: 1\n  a b: 1\n  a-1: 1\n  a1b: 1\n  a2: 1\n  a02: 1\n  z: 1\n  é: 1\n",
        ),
    ]);
    // An order with a cycle: any result is correct, but it must be the same from every start.
    let cycle = printed("s: {v12: 1, v1beta1: 1, v2: 1}");
    assert_eq!(printed("s: {v2: 1, v1beta1: 1, v12: 1}"), cycle);
}

#[test]
fn keys_of_other_types_are_accepted_only_at_root() {
    assert_printed(&[
        (
            "1: a\ntrue: b",
            "\"1\": a\napiVersion: e/v1\nkind: Foo\nmetadata:\n  name: a\n\"true\": b\n",
        ),
        ("s: {1: a}", "json: unsupported type: map[interface {}]interface {}"),
        // Syntax errors are reported before errors of the JSON conversion.
        (
            "b: {1: a}\ns: {a: 1, a: 2}",
            "yaml: unmarshal errors:\n  line 5: mapping key \"a\" already defined at line 5",
        ),
        ("b: .inf\ns: !!int abc", "yaml: cannot decode !!str `abc` as a !!int"),
        ("b: {1: a}\ns: .inf", "json: unsupported type: map[interface {}]interface {}"),
        (
            "s: {~: a}",
            "yaml: unmarshal errors:\n  line 4: mapping key \"~\" already defined at line 4",
        ),
        (
            "s: {a: 1, a: 2}",
            "yaml: unmarshal errors:\n  line 4: mapping key \"a\" already defined at line 4",
        ),
    ]);
}

/// The words were seen with `kubectl kustomize`.
#[test]
fn unprintable_values_are_refused_as_in_kustomize() {
    assert_printed(&[
        ("s: .inf", "json: unsupported value: +Inf"),
        ("s: !!int abc", "yaml: cannot decode !!str `abc` as a !!int"),
        ("s: !!int 2020-01-01", "yaml: cannot decode !!str `2020-01-01` as a !!int"),
        (
            "s: !!float 18446744073709551615",
            "yaml: cannot decode !!int `18446744073709551615` as a !!float",
        ),
        ("s: !!binary a", "yaml: !!binary value contains invalid base64 data"),
        ("s: \"a\\x80b\"", "yaml: control characters are not allowed"),
        ("s: {\"a\\x85b\": c}", "yaml: line 1: did not find expected ',' or '}'"),
    ]);
}

#[test]
fn printed_block_that_starts_with_tab_is_not_readable() {
    let text = printed("s: |2\n  \ta\n  b");
    assert!(
        text.ends_with("found a tab character where an indentation space is expected"),
        "{text}"
    );
}

/// The check of the tree returns the result of printing, for each key with each value, with
/// comments in all positions.
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
    let comments = ["", " # c", " # c\n  # d\n"];
    let mut met = (0, 0);
    for (key, value) in keys.iter().flat_map(|key| values.iter().map(move |value| (key, value))) {
        for (behind, below) in
            comments.iter().flat_map(|one| comments.iter().map(move |two| (one, two)))
        {
            let value = if value.starts_with('\n') {
                format!("{behind}{value}")
            } else {
                format!("{value}{behind}")
            };
            for text in [
                format!("one: &one\n  k: v\nm:\n  {key}:{value}{below}\n  a: 1\nlast: 1\n"),
                format!("one: &one\n  k: v\nl:\n- {key}:{value}{below}\n- 1\n"),
                format!("one: &one [a]\n{key}:{value}{below}\n"),
                format!("one: &one x\nf: {{k: v, {key}:{value}, last: 1}}{below}\n"),
                format!("one: &one x\nf: [a, {{{key}:{value}}},{value} ]{below}\n"),
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
    }
    assert!(met.0 > 3000 && met.1 > 3000, "{met:?}");
}
