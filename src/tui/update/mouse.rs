//! The mouse: focus, selection, scrolling, the timeline. Every action has a key too.

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers, MouseButton, MouseEvent, MouseEventKind};
use ratatui::layout::Position;

use super::super::header;
use super::super::keymap::Command;
use super::super::layout::layout;
use super::super::message::{ClickAnswer, Effect};
use super::super::model::{EntryState, FieldEditState, Model, Overlay, Pane};
use super::super::ports::StoreOrder;
use super::super::rows::row_at;
use super::super::screen::PaneShare;
use crate::update::{commands, form, header_rows, help_rows, input, palette, selection};

pub(crate) fn mouse(model: &mut Model, event: MouseEvent) {
    let at = Position::new(event.column, event.row);
    match event.kind {
        MouseEventKind::Down(MouseButton::Left) => handle_button_down(model, at),
        MouseEventKind::Drag(MouseButton::Left) => {
            if let Some(key) = model.panes.dragged {
                let divider = layout(model).dividers.into_iter().find(|it| it.key == key);
                model.panes.shares.extend(divider.map(|it| (key, it.share_at(at))));
            } else {
                move_to_pointed_step(model, at);
            }
        }
        MouseEventKind::Up(MouseButton::Left) => release_border(model),
        MouseEventKind::ScrollDown => handle_wheel(model, at, 3),
        MouseEventKind::ScrollUp => handle_wheel(model, at, -3),
        _ => {}
    }
}

/// Handles a click on a drawn area.
pub(crate) fn clicked(model: &mut Model, answer: ClickAnswer) {
    if let ClickAnswer::Run(_) | ClickAnswer::Filter(..) | ClickAnswer::TableCell { .. } = answer {
        model.status = None;
    }
    match answer {
        ClickAnswer::Key(key) => input::key(model, key),
        ClickAnswer::Row(row) => handle_overlay_row(model, row),
        ClickAnswer::Run(command) => commands::run(model, command, None),
        ClickAnswer::Filter(pane, command) => remove_filter(model, pane, command),
        ClickAnswer::TableCell { overlay, component } => toggle_cell(model, overlay, component),
    }
}

fn handle_button_down(model: &mut Model, at: Position) {
    match model.overlay {
        // A click beside the menu closes it.
        Some(Overlay::Actions(_)) => return model.overlay = None,
        Some(_) => return,
        None => {}
    }
    let placed = layout(model);
    model.status = None;
    model.panes.dragged = placed.dividers.iter().find(|it| it.border.contains(at)).map(|it| it.key);
    if model.panes.dragged.is_some() || move_to_pointed_step(model, at) {
        return;
    }
    let placed = placed.panes.into_iter().find(|placed| placed.area.contains(at));
    let Some(placed) = placed else { return };
    selection::focus(model, placed.pane);
    let top = usize::from(placed.inner.y) + header_rows(model, placed.pane);
    let Some(row) = usize::from(at.y).checked_sub(top).filter(|_| placed.inner.contains(at)) else {
        return;
    };
    let columns = usize::from(placed.inner.width.saturating_sub(1));
    let height = usize::from(placed.inner.height).saturating_sub(header_rows(model, placed.pane));
    let row = row_at(model, placed.pane, row, columns, height);
    if row >= model.rows(placed.pane) || placed.pane.is_text() {
        return;
    }
    selection::select(model, placed.pane, row);
    let again = model.panes.last_click.replace((placed.pane, row)) == Some((placed.pane, row));
    if placed.pane == Pane::Tree
        && handle_mark_click(model, row, usize::from(at.x - placed.inner.x))
    {
        model.panes.last_click = None;
        return;
    }
    let has_boxes = matches!(placed.pane, Pane::Components | Pane::TableComponents);
    let on_box = has_boxes && at.x < placed.inner.x + 6;
    if on_box {
        model.panes.last_click = None;
        return commands::run(model, Command::Toggle, None);
    }
    if again && model.focused() == placed.pane {
        model.panes.last_click = None;
        commands::run(model, Command::Open, None);
    }
}

