//! The screens of Compositions and functions.

use kzui::tui::Message;

use crate::support::{Workbench, check_screen, line_with, messages};

const SIZES: [(u16, u16); 3] = [(80, 24), (120, 36), (200, 60)];

/// A Composition with an import, an override, and own entries.
const COMPOSED: &[(&str, &str)] = &[
    (
        "prod/composition.yaml",
        "apiVersion: kustomize.config.k8s.io/v1alpha1\nkind: Composition\n\
         transformersFrom:\n- path: ../org\ntransformerOverrides:\n- kind: LabelTransformer\n  \
         apiVersion: builtin\n  metadata:\n    name: team\n  labels:\n    tier: gold # ours\n\
         transformers:\n- apiVersion: builtin\n  kind: PrefixTransformer\n  metadata:\n    name: prefix\n  \
         prefix: prod-\n# - apiVersion: builtin\n#   kind: SuffixTransformer\n#   metadata:\n#     name: suffix\n\
         #   suffix: -v2\n",
    ),
    (
        "org/composition.yaml",
        "transformers:\n- apiVersion: builtin\n  kind: ResourceAccumulator\n  metadata:\n    name: app\n  paths: [app.yaml]\n\
         - apiVersion: builtin\n  kind: LabelTransformer\n  metadata:\n    name: team\n  labels:\n    team: a\n  fieldSpecs:\n  \
         - path: metadata/labels\n    create: true\n\
         - apiVersion: builtin\n  kind: NamespaceTransformer\n  metadata:\n    name: space\n    namespace: shop\n",
    ),
    (
        "org/app.yaml",
        "apiVersion: apps/v1\nkind: Deployment\nmetadata:\n  name: web\nspec: {}\n---\napiVersion: v1\nkind: Service\n\
         metadata:\n  name: web\n",
    ),
];

const FILE: &str = "/demo/prod/composition.yaml";

/// A kustomization with functions in Starlark as transformers and validator.
const CALLS: &[(&str, &str)] = &[
    (
        "app/kustomization.yaml",
        "resources: [app.yaml]\ntransformers: [limits.yaml, sign.yaml]\nvalidators: [check.yaml]\n",
    ),
    (
        "app/app.yaml",
        "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: settings\ndata:\n  TIMEOUT: \"30\"\n",
    ),
    (
        "app/limits.yaml",
        "apiVersion: example.com/v1\nkind: SetLimits\nmetadata:\n  name: limits\n  annotations:\n    \
         config.kubernetes.io/function: |\n      starlark: {path: limits.star, name: limits}\n",
    ),
    (
        "app/limits.star",
        "def f(l):\n  for i in l[\"items\"]:\n    i[\"data\"][\"LIMIT\"] = \"5\"\n  \
         l[\"results\"] = [{\"message\": \"too short\", \"severity\": \"warning\", \"resourceRef\": \
         {\"apiVersion\": \"v1\", \"kind\": \"ConfigMap\", \"name\": \"settings\"}, \
         \"field\": {\"path\": \"data.TIMEOUT\", \"currentValue\": \"30\", \"proposedValue\": \"60\"}}]\n\
         f(ctx.resource_list)\n",
    ),
    (
        "app/sign.yaml",
        "apiVersion: example.com/v1\nkind: Sign\nmetadata:\n  name: sign\n  annotations:\n    \
         config.kubernetes.io/function: |\n      container: {image: registry.example.com/sign:1.2, network: true}\n",
    ),
    (
        "app/check.yaml",
        "apiVersion: example.com/v1\nkind: NoLatest\nmetadata:\n  name: check\n  annotations:\n    \
         config.kubernetes.io/function: |\n      exec: {path: ./check.sh}\n",
    ),
];

#[test]
fn composition_screen_equals_its_snapshots() {
    for (columns, rows) in SIZES {
        let mut bench = Workbench::of_files(COMPOSED, "prod", (columns, rows));
        bench.keys("gm j");
        check_screen(&format!("composition-{columns}x{rows}"), &bench.screen());
    }
}

