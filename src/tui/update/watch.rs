//! The watched field: selecting it, and going to the steps that write it.

use super::super::model::{Model, Pane, WatchedField};
use super::super::text::sanitize;
use super::{note, time, warn};
use crate::answers::recording::field::WrittenPath;

pub(crate) fn toggle(model: &mut Model) {
    super::derive::derive_resources(model);
    let here = model.field_under_cursor().filter(|_| model.focused() == Pane::Resource);
    if here.is_none() || here == model.steps.watched {
        if model.steps.watched.take().is_some() {
            note(model, "no field watched (c: next step with a change)");
        } else {
            let words =
                "select a line of a resource (gr), or use `:watch Deployment/web spec.replicas`";
            warn(model, words);
        }
        return;
    }
    model.steps.watched = here;
    report_watched(model);
}

/// Watches the field named by the argument, as in `Deployment/web spec.replicas`.
pub(crate) fn watch_field(model: &mut Model, argument: &str) {
    let Some((resource, field)) = argument.trim().rsplit_once(char::is_whitespace) else {
        warn(model, "usage: `:watch KIND/NAME FIELD`, as in `:watch Deployment/web spec.replicas`");
        return;
    };
    let resource = resource.trim();
    match model.builds.recording.find(resource) {
        Err(why) => warn(model, why.to_string()),
        Ok(slot) => {
            let Some(key) = model.builds.recording.key(slot).cloned() else { return };
            let words = format!("{field} of {resource}");
            let field = WrittenPath::parse(field);
            let words = sanitize(&words).into_owned();
            model.resources.choose(key.clone());
            model.steps.watched = Some(WatchedField { key, field, words });
            report_watched(model);
        }
    }
}

fn report_watched(model: &mut Model) {
    let Some(watched) = &model.steps.watched else { return };
    let words = watched.words.clone();
    match model.watched_steps().unwrap_or_default().len() {
        0 => warn(model, format!("no step writes {words}")),
        1 => note(model, format!("watching {words}: 1 write (c/C: go to it)")),
        many => {
            let told = format!(
                "watching {words}: {many} writes (c/C: next/previous write, v: stop watching)"
            );
            note(model, told);
        }
    }
}

/// Goes to the next or previous write of the watched field; without one, to the next or previous step
/// with a change.
pub(crate) fn go_to_effective_step(model: &mut Model, forward: bool) {
    let Some(steps) = model.watched_steps() else {
        return time::go_to_effective_step(model, forward);
    };
    let found = if forward {
        steps.iter().find(|step| **step > model.cursor)
    } else {
        steps.iter().rev().find(|step| **step < model.cursor)
    };
    if let Some(step) = found {
        model.cursor = *step;
        if let Some(watched) = &model.steps.watched {
            model.resources.choose(watched.key.clone());
        }
        return;
    }
    let words = model.steps.watched.as_ref().map_or("", |watched| &watched.words);
    let way = if forward { "later" } else { "earlier" };
    note(model, format!("no {way} write of {words} (v: stop watching)"));
}
