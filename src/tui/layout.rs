//! The layout of the screen: a pure function of its size and the model, used for drawing and for
//! the mouse; and the borders between panes, which the mouse can drag.

use std::cell::RefCell;

use ratatui::layout::{Constraint, Direction, Layout as Split, Margin, Position, Rect};

use crate::model::{Model, Pane, Screen, components_width, steps_width, targets_width};
use crate::rows::count_whole_lines;
use crate::screen::Division::{Columns, Rows};
use crate::screen::{DividerKey, Division, SizeClass, class};
use crate::text::{to_u16, wrap};

/// A pane and its area, frame included.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct PaneArea {
    pub pane: Pane,
    pub area: Rect,
    pub inner: Rect,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct ScreenLayout {
    pub class: SizeClass,
    pub title: Rect,
    pub tabs: Rect,
    pub body: Rect,
    pub tour: Rect,
    pub panes: Vec<PaneArea>,
    pub dividers: Vec<Divider>,
    pub timeline: Rect,
    pub hints: Rect,
}

impl ScreenLayout {
    pub(crate) fn pane(&self, pane: Pane) -> Option<&PaneArea> {
        self.panes.iter().find(|placed| placed.pane == pane)
    }
}

pub(crate) fn layout(model: &Model) -> ScreenLayout {
    let (columns, rows) = model.look.size;
    let class = class(columns, rows);
    let all = Rect::new(0, 0, columns, rows);
    let strip_rows = u16::from(class != SizeClass::Tiny);
    // The current stop of the tour has a heading and its lines.
    let tour_rows = match tour_lines(model, columns).len() {
        lines if lines > 0 && class != SizeClass::Tiny => to_u16(lines + 1),
        _ => 0,
    };
    let [title, tabs, body, tour, timeline, hints] = Split::vertical([
        Constraint::Length(1.min(rows)),
        Constraint::Length(strip_rows),
        Constraint::Fill(1),
        Constraint::Length(tour_rows),
        Constraint::Length(strip_rows),
        Constraint::Length(u16::from(rows > 1)),
    ])
    .areas(all);
    let focused = model.focused();
    let splitter = AreaSplitter::new(model);
    let areas = match class {
        _ if model.panes.zoomed => vec![(focused, body)],
        SizeClass::Tiny => vec![(focused, body)],
        SizeClass::Compact => compact_panes(&splitter, focused, body),
        SizeClass::Standard => standard_panes(&splitter, body),
        SizeClass::Wide => wide_panes(&splitter, body),
    };
    let panes = areas
        .into_iter()
        .map(|(pane, area)| PaneArea { pane, area, inner: inner(class, area) })
        .collect();
    let dividers = splitter.dividers.into_inner();
    ScreenLayout { class, title, tabs, body, tour, panes, dividers, timeline, hints }
}

/// The area of a dialog of this size in the middle of the screen, frame included.
pub(crate) fn dialog_area(whole: Rect, columns: u16, rows: u16) -> Rect {
    // The line of screens, the timeline and the hints stay visible if the height allows.
    let all = match whole.height {
        0..=11 => whole,
        height => Rect { y: whole.y + 1, height: height - 3, ..whole },
    };
    let width = columns.min(all.width.saturating_sub(2)).max(all.width.min(20));
    let height = rows
        .min(all.height.saturating_sub(if all == whole { 2 } else { 0 }))
        .max(all.height.min(3));
    let (x, y) = (all.x + (all.width - width) / 2, all.y + (all.height - height) / 2);
    Rect::new(x, y, width, height)
}

pub(crate) fn tour_lines(model: &Model, columns: u16) -> Vec<String> {
    let Some(tour) = model.tour else { return Vec::new() };
    wrap(&tour.words(model), usize::from(columns.saturating_sub(2)))
}

/// The area of a pane's rows: inside its frame, or below its title in sizes without frames.
fn inner(class: SizeClass, area: Rect) -> Rect {
    match class {
        SizeClass::Tiny => area,
        SizeClass::Compact => {
            Rect { y: area.y + 1.min(area.height), height: area.height.saturating_sub(1), ..area }
        }
        _ => area.inner(Margin::new(1, 1)),
    }
}

