//! The lines of tabs and the timeline, and the filters of a list as chips at the right end of its
//! title: the position of each cell, for drawing and for the mouse. A click on a chip removes the
//! filter; the keys after `,` set and remove it.

use ratatui::layout::Rect;

use crate::engine::evaluate::StepOutcome;
use crate::keymap::Command;
use crate::layout::{PaneArea, layout};
use crate::message::{ClickAnswer, ClickArea};
use crate::model::{Model, Pane, Screen, WorkbenchPlace, is_of_function};
use crate::repository::TargetKind;
use crate::screen::{SizeClass, class};
use crate::text::{fit, fit_location, sanitize, to_u16, width};

pub(crate) struct Tab<T> {
    pub to: T,
    pub label: String,
    pub area: Rect,
}

/// The tabs of the places in the top line. A name is never cut if the line has room for it.
pub(crate) fn places(model: &Model) -> Vec<Tab<WorkbenchPlace>> {
    let line = layout(model).title;
    let labels = WorkbenchPlace::ALL.into_iter().enumerate().map(|(number, place)| {
        let edits = match place {
            WorkbenchPlace::Change if model.has_draft() => {
                format!(" {}{}", model.glyphs().draft, model.edits.pending)
            }
            WorkbenchPlace::Change if !model.edits.list.is_empty() => {
                format!(" {}{}", model.glyphs().off, model.edits.list.len())
            }
            _ => String::new(),
        };
        (place, format!(" {number} {}{edits} ", place.name()))
    });
    let labels: Vec<_> = labels.collect();
    let total: usize = labels.iter().map(|(_, label)| width(label)).sum();
    let x = line.right().saturating_sub(to_u16(total)).max(line.x);
    lay_out_tabs(labels, x, line)
}

/// The tabs of the current place in the second line: screens with content for this build, and the
/// current screen.
pub(crate) fn tabs(model: &Model) -> Vec<Tab<Screen>> {
    let line = layout(model).tabs;
    let place = model.screen.place();
    let screens = Screen::ALL.into_iter().filter(|screen| screen.place() == place);
    let screens = screens.filter(|screen| *screen == model.screen || has_content(model, *screen));
    let labels: Vec<_> = screens.map(|screen| (screen, label(model, screen))).collect();
    let room = usize::from(line.width);
    let cells = |labels: &[(Screen, String)]| labels.iter().map(|(_, it)| width(it)).sum::<usize>();
    if cells(&labels) <= room {
        return lay_out_tabs(labels, line.x, line);
    }
    // If not all tabs fit, their names are cut; then tabs on the left are left out until the current
    // tab fits.
    let cut = |(screen, label): (Screen, String)| {
        let short = label.replacen(screen.name(), &fit(screen.name(), 6), 1);
        (screen, if screen == model.screen { label } else { short })
    };
    let labels: Vec<_> = labels.into_iter().map(cut).collect();
    let shown = labels.iter().position(|(screen, _)| *screen == model.screen).unwrap_or(0);
    let first = match cells(&labels) {
        all if all <= room => 0,
        _ => (0..shown).find(|first| cells(&labels[*first..=shown]) <= room).unwrap_or(shown),
    };
    lay_out_tabs(labels.into_iter().skip(first).collect(), line.x, line)
}

fn label(model: &Model, screen: Screen) -> String {
    let count = match screen {
        Screen::Problems => model.problems.rows.problem_count(),
        Screen::Findings => model.board.findings.rows.problem_count(),
        Screen::Change => model.edits.pending,
        _ => 0,
    };
    let count = if count > 0 { format!(" {count}") } else { String::new() };
    format!(" {}{count} ", screen.name())
}

/// True if the screen has a tab even while another screen is shown.
fn has_content(model: &Model, screen: Screen) -> bool {
    let recording = &model.builds.recording;
    match screen {
        Screen::Tree
        | Screen::Steps
        | Screen::Diff
        | Screen::Resource
        | Screen::Problems
        | Screen::Board
        | Screen::Findings
        | Screen::Compared
        | Screen::Change => true,
        Screen::Components => !model.components.rows.is_empty(),
        Screen::ComponentTable => model.board.repository.as_deref().is_some_and(|repository| {
            repository.targets().any(|target| target.kind == TargetKind::Component)
        }),
        Screen::Composition => !recording.compositions.is_empty(),
        Screen::Catalogs => !recording.catalogs.is_empty(),
        Screen::Functions => recording.trace.steps.iter().any(|step| {
            step.run.is_some()
                || matches!(&step.outcome, StepOutcome::Waiting(wait) if is_of_function(wait))
        }),
        Screen::Found => !model.search.pattern.is_empty(),
        Screen::Order => !model.varied.pairs.is_empty(),
        Screen::Combinations => !model.varied.cases.is_empty(),
    }
}

