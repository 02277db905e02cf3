//! Columns of lists begin at one place in all rows, and texts are whole while the pane has room.

use crate::support::{Workbench, line_with};

const ARGO: &str = "apiVersion: argoproj.io/v1alpha1\nkind: Application\nmetadata: {name: shop}\nspec:\n  source: {repoURL: 'https://git.example.com/org/shop.git', path: web}\n  destination: {namespace: shop}\n";

/// An object of a kind; the namespace is empty for none.
fn object(version: &str, kind: &str, name: &str) -> String {
    format!("apiVersion: {version}\nkind: {kind}\nmetadata:\n  name: {name}\n")
}

/// The cells before a text in each line with one of these words.
fn starts(text: &str, words: &[&str]) -> Vec<usize> {
    let start = |word: &&str| {
        let line = line_with(text, word);
        line[..line.find(*word).unwrap_or_default()].chars().count()
    };
    words.iter().map(start).collect()
}

#[test]
fn names_of_resources_begin_in_one_column() {
    let objects = [
        object("v1", "Service", "first-blobstore"),
        object("v1", "PersistentVolumeClaim", "second-volume"),
        object("apps/v1", "Deployment", "third-with-a-name-that-needs-more-than-its-column"),
    ]
    .join("---\n");
    let files =
        [("app/kustomization.yaml", "resources: [all.yaml]\n"), ("app/all.yaml", &*objects)];
    let mut bench = Workbench::of_files(&files, "app", (120, 36));
    let text = bench.keys("gr tab").text();
    let list: String = text
        .lines()
        .map(|line| line.chars().skip(61).collect::<String>() + "\n")
        .skip_while(|line| !line.contains("Resources"))
        .collect();
    let places = starts(&list, &["first-", "second-", "third-"]);
    assert!(places.iter().all(|place| *place == places[0]), "{places:?} {text}");
    assert!(list.contains("needs-more-") && list.contains("than-its-column"), "{text}");
}

#[test]
fn reason_of_a_failure_is_whole_and_moves_no_number() {
    let files = [
        ("apps/of-the-shop/kustomization.yaml", "resources: [all.yaml]\n"),
        ("apps/of-the-shop/all.yaml", &*object("v1", "Service", "web")),
        (
            "apps/broken/kustomization.yaml",
            "resources:\n- ../../a-base/of-the-whole-platform/with-a-long-name/that-is-gone/for-ever\n",
        ),
    ];
    let mut bench = Workbench::of_files(&files, "", (120, 36));
    let text = bench.keys("gg").text();
    let end = |name: &str, number: &str| {
        let line = line_with(&text, name);
        line[..line.find(&format!(" {number} ")).unwrap_or_default()].chars().count()
    };
    assert_eq!(end("  broken", "−"), end("of-the-shop", "1"), "{text}");
    assert!(text.contains("with-a-long-"), "{text}");
    assert!(text.contains("for-ever does not"), "{text}");
}

#[test]
fn object_of_two_targets_is_named_with_its_target() {
    let files = [
        ("apps/kustomization.yaml", "resources: [shop.yaml]\n"),
        ("apps/shop.yaml", ARGO),
        ("clusters/blue/kustomization.yaml", "resources: [../../apps]\nnamePrefix: blue-\n"),
        ("clusters/green/kustomization.yaml", "resources: [../../apps]\nnamePrefix: green-\n"),
        ("web/kustomization.yaml", "resources: [web.yaml]\n"),
        ("web/web.yaml", &*object("v1", "Service", "web")),
    ];
    let mut bench = Workbench::of_files(&files, "", (200, 60));
    bench.keys("gg /").type_text("web").keys("enter j");
    let text = bench.text();
    assert!(text.contains("deployed by 2 objects"), "{text}");
    assert!(text.contains("of clusters/blue") && text.contains("of clusters/green"), "{text}");
}

