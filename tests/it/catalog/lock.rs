//! `kzui.lock`: written with a decision, read by builds. It only restricts a build, and grants no
//! trust.

use super::{Desk, STAMP, catalog, desk, script, sha256_hex};
use crate::support::messages;

fn locked_desk() -> Desk {
    let desk = desk(
        &["c/catalog.yaml"],
        &[("c/catalog.yaml", &catalog("v1", STAMP)), ("c/stamp.star", &script("one"))],
    );
    let added = desk.run(&["trust", "add", "c", "--yes", "--lock", "--reviewer", "Jane"]).built();
    assert!(added.contains("+   reviewer: \"Jane\""), "the change is shown: {added}");
    desk
}

/// Deletes all decisions, as on another machine with the same tree.
fn delete_decisions(desk: &Desk) {
    fs_err::remove_dir_all(desk.home.path(".local/share/kzui")).unwrap();
}

/// A build that trusts any content of the catalog `c`.
const BUILD_TRUSTING_ANY_CONTENT: &[&str] = &["build", "--trusted-catalog=c"];

#[test]
fn content_that_differs_from_the_lock_does_not_run() {
    if !crate::support::has_starlark() {
        return;
    }
    let desk = locked_desk();
    delete_decisions(&desk);
    // The lock file grants no trust.
    assert!(desk.run(&["build"]).refused().contains(messages::IS_NOT_TRUSTED));
    assert!(desk.run(BUILD_TRUSTING_ANY_CONTENT).built().contains("stamp: one mark"));
    desk.tree.write("c/stamp.star", &script("two"));
    let refused = desk.run(BUILD_TRUSTING_ANY_CONTENT).refused();
    let (one, two) = (sha256_hex(script("one")), sha256_hex(script("two")));
    for part in [
        "'stamp.star'",
        "'c/catalog.yaml'",
        "kzui.lock",
        &one,
        &two,
        "`kzui trust add c/catalog.yaml --lock`",
    ] {
        assert!(refused.contains(part), "{part}: {refused}");
    }
    desk.tree.write("c/stamp.star", &script("one"));
    desk.tree.write("c/catalog.yaml", &(catalog("v1", STAMP) + "# x\n"));
    let refused = desk.run(BUILD_TRUSTING_ANY_CONTENT).refused();
    let locked = format!("sha256:{}", sha256_hex(catalog("v1", STAMP)));
    assert!(refused.contains("kzui.lock") && refused.contains(&locked), "{refused}");
    desk.tree.write("c/catalog.yaml", &catalog("v1", STAMP));
    desk.tree.write("other/catalog.yaml", &(catalog("v1", STAMP) + "# x\n"));
    desk.tree.write("other/stamp.star", &script("one"));
    let listed = String::from_utf8(desk.tree.read("kustomization.yaml")).unwrap();
    desk.tree.write("kustomization.yaml", &listed.replace("c/catalog.yaml", "other/catalog.yaml"));
    let missing = desk.run(&["build", "--trusted-catalog=other"]).refused();
    assert!(missing.contains("'other/catalog.yaml'") && missing.contains("kzui.lock"), "{missing}");
}

#[test]
fn malformed_lock_stops_every_function_of_a_catalog() {
    let desk = locked_desk();
    for text in ["", "version: 2\n", "version: 1\ncatalogs:\n- reference: c\n", "a: [\n"] {
        desk.tree.write("kzui.lock", text);
        let refused = desk.run(BUILD_TRUSTING_ANY_CONTENT).refused();
        assert!(refused.contains("kzui.lock:"), "{text:?}: {refused}");
    }
    fs_err::remove_file(desk.tree.path("kzui.lock")).unwrap();
}

