//! The field path of a var: dots, `\.`, `name[0]`, `[key=value]`.

use crate::engine::yaml::Node;

/// The node at the end of the path.
pub(super) fn look_up<'a>(node: &'a Node, path: &str) -> Option<&'a Node> {
    let found = parts(path).iter().try_fold(node, |node, part| step(node, part))?;
    (!found.is_null()).then_some(found)
}

fn step<'a>(node: &'a Node, part: &str) -> Option<&'a Node> {
    let inner = part.strip_prefix('[').and_then(|rest| rest.strip_suffix(']'));
    if let Some(condition) = inner {
        return match condition.split_once('=') {
            Some((key, text)) => node.items()?.iter().find(|item| {
                let value = if key.is_empty() { Some(*item) } else { item.get(key) };
                value.and_then(Node::text) == Some(text)
            }),
            None => node.get(condition),
        };
    }
    match node.items() {
        Some(items) if part == "-" => items.last(),
        Some(items) => items.get(part.parse::<usize>().ok()?),
        None => node.get(part),
    }
}

/// Cuts the path; `name[0]` becomes two parts, and dots inside brackets do not count.
fn parts(path: &str) -> Vec<String> {
    let mut parts = vec![String::new()];
    let mut in_brackets = false;
    let mut rest = path.chars().peekable();
    while let Some(character) = rest.next() {
        match character {
            '.' if !in_brackets => parts.push(String::new()),
            '\\' if rest.peek() == Some(&'.') => {
                rest.next();
                push(&mut parts, '.');
            }
            '[' if !in_brackets => {
                in_brackets = true;
                if parts.last().is_some_and(|part| !part.is_empty()) {
                    parts.push(String::new());
                }
                push(&mut parts, '[');
            }
            ']' => {
                in_brackets = false;
                push(&mut parts, ']');
            }
            _ => push(&mut parts, character),
        }
    }
    for part in &mut parts {
        let inner = part.strip_prefix('[').and_then(|rest| rest.strip_suffix(']'));
        if let Some(index) = inner.filter(|inner| inner.bytes().all(|byte| byte.is_ascii_digit())) {
            *part = index.to_owned();
        }
    }
    parts
}

fn push(parts: &mut [String], character: char) {
    if let Some(last) = parts.last_mut() {
        last.push(character);
    }
}
