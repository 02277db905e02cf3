//! Names and comments (ruling 34): no comment repeats the name of its item, and no public type name
//! occurs twice in a crate. Words of the old private dialect are counted per layer, and the counts
//! only decrease.
//!
//! `vocabulary.tsv` contains the counts. `UPDATE=1 cargo test --test it vocabulary` lowers them to
//! the current ones; it never raises one.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

use regex::Regex;

use super::{Source, layer_name, manifest_folder, sources};

/// Words that replace a noun or a verb and make readers guess.
const DIALECT: &str = r"(?i)\b(?:what|stands?|stood|says?|said|tells?|told|nothing|who|whoever|whom|nobody|somebody|none of|behind|is so|as it is|as they are|as it stands|at hand|made anew|of its own|for nothing|by itself)\b";

/// The columns of `vocabulary.tsv`.
const COLUMNS: [&str; 3] = ["comments", "messages", "fn of"];

type Counts = BTreeMap<String, [usize; COLUMNS.len()]>;

fn table_path() -> std::path::PathBuf {
    manifest_folder().join("tests/it/architecture/vocabulary.tsv")
}

/// True for a doc comment that only repeats the words of the item's name.
fn is_echo(comment: &str, item: &str) -> bool {
    const FILLERS: &[&str] = &["the", "a", "an", "its", "it", "is", "of", "are", "this", "in"];
    let words = |text: &str| -> BTreeSet<String> {
        let parts = text.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
        let stem = |word: &str| word.to_lowercase().trim_end_matches('s').to_owned();
        parts.filter(|word| !FILLERS.contains(&word.to_lowercase().as_str())).map(stem).collect()
    };
    let split = Regex::new(r"([a-z0-9])([A-Z])").unwrap().replace_all(item, "$1 $2").into_owned();
    // A comment without words is an example in code.
    let comment = words(comment);
    !comment.is_empty() && comment.is_subset(&words(&split))
}

/// The comments of one line that repeat the name of their item, as `FILE: comment`.
fn echoes(sources: &[Source]) -> Vec<String> {
    let documented = Regex::new(
        r"(?m)(?:^[ \t]*///[^\n]*\n)+(?:[ \t]*#\[[^\n]*\n)*[ \t]*(?:pub(?:\([^)]*\))? )?(?:(?:fn|struct|enum|trait|const|type|mod) )?([A-Za-z_]\w*)",
    )
    .unwrap();
    let mut found = Vec::new();
    for source in sources {
        for item in documented.captures_iter(&source.text) {
            let mut lines = item[0].lines().map(str::trim).filter_map(|it| it.strip_prefix("///"));
            if let (Some(comment), None) = (lines.next(), lines.next())
                && is_echo(comment, &item[1])
            {
                found.push(format!("{}:{comment}", source.file.display()));
            }
        }
    }
    found
}

/// The public types with a name that another type of their crate has, as `FILE: name`.
fn duplicate_type_names(sources: &[Source]) -> Vec<String> {
    let named = Regex::new(r"(?m)^\s*pub(?:\([^)]*\))? (?:struct|enum|trait|type) (\w+)").unwrap();
    let (mut seen, mut found) = (BTreeSet::new(), Vec::new());
    for source in sources {
        let Some(floor) = layer_name(&source.module) else { continue };
        let crate_name = floor.split("::").next().unwrap_or(floor);
        for item in named.captures_iter(&source.text) {
            if !seen.insert((crate_name.to_owned(), item[1].to_owned())) {
                found.push(format!("{}: {}", source.file.display(), &item[1]));
            }
        }
    }
    found
}

fn count_dialect(sources: &[Source]) -> Counts {
    let dialect = Regex::new(DIALECT).unwrap();
    let comment = Regex::new(r"^\s*//[/!]?\s?(.*)$").unwrap();
    let string = Regex::new(r#""((?:[^"\\]|\\.){12,})""#).unwrap();
    let mut counts = Counts::new();
    for source in sources {
        let Some(floor) = layer_name(&source.module) else { continue };
        let row = counts.entry(floor.to_owned()).or_default();
        for line in source.text.lines() {
            if let Some(found) = comment.captures(line) {
                row[0] += dialect.find_iter(&found[1]).count();
            } else {
                let messages = string.captures_iter(line).map(|found| found[1].to_owned());
                let messages = messages.filter(|text| text.split_whitespace().count() >= 3);
                row[1] += messages.map(|text| dialect.find_iter(&text).count()).sum::<usize>();
            }
        }
        row[2] += source.text.matches("fn of(").count() + source.text.matches("fn of<").count();
    }
    counts
}

fn recorded_counts() -> Counts {
    let text = std::fs::read_to_string(table_path()).unwrap_or_default();
    let rows = text.lines().skip(1).map(|line| {
        let mut cells = line.split('\t');
        let floor = cells.next().unwrap_or_default().to_owned();
        let numbers: Vec<usize> = cells.map(|cell| cell.parse().unwrap()).collect();
        (floor, numbers.try_into().unwrap())
    });
    rows.collect()
}

#[test]
fn vocabulary_counts_only_go_down() {
    let (now, kept) = (count_dialect(&sources()), recorded_counts());
    if std::env::var("UPDATE").is_ok_and(|update| update == "1") {
        let mut text = format!("floor\t{}\n", COLUMNS.join("\t"));
        for (floor, counts) in &now {
            let most = kept.get(floor).copied().unwrap_or([usize::MAX; COLUMNS.len()]);
            let cells = counts.iter().zip(most).map(|(now, most)| (*now).min(most).to_string());
            writeln!(text, "{floor}\t{}", cells.collect::<Vec<_>>().join("\t")).unwrap();
        }
        std::fs::write(table_path(), text).unwrap();
    }
    let mut complaints = Vec::new();
    for (floor, counts) in &now {
        let most = kept.get(floor).copied().unwrap_or_default();
        for (column, (now, most)) in COLUMNS.iter().zip(counts.iter().zip(most)) {
            if *now > most {
                complaints.push(format!("{floor}: {column} {now}, at most {most}"));
            }
        }
    }
    super::assert_no_problems(&complaints);
}

#[test]
fn no_comment_repeats_the_name_of_its_item() {
    super::assert_no_problems(&echoes(&sources()));
}

#[test]
fn no_type_name_is_public_twice_in_a_crate() {
    super::assert_no_problems(&duplicate_type_names(&sources()));
}

#[test]
fn dialect_and_duplicate_names_are_counted() {
    let source = |text: &str| Source {
        file: "draft/x.rs".into(),
        module: vec!["draft".to_owned(), "x".to_owned()],
        text: text.to_owned(),
        tokens: text.parse().unwrap(),
    };
    let sources = [source(
        "/// What it says.\npub struct Told;\n/// The list.\n#[derive(Debug)]\npub struct List;\n\
         /// A text that ends in the\n/// list.\npub struct List;\n/// `|`\npub struct Bar;\n\
         /// Bytes of the body.\nfn of() -> &'static str { \"nothing is at hand here\" }\n",
    )];
    assert_eq!(count_dialect(&sources)["draft"], [2, 2, 1]);
    assert_eq!(echoes(&sources), ["draft/x.rs: The list."]);
    assert_eq!(duplicate_type_names(&sources), ["draft/x.rs: List"]);
}