#[test]
fn an_own_entry_is_commented_out_and_an_imported_one_deleted_by_an_override() {
    let mut bench = Workbench::of_files(COMPOSED, "prod", (120, 36));
    let before = bench.disk.text(FILE);
    bench.keys("gm G k space");
    assert!(bench.text().contains("☐  −  prefix"), "{}", bench.text());
    bench.keys("z gg j space");
    assert!(bench.text().contains("deleted"), "{}", bench.text());
    bench.keys(":w enter y");
    let written = bench.disk.text(FILE);
    assert!(written.contains("    name: team\n  $patch: delete\n"), "{written}");
    assert!(written.contains("tier: gold # ours"), "{written}");
    bench.keys("z :w enter y");
    assert_eq!(bench.disk.text(FILE), before);
}

#[test]
fn a_move_is_written_as_an_order_and_the_selection_follows_it() {
    let mut bench = Workbench::of_files(COMPOSED, "prod", (120, 36));
    bench.keys("gm G k");
    bench.hold_builds();
    bench.keys("K K");
    bench.run_held_builds();
    assert!(bench.text().contains("☑  2  prefix"), "{}", bench.text());
    bench.keys(":w enter y");
    let written = bench.disk.text(FILE);
    let order = "transformerOrder:\n- name: app\n- name: prefix\n- name: team\n- name: space\n";
    assert!(written.ends_with(order), "{written}");
    assert!(written.contains("# - apiVersion: builtin\n"), "{written}");
}

#[test]
fn target_without_composition_or_functions_is_reported() {
    let mut bench = Workbench::of_demo("components", "overlays/dev", (120, 36));
    bench.keys("gm");
    assert!(bench.text().contains(messages::NO_COMPOSITION), "{}", bench.text());
    bench.keys("gf");
    assert!(bench.text().contains(messages::NO_FUNCTIONS), "{}", bench.text());
}

#[test]
fn a_composition_that_cannot_be_consolidated_says_why() {
    let files = [(
        "c/composition.yaml",
        "transformers:\n- kind: PrefixTransformer\n  prefix: p-\ntransformerOrder:\n- name: nobody\n",
    )];
    let mut bench = Workbench::of_files(&files, "c", (120, 36));
    bench.keys("gm");
    assert!(bench.text().contains("nobody"), "{}", bench.text());
}

#[test]
fn functions_screen_equals_its_snapshots() {
    if !crate::support::has_starlark() {
        return;
    }
    for (columns, rows) in SIZES {
        let mut bench = Workbench::of_files(CALLS, "app", (columns, rows));
        bench.keys("gf");
        check_screen(&format!("functions-{columns}x{rows}"), &bench.screen());
        bench.keys("j");
        check_screen(&format!("functions-waiting-{columns}x{rows}"), &bench.screen());
    }
}

#[test]
fn a_function_is_run_again_when_asked_and_else_replayed() {
    if !crate::support::has_starlark() {
        return;
    }
    let mut bench = Workbench::of_files(CALLS, "app", (120, 36));
    bench.keys("1 R gf");
    assert!(bench.text().contains("recorded"), "{}", bench.text());
    bench.keys("R");
    assert!(bench.text().contains(messages::FINISHED_RUNNING), "{}", bench.text());
    assert!(!bench.text().contains("recorded") && bench.text().contains("0ms"), "{}", bench.text());
    bench.keys("j R");
    assert!(bench.text().contains(messages::NOT_ALLOWED_TO_RUN), "{}", bench.text());
    bench.keys("1 :rerun enter");
    assert!(bench.text().contains(messages::ONLY_ON_FUNCTIONS), "{}", bench.text());
}

#[test]
fn a_result_leads_to_its_resource_and_field() {
    if !crate::support::has_starlark() {
        return;
    }
    let mut bench = Workbench::of_files(CALLS, "app", (120, 36));
    bench.keys("gf enter enter");
    let text = bench.text();
    assert!(text.contains("▐Resource▌") && text.contains("TIMEOUT: \"30\""), "{text}");
    bench.keys("e ctrl-e");
    assert_eq!(bench.asked, ["edit /demo/app/app.yaml:6"]);
}

