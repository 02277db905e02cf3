//! Exported types, traits and functions of `kzui-engine` have doc comments. Fields and variants
//! need none, so that the lint `missing_docs` is off. A `pub` item that is not reachable from
//! `lib.rs` is an error of the lint `unreachable_pub`.

use proc_macro2::{Delimiter, TokenStream, TokenTree};

use super::{assert_no_problems, sources};

/// The words that begin an item which needs a doc comment, if a name follows.
const ITEMS: [&str; 6] = ["struct", "enum", "union", "trait", "type", "fn"];

/// Words between `pub` and the word of an item.
const ITEM_QUALIFIERS: [&str; 4] = ["const", "unsafe", "async", "extern"];

/// The exported items without a doc comment, in the order of the file. Tests and the bodies of
/// functions are left out.
fn undocumented(tokens: TokenStream) -> Vec<String> {
    let mut found = Vec::new();
    collect_undocumented(tokens, false, &mut found);
    found
}

/// Collects the items without a doc comment. With `in_trait`, functions need one without being
/// `pub`.
fn collect_undocumented(tokens: TokenStream, in_trait: bool, found: &mut Vec<String>) {
    let tokens: Vec<TokenTree> = tokens.into_iter().collect();
    let (mut has_doc, mut is_test, mut is_pub) = (false, false, in_trait);
    // The word of the item that the next braces belong to.
    let mut item = String::new();
    for (at, token) in tokens.iter().enumerate() {
        match token {
            TokenTree::Group(group)
                if group.delimiter() == Delimiter::Bracket && item.is_empty() =>
            {
                let text = group.stream().to_string();
                has_doc |= text.starts_with("doc");
                is_test |= text.starts_with("cfg") && text.contains("test");
            }
            TokenTree::Group(group) if group.delimiter() == Delimiter::Brace => {
                if ["impl", "mod", "trait"].contains(&item.as_str()) && !is_test {
                    collect_undocumented(group.stream(), item == "trait" && is_pub, found);
                }
                (has_doc, is_test, is_pub) = (false, false, in_trait);
                item.clear();
            }
            TokenTree::Punct(sign) if sign.as_char() == ';' => {
                (has_doc, is_test, is_pub) = (false, false, in_trait);
                item.clear();
            }
            TokenTree::Ident(word) if item.is_empty() => {
                let word = word.to_string();
                let is_restricted = matches!(
                    tokens.get(at + 1),
                    Some(TokenTree::Group(group)) if group.delimiter() == Delimiter::Parenthesis
                );
                match word.as_str() {
                    "pub" => is_pub = !is_restricted,
                    word if ITEM_QUALIFIERS.contains(&word) => {}
                    word if ITEMS.contains(&word) => {
                        if is_pub && !has_doc && !is_test {
                            let name = tokens.get(at + 1).map(ToString::to_string);
                            found.push(format!("{word} {}", name.unwrap_or_default()));
                        }
                        word.clone_into(&mut item);
                    }
                    word => word.clone_into(&mut item),
                }
            }
            _ => {}
        }
    }
}

#[test]
fn exported_items_of_the_engine_have_a_doc_comment() {
    let mut complaints = Vec::new();
    for source in sources() {
        let is_tests = source.module.last().is_some_and(|last| last == "tests");
        if source.module.first().is_some_and(|floor| floor == "engine") && !is_tests {
            for item in undocumented(source.tokens) {
                complaints.push(format!("{}: {item} has no doc comment", source.file.display()));
            }
        }
    }
    assert_no_problems(&complaints);
}

#[test]
fn an_exported_item_without_a_doc_comment_is_found() {
    let text = "
        use std::fmt;
        /// Doc.
        #[derive(Clone)]
        pub struct Documented { pub field: u8 }
        #[derive(Clone)]
        pub struct Bare(pub u8);
        pub(crate) struct Inner;
        struct Private;
        pub enum Choice { One, Two }
        pub const fn limit() -> usize { fn inner() {} 3 }
        /// Doc.
        pub trait Port { /// Doc.
            fn read(&self); fn write(&self) {} }
        impl Documented { pub fn new() -> Self { Self { field: 1 } } fn own(&self) {} }
        impl fmt::Display for Bare { fn fmt(&self) {} }
        pub type Alias = u8;
        pub const MAX: usize = 1;
        pub mod room { pub fn inside() {} }
        #[cfg(test)] mod tests { pub fn helper() {} }
        /// Doc.
        pub fn last() {}";
    let found = undocumented(text.parse().unwrap());
    let expected =
        ["struct Bare", "enum Choice", "fn limit", "fn write", "fn new", "type Alias", "fn inside"];
    assert_eq!(found, expected);
}
