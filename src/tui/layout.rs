//! The layout of the screen: a pure function of its size and the model, used for drawing and for
//! the mouse.

use ratatui::layout::{Constraint, Layout as Split, Rect};

use super::model::{Model, Pane, Screen, steps_width};
use super::size_class::{SizeClass, class};
use super::text::wrap;

/// A pane and its area, frame included.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct PaneArea {
    pub pane: Pane,
    pub area: Rect,
    pub inner: Rect,
}

/// The areas of all parts of the screen.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct ScreenLayout {
    pub class: SizeClass,
    pub title: Rect,
    /// The line with the tabs of the current place.
    pub tabs: Rect,
    pub body: Rect,
    /// The area for the current stop of the tour, below the body.
    pub tour: Rect,
    pub panes: Vec<PaneArea>,
    pub timeline: Rect,
    pub hints: Rect,
}

impl ScreenLayout {
    /// The area of a pane; `None` if the pane is not shown.
    pub(crate) fn pane(&self, pane: Pane) -> Option<&PaneArea> {
        self.panes.iter().find(|placed| placed.pane == pane)
    }
}

pub(crate) fn layout(model: &Model) -> ScreenLayout {
    let (columns, rows) = model.look.size;
    let class = class(columns, rows);
    let all = Rect::new(0, 0, columns, rows);
    let strip_rows = u16::from(class != SizeClass::Tiny);
    let tour_rows = if class == SizeClass::Tiny { 0 } else { tour_rows(model, columns) };
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
    let areas = match class {
        _ if model.panes.zoomed => vec![(focused, body)],
        SizeClass::Tiny => vec![(focused, body)],
        SizeClass::Compact => compact_panes(model, focused, body),
        SizeClass::Standard => standard_panes(model, body),
        SizeClass::Wide => wide_panes(model, body),
    };
    let panes = areas
        .into_iter()
        .map(|(pane, area)| PaneArea { pane, area, inner: inner(class, area) })
        .collect();
    ScreenLayout { class, title, tabs, body, tour, panes, timeline, hints }
}

/// The text of the tour, wrapped to a number of columns.
pub(crate) fn tour_lines(model: &Model, columns: u16) -> Vec<String> {
    let Some(tour) = model.tour else { return Vec::new() };
    wrap(&tour.words(model), usize::from(columns.saturating_sub(2)))
}

/// The number of rows for the current stop of the tour: its lines and a heading.
fn tour_rows(model: &Model, columns: u16) -> u16 {
    match tour_lines(model, columns).len() {
        0 => 0,
        lines => u16::try_from(lines + 1).unwrap_or(u16::MAX),
    }
}

/// The area of a pane's rows: inside its frame, or below its title in sizes without frames.
fn inner(class: SizeClass, area: Rect) -> Rect {
    match class {
        SizeClass::Tiny => area,
        SizeClass::Compact => {
            Rect { y: area.y + 1.min(area.height), height: area.height.saturating_sub(1), ..area }
        }
        _ => Rect {
            x: area.x + 1.min(area.width),
            y: area.y + 1.min(area.height),
            width: area.width.saturating_sub(2),
            height: area.height.saturating_sub(2),
        },
    }
}

/// The compact layout: the main pane above a smaller one. While any other pane has the focus, it is
/// shown in place of the main pane.
fn compact_panes(model: &Model, focused: Pane, body: Rect) -> Vec<(Pane, Rect)> {
    let screen = model.screen;
    let (main, strip, share) = match screen {
        Screen::Tree => (Pane::Tree, Pane::Preview, 60),
        Screen::Steps => (Pane::Steps, Pane::Changed, 60),
        Screen::Diff => (Pane::Changed, Pane::Diff, 30),
        Screen::Resource => (Pane::Resource, Pane::History, 70),
        Screen::Components => (Pane::Components, Pane::ComponentEffect, 60),
        Screen::Composition => (Pane::Pipeline, Pane::Entry, 55),
        Screen::Catalogs => (Pane::Catalogs, Pane::Review, 40),
        Screen::Functions => (Pane::Functions, Pane::Results, 55),
        Screen::Problems => (Pane::Problems, Pane::Explanation, 60),
        Screen::Board => (Pane::Targets, Pane::Users, 65),
        Screen::Compared => (Pane::Differences, Pane::Hunk, 45),
        Screen::Found => (Pane::Found, Pane::Hit, 65),
        Screen::Order => (Pane::Pairs, Pane::Varied, 55),
        Screen::Combinations => (Pane::Cases, Pane::Varied, 55),
        Screen::Change => (Pane::Edits, Pane::EditEffect, 50),
        Screen::Findings => (Pane::Findings, Pane::FindingDetail, 60),
        Screen::ComponentTable => (Pane::ComponentTable, Pane::TableComponents, 50),
    };
    let main = if focused == strip { main } else { focused };
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
        Pane::Problems => Constraint::Length(problem_rows(model, body).saturating_sub(1)),
        _ => Constraint::Percentage(share),
    };
    let [top, bottom] = Split::vertical([top, Constraint::Fill(1)]).areas(body);
    vec![(main, top), (strip, bottom)]
}