/// Handles a click on a row of the overlay: it selects the row; on the selected row it is enter, or
/// runs the command of the help.
fn handle_overlay_row(model: &mut Model, row: usize) {
    if let Some(Overlay::Help(state)) = &model.overlay {
        let row = help_rows(model, state.filter.text()).into_iter().nth(row);
        return click_help(model, row.and_then(|row| row.command()));
    }
    if let Some(Overlay::Form(form)) = &mut model.overlay
        && form.selected != row
    {
        form::select_field(form, row);
        return;
    }
    if let Some(Overlay::Actions(menu)) = &mut model.overlay {
        menu.selected = row;
        return palette::run_selected_action(model);
    }
    let selected = match &mut model.overlay {
        Some(Overlay::Palette(state)) => &mut state.selected,
        Some(Overlay::Log(log)) => &mut log.selected,
        Some(Overlay::Drafts(list)) => &mut list.selected,
        Some(Overlay::Why(pane)) => &mut pane.selected,
        Some(Overlay::Form(form)) => &mut form.selected,
        Some(Overlay::FieldEdit(edit)) => match &mut edit.state {
            FieldEditState::Found { selected, .. } => selected,
            _ => return,
        },
        _ => return,
    };
    if std::mem::replace(selected, row) == row {
        input::key(model, KeyEvent::new(KeyCode::Enter, KeyModifiers::NONE));
    }
}

fn click_help(model: &mut Model, command: Option<Command>) {
    let Some(Overlay::Help(state)) = &mut model.overlay else { return };
    match command {
        Some(command) if state.marked == Some(command) => palette::run_marked_row(model),
        _ => {
            state.marked = command;
        }
    }
}

fn toggle_cell(model: &mut Model, overlay: usize, component: usize) {
    selection::select(model, Pane::ComponentTable, overlay);
    selection::focus(model, Pane::TableComponents);
    selection::select(model, Pane::TableComponents, component);
    commands::run(model, Command::Toggle, None);
}

/// Removes a filter of a list.
fn remove_filter(model: &mut Model, pane: Pane, command: Option<Command>) {
    selection::focus(model, pane);
    match command {
        Some(command) => commands::run(model, command, None),
        None => {
            selection::clear_filter(model, pane);
        }
    }
}

/// Ends dragging, and keeps the sizes for the next session.
fn release_border(model: &mut Model) {
    let moved = model.panes.dragged.take().is_some_and(|key| model.panes.shares.contains_key(&key));
    if !moved || model.is_read_only() {
        return;
    }
    let shares = model.panes.shares.iter();
    let shares = shares.map(|(divider, share)| PaneShare { divider: *divider, share: *share });
    model.request(Effect::Store(StoreOrder::KeepPaneShares(shares.collect())));
}

/// Handles a click on the fold sign or on the box of a row of the tree; false if another column
/// was clicked.
fn handle_mark_click(model: &mut Model, row: usize, column: usize) -> bool {
    let Some(row) = model.tree.rows.get(row).cloned() else { return false };
    let mark = 1 + row.depth * 2;
    let has_box = matches!(row.state, EntryState::On | EntryState::Off | EntryState::Unlisted);
    if row.has_children && (mark..mark + 2).contains(&column) {
        model.tree.toggle(&row);
        model.derived.invalidate(&[Pane::Tree]);
        return true;
    }
    let is_on_box = has_box && (mark + 2..mark + 4).contains(&column);
    if is_on_box {
        commands::run(model, Command::Toggle, None);
    }
    is_on_box
}

/// Moves the cursor to the step under the pointer; false if the pointer is not on the timeline.
fn move_to_pointed_step(model: &mut Model, at: Position) -> bool {
    let placed = layout(model);
    if !placed.timeline.contains(at) {
        return false;
    }
    if let Some(step) = header::step_at(model, placed.timeline, at.x) {
        model.cursor = step;
    }
    true
}

fn handle_wheel(model: &mut Model, at: Position, by: isize) {
    match &mut model.overlay {
        Some(Overlay::Help(state)) => state.offset = state.offset.saturating_add_signed(by),
        Some(Overlay::Confirm(confirm)) => {
            confirm.offset = confirm.offset.saturating_add_signed(by);
        }
        // It has no list.
        Some(Overlay::Search { .. }) => {}
        Some(Overlay::Palette(state)) => {
            let last = state.matches.len().saturating_sub(1);
            state.selected = state.selected.saturating_add_signed(by).min(last);
        }
        // A list scrolls, or the wheel moves its selection, as the arrow keys do.
        Some(_) => {
            let code = if by > 0 { KeyCode::Down } else { KeyCode::Up };
            let key = KeyEvent::new(code, KeyModifiers::NONE);
            (0..by.unsigned_abs()).for_each(|_| input::key(model, key));
        }
        None => {
            let placed = layout(model).panes.into_iter().find(|placed| placed.area.contains(at));
            if let Some(placed) = placed {
                selection::scroll_pane(model, placed.pane, by);
            }
        }
    }
}
