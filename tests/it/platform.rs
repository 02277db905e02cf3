//! The demo of a platform team: its catalog, an application, the application's staging, and a next
//! version of the catalog with more permissions.

use std::path::Path;

use crate::support::{Answer, Key, Terminal, Tree, kzui_in, line_with, messages, program};

/// The output of the target `platform/staging`, as recorded.
const RECORDED: &str = include_str!("snapshots/platform-staging.yaml");

fn build(tree: &Tree, arguments: &[&str]) -> Answer {
    let all: Vec<&str> = ["build", "staging"].iter().chain(arguments).copied().collect();
    kzui_in(&tree.root(), &all)
}

/// One script, one Starlark file; the imported list is overridden and put in another order.
#[test]
fn staging_is_built_by_the_functions_of_the_catalog() {
    if !crate::support::has_starlark() {
        return;
    }
    let tree = Tree::of_demo("platform");
    let answer = build(&tree, &["--trusted-catalog=catalog"]);
    let result = "[warning] apps/v1/Deployment/orders spec.replicas: one replica is gone while its node is \
                  drained, 1 → 2";
    assert!(answer.err.contains(result), "{}", answer.err);
    let built = answer.built();
    assert_eq!(built, RECORDED);
    // The order matters: the load generator is added before the log shipper runs, and so gets it
    // too.
    assert_eq!(built.matches("name: log-shipper\n").count(), 2);
    let staging = String::from_utf8(tree.read("staging/composition.yaml")).unwrap();
    let (rest, _) = staging.split_once("transformerOrder:").unwrap();
    tree.write("staging/composition.yaml", rest);
    let unordered = build(&tree, &["--trusted-catalog=catalog"]).built();
    assert_eq!(unordered.matches("name: log-shipper\n").count(), 1, "{unordered}");
}

/// B.5: the message has the missing trust, the functions, the command for a review, and the flag.
#[test]
fn without_trust_nothing_runs() {
    let tree = Tree::of_demo("platform");
    let catalog = tree.path("catalog/catalog.yaml").display().to_string();
    let told = build(&tree, &[]).refused();
    for part in [
        format!("'{catalog}'"),
        tree.path("app/composition.yaml").display().to_string(),
        format!(
            "{} WebApplication/orders (platform.example.com/v1)",
            messages::UNTRUSTED_NEEDED_TO_RUN
        ),
        // The path relative to the working directory.
        "`kzui trust add catalog/catalog.yaml`".to_owned(),
        "--trusted-catalog=catalog/catalog.yaml@sha256:".to_owned(),
    ] {
        assert!(told.contains(&part), "{part}: {told}");
    }
}

/// The effect of a draft is compared again when functions have run and when trust is revoked.
#[test]
fn the_effect_of_a_draft_follows_recorded_functions_and_trust() {
    let tree = Tree::of_demo("platform");
    // Without the Starlark function.
    let app = String::from_utf8(tree.read("app/composition.yaml")).unwrap();
    let shipper = app.find("- apiVersion: platform.example.com/v1\n  kind: LogShipper").unwrap();
    let end = app[shipper + 1..].find("\n- ").map(|at| shipper + 2 + at).unwrap();
    tree.write("app/composition.yaml", &[&app[..shipper], &app[end..]].concat());
    let staging = String::from_utf8(tree.read("staging/composition.yaml")).unwrap();
    tree.write("staging/composition.yaml", &staging.replace("- name: log-shipper\n", ""));
    let home = tempfile::tempdir().unwrap();
    let lines = "trust 1\nd\nchange composition.yaml:13     replicas: 5\nreach\nrun all\nreach\nwrite\nn\nrevoke 1\nreach\nquit!\n";
    let said = crate::linear::run_line_mode(&tree.root(), home.path(), "staging", lines);
    let parts: Vec<&str> = said.split("the files → the draft: ").collect();
    let [_, before, after, revoked] = parts.as_slice() else { panic!("{said}") };
    assert!(before.starts_with("1 target: 1 not known"), "{said}");
    assert!(after.starts_with("1 target: 0 the same, 1 differs"), "{said}");
    assert!(after.contains("spec.replicas  1 → 5"), "{said}");
    assert!(after.contains("~ 1 Deployment"), "the write question: {said}");
    assert!(revoked.starts_with("1 target: 1 not known"), "{said}");
}

