//! The change of a resource by a step, as a diff.

use crate::display::sanitize;
use crate::engine::resource::{Change, ResId};
use crate::engine::yaml::{Node, print_preserving_style};

use super::layout::layout_for_diff;
use crate::answers::secrets::Secrets;
use crate::draft::LineChanges;

/// The number of context lines around a difference.
const CONTEXT_LINES: usize = 3;

/// The change of one resource as a unified diff of its text; Secrets are masked unless requested.
pub fn change_diff(change: &Change, secrets: &Secrets) -> String {
    let id = change
        .after
        .as_ref()
        .or(change.before.as_ref())
        .map(|resource| sanitize(&selector_text(&resource.id)).into_owned())
        .unwrap_or_default();
    let after = change.after.as_ref().map(|resource| secrets.masked_node(resource));
    let before = change.before.as_ref().map(|resource| secrets.masked_node(resource));
    unified(before.as_ref(), after.as_ref(), (&format!("a/{id}"), &format!("b/{id}")))
}

/// The shortest text that names a resource with its namespace, as in `web/Deployment/example`.
fn selector_text(id: &ResId) -> String {
    let namespace = &*id.namespace;
    let separator = if namespace.is_empty() { "" } else { "/" };
    format!("{namespace}{separator}{}/{}", id.gvk.kind, id.name)
}

/// The difference between two states of a resource as a unified diff of their texts.
pub fn unified(before: Option<&Node>, after: Option<&Node>, names: (&str, &str)) -> String {
    let text = |node: Option<&Node>| node.map_or_else(String::new, print_preserving_style);
    let (before, after) = match (before, after) {
        (Some(before), Some(after)) => {
            let (before, after) = layout_for_diff(before, after);
            (print_preserving_style(&before), print_preserving_style(&after))
        }
        (before, after) => (text(before), text(after)),
    };
    LineChanges::new(&before, &after).unified_with_names(CONTEXT_LINES, names)
}
