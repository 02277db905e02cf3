//! Laws of patches.

use kzui::engine::profile::Profile;
use kzui::engine::resource::{Schema, TextOffset};
use kzui::engine::transform::{JsonPatch, MergeResult, merge_resource};
use kzui::engine::yaml::{Node, SourceId, from_json, parse_documents, to_json};

use super::laws::{assert_marks_are_valid, assert_print_round_trip, limits, split_at_dashes};

/// Applies strategic merge patches. The first document is the resource, the others are the patches.
/// Each merge has the same result twice, and every node of the result comes from one of the
/// documents.
pub fn strategic_merge(bytes: &[u8]) {
    let Ok(file) = parse_documents(bytes, SourceId(1), limits()) else { return };
    let Some((target, patches)) = file.documents.split_first() else { return };
    let schema = Schema::builtin();
    let mut node = target.node.clone();
    for patch in patches {
        let merge = || {
            let mut warnings = Vec::new();
            let (schema, removed) = ((schema, Profile::MASTER), &mut Vec::new());
            (
                merge_resource(&node, &patch.node, &patch.node, schema, &mut warnings, removed),
                warnings,
            )
        };
        let (merged, warnings) = merge();
        assert_eq!((&merged, &warnings), (&merge().0, &merge().1));
        match merged {
            Ok(MergeResult::Changed(changed)) => node = changed,
            Ok(MergeResult::Same) => {}
            Ok(MergeResult::Gone) | Err(_) => break,
        }
    }
    if !matches!(bytes, [0xff, 0xfe, ..] | [0xfe, 0xff, ..]) {
        assert_marks_are_valid(&node, &[(SourceId(1), bytes)]);
    }
    assert_print_round_trip(&node);
}

/// Applies a JSON6902 patch. The text before the first line `---` is the resource, the rest is the
/// patch.
///
/// - The patch has the same result twice.
/// - Every node of the result comes from the resource or the patch.
/// - The operation `test` of the result against itself succeeds, unless a list contains a null.
pub fn json_patch(bytes: &[u8]) {
    let (resource, patch) = split_at_dashes(bytes);
    let Ok(file) = parse_documents(resource, SourceId(1), limits()) else { return };
    let Ok(Some(parsed)) = JsonPatch::parse(patch, SourceId(2), TextOffset::default(), limits())
    else {
        return;
    };
    for document in file.documents {
        let (mut node, mut again) = (document.node.clone(), document.node);
        let applied = parsed.apply(&mut node);
        assert_eq!(applied, parsed.apply(&mut again));
        assert_eq!(node, again);
        if applied.is_err() {
            continue;
        }
        assert_marks_are_valid(&node, &[(SourceId(1), resource), (SourceId(2), patch)]);
        assert_print_round_trip(&node);
        let Ok(json) = to_json(&node) else { continue };
        assert!(from_json(&json).is_ok(), "{json}");
        // In Kustomize, a null in a list differs from every value, even from itself.
        if has_null_item(&node) {
            continue;
        }
        let Some(Ok(json)) = node.get("metadata").map(to_json) else { continue };
        let test = format!(r#"[{{"op":"test","path":"/metadata","value":{json}}}]"#);
        let test = JsonPatch::parse(test.as_bytes(), SourceId(3), TextOffset::default(), limits());
        if let Ok(Some(test)) = test {
            assert_eq!(test.apply(&mut node), Ok(()), "{json}");
        }
    }
}

fn has_null_item(node: &Node) -> bool {
    let items = node.items().unwrap_or_default();
    items.iter().any(|item| item.is_null() || has_null_item(item))
        || node.entries().iter().any(|entry| has_null_item(&entry.value))
}
