//! Draws the lines above and below the panes: title, tabs, tour, timeline, hints.

use std::time::Duration;

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use super::super::header::{self, Tab};
use super::super::keymap::Command;
use super::super::layout::{ScreenLayout, layout, tour_lines};
use super::super::message::{ClickAnswer, ClickArea};
use super::super::model::{
    Model, Overlay, Recording, RunningBuild, STOPS, Screen, Severity, Status, StepState, WorkKind,
    WorkbenchPlace, count_pending, missing_remotes,
};
use super::super::ports::RunningFunction;
use super::super::rows::findings_sign;
use super::super::text::{fit, sanitize, to_u16, width};
use super::super::theme::StyleRole;
use super::super::update;
use super::line::LineBuilder;
use crate::display::counted;

pub(crate) fn title(model: &Model, area: Rect, buffer: &mut Buffer) {
    let places = header::places(model);
    let first = places.first().map_or(area.right(), |tab| tab.area.x);
    let room = usize::from(first.saturating_sub(area.x));
    let text = header::title_in(model, room);
    buffer.set_stringn(area.x, area.y, text, room, model.look.theme.style(StyleRole::Title));
    for place in places {
        tab(model, &place, place.to == model.screen.place(), buffer);
    }
}

pub(crate) fn tabs(model: &Model, _: Rect, buffer: &mut Buffer) {
    for screen in header::tabs(model) {
        tab(model, &screen, screen.to == model.screen, buffer);
    }
}

fn tab<T>(model: &Model, tab: &Tab<T>, is_shown: bool, buffer: &mut Buffer) {
    let role = if is_shown { StyleRole::Tab } else { StyleRole::Dim };
    let area = tab.area;
    buffer.set_stringn(area.x, area.y, &tab.label, area.width.into(), model.look.theme.style(role));
    // Marked by symbols too, not only by colour.
    if is_shown && area.width > 1 {
        let style = model.look.theme.style(StyleRole::Title);
        buffer.set_stringn(area.x, area.y, "▐", 1, style);
        buffer.set_stringn(area.right() - 1, area.y, "▌", 1, style);
    }
}

pub(crate) fn tour(model: &Model, area: Rect, buffer: &mut Buffer) {
    let Some(tour) = model.tour else { return };
    let glyphs = model.glyphs();
    let columns = usize::from(area.width);
    let key = |command| model.look.keymap.first_key(command);
    let last = tour.at + 1 == STOPS;
    let on = if last { "end" } else { "next stop" };
    let mut line = LineBuilder::new(model, columns);
    line.put(StyleRole::Border, &glyphs.line.repeat(2));
    line.put(StyleRole::Title, &format!(" Tour  stop {} of {STOPS} ", tour.at + 1));
    let ways = [(key(Command::NextStop), on), (key(Command::Tour), "end the tour")];
    let cells: usize = ways.iter().map(|(key, does)| width(key) + width(does) + 3).sum();
    let rule = line.room().saturating_sub(cells + 1);
    line.put(StyleRole::Border, &glyphs.line.repeat(rule)).put(StyleRole::Text, " ");
    for (key, does) in ways {
        line.put(StyleRole::Key, key).put(StyleRole::Dim, &format!(" {does}  "));
    }
    buffer.set_line(area.x, area.y, &line.finish(), area.width);
    for (y, text) in (area.y + 1..area.bottom()).zip(tour_lines(model, area.width)) {
        buffer.set_stringn(area.x + 1, y, text, columns, model.look.theme.style(StyleRole::Text));
    }
}

pub(crate) fn timeline(model: &Model, area: Rect, buffer: &mut Buffer) {
    if model.screen.place() == WorkbenchPlace::Target {
        steps(model, area, buffer);
    }
    if let (Some(status), Some(line)) = (&model.status, header::message_area(model, area)) {
        let style = model.look.theme.style(status.role);
        buffer.set_stringn(line.x, line.y, &status.text, line.width.into(), style);
    }
    let (role, text) = result(model);
    let text = fit(&text, 25);
    let x = area.right().saturating_sub(to_u16(width(&text)) + 1);
    buffer.set_stringn(x, area.y, text, 25, model.look.theme.style(role));
}