/// Pinned, confined functions run for a commit as for the files, with the same trust.
#[test]
fn a_change_is_compared_with_a_commit_and_found_in_the_history() {
    if !crate::support::has_starlark() {
        return;
    }
    let tree = Tree::of_demo("platform");
    crate::compare::git(&tree, &["init", "-q", "-b", "main"]);
    crate::compare::commit(&tree, "First");
    let trusted = "--trusted-catalog=catalog";
    let same = kzui_in(&tree.root(), &["diff", "HEAD", trusted]);
    assert_eq!(same.status, Some(0), "{}{}", same.out, same.err);
    let staging = String::from_utf8(tree.read("staging/composition.yaml")).unwrap();
    tree.write("staging/composition.yaml", &staging.replace("1.5.0-rc1", "1.5.0-rc2"));
    let changed = kzui_in(&tree.root(), &["diff", "HEAD", trusted]);
    assert_eq!(changed.status, Some(1), "{}{}", changed.out, changed.err);
    assert!(changed.out.contains("staging/composition.yaml:12  image: "), "{}", changed.out);
    assert!(!changed.out.contains("not known"), "{}", changed.out);
    // Without trust it is not known, and no difference is claimed.
    let unknown = kzui_in(&tree.root(), &["diff", "HEAD", "--format", "json"]);
    assert_eq!(unknown.status, Some(3), "{}", unknown.out);
    assert!(unknown.out.contains(messages::IS_NOT_TRUSTED), "{}", unknown.out);
    crate::compare::commit(&tree, "Raise the version");
    crate::compare::commit(&tree, "Nothing else");
    let question =
        ["--field", "Deployment/staging-orders", "spec.template.spec.containers[orders].image"];
    let found = kzui_in(
        &tree.root(),
        &[&["bisect", "staging", "--good", "HEAD~2", trusted], &question[..]].concat(),
    );
    assert_eq!(found.status, Some(0), "{}{}", found.out, found.err);
    assert!(found.out.contains("Raise the version"), "{}", found.out);
}

/// After trust, a run and a revocation the files are built under the same conditions as the draft.
#[test]
fn draft_and_files_are_built_under_the_same_conditions() {
    if !crate::support::has_starlark() {
        return;
    }
    let (tree, home) = (Tree::of_demo("platform"), tempfile::tempdir().unwrap());
    let lines = "change composition.yaml:13     replicas: 2\ntrust 1\nd\nrun all\nwrite\nn\n\
                 revoke 1\nchange composition.yaml:13     replicas: 4\nwrite\nn\nquit!\n";
    let said = crate::linear::run_line_mode(&tree.root(), home.path(), "staging", lines);
    let (before, run) = said.split_once(messages::RUNNING_TRUSTED).unwrap();
    let (run, revoked) = run.split_once(messages::NO_LONGER_TRUSTED).unwrap();
    let changed = format!("Deployment staging-orders {}.", messages::CHANGED);
    assert!(line_with(run, messages::COMPARED_WITH_FILES).contains(&changed), "{said}");
    assert!(run.contains("~ 1 Deployment."), "{said}");
    let unknown = format!("{} {}", messages::COMPARED_WITH_FILES, messages::NOT_KNOWN);
    for part in [before, revoked] {
        assert!(part.contains(&unknown), "{said}");
    }
    let is_counted = |line: &str| line.contains("1 of 1 ") && line.contains(messages::NOT_KNOWN);
    assert!(revoked.lines().any(is_counted), "{said}");
    assert!(!said.contains(messages::CHANGES_NO_OUTPUT) && !said.contains(" removed"), "{said}");
}

/// The functions match their catalog.
#[test]
fn functions_equal_their_published_catalog() {
    for function in ["catalog/functions/web-application.sh", "catalog/functions/log-shipper.star"] {
        let tree = Tree::of_demo("platform");
        let text = String::from_utf8(tree.read(function)).unwrap();
        tree.write(function, &format!("{text}# one more line\n"));
        let told = build(&tree, &["--trusted-catalog=catalog"]).refused();
        assert!(told.contains(messages::SHA256_MISMATCH_FOR), "{function}: {told}");
    }
}

