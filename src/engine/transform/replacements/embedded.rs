//! Structured data inside a scalar: JSON or YAML in a `ConfigMap`'s value.

use crate::profile::Switch;
use crate::yaml::{
    Allowance, Limits, Mark, Node, NodeKind, parse_embedded, print_preserving_style, to_json,
    to_json_pretty,
};

use super::path::{PathFailure, PathRules, ReplacementPath};
use super::set::ValueWrite;

/// The result of a path that may lead into a scalar.
#[derive(Debug)]
pub(super) enum EmbeddedTarget {
    /// No scalar on the path contains data.
    Nowhere,
    Missing,
    /// The field cannot be reached or written.
    Failed(PathFailure),
    Written,
    /// JSON cannot contain the value in place of a number or a boolean: the scalar is kept, and
    /// Kustomize prints no message.
    Refused,
}

/// Writes into the data inside a scalar: the first scalar on the path that contains data.
pub(super) fn set(
    node: &mut Node,
    path: &ReplacementPath,
    setting: &ValueWrite<'_>,
    copies: &mut Allowance,
) -> EmbeddedTarget {
    if !setting.walk.enters_texts {
        return EmbeddedTarget::Nowhere;
    }
    for (head, tail) in path.splits() {
        let Ok(Some(found)) = head.get(node) else { return EmbeddedTarget::Nowhere };
        if found.kind() != NodeKind::Scalar {
            continue;
        }
        let Some(text) = found.text() else { return EmbeddedTarget::Nowhere };
        return match rewritten(text, &tail, setting, copies) {
            Ok(text) if write(node, &head, &text, setting.mark) => EmbeddedTarget::Written,
            Ok(_) => EmbeddedTarget::Nowhere,
            Err(why) => why,
        };
    }
    EmbeddedTarget::Nowhere
}

/// True if the path leads into a text whose data does not allow the value.
pub(super) fn is_value_refused(
    path: &ReplacementPath,
    node: &Node,
    setting: &ValueWrite<'_>,
) -> bool {
    let mut copies = Allowance::new(Limits::default());
    matches!(set(&mut node.clone(), path, setting, &mut copies), EmbeddedTarget::Refused)
}

/// True if the field of the path exists, in the tree or in the data inside a text.
pub(super) fn holds(path: &ReplacementPath, node: &Node) -> bool {
    let is_there = |path: &ReplacementPath, node: &Node| matches!(path.get(node), Ok(Some(_)));
    let is_inside = |(head, tail): (ReplacementPath, ReplacementPath)| {
        let text = head.get(node).ok().flatten().and_then(Node::text);
        let data = text.and_then(|text| parse_embedded(text).ok().flatten());
        data.is_some_and(|data| is_there(&tail, &data))
    };
    is_there(path, node) || path.splits().any(is_inside)
}

/// The text after the write, or the reason why it cannot be written.
fn rewritten(
    text: &str,
    path: &ReplacementPath,
    setting: &ValueWrite<'_>,
    copies: &mut Allowance,
) -> Result<String, EmbeddedTarget> {
    let parsed = parse_embedded(text).map_err(|_| EmbeddedTarget::Nowhere)?;
    let mut data = parsed.ok_or(EmbeddedTarget::Nowhere)?;
    let mut setting = *setting;
    if setting.profile.has(Switch::DelimiterIgnored) {
        setting.options = None;
    }
    let depth = path.depth();
    let mut set = |leaf: &mut Node, is_new| setting.set((leaf, depth), is_new, copies);
    match path.visit(&mut data, setting.walk, &mut set) {
        Ok(true) => {}
        Ok(false) => return Err(EmbeddedTarget::Missing),
        Err(why) => return Err(EmbeddedTarget::Failed(why)),
    }
    if !text.trim().starts_with(['{', '[']) {
        return Ok(print_preserving_style(&data).trim().to_owned());
    }
    if data.has_aliases() {
        let printed = print_preserving_style(&data);
        let read = parse_embedded(&printed).ok().flatten();
        data = read.ok_or(EmbeddedTarget::Refused)?;
    }
    let is_wide = text.contains('\n') && text.contains("  ");
    let json = if is_wide { to_json_pretty(&data) } else { to_json(&data) };
    json.map_err(|_| EmbeddedTarget::Refused)
}

fn write(node: &mut Node, path: &ReplacementPath, text: &str, mark: Mark) -> bool {
    let walk = PathRules { create: false, enters_texts: false };
    let written = path.visit(node, walk, &mut |leaf, _| {
        if let Some(scalar) = leaf.as_scalar_mut() {
            scalar.text = text.into();
        }
        leaf.mark = mark;
        Ok(())
    });
    matches!(written, Ok(true))
}
