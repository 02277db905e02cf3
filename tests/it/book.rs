//! Every section, decision and ruling that the code cites is in `assets/book`.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use regex::Regex;

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// The headings of the book: `4.12`, `A.8`, `D-A22`, `ruling 5`.
fn anchors() -> BTreeSet<String> {
    let heading =
        Regex::new(r"(?m)^#+ (Ruling \d+|D-[A-E]\d+|[A-E]\.\d+|[A-E]|\d+(?:\.\d+)?)\b").unwrap();
    let mut anchors = BTreeSet::new();
    for page in ["kustomize.md", "compositions.md", "rulings.md"] {
        let text = std::fs::read_to_string(root().join("assets/book").join(page)).unwrap();
        for found in heading.captures_iter(&text) {
            let anchor = found[1].to_lowercase();
            assert!(anchors.insert(anchor.clone()), "{anchor} is there twice");
        }
    }
    anchors
}

/// The citations of a text. Section numbers follow `section` or `sections`, also several of them;
/// those of the proposals also occur alone, as `(B.8)`.
fn citations(text: &str) -> Vec<String> {
    let named = Regex::new(r"\b[Ss]ections? ((?:[A-E]\b|\d)(?:\.\d+)*(?:(?:,| and| to|, and) (?:[A-E]\b|\d)(?:\.\d+)*)*)").unwrap();
    let number = Regex::new(r"(?:[A-E]\.)?\d+(?:\.\d+)?").unwrap();
    let alone = Regex::new(r"\b(D-[A-E]\d+|[Rr]uling \d+|[A-E]\.\d+)\b").unwrap();
    // A comment may continue in the next line.
    let text = Regex::new(r"\s*\n\s*(?://[/!]?)?\s*").unwrap().replace_all(text, " ").into_owned();
    let sections = named.captures_iter(&text).flat_map(|found| {
        let list = found[1].to_owned();
        number.find_iter(&list).map(|one| one.as_str().to_owned()).collect::<Vec<_>>()
    });
    let others = alone.find_iter(&text).map(|one| one.as_str().to_owned());
    sections.chain(others).map(|one| one.to_lowercase()).collect()
}

#[test]
fn citations_are_found() {
    let text = "// (section 4.12; D-A22), sections 2.2, 3.4 and 9\n/// (section\n/// A.8), ruling 11 (B.8)";
    assert_eq!(
        citations(text),
        ["4.12", "2.2", "3.4", "9", "a.8", "d-a22", "a.8", "ruling 11", "b.8"]
    );
}

#[test]
fn cited_sections_exist_in_the_book() {
    let anchors = anchors();
    let mut missing: BTreeMap<String, Vec<String>> = BTreeMap::new();
    let mut count = 0;
    for folder in ["src", "tests/it", "tests/cases", "tests/conformance"] {
        for file in walkdir::WalkDir::new(root().join(folder)) {
            let path = file.unwrap().into_path();
            let is_text = path.extension().is_some_and(|ending| ending == "rs" || ending == "md");
            if !is_text || path.ends_with("tests/it/book.rs") {
                continue;
            }
            for cited in citations(&std::fs::read_to_string(&path).unwrap()) {
                count += 1;
                if !anchors.contains(&cited) {
                    let place = path.strip_prefix(root()).unwrap().display().to_string();
                    missing.entry(cited).or_default().push(place);
                }
            }
        }
    }
    assert_eq!(missing, BTreeMap::new());
    assert!(count > 200, "the code cites the book in {count} places");
}
