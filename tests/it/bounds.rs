//! `.github/SECURITY.md` names a limit for every input from outside, with the file that sets it.

use std::path::Path;

#[test]
fn every_bound_that_is_named_is_the_codes() {
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
