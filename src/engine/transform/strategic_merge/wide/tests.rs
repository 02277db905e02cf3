use proptest::prelude::*;

use super::*;
use crate::profile::Profile;
use crate::resource::{Schema, SchemaInForce};
use crate::transform::{Merged, Trail, merge_resource};
use crate::yaml::{Limits, SourceId, Style, Tag, parse_documents};

fn read(text: &str) -> Node {
    let mut read = parse_documents(text.as_bytes(), SourceId(1), Limits::default()).unwrap();
    read.documents.remove(0).node
}

/// A resource with so many keys.
fn wide(count: usize) -> Node {
    let value = |it: usize| {
        if it.is_multiple_of(3) {
            format!("{{x: v{it}, z: {{y: w}}}}")
        } else {
            format!("v{it} # {it}")
        }
    };
    let keys: String = (0..count).map(|it| format!("    k{it}: {}\n", value(it))).collect();
    read(&format!(
        "apiVersion: v1\nkind: Thing\nmetadata: {{name: a}}\nspec:\n  more: x\n  data:\n{keys}"
    ))
}

/// Without a type: what becomes of mappings is not up to their schema.
fn nothing() -> SchemaInForce {
    SchemaInForce::Custom(Arc::new(Schema::default()))
}

fn merged(target: &Node, patch: &Node, schema: &SchemaInForce) -> Result<Node, String> {
    let schema = (schema.ask(), Profile::MASTER);
    let (mut warnings, mut trail) = (Vec::new(), Trail { claims: true, ..Trail::default() });
    match merge_resource(target, patch, "Thing", schema, &mut warnings, &mut trail) {
        Ok(Merged::Same) => Ok(target.clone()),
        Ok(Merged::Changed(node)) => Ok(node),
        Ok(Merged::Gone) => Ok(Node::null()),
        Err(error) => Err(error.to_string()),
    }
}

/// Merges a patch into what it has to see of a tree, and puts that back.
fn narrowly(
    known: &mut WideCollections,
    target: &mut Node,
    patch: &Node,
    schema: &SchemaInForce,
) -> Result<bool, String> {
    let Some(narrowed) = known.narrowed(target, patch, (schema, Profile::MASTER)) else {
        *target = merged(target, patch, schema)?;
        return Ok(false);
    };
    let part = merged(&narrowed.tree, patch, schema)?;
    *target = known.widened(narrowed, part, target);
    Ok(true)
}

/// Merges a patch into both; where it fails, both stay as they were.
fn does_what_it_does_to_the_whole(
    (known, target): (&mut WideCollections, &mut Node),
    whole: &mut Node,
    patch: &Node,
    schema: &SchemaInForce,
) -> Result<(), TestCaseError> {
    let before = target.clone();
    let done = narrowly(known, target, patch, schema);
    match merged(whole, patch, schema) {
        Ok(node) => {
            prop_assert!(done.is_ok());
            prop_assert_eq!(&*target, &node);
            *whole = node;
        }
        Err(error) => {
            prop_assert_eq!(done, Err(error));
            *target = before;
        }
    }
    Ok(())
}

fn entries(node: &Node) -> &[Entry] {
    node.at(&["spec", "data"]).unwrap().entries()
}

#[test]
fn a_patch_writes_to_a_wide_mapping_where_it_stands() {
    let (mut known, mut target) = (WideCollections::default(), wide(400));
    let first = entries(&target).as_ptr();
    for number in 0..300 {
        let is_text = !usize::is_multiple_of(number, 3);
        let value = if is_text { "new" } else { "{x: new}" };
        let patch = read(&format!("spec: {{data: {{k{number}: {value}}}}}\n"));
        let around = (&nothing(), Profile::MASTER);
        let narrowed = known.narrowed(&target, &patch, around).unwrap();
        // What it names, and one more.
        assert_eq!(entries(&narrowed.tree).len(), 2);
        let part = merged(&narrowed.tree, &patch, &nothing()).unwrap();
        target = known.widened(narrowed, part, &mut target);
        let value = &entries(&target)[number].value;
        assert_eq!(if is_text { value } else { value.get("x").unwrap() }.text(), Some("new"));
    }
    assert_eq!(entries(&target).as_ptr(), first);
    assert_eq!(known.mappings.len(), 1);
}

