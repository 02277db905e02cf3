//! One scalar in the text of a file, replaced in place.

use crate::engine::yaml::{Mark, MarkOffsets, Node, print_flow};

/// Replaces the value `was` at a mark by `wanted`. `None` if the text at the mark is neither the
/// value nor a part of it.
///
/// In a file that is not YAML the new text is written without quotes.
pub fn replace_scalar(
    text: &[u8],
    mark: Mark,
    was: &str,
    wanted: &Node,
    is_yaml: bool,
) -> Option<Vec<u8>> {
    let at = MarkOffsets::new(std::str::from_utf8(text).ok()?).byte(mark)?;
    replace_scalar_at(text, at, was, wanted, is_yaml)
}

pub fn replace_scalar_at(
    text: &[u8],
    at: usize,
    was: &str,
    wanted: &Node,
    is_yaml: bool,
) -> Option<Vec<u8>> {
    let whole = std::str::from_utf8(text).ok()?;
    let line = whole.get(at..)?.lines().next()?;
    for (token, value) in scalar_candidates(line) {
        let Some(new) = replaced(value, was, wanted.text()?) else { continue };
        let quote = token.chars().next().filter(|sign| matches!(sign, '"' | '\''));
        let new = match quote {
            Some(quote) if new.contains([quote, '\\']) => return None,
            Some(quote) => format!("{quote}{new}{quote}"),
            None if !is_yaml => new,
            None if value == was => print_flow(wanted),
            None => print_flow(&Node::string(new)),
        };
        let rest = whole.get(at + token.len()..)?;
        return Some([whole.get(..at)?, &new, rest].concat().into_bytes());
    }
    None
}

/// The possible scalars at the beginning of a text, each with its value: a quoted text; or the
/// plain text up to a comment, and also up to each `,`, `}` or `]` in it.
fn scalar_candidates(line: &str) -> Vec<(&str, &str)> {
    for quote in ['"', '\''] {
        if let Some(rest) = line.strip_prefix(quote) {
            let Some(end) = rest.find(quote) else { return Vec::new() };
            let value = &rest[..end];
            return if value.contains('\\') { Vec::new() } else { vec![(&line[..end + 2], value)] };
        }
    }
    let end = line.find(" #").unwrap_or(line.len());
    let plain = line[..end].trim_end();
    let ends = [plain.len()].into_iter().chain(
        plain.char_indices().filter(|(_, sign)| matches!(sign, ',' | '}' | ']')).map(|(at, _)| at),
    );
    ends.map(|end| plain[..end].trim_end()).map(|token| (token, token)).collect()
}

/// The new text of a token that is the old value, a part of it, or `KEY=` with it.
fn replaced(token: &str, was: &str, wanted: &str) -> Option<String> {
    if token == was {
        return Some(wanted.to_owned());
    }
    if let Some(key) = token.strip_suffix(was).filter(|key| key.ends_with('=')) {
        return Some(format!("{key}{wanted}"));
    }
    let (before, after) = was.split_once(token).filter(|_| !token.is_empty())?;
    let new = wanted.strip_prefix(before)?.strip_suffix(after)?;
    (!new.is_empty()).then(|| new.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_scalar_in_its_quotes_is_replaced() {
        let set = |text: &str, column: u32, was: &str, wanted: &Node| {
            let mark = Mark { line: 1, column, ..Mark::default() };
            String::from_utf8(replace_scalar(text.as_bytes(), mark, was, wanted, true)?).ok()
        };
        let three = Node::plain("3");
        assert_eq!(
            set("replicas: 1 # few\n", 11, "1", &three).as_deref(),
            Some("replicas: 3 # few\n")
        );
        let tag = Node::string("web:1.3");
        assert_eq!(
            set("newTag: \"1.2\"\n", 9, "web:1.2", &tag).as_deref(),
            Some("newTag: \"1.3\"\n")
        );
        assert_eq!(
            set("{a: x, newTag: v1}\n", 16, "web:v1", &Node::string("web:2")).as_deref(),
            Some("{a: x, newTag: \"2\"}\n")
        );
        assert_eq!(set("- A=b\n", 3, "b", &Node::string("c")).as_deref(), Some("- A=c\n"));
        assert_eq!(set("tag: v1\n", 6, "web:v1", &Node::string("other:v1")), None);
    }
}
