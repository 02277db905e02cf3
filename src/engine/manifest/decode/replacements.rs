//! Replacement files (`replacements[].path`, section 4.14).

use crate::manifest::{Marked, Replacement};
use crate::profile::Profile;
use crate::yaml::{Limits, Mark, Node, SourceId, Value, parse_config};

use super::go_json::{GoPosition, LENIENT, Result};
use super::json_kind::json_name;
use super::transformers::decode_replacement;
use super::{ManifestError, ManifestFault};

/// Decodes a file of replacements: one, or a list of them. Unknown fields are ignored, as in
/// Kustomize.
///
/// # Errors
/// The file is neither, or a field has a wrong type.
pub fn decode_replacements(
    text: &[u8],
    source: SourceId,
    profile: Profile,
) -> Result<Vec<Marked<Replacement>>> {
    let place = GoPosition::top(LENIENT.like(profile));
    let root = parse_config(text, source, Limits::default())
        .map_err(|error| ManifestError::yaml("error converting YAML to JSON: ", error, source))?;
    let mark = Mark { source, line: 1, column: 1, ..Mark::default() };
    let unsupported = |found: &str, mark| {
        let fault = ManifestFault::UnsupportedReplacement(found.to_owned());
        Err(ManifestError::Fault { fault, hint: None, mark })
    };
    let Some(root) = root else { return unsupported("invalid", mark) };
    let one =
        |place: &GoPosition<'_>, node: &Node| decode_replacement(place, node, "types.Replacement");
    match &root.value {
        Value::Sequence(..) => place.list(&root, "[]types.Replacement", one),
        Value::Mapping(_) => Ok(vec![Marked { value: one(&place, &root)?, mark: root.mark }]),
        Value::Scalar(_) if root.is_null() => unsupported("invalid", root.mark),
        Value::Scalar(_) => {
            // Go's names of the types of JSON scalars.
            let found = match json_name(&root) {
                "number" => "float64",
                other => other,
            };
            unsupported(found, root.mark)
        }
    }
}
