use super::*;
use crate::yaml::MappingEntry;

fn mapping(entries: Vec<(Node, Node)>) -> Node {
    let mut node = Node::mapping();
    for (key, value) in entries {
        node.as_mapping_mut().unwrap().entries.push(MappingEntry { key, value });
    }
    node
}

/// The page `hash/input-of-hash` has no line separators and numbers.
#[test]
fn json_text_for_hashes_is_escaped_as_in_go() {
    let node = mapping(vec![
        (Node::string("h"), Node::string("<a>&b é☃\u{2028}")),
        (Node::string("n"), Node::plain("3.0e2")),
        (Node::string("f"), Node::plain("1e-7")),
    ]);
    assert_eq!(
        to_json(&node).unwrap(),
        r#"{"f":1e-7,"h":"\u003ca\u003e\u0026b é☃\u2028","n":300}"#
    );
}

#[test]
fn pretty_json_equals_marshal_indent_of_go() {
    let node = mapping(vec![
        (Node::string("b"), Node::sequence(vec![Node::plain("1"), Node::mapping()])),
        (Node::string("a"), Node::sequence(vec![])),
    ]);
    assert_eq!(
        to_json_pretty(&node).unwrap(),
        "{\n  \"a\": [],\n  \"b\": [\n    1,\n    {}\n  ]\n}"
    );
}
