//! Values that are set, added and removed, with all other bytes unchanged.

use super::*;

const TEXT: &str = "\
kind: Composition
transformerOverrides:
# the next version
- apiVersion: a/v1
  kind: Web # as it is
  metadata: {name: orders}
  spec:
    # one is enough
    image: orders:1.5 # keep
    hosts:
    - a
    - b
    note: |
      two
      lines

    mode: 'fast, # really'
# and the next
- kind: B
  spec: {a: 1, b: [x, {c: '}'}]}
other: true
";

/// Sets one value of an entry of [`TEXT`]; `None` removes the value.
fn try_set(index: usize, path: &str, value: Option<&str>) -> Result<Vec<u8>, OutlineError> {
    let value = value.map(|text| crate::yaml::parse_nodes(text.as_bytes()).unwrap().remove(0));
    let path = path.split('.').map(str::to_owned).collect();
    let change = [ValueChange { path, value }];
    Outline::set_values(TEXT.as_bytes(), "transformerOverrides", index, &change)
}

fn set(index: usize, path: &str, value: Option<&str>) -> String {
    String::from_utf8(try_set(index, path, value).unwrap()).unwrap()
}

/// The text with one part replaced by another.
fn text(from: &str, to: &str) -> String {
    assert_eq!(TEXT.matches(from).count(), 1, "{from}");
    TEXT.replace(from, to)
}

#[test]
fn value_is_replaced_in_place() {
    let image = text("image: orders:1.5 # keep", "image: orders:2.0 # keep");
    assert_eq!(set(0, "spec.image", Some("orders:2.0")), image);
    assert_eq!(set(0, "spec.mode", Some("slow")), text("'fast, # really'", "slow"));
    assert_eq!(
        set(0, "spec.hosts", Some("[c]")),
        text("hosts:\n    - a\n    - b\n", "hosts: [c]\n")
    );
    assert_eq!(
        set(0, "spec.note", Some("one")),
        text("note: |\n      two\n      lines\n", "note: one\n")
    );
    assert_eq!(set(0, "metadata.name", Some("'a, b'")), text("{name: orders}", "{name: 'a, b'}"));
    assert_eq!(set(1, "spec.b", Some("2")), text("[x, {c: '}'}]", "2"));
}

#[test]
fn value_below_an_empty_document_is_replaced() {
    let text = "---\n# licence\n---\nkind: A\nspec: {a: 1}\n";
    let path = ["spec", "a"].map(str::to_owned).to_vec();
    let change = ValueChange { path, value: Some(crate::yaml::Node::string("b")) };
    let edited = Outline::set_field(text.as_bytes(), &change).unwrap();
    assert_eq!(String::from_utf8(edited).unwrap(), text.replace('1', "b"));
}

#[test]
fn missing_value_is_added_after_the_others() {
    let port = text("    mode: 'fast, # really'\n", "    mode: 'fast, # really'\n    port: 8080\n");
    assert_eq!(set(0, "spec.port", Some("8080")), port);
    let deep =
        text("    mode: 'fast, # really'\n", "    mode: 'fast, # really'\n    a:\n      b: c\n");
    assert_eq!(set(0, "spec.a.b", Some("c")), deep);
    assert_eq!(set(1, "spec.c.d", Some("x")), text("{a: 1, b", "{c: {d: x}, a: 1, b"));
    let metadata = text("'}'}]}\n", "'}'}]}\n  metadata:\n    name: b\n");
    assert_eq!(set(1, "metadata.name", Some("b")), metadata);
}

#[test]
fn only_the_removed_value_disappears() {
    assert_eq!(set(0, "spec.image", None), text("    image: orders:1.5 # keep\n", ""));
    assert_eq!(set(0, "spec.hosts", None), text("    hosts:\n    - a\n    - b\n", ""));
    assert_eq!(set(0, "metadata.name", None), text("  metadata: {name: orders}\n", ""));
    assert_eq!(set(1, "spec.a", None), text("a: 1, ", ""));
    assert_eq!(set(1, "spec.b", None), text(", b: [x, {c: '}'}]", ""));
    assert_eq!(set(1, "spec.z", None), TEXT);
}
