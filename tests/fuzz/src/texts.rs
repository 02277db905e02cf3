//! Texts to trees and back.

use kzui::engine::yaml::{Node, SourceId, parse_config, parse_documents, print_preserving_style};

use super::laws::{assert_marks_are_valid, assert_print_round_trip, limits, walk};

/// Any bytes, read as resources and as configuration: every node has its place, and the two readers agree.
pub fn parse(bytes: &[u8]) {
    let file = parse_documents(bytes, SourceId(1), limits());
    assert_eq!(file, parse_documents(bytes, SourceId(1), limits()));
    if let Ok(file) = &file {
        assert!(file.documents.len() <= file.pieces);
        for document in &file.documents {
            assert_sound(&document.node, bytes);
        }
    }
    let config = parse_config(bytes, SourceId(1), limits());
    assert_eq!(config, parse_config(bytes, SourceId(1), limits()));
    if let Ok(Some(config)) = &config {
        assert_sound(config, bytes);
    }
    // Texts that the reader of tame shapes may have read; the end of the document sends them to the other one.
    let is_tame = |byte: &u8| matches!(byte, b'\n' | b' '..=b'~') && *byte != b'#';
    let one_piece = !bytes.windows(4).any(|window| window == b"\n---");
    // An end of a document that has not begun is an error.
    let is_empty = bytes.trim_ascii().is_empty();
    if bytes.ends_with(b"\n") && bytes.iter().all(is_tame) && one_piece && !is_empty {
        let other = [bytes, b"...\n"].concat();
        if file.is_ok() {
            assert_eq!(file, parse_documents(&other, SourceId(1), limits()));
        }
        if config.is_ok() {
            assert_eq!(config, parse_config(&other, SourceId(1), limits()));
        }
    }
}

fn assert_sound(node: &Node, text: &[u8]) {
    // A UTF-16 text has its line ends in other bytes.
    if !matches!(text, [0xff, 0xfe, ..] | [0xfe, 0xff, ..]) {
        assert_marks_are_valid(node, &[(SourceId(1), text)]);
    }
    let mut nodes = 0_usize;
    walk(node, 0, &mut |_, depth| {
        nodes += 1;
        assert!(depth <= limits().depth * 2);
    });
    assert!(nodes <= text.len() * 4 + limits().alias_nodes * 4, "{nodes} nodes");
}

/// Whatever can be read is printed or refused, and what was printed is printed again as it is.
pub fn printer(bytes: &[u8]) {
    let Ok(file) = parse_documents(bytes, SourceId(1), limits()) else { return };
    for document in &file.documents {
        let node = &document.node;
        assert_print_round_trip(node);
        let text = print_preserving_style(node);
        let _ = parse_documents(text.as_bytes(), SourceId(2), limits());
    }
    if let Ok(Some(config)) = parse_config(bytes, SourceId(1), limits()) {
        let _ = print_preserving_style(&config);
    }
}
