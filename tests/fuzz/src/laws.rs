//! Laws that hold for any tree.

use kzui::engine::yaml::{
    Limits, MappingEntry, Node, SourceId, Style, YamlError, from_json, parse_documents,
    print_documents, print_output, to_json, to_json_pretty,
};

/// Line breaks of YAML 1.1 that are none in later versions.
const BREAKS: [char; 3] = ['\u{85}', '\u{2028}', '\u{2029}'];

/// Little room for aliases, so that what would take long elsewhere is found here.
pub(crate) fn limits() -> Limits {
    Limits { alias_nodes: 10_000, ..Limits::default() }
}

/// The resource or patch, and what stands behind the first line of dashes.
pub(crate) fn split_at_dashes(bytes: &[u8]) -> (&[u8], &[u8]) {
    match bytes.windows(5).position(|window| window == b"\n---\n") {
        Some(at) => (&bytes[..=at], &bytes[at + 5..]),
        None => (bytes, &[]),
    }
}

/// Calls `each` for every node of a tree, keys included, with how deep it stands.
pub(crate) fn walk(node: &Node, depth: usize, each: &mut dyn FnMut(&Node, usize)) {
    each(node, depth);
    for item in node.items().unwrap_or_default() {
        walk(item, depth + 1, each);
    }
    for MappingEntry { key, value } in node.entries() {
        walk(key, depth + 1, each);
        walk(value, depth + 1, each);
    }
}

/// Every node is from one of the files, at a line that the file has.
pub(crate) fn assert_marks_are_valid(node: &Node, files: &[(SourceId, &[u8])]) {
    let lines: Vec<usize> = files.iter().map(|(_, text)| lines(text)).collect();
    walk(node, 0, &mut |node, _| {
        let mark = node.mark;
        let file = files.iter().position(|(source, _)| *source == mark.source);
        let file = file.unwrap_or_else(|| panic!("nobody wrote {node:?}"));
        let line = usize::try_from(mark.line).expect("a line is a small number");
        assert!((1..=lines[file]).contains(&line), "no line {line} in the file of {node:?}");
    });
}

/// Printing, Kustomize loses the sign of a zero, and the difference between the line breaks of YAML 1.1.
fn assert_same_json(
    read: &Result<String, YamlError>,
    node: &Result<String, YamlError>,
    text: &str,
) {
    let is_kept = |json: &&String| !json.contains('\u{85}');
    let both = (read.as_ref().ok().filter(is_kept), node.as_ref().ok().filter(is_kept));
    if let (Some(read), Some(node)) = both {
        assert_eq!(unsigned(read.clone()), unsigned(node.clone()), "printed:\n{text}");
    }
}

/// A zero that was an integer for a moment has no sign any more.
fn unsigned(json: String) -> String {
    json.replace("-0", "0")
}

/// How many lines a text has, with everything counted that a YAML reader might take for a line's end.
fn lines(text: &[u8]) -> usize {
    1 + text.iter().filter(|byte| matches!(byte, b'\n' | b'\r' | 0x85 | 0xa8 | 0xa9)).count()
}

/// True when a text somewhere is a block with line breaks at its end, however it is printed.
fn keeps_breaks(node: &Node) -> bool {
    let mut found = false;
    walk(node, 0, &mut |node, _| {
        let is_block = |style| matches!(style, Style::Literal | Style::Folded);
        let keeps = |text: &str| text.ends_with("\n\n") || text == "\n";
        found |= node.as_scalar().is_some_and(|it| is_block(it.style) && keeps(&it.text));
    });
    found
}

/// True when a key somewhere is `<<`, which was a text when it was read: any other is gone.
fn has_merge_key(node: &Node) -> bool {
    let mut found = false;
    walk(node, 0, &mut |node, _| {
        found |= node.entries().iter().any(|entry| entry.key.text() == Some("<<"));
    });
    found
}

/// What is printed reads as the tree that was printed, and prints the same again. JSON reads as itself.
pub(crate) fn assert_print_round_trip(node: &Node) {
    if let Ok(json) = to_json(node) {
        let read = from_json(&json).unwrap_or_else(|error| panic!("{json} is no JSON: {error}"));
        let pretty = to_json_pretty(node).expect("what can be compact can be pretty");
        let again = from_json(&pretty).expect("pretty JSON is JSON");
        assert_eq!(to_json(&read).map(unsigned), Ok(unsigned(json.clone())));
        assert!(read.same_content(&again), "{json} and {pretty}");
    }
    let Ok(text) = print_output(node) else { return };
    // A line of a block that begins with a line break of YAML 1.1: the reader takes the block to end there.
    if text.lines().any(|line| line.trim_start_matches(' ').starts_with(BREAKS)) {
        return;
    }
    // Kustomize does not quote a key `<<` that is a text, and merges what stands there when it reads it, where that is a mapping.
    if has_merge_key(node) {
        return;
    }
    let file = parse_documents(text.as_bytes(), SourceId(9), Limits::default());
    let file = file.unwrap_or_else(|error| panic!("{error}, printed:\n{text}"));
    // Kustomize writes such a text without quotes, and reads it as a number.
    if ["0o-", "0o+"].iter().any(|sign| text.contains(sign)) {
        return;
    }
    // It takes a comment behind a block that keeps the line breaks at its end for one more of them.
    if node.has_comments() && keeps_breaks(node) {
        return;
    }
    let again = print_documents(file.documents.iter().map(|document| &document.node));
    if file.documents.is_empty() {
        assert_eq!(text, "null\n");
    } else {
        assert_eq!(again.as_deref(), Ok(text.as_str()));
        assert_same_json(&to_json(&file.documents[0].node), &to_json(node), &text);
    }
}
