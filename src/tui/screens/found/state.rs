//! Results of a search over all resources and steps, removed resources included.

use crate::answers::{FieldMatch, grep};
use crate::model::{Model, Pane, ResourceKey, Screen, step_label};
use crate::text::{TextLine, sanitize};
use crate::theme::StyleRole;

#[derive(Debug, Default)]
pub(crate) struct FoundState {
    pub pattern: String,
    /// The results in build order.
    pub rows: Vec<FoundRow>,
    pub error: Option<String>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct FoundRow {
    pub key: Option<ResourceKey>,
    /// `Kind/name` of the resource at the first step with this value.
    pub resource: String,
    pub path: String,
    /// The value, on one line.
    pub value: String,
    /// The location of the value; empty for the output of a program.
    pub place: String,
    /// The first step with this value, from 0.
    pub first: usize,
    /// The last step with the value, from 0; `None` for values in the output.
    pub last: Option<usize>,
}

pub(crate) fn search_fields(model: &Model) -> Result<Vec<FoundRow>, String> {
    let pattern = &model.search.pattern;
    let regex = regex::RegexBuilder::new(pattern)
        .case_insensitive(!pattern.contains(char::is_uppercase))
        .size_limit(1 << 20)
        .build();
    let regex = regex.map_err(|error| error.to_string())?;
    let found = grep(&model.builds.recording.trace, &regex);
    Ok(found.iter().map(|hit| row(model, hit)).collect())
}

fn row(model: &Model, hit: &FieldMatch) -> FoundRow {
    let (recording, resource) = (&model.builds.recording, &hit.resource);
    let value = model.look.secrets.field(resource, &hit.path.keys(), hit.mark, &hit.value);
    let mut lines = value.lines();
    let first = lines.next().unwrap_or_default();
    let more = if lines.next().is_some() { "…" } else { "" };
    let name = format!("{}/{}", resource.id.gvk.kind, resource.id.name);
    FoundRow {
        key: recording.key(hit.slot).cloned(),
        resource: sanitize(&name).into_owned(),
        path: sanitize(&hit.path.to_string()).into_owned(),
        value: sanitize(&format!("{first}{more}")).into_owned(),
        place: recording.location(hit.mark),
        first: hit.first.saturating_sub(1),
        last: hit.last.map(|last| last.saturating_sub(1)),
    }
}

pub(crate) fn selected_match_lines(model: &Model) -> Vec<TextLine> {
    let row = model.search.rows.get(model.list(Pane::Found).selected);
    let Some(row) = row.filter(|_| model.screen == Screen::Found) else { return Vec::new() };
    let at = |step: usize| {
        let label = step_label(&model.builds.recording, step);
        format!("step {} {} {label}", step + 1, model.builds.recording.place_of_step(step))
    };
    let mut lines = vec![
        TextLine::new(StyleRole::Title, &row.resource),
        TextLine::new(StyleRole::Text, format!("{}: {}", row.path, row.value)),
    ];
    if !row.place.is_empty() {
        lines.push(TextLine::new(StyleRole::Place, format!("set at {}", row.place)));
    }
    lines.push(TextLine::new(StyleRole::Step, format!("first set in {}", at(row.first))));
    lines.push(match row.last {
        None => TextLine::new(StyleRole::Ok, "in the output"),
        Some(last) => TextLine::new(StyleRole::Removed, format!("removed in {}", at(last + 1))),
    });
    lines
}
