use super::*;

fn only_document(text: &str) -> Node {
    let mut file = parse_documents(text.as_bytes(), SourceId(7), Limits::default()).unwrap();
    assert_eq!(file.documents.len(), 1, "{text}");
    file.documents.remove(0).node
}

fn parse_error(text: &str) -> String {
    parse_documents(text.as_bytes(), SourceId(7), Limits::default()).unwrap_err().to_string()
}

/// Formats keys and values on one line, for comparison.
fn shown(node: &Node) -> String {
    if let Some(items) = node.items() {
        return format!("[{}]", items.iter().map(shown).collect::<Vec<_>>().join(" "));
    }
    if let Some(text) = node.text() {
        return text.to_owned();
    }
    let entries = node.entries().iter();
    let entries = entries.map(|entry| format!("{}:{}", shown(&entry.key), shown(&entry.value)));
    format!("{{{}}}", entries.collect::<Vec<_>>().join(" "))
}

#[test]
fn root_block_scalar_has_the_indentation_of_its_header() {
    assert_eq!(shown(&only_document("|1\n  a\n b\n")), " a\nb\n");
    assert_eq!(shown(&only_document("k: |1\n   a\n  b\n")), "{k:  a\n b\n}");
}

#[test]
fn aliases_are_copied_and_merge_keys_are_resolved() {
    assert_eq!(
        shown(&only_document("a: &x {b: 1}\nc: *x\nd: &x 2\ne: *x\n")),
        "{a:{b:1} c:{b:1} d:2 e:2}"
    );
    assert_eq!(
        shown(&only_document("m:\n  <<: [{a: 1, b: 1}, {b: 2, c: 2}]\n  a: 0\n")),
        "{m:{a:0 b:1 c:2}}"
    );
    assert_eq!(shown(&only_document("x: &x {a: 1}\nm: {a: 2, <<: *x}\n")), "{x:{a:1} m:{a:2}}");
    assert_eq!(shown(&only_document("m: {\"<<\": {a: 1}, b: 2}\n")), "{m:{b:2}}");
    // A repeated merge counts once.
    let mut merges = "m0: &m0 {a: 1}\n".to_owned();
    for index in 1..40 {
        let many = vec![format!("*m{}", index - 1); 9].join(", ");
        merges.push_str(&format!("m{index}: &m{index} {{<<: [{many}]}}\n"));
    }
    assert_eq!(shown(only_document(&merges).get("m39").unwrap()), "{a:1}");
    assert_eq!(shown(&only_document("a: 1\na: 2\n")), "{a:1 a:2}");
    assert_eq!(parse_error("m: {<<: {a: 1}, <<: {b: 1}}\n"), "duplicate merge key");
    assert_eq!(
        parse_error("m: {<<: 5}\n"),
        "map merge requires map or sequence of maps as the value"
    );
    assert_eq!(
        parse_error("a: &x 5\nm: {<<: *x}\n"),
        "invalid map merge: received alias for a non-map value"
    );
    assert_eq!(parse_error("a: *x\n"), "yaml: unknown anchor 'x' referenced");
    assert_eq!(parse_error("a: &x 1\n---\nb: *x\n"), "yaml: unknown anchor 'x' referenced");
    assert_eq!(parse_error("a: &x [*x]\n"), "yaml: anchor 'x' value contains itself");
}

#[test]
fn nodes_have_file_line_and_column() {
    let node = only_document("a: 1\nlist:\n- é: x\n  y: z\n-   b\n");
    let place = |node: &Node| (node.mark.source.0, node.mark.line, node.mark.column);
    assert_eq!(place(node.get("a").unwrap()), (7, 1, 4));
    let block = only_document("a: 1\nb: |  # c > d\n\n   x\n");
    assert_eq!(place(block.get("b").unwrap()), (7, 2, 4));
    let list = node.get("list").unwrap();
    assert_eq!(place(list), (7, 3, 1));
    assert_eq!(place(&list.items().unwrap()[0].entries()[1].key), (7, 4, 3));
    assert_eq!(place(list.items().unwrap()[0].get("é").unwrap()), (7, 3, 6));
    assert_eq!(place(&list.items().unwrap()[1]), (7, 5, 5));
}

