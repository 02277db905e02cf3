//! The Board and the Compare screen: every target of a repository, its users, the draft's changes
//! in each, and two sides with the edits that made them differ.

use kzui::tui::{NamedSide, NamedSideKind};

use crate::support::{Workbench, check_screen, kzui, line_with, messages, numbers_after};

const SIZES: [(u16, u16); 3] = [(80, 24), (120, 36), (200, 60)];

const FILES: &[(&str, &str)] = &[
    ("base/kustomization.yaml", "resources:\n- web.yaml\n- map.yaml\n"),
    ("base/map.yaml", "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: map\ndata: {a: b}\n"),
    (
        "base/web.yaml",
        "apiVersion: apps/v1\nkind: Deployment\nmetadata:\n  name: web\nspec:\n  replicas: 1\n  template:\n    spec:\n      containers:\n      - name: web\n        image: web:1\n",
    ),
    ("dev/kustomization.yaml", "resources: [../base]\nnamePrefix: dev-\n"),
    (
        "prod/kustomization.yaml",
        "resources: [../base]\nnamePrefix: prod-\nreplicas:\n- {name: web, count: 3}\n",
    ),
    (
        "prod-eu/kustomization.yaml",
        "resources: [../prod]\nnamePrefix: eu-\npatches:\n- path: gone.yaml\n",
    ),
    ("alone/kustomization.yaml", "configMapGenerator:\n- name: c\n  literals: [a=1]\n"),
];

fn board(size: (u16, u16)) -> Workbench {
    let mut bench = Workbench::of_files(FILES, "", size);
    bench.keys("gg");
    bench
}

/// The counts in the title of the list: of targets, and of each state.
fn counts(text: &str) -> Vec<usize> {
    numbers_after(text, "Targets  ")
}

#[test]
fn board_screens_equal_their_snapshots() {
    for (columns, rows) in SIZES {
        let mut bench = Workbench::board_of_demo("shop", (columns, rows));
        bench.keys("gg");
        check_screen(&format!("board-{columns}x{rows}"), &bench.screen());
    }
}

#[test]
fn board_lists_targets_with_states_without_side_effects() {
    let bench = board((120, 36));
    let text = bench.text();
    assert!(counts(&text).starts_with(&[3, 5, 1, 2]), "{text}");
    assert!(line_with(&text, "✓ alone ").contains('✓'), "{text}");
    assert!(
        line_with(&text, "prod-eu").contains(&format!("gone.yaml {}", messages::DOES_NOT_EXIST)),
        "{text}"
    );
    assert!(!text.contains("✓ base"), "a base is used by others: {text}");
    assert!(bench.asked.is_empty(), "{:?}", bench.asked);
    let mut bench = bench;
    bench.keys(",b");
    assert!(counts(&bench.text()).starts_with(&[5, 1, 4]), "{}", bench.text());
}

/// `kzui check` counts a target whose schema is not fetched as checked in part, not as failed.
#[test]
fn target_that_needs_a_fetch_is_pending_on_the_board() {
    let text = "commonLabels: {app: web}\nresources: [map.yaml]\nopenapi:\n  path: https://example.com/schema.json\n";
    let map = "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: map\n";
    let files = [("prod/kustomization.yaml", text), ("prod/map.yaml", map)];
    let bench = Workbench::of_files(&files, "", (120, 36));
    let text = bench.text();
    assert!(line_with(&text, "prod ").contains("pending"), "{text}");
    assert!(text.contains("example.com/schema.json"), "{text}");
}

/// `kzui check` has a note about a target in a folder of archives that does not build.
#[test]
fn target_that_check_notes_is_no_error_of_the_board() {
    let archived = ("archive/old/kustomization.yaml", "resources: [gone.yaml]\n");
    let built = ("plain/kustomization.yaml", "configMapGenerator:\n- name: c\n  literals: [a=1]\n");
    let bench = Workbench::of_files(&[archived, built], "", (120, 36));
    let text = bench.text();
    assert!(counts(&text).starts_with(&[2, 2, 1, 1]), "{text}");
    assert!(text.contains("1 of 2 built") && !text.contains("error"), "{text}");
    assert!(line_with(&text, "✗ archive/old").contains(messages::DOES_NOT_EXIST), "{text}");
    let failing = ("prod/kustomization.yaml", "resources: [gone.yaml]\n");
    let bench = Workbench::of_files(&[archived, built, failing], "", (120, 36));
    let text = bench.text();
    assert!(counts(&text).starts_with(&[3, 3, 2, 1]), "{text}");
    assert!(text.contains("2 of 3 not built"), "{text}");
}

