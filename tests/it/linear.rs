//! The conversation: everything that the screens answer and do, in lines.

use std::io::Write as _;
use std::path::Path;
use std::process::Stdio;

use crate::support::{Tree, line_with, messages, numbers_after, program};

/// The answers to these lines; the state of the user is kept in `home`.
pub(crate) fn run_line_mode(dir: &Path, home: &Path, target: &str, lines: &str) -> String {
    let mut command = program(home);
    command.args(["--linear", target]).current_dir(dir);
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut talk = command.spawn().unwrap();
    talk.stdin.take().unwrap().write_all(lines.as_bytes()).unwrap();
    let output = talk.wait_with_output().unwrap();
    assert!(output.stderr.is_empty() || output.status.success(), "{output:?}");
    String::from_utf8(output.stdout).unwrap()
}

const DEPLOYMENT: &str =
    "apiVersion: apps/v1\nkind: Deployment\nmetadata:\n  name: web\nspec:\n  replicas: 1\n";
/// The patches that set two and nine replicas.
const TWO_REPLICAS_PATCH: &str =
    "apiVersion: apps/v1\nkind: Deployment\nmetadata:\n  name: web\nspec:\n  replicas: 2\n";
const NINE_REPLICAS_PATCH: &str =
    "apiVersion: apps/v1\nkind: Deployment\nmetadata:\n  name: web\nspec:\n  replicas: 9\n";
const COMPONENT: &str =
    "apiVersion: kustomize.config.k8s.io/v1alpha1\nkind: Component\ncommonAnnotations:\n  a: b\n";

fn tree() -> Tree {
    Tree::new(&[
        ("base/kustomization.yaml", "resources:\n- web.yaml\n"),
        ("base/web.yaml", DEPLOYMENT),
        (
            "prod/kustomization.yaml",
            "resources:\n- ../base\ncomponents:\n- ../mark\npatches:\n- path: small.yaml\n- path: large.yaml\n",
        ),
        ("prod/small.yaml", TWO_REPLICAS_PATCH),
        ("prod/large.yaml", NINE_REPLICAS_PATCH),
        ("mark/kustomization.yaml", COMPONENT),
        ("dev/kustomization.yaml", "resources:\n- ../base\n"),
    ])
}

/// The line mode lists the effects of order and of combinations, and applies one to the draft.
#[test]
fn order_and_combinations_are_said_and_taken() {
    let (tree, home) = (tree(), tempfile::tempdir().unwrap());
    let said = run_line_mode(
        &tree.root(),
        home.path(),
        "prod",
        "order\nmatrix\norder 1\nwhy Deployment/web spec.replicas\nundo\nmatrix 1\nquit!\n",
    );
    assert!(
        said.contains(&format!("Order matters in 1 of 1 {}.", messages::PAIRS_NEIGHBOURS)),
        "{said}"
    );
    let pair = line_with(&said, "1. patches in kustomization.yaml");
    for value in ["6, small.yaml", "7, large.yaml", messages::ORDER_MATTERS] {
        assert!(pair.contains(value), "{value}: {said}");
    }
    assert_eq!(numbers_after(&said, messages::AS_LISTED), [9, 2], "{said}");
    assert_eq!(numbers_after(&said, messages::COMBINATIONS)[0], 2, "{said}");
    assert_eq!(numbers_after(&said, " mark: "), [2], "{said}");
    // After the swap in the draft, the other patch is the final writer.
    assert!(said.contains(&format!("2, {}.", messages::FINAL)), "{said}");
    assert!(said.contains(&format!("Deployment web {}", messages::CHANGED)), "{said}");
    assert_eq!(
        String::from_utf8(tree.read("prod/kustomization.yaml"))
            .unwrap()
            .matches("- path: small.yaml\n- path: large")
            .count(),
        1
    );
}

#[test]
fn number_after_last_component_is_refused() {
    let (tree, home) = (tree(), tempfile::tempdir().unwrap());
    let said = run_line_mode(
        &tree.root(),
        home.path(),
        "prod",
        "components\ncomponent 2\ncomponent 0\nquit\n",
    );
    assert!(said.contains("1. ../mark. On") && !said.contains("\n2. "), "{said}");
    assert_eq!(said.matches("Usage: component NUMBER").count(), 2, "{said}");
}

