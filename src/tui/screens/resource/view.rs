//! A resource with the step and the location of every line; the list of resources; the history of a
//! field.

use ratatui::text::Line;

use crate::model::{Model, ResourceState, count_pending};
use crate::text::{fit_location_distinct, sanitize, width};
use crate::theme::StyleRole;
use crate::view::line::LineBuilder;

pub(crate) fn resources_title(model: &Model) -> String {
    if !model.opened.has_target {
        return "Resources".to_owned();
    }
    let step = model.cursor + 1;
    match &model.resources.namespace {
        Some(namespace) => format!("Resources in {}  after step {step}", sanitize(namespace)),
        None => format!("Resources after step {step}"),
    }
}

pub(crate) fn title(model: &Model) -> String {
    let at = model.cursor + 1;
    let recording = &model.builds.recording;
    let time = if at > recording.last_effective_step() && recording.error.is_none() {
        "final state".to_owned()
    } else {
        format!("after step {at}")
    };
    match model.resources.shown() {
        Some(row) => format!("{} {}  {time}", row.kind, row.name),
        None => match &model.resources.key {
            Some(key) => {
                let name = format!("{} {}", key.kind, key.name);
                format!("{} is not present after step {at}", sanitize(&name))
            }
            None => "Resource".to_owned(),
        },
    }
}

pub(crate) fn row(model: &Model, index: usize, columns: usize) -> Line<'static> {
    let mut line = LineBuilder::new(model, columns);
    let state = &model.resources;
    let Some(text) = state.lines.get(index) else { return line.finish() };
    let same_as_above = is_as_above(state, index);
    if same_as_above {
        line.push_right_aligned(StyleRole::Dim, "·", 4);
    } else {
        let step = state.steps.get(index).copied().flatten();
        let step = step.map_or_else(|| "·".to_owned(), |step| (step + 1).to_string());
        line.push_right_aligned(StyleRole::Step, &step, 4);
    }
    line.put(StyleRole::Text, " ");
    let place = state.places.get(index).map_or("", String::as_str);
    let is_wrapped = columns == crate::view::UNWRAPPED_COLUMNS;
    if is_wrapped || same_as_above || place.is_empty() || columns < MIN_COLUMNS_WITH_LOCATION {
        line.text_line(text);
        return line.finish();
    }
    // The location is at the right edge. It is cut to its line number if the line of YAML is then in
    // full.
    let room = line.room();
    let free = room.saturating_sub(width(&text.text()) + 2);
    let least =
        place.rsplit_once(':').map_or(crate::view::MIN_PLACE_CELLS, |(_, line)| width(line) + 2);
    let cells = if free >= least { free } else { crate::view::MIN_PLACE_CELLS };
    let cells = width(place).min(cells);
    // The cells of the location stay free.
    line.columns -= (cells + 2).min(room);
    line.text_line(text);
    line.columns = columns;
    let near: Vec<&str> = neighbouring_locations(state, index).collect();
    let place = fit_location_distinct(place, cells, &near);
    let gap = line.room().saturating_sub(width(&place));
    line.put(StyleRole::Text, &" ".repeat(gap)).put(StyleRole::Place, &place);
    line.finish()
}

fn is_as_above(state: &ResourceState, index: usize) -> bool {
    index > 0
        && state.steps.get(index) == state.steps.get(index - 1)
        && state.places.get(index) == state.places.get(index - 1)
}

/// The location where a line is written, unless it is that of the line above.
pub(crate) fn written_at(model: &Model, index: usize, columns: usize) -> Option<String> {
    let state = &model.resources;
    let has_room = columns >= MIN_COLUMNS_WITH_LOCATION && !is_as_above(state, index);
    state.places.get(index).filter(|place| has_room && !place.is_empty()).cloned()
}

/// In fewer columns, the lines of a resource have no location.
const MIN_COLUMNS_WITH_LOCATION: usize = 45;

/// The other locations near a line: if its location is cut, the part that differs from these is
/// kept.
fn neighbouring_locations(state: &ResourceState, index: usize) -> impl Iterator<Item = &str> {
    let here = state.places.get(index);
    let near = state.places.iter().skip(index.saturating_sub(12)).take(25);
    near.filter(move |place| !place.is_empty() && Some(*place) != here).map(String::as_str)
}

pub(crate) fn empty(model: &Model) -> String {
    if model.resources.list.is_empty() {
        return missing_resource_text(model);
    }
    format!("not present after step {} (>: last step)", model.cursor + 1)
}

pub(crate) fn missing_resource_text(model: &Model) -> String {
    let recording = &model.builds.recording;
    let at = model.cursor + 1;
    let later = recording.trace.steps.iter().skip(at).any(|step| step.counts.added > 0);
    if later {
        return format!("no resource loaded yet after step {at}; ) next step, > last step");
    }
    if recording.error.is_some() {
        return "no resources: build failed before loading any (gp: why)".to_owned();
    }
    if count_pending(recording, 0..recording.len()) > 0 {
        return "no resources: steps of this build are pending (gp: list, F: fetch)".to_owned();
    }
    format!("no resource left after step {at}; ( previous step")
}
