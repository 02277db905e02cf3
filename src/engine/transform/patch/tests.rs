use std::sync::Arc;

use super::*;
use crate::diagnostic::Code;
use crate::manifest::Patch;
use crate::resource::{Resource, TextOffset};
use crate::transform::PatchText;
use crate::transform::trial::{STEP, TransformTrial};
use crate::yaml::{SourceId, Value};

fn patch(
    text: &str,
    target: Option<Selector>,
    options: PatchOptions,
) -> Result<PatchTransformer, String> {
    let config = Patch { patch: text.to_owned(), target, options, ..Patch::default() };
    let text = PatchText {
        bytes: text.as_bytes().into(),
        source: SourceId(9),
        offset: TextOffset { lines: 10, columns: 0 },
        path: String::new(),
    };
    PatchTransformer::new(&config, &text, Mark::default(), crate::profile::Profile::MASTER)
        .map_err(|error| error.to_string())
}

fn run(trial: &mut TransformTrial, transformer: &PatchTransformer) -> Result<(), String> {
    trial.run(transformer).map(drop).map_err(|error| error.to_string())
}

const DEPLOYMENT: &str = "apiVersion: apps/v1
kind: Deployment
metadata: {name: d, namespace: n}
spec:
  replicas: 1
  template:
    spec:
      containers:
      - {name: a, image: a:1}
      - {name: b, image: b:1}
";

#[test]
fn patched_list_merges_by_name_and_shares_unchanged_elements() {
    let mut map = TransformTrial::from_text(DEPLOYMENT);
    let before = map.resources.iter().next().unwrap().1.clone();
    let target = Selector { kind: "Deploy.*".to_owned(), ..Selector::default() };
    let text = "kind: X\nmetadata: {name: x, namespace: y}\nspec: {template: {spec: {containers: [{name: b, image: b:2}]}}}\n";
    run(&mut map, &patch(text, Some(target), PatchOptions::default()).unwrap()).unwrap();
    let after = map.resources.iter().next().unwrap().1.clone();
    assert_eq!((&*after.id.name, &*after.id.gvk.kind), ("d", "Deployment"));
    let at = |resource: &Resource| {
        let path = ["spec", "template", "spec", "containers"];
        resource.node.at(&path).unwrap().items().unwrap().to_vec()
    };
    let (old, new) = (at(&before), at(&after));
    let names: Vec<_> = new.iter().map(|item| item.get("name").unwrap().text().unwrap()).collect();
    assert_eq!(names, ["b", "a"]);
    let (Value::Mapping(x), Value::Mapping(y)) = (&old[0].value, &new[1].value) else { panic!() };
    assert!(Arc::ptr_eq(x, y));
    let image = new[0].get("image").unwrap();
    assert_eq!((image.mark.source, image.mark.line), (SourceId(9), 13));
    assert_eq!(image.mark.writer, STEP.writer);
    assert_eq!(new[0].get("name").unwrap().mark.source, SourceId(1));
}

#[test]
fn patch_without_match_has_a_reason() {
    let mut map = TransformTrial::from_text(DEPLOYMENT);
    let head = "apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: d}\n";
    let error = run(&mut map, &patch(head, None, PatchOptions::default()).unwrap()).unwrap_err();
    let id = "Deployment.v1.apps/d.[noNs]";
    assert_eq!(
        error,
        format!(
            "no resource matches strategic merge patch \"{id}\": no matches for Id {id}; failed to find unique target for patch {id}"
        )
    );
    let target =
        Selector { kind: "Deployment".to_owned(), name: "dd".to_owned(), ..Selector::default() };
    let json = "- {op: replace, path: /spec/replicas, value: 3}";
    run(&mut map, &patch(json, Some(target), PatchOptions::default()).unwrap()).unwrap();
    let warnings = map.warnings;
    assert_eq!(warnings[0].code(), Code::KZ101);
    assert!(
        warnings[0].message().ends_with("1 resource of the kind, none named \"dd\""),
        "{warnings:?}"
    );
    assert_eq!(warnings[0].advice().as_deref(), Some("did you mean \"d\"?"));
}

#[test]
fn patch_text_must_be_strategic_or_json() {
    let any = || Some(Selector::default());
    let of = |text: &str, target| patch(text, target, PatchOptions::default());
    assert!(of("# nothing\n", any()).unwrap().is_empty());
    assert!(of("[]", None).unwrap().is_empty());
    assert!(matches!(of("- {op: remove, path: /x}", any()).unwrap().body, Body::Json(..)));
    assert!(matches!(of("kind: A\nmetadata: {name: b}", None).unwrap().body, Body::Strategic(..)));
    assert!(
        of("- op", any())
            .unwrap_err()
            .starts_with("unable to parse SM or JSON patch from [patch: \"- op\"]")
    );
    let mut map =
        TransformTrial::from_text("apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\n");
    let without_target = of("- {op: remove, path: /x}", None).unwrap();
    let error = run(&mut map, &without_target).unwrap_err();
    assert!(error.starts_with("must specify a target for JSON patch"), "{error}");
}