const HALVES: [Constraint; 2] = [Constraint::Percentage(50), Constraint::Fill(1)];

/// A first part of so many percent, and the rest.
pub(crate) fn percent(first: u16) -> [Constraint; 2] {
    [Constraint::Percentage(first), Constraint::Fill(1)]
}

/// A first part of so many cells, and the rest.
fn first(cells: u16) -> [Constraint; 2] {
    [Constraint::Length(cells), Constraint::Fill(1)]
}

/// A last part of so many cells, after the rest.
fn last(cells: u16) -> [Constraint; 2] {
    [Constraint::Fill(1), Constraint::Length(cells)]
}

type PaneAreas = Vec<(Pane, Rect)>;

impl AreaSplitter<'_> {
    fn beside(&self, panes: [Pane; 2], area: Rect, sizes: [Constraint; 2]) -> PaneAreas {
        panes.into_iter().zip(self.split(Columns, panes[0], area, sizes)).collect()
    }

    fn stacked(&self, panes: [Pane; 2], area: Rect, sizes: [Constraint; 2]) -> PaneAreas {
        panes.into_iter().zip(self.split(Rows, panes[0], area, sizes)).collect()
    }
}

/// The compact layout: the main pane above a smaller one. While any other pane has the focus, it is
/// shown in place of the main pane.
fn compact_panes(splitter: &AreaSplitter<'_>, focused: Pane, body: Rect) -> PaneAreas {
    let model = splitter.model;
    let screen = model.screen;
    let panes = screen.panes();
    // The resources at a step need more rows than the history of a field.
    let strip = if screen == Screen::Resource { Pane::History } else { panes[1] };
    let main = if focused == strip { panes[0] } else { focused };
    // If the diff of a step has the focus, the list of changed resources is shown above it in place
    // of the list of steps.
    let (main, strip) = if screen == Screen::Steps && main == Pane::Diff {
        (Pane::Changed, Pane::Diff)
    } else {
        (main, strip)
    };
    let top = match main {
        Pane::Changed => Constraint::Percentage(30),
        // The title takes one line.
        Pane::Problems => {
            Constraint::Length(list_rows(model, Pane::Problems, body).saturating_sub(1))
        }
        _ => Constraint::Percentage(screen.main_share()),
    };
    splitter.stacked([main, strip], body, [top, Constraint::Fill(1)])
}

fn standard_panes(splitter: &AreaSplitter<'_>, body: Rect) -> PaneAreas {
    let model = splitter.model;
    match model.screen {
        Screen::Tree | Screen::Steps => stacked_lists(splitter, body),
        Screen::Diff => splitter.beside([Pane::Changed, Pane::Diff], body, first(32)),
        Screen::Resource => {
            let sizes = last(resource_columns(model, body));
            let [left, right] = splitter.split(Columns, Pane::Resource, body, sizes);
            let lists = splitter.stacked([Pane::Resources, Pane::History], right, percent(65));
            [(Pane::Resource, left)].into_iter().chain(lists).collect()
        }
        screen if screen.is_overview() => overview_layout(splitter, body),
        _ => target_panes(splitter, body),
    }
}

fn target_panes(splitter: &AreaSplitter<'_>, area: Rect) -> PaneAreas {
    let model = splitter.model;
    match model.screen {
        Screen::Components => {
            let sizes = first(component_columns(model, area));
            splitter.beside([Pane::Components, Pane::ComponentEffect], area, sizes)
        }
        // The imports next to the pipeline; below them the selected entry and its effect.
        Screen::Composition => {
            let [top, bottom] = splitter.split(Rows, Pane::Imports, area, percent(55));
            let top = splitter.beside([Pane::Imports, Pane::Pipeline], top, percent(32));
            let below = [Pane::Entry, Pane::ComponentEffect];
            [top, splitter.beside(below, bottom, percent(60))].concat()
        }
        Screen::Catalogs => splitter.beside([Pane::Catalogs, Pane::Review], area, percent(42)),
        // Below the functions the results of the selected one, and its call.
        Screen::Functions => {
            let [top, bottom] = splitter.split(Rows, Pane::Functions, area, percent(42));
            let below = splitter.beside([Pane::Results, Pane::Invocation], bottom, HALVES);
            [(Pane::Functions, top)].into_iter().chain(below).collect()
        }
        _ => {
            let sizes = first(list_rows(model, Pane::Problems, area));
            splitter.stacked([Pane::Problems, Pane::Explanation], area, sizes)
        }
    }
}