#[test]
fn rows_of_one_kind_and_name_have_their_group() {
    let objects = [
        object("v1", "ServiceAccount", "runner"),
        object("talos.dev/v1", "ServiceAccount", "runner"),
    ]
    .join("---\n");
    let files =
        [("app/kustomization.yaml", "resources: [all.yaml]\n"), ("app/all.yaml", &*objects)];
    let mut bench = Workbench::of_files(&files, "app", (120, 36));
    let text = bench.keys("ge").text();
    assert!(text.contains("ServiceAccount.talos.dev"), "{text}");
    let text = bench.keys("gr").text();
    assert!(text.contains("ServiceAccount.talos.dev"), "{text}");
}

#[test]
fn reason_of_a_pending_row_of_the_tree_is_whole() {
    let files = [(
        "app/kustomization.yaml",
        "resources:\n- https://git.example.com/organisation/of-the-platform//base/with/a/long/path?ref=v1.2.3\n",
    )];
    let mut bench = Workbench::of_files(&files, "app", (120, 36));
    let text = bench.keys("ge").text();
    assert!(text.contains("?ref=v1.2.3") || text.contains("ref=v1.2.3"), "{text}");
}

#[test]
fn names_are_whole_beside_a_long_reason() {
    let names = ["platform-agnostic-multi-user", "platform-agnostic-standalone-tls"];
    let files: Vec<(String, &str)> = names
        .iter()
        .map(|name| (format!("apps/{name}/kustomization.yaml"), "namePrefix: a-\n"))
        .collect();
    let mut files: Vec<(&str, &str)> = files.iter().map(|(path, text)| (&**path, *text)).collect();
    files.push((
        "apps/broken/kustomization.yaml",
        "resources: [../../somewhere/else/in/a/folder/that/is/gone.yaml]\n",
    ));
    let mut bench = Workbench::of_files(&files, "", (90, 24));
    let text = bench.keys("gg").text();
    for name in names {
        assert!(text.contains(name), "{name} {text}");
    }
}

#[test]
fn question_shows_changed_lines_in_full() {
    let component = "../../../of-the-whole-platform/components/with-a-name/that-needs/more-than-one-line/in-this-question";
    let file = format!("resources: [web.yaml]\ncomponents:\n- {component}\n");
    let files = [
        ("apps/shop/of/web/kustomization.yaml", &*file),
        ("apps/shop/of/web/web.yaml", &*object("v1", "Service", "web")),
        (
            "apps/of-the-whole-platform/components/with-a-name/that-needs/more-than-one-line/in-this-question/kustomization.yaml",
            "apiVersion: kustomize.config.k8s.io/v1alpha1\nkind: Component\n",
        ),
    ];
    let mut bench = Workbench::of_files(&files, "apps/shop/of/web", (100, 36));
    bench.keys("ge j j j j space").keys(":").type_text("w").keys("enter");
    let text = bench.text();
    assert!(text.contains("write apps/shop/of/web/kustomization.yaml"), "{text}");
    assert!(text.matches("in-this-question").count() >= 2, "{text}");
}

/// Two patches of one target, with another one between them.
const TWO_PATCHES: &str = "resources: [web.yaml]
patches:
- target: {kind: Service}
  patch: '{apiVersion: v1, kind: Service, metadata: {name: web, labels: {a: b}}}'
- target: {name: web}
  patch: '{apiVersion: v1, kind: Service, metadata: {name: web, labels: {b: c}}}'
- target: {kind: Service}
  patch: '{apiVersion: v1, kind: Service, metadata: {name: web, labels: {c: d}}}'
";

#[test]
fn patches_of_one_target_are_named_by_their_lines() {
    let web = object("v1", "Service", "web");
    let files = [("app/kustomization.yaml", TWO_PATCHES), ("app/web.yaml", &*web)];
    let mut bench = Workbench::of_files(&files, "app", (120, 36));
    let text = bench.keys("ge").text();
    // Each is in the tree and in the list of steps.
    assert_eq!(text.matches("inline Service:3").count(), 2, "{text}");
    assert_eq!(text.matches("inline Service:7").count(), 2, "{text}");
}

