//! The span of an error within a line, found from its start.

use std::ops::Range;

use crate::engine::yaml::{Mark, quoted_length};

/// The bytes of a text from a mark to the end of the value that begins at it, on the same line. A
/// mark after the last line is moved to its end, where the text is incomplete.
pub fn span_at(text: &str, mark: Mark) -> Option<Range<usize>> {
    let number = usize::try_from(mark.line).ok()?.checked_sub(1)?;
    let last = text.trim_end().lines().count().checked_sub(1);
    let (number, column) = match last {
        Some(last) if number > last && !text.is_empty() => (last, u32::MAX),
        _ => (number, mark.column),
    };
    let mut start = 0;
    let mut lines = text.split_inclusive('\n');
    for _ in 0..number {
        start += lines.next()?.len();
    }
    let line = lines.next()?.trim_end();
    let column = usize::try_from(column).ok()?.saturating_sub(1);
    let column = column.saturating_add(block_scalar_indent(text, number));
    let skipped: usize = line.chars().take(column).map(char::len_utf8).sum();
    if skipped >= line.len() {
        let from = if column >= usize::try_from(u32::MAX - 1).ok()? {
            line.char_indices().next_back().map_or(0, |(at, _)| at)
        } else {
            line.len() - line.trim_start().len()
        };
        return Some(start + from..start + line.len());
    }
    let count = |signs: [char; 2]| line[..skipped].matches(signs).count();
    let length = value_length(&line[skipped..], count(['[', '{']) > count([']', '}']));
    Some(start + skipped..start + skipped + length)
}

/// The indentation of the block scalar around a line; 0 outside of block scalars. The columns of a
/// text inside a file, such as an inline patch, begin at this indentation.
fn block_scalar_indent(text: &str, number: usize) -> usize {
    let lines: Vec<&str> = text.lines().take(number + 1).collect();
    let is_blank = |line: &str| line.trim().is_empty();
    let Some((own, above)) = lines.split_last().filter(|(own, _)| !is_blank(own)) else { return 0 };
    let mut least = indent_width(own);
    let mut header = None;
    for (index, line) in above.iter().enumerate().rev().filter(|(_, line)| !is_blank(line)) {
        // Of two nested block scalars, only the outer one is a block scalar of the file.
        if block_scalar_column(line).is_some_and(|column| column < least) {
            header = Some(index);
        }
        least = least.min(indent_width(line));
    }
    let first = header.and_then(|header| lines[header + 1..].iter().find(|line| !is_blank(line)));
    first.map_or(0, |line| indent_width(line))
}

pub(super) fn indent_width(line: &str) -> usize {
    line.len() - line.trim_start_matches(' ').len()
}

/// If the line begins a block scalar, the column (from 0) beyond which the text of the scalar is
/// indented.
fn block_scalar_column(line: &str) -> Option<usize> {
    let code = line.find(" #").map_or(line, |comment| &line[..comment]).trim_end();
    let (before, sign) = code.rsplit_once(' ')?;
    let is_sign = sign.starts_with(['|', '>'])
        && sign[1..].chars().all(|c| matches!(c, '+' | '-') || c.is_ascii_digit());
    let is_tag = |word: &str| word.starts_with(['!', '&']);
    let mut before = before.trim_end();
    while let Some((rest, _)) = before.rsplit_once(' ').filter(|(_, word)| is_tag(word)) {
        before = rest.trim_end();
    }
    if !is_sign || !before.ends_with([':', '-']) {
        return None;
    }
    let key = before.trim_start_matches([' ', '-']);
    Some(if key.is_empty() { before.len() - 1 } else { before.len() - key.len() })
}

/// The length of the value at the start of a text: that of a quoted scalar, in a flow collection up
/// to the next comma or bracket, else up to a comment.
fn value_length(text: &str, in_flow: bool) -> usize {
    let quote = text.chars().next().filter(|sign| matches!(sign, '"' | '\''));
    if let Some(length) = quote.and_then(|quote| quoted_length(text, quote)) {
        return length;
    }
    let mut depth = 0_i32;
    let is_end = |(at, c): &(usize, char)| {
        match c {
            '[' | '{' => depth += 1,
            ']' | '}' | ',' if depth == 0 => return in_flow,
            ']' | '}' => depth -= 1,
            '#' => return text[..*at].ends_with([' ', '\t']),
            _ => {}
        }
        false
    };
    let end = text.char_indices().find(is_end).map_or(text.len(), |(at, _)| at);
    text[..end].trim_end().len().max(text.chars().next().map_or(0, char::len_utf8))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn marked(text: &str, line: u32, column: u32) -> &str {
        let mark = Mark { line, column, ..Mark::default() };
        &text[span_at(text, mark).unwrap_or_default()]
    }

    #[test]
    fn span_ends_at_end_of_value() {
        let flow = "a: {b: [x, 'y, z'], c: it's, \"d\": {e: f}} # why";
        assert_eq!(marked(flow, 1, 9), "x");
        assert_eq!(marked(flow, 1, 12), "'y, z'");
        assert_eq!(marked(flow, 1, 5), "b: [x, 'y, z']");
        assert_eq!(marked(flow, 1, 21), "c: it's");
        assert_eq!(marked(flow, 1, 30), "\"d\"");
        assert_eq!(marked(flow, 1, 4), "{b: [x, 'y, z'], c: it's, \"d\": {e: f}}");
        assert_eq!(marked("a: b, c] # d\n", 1, 4), "b, c]");
        assert_eq!(marked("a: b#c\n", 1, 4), "b#c");
        assert_eq!(marked("- |\n  a\n", 1, 3), "|");
    }

    #[test]
    fn columns_of_block_scalar_count_from_its_indentation() {
        let file = "a:\n- patch: |-  # in\n    b: c\n\n    d: |\n      e f\n  target: g\n- |\n  h: i\n- !!str |\n  j\n";
        assert_eq!(marked(file, 3, 4), "c");
        assert_eq!(marked(file, 6, 3), "e f");
        assert_eq!(marked(file, 7, 11), "g");
        assert_eq!(marked(file, 9, 4), "i");
        assert_eq!(marked(file, 11, 1), "j");
        assert_eq!(marked(file, 10, 9), "|");
    }

    #[test]
    fn mark_past_the_end_is_moved_to_the_end() {
        assert_eq!(marked("a:\nb: [c\n\n", 3, 1), "c");
        assert_eq!(marked("a: é", 2, 1), "é");
        assert_eq!(marked("a: b\n", 1, 9), "a: b");
        assert_eq!(span_at("", Mark { line: 1, column: 1, ..Mark::default() }), None);
    }
}
