//! Commands of the user's own config file: keys, menu, palette, placeholders, output.

use kzui::tui::{Access, UserCommand, WorkbenchConfig};

use crate::support::{Disk, Workbench};

const FILES: &[(&str, &str)] = &[
    ("kustomization.yaml", "resources:\n- map.yaml\nnamePrefix: dev-\n"),
    ("map.yaml", "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: it's\ndata: {a: b}\n"),
];

fn disk() -> Disk {
    let disk = Disk::default();
    for (path, text) in FILES {
        disk.put(&format!("/demo/{path}"), text);
    }
    disk
}

fn command(name: &str, run: &str) -> UserCommand {
    UserCommand { name: name.to_owned(), run: run.to_owned(), ..UserCommand::default() }
}

fn bench(commands: Vec<UserCommand>) -> Workbench {
    let config = WorkbenchConfig { commands, ..WorkbenchConfig::default() };
    Workbench::new(disk(), "", (120, 36), config)
}

#[test]
fn key_runs_a_command_with_quoted_values_and_its_output_is_shown() {
    let run = "lint {file}:{line} {resource} {other} < {output}";
    let lint = UserCommand { key: Some("ctrl-x".to_owned()), ..command("lint", run) };
    let mut bench = bench(vec![lint]);
    bench.keys("gr ctrl-x");
    let asked = bench.asked.join("\n");
    assert!(asked.contains("/map.yaml:1 \"ConfigMap/it's\" {other} < \"$KZUI_OUTPUT\""), "{asked}");
    assert!(asked.contains("KZUI_OUTPUT\napiVersion: v1"), "{asked}");
    let text = bench.text();
    assert!(text.contains("lint  exit status 3"), "{text}");
    assert!(text.contains("two ") && !text.contains('\x1b'), "{text}");
    // The last line is shown already.
    bench.keys("G j space");
    assert_eq!(bench.text(), text);
    bench.keys("esc");
    assert!(!bench.text().contains("exit status 3"), "{}", bench.text());
}

#[test]
fn menu_and_palette_offer_the_commands_of_their_screens() {
    let steps = UserCommand { screens: vec!["steps".to_owned()], ..command("only-steps", "true") };
    let mut bench = bench(vec![steps, command("all", "true")]);
    bench.keys("x");
    let text = bench.text();
    assert!(text.contains("all: true") && !text.contains("only-steps"), "{text}");
    bench.keys("esc gs :").type_text("only-steps").keys("enter");
    assert!(bench.asked.iter().any(|it| it.starts_with("run true")), "{:?}", bench.asked);
}

#[test]
fn prompt_is_asked_first_and_a_missing_value_runs_no_command() {
    let asks = UserCommand {
        key: Some("ctrl-x".to_owned()),
        prompt: Some("Really?".to_owned()),
        ..command("asks", "true")
    };
    let diff = UserCommand { key: Some("ctrl-b".to_owned()), ..command("diff", "cat {diff}") };
    let mut bench = bench(vec![asks, diff]);
    bench.keys("ctrl-x");
    assert!(bench.text().contains("Really?"), "{}", bench.text());
    bench.keys("n ctrl-x");
    assert!(bench.asked.is_empty(), "{:?}", bench.asked);
    bench.keys("y esc");
    assert_eq!(bench.asked.len(), 1, "{:?}", bench.asked);
    bench.keys("gs gg ctrl-b");
    let has_run = bench.asked.last().is_some_and(|run| run.contains("--- a/ConfigMap"));
    // An added resource removes no line.
    let has_run = has_run && bench.asked.last().is_some_and(|run| run.contains("@@ -0,0 +1"));
    assert!(has_run, "{:?}", bench.asked);
}

#[test]
fn linters_get_the_map_of_the_output() {
    let linter = UserCommand { key: Some("ctrl-x".to_owned()), ..command("kubeconform", "") };
    let mut bench = bench(vec![linter]);
    bench.keys("ctrl-x");
    let run = bench.asked.last().cloned().unwrap_or_default();
    assert!(run.contains("KZUI_MAP\n{") && run.contains("map.yaml"), "{run}");
}

#[test]
fn read_only_workbench_and_bound_keys_run_no_command() {
    let taken = UserCommand { key: Some("j".to_owned()), ..command("taken", "true") };
    let config = WorkbenchConfig { commands: vec![taken], ..WorkbenchConfig::default() };
    let mut bench = Workbench::opened(disk(), "", (120, 36), config, Access::ReadOnly);
    bench.keys("j : t a k e n enter");
    assert!(bench.asked.is_empty(), "{:?}", bench.asked);
}
