//! Laws that hold for any tree.

use kzui::engine::yaml::{
    Limits, MappingEntry, Node, SourceId, Style, YamlError, from_json, parse_documents,
    print_documents, print_output, to_json, to_json_pretty,
};

/// Characters that are line breaks in YAML 1.1 and not in later versions.
const LINE_BREAKS: [char; 3] = ['\u{85}', '\u{2028}', '\u{2029}'];

/// A low limit for aliases, so that inputs that would be slow with the usual limit fail here.
pub(crate) fn limits() -> Limits {
    Limits { alias_nodes: 10_000, ..Limits::default() }
}

/// The bytes before and after the first line `---`.
pub(crate) fn split_at_dashes(bytes: &[u8]) -> (&[u8], &[u8]) {
    match bytes.windows(5).position(|window| window == b"\n---\n") {
        Some(at) => (&bytes[..=at], &bytes[at + 5..]),
        None => (bytes, &[]),
    }
}

/// Calls `each` for every node of a tree, including keys, with its depth.
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

/// The mark of every node names one of the files, and a line that exists in it.
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

/// The text that was read back has the same JSON as the node, except for two differences that
/// Kustomize makes when it prints: the sign of a zero, and the kind of line break of YAML 1.1.
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

/// The JSON without the signs of zeros: a zero loses its sign if it is converted to an integer.
fn unsigned(json: String) -> String {
    json.replace("-0", "0")
}

/// An upper bound of the number of lines: every byte that may be part of a YAML line break is
/// counted.
fn lines(text: &[u8]) -> usize {
    1 + text.iter().filter(|byte| matches!(byte, b'\n' | b'\r' | 0x85 | 0xa8 | 0xa9)).count()
}

/// True if the tree contains a block scalar that ends with empty lines.
fn keeps_breaks(node: &Node) -> bool {
    let mut found = false;
    walk(node, 0, &mut |node, _| {
        let is_block = |style| matches!(style, Style::Literal | Style::Folded);
        let keeps = |text: &str| text.ends_with("\n\n") || text == "\n";
        found |= node.as_scalar().is_some_and(|it| is_block(it.style) && keeps(&it.text));
    });
    found
}

/// True if the tree contains a key `<<`. It was quoted in the source, because the reader resolves a
/// merge key.
fn has_merge_key(node: &Node) -> bool {
    let mut found = false;
    walk(node, 0, &mut |node, _| {
        found |= node.entries().iter().any(|entry| entry.key.text() == Some("<<"));
    });
    found
}

/// The printed node can be read again, with the same content, and is printed the same again. The
/// same holds for JSON.
pub(crate) fn assert_print_round_trip(node: &Node) {
    if let Ok(json) = to_json(node) {
        let read = from_json(&json).unwrap_or_else(|error| panic!("{json} is no JSON: {error}"));
        let pretty = to_json_pretty(node).expect("what can be compact can be pretty");
        let again = from_json(&pretty).expect("pretty JSON is JSON");
        assert_eq!(to_json(&read).map(unsigned), Ok(unsigned(json.clone())));
        assert!(read.same_content(&again), "{json} and {pretty}");
    }
    let Ok(text) = print_output(node) else { return };
    // The reader ends a block scalar at a line that begins with a line break of YAML 1.1.
    if text.lines().any(|line| line.trim_start_matches(' ').starts_with(LINE_BREAKS)) {
        return;
    }
    // Kustomize does not quote a key `<<`. When it reads the text again, it treats it as a merge
    // key.
    if has_merge_key(node) {
        return;
    }
    let file = parse_documents(text.as_bytes(), SourceId(9), Limits::default());
    let file = file.unwrap_or_else(|error| panic!("{error}, printed:\n{text}"));
    // Kustomize writes such a string without quotes, and reads it as a number.
    if ["0o-", "0o+"].iter().any(|sign| text.contains(sign)) {
        return;
    }
    // These characters end no line when a text is read; the printer is that of Kustomize.
    if text.contains(['\u{85}', '\u{2028}', '\u{2029}']) {
        return;
    }
    // If a comment follows a block scalar that ends with empty lines, Kustomize reads one more
    // empty line.
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
