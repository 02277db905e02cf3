use indexmap::IndexMap;

use super::expand::{VarValue, expand};
use crate::transform::replacements::ReplacementPath;
use crate::yaml::{Limits, Node, SourceId, Tag, parse_documents};

#[test]
fn vars_in_texts_are_expanded_as_in_kustomize() {
    let values: IndexMap<String, VarValue> = [
        ("S".to_owned(), VarValue::Text("svc".into())),
        ("F".to_owned(), VarValue::Float(1.5)),
        ("M".to_owned(), VarValue::Collection),
    ]
    .into_iter()
    .collect();
    for (text, want) in [
        ("$(F)x", "1.5x"),
        ("$(X) $(S", "$(X) $(S"),
        ("$x$", "$x$"),
        ("$($(S)", "$($(S)"),
        ("$(M)", "$(M)"),
    ] {
        let got = expand(text, &values);
        assert_eq!((&*got.text, got.tag), (want, Tag::Str), "{text}");
    }
}

#[test]
fn field_paths_of_vars_are_looked_up() {
    let text = br#"
metadata: {annotations: {k.l/m: dotted}}
spec: {"5": five, "-": dash, "*": star, l: [{n: x, v: a1}, {n: "y", v: a2}], "q[0]": lit, s: [s0, [t0, t1]], b.c: bc}
"#;
    let file = parse_documents(text, SourceId::NONE, Limits::default()).unwrap();
    for (path, want) in [
        ("spec.l[0].v", Some("a1")),
        ("spec.l.[0].v", Some("a1")),
        ("spec.l.[n=y].v", Some("a2")),
        ("spec.l[n=y].v", None),
        ("spec.l.-.v", Some("a2")),
        ("metadata.annotations.[k.l/m]", Some("dotted")),
        ("metadata.annotations.k\\.l/m", Some("dotted")),
        ("metadata.annotations[k.l/m]", None),
        ("spec.s[1][0]", None),
        ("spec.s.1.0", Some("t0")),
        ("spec.s.[=s0]", Some("s0")),
        ("spec.l.*.v", None),
        ("spec.s[-1]", None),
        ("spec.q[0]", None),
        (".spec.s.0", Some("s0")),
        ("spec.l.5.v", None),
        ("spec..b", None),
        ("spec..l. .0.v", Some("a1")),
        ("spec.5", None),
        ("spec.-", None),
        ("spec.*", None),
    ] {
        let found = ReplacementPath::of_var(path).get(&file.documents[0].node).ok().flatten();
        assert_eq!(found.and_then(Node::text), want, "{path}");
    }
}
