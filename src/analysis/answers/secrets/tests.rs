//! Values of Secrets, masked in texts, fields and files.

use std::collections::BTreeMap;

use super::index::{MIN_MESSAGE_BYTES, is_word};
use super::positions::positions;
use super::*;
use crate::engine::resource::Scopes;
use crate::engine::yaml::{parse_nodes, print_preserving_style};

fn secret(data: &str) -> Resource {
    let text = format!("apiVersion: v1\nkind: Secret\nmetadata:\n  name: s\n{data}");
    let parsed = parse_nodes(text.as_bytes()).unwrap();
    Resource::new(parsed[0].clone(), &Scopes::default())
}

#[test]
fn equal_values_have_equal_marks_and_no_value_is_left() {
    let mut secrets = Secrets::masked([7; 16]);
    let resource =
        secret("data:\n  a: aHVudGVyMg==\n  b: eA==\nstringData:\n  c: hunter2\n  d: other\n");
    secrets.learn_resource(&resource, &SourceNumbers::default());
    let printed = print_preserving_style(&secrets.masked_node(&resource));
    assert!(!printed.contains("hunter2") && !printed.contains("aHVudGVy"), "{printed}");
    let marks: Vec<&str> =
        printed.lines().filter_map(|line| line.split_once("<secret ")).map(|it| it.1).collect();
    assert_eq!(marks.len(), 4, "{printed}");
    assert_eq!(marks[0], marks[2]);
    assert_ne!(marks[0], marks[3]);
    let line = "  - password=hunter2 # aHVudGVyMg==\n";
    assert!(!secrets.text(line).contains("hunter2") && !secrets.text(line).contains("aHV"));
    assert_eq!(secrets.text("x: 1\nmax\n"), "x: 1\nmax\n");
    // `other` is a value; `other-app` is a name.
    assert_eq!(secrets.text("name: other-app, another"), "name: other-app, another");
    assert_eq!(secrets.text("namespace: other"), "namespace: other");
    assert!(!secrets.text("d=other").contains("other"));
    assert_eq!(secrets.text("flag=x\n"), "flag=x\n");
    assert_ne!(secrets.text("  b: x\n"), "  b: x\n");
    assert_ne!(secrets.text("x\n"), "x\n");
    let other = Secrets::masked([8; 16]);
    assert_ne!(print_preserving_style(&other.masked_node(&resource)), printed);
    assert_eq!(
        print_preserving_style(&Secrets::shown().masked_node(&resource)),
        print_preserving_style(&resource.node)
    );
}

#[test]
fn replacements_of_values_are_not_masked_again() {
    let mut secrets = Secrets::masked([7; 16]);
    let data = "stringData:\n  a: hunter2hunter2\n  b: secret\n  c: hunter2\n";
    secrets.learn_resource(&secret(data), &SourceNumbers::default());
    let masked = secrets.text("x: hunter2hunter2, secret\n");
    let marks: Vec<&str> = masked.split("<secret ").collect();
    assert_eq!(marks.len(), 3, "{masked}");
    assert!(marks[1].ends_with(">, ") && marks[2].ends_with(">\n"), "{masked}");
}

/// The reference implementation of [`Secrets::text`] for the test, byte by byte: searches for one
/// value after the other.
fn sequential_mask(secrets: &Secrets, text: &str) -> Vec<bool> {
    let mut is_masked = vec![false; text.len()];
    let mut from = 0;
    for line in text.split_inclusive('\n') {
        let places = |part: &str| {
            let starts = (0..line.len()).filter(|at| line[*at..].starts_with(part));
            starts.map(|at| at..at + part.len()).collect::<Vec<_>>()
        };
        let has = |key: &str| places(key).iter().any(|place| is_word(line, place));
        for ((_, value), known) in &secrets.known {
            let is_long = value.len() >= MIN_MESSAGE_BYTES;
            let is_named = line.trim() == value || known.keys.iter().any(|key| has(key));
            for place in places(value) {
                if is_long || is_named && is_word(line, &place) {
                    is_masked[from + place.start..from + place.end].fill(true);
                }
            }
        }
        from += line.len();
    }
    is_masked
}

proptest::proptest! {
    #[test]
    fn masking_all_values_at_once_equals_sequential_masking(
        values in proptest::collection::vec(("[kl]{1,2}", "[klm]{1,9}"), 1..12),
        text in "[klmn =\n]{0,80}",
    ) {
        let mut secrets = Secrets::masked([7; 16]);
        let data: BTreeMap<String, String> = values.into_iter().collect();
        let data: String = data.iter().map(|(key, value)| format!("  {key}: {value}\n")).collect();
        let resource = secret(&format!("stringData:\n{data}"));
        secrets.learn_resource(&resource, &SourceNumbers::default());
        // Without the replacements, the masked text consists of the bytes that are not part of a
        // value.
        let shown = Secrets::without_salt(&secrets.text(&text)).replace("<secret>", "");
        let bytes = text.bytes().zip(sequential_mask(&secrets, &text));
        let expected: Vec<u8> = bytes.filter_map(|(it, is_masked)| (!is_masked).then_some(it)).collect();
        proptest::prop_assert_eq!(shown.into_bytes(), expected);
    }
}

