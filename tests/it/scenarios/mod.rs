//! `tests/scenarios.md` names a proof for every acceptance scenario. This module checks the page.

#[cfg(unix)]
mod rest;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

const SCENARIOS_PAGE: &str = include_str!("../../scenarios.md");

/// The rows of the table below this heading: the number, the code in backticks, and the complete
/// row.
fn rows(heading: &str) -> Vec<(usize, Vec<String>, &'static str)> {
    let (_, section) = SCENARIOS_PAGE.split_once(heading).expect("the heading is there");
    let section = section.split("\n## ").next().unwrap_or_default();
    let lines = section.lines().filter(|line| line.starts_with("| "));
    let rows = lines.filter_map(|line| {
        let number = line.split('|').nth(1)?.trim().parse().ok()?;
        let proofs = line.rsplit('|').nth(1)?.split('`').skip(1).step_by(2);
        Some((number, proofs.map(str::to_owned).collect(), line))
    });
    rows.collect()
}

fn scenario_numbers(rows: &[(usize, Vec<String>, &str)]) -> Vec<usize> {
    rows.iter().map(|(number, ..)| *number).collect()
}

#[test]
fn every_scenario_has_its_row() {
    assert_eq!(scenario_numbers(&rows("## Scenarios")), (1..=122).collect::<Vec<_>>());
    assert_eq!(scenario_numbers(&rows("## Matrix")), (1..=42).collect::<Vec<_>>());
    assert_eq!(scenario_numbers(&rows("## Rulings")), (5..=14).collect::<Vec<_>>());
}

#[test]
fn tests_named_in_rows_exist() {
    let mut texts = BTreeMap::new();
    let mut missing = Vec::new();
    for (number, proofs, line) in ["## Scenarios", "## Matrix", "## Rulings"].map(rows).concat() {
        if proofs.is_empty() && !line.contains("not proven: ") {
            missing.push(format!("{number}: nothing proves it, and no reason is given"));
        }
        for proof in proofs {
            if !is_there(&proof, &mut texts) {
                missing.push(format!("{number}: {proof}"));
            }
        }
    }
    assert_eq!(missing, Vec::<String>::new());
}

/// True if the proof that a row names exists: a page of `tests/cases` by its name, or a test of
/// `tests/it` or `src` by its path, as `cargo test` prints it.
fn is_there(proof: &str, texts: &mut BTreeMap<PathBuf, String>) -> bool {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    if !proof.contains("::") {
        let page = root.join("tests/cases").join(format!("{proof}.md"));
        return fs_err::read_to_string(page).is_ok_and(|text| text.contains(" expect="));
    }
    let mut parts: Vec<&str> = proof.split("::").collect();
    let name = parts.pop().unwrap_or_default();
    let base = match parts.first() {
        Some(&"it") => root.join("tests"),
        _ => root.join("src"),
    };
    let module: PathBuf = parts.iter().collect();
    // A module may be in the file of its parent.
    let places = module.ancestors().filter(|place| !place.as_os_str().is_empty());
    let mut files = places
        .flat_map(|place| [base.join(place).with_extension("rs"), base.join(place).join("mod.rs")]);
    files.any(|file| {
        let text = texts
            .entry(file)
            .or_insert_with_key(|file| fs_err::read_to_string(file).unwrap_or_default());
        let Some((before, _)) = text.split_once(&format!("fn {name}(")) else { return false };
        let attributes = before.rsplit("\n\n").next().unwrap_or_default();
        attributes.contains("#[test]")
    })
}
