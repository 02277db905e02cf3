//! The first minutes with a new tree: a build that fails, bases that are not fetched, entries that
//! are off.

use crate::support::{Tree, Workbench, kzui, kzui_in, line_with, messages, numbers_after};

const BASE: &str = "resources: [web.yaml]\n";
const WEB: &str = "apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: web}\n";

#[test]
fn missing_target_is_not_called_an_entry() {
    let tree = Tree::new(&[("app/kustomization.yaml", "resources: []\n")]);
    for target in ["elsewhere", "elsewhere/app"] {
        let error = kzui_in(&tree.root(), &["build", target]).refused();
        assert!(
            error.contains(&format!("`elsewhere` {}", messages::DOES_NOT_EXIST))
                && !error.contains("entry"),
            "{error}"
        );
    }
    // A similar name is proposed.
    let similar = kzui_in(&tree.root(), &["build", "ap"]).refused();
    assert!(similar.contains(&format!("{} `app`?", messages::DID_YOU_MEAN)), "{similar}");
}

#[test]
fn failing_tree_opens_on_cause_location_and_remedy() {
    let files = [
        ("base/kustomization.yaml", BASE),
        ("base/web.yaml", WEB),
        ("app/kustomization.yaml", "resources:\n- ../base\n- ../elsewhere/queue\n"),
    ];
    for (columns, rows) in [(80, 24), (120, 36), (200, 60)] {
        let mut bench = Workbench::of_files(&files, "app", (columns, rows));
        let text = bench.text();
        assert!(text.contains("1 error"), "{text}");
        assert!(text.contains("at app/kustomization.yaml:3"), "its place: {text}");
        let way = format!("`queue` {}: {}", messages::DOES_NOT_EXIST, messages::CORRECT_THE_PATH);
        assert!(text.contains(&way), "what to do: {text}");
        // The row of the tree shows the entry, and no missing file.
        bench.keys("1 G");
        let text = bench.text();
        assert!(text.contains("- ../elsewhere/queue"), "{text}");
        assert!(text.contains("kustomization.yaml:3"), "{text}");
    }
    let mut builds = Workbench::of_files(&files, "base", (120, 36));
    assert!(builds.text().contains("▐Tree▌"), "{}", builds.text());
    // If the user went to another screen in the meantime, that screen stays.
    builds.keys("gs");
    assert!(builds.text().contains("▐Steps▌"), "{}", builds.text());
}

#[test]
fn pending_bases_have_distinct_rows() {
    let files = [(
        "kustomization.yaml",
        "resources:\n- https://github.com/example/tools//monitoring/base?ref=v1\n- https://github.com/example/tools//logging/base?ref=v1\n",
    )];
    let apart = |text: &str| {
        // In the larger sizes, the frame of the tree is that of the pane with the focus.
        let tree = text.lines().filter_map(|line| match line.chars().next() {
            Some('║') => line.split('║').nth(1),
            Some('│') => None,
            _ => Some(line),
        });
        let tree: Vec<&str> = tree.collect();
        let row = |at: usize| {
            let (_, row) = tree[at].split_once('○')?;
            // A long name goes on in the next line.
            let next = tree.get(at + 1).filter(|next| next.starts_with(&" ".repeat(8)));
            Some(format!("{row}{}", next.unwrap_or(&"")))
        };
        let rows = (0..tree.len()).filter_map(row);
        let rows: Vec<String> =
            rows.filter(|row| row.contains("https:") && !row.contains("KZ190")).collect();
        assert_eq!(rows.len(), 2, "{text}");
        assert!(rows[0] != rows[1] && rows.iter().all(|row| row.contains("pending")), "{text}");
    };
    for size in [(80, 24), (120, 36), (200, 60)] {
        let mut bench = Workbench::of_files(&files, "", size);
        apart(&bench.text());
        bench.keys("gs +");
        apart(&bench.text());
    }
}

