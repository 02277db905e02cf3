//! Structured data inside a scalar: JSON or YAML in a `ConfigMap`'s value.

use crate::profile::Switch;
use crate::yaml::{
    Allowance, Limits, Mark, Node, NodeKind, SourceId, parse_documents, print_v3, to_json,
};

use super::path::FieldPath;
use super::set::Setting;

/// Writes inside the first scalar on the path that holds data; false when this route leads nowhere.
pub(super) fn set(
    node: &mut Node,
    path: &FieldPath,
    setting: &Setting<'_>,
    copies: &mut Allowance,
) -> bool {
    if setting.profile.has(Switch::NoStructuredData) {
        return false;
    }
    for (head, tail) in path.splits() {
        let Ok(Some(found)) = head.get(node) else { return false };
        if found.kind() != NodeKind::Scalar {
            continue;
        }
        let Some(text) = found.text().and_then(|text| rewritten(text, &tail, setting, copies))
        else {
            return false;
        };
        return write(node, &head, &text, setting.mark);
    }
    false
}

/// The text with the value in its place.
fn rewritten(
    text: &str,
    path: &FieldPath,
    setting: &Setting<'_>,
    copies: &mut Allowance,
) -> Option<String> {
    let parsed = parse_documents(text.as_bytes(), SourceId::NONE, Limits::default()).ok()?;
    let mut data = parsed.documents.into_iter().next()?.node;
    let create = setting.options.is_some_and(|options| options.create);
    let mut setting = *setting;
    if setting.profile.has(Switch::DelimiterIgnored) {
        setting.options = None;
    }
    let found =
        path.visit(&mut data, create, &mut |leaf, is_new| setting.set(leaf, is_new, copies));
    if !found.ok()? {
        return None;
    }
    if !text.trim().starts_with(['{', '[']) {
        return Some(print_v3(&data).trim().to_owned());
    }
    let json = to_json(&data).ok()?;
    Some(if text.contains('\n') && text.contains("  ") { indented(&json) } else { json })
}

fn write(node: &mut Node, path: &FieldPath, text: &str, mark: Mark) -> bool {
    let written = path.visit(node, false, &mut |leaf, _| {
        if let Some(scalar) = leaf.as_scalar_mut() {
            scalar.text = text.into();
        }
        leaf.mark = mark;
        Ok(())
    });
    matches!(written, Ok(true))
}

/// Compact JSON over lines, as Go's `MarshalIndent` with two spaces.
fn indented(json: &str) -> String {
    let mut out = String::with_capacity(json.len() * 2);
    let (mut depth, mut in_string, mut escaped) = (0usize, false, false);
    let mut chars = json.chars().peekable();
    let line = |out: &mut String, depth: usize| {
        out.push('\n');
        out.push_str(&"  ".repeat(depth));
    };
    while let Some(c) = chars.next() {
        if in_string {
            out.push(c);
            in_string = escaped || c != '"';
            escaped = c == '\\' && !escaped;
            continue;
        }
        match c {
            '{' | '[' => {
                out.push(c);
                if let Some(close) = chars.next_if(|next| matches!(next, '}' | ']')) {
                    out.push(close);
                } else {
                    depth += 1;
                    line(&mut out, depth);
                }
            }
            '}' | ']' => {
                depth = depth.saturating_sub(1);
                line(&mut out, depth);
                out.push(c);
            }
            ',' => {
                out.push(c);
                line(&mut out, depth);
            }
            ':' => out.push_str(": "),
            _ => {
                in_string = c == '"';
                out.push(c);
            }
        }
    }
    out
}
