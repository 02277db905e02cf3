//! Variables that Flux substitutes in the objects after the build (`postBuild.substitute`).

mod expand;

use indexmap::IndexSet;

use crate::diagnostic::{DeployedRemark, Diagnostic, ErrorHint, VarFault};
use crate::resource::{ResMap, Resource};
use crate::yaml::{Limits, Mark, Node, SourceId, Value, parse_documents, print_document};

use super::{Context, TransformError, Transformer};
use expand::{expand, names_in};

/// The label or annotation that excludes an object.
const SWITCH: &str = "kustomize.toolkit.fluxcd.io/substitute";

/// Expands shell expressions in the text of every object.
#[derive(Clone, Debug)]
pub struct SubstituteVariables {
    /// Name, value, and mark of the value.
    variables: Vec<(String, String, Mark)>,
    /// Other variables have values that are not known here: expressions with them are kept as
    /// written.
    has_more: bool,
}

impl SubstituteVariables {
    /// With these variables. `has_more`: others exist, whose values are not known.
    ///
    /// # Errors
    /// A name is invalid.
    pub fn new(
        variables: Vec<(String, String, Mark)>,
        has_more: bool,
    ) -> Result<Self, TransformError> {
        for (name, _, mark) in &variables {
            let first = name.bytes().next().is_some_and(|b| b.is_ascii_alphabetic() || b == b'_');
            if !first || !name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_') {
                return Err(TransformError::fault(VarFault::BadName(name.clone()), *mark));
            }
        }
        Ok(Self { variables, has_more })
    }

    fn variable(&self, name: &str) -> Option<&(String, String, Mark)> {
        self.variables.iter().find(|(known, ..)| known == name)
    }

    fn substituted(
        &self,
        resource: &Resource,
        mark: Mark,
        unknown: &mut IndexSet<String>,
    ) -> Result<Option<Node>, TransformError> {
        let failed = |fault: VarFault| {
            let hint = ErrorHint::Unsubstituted(SWITCH);
            TransformError::fault(fault, mark).with_hint(hint)
        };
        let id = || resource.id.to_string();
        let text = print_document(&resource.node)
            .map_err(|error| failed(VarFault::Unprintable(id(), error)))?;
        if self.has_more {
            let unescaped = text.replace("$${", "");
            let names = names_in(&unescaped).into_iter().map(str::to_owned);
            unknown.extend(names.filter(|name| self.variable(name).is_none()));
        }
        let value = |name: &str| match self.variable(name) {
            Some((_, value, _)) => Some(value.clone()),
            None if self.has_more => None,
            None => Some(String::new()),
        };
        let new = expand(&text, &value)
            .map_err(|error| failed(VarFault::BadExpression(id(), error.to_string())))?;
        if new == text {
            return Ok(None);
        }
        let file = parse_documents(new.as_bytes(), SourceId::NONE, Limits::default())
            .map_err(|error| failed(VarFault::BrokenBySubstitution(id(), error)))?;
        let Some(document) = file.documents.into_iter().next() else { return Ok(None) };
        let mut node = document.node;
        self.take_over(&resource.node, &mut node, mark);
        Ok(Some(node))
    }

    /// Restores the marks of unchanged values, and gives substituted values the marks of their
    /// variables.
    fn take_over(&self, old: &Node, new: &mut Node, mark: Mark) {
        match (&old.value, &new.value) {
            (Value::Mapping(_), Value::Mapping(_)) => {
                let entries = old.entries().to_vec();
                if let Some(mapping) = new.as_mapping_mut() {
                    for entry in &mut mapping.entries {
                        let key = entry.key.text();
                        if let Some(known) = entries.iter().find(|known| known.key.text() == key) {
                            entry.key = known.key.clone();
                            self.take_over(&known.value, &mut entry.value, mark);
                        } else {
                            entry.key.mark_all(mark);
                            entry.value.mark_all(mark);
                        }
                    }
                }
                new.mark = old.mark;
            }
            (Value::Sequence(..), Value::Sequence(..)) => {
                let items = old.items().unwrap_or_default().to_vec();
                for (index, item) in new.items_mut().into_iter().flatten().enumerate() {
                    match items.get(index) {
                        Some(known) => self.take_over(known, item, mark),
                        None => item.mark_all(mark),
                    }
                }
                new.mark = old.mark;
            }
            _ if old.text() == new.text() && old.text().is_some() => *new = old.clone(),
            _ => {
                let names = old.text().map(names_in).unwrap_or_default();
                let at = names.iter().find_map(|name| self.variable(name)).map(|(_, _, at)| *at);
                // The line is the variable's; the writer is the step.
                new.mark_all(at.map_or(mark, |at| Mark { writer: mark.writer, ..at }));
            }
        }
    }
}

impl Transformer for SubstituteVariables {
    fn transform(
        &self,
        resources: &mut ResMap,
        cx: &mut Context<'_>,
    ) -> Result<(), TransformError> {
        let mut unknown = IndexSet::new();
        for slot in resources.slots() {
            let Some(resource) = resources.get(slot).cloned() else { continue };
            let is_off = |text: Option<&str>| text == Some("disabled");
            let label = resource.node.at(&["metadata", "labels", SWITCH]).and_then(Node::text);
            if is_off(resource.annotation(SWITCH)) || is_off(label) {
                continue;
            }
            let Some(node) = self.substituted(&resource, cx.mark, &mut unknown)? else { continue };
            cx.matched += 1;
            resources.update(slot, |resource| resource.node = node);
        }
        let unknown: Vec<String> = unknown.into_iter().collect();
        if !unknown.is_empty() {
            let remark = DeployedRemark::UnknownVariables(unknown);
            cx.warnings.push(Diagnostic::new(remark, cx.mark));
        }
        Ok(())
    }
}
