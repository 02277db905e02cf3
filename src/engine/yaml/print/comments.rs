//! The effects of comments on a tree that Kustomize prints: they are missing from the output, but
//! present in the intermediate text, which go-yaml v3 writes and Kustomize reads again.

use std::borrow::Cow;

use super::super::{Node, Scalar, Style, Value, YamlCause, YamlError};
use super::scalar_analysis::ScalarAnalysis;
use super::value::{failure, refused};

/// The tree as Kustomize reads it again, provided that no comment makes the text unreadable.
pub(super) fn reread_tree(node: &Node) -> Cow<'_, Node> {
    let has_foot = node.comments.as_ref().is_some_and(|beside| !beside.foot.is_empty());
    let mut node = Cow::Borrowed(node);
    // A foot comment of the document follows an empty line, which becomes part of a last block that
    // keeps trailing line breaks.
    if has_foot && last_scalar(&node).is_some_and(keeps_lines) {
        append_line_break(node.to_mut());
    }
    node
}

fn last_scalar(node: &Node) -> Option<&Scalar> {
    match &node.value {
        Value::Scalar(scalar) => Some(scalar),
        Value::Sequence(items, Style::Plain) => last_scalar(items.last()?),
        Value::Mapping(mapping) if mapping.style == Style::Plain => {
            last_scalar(&mapping.entries.last()?.value)
        }
        _ => None,
    }
}

/// True for a text whose empty last lines would be kept by a block style.
fn keeps_lines(scalar: &Scalar) -> bool {
    let is_kept = &*scalar.text == "\n" || scalar.text.ends_with("\n\n");
    is_kept
        && matches!(scalar.style, Style::Plain | Style::Literal | Style::Folded)
        && ScalarAnalysis::examine(&scalar.text).allows_block_v3()
}

fn append_line_break(node: &mut Node) {
    if let Some(scalar) = node.as_scalar_mut() {
        scalar.text = format!("{}\n", scalar.text).into();
    } else if let Some(last) = node.children_mut().last() {
        append_line_break(last);
    }
}

/// Checks whether a comment at the end of a line separates text that belongs together.
///
/// go-yaml holds back the comment of a key, or of a block collection, until it can be written:
/// after a scalar without a comment, at the colon of a block collection, or at the dash of an item.
/// There the comment ends the line, so that the tag of the collection, or its brackets, begin the
/// next line, where only a key is allowed.
///
/// # Errors
/// A comment makes the text unreadable.
pub fn check(node: &Node) -> Result<(), YamlError> {
    let mut waiting = UnwrittenComments::default();
    waiting.walk(node)?;
    waiting.odd.map_or(Ok(()), Err)
}

/// The comments that go-yaml has not written yet.
#[derive(Debug, Default)]
struct UnwrittenComments {
    /// True if the comment of a block collection that has ended is pending: it is written in the
    /// next line.
    line: bool,
    /// True if the comment of a key, or of a collection that ended before the key, is pending: it
    /// is written after the key's value, or after the value of a later key.
    key: bool,
    /// The error of the first collection that became a key; syntax errors anywhere precede it.
    odd: Option<YamlError>,
}

impl UnwrittenComments {
    fn walk(&mut self, node: &Node) -> Result<(), YamlError> {
        match &node.value {
            Value::Mapping(mapping) if mapping.style != Style::Flow => {
                for entry in &mapping.entries {
                    self.key |= self.line || has_line_comment(&entry.key);
                    self.line = false;
                    if self.key {
                        self.value(&entry.value)?;
                    }
                    self.below(&entry.value)?;
                }
            }
            Value::Sequence(items, style) if *style != Style::Flow => {
                for item in items.iter() {
                    let waits = std::mem::take(&mut self.line);
                    if waits && item.as_scalar().is_none() && !is_block(item) {
                        return Err(missing_colon_error(item));
                    }
                    self.below(item)?;
                }
            }
            _ => return self.in_brackets(node),
        }
        // The line comment of a collection is written after its last line.
        self.line |= is_block(node) && has_line_comment(node);
        Ok(())
    }

    fn below(&mut self, node: &Node) -> Result<(), YamlError> {
        if node.as_scalar().is_some() { Ok(()) } else { self.walk(node) }
    }

    /// Checks a node in flow style. A comment between a key and a collection causes an extra comma
    /// before the collection, and none after it: the collection becomes a key, and the text after
    /// it is a syntax error.
    fn in_brackets(&mut self, node: &Node) -> Result<(), YamlError> {
        let entries = node.entries();
        for (index, entry) in entries.iter().enumerate() {
            if entry.value.as_scalar().is_none() && has_line_comment(&entry.key) {
                if index + 1 < entries.len() {
                    return Err(refused(&entry.value, "did not find expected ',' or '}'"));
                }
                self.odd.get_or_insert_with(|| failure(&entry.value, YamlCause::InvalidKey));
            }
            self.in_brackets(&entry.value)?;
        }
        node.items().unwrap_or_default().iter().try_for_each(|item| self.in_brackets(item))
    }

    /// Checks the value of a key while a comment is pending.
    fn value(&mut self, value: &Node) -> Result<(), YamlError> {
        let Some(style) = value.collection_style() else {
            self.key = has_line_comment(value);
            return Ok(());
        };
        if style == Style::Flow {
            return Ok(());
        }
        self.key = false;
        let is_tagged = value.comments.as_ref().is_some_and(|beside| !beside.tag.is_empty());
        if is_tagged || value.is_empty_collection() {
            Err(missing_colon_error(value))
        } else {
            Ok(())
        }
    }
}

fn missing_colon_error(node: &Node) -> YamlError {
    refused(node, "could not find expected ':'")
}

fn is_block(node: &Node) -> bool {
    node.collection_style().is_some_and(|style| style != Style::Flow) && !node.is_empty_collection()
}

fn has_line_comment(node: &Node) -> bool {
    node.comments.as_ref().is_some_and(|beside| !beside.line.is_empty())
}
