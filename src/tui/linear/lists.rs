//! Lists of linear mode: components, and the steps that wrote a field.

use super::super::model::step_label;
use super::super::model::{ComponentStatus, Model};
use crate::answers::provenance::blame::value_text;
use crate::answers::recording::field::WrittenPath;
use crate::engine::resource::PathStep;
use crate::engine::yaml::Node;

pub(super) fn components(model: &Model) -> Vec<String> {
    if model.components.rows.is_empty() {
        return vec!["No components.".to_owned()];
    }
    let rows = (1..).zip(&model.components.rows).map(|(number, row)| {
        let state = match row.state {
            ComponentStatus::On => "On",
            ComponentStatus::Off => "Off",
            ComponentStatus::Absent => "Not listed",
        };
        let effect = row.effect.map(|it| {
            format!(" Added {}, changed {}, removed {}.", it.added, it.changed, it.removed)
        });
        let file = model.builds.recording.shorten(&row.file.to_string_lossy());
        format!("{number}. {}. {state} in {file}.{}", row.text, effect.unwrap_or_default())
    });
    rows.collect()
}

/// The steps that wrote a field of a resource, with the value before each; the argument is
/// `KIND/NAME FIELD`.
pub(super) fn watch(model: &Model, argument: &str) -> Result<Vec<String>, String> {
    const USAGE: &str = "Usage: watch KIND/NAME FIELD, as in watch Deployment/web spec.replicas.";
    let (resource, field) = argument.rsplit_once(' ').ok_or(USAGE)?;
    let recording = &model.builds.recording;
    let slot = recording.find(resource.trim()).map_err(|why| format!("{why}."))?;
    let last = recording.identity.last_state(slot);
    let writes = recording.writes(slot, &WrittenPath::parse(field)).into_iter().map(|write| {
        let keys: Vec<&str> = write.path.iter().filter_map(PathStep::key).collect();
        let value = |value: &Option<Node>| match (value, last) {
            (None, _) => "absent".to_owned(),
            (Some(value), None) => value_text(value),
            (Some(value), Some(last)) => {
                value_text(&model.look.secrets.part(&last.resource, &keys, value))
            }
        };
        let place = recording.location(write.mark);
        let at = if place.is_empty() { place } else { format!(", at {place}") };
        let label = step_label(recording, write.step);
        let (before, after) = (value(&write.before), value(&write.after));
        format!("Step {}. {label}. Before: {before}. After: {after}{at}.", write.step + 1)
    });
    let lines: Vec<String> = writes.collect();
    if lines.is_empty() { Err(format!("No step writes {field} of {resource}.")) } else { Ok(lines) }
}
