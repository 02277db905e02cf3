//! An index gives the answers of a linear search.

use proptest::prelude::*;

use crate::answers::recording::lookup::*;
use crate::engine::yaml::{Limits, SourceId, parse_documents};

/// An element of a list: a bare text, with a name, or without one.
fn line((kind, text): (u8, u8)) -> String {
    match kind {
        0 => format!("- v{text}\n"),
        1 => format!("- {{name: v{text}, v: {kind}}}\n"),
        2 => format!("- {{name: v{text}, port: {text}}}\n"),
        _ => format!("- {{x: v{text}}}\n"),
    }
}

fn list(lines: &[(u8, u8)], file: u32) -> Node {
    let text: String = lines.iter().copied().map(line).collect();
    let parsed = parse_documents(text.as_bytes(), SourceId(file), Limits::default()).unwrap();
    parsed.documents.into_iter().next().unwrap().node
}

fn lines() -> impl Strategy<Value = Vec<(u8, u8)>> {
    prop::collection::vec((0..4_u8, 0..24_u8), MIN_INDEXED_LENGTH..3 * MIN_INDEXED_LENGTH)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn cached_lookup_equals_a_fresh_lookup(now in lines(), old in lines(), file in 1..3_u32, twice in 0..3_u8) {
        let (mut now, before) = (list(&now, 1), list(&old, file));
        // Some elements have the location of another element, as aliases of an anchor do.
        if let Some(items) = now.items_mut().filter(|_| twice == 0) {
            let first = items[0].clone();
            items.extend([first.clone(), first]);
        }
        let (items, others) = (now.items().unwrap(), before.items().unwrap());
        let look = Lookup::default();
        for _ in 0..2 {
            for index in 0..=items.len() {
                let known = look.corresponding_element(items, others, index);
                prop_assert_eq!(known, Lookup::default().corresponding_element(items, others, index));
            }
            for text in 0..26 {
                for part in [format!("v{text}"), format!("name=v{text}"), format!("x=v{text}"), text.to_string()] {
                    prop_assert_eq!(look.element_index(items, &part), Lookup::default().element_index(items, &part));
                }
            }
        }
    }
}
