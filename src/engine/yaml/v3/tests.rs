use super::super::{Limits, SourceId, parse_documents};
use super::*;

fn assert_reprints_unchanged(text: &str) {
    let file = parse_documents(text.as_bytes(), SourceId::NONE, Limits::default()).unwrap();
    assert_eq!(print_preserving_style(&file.documents[0].node), text);
}

#[test]
fn go_yaml_v3_output_reprints_unchanged() {
    assert_reprints_unchanged(concat!(
        "# head\n",
        "\n",
        "b: 1 # line\n",
        "a:\n",
        "- x\n",
        "- y: 'single'\n",
        "  z: \"1\"\n",
        "- - nested\n",
        "- {a: b, c: [d, '']}\n",
        "- []\n",
        "text: |-\n",
        "  one\n",
        "\n",
        "    two\n",
        "empty:\n",
        "more: >\n",
        "  folded text\n",
        "\n",
        "tagged: !!str 5\n",
        "lines: 'multi\n",
        "\n",
        "  line'\n",
        "\"a\\tb\": x\n",
        "# foot\n",
    ));
}

#[test]
fn strings_that_look_like_other_types_are_quoted() {
    let node = Node::sequence(
        ["1", "true", "yes", "", " x", "a: b", "2020-01-01", "a\nb\n", "it's #1", "-"]
            .map(Node::string)
            .to_vec(),
    );
    assert_eq!(
        print_preserving_style(&node),
        "- \"1\"\n- \"true\"\n- yes\n- \"\"\n- ' x'\n- 'a: b'\n- \"2020-01-01\"\n- |\n  a\n  b\n- it's #1\n- '-'\n"
            .replace("it's #1", "'it''s #1'")
    );
}