/// The next version of the catalog is reviewed before any of its functions runs, the wider
/// permission first.
#[test]
fn the_second_version_asks_for_more() {
    if !crate::support::has_starlark() {
        return;
    }
    let tree = Tree::of_demo("platform");
    let kzui = |arguments: &[&str]| {
        let output =
            program(&tree.path("home")).args(arguments).current_dir(tree.root()).output().unwrap();
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        (output.status.code(), text(&output.stdout), text(&output.stderr))
    };
    assert_eq!(kzui(&["trust", "add", "catalog", "--yes"]).0, Some(0));
    let (status, built, err) = kzui(&["build", "staging"]);
    assert_eq!((status, &*built), (Some(0), RECORDED), "{err}");
    let second = String::from_utf8(tree.read("catalog/catalog-v2.yaml")).unwrap();
    tree.write("catalog/catalog.yaml", &second);
    let (status, _, err) = kzui(&["build", "staging"]);
    assert_eq!(status, Some(1));
    assert!(err.contains(&format!(", {} sha256:", messages::TRUSTED_DIGEST)), "{err}");
    let (_, differences, _) = kzui(&["trust", "diff", "catalog"]);
    let changes: Vec<&str> =
        differences.lines().filter(|line| line.starts_with("  ")).map(str::trim).collect();
    let wider =
        format!("MORE    platform.example.com/v1 LogShipper  {}", messages::NETWORK_REQUESTED);
    assert_eq!(changes[0], wider);
    assert_eq!(changes.last().map(|line| &line[..4]), Some("NEW "), "{changes:?}");
    let (status, _, err) = kzui(&["trust", "add", "catalog", "--yes"]);
    assert_eq!(status, Some(1));
    assert!(err.contains("--widened='platform.example.com/v1 LogShipper'"), "{err}");
}

/// Opening runs nothing: the two functions are pending, and the steps around them are evaluated.
#[test]
fn the_workbench_waits_for_trust() {
    let tree = Tree::of_demo("platform");
    let mut terminal = Terminal::start(&[&tree.path("staging")], 120, 36);
    terminal.wait_for_text("load-generator");
    terminal.type_text("gf");
    terminal.wait_for("both functions, pending", |screen| {
        screen.contains("2 pending") && screen.contains("orders") && screen.contains("log-shipper")
    });
}

/// The demo as a user sees it: the catalog is reviewed and trusted, the pending steps run, a result
/// has a link to its field; the second version is reviewed with the wider permission first, and its
/// name is typed.
#[test]
fn the_catalog_is_reviewed_and_trusted_and_its_second_version_asks_for_more() {
    if !crate::support::has_starlark() {
        return;
    }
    let tree = Tree::of_demo("platform");
    let home = tempfile::tempdir().unwrap();
    let home = home.path().display().to_string();
    let variables = [("XDG_DATA_HOME", home.as_str())];
    let staging = tree.path("staging");
    let mut terminal = Terminal::start_with(&[&staging], 120, 36, &variables);
    terminal.wait_for_text("2 pending");

    terminal.type_text("gk");
    terminal.wait_for("the review", |screen| {
        screen.contains(messages::NEVER_TRUSTED)
            && screen.contains(messages::SELF_DECLARED_NOT_VERIFIED)
    });
    terminal.type_text("j");
    terminal.wait_for("the function", |screen| {
        ["Apache 2.0", "sha256:08d65c42", "network      none", "app/composition.yaml:7"]
            .iter()
            .all(|part| screen.contains(part))
    });
    terminal.type_text("T");
    terminal.wait_for("what trust means", |screen| {
        screen.contains(messages::TRUST_THIS_DIGEST) && screen.contains("--trusted-catalog=")
    });
    terminal.type_text("d");
    terminal.wait_for_text("trusted: ");
    // Trust alone runs no function.
    terminal.type_text("gf");
    terminal.wait_for_text(messages::RUN_KEY);
    terminal.type_text("R");
    terminal.wait_for_text("Functions  1 run  1 pending");
    terminal.type_text(",R");
    terminal.wait_for("both functions, run", |screen| {
        screen.contains("Functions  2 run")
            && screen.contains("starlark")
            && screen.contains("exec")
    });
    terminal.press(Key::Enter);
    terminal.press(Key::Enter);
    terminal.wait_for("the field that the result is about", |screen| {
        screen.contains("▐Resource▌") && screen.contains("replicas: 1")
    });
    let built = program(&tree.root())
        .args(["build", "staging"])
        .env("XDG_DATA_HOME", &home)
        .current_dir(tree.root())
        .output()
        .unwrap();
    assert_eq!(String::from_utf8_lossy(&built.stdout), RECORDED, "the decision is kept");

    let second = String::from_utf8(tree.read("catalog/catalog-v2.yaml")).unwrap();
    tree.write("catalog/catalog.yaml", &second);
    terminal.type_text("7k");
    let screen = terminal.wait_for("what changed", |screen| {
        screen.contains(messages::NETWORK_REQUESTED) && screen.contains("Quota  added")
    });
    let at = |text: &str| screen.find(text).unwrap_or_else(|| panic!("{text}: {screen}"));
    assert!(at("network: no") < at("runtime: starlark"), "{screen}");
    assert!(at("storage mount: no") < at("runtime: starlark"), "{screen}");
    let row = |text: &str| screen.lines().find(|line| line.contains(text)).unwrap_or_default();
    assert!(row("WebApplication v1").contains("unchanged"), "{screen}");
    assert!(row("Quota v1").contains("new"), "{screen}");
    terminal.type_text("gf");
    terminal.wait_for_text("2 pending");
    // A pending step has a link to its catalog.
    terminal.press(Key::Enter);
    terminal.wait_for_text("▐Catalogs▌");
    terminal.type_text("T");
    terminal.wait_for_text(messages::TYPE_NAME);
    terminal.type_text("LogShipper");
    terminal.press(Key::Enter);
    terminal.wait_for_text(messages::WRONG_NAME);
    terminal.type_text("\u{15}platform.example.com/v1 LogShipper");
    terminal.press(Key::Enter);
    terminal.wait_for_text("trusted: ");
    terminal.type_text("gf");
    terminal.wait_for("what still needs a flag", |screen| {
        screen.contains("1 run  1 pending") && screen.contains("network required")
    });
    quit(&mut terminal);
    terminal.assert_restored();
}

