//! Writes a leaf for a replacement.

use crate::diagnostic::{Fault, ReplacementFault};
use crate::manifest::{ReplacementOptions, ReplacementTarget};
use crate::profile::Profile;
use crate::yaml::{Allowance, Mark, Node};

use super::Context;
use super::path::PathRules;

#[derive(Clone, Copy)]
pub(super) struct ValueWrite<'a> {
    pub(super) value: &'a Node,
    pub(super) options: Option<&'a ReplacementOptions>,
    /// The mark of the value, with the step as its writer.
    pub(super) mark: Mark,
    pub(super) walk: PathRules,
    pub(super) profile: Profile,
    /// The number of collections around the leaf.
    pub(super) depth: usize,
}

impl<'a> ValueWrite<'a> {
    /// The value with the options of a target; `mark` is the mark of the written value.
    pub(super) fn new(
        target: &'a ReplacementTarget,
        value: &'a Node,
        mark: Mark,
        depth: usize,
        cx: &Context<'_>,
    ) -> Self {
        let options = target.options.as_ref();
        let profile = cx.profile;
        let walk = PathRules::new(options, profile);
        Self { value, options, mark, walk, profile, depth }
    }
}

impl ValueWrite<'_> {
    /// Writes a leaf: a scalar gets the text and keeps its tag and style; another node is replaced.
    /// A leaf that the visit created is first set to a plain scalar without text or tag, if the
    /// value is a scalar. All writes count against the limit, since a chain of replacements could
    /// double a value each time.
    pub(super) fn set(
        &self,
        node: &mut Node,
        is_new: bool,
        copies: &mut Allowance,
    ) -> Result<(), Fault> {
        copies.take(self.value, self.depth)?;
        self.init_created_leaf(node, is_new);
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
            *node = self.marked_value();
        }
        Ok(())
    }

    /// Skips a leaf that is written in another turn. Skipping counts against the limit too, to
    /// bound the number of turns.
    pub(super) fn skip_leaf(
        &self,
        node: &mut Node,
        is_new: bool,
        copies: &mut Allowance,
    ) -> Result<(), Fault> {
        self.init_created_leaf(node, is_new);
        copies.text(1).map_err(Fault::from)
    }

    /// Prepares a created leaf: empty for a scalar value, else a copy of the value.
    fn init_created_leaf(&self, node: &mut Node, is_new: bool) {
        if is_new && self.value.as_scalar().is_some() {
            *node = Node::plain("").marked(self.mark);
        } else if is_new {
            *node = self.marked_value();
        }
    }

    fn marked_value(&self) -> Node {
        self.value.clone().written_by(self.mark)
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
