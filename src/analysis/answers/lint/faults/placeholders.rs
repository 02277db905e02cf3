//! Placeholders that are not replaced, in fields that do not allow one.

use crate::engine::diagnostic::{Object, SilentRemark};
use crate::engine::evaluate::StepKind;

use super::{PathPart, Scan, dotted_path, last_step, of_field, visit_entries};

/// Finds `$(NAME)` in names, namespaces and images of the output, which the API server refuses.
pub(super) fn left_placeholders(scan: &mut Scan<'_, '_>) {
    let steps = [StepKind::NameReferences, StepKind::ReplaceVars];
    let step = steps.into_iter().filter_map(|kind| last_step(scan.trace, kind)).max();
    let Some(step) = step else { return };
    for (slot, resource) in scan.last {
        if !scan.cache.scan(resource).has_dollar {
            continue;
        }
        visit_entries(&resource.node, &mut Vec::new(), &mut |path, key, around, value| {
            let in_metadata =
                matches!(path, [PathPart::Key("metadata")]) && matches!(key, "name" | "namespace");
            let in_container = key == "image"
                && around.get("name").is_some()
                && path
                    .iter()
                    .any(|part| matches!(part, PathPart::Key("containers" | "initContainers")));
            let Some(text) = value.text().filter(|_| in_metadata || in_container) else { return };
            let Some(word) = first_placeholder(text) else { return };
            let field = dotted_path(path, key);
            let (object, placeholder) = (Object::from(&resource.id), word.to_owned());
            let remark = SilentRemark::Placeholder { field: field.clone(), object, placeholder };
            scan.found.push((step, of_field(remark, value.mark, (*slot, resource), field)));
        });
    }
}

/// The placeholder `$(NAME)` at the first `$(` of a text; `None` if none begins there.
fn first_placeholder(text: &str) -> Option<&str> {
    let at = text.find("$(")?;
    let rest = text.get(at + 2..)?;
    let name = rest.get(..rest.find(')')?)?;
    let is_name = |c: char| c.is_ascii_alphanumeric() || "_-".contains(c);
    let is_one = !name.is_empty() && name.chars().all(is_name);
    if is_one { text.get(at..at + name.len() + 3) } else { None }
}

#[cfg(test)]
mod tests {
    use crate::answers::lint::faults::placeholders::*;

    #[test]
    fn a_placeholder_is_a_name_in_parentheses() {
        assert_eq!(first_placeholder("a-$(NAME)-b"), Some("$(NAME)"));
        for text in ["a$b", "$(", "$()", "${TAG}", "$(params.image)", "$(a b)", "plain"] {
            assert_eq!(first_placeholder(text), None);
        }
    }
}
