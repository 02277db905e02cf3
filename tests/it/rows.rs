//! Rows are distinct: equal rows mean equal things, and rows are cut in their common parts.

use std::path::{Path, PathBuf};

use crate::support::{Disk, Workbench};
use kzui::tui::WorkbenchConfig;

/// More rows than are visible on usual screens.
const HEIGHT: u16 = 140;

/// The rows of a list, without numbers and counts: as drawn at 120 columns, and in full.
fn rows(bench: &mut Workbench, key: &str) -> Vec<(String, String)> {
    let drawn = |bench: &Workbench| -> Vec<String> {
        let text = bench.text();
        let frame = text.lines().skip_while(|line| !line.starts_with('╔')).skip(1);
        let body = frame.take_while(|line| !line.starts_with('╚'));
        let list = body.filter_map(|line| line.trim_start_matches('║').split('║').next());
        let mut rows: Vec<String> = Vec::new();
        for row in list {
            let (head, rest): (String, String) =
                (row.chars().take(7).collect(), row.chars().skip(7).collect());
            match rows.last_mut() {
                // A message in full goes on in further lines.
                Some(last) if head.trim().is_empty() && key.ends_with("gp") => {
                    *last = format!("{} {}", last.trim_end(), rest.trim());
                }
                _ => rows.push(rest),
            }
        }
        let rows = rows.into_iter().map(|row| {
            let words: Vec<&str> = row.split_whitespace().collect();
            let counts = words
                .iter()
                .rev()
                .take_while(|word| word.chars().all(|c| c.is_ascii_digit() || c == '.'));
            words[..words.len() - counts.count()].join(" ")
        });
        rows.filter(|row| !row.is_empty() && !row.starts_with("layer")).collect()
    };
    bench.resize(120, HEIGHT);
    match key.strip_prefix(':') {
        Some(command) => bench.keys(":").type_text(command).keys("enter"),
        None => bench.keys(key),
    };
    let cut = drawn(bench);
    bench.resize(600, HEIGHT);
    bench.keys("+");
    let whole = drawn(bench);
    bench.keys("+");
    if cut.len() > whole.len() {
        // Text that wraps is shown in full.
        return Vec::new();
    }
    // Of a list that is longer than the pane, the rows that both sizes show.
    assert!(
        cut.len() == whole.len() || cut.len() > usize::from(HEIGHT) / 2,
        "{key}: {cut:#?} {whole:#?}"
    );
    cut.into_iter().zip(whole).collect()
}

/// The number of rows, the number of those cut in a distinctive part, and two that only look the
/// same.
fn count_cut_rows(rows: &[(String, String)]) -> (usize, usize, Vec<String>) {
    let differs = |one: usize, other: usize| {
        rows.get(other).is_some_and(|other| rows[one].1 != other.1 && rows[one].0 == other.0)
    };
    let cut =
        (0..rows.len()).filter(|row| differs(*row, row + 1) || *row > 0 && differs(*row, row - 1));
    let mut alike = Vec::new();
    for (at, (cut, whole)) in rows.iter().enumerate() {
        // Rows that are further apart are not visible at the same time.
        let near = &rows[at.saturating_sub(56)..at];
        let twin = near.iter().find(|other| other.0 == *cut && other.1 != *whole);
        alike.extend(twin.map(|other| format!("{cut}\n  {whole}\n  {}", other.1)));
    }
    (rows.len(), cut.count(), alike)
}

fn workbench_from_disk(root: &Path, target: &str) -> Workbench {
    let disk = Disk::default();
    for entry in walkdir::WalkDir::new(root).into_iter().filter_map(Result::ok) {
        if entry.file_type().is_file() {
            let below = entry.path().strip_prefix(root).unwrap();
            disk.insert(Path::new("/demo").join(below), fs_err::read(entry.path()).unwrap().into());
        }
    }
    Workbench::new(disk, target, (120, 36), WorkbenchConfig::default())
}