/// The columns of the list of resources including its frame: the width of its longest row, at most
/// half of the screen.
fn resource_columns(model: &Model, area: Rect) -> u16 {
    to_u16(model.resources.row_cells + 3).clamp(44, (area.width / 2).max(44))
}

/// The tree above the steps, and the details of the list with the focus beside them.
fn stacked_lists(splitter: &AreaSplitter<'_>, area: Rect) -> PaneAreas {
    let model = splitter.model;
    let (least, most) = (area.width * 52 / 100, area.width * 58 / 100);
    let left = list_columns(model.tree.wanted.max(steps_width(model)), least, most);
    let [left, right] = splitter.split(Columns, Pane::Tree, area, first(left));
    let sizes = first(tree_rows(model, left));
    let lists = splitter.stacked([Pane::Tree, Pane::Steps], left, sizes);
    [lists, list_details(splitter, right)].concat()
}

/// The columns from which tree, steps and details are beside each other.
const THREE_COLUMNS: u16 = 190;

/// The details of the list with the focus: the file of a row of the tree and its effect, or the
/// changes of a step.
fn list_details(splitter: &AreaSplitter<'_>, area: Rect) -> PaneAreas {
    // The sizes do not depend on the selected row, so that no pane moves with the selection.
    match splitter.model.screen {
        Screen::Tree => splitter.stacked([Pane::Preview, Pane::Effect], area, HALVES),
        // The reason of a step without a change needs rows too.
        _ => splitter.stacked([Pane::Changed, Pane::Diff], area, percent(40)),
    }
}

/// The rows of the tree including its frame, above the steps. The list with the focus gets at least
/// three fifths, unless it is shorter.
fn tree_rows(model: &Model, area: Rect) -> u16 {
    let (rows, columns) = (area.height, usize::from(area.width.saturating_sub(3)));
    let needed = |lines: usize| to_u16(lines + 3);
    let tree = needed(count_whole_lines(model, Pane::Tree, columns, rows.into()));
    let steps = needed(model.rows(Pane::Steps));
    let most = rows * 3 / 5;
    if model.screen == Screen::Tree {
        tree.min(most.max(rows.saturating_sub(steps)))
    } else {
        rows.saturating_sub(steps.min(most.max(rows.saturating_sub(tree))))
    }
}

/// The columns of a list including its frame: the width of its longest row within these limits,
/// rounded up to a multiple of eight, so that the frame stays in place while the text of a row
/// changes.
fn list_columns(wanted: usize, least: u16, most: u16) -> u16 {
    to_u16((wanted + 2).next_multiple_of(8)).clamp(least, most.max(least))
}

/// The columns of the users of a target beside the list of targets, frame included.
const MIN_USER_COLUMNS: u16 = 42;

/// The columns of the list of targets including its frame: the width of its longest row.
fn target_columns(model: &Model, body: Rect) -> u16 {
    let least = (body.width * 64 + 50) / 100;
    let most = (body.width * 75 / 100).min(body.width.saturating_sub(MIN_USER_COLUMNS));
    to_u16(targets_width(model) + 3).next_multiple_of(4).clamp(least, most.max(least))
}

/// The columns of the effect of a component beside the list, frame included.
const MIN_EFFECT_COLUMNS: u16 = 30;

/// The columns of the list of components including its frame: the width of its longest name, and of
/// the effects.
fn component_columns(model: &Model, body: Rect) -> u16 {
    let least = body.width * 52 / 100;
    let most = (body.width * 7 / 10).max(body.width.saturating_sub(MIN_EFFECT_COLUMNS));
    to_u16(components_width(model) + 3).clamp(least, most.max(least))
}