/// As in `kzui check`: the output is not known.
#[test]
fn target_with_charts_is_pending() {
    let files = [
        (
            "charts/kustomization.yaml",
            "helmCharts:\n- {name: web, repo: 'https://charts.example.com', version: 1.0.0}\n",
        ),
        ("plain/kustomization.yaml", "configMapGenerator:\n- name: c\n  literals: [a=1]\n"),
    ];
    let text = Workbench::of_files(&files, "", (120, 36)).text();
    assert!(counts(&text).starts_with(&[2, 2, 1, 1]), "{text}");
    assert!(text.contains(" pending "), "{text}");
    assert!(!text.contains("fail"), "{text}");
}

#[test]
fn board_keeps_its_selection_after_opening_a_target() {
    let mut bench = board((120, 36));
    bench.keys("j enter");
    let text = bench.text();
    assert!(text.contains("kzui dev ") && text.contains("▐Tree▌"), "{text}");
    assert!(text.contains("../base"), "{text}");
    bench.keys("0");
    assert!(bench.text().contains("2 of 3"), "{}", bench.text());
    assert!(bench.text().contains("Users  dev"), "{}", bench.text());
    bench.keys("G enter");
    assert!(bench.text().contains(messages::BUILD_FAILED), "{}", bench.text());
    bench.keys("0 k enter gs");
    assert!(bench.text().contains("namePrefix"), "{}", bench.text());
}

#[test]
fn filter_matches_parts_of_paths_states_and_codes() {
    for (filter, shown, hidden) in [
        ("aln", "alone", "dev"),
        ("state:fails", "prod-eu", "alone"),
        ("state:builds dv", "dev", "alone"),
        ("kz020", "prod-eu", "alone"),
    ] {
        let mut bench = board((120, 36));
        bench.keys("/").type_text(filter).keys("enter");
        let text = bench.text();
        let list: String =
            text.lines().map(|line| line.chars().take(70).collect::<String>() + "\n").collect();
        assert!(list.contains(shown), "{filter}: {text}");
        assert!(
            !list.lines().skip(2).any(|line| line.contains(&format!(" {hidden} "))),
            "{filter}: {text}"
        );
        bench.keys("esc");
        assert!(bench.text().contains(hidden), "esc lists all again: {}", bench.text());
    }
}

#[test]
fn graph_of_users_is_browsed_in_both_directions() {
    let mut bench = board((120, 36));
    bench.keys("j gu");
    let text = bench.text();
    assert!(text.contains(messages::NOT_USED), "{text}");
    assert!(line_with(&text, "└ base").contains("resources:1"), "{text}");
    // Select the base, and then its file.
    bench.keys("j j enter");
    let text = bench.text();
    assert!(text.contains("Users  base"), "{text}");
    assert!(numbers_after(&text, messages::USED_BY).starts_with(&[3, 2]), "{text}");
    assert!(text.contains("├ dev") && text.contains("└ prod"), "{text}");
    bench.keys("G k enter");
    assert!(bench.text().contains("Users  base/web.yaml"), "{}", bench.text());
    bench.keys("esc esc");
    assert!(bench.text().contains("Users  dev"), "{}", bench.text());
}

#[test]
fn draft_is_kept_between_targets_and_board_shows_affected_targets() {
    let mut bench = board((120, 36));
    bench.keys("j enter");
    // The base's Deployment is switched off: dev loses it, prod-eu fails with another message.
    bench.keys("/").type_text("web.yaml").keys("enter space");
    assert!(bench.text().contains('●'), "{}", bench.text());
    bench.keys("0");
    let text = bench.text();
    assert!(text.contains(messages::AFFECTS_2_OF_3), "{text}");
    assert!(line_with(&text, "✓ dev ").contains("−1"), "{text}");
    assert!(!line_with(&text, "✓ alone ").contains("−1"), "{text}");
    bench.keys("d");
    let text = bench.text();
    assert!(text.contains("Compare"), "{text}");
    assert!(text.contains("− kind: Deployment"), "{text}");
    assert!(text.contains(" base/kustomization.yaml:2"), "{text}");
    bench.keys("0 ,b G k enter");
    bench.keys("0 ,b");
    bench.keys(":w enter");
    let text = bench.text();
    assert!(text.contains(messages::AFFECTS_2_OF_3), "before a write: {text}");
    assert!(text.contains(messages::PER_TARGET), "{text}");
    bench.keys(",t");
    assert!(
        bench.text().contains("▐ Compare ▌") || bench.text().contains("Compare"),
        "{}",
        bench.text()
    );
    assert_eq!(
        bench.disk.text("/demo/base/kustomization.yaml"),
        "resources:\n- web.yaml\n- map.yaml\n"
    );
}

