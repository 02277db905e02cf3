//! Writes a leaf for a replacement.

use crate::diagnostic::{Fault, ReplacementFault};
use crate::manifest::{ReplacementOptions, ReplacementTarget};
use crate::profile::Profile;
use crate::yaml::{Allowance, Mark, Node};

use super::Context;

#[derive(Clone, Copy)]
pub(super) struct ValueWrite<'a> {
    pub(super) value: &'a Node,
    pub(super) options: Option<&'a ReplacementOptions>,
    /// The mark of the value, with the step as its writer.
    pub(super) mark: Mark,
    /// True if missing fields and elements are created.
    pub(super) create: bool,
    pub(super) profile: Profile,
}

impl<'a> ValueWrite<'a> {
    pub(super) fn new(target: &'a ReplacementTarget, value: &'a Node, cx: &Context<'_>) -> Self {
        let options = target.options.as_ref();
        let mark = value.mark.written_by(cx.mark);
        let create = options.is_some_and(|options| options.create);
        Self { value, options, mark, create, profile: cx.profile }
    }
}

impl ValueWrite<'_> {
    /// Writes a leaf, which is in `depth` collections: a scalar gets the text and keeps its tag and
    /// style; another node is replaced. A leaf that the visit created is first set to a plain scalar
    /// without text or tag, if the value is a scalar. All writes count against the limit, since a
    /// chain of replacements could double a value each time.
    pub(super) fn set(
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
        let text = self.value.text().unwrap_or_default();
        let delimiter = self.options.map_or("", |options| &options.delimiter);
        if !delimiter.is_empty() {
            let old = node.text().ok_or(ReplacementFault::DelimiterWithoutText)?;
            copies.text(old.len())?;
            let joined = self.joined(old, text, delimiter);
            self.write(node, &joined);
        } else if node.as_scalar().is_some() && !node.is_alias() {
            self.write(node, text);
        } else {
            *node = self.value.clone().written_by(self.mark);
        }
        Ok(())
    }

    fn joined(&self, old: &str, text: &str, delimiter: &str) -> String {
        let mut parts: Vec<&str> = old.split(delimiter).collect();
        let index = self.options.map_or(0, |options| options.index);
        match usize::try_from(index) {
            Err(_) => parts.insert(0, text),
            Ok(index) if index >= parts.len() => parts.push(text),
            Ok(index) => parts[index] = text,
        }
        parts.join(delimiter)
    }

    fn write(&self, node: &mut Node, text: &str) {
        let Some(scalar) = node.as_scalar_mut() else { return };
        if *scalar.text != *text {
            scalar.text = text.into();
        }
        // Unchanged values are attributed to the step too.
        node.mark = self.mark;
    }
}