/// The rows of the details below a list that needs the other rows, frame included.
const MAX_DETAIL_ROWS: u16 = 14;

/// The rows of a list of messages including its frame, at most three fifths of the body. Each
/// message has all of its lines if all messages fit.
fn list_rows(model: &Model, pane: Pane, body: Rect) -> u16 {
    // On a high screen the details need less than the rest.
    let most = (body.height * 3 / 5).max(body.height.saturating_sub(MAX_DETAIL_ROWS)).max(5);
    let columns = usize::from(body.width.saturating_sub(3));
    let lines = count_whole_lines(model, pane, columns, usize::from(most.saturating_sub(2)));
    to_u16(lines + 2).clamp(5, most)
}

/// The layout of screens about many builds: usually the list on the left, and the details of its
/// selected row on the right.
fn overview_layout(splitter: &AreaSplitter<'_>, body: Rect) -> PaneAreas {
    let model = splitter.model;
    match model.screen {
        Screen::Found => splitter.stacked([Pane::Found, Pane::Hit], body, last(8)),
        Screen::Findings => {
            let sizes = first(list_rows(model, Pane::Findings, body));
            splitter.stacked([Pane::Findings, Pane::FindingDetail], body, sizes)
        }
        Screen::Compared => {
            let panes = [Pane::Differences, Pane::Hunk];
            // Below a short list, the diff gets the full width.
            match to_u16(model.rows(Pane::Differences)) {
                rows if (1..body.height / 4).contains(&rows) => {
                    splitter.stacked(panes, body, first((rows + 2).max(5)))
                }
                _ => splitter.beside(panes, body, percent(66)),
            }
        }
        Screen::ComponentTable => {
            // One row for each overlay, the names of the components, and the frame.
            let names = model.table.header_lines().max(1);
            let rows = to_u16(model.rows(Pane::ComponentTable) + names + 2);
            let sizes = first(rows.clamp(5, (body.height / 2).max(5)));
            let [table, below] = splitter.split(Rows, Pane::ComponentTable, body, sizes);
            let below = splitter.beside([Pane::TableComponents, Pane::TableDetail], below, HALVES);
            [(Pane::ComponentTable, table)].into_iter().chain(below).collect()
        }
        Screen::Order => splitter.beside([Pane::Pairs, Pane::Varied], body, percent(60)),
        Screen::Combinations => splitter.beside([Pane::Cases, Pane::Varied], body, percent(66)),
        Screen::Board => board_panes(splitter, body),
        _ => change_panes(splitter, body),
    }
}

fn board_panes(splitter: &AreaSplitter<'_>, body: Rect) -> PaneAreas {
    let model = splitter.model;
    let sizes = first(target_columns(model, body));
    let [left, right] = splitter.split(Columns, Pane::Targets, body, sizes);
    // The users are those of the selected target: the sizes depend only on the draft.
    let columns = usize::from(right.width.saturating_sub(3));
    let (least, most) = (right.height * 35 / 100, right.height * 6 / 10);
    let lines = count_whole_lines(model, Pane::Reach, columns, most.into());
    let needed = to_u16(lines + 2).clamp(least, most.max(least));
    let below = splitter.stacked([Pane::Users, Pane::Reach], right, last(needed));
    [(Pane::Targets, left)].into_iter().chain(below).collect()
}

fn change_panes(splitter: &AreaSplitter<'_>, body: Rect) -> PaneAreas {
    let [left, right] = splitter.split(Columns, Pane::Edits, body, percent(52));
    // The list gets the rows that it needs; the effect is that of the selected edit.
    let most = (left.height * 3 / 5).max(6);
    let columns = usize::from(left.width.saturating_sub(3));
    let lines = count_whole_lines(splitter.model, Pane::Edits, columns, usize::from(most - 2));
    let needed = to_u16(lines + 3).clamp(6, most);
    let [edits, draft] = splitter.split(Rows, Pane::Edits, left, first(needed));
    let effect = splitter.stacked([Pane::EditEffect, Pane::EditDiff], right, HALVES);
    [vec![(Pane::Edits, edits)], effect, vec![(Pane::Reach, draft)]].concat()
}