fn steps(model: &Model, area: Rect, buffer: &mut Buffer) {
    let glyphs = model.glyphs();
    let steps = model.builds.recording.len();
    let head = match steps {
        0 => " no steps".to_owned(),
        _ => format!(" step {}/{steps}", model.cursor + 1),
    };
    let style = model.look.theme.style(StyleRole::Step);
    buffer.set_stringn(area.x, area.y, head, area.width.into(), style);
    let (first, cells) = header::timeline_cells(model, area);
    let all = &model.builds.recording.trace.steps;
    let most = all.iter().map(changed_resource_count).max().unwrap_or(1).max(1);
    let pitch = header::timeline_cell_width(model, area);
    for (x, steps) in (first..).step_by(pitch.into()).zip(&cells) {
        let states = model.builds.recording.trace.steps.get(steps.clone()).unwrap_or_default();
        let failed = states.iter().any(|step| StepState::from_step(step) == StepState::Failed);
        let height = states.iter().map(changed_resource_count).max().unwrap_or(0);
        let bar = match height {
            0 => 0,
            height => 1 + height * 7 / most,
        };
        let here = steps.contains(&model.cursor);
        let role = match () {
            () if failed => StyleRole::Error,
            () if here => StyleRole::Tab,
            () if height > 0 => StyleRole::Modified,
            () => StyleRole::Dim,
        };
        let sign = if failed { glyphs.failed } else { glyphs.bars[bar.min(8)] };
        buffer.set_stringn(x, area.y, sign, 1, model.look.theme.style(role));
        if here && pitch > 1 {
            let style = model.look.theme.style(StyleRole::Title);
            buffer.set_stringn(x - 1, area.y, glyphs.strip_left, 1, style);
            if pitch > 2 {
                buffer.set_stringn(x + 1, area.y, glyphs.strip_right, 1, style);
            }
        }
    }
}

fn changed_resource_count(step: &crate::engine::evaluate::Step) -> usize {
    let is_merge = step.kind == crate::engine::evaluate::StepKind::Merge;
    let counts = step.counts;
    if is_merge || !Recording::is_effective(step) {
        0
    } else {
        counts.added + counts.modified + counts.removed
    }
}

fn spinner(time: Duration) -> &'static str {
    ["|", "/", "-", "\\"][usize::try_from(time.as_millis() / 100 % 4).unwrap_or(0)]
}

fn fetching(model: &Model) -> (StyleRole, String) {
    let Some(run) = &model.fetching.run else { return (StyleRole::Dim, String::new()) };
    let frame = spinner(run.time);
    let at = model.work.progress(WorkKind::Fetch).map_or(0, |(at, _)| at);
    let (number, all) = (at + 1, run.things.len());
    let seconds = run.time.as_secs_f32();
    (StyleRole::Warning, format!("{frame} fetch {number}/{all} {seconds:.1}s esc"))
}

fn running(model: &Model, function: &RunningFunction) -> String {
    let RunningFunction { name, number, elapsed } = function;
    // Kind and name distinguish functions.
    let name = sanitize(name.split(" (").next().unwrap_or(name)).into_owned();
    let all = model.builds.asked_functions;
    let of = if all > 1 && *number <= all { format!(" {number} of {all}") } else { String::new() };
    format!("{name}{of} {:.1}s", elapsed.as_secs_f32())
}

/// The state of the build; in the place Repository, the progress of the builds of all targets.
fn result(model: &Model) -> (StyleRole, String) {
    let glyphs = model.glyphs();
    if model.screen.place() == WorkbenchPlace::Repository {
        return crate::screens::targets::view::progress(model);
    }
    match model.builds.running {
        // During the first tenth of a second, the running build is not shown.
        RunningBuild::Running(time) if time.as_millis() >= 100 => {
            let frame = spinner(time);
            let seconds = time.as_secs_f32();
            let words = match &model.builds.function {
                Some(function) => running(model, function),
                None => format!("building {seconds:.1}s"),
            };
            return (StyleRole::Warning, format!("{frame} {words} ctrl-c"));
        }
        _ if model.fetching.run.is_some() => return fetching(model),
        RunningBuild::Cancelled => return (StyleRole::Warning, "cancelled (R: build)".to_owned()),
        _ => {}
    }
    if model.builds.recording.error.is_some() {
        return (StyleRole::Error, format!("{} build failed (gp: why)", glyphs.failed));
    }
    if model.builds.generation == 0 {
        return (StyleRole::Dim, String::new());
    }
    // The same count as in the line of screens.
    let problems = model.problems.rows.problem_count();
    let took = model.builds.recording.took.as_millis();
    let waiting = count_pending(&model.builds.recording, 0..model.builds.recording.len());
    // With pending steps the output is not known: show the action first.
    if waiting > 0 {
        let is_local = missing_remotes(&model.builds.recording).is_empty();
        let key = if is_local { "gf: show" } else { "F: fetch" };
        return (StyleRole::Warning, format!("{} {waiting} pending ({key})", glyphs.waiting));
    }
    if problems > 0 {
        let errors = model.problems.all.iter().filter(|it| it.severity == Severity::Error);
        let (role, sign) = findings_sign(model, errors.count(), problems);
        return (role, format!("{sign} {}  {took}ms", counted(problems, "problem")));
    }
    (StyleRole::Ok, format!("{} {} steps {took}ms", glyphs.applied, model.builds.recording.len()))
}