/// The standard layout of the panes of a screen.
fn standard_panes(model: &Model, body: Rect) -> Vec<(Pane, Rect)> {
    let screen = model.screen;
    let columns = |left: u16| -> [Rect; 2] {
        Split::horizontal([Constraint::Percentage(left), Constraint::Fill(1)]).areas(body)
    };
    let rows = |area: Rect, top: Constraint| -> [Rect; 2] {
        Split::vertical([top, Constraint::Fill(1)]).areas(area)
    };
    match screen {
        Screen::Tree | Screen::Steps => stacked_lists(model, body),
        Screen::Diff => {
            let [left, right] =
                Split::horizontal([Constraint::Length(32), Constraint::Fill(1)]).areas(body);
            vec![(Pane::Changed, left), (Pane::Diff, right)]
        }
        Screen::Resource => {
            // The list gets the width of its longest row, and the resource most of the screen.
            let wanted = u16::try_from(model.resources.widest_row_cells() + 2).unwrap_or(u16::MAX);
            let right = wanted.clamp(44, (body.width * 42 / 100).max(44));
            let [left, right] =
                Split::horizontal([Constraint::Fill(1), Constraint::Length(right)]).areas(body);
            let [top, bottom] = rows(right, Constraint::Percentage(50));
            vec![(Pane::Resource, left), (Pane::Resources, top), (Pane::History, bottom)]
        }
        Screen::Components => {
            let [left, right] = columns(52);
            vec![(Pane::Components, left), (Pane::ComponentEffect, right)]
        }
        Screen::Composition => pipeline_panes(body),
        Screen::Catalogs => catalog_panes(body),
        Screen::Functions => function_panes(body),
        Screen::Problems => {
            let [top, bottom] = rows(body, Constraint::Length(problem_rows(model, body)));
            vec![(Pane::Problems, top), (Pane::Explanation, bottom)]
        }
        Screen::Board
        | Screen::Compared
        | Screen::Found
        | Screen::Order
        | Screen::Combinations
        | Screen::Findings
        | Screen::ComponentTable
        | Screen::Change => overview_layout(model, screen, body),
    }
}

/// The tree above the steps, and the details of the list with the focus beside them.
fn stacked_lists(model: &Model, area: Rect) -> Vec<(Pane, Rect)> {
    let left = tree_columns(model, area.width * 52 / 100, area.width * 58 / 100);
    let [left, right] =
        Split::horizontal([Constraint::Length(left), Constraint::Fill(1)]).areas(area);
    let tree = Constraint::Length(tree_rows(model, left.height));
    let [tree, steps] = Split::vertical([tree, Constraint::Fill(1)]).areas(left);
    let mut panes = vec![(Pane::Tree, tree), (Pane::Steps, steps)];
    panes.extend(list_details(model, model.screen, right));
    panes
}

/// The columns from which tree, steps and details are beside each other.
const THREE_COLUMNS: u16 = 190;

/// The details of the list with the focus: the file of a row of the tree and its effect, or the
/// changes of a step.
fn list_details(model: &Model, screen: Screen, area: Rect) -> [(Pane, Rect); 2] {
    let (upper, lower, share) = match screen {
        Screen::Tree => (Pane::Preview, Pane::Effect, 60),
        // Without a change, the reason needs the rows.
        _ if model.rows(Pane::Changed) == 0 => (Pane::Changed, Pane::Diff, 60),
        _ => (Pane::Changed, Pane::Diff, 30),
    };
    let [top, bottom] =
        Split::vertical([Constraint::Percentage(share), Constraint::Fill(1)]).areas(area);
    [(upper, top), (lower, bottom)]
}

/// The rows of the tree including its frame, above the steps. The list with the focus gets at least
/// three fifths, unless it is shorter.
fn tree_rows(model: &Model, rows: u16) -> u16 {
    let needed = |pane| u16::try_from(model.rows(pane) + 3).unwrap_or(u16::MAX);
    let (tree, steps) = (needed(Pane::Tree), needed(Pane::Steps));
    let most = rows * 3 / 5;
    if model.screen == Screen::Tree {
        tree.min(most.max(rows.saturating_sub(steps)))
    } else {
        rows.saturating_sub(steps.min(most.max(rows.saturating_sub(tree))))
    }
}

