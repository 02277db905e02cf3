//! Catalogs added by hand, and fetches from inside the workbench: only on request, by name.

use kzui::tui::{Message, WorkAnswer, WorkNews};

use crate::pipeline::{CATALOG, STAMPED};
use crate::support::{Workbench, check_screen, messages};

const SIZES: [(u16, u16); 3] = [(80, 24), (120, 36), (200, 60)];
const URL: &str = "https://example.com/catalog.yaml";

#[test]
fn catalog_from_flag_is_listed_with_those_of_the_tree() {
    let other = CATALOG.replace("name: team", "name: other").replace("stamps everything", "again");
    let files: Vec<(&str, &str)> =
        STAMPED.iter().copied().chain([("other/catalog.yaml", &*other)]).collect();
    let mut bench = Workbench::of_files(&files, "app", (120, 36));
    bench.keys(":").type_text("catalog other").keys("enter");
    let text = bench.text();
    assert!(text.contains("▐Catalogs▌") && text.contains(messages::ENTERED_IN_WORKBENCH), "{text}");
    check_screen("catalogs-by-hand-120x36", &bench.screen());
    bench.keys(":").type_text("catalog nowhere").keys("enter");
    assert!(bench.text().contains("unreadable"), "{}", bench.text());
    bench.keys(":").type_text("catalog ../demo/shelf").keys("enter");
    let text = bench.text();
    assert!(
        text.contains(&format!("kustomization.yaml:1, {}", messages::ENTERED_IN_WORKBENCH)),
        "one and the same: {text}"
    );
    bench.keys(":").type_text("catalog").keys("enter").type_text("other").keys("enter");
    assert!(bench.text().contains("Review  other"), "it is asked which: {}", bench.text());
}

#[test]
fn fetch_is_confirmed_with_its_url() {
    for (columns, rows) in SIZES {
        let mut bench = Workbench::of_files(STAMPED, "app", (columns, rows));
        bench.keys("gk G");
        check_screen(&format!("catalogs-away-{columns}x{rows}"), &bench.screen());
        bench.keys("F");
        check_screen(&format!("catalogs-fetch-{columns}x{rows}"), &bench.screen());
        bench.keys("n");
        assert_eq!(bench.asked, Vec::<String>::new());
        bench.keys("T");
        assert!(bench.text().contains(messages::FETCHES_CATALOG), "{}", bench.text());
        bench.keys("F y");
        assert_eq!(bench.asked, [format!("fetch {URL}")]);
        assert!(bench.text().contains(" 404"), "{}", bench.text());
        bench.elsewhere.put(URL, CATALOG);
        bench.keys("F y");
        let text = bench.text();
        assert!(text.contains("fetched https") && !text.contains("404"), "{text}");
        bench.keys("T");
        assert!(bench.text().contains(messages::TRUST_CATALOG), "{}", bench.text());
    }
}

#[test]
fn fetching_shows_its_progress_and_stops_at_esc() {
    use std::time::Duration;
    let mut bench = Workbench::of_files(STAMPED, "app", (120, 36));
    bench.elsewhere.put(URL, CATALOG);
    bench.keys("gk G");
    bench.hold_builds();
    bench.keys("F y");
    bench.send(Message::FetchTick(Duration::from_millis(1200)));
    assert!(bench.text().contains("fetch 1/1 1.2s esc"), "{}", bench.text());
    bench.keys("F");
    assert!(bench.text().contains(messages::FETCH_RUNS), "{}", bench.text());
    assert_eq!(bench.asked, [format!("fetch {URL}")]);
    let running = bench.model.needed_work().into_iter().max().unwrap();
    bench.keys("esc");
    assert!(!bench.model.needed_work().contains(&running), "the fetch is cancelled");
    bench.end_work(running, Ok(WorkAnswer::Fetched(Vec::new())));
    assert!(
        bench.text().contains(messages::FETCH_CANCELLED),
        "a late answer is none: {}",
        bench.text()
    );
}

#[test]
fn a_comparison_shows_its_progress_and_stops_at_esc() {
    let mut bench = Workbench::of_files(STAMPED, "app", (120, 36));
    bench.hold_builds();
    bench.keys(":").type_text("compare app app").keys("enter");
    let request = bench.asked.last().and_then(|it| it.strip_prefix("compare ")).unwrap();
    let request = request.parse().unwrap();
    bench.send(Message::Work(request, WorkNews::Progress(34, 381)));
    assert!(bench.text().contains("34 of 381 targets compared"), "{}", bench.text());
    bench.keys("esc");
    assert!(bench.text().contains(messages::COMPARISON_CANCELLED), "{}", bench.text());
    bench.end_work(request, Err("late".to_owned()));
    assert!(!bench.text().contains("late"), "{}", bench.text());
}

