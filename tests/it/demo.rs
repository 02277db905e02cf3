//! `kzui demo` and the tour around the workbench; the workbench that writes nothing.

use crate::support::{Tree, Workbench, check_screen, kzui_in, messages};

/// The keys from each stop of the tour to the next.
const TOUR_KEYS: [&str; 10] =
    ["/ l d a p enter", "space", "gs", ")", "gd", "gr", ": esc", "gp", "f", ":w enter n"];

#[test]
fn the_demo_is_written_into_a_new_folder_and_nowhere_else() {
    let tree = Tree::new(&[("mine/notes.txt", "mine\n")]);
    let said = kzui_in(&tree.root(), &["demo", "new/demo"]).built();
    assert!(said.contains("kzui new/demo/components"), "{said}");
    let there = kzui_in(&tree.root(), &["build", "new/demo/components/overlays/dev"]).built();
    let here = kzui_in(&Tree::of_demo("components").root(), &["build", "overlays/dev"]).built();
    assert_eq!(there, here);
    tree.write("new/demo/shop/base/limits.yaml", "# tried out\n");
    let said = kzui_in(&tree.root(), &["demo", "new/demo"]).built();
    assert!(said.contains(messages::NO_FILE_WRITTEN), "{said}");
    assert_eq!(tree.read("new/demo/shop/base/limits.yaml"), b"# tried out\n");

    let said = kzui_in(&tree.root(), &["demo", "mine"]).refused();
    assert!(said.contains(&format!("mine {}", messages::NOT_EMPTY)), "{said}");
    let said = kzui_in(&tree.root(), &["demo", "mine/notes.txt"]).refused();
    assert!(said.contains("notes.txt"), "{said}");
    assert_eq!(tree.read("mine/notes.txt"), b"mine\n");
    let unnamed = kzui_in(&tree.root(), &["demo"]);
    assert_eq!(unnamed.status, Some(2), "{}", unnamed.err);
}

#[test]
fn tour_stops_are_completed_by_their_keys() {
    let mut bench = Workbench::of_demo("components", "overlays/dev", (80, 24));
    bench.keys(":tour enter");
    for (number, keys) in (1..).zip(TOUR_KEYS) {
        let text = bench.text();
        assert!(text.contains(&messages::tour_stop(number)), "before {keys}:\n{text}");
        bench.keys(keys);
    }
    assert!(bench.text().contains(&messages::tour_stop(11)), "{}", bench.text());
    check_screen("tour-end-80x24", &bench.screen());
    bench.keys("ctrl-t");
    assert!(!bench.text().contains("Tour"), "{}", bench.text());
}

#[test]
fn tour_can_be_left_and_its_stops_skipped() {
    for (columns, rows) in [(80, 24), (120, 36), (200, 60)] {
        let mut bench = Workbench::of_demo("components", "overlays/dev", (columns, rows));
        bench.keys(":tour enter ctrl-t ctrl-t");
        check_screen(&format!("tour-{columns}x{rows}"), &bench.screen());
        bench.keys(":tour enter");
        assert!(bench.text().contains(messages::TOUR_ENDED), "{}", bench.text());
        assert!(!bench.text().contains("stop 3"), "{}", bench.text());
    }
}

#[test]
fn a_read_only_workbench_tries_out_and_writes_nothing() {
    let mut bench = Workbench::read_only("components", "overlays/dev", (120, 36));
    bench.keys("gc j space");
    assert!(bench.text().contains("☑  2  ldap"), "{}", bench.text());
    assert!(bench.text().contains("read-only"), "{}", bench.text());
    let file = "/demo/overlays/dev/kustomization.yaml";
    let before = bench.disk.text(file);
    for keys in [":w enter", ":wq enter", "1 e"] {
        bench.keys(keys);
        assert!(bench.text().contains("--read-only"), "{keys}: {}", bench.text());
        bench.keys("y esc");
    }
    assert_eq!(bench.disk.text(file), before);
    assert!(bench.kept.is_empty(), "a draft was kept");
}
