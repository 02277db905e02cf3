//! Finds indices in JSON6902 patches that no longer point to the same element as in the resource's
//! file.

use crate::diagnostic::{Diagnostic, SilentRemark};
use crate::resource::{QuickMap, Resource};
use crate::transform::JsonPatch;
use crate::yaml::{Mark, Node};

/// The diagnostic for the first index in a patch that points to an element inserted by a later
/// step, because the original element has moved.
pub(super) fn moved_index_warning(
    patch: &JsonPatch,
    resource: &Resource,
    mark: Mark,
) -> Option<Diagnostic> {
    // The original elements of each list, keyed by its address: a patch may need the same list many
    // times.
    let mut lists: QuickMap<usize, Vec<usize>> = QuickMap::default();
    patch.expected_pointers().find_map(|path| {
        let mut node = &resource.node;
        let mut seen = String::new();
        let mut keys = path.split('/').skip(1).peekable();
        while let Some(key) = keys.next() {
            let key = key.replace("~1", "/").replace("~0", "~");
            seen = format!("{seen}/{key}");
            node = match (node.items(), key.parse::<usize>()) {
                (Some(items), Ok(index)) => {
                    let now = items.get(index)?;
                    let list = std::ptr::from_ref(node).addr();
                    let in_file = lists.entry(list).or_insert_with(|| original_indices(items));
                    let was = items.get(*in_file.get(index)?)?;
                    if name(was) != name(now) && now.mark.writer != was.mark.writer {
                        let (now, was) = (name(now)?, name(was)?);
                        let (now, was, pointer) = (now.to_owned(), was.to_owned(), seen.clone());
                        let id = &resource.id;
                        let remark = SilentRemark::MovedIndex { pointer, now, was };
                        let said = Diagnostic::new(remark, mark)
                            .with_subject(None, &id.gvk.kind, &id.name)
                            .field(seen);
                        return Some(said);
                    }
                    now
                }
                // It makes no difference whether the last key exists.
                _ if keys.peek().is_none() => return None,
                _ => node.get(&key)?,
            };
        }
        None
    })
}

/// The current indices of those elements that were in the list from the beginning.
fn original_indices(items: &[Node]) -> Vec<usize> {
    let first = items.iter().map(|item| item.mark.writer).min_by_key(|writer| writer.0);
    let stood = items.iter().enumerate().filter(|(_, item)| Some(item.mark.writer) == first);
    stood.map(|(index, _)| index).collect()
}

fn name(node: &Node) -> Option<&str> {
    node.get("name").and_then(Node::text)
}