/// The masked text of a file that contains a Secret, with each value replaced by `<secret>`.
fn masked(text: &str) -> String {
    let masked = Secrets::masked([7; 16]).mask_yaml(text);
    assert_eq!(masked.lines().count(), text.lines().count(), "{masked}");
    Secrets::without_salt(&masked)
}

#[test]
fn values_in_a_file_are_masked_by_position() {
    let list = "kind: List\nitems:\n- kind: Secret\n  # a: one\n  stringData: {b: two}\n- kind: ConfigMap\n  # c: three\n";
    let patches = "patches:\n- target: {kind: Secret}\n  patch: |-\n    - op: add\n      path: /data/a\n      value: one\n- target: {kind: ConfigMap}\n  patch: |-\n    - op: add\n      path: /data/b\n      value: two\n";
    for (text, expected) in [
        (
            "# a: one\nkind: \"Secret\"\nstringData:\n  b: two\n  # c: three\n---\n# d: four\nkind: ConfigMap\n# e: five\n",
            "# a: <secret>\nkind: \"Secret\"\nstringData:\n  b: <secret>\n  # c: <secret>\n---\n# d: four\nkind: ConfigMap\n# e: five\n",
        ),
        (list, &*list.replace("one", "<secret>").replace("two", "<secret>")),
        (patches, &*patches.replace("one", "<secret>")),
        (
            "secretGenerator:\n- literals: [\"a=one\", 'b=two', c=\"three\"]\n",
            "secretGenerator:\n- literals: [\"a=<secret>\", 'b=<secret>', c=<secret>]\n",
        ),
    ] {
        assert_eq!(masked(text), expected);
    }
    let head = "kind: Secret\nmetadata: {name: s}\n";
    for (data, expected) in [
        (
            "stringData:\n  a: one\n    two\n  b: 'x\n    y' # z\n",
            "stringData:\n  a: <secret>\n    <secret>\n  b: <secret>\n    <secret> # z\n",
        ),
        (
            "stringData:\n  a: >-\n    one\n\n    two\nc: d\n",
            "stringData:\n  a: >-\n    <secret>\n\n    <secret>\nc: d\n",
        ),
        (
            "stringData:\n  ? a\n  : |\n    one\n  ? b\n  : two\n",
            "stringData:\n  ? a\n  : |\n    <secret>\n  ? b\n  : <secret>\n",
        ),
        (
            "data: {a: b25l, \"b\": 'dHdv'}\ntype: Opaque\n",
            "data: {a: <secret>, \"b\": <secret>}\ntype: Opaque\n",
        ),
        (
            "stringData:\n  a: !!str one\n  b: &x two\n  e:\n",
            "stringData:\n  a: !!str <secret>\n  b: &x <secret>\n  e:\n",
        ),
        // A Secret that cannot be parsed shows only its keys.
        (
            "stringData:\n  a: 'x' y\n  z\n  name: x\n  \"kind\": y\n",
            "stringData:\n  a: <secret>\n  <secret>\n  name: <secret>\n  \"kind\": <secret>\n",
        ),
        (
            "stringData:\n  a: |\n    one two: three\n    four:\n  b: c\nbad: \"x\n",
            "stringData:\n  a: |\n    <secret>\n    <secret>\n  b: <secret>\nbad: <secret>\n",
        ),
        (
            "stringData:\n  a:\n    one\n  b: |c\nkind: x\nbad: \"x\n",
            "stringData:\n  a:\n    <secret>\n  b: <secret>\nkind: x\nbad: <secret>\n",
        ),
        ("stringData:\n\tname: x\nbad: \"x\n", "stringData:\n<secret>\nbad: <secret>\n"),
    ] {
        let masked = masked(&format!("{head}{data}"));
        assert!(masked.ends_with(expected), "{masked}");
    }
}

#[test]
fn prose_in_a_comment_about_a_secret_is_masked_only_around_it() {
    let before =
        "resources:\n- a # -- size: XS\n# - b # -- size: S\n# - c: # for imagePullSecrets\n#\n";
    let about = "# secretGenerator: {\n#   literals: [password=hunter2]\n#\n# data: : x\n";
    let masked = masked(&format!("{before}{about}#\n# - d # the end: of it\n"));
    assert!(masked.starts_with(before), "{masked}");
    assert!(!masked.contains("hunter2") && !masked.contains(": x"), "{masked}");
    assert!(masked.ends_with("# - d # the end: of it\n"), "{masked}");
}