#[test]
fn names_of_branches_and_drafts_are_completed_in_a_comparison() {
    let mut bench = board((120, 36));
    let side = |name: &str, kind| NamedSide { name: name.to_owned(), kind };
    bench.sides = vec![
        side("draft:small", NamedSideKind::Draft),
        side("release/2", NamedSideKind::Reference),
    ];
    bench.keys(":").type_text("compare rel").keys("tab");
    assert!(bench.text().contains(":compare release/2"), "{}", bench.text());
    assert!(bench.text().contains("a branch or tag"), "{}", bench.text());
    bench.type_text(" draft:").keys("tab");
    assert!(bench.text().contains(":compare release/2 draft:small"), "{}", bench.text());
}

#[test]
fn compare_screen_groups_by_cause_target_or_resource() {
    for (columns, rows) in SIZES {
        let mut bench = Workbench::of_demo("shop", "overlays/staging", (columns, rows));
        bench.keys(":").type_text("compare overlays/staging overlays/production").keys("enter");
        check_screen(&format!("compare-{columns}x{rows}"), &bench.screen());
    }
    let mut bench = board((120, 36));
    bench.keys(":").type_text("compare dev prod").keys("enter");
    let text = bench.text();
    assert!(text.contains("Causes"), "{text}");
    assert!(text.contains("kustomization.yaml:2"), "{text}");
    bench.keys(",t");
    assert!(bench.text().contains("Targets"), "{}", bench.text());
    bench.keys(",t");
    let text = bench.text();
    assert!(text.contains("Resources") && text.contains("Deployment/prod-web"), "{text}");
    bench.keys("j");
    let text = bench.text();
    assert!(text.contains("changed, was") && text.contains("Deployment/dev-web"), "{text}");
    bench.keys(",x");
    assert!(bench.text().contains(messages::NO_DANGERS), "{}", bench.text());
    bench.keys(":").type_text("compare dev nowhere").keys("enter");
    assert!(
        bench.text().contains(&format!("nowhere {}", messages::NO_FOLDER_OR_FILE)),
        "{}",
        bench.text()
    );
}

#[test]
fn equal_edits_are_one_row_of_the_compare_screen() {
    let list = "resources: [a.yaml, b.yaml]\n";
    let map = |name: &str, version: &str| {
        let label = format!("labels: {{app.kubernetes.io/version: {version}}}");
        format!("apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: {name}\n  {label}\n")
    };
    let side = |version: &str| [map("a", version), map("b", version)];
    let ([a, b], [new_a, new_b]) = (side("v1"), side("v2"));
    let files = [
        ("one/kustomization.yaml", list),
        ("one/a.yaml", &a),
        ("one/b.yaml", &b),
        ("two/kustomization.yaml", list),
        ("two/a.yaml", &new_a),
        ("two/b.yaml", &new_b),
    ];
    let mut bench = Workbench::of_files(&files, "one", (160, 36));
    bench.keys(":").type_text("compare one two").keys("enter");
    let text = bench.text();
    assert_eq!(text.matches(" 2 × app.kubernetes.io/version: ").count(), 1, "{text}");
    assert!(text.contains("two/b.yaml:5  the same edit"), "{text}");
}

#[test]
fn one_sided_and_failing_targets_are_labelled() {
    let map = "resources: [map.yaml]\n";
    let value = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: map}\n";
    let files = [
        ("one/a/kustomization.yaml", map),
        ("one/a/map.yaml", value),
        ("two/a/kustomization.yaml", map),
        ("two/b/kustomization.yaml", map),
        ("two/b/map.yaml", value),
    ];
    let mut bench = Workbench::of_files(&files, "", (160, 36));
    bench.keys(":").type_text("compare one two").keys("enter");
    let text = bench.text();
    assert!(text.contains(&format!("It {} and fails in two:", messages::BUILDS_IN_ONE)), "{text}");
    assert!(text.contains("map.yaml"), "{text}");
    bench.keys("j");
    let text = bench.text();
    assert!(
        text.contains(&format!("It is new in two: in one {}.", messages::TARGET_DOES_NOT_EXIST)),
        "{text}"
    );
}