pub(crate) const CATALOG: &str = "apiVersion: config.kubernetes.io/v1alpha1\nkind: Catalog\nmetadata: {name: team}\nspec:\n  \
     krmFunctions:\n  - group: team.example.com\n    names: {kind: Stamp}\n    description: stamps everything\n    \
     publisher: team.example.com\n    versions:\n    - name: v1\n      idempotent: true\n      \
     usage: https://team.example.com/README.md\n      license: Apache-2.0\n      schema:\n        \
     openAPIV3Schema: {type: object}\n      runtime: {starlark: {path: stamp.star}}\n";

/// A kustomization with a function of a local catalog, and a catalog that is not fetched.
pub(crate) const STAMPED: &[(&str, &str)] = &[
    (
        "app/kustomization.yaml",
        "catalogs: [../shelf/catalog.yaml, https://example.com/catalog.yaml]\nresources: [app.yaml]\n\
         transformers: [stamp.yaml]\n",
    ),
    ("app/app.yaml", "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: settings\n"),
    (
        "app/stamp.yaml",
        "apiVersion: team.example.com/v1\nkind: Stamp\nmetadata:\n  name: stamp\nspec:\n  value: x\n",
    ),
    ("shelf/catalog.yaml", CATALOG),
    (
        "shelf/stamp.star",
        "def f(l):\n  for i in l[\"items\"]:\n    i[\"metadata\"][\"annotations\"] = {\"stamp\": \"yes\"}\nf(ctx.resource_list)\n",
    ),
];

/// The Catalogs screen at three sizes equals its snapshots.
#[test]
fn catalogs_at_every_size() {
    for (columns, rows) in SIZES {
        let mut bench = Workbench::of_files(STAMPED, "app", (columns, rows));
        bench.keys("gk");
        check_screen(&format!("catalogs-{columns}x{rows}"), &bench.screen());
        bench.keys("j");
        check_screen(&format!("catalogs-function-{columns}x{rows}"), &bench.screen());
    }
}

#[test]
fn the_schema_of_a_function_is_shown_in_full() {
    let catalog = CATALOG.replace(
        "{type: object}",
        "{type: object, required: [spec], properties: {spec: {type: object, properties: {value: {type: string, default: x}}}}}",
    );
    let files: Vec<(&str, &str)> = STAMPED
        .iter()
        .map(|(path, text)| (*path, if *path == "shelf/catalog.yaml" { &*catalog } else { *text }))
        .collect();
    let mut bench = Workbench::of_files(&files, "app", (80, 24));
    bench.keys("gk j enter enter G");
    let text = bench.text();
    assert!(text.contains("default: x") && text.contains("value:"), "{text}");
}

#[test]
fn pending_steps_are_shown_on_every_screen() {
    let mut bench = Workbench::of_files(STAMPED, "app", (120, 36));
    let need = "'../shelf/catalog.yaml'";
    for screen in ["1", "gs", "gp"] {
        bench.keys(screen);
        let text = bench.text();
        assert!(
            text.contains(need) && text.contains(messages::ONE_STEP_PENDING),
            "{screen}: {text}"
        );
    }
    bench.keys("gp enter");
    let text = bench.text();
    assert!(text.contains("▐Catalogs▌") && text.contains("shelf/catalog.yaml"), "{text}");
    bench.keys("T d 1");
    let text = bench.text();
    let is_pending = |line: &str| line.contains(messages::PENDING) && line.contains("catalog");
    assert!(text.lines().any(is_pending) && text.contains("'https:/"), "{text}");

    let mut bench = Workbench::of_files(CALLS, "app", (120, 36));
    bench.keys("gp G enter");
    let text = bench.text();
    assert!(text.contains("▐Functions▌") && text.contains("3 of 3"), "{text}");
}

