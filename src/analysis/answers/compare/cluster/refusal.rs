//! The fields that the API server names when it refuses an object.

/// A field of a refused object.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct RefusalCause<'m> {
    /// The path of the field, in the form of the API server: `spec.containers[0].image`.
    pub(super) field: &'m str,
    pub(super) is_immutable: bool,
}

/// The causes in kubectl's message: `The KIND "NAME" is invalid: FIELD: REASON`, and for several
/// causes a line `* FIELD: REASON` each. From `StatusCause` in the package `api/errors` of
/// Kubernetes, as kubectl prints it.
pub(super) fn refusal_causes(message: &str) -> Vec<RefusalCause<'_>> {
    fn cause(text: &str) -> Option<RefusalCause<'_>> {
        let text = text.trim_start_matches(['*', ' ', '\n']);
        let (field, reason) = text.split_once(": ")?;
        let is_path = |c: char| c.is_ascii_alphanumeric() || "._-/[]".contains(c);
        // From the validation of updates in Kubernetes: `field is immutable`, and for a StatefulSet
        // `updates to statefulset spec for fields other than … are forbidden`.
        let is_immutable = reason.contains("immutable") || reason.contains("updates to ");
        let is_field = !field.is_empty() && field.chars().all(is_path);
        is_field.then_some(RefusalCause { field, is_immutable })
    }
    let causes = message.split_once(" is invalid: ").map_or("", |(_, causes)| causes);
    causes.split("\n* ").filter_map(cause).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_of_one_and_of_several_causes_are_read() {
        let one = "The Deployment \"web\" is invalid: spec.selector: Invalid value: {\"a\": \"b: c\"}: field is immutable";
        let immutable = RefusalCause { field: "spec.selector", is_immutable: true };
        assert_eq!(refusal_causes(one), [immutable]);
        let several = "The Pod \"web\" is invalid: \n* spec.containers[0].image: Required value\n* metadata.name: Invalid value: \"x\": no";
        let fields: Vec<&str> = refusal_causes(several).iter().map(|it| it.field).collect();
        assert_eq!(fields, ["spec.containers[0].image", "metadata.name"]);
        assert!(refusal_causes("Error from server (Forbidden): no").is_empty());
        assert!(refusal_causes("The X \"a\" is invalid: not a path: why").is_empty());
    }
}