#[test]
fn comments_are_attached_to_their_nodes() {
    let node = only_document(
        "# doc\n\n# above a\n# still\na: 1 # at a\n# foot a\n\n# above b\nb: # at b\n  # above c\n  - c # at c\n  # end of list\nd: {e: 1} # at d\n# end\n",
    );
    let comments = |node: &Node| {
        let comments = node.comments.as_deref().cloned().unwrap_or_default();
        (comments.head, comments.line, comments.foot)
    };
    let expect = |node: &Node, head: &str, line: &str, foot: &str| {
        assert_eq!(comments(node), (head.to_owned(), line.to_owned(), foot.to_owned()));
    };
    let entries = node.entries();
    expect(&node, "# doc", "", "");
    expect(&entries[0].key, "# above a\n# still", "", "# foot a");
    expect(&entries[0].value, "", "# at a", "");
    expect(&entries[1].key, "# above b", "# at b", "");
    expect(&entries[1].value.items().unwrap()[0], "# above c", "# at c", "# end of list");
    expect(&entries[2].key, "", "", "# end");
    expect(&entries[2].value, "", "# at d", "");
}

#[test]
fn syntax_errors_have_message_and_line_of_go_yaml() {
    let head = "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: a\n";
    let rows = [
        ("data: a: b\n", "line 5: mapping values are not allowed in this context"),
        ("data:\n\ta: b\n", "line 6: found character that cannot start any token"),
        ("data:\n  a: [b\n", "line 5: did not find expected ',' or ']'"),
        ("data:\n  a: 'b\n", "line 6: found unexpected end of stream"),
        ("data:\n  a: @b\n", "line 6: found character that cannot start any token"),
        ("data:\n  a: b\n c: d\n", "line 6: did not find expected key"),
        ("data:\n  a\n  b: c\n", "line 7: mapping values are not allowed in this context"),
        ("data:\n  a: \"\\q\"\n", "line 6: found unknown escape character"),
        ("data:\n- a\nb\n", "line 7: could not find expected ':'"),
        ("data:\n  a: [b]]\n", "line 5: did not find expected key"),
        ("data:\n  a: b: c\n", "line 6: mapping values are not allowed in this context"),
        ("data: %a\n", "line 5: found character that cannot start any token"),
        ("data:\n  : a\n", "line 5: did not find expected key"),
        (
            "data:\n  a: |\n    \tb\n",
            "line 6: found a tab character where an indentation space is expected",
        ),
        ("data:\n  a: b\n\t# c\n", "line 6: found a tab character that violates indentation"),
        ("data:\n  - \ta\n", "line 6: found character that cannot start any token"),
        ("data:\n  a: \"\\/\"\n", "line 6: found unknown escape character"),
        ("data: \u{1}\n", "control characters are not allowed"),
    ];
    let wrong: Vec<_> = rows
        .iter()
        .map(|(text, words)| {
            (parse_error(&format!("{head}{text}")), format!("yaml: {words}"), *text)
        })
        .filter(|(found, expected, _)| found != expected)
        .collect();
    assert!(wrong.is_empty(), "{wrong:#?}");
    let error = parse_documents(b"a: b\n---\nc: d: e\n", SourceId(1), Limits::default());
    let error = error.unwrap_err();
    assert_eq!((error.line, error.column), (3, 5));
    for text in [&b"\xff\xfea"[..], b"\xff\xfe\x00\xd8a\x00", b"\xfe\xff\xdc\x00"] {
        let error = parse_documents(text, SourceId(1), Limits::default()).unwrap_err();
        assert_eq!(error.to_string(), "yaml: incomplete UTF-16 character");
    }
    let error = parse_documents(b"a: \xff\n", SourceId(1), Limits::default()).unwrap_err();
    assert_eq!(error.to_string(), "yaml: invalid leading UTF-8 octet");
}

#[test]
fn unusual_syntax_that_go_yaml_accepts_is_accepted() {
    let rows = [
        ("{a:1,b: c}\n", "{a:1: b:c}"),
        ("a: b # c\n# d\n...\n", "{a:b}"),
        ("{\n\t\"a\":\t[1,\t2]\n}\n", "{a:[1 2]}"),
        ("? a\n: b\n?\n", "{a:b :}"),
        ("a: |\n  x\n\n  y\n", "{a:x\n\ny\n}"),
        ("a: >-\n  x\n  y\n", "{a:x y}"),
        ("a: \"b\nc\n  ---\n\td\"\n", "{a:b c --- d}"),
        ("a: 'b'#c\nd: [e,#f\n g]\n", "{a:b d:[e g]}"),
        ("a: \"it\\'s\"\n", "{a:it's}"),
        ("a: [-]\n", "{a:[-]}"),
        ("a: |\n  b\n  \tc\nd: |\n   e\n", "{a:b\n\tc\n d:e\n}"),
        ("?\n: b\n? # c\n: d\n", "{:b :d}"),
        ("a:\n- b\n-\n", "{a:[b ]}"),
        ("a: &x k\nl:\n# c\n- *x : 1\n", "{a:k l:[{k:1}]}"),
        ("a: \"b\\L  c\"\n", "{a:b\u{2028}  c}"),
    ];
    for (text, expected) in rows {
        assert_eq!(shown(&only_document(text)), expected, "{text}");
    }
}

