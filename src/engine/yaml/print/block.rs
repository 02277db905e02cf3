//! The layout of the output: two-space indent, sequences in mappings not indented, long keys after
//! `?`.

use std::borrow::Cow;
use std::fmt::Write as _;

use super::super::{
    Mapping, MappingEntry, Node, Style, Value, YamlCause, YamlError, mapping_with_merges_applied,
};
use super::keys::{MAX_SIMPLE_KEY_BYTES, MappingLevel, decode_keys, sort_naturally};
use super::plain_text::{PlainScalar, is_before, is_word, plain_unchanged};
use super::quote::{FoldPolicy, PrintedText, is_refused_in_json};
use super::value::{Decoded, ScalarPosition, decode, failure, go_general, go_json};

/// Appends the printed node to `out`, which must be empty or end with a line break.
pub(super) fn print_into(node: &Node, out: String) -> Result<String, YamlError> {
    let mut printer = BlockPrinter { page: PrintedText::after_line_end(out), order: Vec::new() };
    printer.root(node)?;
    Ok(printer.page.out)
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum CollectionStart {
    Line,
    /// After `- ` or `: `.
    Inline,
}

struct BlockPrinter {
    page: PrintedText,
    /// The sorted entry indices of all open mappings that are nested in another one.
    order: Vec<usize>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum EntryOrder {
    Written,
    /// The sorted indices are at the end of [`BlockPrinter::order`].
    Sorted,
}

impl BlockPrinter {
    fn root(&mut self, node: &Node) -> Result<(), YamlError> {
        match &node.value {
            Value::Mapping(mapping) if !mapping.entries.is_empty() => {
                self.mapping(mapping, 0, MappingLevel::Root, false, CollectionStart::Line)
            }
            Value::Sequence(items, style) if !items.is_empty() => {
                self.sequence(items, 0, *style == Style::Flow, CollectionStart::Line)
            }
            // Only at the root are a scalar's further lines not indented by a collection.
            _ => self.leaf(node, 2, false),
        }
    }

    /// The order of entries whose keys are distinct words without comments; `None` for other keys.
    fn order(&mut self, entries: &[MappingEntry]) -> Option<EntryOrder> {
        let text = |at: usize| entries[at].key.text().unwrap_or_default();
        let mut is_written = true;
        for (at, MappingEntry { key, .. }) in entries.iter().enumerate() {
            if key.comments.is_some() || !key.as_scalar().is_some_and(is_word) {
                return None;
            }
            is_written = is_written && (at == 0 || is_before(text(at - 1), text(at)));
        }
        if is_written {
            return Some(EntryOrder::Written);
        }
        let first = self.order.len();
        self.order.extend(0..entries.len());
        let order = &mut self.order[first..];
        order.sort_unstable_by(|one, other| text(*one).cmp(text(*other)));
        if order.windows(2).all(|pair| is_before(text(pair[0]), text(pair[1]))) {
            return Some(EntryOrder::Sorted);
        }
        self.order.truncate(first);
        None
    }

    fn mapping(
        &mut self,
        mapping: &Mapping,
        indent: usize,
        level: MappingLevel,
        flow: bool,
        start: CollectionStart,
    ) -> Result<(), YamlError> {
        let flow = flow || mapping.style == Style::Flow;
        let entries = &mapping.entries;
        if let Some(order) = self.order(entries) {
            let first =
                self.order.len() - if order == EntryOrder::Sorted { entries.len() } else { 0 };
            for number in 0..entries.len() {
                let at =
                    if order == EntryOrder::Sorted { self.order[first + number] } else { number };
                if number > 0 || start == CollectionStart::Line {
                    self.page.push_spaces(indent);
                }
                let MappingEntry { key, value } = &entries[at];
                self.page.out.push_str(key.text().unwrap_or_default());
                self.page.out.push(':');
                self.value_after_key(value, indent, flow)?;
            }
            self.order.truncate(first);
            return Ok(());
        }
        if let Some(merged) = mapping_with_merges_applied(mapping) {
            return self.mapping(&merged, indent, level, flow, start);
        }
        let mut keys = decode_keys(mapping, level, flow)?;
        sort_naturally(&mut keys);
        let mut start = start;
        for (key, index) in keys {
            let entry = &mapping.entries[index];
            if start == CollectionStart::Line {
                self.page.push_spaces(indent);
            }
            start = CollectionStart::Line;
            self.entry(&entry.key, &key, &entry.value, indent, flow)?;
        }
        Ok(())
    }

    fn entry(
        &mut self,
        node: &Node,
        key: &str,
        value: &Node,
        indent: usize,
        flow: bool,
    ) -> Result<(), YamlError> {
        check_text(node, key)?;
        let simple = key.len() <= MAX_SIMPLE_KEY_BYTES
            && !key.contains(['\n', '\r', '\u{2028}', '\u{2029}']);
        if simple {
            self.page.string(key, indent, FoldPolicy::Never);
            self.page.out.push(':');
            return self.value_after_key(value, indent, flow);
        }
        self.page.out.push_str("? ");
        self.text(key, indent + 2);
        self.page.push_spaces(indent);
        self.page.out.push_str(": ");
        self.inline(value, indent, flow)
    }

    /// Prints the value after a key that is on one line with its colon.
    fn value_after_key(
        &mut self,
        value: &Node,
        indent: usize,
        flow: bool,
    ) -> Result<(), YamlError> {
        match &value.value {
            Value::Mapping(mapping) if !mapping.entries.is_empty() => {
                self.page.newline();
                self.mapping(mapping, indent + 2, MappingLevel::Nested, flow, CollectionStart::Line)
            }
            Value::Sequence(items, style) if !items.is_empty() => {
                self.page.newline();
                let flow = flow || *style == Style::Flow;
                self.sequence(items, indent, flow, CollectionStart::Line)
            }
            _ => {
                self.page.out.push(' ');
                self.leaf(value, indent + 2, flow)
            }
        }
    }

    fn sequence(
        &mut self,
        items: &[Node],
        indent: usize,
        flow: bool,
        start: CollectionStart,
    ) -> Result<(), YamlError> {
        let mut start = start;
        for item in items {
            if start == CollectionStart::Line {
                self.page.push_spaces(indent);
            }
            start = CollectionStart::Line;
            self.page.out.push_str("- ");
            self.inline(item, indent, flow)?;
        }
        Ok(())
    }

    /// Prints a value after `- ` or `: `, where a collection starts on the same line.
    fn inline(&mut self, node: &Node, indent: usize, flow: bool) -> Result<(), YamlError> {
        match &node.value {
            Value::Mapping(mapping) if !mapping.entries.is_empty() => self.mapping(
                mapping,
                indent + 2,
                MappingLevel::Nested,
                flow,
                CollectionStart::Inline,
            ),
            Value::Sequence(items, style) if !items.is_empty() => {
                let flow = flow || *style == Style::Flow;
                self.sequence(items, indent + 2, flow, CollectionStart::Inline)
            }
            _ => self.leaf(node, indent + 2, flow),
        }
    }

    /// Prints a scalar or an empty collection, with the end of its line.
    fn leaf(&mut self, node: &Node, indent: usize, flow: bool) -> Result<(), YamlError> {
        let scalar = match &node.value {
            Value::Scalar(scalar) => scalar,
            Value::Mapping(_) => {
                self.page.out.push_str("{}");
                self.page.newline();
                return Ok(());
            }
            Value::Sequence(..) => {
                self.page.out.push_str("[]");
                self.page.newline();
                return Ok(());
            }
        };
        match plain_unchanged(scalar) {
            Some(PlainScalar::Number(number)) => {
                self.page.out.push_str(number);
                self.page.newline();
                return Ok(());
            }
            Some(PlainScalar::Text(text)) => {
                let text = text_read_by_v2(node, text)?;
                self.text(&text, indent);
                return Ok(());
            }
            None => {}
        }
        let place = if flow { ScalarPosition::Flow } else { ScalarPosition::Block };
        let out = &mut self.page.out;
        match decode(node, scalar, place)? {
            Decoded::Null => out.push_str("null"),
            Decoded::Bool(value) => out.push_str(if value { "true" } else { "false" }),
            Decoded::Int(value) => {
                // Writing to a `String` cannot fail.
                let _ = write!(out, "{value}");
            }
            Decoded::Float(value) => push_json_float(value, out),
            Decoded::Str(text) => {
                let text = text_read_by_v2(node, &text)?;
                self.text(&text, indent);
                return Ok(());
            }
        }
        self.page.newline();
        Ok(())
    }

    fn text(&mut self, text: &str, indent: usize) {
        let before = self.page.out.len();
        self.page.string(text, indent, FoldPolicy::Allowed);
        // A literal block already ends with a line break.
        let block = self.page.out[before..].starts_with('|');
        if !block {
            self.page.newline();
        }
    }
}

/// A double as converted by JSON: a number without point and exponent in JSON is read back as an
/// integer.
fn push_json_float(value: f64, out: &mut String) {
    let before = out.len();
    go_json(value, out);
    let text = &out[before..];
    let integer = if text.contains(['.', 'e']) {
        None
    } else {
        text.parse::<i128>().ok().filter(|&n| n >= i64::MIN.into() && n <= u64::MAX.into())
    };
    out.truncate(before);
    match integer {
        Some(integer) => {
            let _ = write!(out, "{integer}");
        }
        None => go_general(value, out),
    }
}

/// The text after go-yaml v2 has read it from JSON: U+0085 is a line break there, which becomes a
/// space.
fn text_read_by_v2<'t>(node: &Node, text: &'t str) -> Result<Cow<'t, str>, YamlError> {
    check_text(node, text)?;
    let is_ascii = text.is_ascii() || !text.contains('\u{85}');
    Ok(if is_ascii { Cow::Borrowed(text) } else { Cow::Owned(text.replace('\u{85}', " ")) })
}

/// Checks that go-yaml v2 can read a text from JSON.
pub(super) fn check_text(node: &Node, text: &str) -> Result<(), YamlError> {
    // Checking all bytes is faster than stopping at the first failure.
    if text.bytes().fold(0, u8::max) >= 0x7F && text.contains(is_refused_in_json) {
        return Err(failure(node, YamlCause::ControlCharacters));
    }
    Ok(())
}
