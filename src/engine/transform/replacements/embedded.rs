//! Structured data inside a scalar: JSON or YAML in a `ConfigMap`'s value.

use crate::profile::Switch;
use crate::yaml::{
    Allowance, Node, NodeKind, YamlError, parse_embedded, print_preserving_style, to_json,
    to_json_pretty,
};

use super::path::{PathFailure, ReplacementPath};
use super::set::ValueWrite;

/// Writes into the data inside the first text on the path; `None` if that text contains no mapping
/// or list, or there is no text.
pub(super) fn set(
    node: &mut Node,
    path: &ReplacementPath,
    setting: &ValueWrite<'_>,
    copies: &mut Allowance,
) -> Option<Result<bool, PathFailure>> {
    if setting.profile.has(Switch::NoStructuredData) {
        return None;
    }
    let is_text = |head: &ReplacementPath| {
        head.get(node).is_ok_and(|found| found.is_some_and(|it| it.kind() == NodeKind::Scalar))
    };
    let (head, tail) = path.splits().find(|(head, _)| is_text(head))?;
    let text = head.get(node).ok()??.text()?.to_owned();
    let mut data = parse_embedded(&text).ok()?.filter(|data| data.as_scalar().is_none())?;
    let mut setting = *setting;
    if setting.profile.has(Switch::DelimiterIgnored) {
        setting.options = None;
    }
    let depth = tail.depth();
    let mut set = |leaf: &mut Node, is_new| setting.set((leaf, depth), is_new, copies);
    match tail.visit(&mut data, setting.create, &mut set) {
        Ok(true) => {}
        unwritten => return Some(unwritten),
    }
    let text = match printed(&text, &data) {
        Ok(text) => text,
        // JSON cannot contain the value in place of a number or a boolean.
        Err(error) => return Some(Err(PathFailure::Set(error.into()))),
    };
    Some(head.visit(node, false, &mut |leaf, _| {
        if let Some(scalar) = leaf.as_scalar_mut() {
            scalar.text = text.as_str().into();
        }
        leaf.mark = setting.mark;
        Ok(())
    }))
}

/// The data in the format of their former text.
fn printed(former: &str, data: &Node) -> Result<String, YamlError> {
    if !former.trim().starts_with(['{', '[']) {
        return Ok(print_preserving_style(data).trim().to_owned());
    }
    let is_wide = former.contains('\n') && former.contains("  ");
    if is_wide { to_json_pretty(data) } else { to_json(data) }
}