/// Inputs that expand or nest without limit: an error, or a result within the usual time.
#[test]
fn hostile_input_is_refused_without_delay() {
    let mut bomb = "a: &a [x,x,x,x,x,x,x,x,x,x]\n".to_owned();
    for (this, before) in "bcdefghij".chars().zip("abcdefghi".chars()) {
        bomb.push_str(&format!("{this}: &{this} [{}]\n", vec![format!("*{before}"); 10].join(",")));
    }
    assert_eq!(parse_error(&bomb), "yaml: document contains excessive aliasing");
    for text in
        ["[", "{a: ", "- ", "? ", "{", "a:\n- ", "&a ", "!!x ", "*a ", "#\n", "%", "\"", "---\n"]
    {
        let _ = parse_documents(text.repeat(50_000).as_bytes(), SourceId(1), Limits::default());
        let _ = parse_config(text.repeat(50_000).as_bytes(), SourceId(1), Limits::default());
    }
    let mut chain = "a0: &a0 []\n".to_owned();
    for index in 1..2000 {
        let (open, close) = ("[".repeat(200), "]".repeat(200));
        chain.push_str(&format!("a{index}: &a{index} {open}*a{}{close}\n", index - 1));
    }
    assert_eq!(parse_error(&chain), "yaml: exceeded max depth of 250");
    let long = format!("a: &a {}\nb: [{}]\n", "x".repeat(100_000), "*a,".repeat(10_000));
    assert_eq!(parse_error(&long), "yaml: document contains excessive aliasing");
    let some = format!("a: &a [x,x,x]\nb: [{}]\n", "*a,".repeat(100_000));
    let some = format!("{some}---\n{some}---\n{some}");
    assert_eq!(parse_error(&some), "yaml: document contains excessive aliasing");
    let small = Limits { bytes: 3, ..Limits::default() };
    assert!(parse_documents(b"a: bc", SourceId(1), small).is_err());
    let many: String = (0..500).map(|index| format!("# {index}\n\n")).collect();
    assert_eq!(shown(&only_document(&format!("{many}a: 1\n"))), "{a:1}");
}

fn parse_settings(dialect: YamlDialect) -> ParseSettings {
    let mut reading = ParseSettings::new(SourceId(1), dialect, Limits::default());
    reading.origin.writer = WriterId(2);
    ParseSettings { line: 3, ..reading }
}

fn parse_with_fast_path(text: &str, dialect: YamlDialect) -> Option<Node> {
    parse_fast_path(text.as_bytes(), parse_settings(dialect), &mut TextCache::for_text_size(64))
}

fn parse_with_full_parser(text: &str, dialect: YamlDialect) -> Option<Node> {
    let texts = &mut TextCache::for_text_size(64);
    Reader::new(text, parse_settings(dialect), texts).read().ok()?.0
}

#[test]
fn fast_path_result_equals_full_parser() {
    for text in [
        "a: 1\nb: x y\nc:\n  d: 'e f'\n  g:\nh:\n",
        "---\na:\n- b: 1\n  c: [\"x\", y/z, '1']\n-   d: {}\n    e: []\n- f\ng: h\n",
        "a:\n  - b\n  - c:\n    - d\n    - e\n\n  - \"f\"\ng: null\n",
        "- op: add\n  path: /a/b\n- op: remove\n  path: /c~1d\n",
        "a: |\n  one\n    two\n\n  three\n\n\nb:\n  c: |\n    x: y\n    - z\n  d: nginx:1.2\n",
        "  a: 1\n  b: -x\n  c: http://h:80/?q=[1]\n",
    ] {
        for dialect in [YamlDialect::V3, YamlDialect::V1_1] {
            let read = parse_with_fast_path(text, dialect);
            assert!(read.is_some(), "{text}");
            assert_eq!(read, parse_with_full_parser(text, dialect), "{text}");
        }
    }
}