/// A lock file that cannot be read, or a further one, never permits what the first one forbids.
#[test]
#[cfg(unix)]
fn unreadable_and_further_lock_files_permit_nothing() {
    use std::os::unix::fs::symlink;
    let desk = locked_desk();
    delete_decisions(&desk);
    let (lock, nested) = (desk.tree.path("kzui.lock"), desk.tree.path("o"));
    let text = String::from_utf8(desk.tree.read("kzui.lock")).unwrap();
    desk.tree.write("c/stamp.star", &script("two"));
    for (path, text) in super::app(&["../c/catalog.yaml"]) {
        desk.tree.write(&format!("o/{path}"), &text);
    }
    let build = &["build", "o", "--trusted-catalog=c"];
    let is_refused = || {
        let refused = desk.run(build).refused();
        assert!(refused.contains("kzui.lock"), "{refused}");
    };
    is_refused();

    let (one, two) = (sha256_hex(script("one")), sha256_hex(script("two")));
    desk.tree.write(
        "o/kzui.lock",
        &text.replace("c/catalog.yaml", "../c/catalog.yaml").replace(&one, &two),
    );
    is_refused();
    fs_err::write(nested.join(".git"), "gitdir: nowhere\n").unwrap();
    fs_err::remove_file(nested.join("kzui.lock")).unwrap();
    fs_err::create_dir_all(desk.tree.path(".git")).unwrap();
    is_refused();

    fs_err::remove_file(&lock).unwrap();
    fs_err::create_dir(&lock).unwrap();
    is_refused();
    fs_err::remove_dir(&lock).unwrap();
    for destination in ["nowhere", "kzui.lock", "/dev/null"] {
        symlink(destination, &lock).unwrap();
        is_refused();
        fs_err::remove_file(&lock).unwrap();
    }
}

/// A decision writes no file outside of the repository.
#[test]
#[cfg(unix)]
fn lock_file_that_is_a_link_is_not_written() {
    let desk = locked_desk();
    let (lock, outside) = (desk.tree.path("kzui.lock"), desk.home.path("outside"));
    fs_err::rename(&lock, &outside).unwrap();
    std::os::unix::fs::symlink(&outside, &lock).unwrap();
    let before = fs_err::read(&outside).unwrap();
    desk.tree.write("c/catalog.yaml", &(catalog("v1", STAMP) + "# x\n"));
    assert_ne!(desk.run(&["trust", "add", "c", "--yes", "--lock"]).status, Some(0));
    assert_eq!(fs_err::read(&outside).unwrap(), before);
}

/// With any lock file a build runs no function that it does not run without one.
#[test]
fn lock_never_grants_trust() {
    if !crate::support::has_starlark() {
        return;
    }
    let desk = locked_desk();
    delete_decisions(&desk);
    let lock = String::from_utf8(desk.tree.read("kzui.lock")).unwrap();
    let digest = sha256_hex(catalog("v1", STAMP));
    let flags: [Vec<String>; 4] = [
        vec![],
        vec![format!("--trusted-catalog=sha256:{digest}")],
        vec![format!("--trusted-catalog=c@sha256:{digest}")],
        vec![format!("--trusted-catalog=sha256:{}", sha256_hex("x"))],
    ];
    for flags in flags {
        let mut build = vec!["build"];
        build.extend(flags.iter().map(String::as_str));
        for text in [Some(&lock), None] {
            match text {
                Some(text) => desk.tree.write("kzui.lock", text),
                None => fs_err::remove_file(desk.tree.path("kzui.lock")).unwrap(),
            }
            // No flag with a digest of the catalog covers a script without a digest.
            assert_eq!(desk.run(&build).status, Some(1), "{flags:?}");
        }
        desk.tree.write("kzui.lock", &lock);
    }
}

#[test]
fn later_decision_updates_the_lock_and_outdated_compares_it() {
    let desk = locked_desk();
    assert_eq!(desk.run(&["catalog", "outdated"]).built(), "c/catalog.yaml  current\n");
    let before = desk.tree.read("kzui.lock");
    desk.run(&["trust", "add", "c", "--yes"]).built();
    assert_eq!(desk.tree.read("kzui.lock"), before, "an equal decision changes no byte");
    desk.tree.write("c/stamp.star", &script("two"));
    let outdated = desk.run(&["catalog", "outdated"]);
    assert_eq!(outdated.status, Some(1));
    let line = format!(
        "stamp.star  sha256:{} → sha256:{}",
        sha256_hex(script("one")),
        sha256_hex(script("two"))
    );
    assert!(outdated.out.contains(&line) && outdated.out.contains("(Jane)"), "{}", outdated.out);
    // A refused decision does not change the lock file.
    assert_eq!(desk.run(&["trust", "add", "c"]).status, Some(1));
    assert_eq!(desk.tree.read("kzui.lock"), before);
    desk.run(&["trust", "add", "c", "--yes"]).built();
    assert_eq!(desk.run(&["catalog", "outdated"]).status, Some(0));
    fs_err::remove_file(desk.tree.path("kzui.lock")).unwrap();
    assert_eq!(desk.run(&["catalog", "outdated"]).status, Some(2));
    desk.run(&["trust", "add", "c", "--yes"]).built();
    assert!(!desk.tree.path("kzui.lock").exists(), "only --lock makes the file");
}
