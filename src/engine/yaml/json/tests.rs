use super::*;
use crate::yaml::MappingEntry;

fn mapping(entries: Vec<(Node, Node)>) -> Node {
    let mut node = Node::mapping();
    for (key, value) in entries {
        node.as_mapping_mut().unwrap().entries.push(MappingEntry { key, value });
    }
    node
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
