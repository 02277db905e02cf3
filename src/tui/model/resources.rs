//! The resources at the time of the cursor, one of them line by line, and the history of a field.

use std::sync::Arc;

use crate::engine::evaluate::StepKind;
use crate::engine::resource::{Resource, Slot};
use crate::engine::yaml::{Mark, Node};

use super::super::text::{Painter, TextLine, join_path, mark_of, sanitize, yaml_lines};
use super::{Recording, ResourceKey};

/// One resource of the list.
#[derive(Clone, Debug)]
pub(in crate::tui) struct ResourceRow {
    /// Finds it again.
    pub key: ResourceKey,
    /// Its place in the build.
    pub slot: Slot,
    /// The resource.
    pub resource: Arc<Resource>,
    /// `Deployment`
    pub kind: String,
    /// `prod/web`
    pub name: String,
}

/// A step that touched a field.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::tui) struct HistoryRow {
    /// The step.
    pub step: usize,
    /// What it is called.
    pub label: String,
    /// `base/deployment.yaml:16`
    pub place: String,
    /// What the field was before and is after; `None` for absent.
    pub before: Option<String>,
    /// The value after the step.
    pub after: Option<String>,
}

/// What the Resource screen shows.
#[derive(Clone, Debug, Default)]
pub(in crate::tui) struct ResourceState {
    /// All resources at this time.
    pub list: Vec<ResourceRow>,
    /// The one that is shown.
    pub key: Option<ResourceKey>,
    /// Its lines.
    pub lines: Vec<TextLine>,
    /// What colours those values that are whole files.
    pub painters: Vec<Painter>,
    /// For each line, the step that wrote it.
    pub steps: Vec<Option<usize>>,
    /// For each line, file and line.
    pub places: Vec<String>,
    /// What happened to the field under the cursor, oldest first.
    pub history: Vec<HistoryRow>,
}

impl ResourceRow {
    /// A row for a resource.
    pub(in crate::tui) fn new(key: ResourceKey, slot: Slot, resource: &Arc<Resource>) -> Self {
        let id = &resource.id;
        let name = if id.namespace.is_empty() {
            id.name.to_string()
        } else {
            format!("{}/{}", id.namespace, id.name)
        };
        Self {
            key,
            slot,
            resource: resource.clone(),
            kind: sanitize(&id.gvk.kind).into_owned(),
            name: sanitize(&name).into_owned(),
        }
    }
}

impl ResourceState {
    /// The place of the shown resource in the list.
    pub(in crate::tui) fn position(&self) -> Option<usize> {
        let key = self.key.as_ref()?;
        self.list.iter().position(|row| row.key == *key)
    }

    /// The row of the shown resource.
    pub(in crate::tui) fn shown(&self) -> Option<&ResourceRow> {
        self.list.get(self.position()?)
    }

    /// Takes the lines of the shown resource.
    pub(in crate::tui) fn load(&mut self, recording: &Recording) {
        self.lines = match self.shown() {
            Some(row) => yaml_lines(&row.resource.node),
            None => Vec::new(),
        };
        self.painters = Painter::of_values(&self.lines);
        self.steps = self.lines.iter().map(|line| recording.writer(line.mark.writer)).collect();
        let place = |(line, step): (&TextLine, &Option<usize>)| {
            let place = recording.place(line.mark);
            match step.and_then(|step| recording.step(step)) {
                // What nothing configures is named by what it does.
                Some(step) if place.is_empty() => format!("({})", sanitize(&step.name)),
                _ => place,
            }
        };
        self.places = self.lines.iter().zip(&self.steps).map(place).collect();
    }
}

/// Every step that made a field what it is, up to the end of the recording.
pub(in crate::tui) fn field_history(
    recording: &Recording,
    slot: Slot,
    path: &str,
    step_label: impl Fn(usize) -> String,
) -> Vec<HistoryRow> {
    let mut rows = Vec::new();
    for (index, step) in recording.trace.steps.iter().enumerate() {
        if step.kind == StepKind::Merge {
            continue;
        }
        let touched = step.changes.iter().find(|change| change.slot == slot);
        let Some(change) = touched else { continue };
        let value = |side: &Option<Arc<Resource>>| {
            side.as_ref().and_then(|resource| value_at(&resource.node, path).map(|(text, _)| text))
        };
        let (before, after) = (value(&change.before), value(&change.after));
        if before == after {
            continue;
        }
        let mark = change
            .after
            .as_ref()
            .and_then(|resource| value_at(&resource.node, path))
            .map_or(step.mark, |(_, mark)| mark);
        rows.push(HistoryRow {
            step: index,
            label: step_label(index),
            place: recording.place(mark),
            before,
            after,
        });
    }
    rows
}

/// The value at a path of [`TextLine::path`], in one line, and its mark.
fn value_at(node: &Node, path: &str) -> Option<(String, Mark)> {
    let (found, mark) = node_at(node, node.mark, "", path)?;
    let text = match found.text() {
        Some(text) => sanitize(text.lines().next().unwrap_or_default()).into_owned(),
        None => "…".to_owned(),
    };
    Some((text, mark))
}

/// Follows only what leads to the path: a history must not write out every resource.
fn node_at<'a>(node: &'a Node, mark: Mark, prefix: &str, path: &str) -> Option<(&'a Node, Mark)> {
    if prefix == path {
        return Some((node, mark));
    }
    let leads = |prefix: &str| {
        path.strip_prefix(prefix)
            .is_some_and(|rest| rest.is_empty() || rest.starts_with(['.', '[']))
    };
    let entries = node.entries().iter().find_map(|entry| {
        let prefix = join_path(prefix, entry.key.text().unwrap_or("?"));
        let mark = mark_of(entry);
        leads(&prefix).then(|| node_at(&entry.value, mark, &prefix, path)).flatten()
    });
    let items = node.items().unwrap_or_default().iter().enumerate();
    entries.or_else(|| {
        items.into_iter().find_map(|(index, item)| {
            let prefix = format!("{prefix}[{index}]");
            leads(&prefix).then(|| node_at(item, item.mark, &prefix, path)).flatten()
        })
    })
}
