//! All that a step changes in one view, and one selection in all panes.

use crate::support::{Workbench, check_screen, line_with, messages};

/// A namespace for many objects, one of them a Secret; then a patch of one, and a label for all.
fn workbench_with_many_objects(objects: usize) -> Workbench {
    let mut resources = String::from(
        "apiVersion: v1\nkind: Secret\nmetadata:\n  name: kept\nstringData:\n  pass: hunter2hunter2\n",
    );
    for number in 0..objects {
        resources.push_str(&format!(
            "---\napiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: c{number:04}\ndata:\n  key: v{number}\n"
        ));
    }
    let kustomization = "resources: [all.yaml]\nnamespace: shop\npatches:\n- patch: |-\n    apiVersion: v1\n    kind: \
                         ConfigMap\n    metadata:\n      name: c0002\n    data:\n      key: patched\nlabels:\n- pairs:\n    a: b\n";
    let files = [("kustomization.yaml", kustomization), ("all.yaml", &*resources)];
    Workbench::of_files(&files, "", (120, 36))
}

/// The number of the current step, from the timeline.
fn current_step(bench: &Workbench) -> usize {
    let text = bench.text();
    let strip = text.lines().find_map(|line| line.strip_prefix(" step ")).unwrap();
    strip.split('/').next().unwrap().parse().unwrap()
}

/// Goes to the step that sets the namespace, with the focus in the diff of the Diff screen.
fn go_to_namespace_step(bench: &mut Workbench) {
    bench.keys(": 3 enter gd tab gg");
    assert!(bench.text().contains("Step 3  namespace shop"), "{}", bench.text());
}

#[test]
fn step_is_one_diff_and_scrolling_selects_resources() {
    let mut bench = workbench_with_many_objects(30);
    go_to_namespace_step(&mut bench);
    let text = bench.text();
    assert!(text.contains(" 1 of 31"), "{text}");
    // The resources follow each other, each with its name as heading.
    let headings = |bench: &Workbench| -> Vec<String> {
        let text = bench.text();
        let lines = text.lines().filter_map(|line| line.split_once("~ ConfigMap c0"));
        lines.map(|(_, rest)| rest[..3].to_owned()).collect()
    };
    assert!(headings(&bench).len() >= 3, "{text}");
    bench.keys("ctrl-d ctrl-d ctrl-d");
    let text = bench.text();
    let title = text.lines().nth(2).unwrap().to_owned();
    let name = title.split("ConfigMap ").nth(1).unwrap().split(' ').next().unwrap().to_owned();
    assert!(name.as_str() > "c0002", "{text}");
    // The Resource screen shows the same resource.
    bench.keys("gr");
    assert!(
        bench.text().contains(&format!("ConfigMap shop/{name}  after step")),
        "{}",
        bench.text()
    );
    // Back on the diff, the list, the diff and the title are unchanged.
    bench.keys("gd");
    assert_eq!(bench.text().lines().nth(2).unwrap(), title);
    bench.keys("G");
    assert!(bench.text().contains("31 of 31"), "{}", bench.text());
    bench.keys("gg");
    assert!(bench.text().contains(" 1 of 31"), "{}", bench.text());
}

#[test]
fn changes_and_search_cross_the_resources_of_a_diff() {
    let mut bench = workbench_with_many_objects(400);
    go_to_namespace_step(&mut bench);
    let mut seen = Vec::new();
    for keys in ["n", "n", "]c", "n", "N", "[c"] {
        bench.keys(keys);
        let title = bench.text().lines().nth(2).unwrap().to_owned();
        let place = title.split(" of 401").next().unwrap().rsplit(' ').next().unwrap().to_owned();
        seen.push(place.parse::<usize>().unwrap());
    }
    assert!(seen[0] < seen[3] && seen[3] > seen[5], "{seen:?}");
    bench.keys("gg /").type_text("c0399").keys("enter");
    assert!(bench.text().contains("ConfigMap c0399  +1 −0  401 of 401"), "{}", bench.text());
    bench.keys("[r");
    assert!(bench.text().contains("ConfigMap c0398  +1 −0  400 of 401"), "{}", bench.text());
}

#[test]
fn secret_in_a_combined_diff_stays_masked() {
    let mut bench = workbench_with_many_objects(3);
    bench.keys("gs gg gd tab");
    let text = bench.text();
    assert!(text.contains("Secret kept") && text.contains("<secret "), "{text}");
    assert!(!text.contains("hunter2"), "{text}");
    bench.keys("V");
    assert!(bench.text().contains("hunter2hunter2"), "{}", bench.text());
}

