//! `OpenAPI` v3 documents as sources; pages under `tests/cases/openapi` show the other sources.

use super::*;

#[test]
fn openapi_v3_is_empty_for_kustomize() {
    let v3 = br##"{"components": {"schemas": {"b": {"type": "object"},
        "a": {"x-kubernetes-group-version-kind": [{"group": "a.io", "version": "v1", "kind": "Foo"}],
          "properties": {"b": {"allOf": [{"$ref": "#/components/schemas/b"}]}}}}}}"##;
    assert!(Schema::parse(v3).unwrap().is_empty());
    let source = Schema::parse_source(v3).unwrap();
    let b = source.schema.of_type("a.io/v1", "Foo").unwrap().field("b").unwrap();
    assert_eq!(b.kind(), SchemaType::Object);
}
