use super::*;
use crate::plugin::{OutgoingObject, request};
use crate::yaml::parse_nodes;

fn nodes(text: &str) -> Vec<Node> {
    parse_nodes(text.as_bytes()).unwrap()
}

const TWO: &str = "{kind: A, apiVersion: v1, metadata: {name: a}}\n---\n{kind: A, apiVersion: v1, metadata: {name: b}}\n";

/// The result of a function in a Composition; `edit` changes the objects that it returns.
fn run_composition_function(edit: impl Fn(&mut Vec<Node>)) -> (Vec<String>, AppliedReply) {
    let mut map = ResMap::starting_at(0, Arc::default());
    for node in nodes(TWO) {
        map.append(Resource::new(node, &Scopes::default())).unwrap();
    }
    let sent: Vec<OutgoingObject> = map
        .iter()
        .map(|(_, r)| OutgoingObject { resource: r.clone(), place: None, metadata: Vec::new() })
        .collect();
    let bytes = request(&sent, &Node::mapping()).unwrap();
    let list = nodes(std::str::from_utf8(&bytes).unwrap()).remove(0);
    let mut items = list.get("items").and_then(Node::items).unwrap().to_vec();
    edit(&mut items);
    let (configured_by, mark, sent) = ("F/f", Mark::default(), &*sent);
    let cx = ReplyingFunction { configured_by, mark, composed: true, sent };
    let answered = receive_transformed(&mut map, items, cx).unwrap();
    let name = |slot: &Slot| map.get(*slot).unwrap().id.name.to_string();
    (answered.order.iter().map(name).collect(), answered)
}

#[test]
fn merge_target_is_kept_and_dropping_all_inputs_warns() {
    let (order, answered) = run_composition_function(|items| {
        *items = nodes(
            "{apiVersion: v1, kind: A, metadata: {name: a, annotations: {kustomize.config.k8s.io/behavior: merge}}}\n",
        );
    });
    assert_eq!(order, ["a"]);
    assert_eq!(answered.new_resources.len(), 1);
    assert_eq!(answered.new_resources[0].behavior, Behavior::Merge);
    let (_, answered) = run_composition_function(|items| {
        *items = nodes("{apiVersion: v1, kind: N, metadata: {name: n}}\n");
    });
    assert!(answered.warnings[0].starts_with("F/f dropped all 2 input resources"));
}

/// A validator that returns `256` for `0400` is not the writer of the value.
#[test]
fn validator_is_not_the_writer_of_values_that_it_returns() {
    let mut map = ResMap::starting_at(0, Arc::default());
    let object = nodes("{apiVersion: v1, kind: A, metadata: {name: a}, mode: 0400}").remove(0);
    let slot = map.append(Resource::new(object, &Scopes::default())).unwrap();
    let answer = |text: &'static str| {
        move |map: &mut ResMap| {
            map.update(slot, |resource| resource.node = nodes(text).remove(0));
            Ok(())
        }
    };
    let same =
        "{apiVersion: v1, kind: A, metadata: {name: a, labels: {validated-by: v}}, mode: 256}";
    validate(&mut map, Mark::default(), answer(same)).unwrap();
    let node = &map.get(slot).unwrap().node;
    assert_eq!(node.text_at(&["mode"]), Some("0400"));
    assert_eq!(node.text_at(&["metadata", "labels", VALIDATED_BY]), Some("v"));
    let other = "{apiVersion: v1, kind: A, metadata: {name: a}, mode: 400}";
    assert!(validate(&mut map, Mark::default(), answer(other)).is_err());
}
