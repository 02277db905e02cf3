//! The registry of diagnostics: its pages, its list in the book, and that codes come only from it.

use std::path::Path;

use kzui::answers::add_faults;
use kzui::cli::diagnostics_book;
use kzui::engine::diagnostic::{Code, all_codes};
use kzui::engine::evaluate::{BuildCache, BuildOptions, Ports, evaluate};
use kzui::engine::load::MemoryFiles;

use crate::support::kzui;
use crate::support::messages;

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

#[test]
fn diagnostics_book_lists_all_codes() {
    let file = root().join("assets/book/diagnostics.md");
    let book = diagnostics_book();
    if std::env::var("UPDATE").is_ok_and(|value| value == "1") {
        fs_err::create_dir_all(file.parent().unwrap()).unwrap();
        fs_err::write(&file, &book).unwrap();
    }
    let text = fs_err::read_to_string(&file).unwrap();
    assert_eq!(text, book, "UPDATE=1 writes the list again");
}

#[test]
fn every_example_is_a_page_that_shows_the_code() {
    for code in all_codes().filter(|code| !code.rule().example.is_empty()) {
        let page = root().join(code.rule().example);
        let text = fs_err::read_to_string(&page).unwrap();
        assert!(text.contains(code.as_str()), "{code} is not told in {}", page.display());
    }
}

#[test]
fn codes_in_source_files_are_in_the_registry() {
    let known: Vec<&str> = all_codes().map(Code::as_str).collect();
    let sources = walkdir::WalkDir::new(root().join("src")).into_iter().flatten();
    let mut found = 0;
    for entry in sources.filter(|entry| entry.path().extension().is_some_and(|it| it == "rs")) {
        let text = fs_err::read_to_string(entry.path()).unwrap();
        for (at, _) in text.match_indices("KZ") {
            let code: String = text[at..].chars().take(5).collect();
            if code.len() == 5
                && code[2..].bytes().all(|byte| byte.is_ascii_digit())
                && code != "KZ999"
            {
                found += 1;
                assert!(known.contains(&&*code), "{code} in {}", entry.path().display());
            }
        }
    }
    assert!(found > known.len());
}

#[test]
fn explain_prints_a_page_and_the_list() {
    let page = kzui(&["explain", "kz113"]);
    assert_eq!(page.status, Some(0));
    assert!(
        page.out
            .starts_with(&format!("KZ113 (warning): {}\n", messages::REFERENCE_STILL_HAS_OLD_NAME)),
        "{}",
        page.out
    );
    let list = kzui(&["explain"]);
    let (catalogs, others): (Vec<&str>, Vec<&str>) =
        list.out.lines().partition(|line| line.starts_with("CAT-"));
    assert_eq!(others.len(), all_codes().count());
    assert!(catalogs.len() > 10, "{}", list.out);
    let wrong = kzui(&["explain", "KZ1133"]);
    assert_eq!(wrong.status, Some(2));
    assert!(
        wrong.err.contains(&format!("{} KZ1133", messages::NO_DIAGNOSTIC_HAS_CODE)),
        "{}",
        wrong.err
    );
}

/// A recording may be checked more than once: steps from memory keep their diagnostics.
#[test]
fn repeated_check_adds_no_diagnostics() {
    let patch = "patches:\n- patch: |-\n    apiVersion: apps/v1\n    kind: Deployment\n    metadata: {name: web}\n    spec: {template: {spec: {containers: [{name: ap}]}}}\n";
    let web = "apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: web}\nspec: {template: {spec: {containers: [{name: app, image: a}]}}}\n";
    let files = MemoryFiles::default()
        .file("/k/kustomization.yaml", format!("resources: [web.yaml]\n{patch}"))
        .file("/k/web.yaml", web);
    let ports = Ports::of_files(files.clone());
    let options = BuildOptions::default();
    let mut evaluation =
        evaluate("k", Path::new("/"), &options, &ports, &mut BuildCache::default());
    let mut told = || -> Vec<String> {
        add_faults(&mut evaluation, &files);
        let all = evaluation.trace.steps.iter().flat_map(|step| &step.warnings);
        all.map(|it| format!("{}: {}", it.code(), it.remark)).collect()
    };
    let once = told();
    assert!(once.iter().any(|it| it.starts_with("KZ212: ")), "{once:?}");
    assert_eq!(told(), once);
}
