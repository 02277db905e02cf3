//! The field path of a var: dots, `\.`, `name[0]`, `[key=value]`.

use crate::yaml::Node;

pub(super) fn look_up<'a>(node: &'a Node, path: &str) -> Option<&'a Node> {
    parts(path).iter().try_fold(node, |node, part| step(node, part))
}

fn step<'a>(node: &'a Node, part: &str) -> Option<&'a Node> {
    let part = part.trim();
    if part.is_empty() {
        // Kustomize: an empty part between two dots is skipped.
        return Some(node);
    }
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
        // Kustomize: a number, `-` or `*` never matches a field, even a field with that name.
        None if part.parse::<i64>().is_ok() || matches!(part, "-" | "*") => None,
        None => node.get(part),
    }
}

/// Splits the path at its dots, except those inside a part that starts with a bracket; `name[0]`
/// becomes two parts.
fn parts(path: &str) -> Vec<String> {
    let mut parts = vec![String::new()];
    let mut in_brackets = false;
    let mut rest = path.strip_prefix('.').unwrap_or(path).chars().peekable();
    while let Some(mut character) = rest.next() {
        let starts = parts.last().is_some_and(String::is_empty);
        match character {
            '.' if !in_brackets => {
                parts.push(String::new());
                continue;
            }
            '\\' => character = rest.next_if_eq(&'.').unwrap_or(character),
            '[' if starts => in_brackets = true,
            ']' => in_brackets = false,
            _ => {}
        }
        if let Some(last) = parts.last_mut() {
            last.push(character);
        }
    }
    parts.into_iter().flat_map(split_index).collect()
}

/// The parts of `name[0]`: key and index. Any other text is one part.
fn split_index(part: String) -> Vec<String> {
    let index = part.strip_suffix(']').and_then(|rest| rest.rsplit_once('['));
    match index {
        Some((name, index))
            if !index.is_empty() && index.bytes().all(|byte| byte.is_ascii_digit()) =>
        {
            let texts = [name, index].into_iter().filter(|text| !text.is_empty());
            texts.map(str::to_owned).collect()
        }
        _ => vec![part],
    }
}
