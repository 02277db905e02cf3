use std::sync::Arc;

use super::*;
use crate::manifest::Patch;
use crate::resource::{Resource, TextOffset};
use crate::transform::PatchText;
use crate::transform::trial::{STEP, TransformTrial};
use crate::yaml::{SourceId, Value};

fn patch(text: &str, target: Option<Selector>) -> Result<PatchTransformer, String> {
    let config = Patch { patch: text.to_owned(), target, ..Patch::default() };
    let text = PatchText {
        bytes: text.as_bytes().into(),
        source: SourceId(9),
        offset: TextOffset { lines: 10, columns: 0 },
        path: String::new(),
    };
    PatchTransformer::new(&config, &text, Mark::default(), crate::profile::Profile::MASTER)
        .map_err(|error| error.to_string())
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
    map.run(&patch(text, Some(target)).unwrap()).unwrap();
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
