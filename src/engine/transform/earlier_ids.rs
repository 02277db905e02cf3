//! The ids that resources had before.

use crate::diagnostic::ResourceFault;
use crate::resource::{ResMap, Resource};

use super::TransformError;

/// Kustomize reads the earlier ids of all resources when it looks for some of them, whatever it finds.
///
/// # Errors
/// Lists that do not fit together.
pub(super) fn check_all_earlier_ids(resources: &ResMap) -> Result<(), TransformError> {
    resources.iter().try_for_each(|(_, resource)| check_earlier_ids(resource))
}

/// Kustomize keeps earlier names, namespaces and kinds in lists with commas between them, without those that are empty, and
/// gives up when it reads lists that do not fit together.
///
/// # Errors
/// Lists that do not fit together.
pub(super) fn check_earlier_ids(resource: &Resource) -> Result<(), TransformError> {
    let previous = resource.names.previous();
    let has_comma = previous.iter().any(|previous| {
        let texts = [&previous.name, &previous.namespace, &previous.kind];
        // Of every resource: a search for a character costs more than these few bytes.
        texts.iter().any(|text| text.bytes().any(|byte| byte == b','))
    });
    let named = previous.iter().filter(|previous| !previous.name.is_empty()).count();
    let is_even = named == 0 || named == previous.len();
    if !has_comma && is_even {
        return Ok(());
    }
    let metadata = resource.node.get("metadata");
    let name = metadata.and_then(|metadata| metadata.get("name"));
    let hint = if has_comma {
        "a name, namespace or kind with a comma cannot be followed through renames"
    } else {
        "the object had a name before and has none that is a text now: see what wrote metadata.name"
    };
    let mark = name.map_or(resource.node.mark, |name| name.mark);
    Err(TransformError::fault(ResourceFault::UnevenNames, mark).with_hint(hint))
}
