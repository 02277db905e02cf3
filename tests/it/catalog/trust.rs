//! Trust decisions: adding, comparing, revoking.

use super::{STAMP, catalog, desk, script, sha256_hex};
use crate::support::messages;

#[test]
fn trust_record_applies_to_one_content_until_revoked() {
    if !crate::support::has_starlark() {
        return;
    }
    let desk = desk(
        &["c/catalog.yaml"],
        &[("c/catalog.yaml", &catalog("v1", STAMP)), ("c/stamp.star", &script("one"))],
    );
    let added = desk.run(&["trust", "add", "c", "--yes"]).built();
    assert!(added.contains(&format!("sha256:{}", sha256_hex(catalog("v1", STAMP)))), "{added}");
    // No flag with a digest of the catalog covers the script.
    assert!(!added.contains("--trusted-catalog"), "{added}");
    assert!(desk.run(&["build"]).built().contains("stamp: one mark"));
    assert!(desk.run(&["trust", "list"]).built().contains("c/catalog.yaml  digest  sha256:"));
    assert_eq!(desk.run(&["trust", "diff", "c"]).status, Some(0));

    // D-B18: changed content needs a new decision.
    let second = catalog("v1", "{container: {image: 'x:v2', requireNetwork: true}}")
        .replace("publisher: team", "publisher: other");
    desk.tree.write("c/catalog.yaml", &second);
    let changed = desk.run(&["build"]).refused();
    for digest in [sha256_hex(&second), sha256_hex(catalog("v1", STAMP))] {
        assert!(changed.contains(&format!(" sha256:{digest}")), "{digest}: {changed}");
    }
    // Scenario 96: the widened permission is first.
    let diff = desk.run(&["trust", "diff", "c"]);
    assert_eq!(diff.status, Some(1));
    let lines: Vec<&str> = diff.out.lines().filter(|line| line.starts_with("  ")).collect();
    assert!(lines[0].contains("MORE"), "{lines:?}");
    assert!(lines[0].contains(messages::NETWORK_REQUESTED), "{lines:?}");
    assert!(lines[1].contains("runtime: starlark → container"), "{lines:?}");
    let shown = desk.run(&["view", "catalog", "c"]).built();
    let trusted = format!("sha256:{}", sha256_hex(catalog("v1", STAMP)));
    assert!(shown.contains(&trusted), "{shown}");
    let (_, changes) = shown.split_once(messages::CHANGES_SINCE_TRUST).expect("they are shown");
    for (line, shown) in lines.iter().zip(changes.lines().skip(2)) {
        assert_eq!(line.split_whitespace().last(), shown.split_whitespace().last(), "{changes}");
    }
    // Wider permissions need an explicit flag; the changes are shown before it is given.
    let unnamed = desk.run(&["trust", "add", "c", "--yes"]);
    assert_eq!(unnamed.status, Some(1));
    assert!(unnamed.out.contains(messages::NETWORK_REQUESTED), "{}", unnamed.out);
    assert!(unnamed.err.contains("--widened='team.example.com/v1 Stamp'"), "{}", unnamed.err);
    desk.run(&["trust", "add", "c", "--yes", "--widened", "team.example.com/v1 Stamp"]).built();
    assert_eq!(desk.run(&["trust", "diff", "c"]).status, Some(0));

    desk.run(&["trust", "remove", "c"]).built();
    assert!(desk.run(&["build"]).refused().contains(messages::IS_NOT_TRUSTED));
    assert!(
        desk.run(&["trust", "remove", "c"]).refused().contains(messages::NOT_TRUSTED_BY_RECORD)
    );
    let kept = fs_err::read_to_string(desk.home.path(".local/share/kzui/trust.yaml")).unwrap();
    assert_eq!(kept.matches("---\n").count(), 3, "nothing is ever rewritten: {kept}");
}

#[test]
fn preferences_trust_paths_and_warn_of_wildcards() {
    if !crate::support::has_starlark() {
        return;
    }
    let desk = desk(
        &["c/catalog.yaml"],
        &[("c/catalog.yaml", &catalog("v1", STAMP)), ("c/stamp.star", &script("one"))],
    );
    let path = desk.tree.path("c/catalog.yaml");
    desk.home.write(
        ".config/kzui/config.yaml",
        &format!("kind: KustomizeConfig\ntrustedCatalogs: [{}, 'https://*']\n", path.display()),
    );
    let ran = desk.run(&["build"]);
    assert!(ran.out.contains("stamp: one mark"), "{}", ran.err);
    assert!(ran.err.contains(messages::WILDCARD_ALLOWED_ONLY), "{}", ran.err);
}

#[test]
fn older_spellings_of_the_flag_are_pointed_out() {
    let desk = desk(&[], &[]);
    for flag in ["--trusted-plugin-catalog=x", "--alpha-trusted-plugin-catalog=x", "--catalog=x"] {
        let error = desk.run(&["build", flag]).refused();
        assert!(error.contains(messages::DID_YOU_MEAN_TRUSTED_CATALOG), "{error}");
    }
}