#[test]
fn changed_file_rebuilds_its_target() {
    let mut bench = board((120, 36));
    bench.disk.put(
        "/demo/prod-eu/gone.yaml",
        "kind: Deployment\napiVersion: apps/v1\nmetadata: {name: web}\nspec: {paused: true}\n",
    );
    bench.send(kzui::tui::Message::TreeChanged(vec!["/demo/prod-eu/gone.yaml".into()]));
    let text = bench.text();
    assert!(text.contains("3 built"), "{text}");
    assert!(!text.contains("fail"), "{text}");
}

const DEPLOYED: &[(&str, &str)] = &[
    ("web/kustomization.yaml", "resources: [map.yaml]\n"),
    ("web/map.yaml", "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: map}\ndata: {a: b}\n"),
    (
        "argocd/apps.yaml",
        "apiVersion: argoproj.io/v1alpha1\nkind: Application\nmetadata: {name: web}\nspec:\n  source:\n    repoURL: https://git.example.com/org/shop.git\n    path: web\n    kustomize:\n      namePrefix: live-\n---\napiVersion: argoproj.io/v1alpha1\nkind: Application\nmetadata: {name: gone}\nspec:\n  source: {repoURL: 'https://git.example.com/org/shop.git', path: gone}\n---\napiVersion: argoproj.io/v1alpha1\nkind: ApplicationSet\nmetadata: {name: all}\nspec:\n  generators: [plugin: {}]\n  template:\n    spec:\n      source: {repoURL: 'https://git.example.com/org/shop.git', path: '{{path}}'}\n",
    ),
    (".git/config", "[remote \"origin\"]\n\turl = https://git.example.com/org/shop.git\n"),
    (
        "flux/web.yaml",
        "apiVersion: kustomize.toolkit.fluxcd.io/v1\nkind: Kustomization\nmetadata: {name: web}\nspec:\n  path: ./web\n  sourceRef: {kind: GitRepository, name: flux-system}\n  commonMetadata:\n    labels: {by: flux}\n---\napiVersion: source.toolkit.fluxcd.io/v1\nkind: GitRepository\nmetadata: {name: flux-system}\nspec: {url: 'https://git.example.com/org/shop.git'}\n",
    ),
];

#[test]
fn deployment_objects_are_rows_and_open_as_deployed() {
    let mut bench = Workbench::of_files(DEPLOYED, "", (120, 36));
    bench.keys("gg");
    let text = bench.text();
    assert!(counts(&text).starts_with(&[0, 1, 4, 2]), "{text}");
    let folder_of = |name: &str, kind: &str| {
        let (_, rest) = line_with(&text, name).split_once(kind).unwrap();
        rest.split_whitespace().nth(1).map(str::to_owned)
    };
    assert_eq!(folder_of("apps.yaml#web", ": Application").as_deref(), Some("web"), "{text}");
    assert!(line_with(&text, "apps.yaml#web").contains('✓'), "{text}");
    assert_eq!(folder_of("web.yaml#web", "Kustomization").as_deref(), Some("web"), "{text}");
    // Neither can be built here: the path does not exist, or a generator sets it.
    for (name, kind, folder, why) in [
        ("#gone", "Application", "gone", messages::NOT_IN_REPOSITORY),
        ("#all", "Set", "{{path}}", "generated"),
    ] {
        let row = line_with(&text, name);
        assert_eq!(folder_of(name, kind).as_deref(), Some(folder), "{text}");
        assert!(row.contains(why) && !row.contains('✓'), "{text}");
    }
    // Everything else is built.
    assert!(line_with(&text, "▾ argocd").contains('✓'), "{text}");
    check_screen("board-deployed-120x36", &bench.screen());
    bench.keys("/").type_text("#gone").keys("enter enter");
    let text = bench.text();
    assert!(text.contains("KZ028") && text.contains("'gone'"), "{text}");
    bench.keys("0 esc /").type_text("apps.yaml#web").keys("enter enter gr");
    let text = bench.text();
    assert!(text.contains("live-map"), "{text}");
    bench.keys("0 esc /").type_text("flux/web").keys("enter enter gr");
    let text = bench.text();
    assert!(text.contains("by: flux") && !text.contains("live-map"), "{text}");
    // A deployment object is built again with its folder.
    bench.disk.put("/demo/web/map.yaml", "apiVersion: v1\nkind: Nothing\n");
    bench.send(kzui::tui::Message::TreeChanged(vec!["/demo/web/map.yaml".into()]));
    bench.keys("0 esc");
    let text = bench.text();
    assert!(line_with(&text, "apps.yaml#web").contains("✗"), "{text}");
}

