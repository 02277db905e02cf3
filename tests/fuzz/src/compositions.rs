//! Laws of compositions.

use std::path::Path;

use kzui::engine::diagnostic::Diagnostic;
use kzui::engine::evaluate::{
    BuildCache, BuildOptions, ConsolidatedComposition, Ports, StepError, consolidate, evaluate,
};
use kzui::engine::load::MemoryFiles;
use kzui::engine::manifest::decode_composition;
use kzui::engine::yaml::{SourceId, parse_documents, print_preserving_style};

use super::laws::limits;
use super::tree::Tree;

/// Consolidates and builds a `composition.yaml`. The other files of its tree follow lines of
/// `=== NAME`.
///
/// - Two consolidations have the same result.
/// - The printed result is a composition again, and has the same entries.
/// - Two builds, with a cache and without, have the same outcome.
pub fn compositions(bytes: &[u8]) {
    let Tree { main, files: tree, .. } = Tree::read(bytes, "composition.yaml");
    let _ = decode_composition(&main, SourceId(1));
    let first = consolidated(&tree);
    let again = consolidated(&tree);
    assert_eq!(shown(&first), shown(&again), "the same list, another result");
    let Ok(first) = first else { return };
    let text = print_preserving_style(&first.document(Some(&|_| Vec::new())));
    for text in [&text, &print_preserving_style(&first.document(None))] {
        assert!(
            parse_documents(text.as_bytes(), SourceId(2), limits()).is_ok(),
            "printed:\n{text}"
        );
    }
    let alone = tree.clone().file("/k/composition.yaml", &text);
    if let Ok(printed) = consolidated(&alone) {
        let names = |all: &ConsolidatedComposition| -> Vec<String> {
            all.entries.iter().map(|entry| entry.id.to_string()).collect()
        };
        assert_eq!(names(&printed), names(&first), "printed:\n{text}");
        assert!(printed.entries.iter().all(|entry| entry.imported_from.is_empty()), "{text}");
    }
    let order: Vec<usize> = (0..first.entries.len()).rev().collect();
    let order = first.order_text(&order);
    assert!(parse_documents(order.as_bytes(), SourceId(2), limits()).is_ok(), "{order}");
    for index in 0..first.entries.len().min(20) {
        for removes in [true, false] {
            if let Some(text) = first.override_text(index, removes) {
                assert!(parse_documents(text.as_bytes(), SourceId(2), limits()).is_ok(), "{text}");
            }
        }
    }
    let ports = Ports::of_files(tree);
    let mut memory = BuildCache::default();
    let options = BuildOptions::default();
    let one = evaluate("/k", Path::new("/"), &options, &ports, &mut memory);
    let two = evaluate("/k", Path::new("/"), &options, &ports, &mut BuildCache::default());
    let end = |outcome: &Result<_, std::sync::Arc<StepError>>| {
        outcome.as_ref().map(Vec::len).map_err(|error| error.message.clone())
    };
    assert_eq!(end(&one.outcome), end(&two.outcome));
}

fn consolidated(tree: &MemoryFiles) -> Result<ConsolidatedComposition, String> {
    let ports = Ports::of_files(tree.clone());
    let options = BuildOptions::default();
    consolidate("/k", Path::new("/"), &options, &ports, &mut BuildCache::default())
        .map_err(|error| error.message.clone())
}

fn shown(result: &Result<ConsolidatedComposition, String>) -> Result<String, &String> {
    result.as_ref().map(|all| {
        let warnings: Vec<String> = all.warnings.iter().map(Diagnostic::message).collect();
        format!("{}{warnings:?}", print_preserving_style(&all.document(Some(&|_| Vec::new()))))
    })
}
