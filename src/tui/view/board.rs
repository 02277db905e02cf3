//! The Board: targets with their state, users and dependencies.

use ratatui::text::Line;

use super::super::model::{
    BoardRow, BoardSort, ChangeCounts, Model, OBJECTS_CELLS, changes_text, comparing_words,
    target_columns, with_thousands,
};
use super::super::text::{fit_middle, fit_middle_distinct, near, sanitize, width};
use super::super::theme::StyleRole;
use super::line::LineBuilder;
use crate::answers::TargetBuildState;
use crate::repository::{LocatedDeploymentObject, Repository};

/// The title of the list: number of targets and their results.
pub(super) fn title(model: &Model) -> String {
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
    // The end of a long title is cut: the targets that build are last.
    let states = [(totals.fail, "not built"), (totals.wait, "pending"), (totals.build, "build")];
    for (count, word) in states {
        if count > 0 {
            title.push_str(&format!(" · {count} {word}"));
        }
    }
    match totals.managers {
        0 => {}
        1 => title.push_str(" · 1 deployment object"),
        many => title.push_str(&format!(" · {many} deployment objects")),
    }
    if repository.left_out.is_some() {
        title.push_str(" · list incomplete");
    }
    if board.sort != BoardSort::Folder {
        title.push_str(&format!("  {}", board.sort.word()));
    }
    title
}

pub(super) fn header(model: &Model, columns: u16) -> Line<'static> {
    let columns = usize::from(columns);
    let (name, problems, draft, branch) = target_columns(model, columns);
    let mut line = LineBuilder::new(model, columns);
    line.put(StyleRole::Text, "   ").column(StyleRole::Dim, "target", name);
    line.push_right_aligned(StyleRole::Dim, "objects", OBJECTS_CELLS).put(StyleRole::Text, "  ");
    line.column(StyleRole::Dim, "problems", problems);
    if draft > 0 {
        line.column(StyleRole::Dim, "draft", draft);
    }
    if branch > 0 {
        line.column(StyleRole::Dim, "branch", branch);
    }
    line.finish()
}

/// The line of a target, or of a folder with targets.
pub(super) fn row(model: &Model, index: usize, columns: usize) -> Line<'static> {
    let mut line = LineBuilder::new(model, columns);
    let Some(row) = model.board.rows.get(index) else { return line.finish() };
    let (name, problems, draft, branch) = target_columns(model, columns);
    let (role, sign) = sign(model, row);
    line.put(StyleRole::Text, " ").put(role, sign).put(StyleRole::Text, " ");
    let glyphs = model.glyphs();
    let fold = match row.open {
        Some(true) => format!("{} ", glyphs.open),
        Some(false) => format!("{} ", glyphs.closed),
        None => String::new(),
    };
    let count = match row.open {
        Some(false) if row.counts.targets > 1 => format!(" ({})", row.counts.targets),
        _ => String::new(),
    };
    let indent = "  ".repeat(row.depth);
    let label = sanitize(&row.label).into_owned();
    let near = near(index, &model.board.rows).filter(|other| other.depth == row.depth);
    let near: Vec<String> = near.map(|other| sanitize(&other.label).into_owned()).collect();
    // A reason or a count that its column cuts gets the free cells of the name.
    let own = width(&label) + indent.len() + fold.chars().count() + count.len() + 1;
    let free = name.saturating_sub(own);
    let gap = if draft + branch > 0 { 2 } else { 0 };
    let (problem_role, words) = problem_words(model, row, problems + free - gap.min(problems));
    let missing = (width(&words) + gap).saturating_sub(problems).min(free);
    let (name, problems) = (name - missing, problems + missing);
    let room = name.saturating_sub(indent.len() + fold.chars().count() + count.len() + 1);
    let text = format!(
        "{indent}{fold}{}{count}",
        fit_middle_distinct(&label, room, near.iter().map(String::as_str))
    );
    line.column(if row.is_target { StyleRole::Text } else { StyleRole::Dim }, &text, name);
    let counted = if row.counts.built == row.counts.fails {
        glyphs.minus.to_owned()
    } else {
        with_thousands(row.counts.objects)
    };
    line.push_right_aligned(StyleRole::Text, &counted, OBJECTS_CELLS).put(StyleRole::Text, "  ");
    // A gap, so that the next column does not follow a word directly.
    line.column(problem_role, &fit_middle(&words, problems.saturating_sub(gap)), problems);
    if draft > 0 {
        let (role, words) = change_words(model, row.counts.draft);
        line.counts(role, &words, draft);
    }
    if branch > 0 {
        let (role, words) = match model.branch.request {
            Some(_) => (StyleRole::Dim, "…".to_owned()),
            None => change_words(model, row.counts.branch),
        };
        line.counts(role, &words, branch);
    }
    line.finish()
}