/// The merges of a layer are far apart, after all the steps of the merged resources.
#[test]
fn merges_with_long_names_are_distinguishable() {
    let disk = Disk::default();
    let names = [
        "tensorboard-controller/upstream/overlays/kubeflow",
        "tensorboards-web-app/upstream/overlays/istio",
    ];
    let mut resources = String::from("resources:\n");
    for (at, name) in names.iter().enumerate() {
        let folder = format!("/demo/applications/of-the-whole-platform/{name}");
        let mut list = String::from("resources:\n");
        for number in 0..16 {
            let text =
                format!("apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: c{at}-{number}\n");
            disk.insert(
                Path::new(&folder).join(format!("c{number}.yaml")),
                text.into_bytes().into(),
            );
            list.push_str(&format!("- c{number}.yaml\n"));
        }
        disk.insert(Path::new(&folder).join("kustomization.yaml"), list.into_bytes().into());
        resources.push_str(&format!("- ../applications/of-the-whole-platform/{name}\n"));
    }
    disk.insert(PathBuf::from("/demo/example/kustomization.yaml"), resources.into_bytes().into());
    let mut bench = Workbench::new(disk, "example", (120, 36), WorkbenchConfig::default());
    let rows = rows(&mut bench, "gs");
    let merges = rows.iter().filter(|(_, whole)| whole.contains("merge")).count();
    assert_eq!((merges, count_cut_rows(&rows).2), (2, Vec::<String>::new()), "{rows:#?}");
}

/// The lists of a target, and those of the repository.
const TARGET_LISTS: [&str; 7] = ["ge", "gs", "gp", "gr", "gd", ":find name", "2"];
const REPOSITORY_LISTS: [&str; 4] = ["0 ,b", "0 ,s", "0 gp", "0 gc"];

/// An edit, so that the draft has an effect in some targets.
const EDIT: &str = "ge j space";

#[test]
fn demo_rows_are_distinguishable() {
    for (demo, target, other) in [
        ("shop", "overlays/production", "overlays/staging"),
        ("shop", "overlays/staging", "overlays/development"),
        ("components", "overlays/dev", "overlays/enterprise"),
    ] {
        let mut bench = Workbench::of_demo(demo, target, (120, 36));
        bench.keys(EDIT);
        let compared = format!(":compare {target} {other}");
        let lists = TARGET_LISTS.into_iter().chain(REPOSITORY_LISTS).chain([&*compared]);
        for key in lists {
            let (_, _, alike) = count_cut_rows(&rows(&mut bench, key));
            assert_eq!(alike, Vec::<String>::new(), "{demo}/{target} {key}");
        }
    }
}

/// The public trees beside the checkout, if any.
#[test]
fn rows_of_public_trees_are_distinguishable() {
    let corpus = Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared/conformance/realworld");
    let Ok(cases) = fs_err::read_dir(&corpus) else {
        eprintln!("no public trees beside the checkout: 0 measured");
        return;
    };
    let mut cases: Vec<PathBuf> = cases.filter_map(|case| Some(case.ok()?.path())).collect();
    cases.sort();
    let (mut all, mut cut, mut twins) = (0, 0, Vec::new());
    for case in cases {
        let Ok(meta) = fs_err::read_to_string(case.join("meta.json")) else { continue };
        let meta: serde_json::Value = serde_json::from_str(&meta).unwrap();
        let mut bench = workbench_from_disk(&case.join("tree"), meta["dir"].as_str().unwrap_or(""));
        for key in TARGET_LISTS.into_iter().chain(REPOSITORY_LISTS) {
            let (rows, bad, alike) = count_cut_rows(&rows(&mut bench, key));
            all += rows;
            cut += bad;
            twins.extend(alike.into_iter().map(|rows| format!("{} {key}: {rows}", case.display())));
        }
    }
    eprintln!(
        "{all} rows, {cut} cut where they differ, {} look like another: {twins:#?}",
        twins.len()
    );
    assert!(twins.is_empty());
}
