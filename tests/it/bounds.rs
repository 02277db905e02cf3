//! `.github/SECURITY.md` names a limit for every input from outside, with the file that sets it.

use std::path::Path;

#[test]
fn documented_bounds_match_code() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let page = fs_err::read_to_string(root.join(".github/SECURITY.md")).unwrap();
    let mut bounds = 0;
    for row in page.lines().filter(|line| line.starts_with('|') && line.contains("`src/")) {
        let place = row.rsplit('|').nth(1).unwrap();
        let mut words = place.split('`').skip(1).step_by(2);
        let file = words.next().unwrap();
        let text = fs_err::read_to_string(root.join(file)).unwrap();
        for bound in words {
            assert!(text.contains(bound), "{file} has no `{bound}`: {row}");
            bounds += 1;
        }
    }
    assert!(bounds >= 24, "{bounds} bounds were found");
}

/// Each promise ends with the tests that hold it.
#[test]
fn every_promise_names_its_tests() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let page = fs_err::read_to_string(root.join(".github/SECURITY.md")).unwrap();
    let (_, promises) = page.split_once("## Promises").unwrap();
    let (promises, _) = promises.split_once("## Not promised").unwrap();
    let mut code = String::new();
    for folder in ["src", "tests/it"] {
        for entry in walkdir::WalkDir::new(root.join(folder)) {
            let path = entry.unwrap().into_path();
            if path.extension().is_some_and(|extension| extension == "rs") {
                code.push_str(&fs_err::read_to_string(path).unwrap());
            }
        }
    }
    let mut wrong = Vec::new();
    for promise in promises.split("\n- **").skip(1) {
        let title = promise.split("**").next().unwrap_or_default();
        let (_, tests) = promise.rsplit_once("Tests: ").unwrap_or_default();
        let names: Vec<&str> = tests.split('`').skip(1).step_by(2).collect();
        if names.is_empty() {
            wrong.push(format!("{title}: no test"));
        }
        let missing = names.iter().filter(|name| !code.contains(&format!("fn {name}(")));
        wrong.extend(missing.map(|name| format!("{title}: no test {name}")));
    }
    assert_eq!(wrong, Vec::<String>::new());
}