/// A file is edited by line numbers, written, and restored by a revert of the logged write.
#[test]
fn a_file_is_changed_line_by_line_written_and_taken_back_from_the_log() {
    let (tree, home) = (tree(), tempfile::tempdir().unwrap());
    let said = run_line_mode(
        &tree.root(),
        home.path(),
        "prod",
        "text large.yaml\nchange large.yaml:6   replicas: 7\ninsert large.yaml:6   paused: true\ntext large.yaml\nremove large.yaml:7\nwrite\ny\nlog\nlog 1\ny\nwrite\ny\nquit\n",
    );
    assert!(said.contains("6:   replicas: 9"), "{said}");
    assert!(said.contains("7:   paused: true"), "{said}");
    assert!(said.contains("-   replicas: 9") && said.contains("+   replicas: 7"), "{said}");
    assert!(
        said.contains("Files: large.yaml.") || said.contains("Files: prod/large.yaml."),
        "{said}"
    );
    assert_eq!(
        String::from_utf8(tree.read("prod/large.yaml")).unwrap(),
        NINE_REPLICAS_PATCH,
        "{said}"
    );
    let said = run_line_mode(
        &tree.root(),
        home.path(),
        "prod",
        "change nothing.yaml:3 x\nchange large.yaml:99 x\nquit\n",
    );
    assert!(
        said.contains(messages::USAGE_FILE_LINE)
            && said.contains(&format!("{} 6 lines.", messages::FILE_HAS)),
        "{said}"
    );
}

#[test]
fn comparison_search_and_users_are_printed() {
    let (tree, home) = (tree(), tempfile::tempdir().unwrap());
    let said = run_line_mode(
        &tree.root(),
        home.path(),
        "base",
        "compare dev prod\ncompare 1\nfind replicas\nusers\nlike v5.0.1\nsecrets\nrebuild\nquit\n",
    );
    assert!(said.contains("spec.replicas"), "{said}");
    assert!(said.contains(messages::FIRST_AT_TOP), "{said}");
    assert!(numbers_after(&said, "Deployment/web spec.replicas: ").starts_with(&[1, 1]), "{said}");
    assert_eq!(numbers_after(&said, messages::USED_BY)[0], 2, "{said}");
    assert!(said.contains(messages::BUILD_OK), "{said}");
    assert!(!said.contains(messages::UNKNOWN_COMMAND), "{said}");
}

#[test]
fn dangerous_write_needs_a_capital_y() {
    let object = |kind: &str| format!("apiVersion: v1\nkind: {kind}\nmetadata:\n  name: a\n");
    let tree = Tree::new(&[
        ("app/kustomization.yaml", "resources:\n- cm.yaml\n- ns.yaml\n"),
        ("app/cm.yaml", &object("ConfigMap")),
        ("app/ns.yaml", &object("Namespace")),
    ]);
    let home = tempfile::tempdir().unwrap();
    let written = || String::from_utf8(tree.read("app/kustomization.yaml")).unwrap();
    let deleted = "change kustomization.yaml:3 # - ns.yaml\nwrite\ny\nn\nquit!\n";
    let said = run_line_mode(&tree.root(), home.path(), "app", deleted);
    assert!(said.contains("KZ312") && said.contains(messages::TYPE_Y_TO_WRITE_ANYWAY), "{said}");
    assert!(said.contains("− 1 Namespace"), "{said}");
    assert!(written().contains("\n- ns.yaml"), "{}", written());
    let broken = "change kustomization.yaml:3 - missing.yaml\nwrite\ny\nn\nquit!\n";
    let said = run_line_mode(&tree.root(), home.path(), "app", broken);
    assert!(said.contains(&format!("Error: app {}: ", messages::DOES_NOT_BUILD)), "{said}");
    assert!(written().contains("\n- ns.yaml"), "{}", written());
    let anyway = "change kustomization.yaml:3 # - ns.yaml\nwrite\nY\nquit\n";
    run_line_mode(&tree.root(), home.path(), "app", anyway);
    assert!(!written().contains("\n- ns.yaml"), "{}", written());
}