/// The message, if it needs the line of the hints: there is no room beside the timeline.
fn hinted_status(model: &Model) -> Option<&Status> {
    let line = layout(model).timeline;
    model.status.as_ref().filter(|_| header::message_area(model, line).is_none())
}

/// The areas of these lines that run a command.
pub(crate) fn click_areas(model: &Model, placed: &ScreenLayout) -> Vec<ClickArea> {
    let run = |(area, command)| ClickArea { area, answer: ClickAnswer::Run(command) };
    let tabs = header::tabs(model).into_iter().map(|tab| (tab.area, Command::Show(tab.to)));
    let places = header::places(model).into_iter().map(|tab| (tab.area, Command::GoTo(tab.to)));
    let result = (header::result_area(placed.timeline), Command::Show(Screen::Problems));
    let message = header::message_area(model, placed.timeline);
    let message = message.or_else(|| model.status.as_ref().map(|_| placed.hints));
    let message = message.map(|area| (area, Command::Messages));
    let hints = if model.has_key_prefix() { Vec::new() } else { update::hints(model) };
    let hints = hints.into_iter().map(|hint| (hint.area, hint.command));
    hints.chain(places).chain(tabs).chain([result]).chain(message).map(run).collect()
}

/// Draws the most useful keys of the screen, or the message.
pub(crate) fn hints(model: &Model, area: Rect, buffer: &mut Buffer) {
    let columns = usize::from(area.width);
    let mut line = LineBuilder::new(model, columns);
    line.put(StyleRole::Text, " ");
    if let Some(Overlay::Search { text, .. }) = &model.overlay {
        line.put(StyleRole::Key, "/")
            .put(StyleRole::Text, &text.window(columns.saturating_sub(3)).0);
        line.put(StyleRole::Dim, "   enter keep  esc back  r: regex  ! invert");
    } else if let (Some(Overlay::Editor(_)), None) = (&model.overlay, hinted_status(model)) {
        for (key, does) in [
            ("esc", "keep the draft"),
            ("ctrl-c", "discard the edit"),
            ("ctrl-u", "undo"),
            ("ctrl-r", "redo"),
        ] {
            line.put(StyleRole::Key, key).put(StyleRole::Dim, &format!(" {does}   "));
        }
    } else if let Some(status) = hinted_status(model) {
        // A longer message is shown in full by a key.
        let key = model.look.keymap.first_key(Command::Messages);
        let rest = format!(" {key}: all");
        if width(&status.text) > line.room() && !key.is_empty() {
            let room = line.room().saturating_sub(width(&rest));
            line.put(status.role, &fit(&status.text, room)).put(StyleRole::Key, &rest);
        } else {
            line.put(status.role, &status.text);
        }
    } else if model.has_key_prefix() {
        let count = model.input.count.map(|count| count.to_string()).unwrap_or_default();
        line.put(StyleRole::Key, &format!("{count}{}", model.input.keys));
        line.put(StyleRole::Dim, " … esc");
    } else if model.overlay.is_none() {
        for hint in update::hints(model) {
            let role = if hint.is_available { StyleRole::Key } else { StyleRole::Dim };
            line.put(role, &hint.key).put(StyleRole::Dim, &format!(" {}  ", hint.action));
        }
    }
    buffer.set_line(area.x, area.y, &line.finish(), area.width);
}
