//! Laws of the YAML reader and printer.

use kzui::engine::yaml::{Node, SourceId, parse_config, parse_documents, print_preserving_style};

use super::laws::{assert_marks_are_valid, assert_print_round_trip, limits, walk};

/// Reads any bytes as resources and as configuration. Every node has a valid mark. The fast reader
/// for simple texts and the full parser have the same result.
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
    // The fast reader may have read such a text. A document end mark forces the full parser.
    let is_tame = |byte: &u8| matches!(byte, b'\n' | b' '..=b'~') && *byte != b'#';
    let one_piece = !bytes.windows(4).any(|window| window == b"\n---");
    // A document end mark without a document is an error.
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
    // The line ends of a UTF-16 text cannot be counted by bytes.
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

/// A text that can be read is printed or refused. The printed text is printed again unchanged.
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