#[test]
fn row_of_a_patch_shows_its_diff_and_a_heading_its_children() {
    let web = object("v1", "Service", "web");
    let files = [
        ("base/kustomization.yaml", "resources: [web.yaml]\n"),
        ("base/web.yaml", &*web),
        ("app/kustomization.yaml", "resources: [../base]\nnamePrefix: a-\n"),
    ];
    let mut bench = Workbench::of_files(&files, "app", (120, 36));
    let heading = bench.keys("ge j").text();
    assert!(heading.contains("+ Service web"), "{heading}");
    let row = bench.keys("/").type_text("namePrefix a-").keys("enter").text();
    assert!(row.contains("+   name: a-web"), "{row}");
}

#[test]
fn effect_of_an_edit_that_repairs_the_build_is_named() {
    let web = object("v1", "Service", "web");
    let files = [
        (
            "app/kustomization.yaml",
            "resources: [web.yaml]\nnamePrefix: a-\npatches:\n- path: gone.yaml\n",
        ),
        ("app/web.yaml", &*web),
    ];
    let mut bench = Workbench::of_files(&files, "app", (120, 36));
    bench.keys("ge /").type_text("gone").keys("enter space 2");
    let text = bench.text();
    assert!(text.contains("builds now in 1 target"), "{text}");
}

#[test]
fn table_of_components_scrolls_by_whole_columns() {
    let names = [
        "one-of-many-parts",
        "another-of-many",
        "the-third-of-many",
        "and-the-fourth",
        "fifth-part",
    ];
    let mut files: Vec<(String, String)> = Vec::new();
    for name in names {
        let text = "apiVersion: kustomize.config.k8s.io/v1alpha1\nkind: Component\n";
        files.push((format!("parts/{name}/kustomization.yaml"), text.to_owned()));
    }
    let list: Vec<String> = names.iter().map(|name| format!("- ../../parts/{name}\n")).collect();
    let list = list.concat();
    for name in ["dev", "prod"] {
        files.push((format!("apps/{name}/kustomization.yaml"), format!("components:\n{list}")));
    }
    let files: Vec<(&str, &str)> = files.iter().map(|(path, text)| (&**path, &**text)).collect();
    let mut bench = Workbench::of_files(&files, "", (70, 24));
    let first = bench.keys("gc").text();
    assert!(
        line_with(&first, "overlay ").contains("parts") && !first.contains("alt-left"),
        "{first}"
    );
    let moved = bench.keys("alt-right alt-right alt-right alt-right").text();
    assert!(line_with(&moved, "overlay ").contains("fifth-part"), "{moved}");
    assert!(moved.contains("apps/dev") && moved.contains("apps/prod"), "{moved}");
}

/// A component in a folder: its file and the text of the file.
fn component(path: &str) -> (String, String) {
    let text = "apiVersion: kustomize.config.k8s.io/v1alpha1\nkind: Component\ncommonAnnotations: {a: b}\n";
    (format!("{path}/kustomization.yaml"), text.to_owned())
}

#[test]
fn names_of_targets_and_layers_stay_while_the_rest_scrolls() {
    let files = [
        ("apps/of-the-shop/kustomization.yaml", "resources: [all.yaml]\n"),
        ("apps/of-the-shop/all.yaml", &*object("v1", "Service", "web")),
        (
            "apps/broken/kustomization.yaml",
            "resources:\n- ../../a-base/of-the-whole-platform/with-a-long-name/that-is-gone/for-ever\n",
        ),
    ];
    let mut bench = Workbench::of_files(&files, "", (80, 24));
    let first = bench.keys("gg").text();
    let moved = bench.keys("alt-l alt-l alt-l").text();
    for name in ["  broken", "  of-the-shop", "target "] {
        assert_eq!(starts(&moved, &[name]), starts(&first, &[name]), "{moved}");
    }
    assert_ne!(line_with(&moved, "  broken"), line_with(&first, "  broken"), "{moved}");
    let mut bench = Workbench::of_files(&files, "apps/of-the-shop", (50, 24));
    let first = bench.keys("gs").text();
    let moved = bench.keys("alt-l").text();
    let number_and_layer =
        |text: &str| line_with(text, "1   of-th").chars().take(15).collect::<String>();
    assert_eq!(number_and_layer(&moved), number_and_layer(&first), "{first}{moved}");
}