/// The list of the workbench has the values of `kzui check`.
#[test]
fn the_problems_of_the_repository_are_those_of_check() {
    let mut bench = Workbench::board_of_demo("shop", (200, 60));
    bench.keys("gp");
    let text = bench.text();
    assert!(text.contains("▐0 Repository▌") && text.contains("▐Problems"), "{text}");
    let told = kzui(&["check", "--notes", "--format", "json", "demo/shop"]);
    let report: serde_json::Value = serde_json::from_str(&told.out).unwrap();
    let mut compared = 0;
    for finding in report["findings"].as_array().unwrap() {
        let (code, line) = (finding["code"].as_str().unwrap(), &finding["line"]);
        let message = finding["message"].as_str().unwrap();
        let start: String = message.chars().take(30).collect();
        let row = |row: &&str| {
            row.contains(code) && row.contains(&format!(":{line} ")) && row.contains(&start)
        };
        let row = text.lines().find(row).unwrap_or_else(|| panic!("{finding}\n{text}"));
        let targets = finding["targets"].as_array().unwrap().len();
        assert!(row.contains(&format!("in {targets} ")), "{finding}\n{row}");
        compared += 1;
    }
    assert!(compared > 2, "{text}");
    assert!(text.contains(&format!("1 of {compared}")), "{text}");
}

/// Findings that `kzui check` reports in one row are one row, which `enter` opens.
#[test]
fn findings_of_one_row_of_check_are_one_row_with_its_places() {
    let old = "bases: [../base]\ncommonLabels: {a: b}\n";
    let files = [
        ("base/kustomization.yaml", "resources: [map.yaml]\ncommonLabels: {c: d}\n"),
        ("base/map.yaml", "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\n"),
        ("one/kustomization.yaml", old),
        ("two/kustomization.yaml", old),
    ];
    // All targets, and one of them: the findings of each, their files, and the rows left by a filter.
    for (target, count, in_files, filtered) in [("", 5, 3, 3), ("one", 3, 2, 2)] {
        let mut bench = Workbench::of_files(&files, target, (120, 36));
        let text = bench.keys("gp").text();
        assert_eq!(text.matches("KZ001").count(), if target.is_empty() { 1 } else { 2 }, "{text}");
        let row = line_with(&text, "deprecated fields in ");
        assert!(row.contains(&format!("{count} deprecated fields in {in_files} files")), "{text}");
        assert!(text.contains("1 of 1"), "{text}");
        let places =
            |text: &str| text.lines().filter(|line| line.contains("is deprecated")).count();
        let text = bench.keys("enter").text();
        assert!(places(&text) >= count, "{text}");
        assert!(text.contains(&format!("1 of {}", count + 1)), "{text}");
        // `e` and `w` are about the selected place.
        let text = bench.keys("j j w").text();
        assert!(text.contains("kustomization.yaml:2"), "{text}");
        let text = bench.keys("esc h").text();
        assert!(text.contains("1 of 1"), "{text}");
        // A filter also finds closed places.
        let text = bench.keys("/").type_text("bases").keys("enter").text();
        assert!(text.contains(&format!(" of {filtered} ")), "{filtered}: {text}");
    }
}

#[test]
fn a_fix_of_a_problem_of_the_repository_is_tried_and_drafted() {
    let base = "resources: [map.yaml]\nimages:\n- {name: web, newTag: v1}\n";
    let map = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\n";
    let files = [
        ("base/kustomization.yaml", base),
        ("base/map.yaml", map),
        ("one/kustomization.yaml", "resources: [../base]\n"),
        ("two/kustomization.yaml", "resources: [../base]\nnamePrefix: x-\n"),
    ];
    let mut bench = Workbench::of_files(&files, "", (120, 36));
    bench.keys("gp");
    let text = bench.text();
    assert!(line_with(&text, "KZ120").contains("in 2 "), "{text}");
    bench.keys("f");
    let text = bench.text();
    assert!(text.contains("2 Change ●1"), "{text}");
    assert!(text.contains("its file is in the draft"), "{text}");
    bench.keys("2");
    assert!(bench.text().contains("☑ fix: "), "{}", bench.text());
    bench.keys("0 enter");
    assert!(bench.text().contains("▐1 Target▌"), "{}", bench.text());
}

