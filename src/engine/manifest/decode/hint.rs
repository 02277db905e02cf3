//! What to write instead: the nearest field name, a quoted value, a list.

use crate::engine::yaml::Node;

use super::go_json::json_name;

/// `did you mean …`, when a name is near enough.
pub(super) fn nearest(field: &str, names: &[&str]) -> Option<String> {
    let wanted = field.to_ascii_lowercase();
    let near = |name: &&&str| {
        let distance = distance(&wanted, &name.to_ascii_lowercase());
        (distance <= (wanted.chars().count() / 3).clamp(1, 3)).then_some(distance)
    };
    let best = names.iter().filter_map(|name| Some((near(&name)?, name))).min_by_key(|best| best.0);
    best.map(|(_, name)| format!("did you mean `{name}`?"))
}

/// How to write a value so that it has the type.
pub(super) fn for_type(node: &Node, go_type: &str) -> Option<String> {
    let text = node.text().unwrap_or_default();
    match (json_name(node), go_type) {
        ("bool", "string") if !matches!(text, "true" | "false") => Some(format!(
            "`{text}` is a boolean in YAML 1.1, which kustomization files are read as: write \"{text}\""
        )),
        ("number" | "bool", "string") => Some(format!("quote it: \"{text}\"")),
        ("string", "int" | "int64" | "bool") => Some("write it without quotes".to_owned()),
        ("string", list) if list.starts_with("[]string") => {
            Some(format!("write a list: `- {}`", text.lines().next().unwrap_or_default()))
        }
        ("string", "types.Patch") if !text.contains('\n') => {
            Some(format!("write `- path: {text}`"))
        }
        ("object", list) if list.starts_with("[]") => {
            Some("write a list: put `- ` before the first line".to_owned())
        }
        _ => None,
    }
}

/// The number of letters to insert, remove, replace or swap with their neighbour.
fn distance(a: &str, b: &str) -> usize {
    let (a, b): (Vec<char>, Vec<char>) = (a.chars().take(64).collect(), b.chars().collect());
    let mut rows = vec![(0..=b.len()).collect::<Vec<usize>>()];
    for i in 1..=a.len() {
        let mut row = vec![i];
        for j in 1..=b.len() {
            let same = usize::from(a[i - 1] != b[j - 1]);
            let mut best = (rows[i - 1][j] + 1).min(row[j - 1] + 1).min(rows[i - 1][j - 1] + same);
            if i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] {
                best = best.min(rows[i - 2][j - 2] + 1);
            }
            row.push(best);
        }
        rows.push(row);
    }
    rows.last().and_then(|row| row.last()).copied().unwrap_or_default()
}
