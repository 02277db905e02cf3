//! The filters of a list, as chips at the right end of its title. A click on a chip removes the
//! filter; the keys after `,` set and remove it.

use ratatui::layout::Rect;

use super::keymap::Command;
use super::layout::PaneArea;
use super::message::{ClickAnswer, ClickArea};
use super::model::{Model, Pane};
use super::size_class::{SizeClass, class};
use super::text::{fit, sanitize, to_u16, width};

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Chip {
    /// The filter in brackets.
    pub text: String,
    /// The command that removes the filter; `None` for the text of a search.
    pub command: Option<Command>,
    pub area: Rect,
}

const MIN_TITLE_CELLS: usize = 20;

const MAX_CHIP_CELLS: usize = 32;

/// The words after the last chip, if `esc` removes one of them and there is room.
const HINT: &str = "esc: all ";

#[derive(Debug, Default)]
pub(crate) struct ChipRow {
    pub chips: Vec<Chip>,
    pub hint: &'static str,
}

impl ChipRow {
    /// The width in cells of the row, with a space at both ends; 0 without chips.
    pub(crate) fn width(&self) -> usize {
        let cells: usize = self.chips.iter().map(|chip| width(&chip.text) + 1).sum();
        if cells == 0 { 0 } else { 1 + cells + width(self.hint) }
    }
}

fn filters(model: &Model, pane: Pane) -> Vec<(Option<Command>, String)> {
    let mut filters = Vec::new();
    match pane {
        Pane::Steps => {
            let filter = &model.steps.filter;
            if filter.effective {
                filters.push((Some(Command::EffectiveOnly), "effective only".to_owned()));
            }
            if let Some(key) = &filter.resource {
                filters.push((Some(Command::OnlyResource), format!("{} {}", key.kind, key.name)));
            }
            if let Some(layer) = &filter.layer {
                let name = layer.rsplit('/').next().unwrap_or(layer);
                filters.push((Some(Command::OnlyLayer), format!("layer {name}")));
            }
        }
        Pane::Targets if model.board.with_bases => {
            filters.push((Some(Command::WithBases), "bases too".to_owned()));
        }
        Pane::Differences if model.compared.only_dangers => {
            filters.push((Some(Command::OnlyDangers), "only dangers".to_owned()));
        }
        _ => {}
    }
    filters.extend(model.panes.filters.get(&pane).map(|text| (None, format!("/{text}"))));
    filters
}

/// The number of the selected row and of all rows, for the border of a list.
pub(crate) fn position(model: &Model, pane: Pane) -> String {
    let rows = model.rows(pane);
    if rows == 0 || pane.is_text() {
        return String::new();
    }
    format!(" {} of {rows} ", model.list(pane).selected + 1)
}

/// The chips of a pane, with their areas on its upper border. Chips without room are left out, the
/// last ones first.
pub(crate) fn chips(model: &Model, placed: &PaneArea) -> ChipRow {
    let reserved = match class(model.look.size.0, model.look.size.1) {
        SizeClass::Tiny => return ChipRow::default(),
        SizeClass::Compact => width(&position(model, placed.pane)),
        SizeClass::Standard | SizeClass::Wide => 0,
    };
    let room = usize::from(placed.area.width).saturating_sub(MIN_TITLE_CELLS + reserved);
    let mut row = ChipRow::default();
    for (command, text) in filters(model, placed.pane) {
        let left = room.saturating_sub(row.width() + 4);
        let text = fit(&sanitize(&text), MAX_CHIP_CELLS.min(left));
        if width(&text) < 4 {
            break;
        }
        row.chips.push(Chip { text: format!("[{text}]"), command, area: Rect::default() });
    }
    let is_kept =
        |chip: &Chip| matches!(chip.command, Some(Command::WithBases | Command::OnlyDangers));
    if !row.chips.iter().all(is_kept) && row.width() + width(HINT) <= room {
        row.hint = HINT;
    }
    let end = usize::from(placed.area.right()).saturating_sub(reserved + 1);
    let mut x = (end + 1).saturating_sub(row.width());
    for chip in &mut row.chips {
        let width = width(&chip.text);
        chip.area = Rect { x: to_u16(x), y: placed.area.y, width: to_u16(width), height: 1 };
        x += width + 1;
    }
    row
}

/// The areas of the chips, which remove their filters; the words after the last chip are part of it.
pub(crate) fn click_areas(model: &Model, placed: &PaneArea) -> Vec<ClickArea> {
    let row = chips(model, placed);
    let last = row.chips.len().saturating_sub(1);
    let area = |(at, chip): (usize, &Chip)| {
        let hint = if at == last { to_u16(width(row.hint)) } else { 0 };
        let area = Rect { width: chip.area.width + hint, ..chip.area };
        ClickArea { area, answer: ClickAnswer::Filter(placed.pane, chip.command) }
    };
    row.chips.iter().enumerate().map(area).collect()
}