/// The table of overlays and components, as `kzui components` prints it.
#[test]
fn a_component_is_switched_in_any_overlay_from_the_table() {
    let mut bench = Workbench::board_of_demo("shop", (120, 36));
    bench.keys("gc");
    let text = bench.text();
    assert!(text.contains("▐Components▌"), "{text}");
    let row = line_with(&text, "△ overlays/development").to_owned();
    assert_eq!(row.matches('☑').count(), 2, "{row}");
    assert!(line_with(&text, "✗ overlays/production").contains("☑ +3 ~6"), "{text}");
    // The effect of a component that is off, from a build with it.
    assert!(line_with(&text, "☐ monitoring").contains("if on +1 ~5"), "{text}");
    bench.keys("enter j j space");
    let text = bench.text();
    assert!(line_with(&text, "△ overlays/development").contains("☐●"), "{text}");
    assert!(text.contains("2 Change ●1"), "{text}");
    // A component that the overlay does not list is added to its list.
    bench.keys("G space");
    let text = bench.text();
    assert!(line_with(&text, "△ overlays/development").contains("☑● +1 ~1"), "{text}");
    assert_eq!(line_with(&text, "✗ overlays/staging").matches('●').count(), 0, "{text}");
    bench.keys("z z");
    let undone = bench.text();
    let cells = |row: &str| row.trim_matches(['│', '║']).to_owned();
    assert_eq!(cells(line_with(&undone, "△ overlays/development")), cells(&row));
    bench.keys("enter");
    assert!(bench.text().contains("▐Tree▌"), "{}", bench.text());
}

#[test]
fn component_table_screens_equal_their_snapshots() {
    for (columns, rows) in SIZES {
        let mut bench = Workbench::board_of_demo("shop", (columns, rows));
        bench.keys("gc");
        check_screen(&format!("component-table-{columns}x{rows}"), &bench.screen());
    }
}

/// An overlay with a function that may not run is pending, not failing.
#[test]
fn overlay_with_a_pending_function_is_pending_in_the_table() {
    let files = [
        ("c/kustomization.yaml", "kind: Component\ncommonAnnotations: {a: b}\n"),
        (
            "dev/kustomization.yaml",
            "components: [../c]\ntransformers: [fn.yaml]\nconfigMapGenerator:\n- name: c\n  literals: [a=1]\n",
        ),
        (
            "dev/fn.yaml",
            "apiVersion: x/v1\nkind: Fn\nmetadata:\n  name: f\n  annotations:\n    config.kubernetes.io/function: '{container: {image: x@sha256:0000000000000000000000000000000000000000000000000000000000000000}}'\n",
        ),
    ];
    let mut bench = Workbench::of_files(&files, "", (120, 36));
    bench.keys("gc");
    let text = bench.text();
    assert!(text.contains("▐Components▌") && !text.contains(messages::DOES_NOT_BUILD), "{text}");
    assert!(line_with(&text, " dev ").contains('○'), "{text}");
}

#[test]
fn deployment_objects_are_opened_and_compared_by_name() {
    let files = [
        ("web/kustomization.yaml", "resources: [cm.yaml]\n"),
        ("web/cm.yaml", "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: web}\n"),
        (
            "argocd/app.yaml",
            "apiVersion: argoproj.io/v1alpha1\nkind: Application\nmetadata: {name: shop}\nspec:\n  source:\n    \
             repoURL: https://git.example.com/org/shop.git\n    path: web\n    kustomize: {commonAnnotations: {team: a}}\n",
        ),
    ];
    for argument in ["shop", "argocd/app.yaml", "argocd/app.yaml#shop"] {
        let mut bench = Workbench::of_files(&files, "", (120, 36));
        bench.keys(":").type_text(&format!("target {argument}")).keys("enter");
        let text = bench.text();
        assert!(text.contains("app.yaml#shop") && text.contains("▐Tree▌"), "{argument}: {text}");
    }
    let mut bench = Workbench::of_files(&files, "", (120, 36));
    bench.keys(":").type_text("compare web shop").keys("enter");
    let text = bench.text();
    assert!(text.contains("argocd/app.yaml") && text.contains("team"), "{text}");
}

#[test]
fn search_finds_the_typed_text_and_scattered_letters_only_without_it() {
    let map = "configMapGenerator: [{name: map, literals: [a=b]}]\n";
    let files = [
        ("hack/templates/one/kustomization.yaml", map),
        ("te-mplates/two/kustomization.yaml", map),
    ];
    let mut bench = Workbench::of_files(&files, "", (120, 36));
    bench.keys("/").type_text("templates").keys("enter");
    let text = bench.text();
    assert!(text.contains("hack/templates/one") && !text.contains("te-mplates"), "{text}");
    bench.keys("esc /").type_text("tmplates").keys("enter");
    let text = bench.text();
    assert!(text.contains("hack/templates/one") && text.contains("te-mplates"), "{text}");
}