/// An imported entry with a function that is not trusted is shown as pending.
#[test]
fn an_imported_entry_that_waits_is_shown_in_the_tree_of_the_composition() {
    let files = [
        (
            "prod/composition.yaml",
            "transformersFrom:\n- path: ../org\ntransformers:\n- kind: PrefixTransformer\n  prefix: p-\n",
        ),
        (
            "org/composition.yaml",
            "catalogs: [../shelf/catalog.yaml]\ntransformers:\n- kind: ResourceAccumulator\n  paths: [app.yaml]\n\
             - apiVersion: team.example.com/v1\n  kind: Stamp\n  metadata: {name: stamp}\n",
        ),
        ("org/app.yaml", "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: settings\n"),
        ("shelf/catalog.yaml", CATALOG),
    ];
    let mut bench = Workbench::of_files(&files, "prod", (120, 36));
    bench.keys("1");
    let text = bench.text();
    let row = text.lines().find(|line| line.contains("Stamp stamp")).unwrap_or_default();
    assert!(row.contains("○") && row.contains(messages::PENDING), "{text}");
    assert!(line_with(&text, "2 imported").contains(messages::ONE_STEP_PENDING), "{text}");
    bench.keys("gm");
    assert!(bench.text().contains("○  2"), "{}", bench.text());
    bench.keys("gp enter");
    assert!(bench.text().contains("▐Catalogs▌"), "{}", bench.text());
}

/// A catalog is trusted after its review; a version with more permissions is reviewed again.
#[test]
fn a_catalog_is_trusted_after_a_look_and_asks_again_when_it_wants_more() {
    if !crate::support::has_starlark() {
        return;
    }
    let files: Vec<(&str, &str)> = STAMPED
        .iter()
        .map(|(path, text)| match *path {
            "app/kustomization.yaml" => {
                (*path, "catalogs: [../shelf/catalog.yaml]\nresources: [app.yaml]\ntransformers: [stamp.yaml]\n")
            }
            _ => (*path, *text),
        })
        .collect();
    let mut bench = Workbench::of_files(&files, "app", (120, 36));
    bench.keys("gf");
    assert!(bench.text().contains("1 pending"), "{}", bench.text());
    bench.keys("gk T");
    check_screen("catalogs-question", &bench.screen());
    crate::keys::click_on(&mut bench, "d  trust this content");
    assert!(bench.text().contains("Trust this catalog?"), "{}", bench.text());
    bench.keys("d gf");
    assert_eq!(bench.asked, ["digest /demo/shelf/catalog.yaml"]);
    assert!(bench.text().contains("1 run"), "{}", bench.text());

    let wider = CATALOG.replace(
        "{starlark: {path: stamp.star}}",
        "{container: {image: 'x:v2', requireNetwork: true}}",
    );
    bench.disk.put("/demo/shelf/catalog.yaml", &wider);
    bench.keys("gk R");
    check_screen("catalogs-changed", &bench.screen());
    bench.keys("T").type_text("Stamp");
    bench.keys("enter");
    assert_eq!(bench.asked.len(), 1, "a wrong name trusts nothing");
    bench.keys("ctrl-u").type_text("team.example.com/v1 Stamp");
    bench.keys("enter");
    assert_eq!(bench.asked.len(), 2);
    bench.keys("U");
    assert_eq!(bench.asked[2], "revoked /demo/shelf/catalog.yaml");
    assert!(bench.text().contains(messages::NOT_TRUSTED), "{}", bench.text());
}

/// Trust applies to the displayed content: later content differs, seen or not.
#[test]
fn a_catalog_that_changes_while_it_is_looked_at_is_not_trusted() {
    const FILE: &str = "/demo/shelf/catalog.yaml";
    let files: Vec<(&str, &str)> = STAMPED
        .iter()
        .map(|(path, text)| match *path {
            "app/kustomization.yaml" => {
                (*path, "catalogs: [../shelf/catalog.yaml]\nresources: [app.yaml]\ntransformers: [stamp.yaml]\n")
            }
            _ => (*path, *text),
        })
        .collect();
    let other = CATALOG.replace("publisher:", "publisher: x").replace("stamp.star", "other.star");
    assert_ne!(other, CATALOG);
    for is_seen in [false, true] {
        let mut bench = Workbench::of_files(&files, "app", (120, 36));
        bench.keys("gk T");
        bench.disk.put(FILE, &other);
        if is_seen {
            let bytes = Some(other.as_bytes().into());
            bench.send(Message::FilesChanged(vec![(FILE.into(), bytes)]));
        }
        bench.keys("d");
        let text = bench.text();
        bench.keys("gf");
        let ran = bench.text();
        assert!(!ran.contains("1 run"), "{is_seen}: {ran}");
        if is_seen {
            assert_eq!(bench.asked, Vec::<String>::new());
            assert!(text.contains(messages::CHANGED_MEANWHILE), "{text}");
        }
    }
}