fn sign(model: &Model, row: &BoardRow) -> (StyleRole, &'static str) {
    let glyphs = model.glyphs();
    let counts = &row.counts;
    if model.board.pending.contains(&row.path) && row.is_target {
        return (StyleRole::Dim, glyphs.fold.get(..glyphs.fold.len()).unwrap_or("…"));
    }
    match () {
        () if counts.fails > 0 && counts.errors > 0 => (StyleRole::Error, glyphs.failed),
        // The owner does not build the target: `kzui check` has a note.
        () if counts.fails > 0 => (StyleRole::Dim, glyphs.failed),
        () if counts.waits > 0 => (StyleRole::Warning, glyphs.waiting),
        // A deployment object whose source is in another repository has no build.
        () if counts.built == 0 || is_pending(model, row) => (StyleRole::Dim, glyphs.bars[0]),
        () if counts.errors > 0 => (StyleRole::Error, glyphs.failed),
        () if counts.warnings > 0 => (StyleRole::Warning, glyphs.warning),
        () => (StyleRole::Ok, glyphs.applied),
    }
}

/// True while a target in a folder is still to be built.
fn is_pending(model: &Model, row: &BoardRow) -> bool {
    let mut from = model.board.pending.range(row.path.clone()..);
    from.next().is_some_and(|next| next.starts_with(&row.path))
}

/// The reason why a deployment object is not built as a separate target.
fn unbuilt_reason(model: &Model, row: &BoardRow) -> Option<&'static str> {
    let board = &model.board;
    let is_unbuilt = row.open != Some(true) && row.counts.built == 0;
    if !is_unbuilt || board.pending.contains(&row.path) {
        return None;
    }
    let is_shown = |manager: &&LocatedDeploymentObject| {
        if row.is_target { manager.target() == row.path } else { manager.at.file == row.path }
    };
    let repository = board.repository.as_deref()?;
    let mut reasons = board
        .listed_deployment_objects()
        .filter(is_shown)
        .map(|manager| reason_of_object(manager, repository));
    // A closed row of a file has the reason that all of its objects have.
    let first = reasons.next()?;
    reasons.all(|reason| reason == first).then_some(first)
}

/// The reason why a deployment object is not built.
fn reason_of_object(object: &LocatedDeploymentObject, repository: &Repository) -> &'static str {
    match &object.builds {
        None if object.path.contains("{{") => "generated",
        None => "not in repository",
        Some(_) if object.object == "ApplicationSet" => "generated",
        Some(_) if object.is_buildable(repository) => "not generated",
        Some(_) => "no kustomization",
    }
}