#[test]
fn entry_has_the_same_name_off_and_on() {
    let kustomization = "resources: [web.yaml]
patchesJson6902:
- target:
    version: v1
    kind: Deployment
    name: web
  path: replicas.yaml
patches:
- patch: |-
    kind: Deployment
    apiVersion: apps/v1
    metadata: {name: web}
    spec: {paused: true}
- target: {kind: Deployment}
  patch: |-
    - op: add
      path: /metadata/labels
      value: {a: b}
labels:
- pairs:
    team: shop
images:
- name: nginx
  newTag: v2
";
    let files = [
        ("kustomization.yaml", kustomization),
        ("web.yaml", WEB),
        ("replicas.yaml", "- op: add\n  path: /spec\n  value: {replicas: 3}\n"),
    ];
    let mut bench = Workbench::of_files(&files, "", (120, 36));
    for name in
        ["replicas.yaml", "inline Deployment/web", "inline Deployment", "team=shop", "nginx → :v2"]
    {
        bench.keys("1 gg /").type_text(name).keys("enter esc");
        // The search left the cursor on the first matching row.
        let row = |bench: &Workbench| -> usize {
            let text = bench.text();
            text.lines().filter(|line| line.contains(name)).count()
        };
        let on = row(&bench);
        assert!(on > 0, "{name}: {}", bench.text());
        bench.keys("space");
        let text = bench.text();
        assert!(text.contains("off"), "{name}: {text}");
        assert_eq!(row(&bench), on, "in the tree: {text}");
        bench.keys("gs");
        let text = bench.text();
        // The list with the focus; the tree above it has the name too.
        let steps = text.lines().filter(|line| line.starts_with('║'));
        let steps = steps.filter(|line| line.contains('☐') && line.contains(name));
        assert_eq!(steps.count(), 1, "among the steps: {name}: {text}");
        bench.keys("z");
        let said = bench.text().lines().last().unwrap_or_default().to_owned();
        let undone = format!("{} {}", messages::UNDONE, messages::SWITCH_OFF);
        assert!(said.contains(&undone) && said.contains(name), "{said}");
    }
}

#[test]
fn log_names_the_reverted_write() {
    let mut bench = Workbench::of_demo("components", "overlays/dev", (120, 36));
    bench.keys("/").type_text("ldap").keys("enter space :w enter y z :w enter y :log enter");
    let text = bench.text();
    let entry = line_with(&text, messages::UNDO_LINE);
    assert!(entry.contains(messages::SWITCH_ON), "{text}");
    assert!(entry.contains("components/ldap"), "{text}");
}

#[test]
fn reason_gets_the_space_below_a_short_problem_list() {
    let mut bench = Workbench::of_demo("shop", "overlays/staging", (120, 36));
    bench.keys("gp");
    let text = bench.text();
    let list = text.lines().position(|line| line.starts_with('╚')).unwrap();
    assert!(list < 14, "{text}");
    assert!(text.contains(" -- ../../components/log-shipper"), "the whole fix: {text}");
    assert!(text.contains("▐Problems 3▌") && text.contains("3 problems"), "{text}");
}

/// The names under `Commands:` of a page of help.
fn commands(page: &str) -> Vec<String> {
    let listed = page.split_once("Commands:\n").map_or("", |(_, behind)| behind);
    let listed = listed.split("\n\n").next().unwrap_or_default();
    let names = listed.lines().filter_map(|line| line.strip_prefix("  ")?.split_once("  "));
    let names = names.map(|(name, _)| name.to_owned());
    names.filter(|name| !name.is_empty() && !name.starts_with(' ') && name != "help").collect()
}

#[test]
fn every_help_page_has_examples_and_exit_statuses() {
    let page = |words: &[&str]| kzui(words).out;
    let mut pages = 0;
    for name in commands(&page(&["--help"])) {
        let text = page(&["help", &name]);
        let below = commands(&text);
        let all = if below.is_empty() {
            vec![(name.clone(), text)]
        } else {
            let told = |below: String| (format!("{name} {below}"), page(&["help", &name, &below]));
            below.into_iter().map(told).collect()
        };
        for (name, text) in all {
            assert!(text.contains("Usage:"), "{name}: {text}");
            // These commands have no examples and no exit statuses to explain.
            if !["version", "versions", "completions"].contains(&&*name) {
                assert!(text.contains("Exit status: 0"), "{name}: {text}");
                assert!(text.contains("Examples:\n  "), "{name}: {text}");
            }
            pages += 1;
        }
    }
    assert!(pages > 25, "{pages}");
}