#[test]
fn reason_of_a_short_row_is_not_cut_beside_a_long_name() {
    let map = "configMapGenerator: [{name: map, literals: [a=b]}]\n";
    let files = [
        ("a-target-with-a-name-that-needs-most-of-the-row/kustomization.yaml", map),
        ("b/kustomization.yaml", "resources: [../base-that-was-removed-long-ago]\n"),
    ];
    let bench = Workbench::of_files(&files, "", (120, 36));
    let text = bench.text();
    assert!(line_with(&text, "✗ b").contains("../base-that-was-removed-long-"), "{text}");
    assert!(text.contains("ago does not exist"), "{text}");
}

#[test]
fn objects_of_one_file_are_rows_below_their_file() {
    let objects: Vec<String> = (1..=5)
        .map(|at| {
            format!("apiVersion: argoproj.io/v1alpha1\nkind: Application\nmetadata: {{name: gone-{at}}}\nspec:\n  source: {{repoURL: 'https://git.example.com/org/shop.git', path: gone/{at}}}\n")
        })
        .collect();
    let objects = objects.join("---\n");
    let files = [
        ("web/kustomization.yaml", "configMapGenerator: [{name: map, literals: [a=b]}]\n"),
        ("apps/all.yaml", objects.as_str()),
        (".git/config", "[remote \"origin\"]\n\turl = https://git.example.com/org/shop.git\n"),
    ];
    let mut bench = Workbench::of_files(&files, "", (120, 36));
    let text = bench.text();
    assert!(line_with(&text, " gone-3: Application of gone/3").contains("not in"), "{text}");
    bench.keys("gg h");
    let text = bench.text();
    let row = line_with(&text, "apps/all.yaml (5)");
    assert!(row.contains(messages::NOT_IN_REPOSITORY) && !text.contains("gone-3"), "{text}");
    bench.keys("l");
    assert!(bench.text().contains("gone-3"), "{}", bench.text());
    // A reason that not all of the objects have is none of the row.
    let mixed = objects.replace("path: gone/5", "path: '{{path}}'");
    let files =
        files.map(|(file, text)| (file, if file == "apps/all.yaml" { &mixed } else { text }));
    let mut bench = Workbench::of_files(&files, "", (120, 36));
    bench.keys("gg h");
    let text = bench.text();
    assert!(!line_with(&text, "apps/all.yaml (5)").contains(messages::NOT_IN_REPOSITORY), "{text}");
}

#[test]
fn effect_of_a_failing_draft_is_shown_in_full_while_rows_are_free() {
    let files = [
        (
            "operators/examples/cluster-basic/kustomization.yaml",
            "resources:\n- map.yaml\npatches:\n- path: patch.yaml\n",
        ),
        (
            "operators/examples/cluster-basic/map.yaml",
            "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: map}\ndata: {a: b}\n",
        ),
        (
            "operators/examples/cluster-basic/patch.yaml",
            "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: map}\ndata: {a: c}\n",
        ),
        (
            "operators/other/kustomization.yaml",
            "configMapGenerator: [{name: map, literals: [a=b]}]\n",
        ),
    ];
    let mut bench = Workbench::of_files(&files, "", (120, 36));
    bench.keys(":").type_text("target operators/examples/cluster-basic").keys("enter");
    bench.keys("1 gg j j space 0");
    let text = bench.text();
    let pane = text.lines().skip_while(|line| !line.contains("Effect of the draft"));
    let lines: Vec<&str> = pane.filter_map(|line| line.rsplit('│').nth(1)).collect();
    assert!(lines.iter().any(|line| line.contains("not build")), "{text}");
    assert!(!lines.iter().any(|line| line.contains('…')), "{text}");
    // The failure is named once.
    assert!(!lines.iter().any(|line| line.contains("fails now")), "{text}");
}

