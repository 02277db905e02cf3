//! Writes the value of a replacement to the leaves of a path.

use crate::diagnostic::{Fault, ReplacementFault};
use crate::manifest::ReplacementOptions;
use crate::profile::{Profile, Switch};
use crate::yaml::{
    Allowance, Mark, Node, NodeKind, YamlError, parse_embedded, print_preserving_style, to_json,
    to_json_pretty,
};

use super::path::ReplacementPath;

#[derive(Clone, Copy)]
pub(super) struct ValueWrite<'a> {
    pub(super) value: &'a Node,
    pub(super) options: &'a ReplacementOptions,
    /// The mark of the value, with the step as its writer.
    pub(super) mark: Mark,
    pub(super) profile: Profile,
}

impl ValueWrite<'_> {
    /// Writes every leaf of a path; false if it has none.
    pub(super) fn to_leaves(
        self,
        node: &mut Node,
        path: &ReplacementPath,
        copies: &mut Allowance,
    ) -> Result<bool, Fault> {
        let depth = path.depth();
        let mut set = |leaf: &mut Node, is_new| self.set((leaf, depth), is_new, copies);
        path.visit(node, self.options.create, &mut set)
    }

    /// Writes into structured data inside the first text on the path: JSON or YAML in a value of a
    /// `ConfigMap`. `None` if that text contains no mapping or list, or there is no text.
    pub(super) fn into_text(
        self,
        node: &mut Node,
        path: &ReplacementPath,
        copies: &mut Allowance,
    ) -> Option<Result<bool, Fault>> {
        if self.profile.has(Switch::NoStructuredData) {
            return None;
        }
        let is_text = |head: &ReplacementPath| {
            head.get(node).is_ok_and(|found| found.is_some_and(|it| it.kind() == NodeKind::Scalar))
        };
        let (head, tail) = path.splits().find(|(head, _)| is_text(head))?;
        let text = head.get(node).ok()??.text()?.to_owned();
        let mut data = parse_embedded(&text).ok()?.filter(|data| data.as_scalar().is_none())?;
        let mut options = self.options.clone();
        if self.profile.has(Switch::DelimiterIgnored) {
            options.delimiter.clear();
        }
        let inner = ValueWrite { options: &options, ..self };
        let written = inner.to_leaves(&mut data, &tail, copies);
        if !matches!(written, Ok(true)) {
            return Some(written);
        }
        // JSON cannot contain the value in place of a number or a boolean.
        let text = printed(&text, &data).map_err(Fault::from);
        Some(text.and_then(|text| {
            head.visit(node, false, &mut |leaf, _| {
                if let Some(scalar) = leaf.as_scalar_mut() {
                    scalar.text = text.as_str().into();
                }
                leaf.mark = self.mark;
                Ok(())
            })
        }))
    }

    /// Writes a leaf, which is in `depth` collections: a scalar gets the text and keeps its tag and
    /// style; another node is replaced. A leaf that the visit created is first set to a plain scalar
    /// without text or tag, if the value is a scalar. All writes count against the limit, since a
    /// chain of replacements could double a value each time.
    fn set(
        &self,
        (node, depth): (&mut Node, usize),
        is_new: bool,
        copies: &mut Allowance,
    ) -> Result<(), Fault> {
        copies.take(self.value, depth)?;
        if is_new && self.value.as_scalar().is_some() {
            *node = Node::plain("").marked(self.mark);
        } else if is_new {
            *node = self.value.clone().written_by(self.mark);
        }
        // Kustomize: a mapping or list becomes an empty text.
        let mut text = self.value.text().unwrap_or_default();
        let joined;
        let ReplacementOptions { delimiter, index, .. } = self.options;
        if !delimiter.is_empty() {
            let old = node.text().ok_or(ReplacementFault::DelimiterWithoutText)?;
            copies.text(old.len())?;
            joined = with_part(old, delimiter, *index, text);
            text = &joined;
        } else if node.as_scalar().is_none() || node.is_alias() {
            *node = self.value.clone().written_by(self.mark);
            return Ok(());
        }
        if let Some(scalar) = node.as_scalar_mut() {
            if *scalar.text != *text {
                scalar.text = text.into();
            }
            // Unchanged values are attributed to the step too.
            node.mark = self.mark;
        }
        Ok(())
    }
}

/// The text with another part at an index; an index before or after all parts adds it.
fn with_part(text: &str, delimiter: &str, index: i64, part: &str) -> String {
    let mut parts: Vec<&str> = text.split(delimiter).collect();
    match usize::try_from(index) {
        Err(_) => parts.insert(0, part),
        Ok(index) if index >= parts.len() => parts.push(part),
        Ok(index) => parts[index] = part,
    }
    parts.join(delimiter)
}

/// The data in the format of their former text.
fn printed(former: &str, data: &Node) -> Result<String, YamlError> {
    if !former.trim().starts_with(['{', '[']) {
        return Ok(print_preserving_style(data).trim().to_owned());
    }
    let is_wide = former.contains('\n') && former.contains("  ");
    if is_wide { to_json_pretty(data) } else { to_json(data) }
}