#[test]
fn combined_diff_matches_snapshots_at_every_size() {
    for (columns, rows) in [(80, 24), (120, 36), (200, 60)] {
        let mut bench = Workbench::of_demo("shop", "overlays/production", (columns, rows));
        bench.keys(": 7 5 enter gd tab ctrl-d");
        check_screen(&format!("whole-diff-{columns}x{rows}"), &bench.screen());
    }
}

/// The chosen resource is selected again as soon as a step changes it; otherwise all panes show a
/// change of the step.
#[test]
fn step_change_keeps_the_chosen_resource() {
    let mut bench = workbench_with_many_objects(4);
    bench.resize(200, 60);
    // The Secret is chosen in the step that sets the namespace; the next step patches another
    // resource.
    go_to_namespace_step(&mut bench);
    bench.keys("gg gs");
    let inspector = |bench: &Workbench| {
        let text = bench.text();
        // The pane of the diff, below the list of changed resources.
        let line = text.lines().skip(3).find(|line| line.contains('┌')).unwrap().to_owned();
        line.rsplit('┌').next().unwrap().trim_matches(['─', '┐', ' ']).to_owned()
    };
    assert!(inspector(&bench).starts_with("Secret kept"), "{}", bench.text());
    let namespace = current_step(&bench);
    bench.keys("gg c");
    assert!(inspector(&bench).starts_with("ConfigMap c0002"), "{}", bench.text());
    bench.keys(&format!(": {namespace} enter"));
    assert!(inspector(&bench).starts_with("Secret kept"), "{}", bench.text());
}

#[test]
fn tree_selection_and_current_step_follow_each_other() {
    let mut bench = Workbench::of_demo("shop", "overlays/production", (200, 60));
    bench.keys("1 gg /").type_text("orders-memory").keys("enter esc");
    let here = current_step(&bench);
    assert!(bench.text().contains(messages::EFFECT_OF_ROW), "{}", bench.text());
    bench.keys("gs");
    let text = bench.text();
    let row = text.lines().find(|line| line.contains(&format!("▶   {here} "))).unwrap();
    assert!(row.contains("orders-memory.yaml"), "{text}");
    // After two steps, the tree pane is at the entry that does them.
    bench.keys(") )");
    let screen = bench.screen();
    let rows = screen.content.chunks(200);
    let text = rows.map(|row| row.iter().map(ratatui::buffer::Cell::symbol).collect::<String>());
    let text: Vec<String> = text.collect();
    assert_eq!(current_step(&bench), here + 2);
    // The tree has the first columns.
    let tree = |row: &String| row.chars().take(54).collect::<String>();
    let at = text.iter().position(|row| tree(row).contains("namespace shop")).unwrap();
    let cell = &screen.content[at * 200 + 4];
    // The selected row has two lines.
    let plain = &screen.content[(at + 2) * 200 + 4];
    assert_ne!(cell.bg, plain.bg, "the row is selected: {}", text.join("\n"));
    // ctrl-o goes back, and selects the earlier resource.
    bench.keys("gr");
    let before = bench.text().lines().nth(2).unwrap().to_owned();
    bench.keys("gw ctrl-o");
    assert_eq!(bench.text().lines().nth(2).unwrap(), before);
}

/// An empty screen gives the reason, and names a key only if it helps.
#[test]
fn empty_screens_give_their_reason() {
    let failing = [("kustomization.yaml", "")];
    let waiting = [("kustomization.yaml", "resources:\n- https://example.com/x/y.git?ref=v1\n")];
    for (files, reason, keys) in [
        (failing, messages::FAILED_BEFORE_LOADING, &["gp"][..]),
        (waiting, messages::STEPS_ARE_PENDING, &["gp:", "F:"]),
    ] {
        let mut bench = Workbench::of_files(&files, "", (80, 24));
        bench.keys("gr");
        let text = bench.text();
        let line = line_with(&text, reason);
        assert!(keys.iter().all(|key| line.contains(key)), "{text}");
        bench.keys("gc");
        let text = bench.text();
        assert!(text.contains(messages::NO_COMPONENTS), "{text}");
        assert!(!text.contains(messages::TRY_WITH_SPACE), "there is nothing to switch: {text}");
        assert!(text.contains("── Effect ──"), "{text}");
    }
}