/// The findings of a row, the worst first.
fn problem_words(model: &Model, row: &BoardRow, cells: usize) -> (StyleRole, String) {
    let counts = &row.counts;
    if counts.targets == 1
        && let Some(summary) = model.board.summaries.get(&row.path)
        && summary.standing == TargetBuildState::Fails
    {
        let why = summary.worst.clone().unwrap_or_default();
        let root = model.board.repository.as_deref().map(|it| format!("{}/", it.root.display()));
        let why = root.map_or(why.clone(), |root| why.replace(&root, ""));
        let role = if counts.errors > 0 { StyleRole::Error } else { StyleRole::Dim };
        return (role, sanitize(&why).into_owned());
    }
    if let Some(why) = unbuilt_reason(model, row) {
        return (StyleRole::Dim, why.to_owned());
    }
    let count = |count: usize, one: &str, many: &str| match count {
        0 => None,
        1 => Some(format!("1 {one}")),
        count => Some(format!("{} {many}", with_thousands(count))),
    };
    let mut parts = Vec::new();
    if counts.targets > 1 {
        parts.extend(count(counts.fails, "not built", "not built"));
        parts.extend(count(counts.waits, "pending", "pending"));
    } else if counts.waits > 0 {
        // The numbers of pending targets and of pending steps would look alike.
        parts.push("pending".to_owned());
    }
    let with_findings = |words: [(&str, &str); 2]| {
        let [(error, errors), (warning, warnings)] = words;
        let mut parts = parts.clone();
        parts.extend(count(counts.errors, error, errors));
        parts.extend(count(counts.warnings, warning, warnings));
        parts
    };
    let words = with_findings([("error", "errors"), ("warning", "warnings")]);
    if words.is_empty() {
        let notes = count(counts.notes, "note", "notes").unwrap_or_default();
        return (StyleRole::Dim, notes);
    }
    let role = match () {
        () if counts.errors > 0 => StyleRole::Error,
        () if counts.warnings + counts.waits > 0 => StyleRole::Warning,
        () => StyleRole::Dim,
    };
    let words = words.join(", ");
    if width(&words) <= cells {
        return (role, words);
    }
    // In a narrow column the words are shorter, and the least severe findings are omitted.
    let mut parts = with_findings([("err", "errs"), ("warn", "warns")]);
    let mut left_out = "";
    while width(&parts.join(", ")) + width(left_out) > cells && parts.len() > 1 {
        parts.pop();
        left_out = " …";
    }
    (role, format!("{}{left_out}", parts.join(", ")))
}

/// The changes of the draft or of the branch in a row, with their role.
fn change_words(model: &Model, counts: ChangeCounts) -> (StyleRole, String) {
    let ChangeCounts { broken, unknown, partly_known, errors, warnings, .. } = counts;
    let role = match () {
        () if broken + errors > 0 => StyleRole::Error,
        () if warnings + unknown + partly_known > 0 => StyleRole::Warning,
        () => StyleRole::Draft,
    };
    (role, changes_text(counts, model.glyphs()))
}

/// The title of the pane with the users of a target.
pub(super) fn users_title(model: &Model) -> String {
    match model.board.path_of_shown_users() {
        Some(path) => format!("Users  {}", sanitize(&model.board.shown(path))),
        None => "Users".to_owned(),
    }
}

/// The text of a list without rows: an error, the progress, or the reason.
pub(super) fn empty(model: &Model) -> String {
    let board = &model.board;
    match (&board.error, &board.repository) {
        (Some(error), _) => format!("{} {error}", model.glyphs().failed),
        (None, None) => "reading the kustomization files…".to_owned(),
        _ if model.panes.filters.contains_key(&super::Pane::Targets) => {
            "no match (esc: all targets)".to_owned()
        }
        _ => {
            "no kustomization here or below; quit (q) and try `kzui DIR` or `kzui demo`".to_owned()
        }
    }
}

/// The progress of the builds of all targets.
pub(super) fn progress(model: &Model) -> (StyleRole, String) {
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
    if board.findings.rows.is_none() {
        return (StyleRole::Warning, format!("checking {total}"));
    }
    if model.branch.request.is_some() {
        return (StyleRole::Warning, format!("branch: {}", comparing_words(model.branch.progress)));
    }
    let totals = &board.totals;
    match (totals.build + totals.fail + totals.wait, totals.errors) {
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
