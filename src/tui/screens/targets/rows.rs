//! Rows of the list of targets.

use crate::answers::TargetBuildState;
use crate::model::{BoardRow, ChangeCounts, Model, WorkKind, changes_text, with_thousands};
use crate::repository::{LocatedDeploymentObject, Repository};
use crate::rows::{Cell, Keep, ListRow};
use crate::theme::StyleRole;

const OBJECTS_CELLS: usize = 7;

pub(crate) fn header(model: &Model) -> ListRow {
    let mut names = vec!["target", "objects", "problems"];
    names.extend(model.has_draft().then_some("draft"));
    names.extend(model.shows_branch().then_some("branch"));
    let lead = vec![(StyleRole::Text, "   ".to_owned())];
    ListRow { lead, ..ListRow::header("", &names, &[]) }
}

pub(crate) fn row(model: &Model, index: usize) -> Option<ListRow> {
    let row = model.board.rows.get(index)?;
    let (role, sign) = sign(model, row);
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
    let name_role = if row.is_target { StyleRole::Text } else { StyleRole::Dim };
    let indent = "  ".repeat(row.depth);
    let lead = vec![
        (StyleRole::Text, " ".to_owned()),
        (role, sign.to_owned()),
        (name_role, format!(" {indent}{fold}")),
    ];
    let counted = if row.counts.built == row.counts.fails {
        glyphs.minus.to_owned()
    } else {
        with_thousands(row.counts.objects)
    };
    let mut cells = vec![
        Cell::new(name_role, Keep::Ends, format!("{}{count}", row.label)),
        Cell::new(StyleRole::Text, Keep::All, format!("{counted:>OBJECTS_CELLS$}")),
        problems(model, row),
    ];
    if model.has_draft() {
        let (role, words) = change_words(model, row.counts.draft, row.counts.targets);
        cells.push(Cell::counts(role, Keep::All, words));
    }
    if model.shows_branch() {
        let (role, words) = if model.work.is_running(WorkKind::Branch) {
            (StyleRole::Dim, "…".to_owned())
        } else {
            change_words(model, row.counts.branch, row.counts.targets)
        };
        cells.push(Cell::counts(role, Keep::All, words));
    }
    Some(ListRow::new(lead, cells))
}

fn sign(model: &Model, row: &BoardRow) -> (StyleRole, &'static str) {
    let glyphs = model.glyphs();
    let counts = &row.counts;
    if model.board.pending.contains(&row.path) && row.is_target {
        return (StyleRole::Dim, glyphs.fold);
    }
    match () {
        () if counts.fails > 0 && counts.errors > 0 => (StyleRole::Error, glyphs.failed),
        // The owner does not build the target: `kzui check` has a note.
        () if counts.fails > 0 => (StyleRole::Dim, glyphs.failed),
        () if counts.waits > 0 => (StyleRole::Warning, glyphs.waiting),
        // A deployment object whose source is in another repository has no build.
        () if counts.built == 0 || is_pending(model, row) => (StyleRole::Dim, glyphs.bars[0]),
        () => findings_sign(model, counts.errors, counts.warnings),
    }
}

pub(crate) fn findings_sign(
    model: &Model,
    errors: usize,
    warnings: usize,
) -> (StyleRole, &'static str) {
    let glyphs = model.glyphs();
    match () {
        () if errors > 0 => (StyleRole::Error, glyphs.failed),
        () if warnings > 0 => (StyleRole::Warning, glyphs.warning),
        () => (StyleRole::Ok, glyphs.applied),
    }
}

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
    let managers = board.listed_deployment_objects().filter(is_shown);
    let mut reasons = managers.map(|manager| reason_of_object(manager, repository));
    // A closed row of a file has the reason that all of its objects have.
    let first = reasons.next()?;
    reasons.all(|reason| reason == first).then_some(first)
}

fn reason_of_object(object: &LocatedDeploymentObject, repository: &Repository) -> &'static str {
    match &object.builds {
        None if object.path.contains("{{") => "generated",
        None => "not in repository",
        Some(_) if object.definition.is_set() => "generated",
        Some(_) if repository.can_build(object) => "not generated",
        Some(_) => "no kustomization",
    }
}

fn problems(model: &Model, row: &BoardRow) -> Cell {
    let counts = &row.counts;
    if counts.targets == 1
        && let Some(summary) = model.board.summaries.get(&row.path)
        && summary.standing == TargetBuildState::Fails
    {
        let why = summary.worst.clone().unwrap_or_default();
        let root = model.board.repository.as_deref().map(|it| format!("{}/", it.root.display()));
        let why = root.map_or(why.clone(), |root| why.replace(&root, ""));
        let role = if counts.errors > 0 { StyleRole::Error } else { StyleRole::Dim };
        return Cell::new(role, Keep::Begin, why);
    }
    if let Some(why) = unbuilt_reason(model, row) {
        return Cell::new(StyleRole::Dim, Keep::Begin, why);
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
    parts.extend(count(counts.errors, "error", "errors"));
    parts.extend(count(counts.warnings, "warning", "warnings"));
    if parts.is_empty() {
        parts.extend(count(counts.notes, "note", "notes"));
    }
    let role = match () {
        () if counts.errors > 0 => StyleRole::Error,
        () if counts.warnings + counts.waits > 0 => StyleRole::Warning,
        () => StyleRole::Dim,
    };
    let glyphs = model.glyphs();
    let signs = [
        (glyphs.waiting, counts.waits),
        (glyphs.failed, counts.errors.max(counts.fails)),
        (glyphs.warning, counts.warnings),
    ];
    let signs = signs.into_iter().filter(|(_, count)| *count > 0);
    let signs: Vec<String> =
        signs.map(|(sign, count)| format!("{sign}{}", with_thousands(count))).collect();
    Cell { short: signs.join(" "), ..Cell::new(role, Keep::Short, parts.join(", ")) }
}

fn change_words(model: &Model, counts: ChangeCounts, targets: usize) -> (StyleRole, String) {
    let ChangeCounts { broken, unknown, partly_known, errors, warnings, .. } = counts;
    let role = match () {
        () if broken + errors > 0 => StyleRole::Error,
        () if warnings + unknown + partly_known > 0 => StyleRole::Warning,
        () => StyleRole::Draft,
    };
    (role, changes_text(counts, targets, model.glyphs()))
}

pub(crate) fn user(model: &Model, index: usize) -> Option<ListRow> {
    let row = model.board.users.get(index)?;
    let Some((last, above)) = row.lasts.split_last() else {
        let lead = vec![(StyleRole::Text, " ".to_owned())];
        return Some(ListRow::sentence(lead, StyleRole::Title, &row.label));
    };
    let lead: String = above.iter().map(|last| if *last { "  " } else { "│ " }).collect();
    let lead = format!(" {lead}{}", if *last { "└ " } else { "├ " });
    let role = if row.is_missing { StyleRole::Error } else { StyleRole::Text };
    // `resources:4` is short, and the line is of use only in full.
    let keep = if row.place.contains('/') { Keep::Place } else { Keep::All };
    let cells = vec![
        Cell::new(role, Keep::Path, &row.label),
        Cell::right(StyleRole::Place, keep, &row.place),
        Cell::right(StyleRole::Error, Keep::All, if row.is_missing { "missing" } else { "" }),
    ];
    Some(ListRow::new(vec![(StyleRole::Border, lead)], cells))
}