/// The columns of the tree including its frame: the width of its longest row within these limits,
/// rounded up to a multiple of eight, so that the frame stays in place while the text of a row
/// changes.
fn tree_columns(model: &Model, least: u16, most: u16) -> u16 {
    let wanted = (model.tree.wanted + 2).next_multiple_of(8);
    u16::try_from(wanted).unwrap_or(u16::MAX).clamp(least, most.max(least))
}

/// The rows of the list of problems including its frame: at most its length; the rest is left for
/// the explanation.
fn problem_rows(model: &Model, body: Rect) -> u16 {
    list_rows(model, Pane::Problems, body, 6)
}

/// The rows of a list of messages including its frame, at most `tenths` tenths of the body. Each
/// message has all of its lines if all messages fit.
fn list_rows(model: &Model, pane: Pane, body: Rect, tenths: u16) -> u16 {
    let most = (body.height * tenths / 10).max(5);
    let columns = usize::from(body.width.saturating_sub(3));
    let spread = model.spread(pane, columns, usize::from(most.saturating_sub(2)));
    let lines = spread.map_or_else(|| model.rows(pane), |lines| lines.iter().sum());
    u16::try_from(lines + 2).unwrap_or(u16::MAX).clamp(5, most)
}

/// The layout of screens about many builds: usually the list on the left, and the details of its
/// selected row on the right.
fn overview_layout(model: &Model, screen: Screen, body: Rect) -> Vec<(Pane, Rect)> {
    if screen == Screen::Found {
        let [top, bottom] =
            Split::vertical([Constraint::Fill(1), Constraint::Length(8)]).areas(body);
        return vec![(Pane::Found, top), (Pane::Hit, bottom)];
    }
    if screen == Screen::Findings {
        let [top, bottom] = Split::vertical([
            Constraint::Length(list_rows(model, Pane::Findings, body, 6)),
            Constraint::Fill(1),
        ])
        .areas(body);
        return vec![(Pane::Findings, top), (Pane::FindingDetail, bottom)];
    }
    if screen == Screen::ComponentTable {
        // One row for each overlay, the names of the components, and the frame.
        let rows = u16::try_from(model.rows(Pane::ComponentTable) + 3).unwrap_or(u16::MAX);
        let rows = Constraint::Length(rows.clamp(5, (body.height / 2).max(5)));
        let [table, below] = Split::vertical([rows, Constraint::Fill(1)]).areas(body);
        let [list, detail] =
            Split::horizontal([Constraint::Percentage(50), Constraint::Fill(1)]).areas(below);
        return vec![
            (Pane::ComponentTable, table),
            (Pane::TableComponents, list),
            (Pane::TableDetail, detail),
        ];
    }
    let share = match screen {
        Screen::Board => 64,
        Screen::Order => 60,
        _ => 52,
    };
    let [left, right] =
        Split::horizontal([Constraint::Percentage(share), Constraint::Fill(1)]).areas(body);
    match screen {
        Screen::Compared => return vec![(Pane::Differences, left), (Pane::Hunk, right)],
        Screen::Order => return vec![(Pane::Pairs, left), (Pane::Varied, right)],
        Screen::Combinations => return vec![(Pane::Cases, left), (Pane::Varied, right)],
        Screen::Change => {
            // The lists get the rows that they need.
            let rows = |area: Rect, pane: Pane| -> [Rect; 2] {
                let needed = u16::try_from(model.rows(pane) + 3).unwrap_or(u16::MAX);
                let top = Constraint::Length(needed.clamp(6, (area.height * 3 / 5).max(6)));
                Split::vertical([top, Constraint::Fill(1)]).areas(area)
            };
            let [edits, draft] = rows(left, Pane::Edits);
            let [effect, diff] = rows(right, Pane::EditEffect);
            return vec![
                (Pane::Edits, edits),
                (Pane::EditEffect, effect),
                (Pane::EditDiff, diff),
                (Pane::Reach, draft),
            ];
        }
        _ => {}
    }
    let [top, bottom] =
        Split::vertical([Constraint::Percentage(65), Constraint::Fill(1)]).areas(right);
    vec![(Pane::Targets, left), (Pane::Users, top), (Pane::Reach, bottom)]
}

/// The layout of a Composition: the imports next to the pipeline; below them the selected entry and
/// its effect.
fn pipeline_panes(area: Rect) -> Vec<(Pane, Rect)> {
    let [top, bottom] =
        Split::vertical([Constraint::Percentage(55), Constraint::Fill(1)]).areas(area);
    let [imports, pipeline] =
        Split::horizontal([Constraint::Percentage(32), Constraint::Fill(1)]).areas(top);
    let [entry, effect] =
        Split::horizontal([Constraint::Percentage(60), Constraint::Fill(1)]).areas(bottom);
    vec![
        (Pane::Imports, imports),
        (Pane::Pipeline, pipeline),
        (Pane::Entry, entry),
        (Pane::ComponentEffect, effect),
    ]
}