#[test]
fn remote_base_is_fetched_from_any_screen() {
    let base = "https://example.com/base.yaml";
    let files = [("app/kustomization.yaml", "resources:\n- https://example.com/base.yaml\n")];
    let mut bench = Workbench::of_files(&files, "app", (120, 36));
    assert!(bench.text().contains("1 pending"), "{}", bench.text());
    bench.elsewhere.put(base, "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: far}\n");
    bench.keys("gp F");
    check_screen("fetch-base-120x36", &bench.screen());
    bench.keys("y");
    assert!(!bench.text().contains("waiting"), "{}", bench.text());
    bench.keys("gr");
    assert!(bench.text().contains("name: far"), "{}", bench.text());
    bench.keys("F");
    assert!(bench.text().contains(messages::NO_REMOTE_MISSING), "{}", bench.text());
}

#[test]
fn a_failed_fetch_gives_its_reason_in_the_problem() {
    let files = [("app/kustomization.yaml", "resources:\n- https://example.com/base.yaml\n")];
    let mut bench = Workbench::of_files(&files, "app", (160, 36));
    bench.keys("gp");
    assert!(bench.text().contains("only on request"), "{}", bench.text());
    bench.keys("F y");
    let text = bench.text();
    assert!(!text.contains("only on request"), "{text}");
    assert!(text.matches("not fetched: ").count() > 1, "{text}");
}

/// A URL that may be a file or a repository is one remote of the question.
#[test]
fn remote_that_may_be_a_file_is_named_once() {
    let remote = "https://github.com/example/app//config?ref=v1";
    let list = format!("resources:\n- {remote}\n");
    let mut bench = Workbench::of_files(&[("app/kustomization.yaml", &list)], "app", (120, 36));
    bench.keys("F");
    let text = bench.text();
    assert!(text.contains("Fetch this from github.com?"), "{text}");
    assert!(
        text.contains(
            "if it is none, https://github.com/example/app at v1 by git: a shallow clone"
        ),
        "{text}"
    );

    // Another file of the same repository is another request.
    let file = "https://github.com/example/app/releases/download/v1/all.yaml";
    let list = format!("resources:\n- {remote}\n- {file}\n");
    let mut bench = Workbench::of_files(&[("app/kustomization.yaml", &list)], "app", (120, 36));
    bench.keys("F");
    let text = bench.text();
    assert!(
        text.contains("Fetch these 2?") && text.contains("/releases/download/v1/all.yaml"),
        "{text}"
    );
}

#[cfg(unix)]
mod with_server {
    use super::{CATALOG, STAMPED};
    use crate::catalog::server::{Page, Server};
    use crate::support::{Key, Terminal, Tree, messages};

    /// A catalog of a server on this machine: not fetched by opening, fetched when agreed to,
    /// trusted, and in the cache the next time.
    #[test]
    fn a_catalog_is_fetched_looked_at_and_trusted() {
        let server = Server::start();
        let url = server.url("/catalog.yaml");
        let runtime = "{starlark: {path: stamp.star}}";
        let catalog = CATALOG.replace(runtime, "{container: {image: 'x:v2'}}");
        server.put("/catalog.yaml", Page::ok(catalog));
        let files: Vec<(&str, &str)> = STAMPED.to_vec();
        let tree = Tree::new(&files);
        let text =
            format!("catalogs: ['{url}']\nresources: [app.yaml]\ntransformers: [stamp.yaml]\n");
        tree.write("app/kustomization.yaml", &text);
        let home = tempfile::tempdir().expect("a scratch home");
        let cache = home.path().display().to_string();
        let variables = [("XDG_CACHE_HOME", cache.as_str())];
        let path = tree.path("app");
        let mut terminal = Terminal::start_with(&[&path], 120, 36, &variables);
        terminal.wait_for_text("1 pending");
        terminal.type_text("gk");
        terminal.wait_for_text("not fetched");
        assert_eq!(server.requests(), Vec::<String>::new());
        terminal.type_text("F");
        terminal.wait_for("the exact name", |screen| {
            screen.contains(messages::FETCH_LOCAL) && screen.contains(&url)
        });
        assert_eq!(server.requests(), Vec::<String>::new());
        terminal.type_text("y");
        terminal.wait_for_text(messages::NEVER_TRUSTED);
        assert_eq!(server.requests(), ["/catalog.yaml"]);
        terminal.type_text(":q");
        terminal.press(Key::Enter);
        assert!(terminal.wait_for_end().success());
        terminal.assert_restored();

        let mut terminal = Terminal::start_with(&[&path], 120, 36, &variables);
        terminal.wait_for_text("1 pending");
        terminal.type_text("gk");
        terminal.wait_for_text(messages::NEVER_TRUSTED);
        assert_eq!(server.requests().len(), 1, "it is at hand");
        terminal.type_text(":q");
        terminal.press(Key::Enter);
        terminal.wait_for_end();
    }
}
