//! Kustomize's own plugins in a Composition: their fields, their default field specs, their former
//! names (section A.10).

use crate::manifest::Builtin;
use crate::yaml::{Limits, Node, SourceId, parse_documents};

/// The schemas of the built-in kinds.
const BUILTIN_SCHEMAS: &str = include_str!("../../assets/composition/builtin-schemas.yaml");

/// The prototype's name of `ResourceAccumulator`, the entry that loads resources (D-A26).
pub(super) const RESOURCE_GENERATOR: &str = "ResourceGenerator";

/// Every kind for `apiVersion: builtin` in a Composition.
pub(super) fn kinds() -> impl Iterator<Item = &'static str> {
    Builtin::ALL.iter().map(|builtin| builtin.kind())
}

/// True for a kind that needs no apiVersion (D-A6).
pub(super) fn is_known(kind: &str) -> bool {
    kind == RESOURCE_GENERATOR || Builtin::from_kind(kind).is_some()
}

/// The schema of the configuration of a built-in kind, without `apiVersion` and `kind`.
pub fn builtin_schema(kind: &str) -> Option<Node> {
    let file =
        parse_documents(BUILTIN_SCHEMAS.as_bytes(), SourceId::NONE, Limits::default()).ok()?;
    file.documents.first()?.node.get(kind).cloned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_field_of_every_kind_has_a_schema() {
        for builtin in Builtin::ALL.iter().filter(|builtin| !builtin.fields().is_empty()) {
            let kind = builtin.kind();
            let schema = builtin_schema(kind).expect(kind);
            let properties = schema.get("properties").expect(kind).entries();
            let known = properties.iter().filter_map(|entry| entry.key.text());
            let mut known: Vec<&str> = known.filter(|name| *name != "metadata").collect();
            let mut named = builtin.fields().to_vec();
            known.sort_unstable();
            named.sort_unstable();
            assert_eq!(known, named, "{kind}");
        }
    }
}
