//! Rows and messages that name all that they count, and that belong to their screen.

use crate::support::{Disk, Workbench};

/// A component with this number of objects of different kinds, and a target that uses it.
fn many_kinds(count: usize) -> Vec<(String, String)> {
    let objects = (0..count).map(|number| {
        format!("apiVersion: example.com/v1\nkind: Kind{number}\nmetadata: {{name: a}}\n")
    });
    let texts = [
        ("app/kustomization.yaml", "resources: [map.yaml]\ncomponents:\n- ../c\n".to_owned()),
        ("app/map.yaml", "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: m}\n".to_owned()),
        (
            "c/kustomization.yaml",
            "apiVersion: kustomize.config.k8s.io/v1alpha1\nkind: Component\nresources: [all.yaml]\n"
                .to_owned(),
        ),
        ("c/all.yaml", objects.collect::<Vec<_>>().join("---\n")),
    ];
    texts.into_iter().map(|(path, text)| (path.to_owned(), text)).collect()
}

fn open(files: &[(String, String)], size: (u16, u16)) -> Workbench {
    let files: Vec<(&str, &str)> =
        files.iter().map(|(path, text)| (path.as_str(), text.as_str())).collect();
    Workbench::of_files(&files, "app", size)
}

#[test]
fn changes_of_an_edit_are_all_listed_or_counted() {
    let mut bench = open(&many_kinds(8), (120, 36));
    bench.keys("/").type_text("../c").keys("enter space 2");
    let text = bench.text();
    for number in 0..8 {
        assert!(text.matches(&format!("Kind{number}/a")).count() >= 1, "{number}: {text}");
    }
    let mut bench = open(&many_kinds(30), (120, 36));
    bench.keys("/").type_text("../c").keys("enter space 2");
    assert!(bench.text().contains("and 19 more (gD lists all)"), "{}", bench.text());
}

#[test]
fn entry_that_is_toggled_three_times_is_one_row() {
    let mut bench = open(&many_kinds(8), (120, 36));
    bench.keys("/").type_text("../c").keys("enter space space space 2");
    let text = bench.text();
    assert!(text.contains("2 Change ●1") && text.contains("▐Edits 1▌"), "{text}");
    assert_eq!(text.matches("switch off").count(), 1, "{text}");
    bench.keys("z z");
    assert!(bench.text().contains("2 Change ●1"), "one undo for each press: {}", bench.text());
    bench.keys("z");
    assert!(!bench.text().contains('●'), "{}", bench.text());
}

#[test]
fn reorder_is_one_edit_at_the_lines_of_its_diff() {
    let mut bench = Workbench::of_demo("shop", "overlays/staging", (120, 36));
    bench.keys("/").type_text("registry-mirror").keys("enter J 2");
    let text = bench.text();
    assert!(text.contains("☑ move components/registry-mirror down"), "{text}");
    assert!(text.contains("2 places together:"), "{text}");
    assert!(text.contains("kustomization.yaml:14  − -"), "{text}");
}

#[test]
fn menu_describes_commands_on_its_screen() {
    let mut bench = Workbench::board_of_demo("shop", (120, 36));
    bench.keys("x");
    let text = bench.text();
    assert!(!text.contains("compare the step"), "{text}");
    let mut bench = open(&many_kinds(8), (120, 36));
    bench.keys("/").type_text("../c").keys("enter space 0 x");
    assert!(bench.text().contains("compare the draft in the selected target"), "{}", bench.text());
    bench.keys("esc 2 x");
    assert!(bench.text().contains("drop the selected edit"), "{}", bench.text());
}

/// With more than ten components, each combination is described by its difference.
#[test]
fn combinations_of_many_components_differ_in_their_rows() {
    let mut files = many_kinds(8);
    let mut list = "resources: [map.yaml]\ncomponents:\n".to_owned();
    for number in 0..20 {
        let on = if number < 2 { "" } else { "# " };
        list.push_str(&format!("{on}- ../components/with-a-long-name-{number:02}\n"));
        files.push((
            format!("components/with-a-long-name-{number:02}/kustomization.yaml"),
            format!("apiVersion: kustomize.config.k8s.io/v1alpha1\nkind: Component\ncommonAnnotations: {{c{number}: x}}\n"),
        ));
    }
    files[0].1 = list;
    let mut bench = open(&files, (120, 36));
    bench.keys("gx");
    let text = bench.text();
    assert!(text.contains("20 components, "), "{text}");
    assert!(text.contains("only with-a-long-name-02"), "{text}");
    assert!(text.contains("now, with with-a-long-name-02"), "{text}");
    assert!(text.contains("of their") && !text.contains("some of the"), "{text}");
}

#[test]
fn row_of_a_step_in_a_composition_opens_its_file() {
    let mut bench = Workbench::of_demo("platform", "staging", (120, 36));
    bench.keys("/").type_text("WebApp").keys("enter e");
    let asked = bench.asked.join(" ");
    assert!(asked.contains("app/composition.yaml:"), "{asked}: {}", bench.text());
}

#[test]
fn watched_resource_is_selected() {
    let mut bench = Workbench::of_demo("shop", "overlays/staging", (120, 36));
    bench.keys(":").type_text("watch Deployment/staging-orders spec.replicas").keys("enter c gr");
    let text = bench.text();
    assert!(text.contains("▶ Deployment shop-staging/staging-orders"), "{text}");
}

#[test]
fn search_without_a_match_is_reported() {
    let mut bench = Workbench::of_demo("shop", "overlays/staging", (120, 36));
    bench.keys("/").type_text("r:[").keys("enter");
    assert!(bench.text().contains("not a regular expression: `r:[`"), "{}", bench.text());
    bench.keys("esc gr /").type_text("no such text").keys("enter");
    assert!(bench.text().contains("no row matches `no such text`"), "{}", bench.text());
}

#[test]
fn list_with_bases_names_what_it_counts() {
    let mut bench = Workbench::board_of_demo("shop", (120, 36));
    bench.keys("0 ,b");
    let text = bench.text();
    assert!(text.contains(" kustomizations") || text.contains(" with bases"), "{text}");
}

/// Without an open target, the message does not speak of one.
#[test]
fn fetch_without_an_open_target_is_explained() {
    let disk = Disk::default();
    let base = "resources:\n- https://example.com/a.yaml\n";
    disk.put("/demo/a/kustomization.yaml", base);
    let mut bench = Workbench::new(disk, "", (120, 36), kzui::tui::WorkbenchConfig::default());
    bench.keys("F");
    assert!(!bench.text().contains("remote of the open target"), "{}", bench.text());
}

/// The Compare screen marks the words that differ, and has the signs of the other diffs.
#[test]
fn compare_screen_has_the_signs_of_a_diff() {
    let mut bench = Workbench::of_demo("shop", "overlays/staging", (120, 36));
    bench.keys("/").type_text("registry-mirror").keys("enter space gD");
    let text = bench.text();
    assert!(text.contains("▐Compare▌") && text.contains(" − "), "{text}");
    bench.keys("j j");
    let text = bench.text();
    assert!(!text.lines().any(|line| line.starts_with("│ -")), "{text}");
}
