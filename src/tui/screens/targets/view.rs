//! The Board: targets with their state, users and dependencies.

use crate::display::counted;
use crate::model::{BoardSort, Model, WorkKind, comparing_words, with_thousands};
use crate::theme::StyleRole;

pub(crate) fn title(model: &Model) -> String {
    let board = &model.board;
    let Some(repository) = &board.repository else { return "Targets".to_owned() };
    let totals = &board.totals;
    let all = totals.kustomizations;
    if repository.is_unread {
        return format!("Targets  reading {} kustomizations", with_thousands(all));
    }
    let of = match board.with_bases {
        true if totals.listed == all => " kustomizations".to_owned(),
        true => " with bases".to_owned(),
        false => format!(" of {all} kustomizations"),
    };
    let mut title = format!("Targets  {}{of}", totals.listed);
    if totals.managers > 0 {
        title.push_str(&format!(" · {}", counted(totals.managers, "deployment object")));
    }
    // The end of a long title is cut: the targets that build are last.
    let states = [(totals.fail, "not built"), (totals.wait, "pending"), (totals.build, "built")];
    for (count, word) in states {
        if count > 0 {
            title.push_str(&format!(" · {count} {word}"));
        }
    }
    if repository.left_out.is_some() {
        title.push_str(" · list incomplete");
    }
    if board.sort != BoardSort::Folder {
        title.push_str(&format!("  {}", board.sort.word()));
    }
    title
}

pub(crate) fn empty(model: &Model) -> String {
    let board = &model.board;
    match (&board.error, &board.repository) {
        (Some(error), _) => format!("{} {error}", model.glyphs().failed),
        (None, None) => "reading the kustomization files…".to_owned(),
        _ if model.panes.filters.contains_key(&crate::screen::Pane::Targets) => {
            "no match (esc: all targets)".to_owned()
        }
        _ => {
            "no kustomization here or below; quit (q) and try `kzui DIR` or `kzui demo`".to_owned()
        }
    }
}

pub(crate) fn progress(model: &Model) -> (StyleRole, String) {
    let glyphs = model.glyphs();
    let board = &model.board;
    let total = board.summaries.len() + board.pending.len();
    // While the repository is not read, its targets have no results.
    if board.repository.as_ref().is_none_or(|repository| repository.is_unread) {
        return (StyleRole::Dim, String::new());
    }
    if !board.pending.is_empty() {
        let done = total - board.pending.len();
        return (StyleRole::Warning, format!("building {done} of {total}"));
    }
    if board.findings.all.is_none() {
        return (StyleRole::Warning, format!("checking {total}"));
    }
    if model.work.is_running(WorkKind::Branch) {
        let progress = model.work.progress(WorkKind::Branch);
        return (StyleRole::Warning, format!("branch: {}", comparing_words(progress)));
    }
    let totals = &board.totals;
    let all = totals.build + totals.fail + totals.wait;
    if totals.fail > 0 && totals.errors > 0 {
        let words = format!("{} {} of {all} not built", glyphs.failed, totals.fail);
        return (StyleRole::Error, words);
    }
    match (all, totals.errors) {
        (0, _) => (StyleRole::Dim, String::new()),
        (total, 0) if total == totals.build => {
            (StyleRole::Ok, format!("{} {total} built", glyphs.applied))
        }
        (total, 0) => (StyleRole::Text, format!("{} of {total} built", totals.build)),
        (total, errors) => {
            let words = format!("{} {errors} of {total} with errors", glyphs.failed);
            (StyleRole::Error, words)
        }
    }
}
