//! The line of screens and the timeline: the position of each cell, for drawing and for the mouse.

use ratatui::layout::Rect;

use super::layout::layout;
use super::model::{Model, Screen};
use super::text::width;

/// The screens in the top line, each with its label and area.
pub(crate) fn tabs(model: &Model) -> Vec<(Screen, String, Rect)> {
    let line = layout(model).title;
    let is_shown = |screen: &&Screen| match **screen {
        // The Board has a tab once it was opened; a comparison only while it is shown.
        Screen::Board => model.board.is_asked,
        Screen::Compared | Screen::Found | Screen::Order | Screen::Combinations => {
            model.screen == **screen
        }
        _ => true,
    };
    let number = |screen: Screen| screen.number().map_or_else(String::new, |it| format!("{it} "));
    let first = Screen::ALL.iter().filter(|screen| **screen == Screen::Board);
    let rest = Screen::ALL.iter().filter(|screen| **screen != Screen::Board);
    let labels: Vec<(Screen, String)> = first
        .chain(rest)
        .filter(is_shown)
        .map(|screen| {
            let count = match screen {
                Screen::Problems if !model.problems.all.is_empty() => {
                    format!("({})", model.problems.all.len())
                }
                _ => String::new(),
            };
            (*screen, format!(" {}{}{count} ", number(*screen), screen.name()))
        })
        .collect();
    let total: usize = labels.iter().map(|(_, label)| width(label)).sum();
    // A long path is shortened for the names of the screens, down to this width.
    let name = (width(&title(model)) + 2).min(24);
    let full = total + name <= usize::from(line.width);
    let mut x = line.right().saturating_sub(u16::try_from(total).unwrap_or(u16::MAX));
    if !full {
        // No room for all names: only the numbers, and the name of the screen that is shown.
        let short = labels.iter().map(|(screen, label)| {
            if *screen == model.screen { label.clone() } else { format!(" {}", number(*screen)) }
        });
        let short: Vec<_> = short.collect();
        let total: usize = short.iter().map(|label| width(label)).sum();
        x = line.right().saturating_sub(u16::try_from(total).unwrap_or(u16::MAX));
        return place(labels.iter().map(|(screen, _)| *screen).zip(short), x, line);
    }
    place(labels.into_iter(), x, line)
}

fn place(
    labels: impl Iterator<Item = (Screen, String)>,
    mut x: u16,
    line: Rect,
) -> Vec<(Screen, String, Rect)> {
    labels
        .map(|(screen, label)| {
            let cells =
                u16::try_from(width(&label)).unwrap_or(0).min(line.right().saturating_sub(x));
            let area = Rect::new(x, line.y, cells, line.height);
            x += cells;
            (screen, label, area)
        })
        .collect()
}

/// The name of the target, or of the folder with the listed targets.
fn opened(model: &Model) -> String {
    let folder = &model.board.scope;
    let name = match folder.file_name() {
        Some(name) if model.screen == Screen::Board => name.to_string_lossy(),
        _ => model.opened.target.as_str().into(),
    };
    super::text::sanitize(&name).into_owned()
}

/// The name in the top line: ` kzui overlays/dev ●1`.
pub(crate) fn title(model: &Model) -> String {
    title_with(model, &opened(model))
}

fn title_with(model: &Model, target: &str) -> String {
    let edits = format!(" {}{}", model.glyphs().draft, model.edits.pending);
    let draft = if model.has_draft() { edits } else { String::new() };
    let read_only = if model.is_read_only() { " read-only" } else { "" };
    let like = model.like.shown().map_or_else(String::new, |name| format!(" like {name}"));
    let name = model.edits.name.as_deref().map(super::text::sanitize);
    let name = name.map_or_else(String::new, |name| format!(" [{name}]"));
    format!(" kzui {target}{name}{draft}{read_only}{like}")
}

/// The same within `room` cells: a long path is cut to its end.
pub(crate) fn title_in(model: &Model, room: usize) -> String {
    let text = title(model);
    if width(&text) <= room {
        return text;
    }
    let target = opened(model);
    let others = width(&text) - width(&target);
    let short = super::text::fit_location(&target, room.saturating_sub(others + 1));
    super::text::fit(&title_with(model, &short), room)
}

/// Cells of the timeline before its first step: ` step 123/456 `.
const HEAD: u16 = 17;
/// Cells reserved at its end for the result.
const TAIL: u16 = 26;

/// The column of the first cell of the timeline, and the steps of each cell.
pub(crate) fn cells(model: &Model, line: Rect) -> (u16, Vec<std::ops::Range<usize>>) {
    let steps = model.builds.recording.len();
    let room = usize::from(line.width.saturating_sub(HEAD + TAIL));
    if steps == 0 || room == 0 {
        return (line.x + HEAD, Vec::new());
    }
    let per_cell = steps.div_ceil(room);
    let cells = (0..steps).step_by(per_cell).map(|first| first..(first + per_cell).min(steps));
    (line.x + HEAD, cells.collect())
}

/// Columns of one cell of the timeline: three if they fit, so that the cursor can be marked on both
/// sides.
pub(crate) fn pitch(model: &Model, line: Rect) -> u16 {
    let room = line.width.saturating_sub(HEAD + TAIL);
    let steps = u16::try_from(model.builds.recording.len()).unwrap_or(u16::MAX).max(1);
    (room / steps).clamp(1, 3)
}

/// The step under a column of the timeline.
pub(crate) fn step_at(model: &Model, line: Rect, column: u16) -> Option<usize> {
    let (first, cells) = cells(model, line);
    let cell = usize::from(column.checked_sub(first)? / pitch(model, line));
    Some(cells.get(cell.min(cells.len().checked_sub(1)?))?.start)
}