/// `R` runs the selected function alone, also the second of two; while functions run, the screen
/// has their names, numbers and times.
#[test]
fn the_selected_function_runs_alone_and_running_functions_are_named() {
    let function = |name: &str, command: &str| {
        let list = "apiVersion: config.kubernetes.io/v1\\nkind: ResourceList\\nitems: []\\n";
        (
            format!(
                "apiVersion: example.com/v1\nkind: Slow\nmetadata:\n  name: {name}\n  annotations:\n    config.kubernetes.io/function: |\n      exec: {{path: ./{name}.sh}}\n"
            ),
            format!("#!/bin/sh\n{command}\nprintf '{list}'\n"),
        )
    };
    let ((first, first_program), (second, second_program)) =
        (function("first", "sleep 2"), function("second", "sleep 2"));
    let tree = Tree::new(&[
        ("kustomization.yaml", "generators: [first.yaml, second.yaml]\n"),
        ("first.yaml", &first),
        ("second.yaml", &second),
        ("first.sh", &first_program),
        ("second.sh", &second_program),
    ]);
    for name in ["first.sh", "second.sh"] {
        super::catalog::make_executable(&tree.path(name));
    }
    let flags = ["--enable-alpha-plugins", "--enable-exec"].map(Path::new);
    let root = tree.root();
    let arguments = [flags[0], flags[1], &root];
    let mut terminal = Terminal::start(&arguments, 120, 36);
    terminal.type_text("gf");
    terminal.wait_for_text("Functions  0 run  2 pending");
    terminal.type_text("jR");
    terminal.wait_for_text("Slow/second 0.");
    let screen = terminal
        .wait_for("the second alone", |screen| screen.contains("Functions  1 run  1 pending"));
    assert!(screen.contains("Slow/first"), "{screen}");
    terminal.type_text(",R");
    terminal.wait_for_text("Slow/first");
    terminal.wait_for_text("Functions  2 run");
    quit(&mut terminal);

    let mut terminal = Terminal::start(&arguments, 120, 36);
    terminal.type_text("gf");
    terminal.wait_for_text("Functions  0 run  2 pending");
    terminal.type_text(",R");
    terminal.wait_for_text("Slow/first 1 of 2 ");
    terminal.wait_for_text("Slow/second 2 of 2 ");
    terminal.wait_for_text("Functions  2 run");
    quit(&mut terminal);
}

/// Opening runs nothing, trusted or not: `R` and `,R` run.
#[test]
fn what_is_trusted_already_runs_when_it_is_asked_for() {
    if !crate::support::has_starlark() {
        return;
    }
    let tree = Tree::of_demo("platform");
    let trusted = format!("--trusted-catalog={}", tree.path("catalog").display());
    let staging = tree.path("staging");
    let arguments = [Path::new(&trusted), &staging];
    let mut terminal = Terminal::start(&arguments, 120, 36);
    terminal.wait_for_text("2 pending");
    terminal.type_text("gf");
    terminal.wait_for_text(messages::RUN_KEY);
    terminal.type_text(",R");
    terminal.wait_for_text("Functions  2 run");
    quit(&mut terminal);
}

fn quit(terminal: &mut Terminal) {
    terminal.press(Key::Escape);
    terminal.type_text(":q");
    terminal.press(Key::Enter);
    assert!(terminal.wait_for_end().success());
}
