use indexmap::IndexMap;

use super::expand::{VarValue, expand};
use super::path::look_up;
use crate::engine::yaml::{Limits, Node, SourceId, Tag, parse_documents};

#[test]
fn expands_as_kustomize_does() {
    let values: IndexMap<String, VarValue> = [
        ("N".to_owned(), VarValue::Int(8080)),
        ("S".to_owned(), VarValue::Text("svc".into())),
        ("F".to_owned(), VarValue::Float(1.5)),
        ("M".to_owned(), VarValue::Collection),
    ]
    .into_iter()
    .collect();
    for (text, want, tag) in [
        ("$(N)", "8080", Tag::Int),
        ("$(S)", "svc", Tag::Str),
        ("a-$(N)-$(S)", "a-8080-svc", Tag::Str),
        ("$(F)x", "1.5x", Tag::Str),
        ("$$(S)", "$(S)", Tag::Str),
        ("$(X) $(S", "$(X) $(S", Tag::Str),
        ("$x$", "$x$", Tag::Str),
        ("$($(S)", "$($(S)", Tag::Str),
        ("$(M)", "$(M)", Tag::Str),
    ] {
        let got = expand(text, &values);
        assert_eq!((&*got.text, &got.tag), (want, &tag), "{text}");
    }
}

#[test]
fn reads_field_paths() {
    let text = b"a: {b.c: [x, {n: k, v: 1}]}\n";
    let node: Node =
        parse_documents(text, SourceId::NONE, Limits::default()).unwrap().documents.remove(0).node;
    for (path, want) in [
        ("a.b\\.c[0]", Some("x")),
        ("a.b\\.c.1.v", Some("1")),
        ("a.[b.c].[n=k].v", Some("1")),
        ("a.b\\.c.-.n", Some("k")),
        ("a.b.c", None),
    ] {
        assert_eq!(look_up(&node, path).and_then(Node::text), want, "{path}");
    }
}