#[test]
fn unknown_names_are_reported_as_not_found() {
    let tree = Tree::new(&[
        ("base/kustomization.yaml", BASE),
        ("base/web.yaml", WEB),
        ("a/kustomization.yaml", "resources: [../base]\nnamePrefix: a-\n"),
        ("b/kustomization.yaml", "resources: [../base]\nnamePrefix: a-\n"),
        ("empty/readme.txt", ""),
    ]);
    let root = tree.root();
    let said = |words: &[&str], status| {
        let answer = kzui_in(&root, words);
        assert_eq!(answer.status, Some(status), "{words:?}: {}{}", answer.out, answer.err);
        format!("{}{}", answer.out, answer.err)
    };
    let differ = |resource: &str, field: &str, status| {
        said(&["why-differ", "a", "b", resource, field], status)
    };
    assert!(differ("Deployment/a-web", "metadata.name", 0).contains(messages::SAME_ON_BOTH_SIDES));
    assert!(differ("Deployment/a-wed", "metadata.name", 2).contains("Deployment/a-wed"));
    let none = differ("Deployment/a-web", "spec.replicas", 2);
    assert!(none.contains("Deployment/a-web ") && none.contains(" spec.replicas "), "{none}");

    // A folder with targets below it means these targets.
    for words in [&["grep", "a-web"][..], &["grep", "a-web", "."], &["grep", "a-web", "a", "b"]] {
        let found = said(words, 0);
        assert!(found.contains("a-web") && !found.contains("unknown"), "{words:?}: {found}");
        assert_eq!(found.matches("metadata.name").count(), 2, "{words:?}: {found}");
    }
    let none = format!("empty: {}", messages::NO_KUSTOMIZATION_FILE_BELOW);
    assert!(said(&["grep", "a-web", "empty"], 2).contains(&none));
    assert!(said(&["where", "base/wed.yaml"], 2).contains(messages::NO_SUCH_FILE));
}

#[test]
fn combinations_are_distinguished_by_their_components() {
    let mut bench = Workbench::of_demo("shop", "overlays/production", (120, 36));
    bench.keys("gx");
    let text = bench.text();
    let rows = text.lines().filter_map(|line| line.strip_prefix('║')?.split('║').next());
    let mut rows: Vec<&str> = rows.filter(|row| row.starts_with("   ✗ ")).collect();
    assert!(rows.len() > 10, "{text}");
    let all = rows.len();
    rows.sort_unstable();
    rows.dedup();
    assert_eq!(rows.len(), all, "{text}");
    assert!(text.contains(messages::TRY_AS_DRAFT), "{text}");
}

#[test]
fn truncated_line_ends_with_an_ellipsis() {
    let mut bench = Workbench::of_demo("shop", "overlays/production", (120, 36));
    bench.keys("gr");
    for columns in 90..130 {
        bench.resize(columns, 36);
        let text = bench.text();
        let rows = text.lines().filter_map(|line| line.strip_prefix('║')?.split('║').next());
        let cut = rows.filter(|row| row.contains("app.kubernetes.io/instance:"));
        for row in cut.filter(|row| !row.contains("production")) {
            assert!(row.trim_end().ends_with('…'), "at {columns} columns: {row}");
        }
    }
}

#[test]
fn different_rows_stay_distinct_when_truncated() {
    let rows = |bench: &Workbench| -> Vec<String> {
        let text = bench.text();
        let rows = text.lines().filter_map(|line| line.strip_prefix('║')?.split('║').next());
        rows.map(|row| row.trim_end().to_owned()).filter(|row| !row.is_empty()).collect()
    };
    let mut bench = Workbench::of_demo("shop", "overlays/production", (120, 36));
    bench.keys(":").type_text("find northwind").keys("enter");
    let found = rows(&bench);
    bench.resize(500, 36);
    assert_truncated_rows_stay_distinct(&found, &rows(&bench));
    bench.resize(120, 36);
    bench.keys(":").type_text("compare overlays/staging overlays/production").keys("enter");
    let differences = rows(&bench);
    bench.resize(500, 36);
    assert_truncated_rows_stay_distinct(&differences, &rows(&bench));
}