#[test]
fn panes_stay_while_the_selection_moves() {
    let web = object("v1", "Service", "web");
    let files = [
        ("base/kustomization.yaml", "resources: [web.yaml]\n"),
        ("base/web.yaml", &*web),
        ("app/kustomization.yaml", "resources: [../base]\nnamePrefix: a-\nlabels: []\n"),
    ];
    for screen in ["ge", "gs"] {
        let mut bench = Workbench::of_files(&files, "app", (120, 36));
        let ends = |text: &str| -> Vec<usize> {
            text.lines()
                .enumerate()
                .filter(|(_, line)| line.ends_with('┘'))
                .map(|it| it.0)
                .collect()
        };
        let first = ends(&bench.keys(screen).text());
        for _ in 0..6 {
            let text = bench.keys("j").text();
            assert_eq!(ends(&text), first, "{text}");
        }
    }
}

#[test]
fn cancelled_comparison_with_the_branch_leaves_no_column() {
    let web = object("v1", "Service", "web");
    let files = [("app/kustomization.yaml", "resources: [web.yaml]\n"), ("app/web.yaml", &*web)];
    let mut bench = Workbench::of_files(&files, "", (120, 36));
    bench.hold_builds();
    let text = bench.keys("gg gb").text();
    assert!(line_with(&text, "  target ").contains("branch"), "{text}");
    let text = bench.keys("ctrl-c").text();
    assert!(!line_with(&text, "  target ").contains("branch"), "{text}");
}

#[test]
fn namespace_of_all_resources_is_named_once() {
    let object = |name: &str| {
        format!("{}  namespace: shop-of-the-platform\n", object("v1", "Service", name))
    };
    let objects = [object("web"), object("api")].join("---\n");
    let files =
        [("app/kustomization.yaml", "resources: [all.yaml]\n"), ("app/all.yaml", &*objects)];
    let mut bench = Workbench::of_files(&files, "app", (120, 36));
    let text = bench.keys("gr").text();
    assert!(text.contains("Resources in shop-of-the-platform"), "{text}");
    assert!(text.contains("Service web") && !text.contains("platform/api"), "{text}");
}

#[test]
fn heads_of_components_all_have_their_folder_or_none() {
    let parts = ["parts/aws/setup", "parts/gke/setup", "parts/gke/network"];
    let mut files: Vec<(String, String)> = parts.iter().map(|path| component(path)).collect();
    files.push((
        "app/kustomization.yaml".to_owned(),
        "components: [../parts/aws/setup, ../parts/gke/setup, ../parts/gke/network]\n".to_owned(),
    ));
    let files: Vec<(&str, &str)> = files.iter().map(|(path, text)| (&**path, &**text)).collect();
    let mut bench = Workbench::of_files(&files, "", (120, 36));
    let text = bench.keys("gc").text();
    let above: Vec<&str> = line_with(&text, "aws/").split_whitespace().collect();
    assert_eq!(above[1..4], ["aws/", "gke/", "gke/"], "{text}");
    // The list leaves out the folder of all components.
    assert!(text.contains(" ☑ gke/network ") && !text.contains(" · parts/"), "{text}");
}