#[test]
fn draft_effect_on_other_targets_is_reported() {
    let (tree, home) = (tree(), tempfile::tempdir().unwrap());
    let said = run_line_mode(
        &tree.root(),
        home.path(),
        "base",
        "change web.yaml:4   name: site\nreach\nquit!\n",
    );
    // The base is compared in place of the target that fails now.
    assert_eq!(numbers_after(&said, messages::FILES_TO_DRAFT), [2, 0, 2, 1], "{said}");
    assert!(said.contains(messages::FIRST_AT_TOP), "{said}");
}

#[test]
fn unwritable_file_of_a_joint_write_is_named() {
    let (tree, home) = (tree(), tempfile::tempdir().unwrap());
    let path = tree.root().join("prod/small.yaml");
    let mut permissions = std::fs::metadata(&path).unwrap().permissions();
    permissions.set_readonly(true);
    std::fs::set_permissions(&path, permissions).unwrap();
    let said = run_line_mode(
        &tree.root(),
        home.path(),
        "prod",
        "change large.yaml:6   replicas: 7\nchange small.yaml:6   replicas: 3\nwrite\ny\nquit!\n",
    );
    assert!(said.contains(messages::WRITE_2_FILES), "{said}");
    let refused = line_with(&said, "> prod/small.yaml: ");
    assert!(refused.contains(messages::IS_READ_ONLY), "{said}");
    assert!(!said.contains("> prod/large.yaml: "), "{said}");
    assert_eq!(
        String::from_utf8(tree.read("prod/large.yaml")).unwrap(),
        NINE_REPLICAS_PATCH,
        "neither is"
    );
}

#[test]
fn selecting_the_current_profile_changes_nothing() {
    let (tree, home) = (tree(), tempfile::tempdir().unwrap());
    let said = run_line_mode(&tree.root(), home.path(), "prod", "like latest\nlike v5.0.1\nquit\n");
    assert!(said.contains(&format!("> {} latest\n", messages::VERSION_PROFILE_ALREADY)), "{said}");
    assert_eq!(said.matches("already").count(), 1, "{said}");
}

#[test]
fn an_editor_needs_a_terminal() {
    let (tree, home) = (tree(), tempfile::tempdir().unwrap());
    let said =
        run_line_mode(&tree.root(), home.path(), "prod", "edit large.yaml:6\nproblems\nquit\n");
    assert!(said.contains(messages::EDITOR_NEEDS_TERMINAL), "{said}");
    // The refused editor has not read the next line of input.
    assert!(said.contains("1. Warning KZ110"), "{said}");
}

/// The commands for catalogs, functions and compositions report that the target has no such part.
#[test]
fn catalogs_functions_and_compositions_say_that_there_are_none() {
    let (tree, home) = (tree(), tempfile::tempdir().unwrap());
    let said = run_line_mode(
        &tree.root(),
        home.path(),
        "prod",
        "catalogs\nfunctions\npipeline\ntrust 1\nfetch\nrun 1\noverride 1\nquit\n",
    );
    for words in [
        messages::NO_CATALOGS_LINEAR,
        messages::NO_FUNCTIONS_LINEAR,
        messages::NO_COMPOSITION_LINEAR,
        messages::NUMBER_OF_CATALOG,
        messages::NO_REMOTE_MISSING,
        "Usage: run NUMBER",
        "Usage: override NUMBER",
    ] {
        assert!(said.contains(words), "{words}: {said}");
    }
}

