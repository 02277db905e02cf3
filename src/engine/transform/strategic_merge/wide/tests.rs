use proptest::prelude::*;

use super::*;
use crate::profile::Profile;
use crate::resource::Schema;
use crate::transform::{Merged, Trail, merge_resource};
use crate::yaml::{Limits, SourceId, Style, Tag, parse_documents};

fn read(text: &str) -> Node {
    let mut read = parse_documents(text.as_bytes(), SourceId(1), Limits::default()).unwrap();
    read.documents.remove(0).node
}

/// A resource with so many keys.
fn wide(count: usize) -> Node {
    let keys: String = (0..count).map(|it| format!("    k{it}: v{it} # {it}\n")).collect();
    read(&format!(
        "apiVersion: v1\nkind: Thing\nmetadata: {{name: a}}\nspec:\n  more: x\n  data:\n{keys}"
    ))
}

fn merged(target: &Node, patch: &Node) -> Result<Node, String> {
    let schema = (&Schema::default(), Profile::MASTER);
    let (mut warnings, mut trail) = (Vec::new(), Trail { claims: true, ..Trail::default() });
    match merge_resource(target, patch, "Thing", schema, &mut warnings, &mut trail) {
        Ok(Merged::Same) => Ok(target.clone()),
        Ok(Merged::Changed(node)) => Ok(node),
        Ok(Merged::Gone) => Ok(Node::null()),
        Err(error) => Err(error.to_string()),
    }
}

/// Merges a patch into what it has to see of a tree, and puts that back.
fn narrowly(known: &mut WideMappings, target: &mut Node, patch: &Node) -> Result<bool, String> {
    let Some(narrowed) = known.narrowed(target, patch) else {
        *target = merged(target, patch)?;
        return Ok(false);
    };
    let part = merged(&narrowed.tree, patch)?;
    *target = known.widened(narrowed, part, target);
    Ok(true)
}

fn entries(node: &Node) -> &[Entry] {
    node.at(&["spec", "data"]).unwrap().entries()
}

#[test]
fn a_patch_writes_to_a_wide_mapping_where_it_stands() {
    let (mut known, mut target) = (WideMappings::default(), wide(400));
    let first = entries(&target).as_ptr();
    for number in 0..300 {
        let patch = read(&format!("spec: {{data: {{k{number}: new}}}}\n"));
        let narrowed = known.narrowed(&target, &patch).unwrap();
        // What it names, and one more.
        assert_eq!(entries(&narrowed.tree).len(), 2);
        let part = merged(&narrowed.tree, &patch).unwrap();
        target = known.widened(narrowed, part, &mut target);
        assert_eq!(entries(&target)[number].value.text(), Some("new"));
    }
    assert_eq!(entries(&target).as_ptr(), first);
    assert_eq!(known.0.len(), 1);
}

#[test]
fn what_is_written_by_others_is_looked_at_again() {
    let (mut known, mut target) = (WideMappings::default(), wide(100));
    let patch = read("spec: {data: {k1: new}}\n");
    assert_eq!(narrowly(&mut known, &mut target, &patch), Ok(true));
    let data = target.get_mut("spec").unwrap().get_mut("data").unwrap();
    data.as_mapping_mut().unwrap().entries[7].value = Node::scalar("", Tag::Null, Style::Plain);
    assert_eq!(narrowly(&mut known, &mut target, &patch), Ok(false));
    assert!(target.at(&["spec", "data", "k7"]).is_none());
}

/// What a patch says of a key.
fn said() -> impl Strategy<Value = (usize, String)> {
    let value = prop_oneof![
        4 => "[a-c]{1,3}".prop_map(|text| format!("{text} # b")),
        2 => Just("~".to_owned()),
        1 => Just("null".to_owned()),
        1 => Just("'yes'".to_owned()),
        1 => Just("yes".to_owned()),
        1 => Just("!!str no".to_owned()),
        1 => Just("{x: y}".to_owned()),
        1 => Just("[x]".to_owned()),
        1 => Just("{}".to_owned()),
    ];
    (0usize..140, value)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]
    #[test]
    fn one_patch_after_the_other_does_what_it_does_to_the_whole(
        patches in prop::collection::vec(prop::collection::vec(said(), 0..6), 1..8),
        is_flow in any::<bool>(),
    ) {
        let (mut known, mut target) = (WideMappings::default(), wide(120));
        let mut whole = target.clone();
        for said in patches {
            let lines: Vec<String> = said.iter().map(|(key, value)| format!("    k{key}: {value}\n")).collect();
            let data = if lines.is_empty() { "{}\n".to_owned() } else { format!("\n{}", lines.concat()) };
            let tail = if is_flow { "  more: {}\n" } else { "  more: y\n" };
            let Ok(mut parsed) = parse_documents(format!("spec:\n  data: {data}{tail}").as_bytes(), SourceId(2), Limits::default()) else { continue };
            let patch = parsed.documents.remove(0).node;
            let before = target.clone();
            let expected = merged(&whole, &patch);
            let done = narrowly(&mut known, &mut target, &patch);
            match expected {
                Ok(node) => {
                    prop_assert!(done.is_ok());
                    prop_assert_eq!(&target, &node);
                    whole = node;
                }
                Err(error) => {
                    prop_assert_eq!(done, Err(error));
                    target = before;
                }
            }
        }
    }
}