/// Asserts that rows with different full texts are also cut to different texts.
fn assert_truncated_rows_stay_distinct(cut: &[String], whole: &[String]) {
    assert!(cut.len() > 20, "{cut:#?}");
    let rows: Vec<(&String, &String)> = cut.iter().zip(whole).collect();
    for (at, (cut, whole)) in rows.iter().enumerate() {
        let twin = rows[..at].iter().find(|other| other.0 == *cut && other.1 != *whole);
        assert_eq!(twin, None, "{whole}");
    }
}

#[test]
fn board_counts_builds_and_target_keys_need_a_target() {
    let files = [
        ("web/kustomization.yaml", "resources: [cm.yaml]\n"),
        ("web/cm.yaml", "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: web}\n"),
        ("gone/kustomization.yaml", "resources: [nothing.yaml]\n"),
        ("README.md", "kubectl apply -k gone\n"),
        (
            "apps/app.yaml",
            "apiVersion: argoproj.io/v1alpha1\nkind: Application\nmetadata: {name: web}\nspec: {source: {repoURL: 'https://git.example.com/org/shop.git', path: web}}\n",
        ),
    ];
    let mut bench = Workbench::of_files(&files, "", (140, 36));
    let text = bench.text();
    assert!(numbers_after(&text, "Targets  ").starts_with(&[1, 2, 1, 1, 1]), "{text}");
    assert!(text.contains(messages::ONE_DEPLOYMENT_OBJECT), "{text}");
    assert!(text.contains("1 of 2 not built"), "{text}");
    for keys in [",e", ",l", "c", ")"] {
        bench.keys(keys);
        assert!(bench.text().contains(messages::NO_TARGET_OPEN), "{keys}: {}", bench.text());
    }
    bench.keys("gp");
    assert!(!bench.text().contains("0 errors"), "{}", bench.text());
}

#[test]
fn linear_mode_lists_the_targets_of_a_repository() {
    let tree = crate::support::Tree::of_demo("components");
    let said = crate::support::kzui_in(&tree.root(), &["--linear", "."]).out;
    for target in ["overlays/community", "overlays/dev", "overlays/enterprise", "3 targets"] {
        assert!(said.contains(target), "{said}");
    }
    assert!(said.contains(messages::OPEN_ONE_OF_THEM), "{said}");
}

#[test]
fn a_dot_is_shown_as_the_name_of_the_folder() {
    let mut bench = Workbench::of_files(
        &[("kustomization.yaml", "configMapGenerator:\n- name: c\n  literals: [a=1]\n")],
        "",
        (120, 36),
    );
    bench.keys("1");
    let text = bench.text();
    assert!(text.starts_with(" kzui demo "), "{text}");
    assert!(text.contains("▾ demo "), "{text}");
}

/// The key of a screen about objects that the target does not have adds no tab.
#[test]
fn keys_of_absent_objects_add_no_tab() {
    let files = [
        ("kustomization.yaml", "resources: [cm.yaml, 'https://example.com/org/base?ref=v1']\n"),
        ("cm.yaml", "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: web}\n"),
    ];
    let mut bench = Workbench::of_files(&files, ".", (120, 36));
    for keys in ["gm", "gf", "gk"] {
        bench.keys(keys);
        let text = bench.text();
        let tabs = text.lines().nth(1).unwrap_or_default();
        assert!(tabs.starts_with("▐Tree▌") && !tabs.contains("Functions"), "{keys}: {text}");
    }
}

/// A command whose argument is not typed yet is a command.
#[test]
fn command_without_its_argument_is_offered() {
    let mut bench = Workbench::of_demo("shop", "overlays/production", (120, 36));
    bench.keys(":").type_text("compare ");
    assert!(!bench.text().contains("no such command"), "{}", bench.text());
}
