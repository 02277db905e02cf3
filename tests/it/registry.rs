//! Matches on fields or plugins of Kustomize list all of them: an arm `_` would silently accept a
//! new row of the registry.

use std::path::Path;

use proc_macro2::{Delimiter, TokenStream, TokenTree};

/// The enums whose matches have to list all variants.
const REGISTRY_ENUMS: [&str; 3] = ["KustomizationField", "Builtin", "SpecList"];

/// The first tokens of the patterns of a match, one list for each arm.
fn arm_patterns(arms: TokenStream) -> Vec<Vec<TokenTree>> {
    let mut patterns = Vec::new();
    let mut tokens = arms.into_iter().peekable();
    while tokens.peek().is_some() {
        let mut pattern = Vec::new();
        while let Some(token) = tokens.next() {
            let next_is_end =
                matches!(tokens.peek(), Some(TokenTree::Punct(next)) if next.as_char() == '>');
            if matches!(&token, TokenTree::Punct(sign) if sign.as_char() == '=') && next_is_end {
                tokens.next();
                break;
            }
            pattern.push(token);
        }
        let is_block = matches!(tokens.peek(), Some(TokenTree::Group(body)) if body.delimiter() == Delimiter::Brace);
        if is_block {
            tokens.next();
            if matches!(tokens.peek(), Some(TokenTree::Punct(sign)) if sign.as_char() == ',') {
                tokens.next();
            }
        } else {
            for token in tokens.by_ref() {
                if matches!(&token, TokenTree::Punct(sign) if sign.as_char() == ',') {
                    break;
                }
            }
        }
        patterns.push(pattern);
    }
    patterns
}

fn names_registry_variant(pattern: &[TokenTree]) -> bool {
    let is_path = |window: &[TokenTree]| {
        matches!(&window[0], TokenTree::Ident(name) if REGISTRY_ENUMS.iter().any(|known| name == known))
            && matches!(&window[1], TokenTree::Punct(sign) if sign.as_char() == ':')
    };
    pattern.windows(2).any(is_path)
        || pattern.iter().any(|token| match token {
            TokenTree::Group(group) => {
                names_registry_variant(&group.stream().into_iter().collect::<Vec<_>>())
            }
            _ => false,
        })
}

fn is_wildcard(pattern: &[TokenTree]) -> bool {
    matches!(pattern.first(), Some(TokenTree::Ident(name)) if name == "_")
}

/// The number of matches on an enum of the registry, and of those with an arm `_`.
fn count(tokens: TokenStream) -> (usize, usize) {
    let (mut all, mut wild, mut after_match) = (0, 0, false);
    for token in tokens {
        match token {
            TokenTree::Ident(name) if name == "match" => after_match = true,
            TokenTree::Group(group) => {
                if after_match && group.delimiter() == Delimiter::Brace {
                    let patterns = arm_patterns(group.stream());
                    // A match with one variant of the registry is a test for it, and may have an arm `_`.
                    if patterns.iter().filter(|pattern| names_registry_variant(pattern)).count() > 1
                    {
                        all += 1;
                        wild += usize::from(patterns.iter().any(|pattern| is_wildcard(pattern)));
                    }
                    after_match = false;
                }
                let (inner, inner_wild) = count(group.stream());
                (all, wild) = (all + inner, wild + inner_wild);
            }
            _ => {}
        }
    }
    (all, wild)
}

#[test]
fn catch_all_arm_is_counted() {
    let count = |text: &str| count(text.parse().unwrap());
    assert_eq!(
        count(
            "match f { KustomizationField::A => 1, KustomizationField::B | KustomizationField::C => { 2 } KustomizationField::D => three() }"
        ),
        (1, 0)
    );
    assert_eq!(
        count("match f { KustomizationField::A => 1, KustomizationField::B => { 2 } _ => 3 }"),
        (1, 1)
    );
    assert_eq!(count("match f { Some(Builtin::A) => 1, Some(Builtin::B) => 2, _ => 3 }"), (1, 1));
    assert_eq!(
        count(
            "match text { \"a\" => KustomizationField::A, \"b\" => KustomizationField::B, _ => KustomizationField::C }"
        ),
        (0, 0)
    );
}

#[test]
fn no_match_on_a_registry_enum_has_a_wildcard() {
    let mut found = 0;
    for file in walkdir::WalkDir::new(Path::new(env!("CARGO_MANIFEST_DIR")).join("src")) {
        let path = file.unwrap().into_path();
        if path.extension().is_none_or(|extension| extension != "rs") {
            continue;
        }
        let text = std::fs::read_to_string(&path).unwrap();
        let (all, wild) =
            count(text.parse().unwrap_or_else(|error| panic!("{}: {error}", path.display())));
        assert_eq!(
            wild,
            0,
            "{}: a match on KustomizationField, Builtin or SpecList has an arm `_`",
            path.display()
        );
        found += all;
    }
    assert!(found >= 4, "{found} matches on the registry");
}
