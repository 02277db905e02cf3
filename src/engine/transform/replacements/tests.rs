use super::super::trial::TransformTrial;
use super::*;
use crate::manifest::{ReplacementOptions, ReplacementTarget};
use crate::resource::Selector;
use crate::yaml::print_output;

const RESOURCES: &str = r#"
apiVersion: v1
kind: ConfigMap
metadata: {name: src}
data: {k: v, host: "a.b:80", "a.b/c": q}
n: 5
m: {x: 1}
l: [{name: c1, v: 1}, {name: c2, v: 2}]
e: {}
---
apiVersion: v1
kind: Foo
metadata: {name: dst}
s: old
q: "4"
u: http://h:1/p
l: [{name: c1, v: one}, {name: c2, v: two}]
sc: [a, b]
m: {x: 1}
yaml: |
  a: # note
    b: c
  z: 1
"#;

fn run(source: &str, field: &str, options: ReplacementOptions) -> Result<String, String> {
    let (path, delimiter) = source.split_once('|').unwrap_or((source, ""));
    let id =
        Selector { kind: "ConfigMap".to_owned(), name: "src".to_owned(), ..Selector::default() };
    let own = ReplacementOptions {
        delimiter: delimiter.to_owned(),
        index: 1,
        ..ReplacementOptions::default()
    };
    let source = ReplacementSource { id, field_path: path.to_owned(), options: Some(own) };
    let target = ReplacementTarget {
        select: Some(Selector { name: "d.t".to_owned(), ..Selector::default() }),
        field_paths: vec![field.to_owned()],
        options: Some(options),
        ..ReplacementTarget::default()
    };
    let config =
        Replacement { source: Some(source), targets: Some(vec![target]), ..Replacement::default() };
    let mut trial = TransformTrial::from_text(RESOURCES);
    let printed = |trial: &TransformTrial| {
        print_output(&trial.resources.iter().last().unwrap().1.node).unwrap()
    };
    let before = printed(&trial);
    let config = Marked { value: config, mark: Mark::default() };
    let transformer = ReplacementTransformer::new(&config, Profile::MASTER);
    trial.run(&transformer).map_err(|error| error.to_string())?;
    assert_eq!(trial.matched, 1);
    let after = printed(&trial);
    let diff = similar::TextDiff::from_lines(&before, &after);
    let changed: Vec<String> = diff
        .iter_all_changes()
        .filter(|change| change.tag() == similar::ChangeTag::Insert)
        .map(|change| change.as_str().unwrap_or_default().trim_end().to_owned())
        .collect();
    Ok(changed.join("|"))
}

fn options_with_create() -> ReplacementOptions {
    ReplacementOptions { create: true, ..ReplacementOptions::default() }
}

fn options_with_index(index: i64) -> ReplacementOptions {
    ReplacementOptions { delimiter: "/".to_owned(), index, ..ReplacementOptions::default() }
}

#[test]
fn values_are_written_at_the_target_path() {
    let none = ReplacementOptions::default;
    for (source, field, options, out) in [
        ("data.[a.b/c]", "s", none(), "s: q"),
        ("data.a\\.b/c", "s", none(), "s: q"),
        ("l.[name=c2].v", "s", none(), "s: \"2\""),
        ("l.-.v", "s", none(), "s: \"2\""),
        ("data.k", "l.*.zz", options_with_create(), "  zz: v|  zz: v"),
        ("data.k", "l.2.v", options_with_create(), "- v: v"),
        ("data.k", "m", none(), "m: v"),
        ("m", "s", none(), "s: \"\""),
        ("m", "new", options_with_create(), "new:|  x: 1"),
        ("data.k", "yaml.a.b", none(), "    b: v|  z: 1"),
    ] {
        let done = run(source, field, options.clone()).unwrap();
        if field.starts_with("yaml") {
            assert!(done.contains("b: v"), "{done}");
        } else {
            assert_eq!(done, out, "{source} -> {field} {options:?}");
        }
    }
}

#[test]
fn errors_have_the_words_of_kustomize() {
    let none = ReplacementOptions::default;
    let missing = "is missing for replacement source ConfigMap.[noVer].[noGrp]/src.[noNs]";
    for (source, field, options, text) in [
        ("e", "s", none(), format!("fieldPath `e` {missing}")),
        ("l.*.v", "s", none(), "error looking up replacement source: wildcard is not supported in PathGetter".to_owned()),
        ("m|:", "s", none(), "delimiter option can only be used with scalar nodes".to_owned()),
        ("data.k", "m", options_with_index(0), "delimiter option can only be used with scalar nodes".to_owned()),
        ("data.k", "l.9.v", none(), "unable to find field \"l.9.v\" in replacement target: index 9 specified but only 2 elements found".to_owned()),
        ("data.k", "sc.5", options_with_create(), "unable to find or create field \"sc.5\" in replacement target: index 5 specified but only 2 elements found".to_owned()),
    ] {
        assert_eq!(run(source, field, options).unwrap_err(), text);
    }
}