#[test]
fn named_mark_returns_to_its_screen_and_step() {
    let mut bench = Workbench::of_demo("components", "overlays/dev", (120, 36));
    bench.keys("gs < ) ) g' a > 1 'a");
    assert!(
        bench.text().contains("▐Steps▌") && bench.text().contains("step 3/"),
        "{}",
        bench.text()
    );
    bench.keys("'b");
    assert!(bench.text().contains(messages::NO_MARK_B), "{}", bench.text());
}

/// The demo has an order with a comment in it: the list and the order change together, and the
/// comment stays.
#[test]
fn an_order_goes_along_with_what_is_switched_and_moved() {
    const FILE: &str = "/demo/staging/composition.yaml";
    let mut bench = Workbench::of_demo("platform", "staging", (120, 36));
    let before = bench.disk.text(FILE);
    bench.keys("gm gg space");
    assert!(!bench.text().contains(messages::BUILD_FAILED), "{}", bench.text());
    assert!(bench.text().contains("deleted"), "{}", bench.text());
    bench.keys(":w enter y");
    let written = bench.disk.text(FILE);
    assert!(written.contains("  $patch: delete\n"), "{written}");
    assert!(written.contains("transformerOrder:\n#- name: orders\n# before"), "{written}");
    bench.keys("gm G space :w enter y");
    let written = bench.disk.text(FILE);
    assert!(written.contains("transformerOrder:\n- name: orders\n# before"), "{written}");
    assert!(!bench.text().contains(messages::BUILD_FAILED), "{written} {}", bench.text());
    bench.keys("z z :w enter y");
    assert_eq!(bench.disk.text(FILE), before);

    bench.keys("gm G space");
    assert!(!bench.text().contains(messages::BUILD_FAILED), "{}", bench.text());
    bench.keys(":w enter y");
    assert!(bench.disk.text(FILE).ends_with("- name: owner\n#- name: staging\n"));
    bench.keys("gm G space :w enter y");
    assert_eq!(bench.disk.text(FILE), before, "off and on again");
    bench.keys("gg j j j J :w enter y");
    let from = "# before the log shipper, so that its log is collected as well\n- name: load-generator\n- name: log-shipper\n";
    let to = "- name: log-shipper\n# before the log shipper, so that its log is collected as well\n- name: load-generator\n";
    assert!(before.contains(from));
    assert_eq!(bench.disk.text(FILE), before.replace(from, to));
}

/// A result names a resource by its name at that time; later steps may rename it.
#[test]
fn a_result_finds_its_resource_after_a_rename() {
    if !crate::support::has_starlark() {
        return;
    }
    let files: Vec<(&str, &str)> = CALLS
        .iter()
        .map(|(path, text)| match *path {
            "app/kustomization.yaml" => (*path, "resources: [inner]\nnamePrefix: far-\n"),
            _ => (*path, *text),
        })
        .collect();
    let moved: Vec<(String, &str)> = files
        .iter()
        .map(|(path, text)| match *path {
            "app/kustomization.yaml" => ((*path).to_owned(), *text),
            path => (path.replace("app/", "app/inner/"), *text),
        })
        .chain([(
            "app/inner/kustomization.yaml".to_owned(),
            "resources: [app.yaml]\ntransformers: [limits.yaml]\n",
        )])
        .collect();
    let moved: Vec<(&str, &str)> =
        moved.iter().map(|(path, text)| (path.as_str(), *text)).collect();
    let mut bench = Workbench::of_files(&moved, "app", (120, 36));
    bench.keys("gf enter enter");
    let text = bench.text();
    assert!(text.contains("▐Resource▌") && text.contains("TIMEOUT: \"30\""), "{text}");
}