#[test]
fn what_is_written_by_others_is_looked_at_again() {
    let (mut known, mut target) = (WideCollections::default(), wide(100));
    let patch = read("spec: {data: {k1: new}}\n");
    assert_eq!(narrowly(&mut known, &mut target, &patch, &nothing()), Ok(true));
    let data = target.get_mut("spec").unwrap().get_mut("data").unwrap();
    data.as_mapping_mut().unwrap().entries[7].value = Node::scalar("", Tag::Null, Style::Plain);
    assert_eq!(narrowly(&mut known, &mut target, &patch, &nothing()), Ok(false));
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
        2 => Just("{x: y}".to_owned()),
        1 => Just("{x: ~, z: {y: yes}}".to_owned()),
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
        let (mut known, mut target) = (WideCollections::default(), wide(120));
        let mut whole = target.clone();
        for said in patches {
            let lines: Vec<String> = said.iter().map(|(key, value)| format!("    k{key}: {value}\n")).collect();
            let data = if lines.is_empty() { "{}\n".to_owned() } else { format!("\n{}", lines.concat()) };
            let tail = if is_flow { "  more: {}\n" } else { "  more: y\n" };
            let Ok(mut parsed) = parse_documents(format!("spec:\n  data: {data}{tail}").as_bytes(), SourceId(2), Limits::default()) else { continue };
            let patch = parsed.documents.remove(0).node;
            does_what_it_does_to_the_whole((&mut known, &mut target), &mut whole, &patch, &nothing())?;
        }
    }
}

/// A resource with a wide list of containers, the first of which has a wide list of its own.
fn deployment(count: usize, odd: &str) -> Node {
    let env: String =
        (0..count).map(|it| format!("        - {{name: e{it}, value: v{it}}}\n")).collect();
    let more: String = (0..count)
        .map(|it| format!("      - name: c{it} # {it}\n        ports: [{{containerPort: {it}}}]\n        image: i{it}\n"))
        .collect();
    read(&format!(
        "apiVersion: apps/v1\nkind: Deployment\nmetadata: {{name: a}}\nspec:\n  template:\n    spec:\n      \
         initContainers:\n      - name: first\n        env:\n{env}      - name: second\n        env: [{{name: e1}}]\n      \
         containers:\n{more}{odd}"
    ))
}

/// What a patch says of an element.
fn said_of_element() -> impl Strategy<Value = (usize, String)> {
    let rest = prop_oneof![
        4 => "[a-c]{1,3}".prop_map(|text| format!(", image: {text}")),
        1 => Just(", image: ~".to_owned()),
        1 => Just(", image: yes, tty: yes".to_owned()),
        1 => Just(", ports: [{containerPort: 7, name: x}]".to_owned()),
        1 => Just(", ports: [{containerPort: 7, $patch: delete}]".to_owned()),
        1 => Just(", ports: []".to_owned()),
        1 => Just(", $patch: delete".to_owned()),
        1 => Just(", $patch: replace, image: z".to_owned()),
        1 => Just(String::new()),
        1 => Just(", name: again".to_owned()),
        1 => Just(", 7: x, {}: y".to_owned()),
    ];
    (prop_oneof![0usize..5, 0usize..110], rest)
}

fn elements(letter: char, said: &[(usize, String)]) -> String {
    let items: Vec<String> =
        said.iter().map(|(number, rest)| format!("{{name: {letter}{number}{rest}}}")).collect();
    items.join(", ")
}

