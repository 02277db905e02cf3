//! Kustomize's own strategic merge (section 5 of the build reference), with its peculiarities.
//!
//! A merge reads the target and the patch and returns the change of the target; unchanged nodes
//! stay shared.

mod elements;
mod list;
mod list_loss;
mod map;
mod notes;

use std::sync::Arc;

use crate::diagnostic::{Diagnostic, LayerFault};
use crate::profile::{Profile, Switch};
use crate::resource::{Schema, SchemaNode};
use crate::yaml::{Mark, Node, NodeKind, Scalar, Style, Tag, Value, v1_1_reads_string};

use super::TransformError;

pub(super) use notes::MergeNotes;

/// The result of a merge for a node.
#[derive(Clone, Debug, PartialEq)]
pub enum MergeResult {
    Same,
    Changed(Node),
    Gone,
}

type Merged = Result<MergeResult, TransformError>;

/// Entries of a mapping or elements of a list, copied only when the first of them changes.
struct CopyOnChange<'a, T> {
    old: &'a [T],
    changed: Option<Vec<T>>,
}

impl<T: Clone> CopyOnChange<'_, T> {
    /// The copy; a new one contains the first `kept` of the old items.
    fn start(&mut self, kept: usize) -> &mut Vec<T> {
        let old = self.old;
        self.changed.get_or_insert_with(|| {
            let mut copied = Vec::with_capacity(old.len());
            copied.extend_from_slice(&old[..kept]);
            copied
        })
    }

    fn keep(&mut self, item: &T) {
        if let Some(copied) = &mut self.changed {
            copied.push(item.clone());
        }
    }
}

