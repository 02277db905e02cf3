//! The components: on, off, and not listed.

use ratatui::text::Line;

use super::super::model::{ComponentRow, ComponentState, Model};
use super::super::text::{fit_name, near, sanitize};
use super::super::theme::StyleRole;
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
    let draft = if row.drafted { glyphs.draft } else { " " };
    let name_cells = line.room().saturating_sub(16);
    let name_role = if row.state == ComponentState::On { StyleRole::Text } else { StyleRole::Dim };
    let others: Vec<String> =
        near(index, &model.components.rows).map(|row| name_of(model, row)).collect();
    let name = fit_name(&name_of(model, row), name_cells, others.iter().map(String::as_str));
    line.column(name_role, &name, name_cells);
    line.put(StyleRole::Text, " ").column(StyleRole::Modified, &words, 12);
    line.put(StyleRole::Text, " ").put(StyleRole::Draft, draft);
    line.finish()
}

/// The entry as written, preceded by the file that lists it, unless that is the target's own file.
fn name_of(model: &Model, row: &ComponentRow) -> String {
    let is_target = row.file.parent() == Some(&*model.opened.dir);
    if is_target || row.state == ComponentState::Unlisted {
        return sanitize(&row.text).into_owned();
    }
    let file = row.file.parent().map(|dir| model.builds.recording.shorten(&dir.to_string_lossy()));
    format!("{}: {}", file.unwrap_or_default(), sanitize(&row.text))
}