#[test]
fn elements_of_one_name_are_not_told_apart() {
    let patch = "spec: {template: {spec: {initContainers: [{name: first, env: [{name: e5, value: new}]}]}}}\n";
    let patch = read(patch);
    let is_narrowed = |target: &Node| {
        let around = (&SchemaInForce::Builtin, Profile::MASTER);
        WideCollections::default().narrowed(target, &patch, around).is_some()
    };
    let mut target = deployment(100, "");
    assert!(is_narrowed(&target));
    let path = ["spec", "template", "spec", "initContainers"];
    let list = path.iter().try_fold(&mut target, |node, key| node.get_mut(key)).unwrap();
    *list.items_mut().unwrap()[1].get_mut("name").unwrap() = Node::plain("first");
    assert!(!is_narrowed(&target));
}

#[test]
fn a_patch_writes_to_a_wide_list_where_it_stands() {
    let (mut known, mut target) = (WideCollections::default(), deployment(300, ""));
    let mut whole = deployment(300, "");
    let schema = SchemaInForce::Builtin;
    let containers = ["spec", "template", "spec", "containers"];
    let items = |node: &Node| node.at(&containers).and_then(Node::items).unwrap().to_vec();
    let place = |node: &Node| node.at(&containers).and_then(Node::items).unwrap().as_ptr();
    let first = place(&target);
    for number in [5, 200, 7, 5, 299, 0] {
        let patch = read(&format!(
            "spec: {{template: {{spec: {{containers: [{{name: c{number}, image: new}}]}}}}}}\n"
        ));
        let narrowed = known.narrowed(&target, &patch, (&schema, Profile::MASTER)).unwrap();
        // What it names, and one more.
        assert_eq!(items(&narrowed.tree).len(), 2);
        let part = merged(&narrowed.tree, &patch, &schema).unwrap();
        target = known.widened(narrowed, part, &mut target);
        whole = merged(&whole, &patch, &schema).unwrap();
        assert_eq!(target, whole);
        assert_eq!(items(&target)[0].get("image").and_then(Node::text), Some("new"));
    }
    assert_eq!(place(&target), first);
    assert_eq!(known.lists.len(), 1);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(96))]
    #[test]
    fn patches_of_elements_do_what_they_do_to_the_whole(
        patches in prop::collection::vec(
            (prop::collection::vec(said_of_element(), 0..4), prop::collection::vec(said_of_element(), 0..4), 0usize..12),
            1..8,
        ),
        odd in prop_oneof![
            6 => Just(""),
            1 => Just("      - {name: c7}\n"),
            1 => Just("      - {image: c7}\n"),
            1 => Just("      - {name: odd, image: yes}\n"),
            1 => Just("      - {name: odd, image: ~}\n"),
            1 => Just("      - {name: odd, env: [{name: x}, {name: x}]}\n"),
            1 => Just("      - {name: odd, env: [{value: x}]}\n"),
            1 => Just("      - text\n"),
        ],
        count in prop_oneof![Just(3usize), Just(8), Just(100)],
    ) {
        let schema = SchemaInForce::Builtin;
        let (mut known, mut target) = (WideCollections::from_width(count), deployment(count, odd));
        let mut whole = target.clone();
        for (containers, env, shape) in patches {
            let comment = if shape == 7 { " # {\"type\":\"array\"}" } else { "" };
            let more = if shape == 5 { "{name: third}, {name: third, env: [{name: e1}]}, " } else { "" };
            let text = format!(
                "spec:\n  template:\n    spec:\n      containers: [{}]{comment}\n      initContainers: [{more}{{name: first, env: [{}]}}]\n",
                elements('c', &containers), elements('e', &env)
            );
            let Ok(mut parsed) = parse_documents(text.as_bytes(), SourceId(2), Limits::default()) else { continue };
            let patch = parsed.documents.remove(0).node;
            does_what_it_does_to_the_whole((&mut known, &mut target), &mut whole, &patch, &schema)?;
        }
    }
}
