//! The tree, and the text of the selected row's file.

use ratatui::text::Line;

use super::super::model::experiments::{component_trial, pair_effect_text};
use super::super::model::{EntryState, Model, StepState, TreeRow, TreeSubject};
use super::super::rows::trial_words;
use super::super::text::{fit, fit_end_distinct, fit_name, near, width};
use super::super::theme::StyleRole;
use super::line::LineBuilder;

/// The line of a row of the tree.
pub(super) fn row(model: &Model, index: usize, columns: usize) -> Line<'static> {
    let mut line = LineBuilder::new(model, columns);
    let Some(row) = model.tree.rows.get(index) else { return line.finish() };
    let glyphs = model.glyphs();
    line.put(StyleRole::Dim, &" ".repeat(1 + row.depth * 2));
    let fold = match (row.has_children, row.open) {
        (true, true) => glyphs.open,
        (true, false) => glyphs.closed,
        _ => " ",
    };
    line.put(StyleRole::Dim, fold).put(StyleRole::Text, " ");
    let is_component = match &row.subject {
        TreeSubject::Entry { entry, .. } => entry.field == "components",
        TreeSubject::Unlisted { .. } => true,
        _ => false,
    };
    let (role, sign) = sign(model, row.state, is_component);
    if !sign.is_empty() {
        line.put(role, sign).put(StyleRole::Text, " ");
    }
    if let Some(order) = row.order {
        line.put(StyleRole::Dim, &format!("{:>2} ", order + 1));
    }
    let label_role = match row.state {
        EntryState::Off | EntryState::Unlisted | EntryState::NotReached => StyleRole::Dim,
        EntryState::Broken | EntryState::Ended(StepState::Failed) => StyleRole::Error,
        _ if row.depth == 0 => StyleRole::Title,
        _ => StyleRole::Text,
    };
    let mark = order_mark(model, row);
    let room = line.room();
    let near = near(index, &model.tree.rows).filter(|near| near.depth == row.depth);
    let near: Vec<&TreeRow> = near.collect();
    // Rows with equal names, such as those of a patch with several targets, differ in the detail.
    let twins = near.iter().filter(|near| near.label == row.label && near.detail != row.detail);
    let twins: Vec<&str> = twins.map(|near| near.detail.as_str()).collect();
    let most = match max_name_cells(row, width(&mark), room) {
        most if twins.is_empty() => most,
        most => most.min(room.saturating_sub(width(&row.detail) + 2).max(room / 2)),
    };
    let column = (columns * 11 / 20).saturating_sub(columns - room);
    let label = most.min(width(&row.label).max(column));
    let names = near.iter().map(|near| near.label.as_str());
    line.column(label_role, &fit_name(&row.label, label, names), label);
    line.put(StyleRole::Text, "  ");
    line.put(StyleRole::Warning, &fit(&mark, line.room()));
    let (role, detail) = detail(model, row, line.room(), &twins);
    line.counts(role, &detail, width(&detail));
    line.finish()
}

/// The effect of a row; that of a component that is not listed, once the Components screen tried it.
/// `twins` are the details of rows with the same name.
fn detail(model: &Model, row: &TreeRow, room: usize, twins: &[&str]) -> (StyleRole, String) {
    if let TreeSubject::Unlisted { path, .. } = &row.subject {
        let (role, words) = trial_words(model, component_trial(model, path));
        return (role, fit(&words, room));
    }
    let role = match row.state {
        EntryState::Ended(StepState::MatchedNothing | StepState::Failed) => StyleRole::Error,
        EntryState::Ended(
            StepState::NoChange | StepState::Waiting | StepState::Unknown | StepState::Warned,
        ) => StyleRole::Warning,
        _ => StyleRole::Dim,
    };
    let detail = match row.state {
        _ if !twins.is_empty() => fit_end_distinct(&row.detail, room, twins.iter().copied()),
        EntryState::Ended(StepState::Applied) => fit_complete_parts(&row.detail, room),
        _ => fit(&row.detail, room),
    };
    (role, detail)
}

