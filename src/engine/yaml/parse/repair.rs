//! Where go-yaml takes what the parser refuses: the text is changed so that it says the same and is taken.

use std::ops::Range;

use granit_parser::{ErrorKind, ScanError};

use super::super::Node;

/// Bytes to put in the place of others. Lines stay where they are.
pub(super) struct Edit {
    range: Range<usize>,
    text: &'static str,
}

impl Edit {
    /// True for a byte-order mark that the parser does not see.
    pub(super) fn hides_mark(&self) -> bool {
        self.text == STAND_IN
    }

    pub(super) fn apply(&self, text: &str) -> String {
        let mut out = String::with_capacity(text.len() + self.text.len());
        out.push_str(&text[..self.range.start]);
        out.push_str(self.text);
        out.push_str(&text[self.range.end..]);
        out
    }
}

const BOM: char = '\u{feff}';

/// A character that Unicode leaves to programs, as long as a byte-order mark.
pub(super) const STAND_IN: &str = "\u{fdd0}";

/// Deep enough for most; the next refusal of the same line adds as much again.
const INDENT: &str = "                                        ";

/// How many edits a text of this size may cost: each one means another reading.
pub(super) fn most_edits(length: usize) -> usize {
    ((32 << 20) / length.max(1)).clamp(4, 4000)
}

/// The change after which go-yaml's reading of the text remains, if the refusal is one of those.
pub(super) fn edit(text: &str, error: &ScanError) -> Option<Edit> {
    let at = error.marker().byte_offset()?;
    let rest = text.get(at..)?;
    match error.kind() {
        // Indentation inside quotes is folded away, so more of it changes nothing.
        ErrorKind::InvalidQuotedScalarIndent => {
            let first = at == 0 || text.as_bytes()[at - 1] == b'\n';
            let end = rest.trim().is_empty() || first && is_document_indicator(rest);
            (!end).then_some(Edit { range: at..at, text: INDENT })
        }
        // This refusal is about quotes only.
        ErrorKind::TabInIndentation => Some(Edit { range: at..at + 1, text: INDENT }),
        ErrorKind::PlainScalarStartsWithDashFlowIndicator => {
            Some(Edit { range: at..at + 1, text: "'-'" })
        }
        ErrorKind::CommentNotSeparated => Some(Edit { range: at..at, text: " " }),
        ErrorKind::UnknownQuotedScalarEscape => {
            let quote = single_quote_escape(rest)?;
            Some(Edit { range: at + quote..at + quote + 1, text: "" })
        }
        // go-yaml passes over one at the start of a line; anywhere else a plain scalar begins with it.
        ErrorKind::BomInsideDocument if rest.starts_with(BOM) && !text[..at].ends_with('\n') => {
            Some(Edit { range: at..at + BOM.len_utf8(), text: STAND_IN })
        }
        _ => None,
    }
}

/// What a node has where a byte-order mark was replaced.
pub(super) fn restore_marks(node: &mut Node) {
    if let Some(scalar) = node.as_scalar_mut() {
        if scalar.text.contains(STAND_IN) {
            scalar.text = scalar.text.replace(STAND_IN, "\u{feff}").into();
        }
    } else if let Some(items) = node.items_mut() {
        items.iter_mut().for_each(restore_marks);
    } else if let Some(mapping) = node.as_mapping_mut() {
        for entry in &mut mapping.entries {
            restore_marks(&mut entry.key);
            restore_marks(&mut entry.value);
        }
    }
}

/// A `---` or `...` that stands alone at the start of a line.
pub(super) fn is_document_indicator(line: &str) -> bool {
    line.strip_prefix("---")
        .or_else(|| line.strip_prefix("..."))
        .is_some_and(|rest| rest.is_empty() || rest.starts_with([' ', '\t', '\r', '\n']))
}

/// Where the first `\'` of a double-quoted scalar stands.
fn single_quote_escape(quoted: &str) -> Option<usize> {
    let bytes = quoted.as_bytes();
    let mut at = 1;
    while at + 1 < bytes.len() {
        match (bytes[at], bytes[at + 1]) {
            (b'"', _) => return None,
            (b'\\', b'\'') => return Some(at),
            (b'\\', _) => at += 2,
            _ => at += 1,
        }
    }
    None
}
