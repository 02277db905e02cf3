//! The table of errors: every kind of failure with its complete text. Each file below `errors/`
//! contains trees and the program's messages about them; `{ROOT}` is the tree's root. The innermost
//! phrases are Kustomize's.

use crate::support::{Tree, kzui_in};

/// A tree that cannot be built, and the expected messages.
struct ErrorCase<'t> {
    name: &'t str,
    files: Vec<(&'t str, &'t str)>,
    target: &'t str,
    says: &'t str,
}

/// Sections `=== NAME`, then `--- file PATH`, `--- target DIR` and the messages, each with its text
/// below it.
fn rows(text: &str) -> Vec<ErrorCase<'_>> {
    text.split("=== ").skip(1).map(row).collect()
}

fn row(text: &str) -> ErrorCase<'_> {
    let (name, mut rest) = text.split_once('\n').expect("a name and more");
    let mut row = ErrorCase { name, files: Vec::new(), target: ".", says: "" };
    while let Some(section) = rest.strip_prefix("--- ") {
        let (head, below) = section.split_once('\n').expect("a line of its own");
        // A section without a text is empty.
        let end = if below.starts_with("--- ") {
            0
        } else {
            below.find("\n--- ").map_or(below.len(), |at| at + 1)
        };
        let (body, next) = below.split_at(end);
        match head.split_once(' ') {
            Some(("file", path)) => row.files.push((path, body)),
            Some(("target", target)) => row.target = target,
            _ => row.says = body,
        }
        rest = next;
    }
    row
}

fn check(table: &str) {
    let rows = rows(table);
    assert!(!rows.is_empty(), "no rows");
    let mut wrong = String::new();
    for row in rows {
        let tree = Tree::new(&row.files);
        let root = tree.root();
        let said = kzui_in(&root, &["build", row.target]).refused();
        let said = said.replace(&*root.to_string_lossy(), "{ROOT}");
        // The salt of masked values differs from process to process.
        let said = kzui::answers::secrets::Secrets::without_salt(&said);
        if said.trim_end() != row.says.trim_end() {
            wrong += &format!("{}: expected\n{}\nbut it says\n{said}\n", row.name, row.says);
        }
    }
    assert!(wrong.is_empty(), "{wrong}");
}

#[test]
fn loading_errors_equal_the_table() {
    check(include_str!("errors/loading.txt"));
}

#[test]
fn decoding_errors_equal_the_table() {
    check(include_str!("errors/decoding.txt"));
}

#[test]
fn accumulating_errors_equal_the_table() {
    check(include_str!("errors/accumulating.txt"));
}

#[test]
fn patch_errors_equal_the_table() {
    check(include_str!("errors/patches.txt"));
}

#[test]
fn replacement_errors_equal_the_table() {
    check(include_str!("errors/replacements.txt"));
}

#[test]
fn generator_errors_equal_the_table() {
    check(include_str!("errors/generators.txt"));
}

#[test]
fn transformer_errors_equal_the_table() {
    check(include_str!("errors/transformers.txt"));
}

#[test]
fn printing_errors_equal_the_table() {
    check(include_str!("errors/printing.txt"));
}