/// The row of a folder counts the targets whose state changes.
#[test]
fn folder_row_counts_the_targets_that_build_now() {
    let overlay = "resources: [../../base]\ncomponents: [../../gone]\n";
    let files = [
        ("base/kustomization.yaml", "configMapGenerator:\n- name: c\n  literals: [a=1]\n"),
        ("group/a/kustomization.yaml", overlay),
        ("group/b/kustomization.yaml", overlay),
        ("group/c/kustomization.yaml", "resources: [../../base]\n"),
        ("other/kustomization.yaml", "kind: Component\n"),
    ];
    let mut bench = Workbench::of_files(&files, "", (120, 36));
    for name in ["a", "b"] {
        bench.keys(":").type_text(&format!("target group/{name}")).keys("enter");
        bench.keys("ge /").type_text("gone").keys("enter space 0 0");
    }
    bench.keys("gg j j j h h");
    let text = bench.text();
    assert!(line_with(&text, "▸ group").contains(messages::TWO_OF_THREE_BUILD_NOW), "{text}");
    bench.keys("l");
    let text = bench.text();
    assert!(line_with(&text, "✗   a ").contains(messages::BUILDS_NOW), "{text}");
}

#[test]
fn a_cancelled_comparison_with_the_branch_leaves_the_screen_as_it_was() {
    let mut bench = board((120, 36));
    let before = bench.text();
    bench.hold_builds();
    for cancel in ["esc", "ctrl-c"] {
        bench.keys("gb");
        assert!(bench.text().contains("branch"), "{}", bench.text());
        bench.keys(cancel);
        let text = bench.text();
        assert_eq!(text.matches(messages::COMPARISON_CANCELLED).count(), 1, "{text}");
        bench.keys("gg");
        assert_eq!(bench.text(), before);
    }
}

/// A cancelled comparison of two sides leads back, and the one before it is kept.
#[test]
fn a_cancelled_comparison_of_two_sides_leads_back() {
    let mut bench = board((120, 36));
    bench.keys(":").type_text("compare dev prod").keys("enter");
    let compared = bench.text();
    bench.keys("0 0 gg");
    let targets = bench.text();
    bench.hold_builds();
    bench.keys(":").type_text("compare dev alone").keys("enter");
    assert!(bench.text().contains("▐Compare▌"), "{}", bench.text());
    bench.keys("esc");
    let text = bench.text();
    assert_eq!(text.matches(messages::COMPARISON_CANCELLED).count(), 1, "{text}");
    bench.keys("gg");
    assert_eq!(bench.text(), targets);
    bench.keys("g=");
    assert_eq!(bench.text(), compared);
}

/// The keys of screens about one target open the selected overlay.
#[test]
fn order_and_combinations_of_the_selected_overlay_are_shown() {
    let mut bench = Workbench::board_of_demo("shop", (120, 36));
    bench.keys("gc x");
    assert!(bench.text().contains(messages::ALL_COMBINATIONS), "{}", bench.text());
    bench.keys("esc");
    for (key, tab) in [("go", "▐Order▌"), ("gx", "▐Combinations▌")] {
        bench.keys("0 gc j").keys(key);
        let text = bench.text();
        assert!(text.contains(tab) && text.contains("overlays/production"), "{key}: {text}");
    }
}

/// The key of a place shows the last tab there, also if another place has a tab of that name.
#[test]
fn the_key_of_the_target_shows_its_last_tab() {
    let mut bench = Workbench::of_demo("components", "overlays/dev", (120, 36));
    for (key, title) in [("gc", "▐Components▌"), ("gp", "▐Problems▌")] {
        bench.keys("1").keys(key);
        bench.keys("0 1");
        let text = bench.text();
        assert!(text.contains(title) && text.contains("▐1 Target▌"), "{key}: {text}");
    }
}

/// A comparison with the files is that of the present files.
#[test]
fn a_comparison_is_made_again_after_a_change_of_the_files() {
    let mut bench = board((120, 36));
    bench.keys(":").type_text("compare dev prod").keys("enter");
    assert!(!bench.text().contains("team"), "{}", bench.text());
    let change = |bench: &mut Workbench, text: &str| {
        bench.disk.put("/demo/dev/kustomization.yaml", text);
        let file = "/demo/dev/kustomization.yaml".into();
        bench.send(kzui::tui::Message::TreeChanged(vec![file]));
    };
    let labelled = "resources: [../base]\nnamePrefix: dev-\ncommonAnnotations: {team: a}\n";
    change(&mut bench, labelled);
    let text = bench.text();
    assert!(text.contains("team") && text.contains("▐Compare▌"), "{text}");
    // Also if the screen is shown later.
    bench.keys("0 0");
    change(&mut bench, "resources: [../base]\nnamePrefix: dev-\n");
    assert!(bench.text().contains("▐Targets▌"), "{}", bench.text());
    bench.keys("g=");
    assert!(!bench.text().contains("team"), "{}", bench.text());
}
