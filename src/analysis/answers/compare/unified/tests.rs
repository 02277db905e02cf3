//! Shortening both texts does not change their diff.

use proptest::prelude::*;

use super::*;
use crate::engine::yaml::{Limits, SourceId, parse_documents};

fn tree(text: &str) -> Node {
    let parsed = parse_documents(text.as_bytes(), SourceId(1), Limits::default()).unwrap();
    parsed.documents.into_iter().next().unwrap().node
}

/// A value, mostly one that is printed on one line.
fn value() -> impl Strategy<Value = &'static str> {
    let plain = prop_oneof![Just("v"), Just("'1'"), Just("\"x\""), Just("{}"), Just("")];
    let odd = prop_oneof![
        Just("[a, b]"),
        Just("{k: 1, k: 2}"),
        Just("\"two\\nlines\""),
        Just("|-\n      one"),
        Just("v # said"),
        Just("\n      n: 1\n      m: 2"),
        Just("\n    - e\n    - f"),
        Just("\n    - {name: e}\n    - {name: e}"),
        Just("!!str 1"),
    ];
    prop_oneof![400 => plain, 1 => odd]
}

/// A resource with a mapping, a list of mappings, and fields before, between and after them.
fn text() -> impl Strategy<Value = String> {
    let values = |most| prop::collection::vec(value(), 0..most);
    let widths = (prop_oneof![Just(12_usize), Just(260)], prop_oneof![Just(12_usize), Just(300)]);
    let both = widths.prop_flat_map(move |(one, other)| (values(one), values(other)));
    (both, any::<bool>(), prop_oneof![30 => Just(usize::MAX), 1 => 0..250_usize]).prop_map(
        |((map, list), is_first, twice)| {
            let map: String = map
                .iter()
                .enumerate()
                .map(|(number, value)| {
                    let key = if number == twice { 0 } else { number };
                    format!("    k{key}: {value}\n")
                })
                .collect();
            let list: String = list
                .iter()
                .enumerate()
                .map(|(number, value)| {
                    format!(
                        "  - name: n{number}\n    v: {}\n",
                        value.replace("      ", "        ").replace("\n    -", "\n      -")
                    )
                })
                .collect();
            let (map, list) =
                (format!("  map:\n{map}    z: z\n"), format!("  list:\n{list}  - name: z\n"));
            let both = if is_first { format!("{map}{list}") } else { format!("{list}{map}") };
            format!("kind: Thing\nspec:\n{both}  last: v\nend: v\n")
        },
    )
}

/// Changes a node: in the mapping or the list, at an index, in one of several ways.
fn apply_change(node: &mut Node, (is_map, at, what): (bool, usize, u8)) {
    let spec = node.get_mut("spec").unwrap();
    if is_map {
        let mapping = spec.get_mut("map").and_then(Node::as_mapping_mut).unwrap();
        let at = at % mapping.entries.len().max(1);
        match what {
            _ if mapping.entries.is_empty() => {}
            0 => mapping.entries[at].value = Node::plain("new"),
            1 => drop(mapping.entries.remove(at)),
            2 => {
                mapping.push(MappingEntry { key: Node::plain("added"), value: Node::plain("new") });
            }
            _ => mapping.entries[at].value = tree("a: 1\nb: [2]\n"),
        }
        return;
    }
    let items = spec.get_mut("list").and_then(Node::items_mut).unwrap();
    let at = at % items.len().max(1);
    match what {
        _ if items.is_empty() => {}
        0 => drop(items[at].as_mapping_mut().map(|it| it.entries[0].value = Node::plain("new"))),
        1 => drop(items.remove(at)),
        2 => items.push(tree("name: added\n")),
        _ => items[at] = Node::plain("text"),
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(192))]

    #[test]
    fn diff_of_shortened_texts_equals_diff_of_full_texts(text in text(), writes in prop::collection::vec((any::<bool>(), 0..400_usize, 0..4_u8), 0..3)) {
        let before = tree(&text);
        let mut after = before.clone();
        for one in writes {
            apply_change(&mut after, one);
        }
        let names = ("a/x", "b/x");
        prop_assert_eq!(unified(Some(&before), Some(&after), names), diff_with_common_layout(&before, &after, names, 0));
    }
}

#[test]
fn most_of_a_wide_mapping_is_left_out() {
    let text: String = (0..1000).map(|number| format!("  k{number}: v\n")).collect();
    let before = tree(&format!("kind: ConfigMap\ndata:\n{text}metadata:\n  name: a\n"));
    let mut after = before.clone();
    let data = after.get_mut("data").and_then(Node::as_mapping_mut).unwrap();
    data.entries[500].value = Node::plain("new");
    let short = ShortenedPair::shorten(&before, &after).unwrap();
    assert_eq!(
        (short.lines, print_preserving_style(&short.after).lines().count()),
        (500 - KEPT_ITEMS, 2 * KEPT_ITEMS + 5)
    );
    let diff = unified(Some(&before), Some(&after), ("a/x", "b/x"));
    assert!(diff.contains("@@ -500,7 +500,7 @@\n   k497: v\n"), "{diff}");
    // Equal fields beside the changed field are shortened as well.
    let mut after = before.clone();
    after
        .get_mut("metadata")
        .and_then(|it| it.get_mut("name"))
        .unwrap()
        .clone_from(&Node::plain("b"));
    let short = ShortenedPair::shorten(&before, &after).unwrap();
    assert_eq!(short.lines, 1000 - KEPT_ITEMS);
}