/// A value of a Secret that an override replaces is in no build, and is masked by its position.
#[test]
fn pipeline_lists_imported_and_overriding_values() {
    let app = "transformers:\n- kind: SecretGenerator\n  metadata: {name: key}\n  literals: [key=first-hidden]\n\
               - kind: PrefixTransformer\n  prefix: a-\n";
    let prod = "transformersFrom: [{path: ../app}]\ntransformerOverrides:\n\
                - kind: SecretGenerator\n  metadata: {name: key}\n  literals: [key=second-hidden]\n\
                - kind: PrefixTransformer\n  prefix: b-\n";
    let tree = Tree::new(&[("app/composition.yaml", app), ("prod/composition.yaml", prod)]);
    let home = tempfile::tempdir().unwrap();
    let said = run_line_mode(&tree.root(), home.path(), "prod", "pipeline\nquit\n");
    assert!(said.contains("prefix: a- → b-, app:6 → prod:7."), "{said}");
    assert!(said.contains("literals"), "{said}");
    assert!(!said.contains("hidden"), "{said}");
}

#[test]
fn a_catalog_is_reviewed_trusted_and_revoked_in_lines() {
    let catalog = "apiVersion: config.kubernetes.io/v1alpha1\nkind: Catalog\nmetadata: {name: c}\nspec:\n  krmFunctions:\n  \
         - group: example.com\n    names: {kind: Own}\n    versions:\n    - name: v1\n      runtime:\n        exec:\n          platforms:\n          \
         - {os: linux, arch: amd64, bin: x, uri: 'https://127.0.0.1:1/x'}\n";
    let target = "catalogs: [catalog.yaml]\ntransformers:\n- |-\n  apiVersion: example.com/v1\n  kind: Own\n";
    let tree = Tree::new(&[("app/kustomization.yaml", target), ("app/catalog.yaml", catalog)]);
    let home = tempfile::tempdir().unwrap();
    let say = |lines: &str| run_line_mode(&tree.root(), home.path(), "app", lines);

    // An invalid answer decides nothing.
    let is_listed = |said: &str, trust: &str| {
        said.contains(&format!("{} app/catalog.yaml. {trust}", messages::FIRST_AT_TOP))
    };
    let said = say("trust 1\ny\ncatalogs\nquit\n");
    let question = said.find(messages::TYPE_D_TO_TRUST_THIS).unwrap();
    assert!(line_with(&said[..question], "digest ").contains(" sha256:"), "the review: {said}");
    assert!(is_listed(&said, messages::NOT_TRUSTED), "{said}");

    let said = say("trust 1\nd\ncatalogs\nquit\n");
    assert!(is_listed(&said, "trusted"), "{said}");
    let said = say("catalogs\nrevoke 1\ncatalogs\nquit\n");
    assert!(is_listed(&said, "trusted"), "it is kept: {said}");
    assert!(is_listed(&said, messages::NOT_TRUSTED), "{said}");
    // Nothing runs after a revocation.
    assert!(!said.contains("runs a function, and"), "{said}");
    let said = say("revoke 1\nquit\n");
    assert!(said.contains("the catalog is not trusted"), "{said}");
}

#[test]
fn the_tour_leads_through_the_lines_and_can_be_left() {
    let (tree, home) = (Tree::of_demo("components"), tempfile::tempdir().unwrap());
    let said = run_line_mode(
        &tree.root(),
        home.path(),
        "overlays/dev",
        "tour\ntree\ntoggle 9\nsteps\nstep 7\nproblems\ndiff 7\nresource Deployment/example\nwhy Deployment/example metadata.name\nproblems\nwrite\nn\nnext\ntour\nnext\ntour\nquit!\n",
    );
    let stops: Vec<&str> = said
        .match_indices("Stop ")
        .filter_map(|(at, _)| said[at + 5..].split(' ').next())
        .collect();
    assert_eq!(stops, ["1", "2", "3", "4", "5", "6", "7", "8", "9", "10", "1", "2"], "{said}");
    // An unrelated line does not advance the tour; the question of a write is answered first.
    let (write, last) =
        (said.find(messages::TYPE_Y_OR_N).unwrap(), said.find("Stop 10 of 10").unwrap());
    assert!(write < last, "{said}");
    assert!(
        said.contains(messages::NO_TOUR_LINEAR) && said.contains(messages::TOUR_ENDED_LINEAR),
        "{said}"
    );
    assert!(!said.contains(messages::UNKNOWN_COMMAND), "{said}");
}
