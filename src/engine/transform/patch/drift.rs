//! Indexes of JSON6902 patches that mean another element than where the resource is written.

use crate::diagnostic::{Code, Diagnostic};
use crate::resource::Resource;
use crate::transform::JsonPatch;
use crate::yaml::{Mark, Node, WriterId};

/// The first index of a patch at which an element stands that a later step put there, while the element that had the
/// place in the file is at another now.
pub(super) fn moved_index(
    patch: &JsonPatch,
    resource: &Resource,
    mark: Mark,
) -> Option<Diagnostic> {
    patch.expected_places().find_map(|path| {
        let mut node = &resource.node;
        let mut seen = String::new();
        for key in path.split('/').skip(1) {
            let key = key.replace("~1", "/").replace("~0", "~");
            seen = format!("{seen}/{key}");
            node = match (node.items(), key.parse::<usize>()) {
                (Some(items), Ok(index)) => {
                    let now = items.get(index)?;
                    let was = in_file(node, index)?;
                    if name(was) != name(now) && now.mark.writer != was.mark.writer {
                        let (now, was) = (name(now)?, name(was)?);
                        let message = format!(
                            "{seen} is {now:?} at this step; where the resource is written it is {was:?}"
                        );
                        let id = &resource.id;
                        let said = Diagnostic::new(Code::KZ214, message, mark)
                            .hint("a strategic merge patch finds elements by name")
                            .about(None, &id.gvk.kind, &id.name)
                            .field(seen);
                        return Some(said);
                    }
                    now
                }
                _ => node.get(&key)?,
            };
        }
        None
    })
}

/// The element that has this place among those that stood in the list from the beginning.
fn in_file(list: &Node, index: usize) -> Option<&Node> {
    let items = list.items()?;
    let first: WriterId =
        items.iter().map(|item| item.mark.writer).min_by_key(|writer| writer.0)?;
    items.iter().filter(|item| item.mark.writer == first).nth(index)
}

fn name(node: &Node) -> Option<&str> {
    node.get("name").and_then(Node::text)
}
