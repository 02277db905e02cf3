//! Sources that may be merged over the built-in schema, and documents that are refused.

use super::*;

fn foo_merge_keys(schema: &Schema, path: &str) -> Option<Vec<String>> {
    let path: Vec<String> = path.split('.').map(str::to_owned).collect();
    let keys = schema.merge_keys_at("a.io/v1", "Foo", &path)?;
    Some(keys.names().map(str::to_owned).collect())
}

const CRD: &str = r"
apiVersion: v1
kind: List
items:
- apiVersion: apiextensions.k8s.io/v1
  kind: CustomResourceDefinition
  spec:
    group: a.io
    names: {kind: Foo}
    scope: Cluster
    versions:
    - name: v1
      served: true
      schema:
        openAPIV3Schema:
          type: object
          properties:
            spec:
              type: object
              properties:
                rules: {type: array, x-kubernetes-list-type: map, x-kubernetes-list-map-keys: [host, port], items: {type: object}}
                words: {type: array, x-kubernetes-list-type: set, items: {type: string}}
                atoms: {type: array, items: {type: object}}
                pod: {type: object, x-kubernetes-embedded-resource: true}
    - {name: v2, served: false, schema: {openAPIV3Schema: {type: object}}}
";

#[test]
fn crd_defines_merge_keys_and_scope() {
    let source = Schema::parse_source(CRD.as_bytes()).unwrap();
    assert_eq!(source.notes, []);
    let schema = Schema::builtin().merged_with(&source.schema);
    assert_eq!(foo_merge_keys(&schema, "spec.rules").unwrap(), ["host", "port"]);
    assert_eq!(foo_merge_keys(&schema, "spec.words").unwrap(), Vec::<String>::new());
    assert_eq!(foo_merge_keys(&schema, "spec.atoms"), None);
    assert_eq!(foo_merge_keys(&schema, "metadata.ownerReferences").unwrap(), ["uid"]);
    assert_eq!(foo_merge_keys(&schema, "spec.pod.metadata.ownerReferences").unwrap(), ["uid"]);
    assert_eq!(schema.scope(&Gvk::new("a.io/v1", "Foo")), Some(Scope::Cluster));
    assert!(schema.of_type("a.io/v2", "Foo").is_none(), "it is not served");
    assert!(schema.definition("io.a.v1.Foo").is_some());
}

#[test]
fn crd_and_openapi_v3_are_empty_for_kustomize() {
    assert!(Schema::parse(CRD.as_bytes()).unwrap().is_empty());
    let v3 = br##"{"components": {"schemas": {"b": {"type": "object"},
        "a": {"x-kubernetes-group-version-kind": [{"group": "a.io", "version": "v1", "kind": "Foo"}],
          "properties": {"b": {"allOf": [{"$ref": "#/components/schemas/b"}]}}}}}}"##;
    assert!(Schema::parse(v3).unwrap().is_empty());
    let source = Schema::parse_source(v3).unwrap();
    let b = source.schema.of_type("a.io/v1", "Foo").unwrap().field("b").unwrap();
    assert_eq!(b.kind(), SchemaType::Object);
}

#[test]
fn schemas_that_panic_kustomize_are_errors() {
    let bad: &[&str] = &[
        "",
        "not json [",
        "[]",
        r#"{"definitions": []}"#,
        r#"{"definitions": {"a": []}}"#,
        r#"{"definitions": {"a": {"x-kubernetes-group-version-kind": [{"group": "a", "kind": "B"}]}}}"#,
        r#"{"paths": []}"#,
    ];
    for text in bad {
        let error = Schema::parse(text.as_bytes()).expect_err(text);
        assert!(error.to_string().starts_with("invalid schema file: "), "{text}: {error}");
    }
    let good: &[&str] = &[
        "null",
        "{}",
        r#"{"definitions": {"a": {"default": 1.5, "minLength": 3, "minimum": -3}}}"#,
        r#"{"definitions": {"a": {"items": [{"type": "string"}], "additionalProperties": true}}}"#,
        r#"{"definitions": {"a": {"x-kubernetes-group-version-kind": {"group": "a", "kind": "B"}}}}"#,
    ];
    for text in good {
        assert!(Schema::parse(text.as_bytes()).is_ok(), "{text}");
    }
}
