//! What only the whole recording tells about a step: that all it wrote was written over later, or that what it is for
//! came too late.

use std::sync::Arc;

use indexmap::IndexMap;

use crate::manifest::Field;
use crate::resource::{Resource, Slot};
use crate::transform::Warning;
use crate::yaml::{Node, WriterId};

use super::{Outcome, Step, StepKind, Trace};

impl Trace {
    /// Adds to steps what they could not know when they ran: warnings that all they wrote was overwritten (`KZ110`),
    /// and the step that brings in the image that an entry of `images` did not find.
    pub fn add_hindsight(&mut self) {
        let last = self.last_states();
        let mut found = Vec::new();
        for (index, step) in self.steps.iter().enumerate() {
            let field = step.configured_by().filter(|field| field.writes());
            let Some(field) = field.filter(|_| step.kind == StepKind::Transform) else { continue };
            match step.outcome {
                Outcome::Applied => {
                    found.extend(self.overwritten(index, step, &last).map(|it| (index, it)));
                }
                Outcome::MatchedNothing if field == Field::Images => {
                    found.extend(self.comes_later(index, step).map(|it| (index, it)));
                }
                _ => {}
            }
        }
        for (index, said) in found {
            let Some(step) = self.steps.get_mut(index) else { continue };
            match said {
                Said::Warning(warning) => step.warnings.push(warning),
                Said::Hint(hint) => {
                    let about = step.warnings.iter_mut().find(|warning| warning.code == "KZ101");
                    if let Some(warning) = about {
                        warning.hint = Some(hint);
                    }
                }
            }
        }
    }

    /// Every resource as the last step left it.
    fn last_states(&self) -> IndexMap<Slot, Option<Arc<Resource>>> {
        let steps = self.steps.iter().filter(|step| step.kind != StepKind::Merge);
        let changes = steps.flat_map(|step| &step.changes);
        changes.map(|change| (change.slot, change.after.clone())).collect()
    }

    /// That nothing of what a step wrote is left, and who took the first of it.
    fn overwritten(
        &self,
        index: usize,
        step: &Step,
        last: &IndexMap<Slot, Option<Arc<Resource>>>,
    ) -> Option<Said> {
        let mut first = None;
        for change in &step.changes {
            let Some(after) = &change.after else { return None };
            let Some(path) = written(&after.node, step.writer) else { continue };
            let left = last.get(&change.slot).and_then(Option::as_ref);
            if left.is_some_and(|left| written(&left.node, step.writer).is_some()) {
                return None;
            }
            first = first.or(Some((change.slot, after, path)));
        }
        let (slot, resource, path) = first?;
        let later = self.steps.iter().enumerate().skip(index + 1);
        let (by, taker, gone) = later.into_iter().find_map(|(number, other)| {
            let change = other.changes.iter().find(|change| change.slot == slot)?;
            match &change.after {
                None => Some((number, other, true)),
                Some(after) => {
                    written(&after.node, step.writer).is_none().then_some((number, other, false))
                }
            }
        })?;
        let (kind, name) = (&resource.id.gvk.kind, &resource.id.name);
        // What fills in a placeholder, or a part of a text, is meant to come after it.
        if taker.kind != StepKind::Transform || taker.configured_by() == Some(Field::Replacements) {
            return None;
        }
        let (by, label) = (by + 1, label(taker));
        let message = if gone {
            format!("nothing that it wrote is left: step {by}, {label}, removes {kind} {name}")
        } else {
            format!(
                "nothing that it wrote is left: {path} of {kind} {name} is written over or taken away by step {by}, {label}"
            )
        };
        let hint = Some("change the value there, or remove this entry".to_owned());
        Some(Said::Warning(Warning { code: "KZ110", message, hint, mark: step.mark, why: None }))
    }

    /// The step that brings in the image that an entry of `images` looked for.
    fn comes_later(&self, index: usize, step: &Step) -> Option<Said> {
        let name = step.argument.split(" → ").next()?;
        let mut later = self.steps.iter().enumerate().skip(index + 1);
        let (by, taker) = later.find(|(_, other)| {
            other.kind != StepKind::Merge
                && other.changes.iter().any(|change| {
                    change.after.as_ref().is_some_and(|after| has_image(&after.node, name))
                })
        })?;
        let (by, label) = (by + 1, label(taker));
        Some(Said::Hint(format!(
            "step {by}, {label}, brings it in later: this entry has to come after it"
        )))
    }
}

/// What is said about a step.
enum Said {
    Warning(Warning),
    /// The hint of its warning.
    Hint(String),
}

/// A step by its field or name, and what it works with.
fn label(step: &Step) -> String {
    let what = if step.field.is_empty() { &*step.name } else { step.field };
    if step.argument.is_empty() { what.to_owned() } else { format!("{what} {}", step.argument) }
}

/// The path of the first value that a step wrote.
fn written(node: &Node, writer: WriterId) -> Option<String> {
    let mut path = Vec::new();
    find(node, writer, &mut path).then(|| {
        path.reverse();
        path.join(".")
    })
}

/// The path is made backwards, on the way out.
fn find(node: &Node, writer: WriterId, path: &mut Vec<String>) -> bool {
    if let Some(items) = node.items() {
        for (index, item) in items.iter().enumerate() {
            if find(item, writer, path) {
                let name = item.get("name").and_then(Node::text).map(str::to_owned);
                path.push(format!("[{}]", name.unwrap_or_else(|| index.to_string())));
                return true;
            }
        }
        return items.is_empty() && node.mark.writer == writer;
    }
    if node.as_mapping().is_none() {
        return node.mark.writer == writer;
    }
    for entry in node.entries() {
        if find(&entry.value, writer, path) {
            path.push(entry.key.text().unwrap_or_default().to_owned());
            return true;
        }
    }
    node.entries().is_empty() && node.mark.writer == writer
}

/// True when a container somewhere in a tree has an image of this name.
fn has_image(node: &Node, name: &str) -> bool {
    let is_it = |image: &str| {
        image.strip_prefix(name).is_some_and(|rest| rest.is_empty() || rest.starts_with([':', '@']))
    };
    node.items().unwrap_or_default().iter().any(|item| has_image(item, name))
        || node.entries().iter().any(|entry| {
            let image = entry.key.text() == Some("image");
            image && entry.value.text().is_some_and(is_it) || has_image(&entry.value, name)
        })
}