/// The message in place of a screen about objects that the open target does not have.
pub(crate) fn absence(model: &Model, screen: Screen) -> Option<&'static str> {
    // The objects of a target are known only when it is built.
    if model.builds.recording.trace.steps.is_empty() {
        return None;
    }
    let reason = match screen {
        Screen::Composition => "no Composition (composition.yaml) in this target",
        Screen::Catalogs => "no catalogs in this build",
        Screen::Functions => "no function in this build runs a program",
        _ => return None,
    };
    (!has_content(model, screen)).then_some(reason)
}

fn lay_out_tabs<T>(labels: Vec<(T, String)>, mut x: u16, line: Rect) -> Vec<Tab<T>> {
    let tab = |(to, label): (T, String)| {
        let cells = to_u16(width(&label)).min(line.right().saturating_sub(x));
        let area = Rect::new(x, line.y, cells, line.height);
        x += cells;
        Tab { to, label, area }
    };
    labels.into_iter().map(tab).collect()
}

/// The name in the top line, ` kzui overlays/dev [draft]`, within `room` cells: of the path of the
/// target, or of the folder with the listed targets, only the end is shown if it is long.
pub(crate) fn title_in(model: &Model, room: usize) -> String {
    let is_target = model.opened.has_target && model.screen.place() != WorkbenchPlace::Repository;
    let target = match model.board.scope.file_name() {
        Some(name) if !is_target => name.to_string_lossy(),
        _ => model.target_name().into(),
    };
    let target = sanitize(&target);
    let read_only = if model.is_read_only() { " read-only" } else { "" };
    let like = model.like.shown().map_or_else(String::new, |name| format!(" like {name}"));
    let name = model.edits.name.as_deref().map(sanitize);
    let name = name.map_or_else(String::new, |name| format!(" [{name}]"));
    let title = |target: &str| format!(" kzui {target}{name}{read_only}{like}");
    let text = title(&target);
    if width(&text) <= room {
        return text;
    }
    let others = width(&text) - width(&target);
    fit(&title(&fit_location(&target, room.saturating_sub(others + 1))), room)
}

/// Cells of the timeline before its first step: ` step 123/456 `.
const TIMELINE_HEAD_CELLS: u16 = 17;
/// Cells reserved at the end of the timeline for the outcome of the build.
const TIMELINE_TAIL_CELLS: u16 = 26;

/// The column of the first cell of the timeline, and the steps of each cell.
pub(crate) fn timeline_cells(model: &Model, line: Rect) -> (u16, Vec<std::ops::Range<usize>>) {
    let steps = model.builds.recording.len();
    let room = usize::from(line.width.saturating_sub(TIMELINE_HEAD_CELLS + TIMELINE_TAIL_CELLS));
    if steps == 0 || room == 0 {
        return (line.x + TIMELINE_HEAD_CELLS, Vec::new());
    }
    let per_cell = steps.div_ceil(room);
    let cells = (0..steps).step_by(per_cell).map(|first| first..(first + per_cell).min(steps));
    (line.x + TIMELINE_HEAD_CELLS, cells.collect())
}

/// The width of one cell of the timeline in columns: three if they fit, so that the cursor can be
/// marked on both sides.
pub(crate) fn timeline_cell_width(model: &Model, line: Rect) -> u16 {
    let room = line.width.saturating_sub(TIMELINE_HEAD_CELLS + TIMELINE_TAIL_CELLS);
    let steps = to_u16(model.builds.recording.len()).max(1);
    (room / steps).clamp(1, 3)
}

/// The free cells between the timeline and the result of the build, if the message fits there, so
/// that the hints stay visible.
pub(crate) fn message_area(model: &Model, line: Rect) -> Option<Rect> {
    let status = model.status.as_ref()?;
    let start = match model.screen.place() {
        WorkbenchPlace::Target => {
            let (first, cells) = timeline_cells(model, line);
            let cells = to_u16(cells.len());
            first.saturating_add(cells.saturating_mul(timeline_cell_width(model, line))) + 2
        }
        _ => line.x + 1,
    };
    let end = line.right().saturating_sub(TIMELINE_TAIL_CELLS);
    let area = Rect { x: start, width: end.checked_sub(start)?, ..line };
    (line.height > 0 && width(&status.text) <= usize::from(area.width)).then_some(area)
}

pub(crate) fn step_at(model: &Model, line: Rect, column: u16) -> Option<usize> {
    let (first, cells) = timeline_cells(model, line);
    let cell = usize::from(column.checked_sub(first)? / timeline_cell_width(model, line));
    Some(cells.get(cell)?.start)
}

pub(crate) fn result_area(line: Rect) -> Rect {
    let x = line.right().saturating_sub(TIMELINE_TAIL_CELLS).max(line.x);
    Rect { x, width: line.right() - x, ..line }
}

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