/// The target's and the patch's node at one path of a merge.
#[derive(Clone, Copy, Debug)]
enum MergeSides<'a> {
    /// The node is only in the target: not merged, but Kustomize visits it nevertheless.
    Target(&'a Node),
    Both(&'a Node, &'a Node),
    /// The target has no value, or null: the patch's node is taken.
    Patch(&'a Node),
    /// One node on both sides: part of a patch node that was taken, merged with itself.
    Itself(&'a Node),
}

/// Merges a patch into a resource's root. The type is the target's, or else that of the kind for
/// which the patch was written, as its document `written` has it.
///
/// # Errors
/// `wrong node kind: …`, `unknown patch strategy '…'`.
pub fn merge_resource(
    target: &Node,
    patch: &Node,
    written: &Node,
    (schema, profile): (&Schema, Profile),
    warnings: &mut Vec<Diagnostic>,
    removed: &mut Vec<DeletedKeys>,
) -> Result<MergeResult, TransformError> {
    let text = |key: &str| target.text_of(key).unwrap_or_default();
    let patch_kind = written.text_of("kind").unwrap_or_default();
    let root = schema
        .of_type(text("apiVersion"), text("kind"))
        // Kustomize: a target without a schema is merged by the schema of the patch's own kind.
        .or_else(|| schema.of_type(text("apiVersion"), patch_kind));
    if let Some(fault) = schema.fault() {
        return Err(TransformError::fault(LayerFault::BadSchema(fault.clone()), fault.mark));
    }
    let name = target.text_at(&["metadata", "name"]).unwrap_or_default();
    let of_type = (text("apiVersion"), text("kind"), name);
    let replaces = map::directive(patch) == Some("replace");
    if replaces {
        MergeNotes::new(root.is_some(), of_type, warnings).warn_root_replaced(patch);
    }
    let lost = &mut Vec::new();
    let mut notes =
        MergeNotes::new(root.is_some(), of_type, if replaces { lost } else { warnings });
    notes.is_named = written.text_at(&["metadata", "name"]) == Some(name);
    let known = removed.len();
    let sides = MergeSides::Both(target, patch);
    let merged = Merge { schema, profile, notes, removed: &mut *removed }.walk(sides, root)?;
    // Kustomize drops the merged tree at the directive `replace`.
    if replaces {
        removed.truncate(known);
        return Ok(MergeResult::Same);
    }
    Ok(merged)
}

struct Merge<'s, 'w> {
    schema: &'s Schema,
    profile: Profile,
    notes: MergeNotes<'w>,
    removed: &'w mut Vec<DeletedKeys>,
}

/// A removed value: its key path, the names of its list element, and the mark of the `$patch`
/// directive or of the null that removes it.
pub type DeletedKeys = (Vec<Arc<str>>, Vec<Arc<str>>, Mark);

impl Merge<'_, '_> {
    fn walk(&mut self, sides: MergeSides<'_>, schema: Option<SchemaNode<'_>>) -> Merged {
        let sides = match sides {
            MergeSides::Both(target, patch) if target.is_null() => MergeSides::Patch(patch),
            other => other,
        };
        match sides {
            MergeSides::Target(target) if target.is_null() => {
                // An explicit null is kept; `y:` is not (section 5.2).
                Ok(match target.text().unwrap_or_default() {
                    "" => MergeResult::Gone,
                    _ if self.profile.has(Switch::NullsDropped) => MergeResult::Gone,
                    // The tag is lost, so that the next patch treats the value as a text.
                    null if self.profile.has(Switch::NullBecomesText) => {
                        let comments = target.comments.clone();
                        MergeResult::Changed(Node {
                            mark: target.mark,
                            comments,
                            ..Node::plain(null)
                        })
                    }
                    _ => MergeResult::Same,
                })
            }
            // Kustomize: every field is written again, with quotes if it is a string that would be
            // misread.
            MergeSides::Target(node) | MergeSides::Patch(node) | MergeSides::Itself(node)
                if is_misread(node) =>
            {
                let mut node = node.clone();
                if let Some(scalar) = node.as_scalar_mut() {
                    scalar.style = Style::DoubleQuoted;
                }
                Ok(MergeResult::Changed(node))
            }
            MergeSides::Patch(patch) if patch.is_null() => Ok(MergeResult::Gone),
            MergeSides::Itself(node) if node.is_null() => Ok(MergeResult::Gone),
            MergeSides::Both(_, patch) if patch.is_null() => {
                self.record_removed(patch, patch.mark);
                Ok(MergeResult::Gone)
            }
            MergeSides::Both(target, patch) if target.kind() != patch.kind() => {
                Err(TransformError::wrong_kind(target.kind(), patch))
            }
            _ => match sides.lead().kind() {
                NodeKind::Scalar => Ok(scalar(sides)),
                NodeKind::Mapping => self.map(sides, schema),
                NodeKind::Sequence => self.list(sides, schema),
            },
        }
    }
}

impl Merge<'_, '_> {
    /// Records that the patch removes the current value; `mark` is that of the `$patch` directive
    /// or of the null.
    fn record_removed(&mut self, patch: &Node, mark: Mark) {
        let path = self.notes.path();
        let texts = patch.entries().iter().filter(|entry| entry.key.text() != Some("$patch"));
        let names = texts.filter_map(|entry| Some(entry.value.as_scalar()?.text.clone()));
        self.removed.push((path, names.collect(), mark));
    }
}

/// True for a plain scalar, a string or without a tag, that YAML 1.1 does not read as a string.
fn is_misread(node: &Node) -> bool {
    node.as_scalar().is_some_and(|scalar| {
        matches!(scalar.tag, Tag::None | Tag::Str)
            && !scalar.tagged
            && scalar.style == Style::Plain
            && !v1_1_reads_string(&scalar.text)
    })
}

impl<'a> MergeSides<'a> {
    /// The node whose kind determines how the sides are merged: the target's, else the patch's.
    fn lead(self) -> &'a Node {
        match self {
            Self::Target(node) | Self::Both(node, _) | Self::Patch(node) | Self::Itself(node) => {
                node
            }
        }
    }
}

/// Merges two scalars: the result has the patch's text, tag and comments, and the target's style.
/// Equal values are attributed to the patch too.
fn scalar(sides: MergeSides<'_>) -> MergeResult {
    match sides {
        MergeSides::Target(_) | MergeSides::Itself(_) => MergeResult::Same,
        MergeSides::Patch(patch) => MergeResult::Changed(patch.clone()),
        MergeSides::Both(target, patch) => {
            let (Some(old), Some(new)) = (target.as_scalar(), patch.as_scalar()) else {
                return MergeResult::Same;
            };
            let scalar = Scalar { style: old.style, tagged: old.tagged, ..new.clone() };
            MergeResult::Changed(Node { value: Value::Scalar(scalar), ..patch.clone() })
        }
    }
}
