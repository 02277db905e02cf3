//! The borders between panes, which the mouse can drag.

use std::cell::RefCell;

use ratatui::layout::{Constraint, Direction, Layout as Split, Position, Rect};

use super::model::Model;
use super::screen::{DividerKey, Division, Pane};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Divider {
    pub key: DividerKey,
    pub area: Rect,
    /// The cells of the border: those of both frames.
    pub border: Rect,
}

impl Divider {
    /// The share of the area before the border, in thousandths, if the border is moved to a
    /// position.
    pub(crate) fn share_at(&self, to: Position) -> u16 {
        let (size, before) = match self.key.division {
            Division::Columns => (self.area.width, to.x.saturating_sub(self.area.x)),
            Division::Rows => (self.area.height, to.y.saturating_sub(self.area.y)),
        };
        // The pointer is on the last cell of the part before the border.
        let before = u32::from(before) + 1;
        u16::try_from(before * 1000 / u32::from(size.max(1))).unwrap_or(1000).min(1000)
    }
}

pub(crate) struct AreaSplitter<'m> {
    pub model: &'m Model,
    pub dividers: RefCell<Vec<Divider>>,
}

/// The smallest size of a pane that the user drags, in columns and in rows.
const LEAST_COLUMNS: u16 = 12;
const LEAST_ROWS: u16 = 4;

impl<'m> AreaSplitter<'m> {
    pub(crate) fn new(model: &'m Model) -> Self {
        Self { model, dividers: RefCell::default() }
    }

    /// Two parts of an area. `pane` is the first pane of the first part. `sizes` apply until the user
    /// drags the border.
    pub(crate) fn split(
        &self,
        division: Division,
        pane: Pane,
        area: Rect,
        sizes: [Constraint; 2],
    ) -> [Rect; 2] {
        let key = DividerKey { division, pane };
        let (direction, size, least) = match division {
            Division::Columns => (Direction::Horizontal, area.width, LEAST_COLUMNS),
            Division::Rows => (Direction::Vertical, area.height, LEAST_ROWS),
        };
        let sizes = self.kept(key, size, least).unwrap_or(sizes);
        let parts: [Rect; 2] = Split::new(direction, sizes).areas(area);
        let [first, second] = parts;
        if !first.is_empty() && !second.is_empty() {
            let border = match division {
                Division::Columns => Rect { x: first.right() - 1, width: 2, ..area },
                // The lower frame begins with the title of its pane, so only the upper one is dragged.
                Division::Rows => Rect { y: second.y.saturating_sub(1), height: 1, ..area },
            };
            self.dividers.borrow_mut().push(Divider { key, area, border });
        }
        parts
    }

    fn kept(&self, key: DividerKey, size: u16, least: u16) -> Option<[Constraint; 2]> {
        let share = *self.model.panes.shares.get(&key)?;
        let first =
            u16::try_from((u32::from(size) * u32::from(share) + 500) / 1000).unwrap_or(size);
        let first = first.clamp(least.min(size / 2), size.saturating_sub(least).max(size / 2));
        Some([Constraint::Length(first), Constraint::Fill(1)])
    }
}