/// The field in which the order of the entry and its neighbour matters, once the order was tried.
fn order_mark(model: &Model, row: &TreeRow) -> String {
    let TreeSubject::Entry { entry, .. } = &row.subject else { return String::new() };
    let about = model.pairs_of(entry).first().map(|(_, pair)| pair_effect_text(pair));
    about.map(|about| format!("{} {about}  ", model.glyphs().swap)).unwrap_or_default()
}

/// As many complete parts of a detail as fit; if none fits, the first part is cut.
fn fit_complete_parts(detail: &str, room: usize) -> String {
    let ends = detail.match_indices("  ").map(|(at, _)| at).chain([detail.len()]);
    let some = ends.map(|end| &detail[..end]).take_while(|some| width(some) <= room).last();
    some.map_or_else(|| fit(detail, room), str::to_owned)
}

/// The maximum width of a row's name in `room` cells; a sign of `mark` cells and the detail get the
/// rest.
fn max_name_cells(row: &TreeRow, mark: usize, room: usize) -> usize {
    // The effect has a separate column, unless the name needs the cells.
    let detail = (width(&row.detail) + mark).min(room.saturating_sub(14));
    let most = room.saturating_sub(detail + 2);
    match row.state {
        // For a successful step, the name is more important than the detail.
        EntryState::Ended(StepState::Applied) if mark == 0 => {
            most.max(width(&row.label).min(room.saturating_sub(14)))
        }
        // Other panes explain why the step is pending; only this one contains its name.
        EntryState::Ended(StepState::Waiting) => {
            most.max(width(&row.label).min(room.saturating_sub(18)))
        }
        // Several rows may have the same detail, so that the name may take half of the room.
        _ => most.max(width(&row.label).min(room / 2)),
    }
}

fn sign(model: &Model, state: EntryState, is_component: bool) -> (StyleRole, &'static str) {
    let glyphs = model.glyphs();
    match state {
        EntryState::On => (StyleRole::Ok, glyphs.on),
        EntryState::Off | EntryState::Unlisted => (StyleRole::Dim, glyphs.off),
        EntryState::Broken if is_component => (StyleRole::Error, glyphs.on),
        EntryState::Broken | EntryState::Ended(StepState::Failed) => {
            (StyleRole::Error, glyphs.failed)
        }
        EntryState::NotReached => (StyleRole::Dim, glyphs.waiting),
        EntryState::Plain => (StyleRole::Text, ""),
        EntryState::Ended(state) => step_sign(model, state),
    }
}

/// The symbol for the result of a step.
pub(super) fn step_sign(model: &Model, state: StepState) -> (StyleRole, &'static str) {
    let glyphs = model.glyphs();
    match state {
        StepState::Applied => (StyleRole::Ok, glyphs.applied),
        StepState::Warned => (StyleRole::Warning, glyphs.warning),
        StepState::NoChange => (StyleRole::Warning, glyphs.no_change),
        StepState::MatchedNothing | StepState::Failed => (StyleRole::Error, glyphs.failed),
        StepState::Off => (StyleRole::Dim, glyphs.off),
        StepState::Waiting | StepState::Unknown => (StyleRole::Warning, glyphs.waiting),
    }
}

/// A line of the selected row's file.
pub(super) fn preview(model: &Model, index: usize, columns: usize) -> Line<'static> {
    let mut line = LineBuilder::new(model, columns);
    let Some(text) = model.detail.preview.lines.get(index) else { return line.finish() };
    let here = model.detail.preview.at == Some(index);
    let mark = if here { model.glyphs().cursor } else { " " };
    line.put(StyleRole::Focus, mark);
    line.push_right_aligned(
        if here { StyleRole::Step } else { StyleRole::Dim },
        &(index + 1).to_string(),
        4,
    );
    line.put(StyleRole::Text, "  ").text_line(text);
    line.finish()
}
