//! The first document is a resource, the others are strategic merge patches for it.
//!
//! Run with `cargo fuzz run --fuzz-dir tests/fuzz strategic_merge`.
#![no_main]

use kzui::engine::resource::Schema;
use kzui::engine::transform::merge_resource;
use kzui::engine::yaml::{Limits, Node, SourceId, parse_documents};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let limits = Limits { alias_nodes: 10_000, ..Limits::default() };
    let Ok(file) = parse_documents(bytes, SourceId(1), limits) else { return };
    let Some((target, patches)) = file.documents.split_first() else { return };
    let schema = Schema::builtin();
    for patch in patches {
        let kind = patch.node.get("kind").and_then(Node::text).unwrap_or_default();
        let _ = merge_resource(&target.node, &patch.node, kind, &schema, &mut Vec::new());
    }
});
