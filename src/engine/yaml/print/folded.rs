//! Folded scalars as go-yaml v3 writes them and reads them again.

use std::borrow::Cow;

/// The text after it is written folded and read again: more-indented lines gain a line break, and
/// texts that start with blanks lose some.
pub(in super::super) fn read_back(text: &str) -> Cow<'_, str> {
    if !text.strip_suffix('\n').unwrap_or(text).contains('\n') && !text.starts_with([' ', '\n']) {
        return Cow::Borrowed(text);
    }
    Cow::Owned(read(&fold_lines(text), chomping(text)))
}

/// The line breaks at the end of a folded block: none, one, or all.
#[derive(Clone, Copy, PartialEq, Eq)]
enum FoldedChomping {
    Strip,
    Clip,
    Keep,
}

fn chomping(text: &str) -> FoldedChomping {
    match text.strip_suffix('\n') {
        None => FoldedChomping::Strip,
        Some(rest) if rest.is_empty() || rest.ends_with('\n') => FoldedChomping::Keep,
        Some(_) => FoldedChomping::Clip,
    }
}

/// The lines that go-yaml v3 writes for a folded text, without their indentation.
pub(in super::super) fn fold_lines(text: &str) -> String {
    // Kustomize: whether a break is doubled depends on the first character of the text, instead of
    // the first one after the break.
    let opens_with_blank =
        text.trim_start_matches('\n').chars().next().is_none_or(|c| matches!(c, ' ' | '\t'));
    let mut out = String::with_capacity(text.len() + 8);
    let (mut at_start, mut blank_line) = (true, true);
    for c in text.chars() {
        if c == '\n' {
            if !at_start && !blank_line && !opens_with_blank {
                out.push('\n');
            }
            out.push('\n');
            at_start = true;
        } else {
            if at_start {
                blank_line = matches!(c, ' ' | '\t');
            }
            at_start = false;
            out.push(c);
        }
    }
    out
}

/// Reads lines by YAML's folding rules.
fn read(lines: &str, chomping: FoldedChomping) -> String {
    let mut out = String::with_capacity(lines.len());
    let mut rest = lines;
    let (mut after_blank, mut pending, mut empty) = (false, 0, 0);
    loop {
        let skipped = rest.len() - rest.trim_start_matches('\n').len();
        empty += skipped;
        rest = &rest[skipped..];
        if rest.is_empty() {
            break;
        }
        let starts_blank = rest.starts_with([' ', '\t']);
        if pending == 1 && !after_blank && !starts_blank {
            if empty == 0 {
                out.push(' ');
            }
        } else {
            out.extend(std::iter::repeat_n('\n', pending));
        }
        out.extend(std::iter::repeat_n('\n', empty));
        after_blank = starts_blank;
        let (line, tail) = rest.split_once('\n').unwrap_or((rest, ""));
        out.push_str(line);
        pending = usize::from(line.len() < rest.len());
        empty = 0;
        rest = tail;
    }
    if chomping != FoldedChomping::Strip {
        out.extend(std::iter::repeat_n('\n', pending));
    }
    if chomping == FoldedChomping::Keep {
        out.extend(std::iter::repeat_n('\n', empty));
    }
    out
}