/// The layout of the catalogs: the list, and next to it the review of the selected catalog.
fn catalog_panes(area: Rect) -> Vec<(Pane, Rect)> {
    let [list, review] =
        Split::horizontal([Constraint::Percentage(42), Constraint::Fill(1)]).areas(area);
    vec![(Pane::Catalogs, list), (Pane::Review, review)]
}

/// The layout of the functions: the list; below it the results of the selected function, and its
/// call.
fn function_panes(area: Rect) -> Vec<(Pane, Rect)> {
    let [top, bottom] =
        Split::vertical([Constraint::Percentage(42), Constraint::Fill(1)]).areas(area);
    let [results, called] =
        Split::horizontal([Constraint::Percentage(50), Constraint::Fill(1)]).areas(bottom);
    vec![(Pane::Functions, top), (Pane::Results, results), (Pane::Invocation, called)]
}

/// The wide layout: the tree on the left, the screen in the middle, the field under the cursor on
/// the right, problems below. Tree and steps have their details on the right instead.
#[expect(clippy::too_many_lines, reason = "one arm per screen")]
fn wide_panes(model: &Model, body: Rect) -> Vec<(Pane, Rect)> {
    let screen = model.screen;
    if screen.is_overview() {
        return overview_layout(model, screen, body);
    }
    let dock = match screen {
        Screen::Problems => 0,
        _ => u16::try_from(model.rows(Pane::Problems) + 3).unwrap_or(u16::MAX).clamp(3, 10),
    };
    let [upper, lower] =
        Split::vertical([Constraint::Fill(1), Constraint::Length(dock)]).areas(body);
    let tree = Constraint::Length(54);
    let [left, middle, right] =
        Split::horizontal([tree, Constraint::Fill(1), Constraint::Length(52)]).areas(upper);
    if screen.other_list().is_some() && upper.width < THREE_COLUMNS {
        let mut panes = stacked_lists(model, upper);
        panes.push((Pane::Problems, lower));
        return panes;
    }
    let mut panes = vec![(Pane::Tree, left)];
    if screen.other_list().is_some() {
        let rest = Rect { width: middle.width + right.width, ..middle };
        let wanted = u16::try_from(steps_width(model) + 3).unwrap_or(u16::MAX);
        let most = rest.width * 45 / 100;
        let steps = Constraint::Length(wanted.clamp(50.min(most), most));
        let [steps, details] = Split::horizontal([steps, Constraint::Fill(1)]).areas(rest);
        panes.push((Pane::Steps, steps));
        panes.extend(list_details(model, screen, details));
        panes.push((Pane::Problems, lower));
        return panes;
    }
    let [inspector, history] =
        Split::vertical([Constraint::Percentage(65), Constraint::Fill(1)]).areas(right);
    match screen {
        Screen::Diff => {
            let [top, bottom] =
                Split::vertical([Constraint::Length(10), Constraint::Fill(1)]).areas(middle);
            panes.extend([(Pane::Changed, top), (Pane::Diff, bottom)]);
        }
        Screen::Resource => panes.push((Pane::Resource, middle)),
        Screen::Components => {
            let [top, bottom] =
                Split::vertical([Constraint::Percentage(50), Constraint::Fill(1)]).areas(middle);
            panes.extend([(Pane::Components, top), (Pane::ComponentEffect, bottom)]);
        }
        // These screens need the middle and the right area.
        Screen::Composition | Screen::Catalogs | Screen::Functions => {
            let rest = Rect { width: middle.width + right.width, ..middle };
            let own = match screen {
                Screen::Composition => pipeline_panes(rest),
                Screen::Catalogs => catalog_panes(rest),
                _ => function_panes(rest),
            };
            panes.extend(own);
            panes.push((Pane::Problems, lower));
            return panes;
        }
        Screen::Problems => {
            let top = Constraint::Length(problem_rows(model, middle));
            let [top, bottom] = Split::vertical([top, Constraint::Fill(1)]).areas(middle);
            panes.extend([(Pane::Problems, top), (Pane::Explanation, bottom)]);
        }
        // The tree and the steps have returned, and the others are overviews.
        Screen::Tree
        | Screen::Steps
        | Screen::Board
        | Screen::Compared
        | Screen::Found
        | Screen::Order
        | Screen::Combinations
        | Screen::Findings
        | Screen::ComponentTable
        | Screen::Change => {}
    }
    if screen == Screen::Resource {
        panes.extend([(Pane::Resources, inspector), (Pane::History, history)]);
    } else {
        panes.extend([(Pane::Resource, inspector), (Pane::History, history)]);
    }
    if dock > 0 {
        panes.push((Pane::Problems, lower));
    }
    panes
}
