//! The components: on, off, and not listed.

use ratatui::text::Line;

use super::super::model::experiments::component_trial;
use super::super::model::{AFTER_NAME_CELLS, ComponentState, Model, Pane, TRIAL_CELLS, trial_row};
use super::super::text::{fit, fit_name, near, sanitize, width};
use super::super::theme::StyleRole;
use super::component_table::trial_words;
use super::line::LineBuilder;

/// The line of a component.
pub(super) fn row(model: &Model, index: usize, columns: usize) -> Line<'static> {
    let mut line = LineBuilder::new(model, columns);
    let Some(row) = model.components.rows.get(index) else { return line.finish() };
    let glyphs = model.glyphs();
    let (role, sign) = match row.state {
        ComponentState::On => (StyleRole::Ok, glyphs.on),
        ComponentState::Off | ComponentState::Unlisted => (StyleRole::Dim, glyphs.off),
    };
    line.put(StyleRole::Text, " ").put(role, sign).put(StyleRole::Text, " ");
    let order = row.order.map_or_else(|| glyphs.minus.to_owned(), |order| order.to_string());
    line.push_right_aligned(StyleRole::Step, &order, 2).put(StyleRole::Text, "  ");
    let words = match (row.state, row.effect) {
        (ComponentState::On, Some(_)) if row.fails => "fails".to_owned(),
        (ComponentState::On, Some((added, modified, removed))) => {
            let mut words = Vec::new();
            for (count, sign) in [(added, "+"), (modified, "~"), (removed, glyphs.minus)] {
                if count > 0 {
                    words.push(format!("{sign}{count}"));
                }
            }
            if words.is_empty() { "no effect".to_owned() } else { words.join(" ") }
        }
        (ComponentState::On, None) => "not reached".to_owned(),
        (ComponentState::Off, _) => "off".to_owned(),
        (ComponentState::Unlisted, _) => "not listed".to_owned(),
    };
    let (trial_role, trial) = match row.state {
        ComponentState::On => (StyleRole::Dim, String::new()),
        _ => trial_words(model, component_trial(model, &row.path)),
    };
    let draft = if row.drafted { glyphs.draft } else { " " };
    let name_role = if row.state == ComponentState::On { StyleRole::Text } else { StyleRole::Dim };
    let names = model.components.rows.iter().map(|row| width(&row.shown_name(model)));
    let most = line.room().saturating_sub(AFTER_NAME_CELLS + TRIAL_CELLS);
    // Beside comments of the author, the names get half of the cells.
    let has_notes = model.components.rows.iter().any(|row| !row.note.is_empty());
    let most = if has_notes { most.min(line.room() / 2) } else { most };
    let name_cells = names.max().unwrap_or(0).min(most);
    let others: Vec<String> =
        near(index, &model.components.rows).map(|row| row.shown_name(model)).collect();
    let name = fit_name(&row.shown_name(model), name_cells, others.iter().map(String::as_str));
    line.column(name_role, &name, name_cells);
    line.put(StyleRole::Text, " ");
    if trial.is_empty() {
        line.counts(StyleRole::Dim, &words, TRIAL_CELLS);
    } else {
        line.counts(trial_role, &trial, TRIAL_CELLS);
    }
    line.put(StyleRole::Text, " ").put(StyleRole::Draft, draft);
    let note = fit(&sanitize(&row.note), line.room().saturating_sub(1));
    line.put(StyleRole::Text, " ").put(StyleRole::YamlComment, &note);
    line.finish()
}

/// The effect that the selected component would have, or how to try it.
pub(super) fn effect_when_on(model: &Model) -> String {
    let row = model.components.rows.get(model.list(Pane::Components).selected);
    let trial = row.and_then(|row| component_trial(model, &row.path)).and_then(trial_row);
    match trial {
        Some(trial) => format!("off; {}", trial.text),
        None => "off (space: try it)".to_owned(),
    }
}