#[test]
fn file_of_a_target_is_named_relative_to_it() {
    let web = object("v1", "Service", "web");
    let files = [
        ("of-the-platform/base/kustomization.yaml", "resources: [web.yaml]\n"),
        ("of-the-platform/base/web.yaml", &*web),
        ("app/kustomization.yaml", "resources: [../of-the-platform/base]\n"),
    ];
    let mut bench = Workbench::of_files(&files, "", (120, 36));
    let text = bench.keys("gg").text();
    assert!(text.contains("└ of-the-platform/base"), "{text}");
    let line = line_with(&text, "./web.yaml");
    assert!(line.trim_end().ends_with("resources:1 │"), "{text}");
}

#[test]
fn target_has_one_sign_in_all_lists() {
    let mut bench = Workbench::board_of_demo("shop", (120, 36));
    let sign = |text: &str, name: &str| line_with(text, name).chars().nth(2);
    let targets = bench.keys("gg").text();
    let components = bench.keys("gc").text();
    for name in ["development", "production", "staging"] {
        let (of_target, of_overlay) =
            (sign(&targets, &format!(" {name} ")), sign(&components, &format!("overlays/{name}")));
        assert!(of_target.is_some() && of_target == of_overlay, "{targets}{components}");
    }
}

#[test]
fn states_of_components_begin_in_one_column() {
    let names = ["a", "another-component-with-a-long-name-of-its-own"];
    let parts: Vec<(String, String)> =
        names.iter().map(|name| component(&format!("parts/{name}"))).collect();
    let listed = format!("components: [../parts/{}]\n", names[1]);
    let mut files: Vec<(&str, &str)> =
        parts.iter().map(|(path, text)| (&**path, &**text)).collect();
    files.push(("app/kustomization.yaml", &*listed));
    let mut bench = Workbench::of_files(&files, "app", (69, 24));
    let text = bench.keys("gc").text();
    let start = |sign: &str, state: &str| {
        let line = line_with(&text, sign);
        line[..line.find(state).unwrap_or_default()].chars().count()
    };
    assert_eq!(start(" ☑ ", "no effect"), start(" ☐ ", "if on"), "{text}");
}

/// The cells of a pane: those right of its frame, in the lines from its title to its end.
fn pane(text: &str, title: &str) -> String {
    let lines = text.lines().map(|line| line.chars().collect::<Vec<char>>());
    let lines: Vec<Vec<char>> = lines.collect();
    let is_top = |line: &Vec<char>| line.iter().any(|letter| "┌╔".contains(*letter));
    let has_title = |line: &Vec<char>| line.iter().collect::<String>().contains(title);
    let top = lines.iter().position(|line| is_top(line) && has_title(line)).unwrap_or_default();
    let name: Vec<char> = title.chars().collect();
    let at = lines[top].windows(name.len()).position(|part| part == name).unwrap_or_default();
    let left = lines[top][..at].iter().rposition(|letter| "┌╔".contains(*letter)).unwrap_or(0);
    let right = lines[top][at..].iter().position(|letter| "┐╗".contains(*letter));
    let right = right.map_or(lines[top].len(), |right| at + right);
    let end = lines[top..].iter().position(|line| "└╚".contains(line[left])).unwrap_or(1);
    let inner = |line: &Vec<char>| line[left + 1..right].iter().collect::<String>() + "\n";
    lines[top + 1..top + end].iter().map(inner).collect()
}

#[test]
fn long_value_in_the_history_takes_the_free_lines() {
    let names: Vec<String> = (0..12).map(|at| format!("name-of-the-value-{at}")).collect();
    let map = format!(
        "apiVersion: v1\nkind: ConfigMap\nmetadata: {{name: a}}\ndata:\n  list: {}\n",
        names.join(" ")
    );
    let files = [
        ("app/kustomization.yaml", "resources: [map.yaml]\npatches:\n- {path: patch.yaml}\n"),
        ("app/map.yaml", &*map),
        ("app/patch.yaml", &*map.replace("value-11", "value-99")),
    ];
    let mut bench = Workbench::of_files(&files, "app", (120, 36));
    bench.keys("gr").keys("j j");
    let text = bench.text();
    let history = pane(&text, " History ");
    let free = history.lines().rev().take_while(|line| line.trim().is_empty()).count();
    assert!(!history.contains('…') || free == 0, "{text}");
}