#[test]
fn secrets_with_unusual_line_breaks_are_masked() {
    for end in ["\r", "\u{85}", "\u{2028}"] {
        let text = "kind: Secret\nstringData:\n  a: hunter2\n".replacen('\n', end, 2);
        assert!(!masked(&text).contains("hunter2"), "{text:?}");
    }
}

/// Kustomize reads the first node of a document and ignores the lines after it.
#[test]
fn lines_ignored_by_the_parser_are_masked() {
    for text in [
        " kind: Secret\n stringData: {a: b}\nstringData:\n  a: hunter2\n",
        " kind: Secret\n---\nkind: List\nitems: []\n",
        "kind: Secret\nstringData:\n  a: x\n  # b: one\n  #c:\n  #- hunter2\n",
    ] {
        assert!(!masked(text).contains("hunter2"), "{text:?}");
    }
    let ends = "kind: Secret\nstringData: {a: &x b,\n  c: *x\n  }\n# d\n...\n---\na:\n";
    let expected = ends.replace("&x b", "&x <secret>");
    assert_eq!(masked(ends), expected);
}

#[test]
fn file_of_unknown_purpose_is_masked() {
    let secrets = Secrets::masked([7; 16]);
    let file = |name: &str, text: &str| {
        let masked = secrets.file(Path::new(name), text.as_bytes());
        Secrets::without_salt(&String::from_utf8_lossy(&masked))
    };
    let env = "# a\nA=b\nexport C=d\nZGF0YQ==\n\ntoken\n";
    let expected = "<secret>\nA=<secret>\n<secret>\n<secret>\n\n<secret>\n";
    assert_eq!(file("a.env", env), expected);
    assert_eq!(file("scalar.yaml", "token\n"), "<secret>\n");
    assert_eq!(file("other.yaml", "a: b\n"), "a: b\n");
    assert_eq!(secrets.mask_yaml("../base"), "../base");
}

#[test]
fn long_line_is_masked_in_linear_time() {
    let list: Vec<String> = (0..20_000).map(|at| format!("{{\"ä{at}\": \"x\"}}")).collect();
    let text = format!("{{\"items\": [{}]}}", list.join(", "));
    assert_eq!(masked(&text), text);
}

#[test]
fn a_value_is_masked_in_fields_but_names_and_parts_of_words_stay() {
    let mut secrets = Secrets::masked([7; 16]);
    let data = "stringData: {a: postgres, b: s3cret-key, c: short}\n";
    secrets.learn_resource(&secret(data), &SourceNumbers::default());
    let text = "kind: ConfigMap\nmetadata: {name: s3cret-key, labels: {app: postgres}}\ndata: {postgres: x, image: 'postgres:15', key: my-s3cret-key, word: short, name: 's3cret-key'}\n";
    let parsed = parse_nodes(text.as_bytes()).unwrap();
    let resource = Resource::new(parsed[0].clone(), &Scopes::default());
    let printed = Secrets::without_salt(&print_preserving_style(&secrets.masked_node(&resource)));
    let expected = text.replace("app: postgres", "app: <secret>");
    let expected = expected.replace("my-s3cret-key", "my-<secret>");
    let expected = expected.replace("name: 's3cret-key'", "name: <secret>");
    assert_eq!(printed, expected);
    assert_eq!(Secrets::without_salt(&secrets.mask_yaml(text)), expected);
}

#[test]
fn values_in_commented_out_entries_are_masked() {
    let text = "secretGenerator:\n# the first one\n#- name: a\n#  literals:\n#  - b=one\n#  - >-\n#    c=two\n#    three\n- name: d\n  literals:\n  #- e=four\n  - f=five\nimages:\n#- name: g\n";
    let expected = "secretGenerator:\n# the first one\n#- name: a\n#  literals:\n#  - b=<secret>\n#  - >-\n#    c=<secret>\n#    <secret>\n- name: d\n  literals:\n  #- e=<secret>\n  - f=<secret>\nimages:\n#- name: g\n";
    // Prose before an entry cannot be distinguished from the entry, so all consecutive comment
    // lines are masked.
    let text_alone = text.replace("# the first one\n", "");
    assert_eq!(masked(&text_alone), expected.replace("# the first one\n", ""));
    assert!(!masked(text).contains("two") && masked(text).ends_with("images:\n#- name: g\n"));
    let secret = "kind: Secret\nstringData:\n  a: one\n  # b: two\n";
    assert_eq!(masked(secret), "kind: Secret\nstringData:\n  a: <secret>\n  # b: <secret>\n");
}

/// A scalar that is parsed again as YAML must not be parsed for ever.
#[test]
fn scalar_that_parses_to_itself_is_searched_once() {
    for text in ["kind Secret:", "\"see Secret: x\"", "- |\n  about a Secret:\n  and more\n"] {
        let file = positions(text, true, true).map(|found| found.secret.len());
        assert!(file.is_none_or(|found| found <= 1), "{text}");
    }
}