const MIN_TREE_COLUMNS: u16 = 40;
const TREE_COLUMNS: u16 = 54;
/// The least columns of the details beside tree and steps.
const DETAIL_COLUMNS: u16 = 52;
/// The columns of the steps that the tree leaves, if they need them: on the screen of the tree, and on
/// that of the steps.
const MIN_STEP_COLUMNS: u16 = 64;
const STEP_COLUMNS: u16 = 84;

/// The wide layout: the tree on the left, the screen in the middle, the field under the cursor on
/// the right, problems below. Tree and steps have their details on the right instead.
fn wide_panes(splitter: &AreaSplitter<'_>, body: Rect) -> PaneAreas {
    let model = splitter.model;
    let screen = model.screen;
    if screen.is_overview() {
        return overview_layout(splitter, body);
    }
    let dock = match screen {
        Screen::Problems => 0,
        _ => to_u16(model.rows(Pane::Problems) + 3).clamp(3, 10),
    };
    let [upper, lower] = match dock {
        0 => Split::vertical(last(0)).areas(body),
        _ => splitter.split(Rows, Pane::Problems, body, last(dock)),
    };
    let mut panes = if screen.other_list().is_some() && upper.width < THREE_COLUMNS {
        stacked_lists(splitter, upper)
    } else {
        upper_panes(splitter, upper)
    };
    if dock > 0 {
        panes.push((Pane::Problems, lower));
    }
    panes
}

fn upper_panes(splitter: &AreaSplitter<'_>, upper: Rect) -> PaneAreas {
    let model = splitter.model;
    let screen = model.screen;
    let is_list = screen.other_list().is_some();
    let steps_wanted = to_u16(steps_width(model) + 3);
    // The list with the focus is the last to be cut.
    let steps_least = if screen == Screen::Steps { STEP_COLUMNS } else { MIN_STEP_COLUMNS };
    let others = DETAIL_COLUMNS + steps_wanted.min(steps_least);
    let most = if is_list { upper.width.saturating_sub(others) } else { TREE_COLUMNS };
    // The cells that the tree does not need are for names of steps.
    let needed = to_u16(model.tree.wanted + 3);
    let left = upper.width.saturating_sub(DETAIL_COLUMNS + steps_wanted);
    let least = TREE_COLUMNS.min(needed.max(left)).max(MIN_TREE_COLUMNS);
    let least = if is_list { least } else { TREE_COLUMNS };
    let tree = first(list_columns(model.tree.wanted, least, most.max(least)));
    let [left, rest] = splitter.split(Columns, Pane::Tree, upper, tree);
    let beside_tree = match screen {
        Screen::Tree | Screen::Steps => {
            let most = rest.width.saturating_sub(DETAIL_COLUMNS);
            let steps = first(steps_wanted.clamp(50.min(most), most));
            let [steps, details] = splitter.split(Columns, Pane::Steps, rest, steps);
            [vec![(Pane::Steps, steps)], list_details(splitter, details)].concat()
        }
        // These screens need the middle and the right area.
        Screen::Composition | Screen::Catalogs | Screen::Functions | Screen::Components => {
            target_panes(splitter, rest)
        }
        _ => panes_with_resource(splitter, rest),
    };
    [(Pane::Tree, left)].into_iter().chain(beside_tree).collect()
}

fn panes_with_resource(splitter: &AreaSplitter<'_>, area: Rect) -> PaneAreas {
    let model = splitter.model;
    let screen = model.screen;
    let list = if screen == Screen::Resource { resource_columns(model, area).max(52) } else { 52 };
    let [middle, right] = splitter.split(Columns, Pane::Resource, area, last(list));
    let [inspector, history] = splitter.split(Rows, Pane::Resource, right, percent(65));
    let (middle, inspected) = match screen {
        Screen::Resource => (vec![(Pane::Resource, middle)], Pane::Resources),
        Screen::Diff => {
            (splitter.stacked([Pane::Changed, Pane::Diff], middle, first(10)), Pane::Resource)
        }
        _ => (target_panes(splitter, middle), Pane::Resource),
    };
    [middle, vec![(inspected, inspector), (Pane::History, history)]].concat()
}

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