#[test]
fn effects_in_the_tree_begin_in_one_column() {
    let long = "a-folder/with-a-name-that-is-long/and-that-needs/all-of-the-row-of-a-tree/web.yaml";
    let (list, web) = (format!("resources:\n- {long}\n- b.yaml\n"), object("v1", "Service", "web"));
    let path = format!("app/{long}");
    let other = object("v1", "Service", "other");
    let files = [
        ("app/kustomization.yaml", &*list),
        (&*path, &*web),
        ("app/b.yaml", &*other),
        ("app/fill.yaml", "a: b\n"),
    ];
    for size in [(120, 36), (200, 60)] {
        let mut bench = Workbench::of_files(&files, "app", size);
        let tree = pane(&bench.keys("ge").text(), "Tree");
        let ends: Vec<usize> = tree
            .lines()
            .filter_map(|line| Some(line[..line.find("Service ")?].chars().count()))
            .collect();
        assert!(ends.len() >= 2 && ends.iter().all(|end| *end == ends[0]), "{ends:?} {tree}");
    }
}

#[test]
fn names_of_steps_are_whole_while_cells_or_lines_are_free() {
    let name = "a-config-map-with-a-name-that-is-longer-than-the-column-of-the-steps.yaml";
    let (list, path) = (format!("resources: [{name}]\n"), format!("app/{name}"));
    let map = object("v1", "ConfigMap", "a");
    let files = [("app/kustomization.yaml", &*list), (&*path, &*map)];
    for size in [(80, 24), (120, 36), (200, 60)] {
        let mut bench = Workbench::of_files(&files, "app", size);
        for screen in ["gs", "ge"].iter().take(if size.0 > 80 { 2 } else { 1 }) {
            let text = bench.keys(screen).text();
            let steps = if size.0 > 80 { pane(&text, "Steps") } else { text };
            assert!(!line_with(&steps, "load").contains('…'), "{steps}");
        }
    }
}

#[test]
fn counts_of_problems_are_whole_words_or_signs_with_numbers() {
    let old = "commonLabels: {a: b}\nimages: [{name: one, newTag: a}, {name: two, newTag: a}]\npatches: [{patch: '{}', target: {name: gone}}]\n";
    let folders: Vec<String> = (0..3).map(|at| format!("a-folder-with-a-name/t{at}")).collect();
    let files: Vec<(String, &str)> =
        folders.iter().map(|folder| (format!("{folder}/kustomization.yaml"), old)).collect();
    let files: Vec<(&str, &str)> = files.iter().map(|(path, text)| (&**path, *text)).collect();
    for columns in [36, 44, 60, 80, 120] {
        let bench = Workbench::of_files(&files, "", (columns, 24));
        let text = bench.text();
        for word in ["err", "warn", "not"] {
            let whole = ["error", "warning", "note", "not built", "not used"];
            let cut = text
                .match_indices(word)
                .find(|(at, _)| !whole.iter().any(|whole| text[*at..].starts_with(whole)));
            assert!(cut.is_none(), "{columns}: {text}");
        }
    }
}

#[test]
fn scrolled_text_begins_at_a_word_or_with_a_mark() {
    let long = "a-base/of-the-whole-platform/with-a-long-name/that-is-gone/for-ever/and-ever";
    let broken = format!("resources:\n- ../../{long}\n");
    let files = [("apps/broken/kustomization.yaml", &*broken)];
    let mut bench = Workbench::of_files(&files, "", (80, 24));
    let text = bench.keys("gg alt-l alt-l").text();
    let row = line_with(&text, "broken").split("broken").nth(1).unwrap();
    assert!(row.trim_start().starts_with('…'), "{text}");
}
