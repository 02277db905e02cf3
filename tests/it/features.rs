//! The table of capabilities in `tests/features.md` is complete, and the tests that it names exist.

use std::path::Path;

/// The allowed states of rows in the table.
const STATES: [&str; 4] = ["works", "partly", "to come", "left out"];

/// All Rust code of the tests and of the program, which contains unit tests.
fn sources() -> String {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let files = ["tests", "src"].into_iter().flat_map(|dir| walkdir::WalkDir::new(root.join(dir)));
    let files = files
        .filter_map(Result::ok)
        .filter(|file| file.path().extension().is_some_and(|ending| ending == "rs"));
    files.map(|file| fs_err::read_to_string(file.path()).unwrap()).collect()
}

#[test]
fn every_capability_names_existing_tests() {
    let table = include_str!("../features.md");
    let sources = sources();
    let rows: Vec<Vec<&str>> = table
        .lines()
        .filter(|line| line.starts_with("| ") && !line.starts_with("| #"))
        .map(|line| line.trim_matches('|').splitn(4, '|').map(str::trim).collect())
        .collect();
    assert_eq!(rows.len(), 89);
    for (number, row) in (1..).zip(&rows) {
        let [id, capability, state, proof] = row[..] else { panic!("{row:?}") };
        assert_eq!(id, number.to_string());
        assert!(!capability.is_empty() && !proof.is_empty(), "{row:?}");
        assert!(STATES.contains(&state), "{row:?}");
        let named: Vec<&str> = proof.split('`').skip(1).step_by(2).collect();
        let tests: Vec<&&str> = named.iter().filter(|name| name.contains('_')).collect();
        assert!(state != "works" || !tests.is_empty(), "{row:?}: nothing proves it");
        for name in tests {
            assert!(sources.contains(&format!("fn {name}()")), "{row:?}: there is no test {name}");
        }
    }
}
