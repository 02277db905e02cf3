//! Checks the earlier ids of resources.

use crate::diagnostic::ResourceFault;
use crate::resource::{ResMap, Resource};

use super::{TransformError, TransformResult};

/// Checks the earlier ids of all resources: Kustomize reads all of them whenever it searches for an
/// id.
///
/// # Errors
/// The lists of a resource have different lengths.
pub(super) fn check_all_earlier_ids(resources: &ResMap) -> TransformResult {
    resources.iter().try_for_each(|(_, resource)| check_earlier_ids(resource))
}

/// Kustomize stores earlier names, namespaces and kinds as comma-separated lists without empty
/// items, and fails when it reads lists of different lengths.
///
/// # Errors
/// The lists have different lengths.
pub(super) fn check_earlier_ids(resource: &Resource) -> TransformResult {
    let previous = resource.names.previous();
    let has_comma = previous.iter().any(|previous| {
        let texts = [&previous.name, &previous.namespace, &previous.kind];
        // Checked first for every resource: a search for a character costs more than comparing
        // these few bytes.
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
        "the name of the object is not a string any more: see the writers of metadata.name"
    };
    let mark = name.map_or(resource.node.mark, |name| name.mark);
    Err(TransformError::fault(ResourceFault::UnevenNames, mark).with_hint(hint))
}
