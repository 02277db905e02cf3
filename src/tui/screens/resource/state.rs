//! The resources at the time of the cursor, one of them line by line, and the history of a field.

use std::collections::BTreeSet;
use std::sync::Arc;

use crate::answers::provenance::blame::value_text;
use crate::answers::recording::field::WrittenPath;
use crate::answers::secrets::Secrets;
use crate::engine::resource::{Resource, Slot};
use crate::model::{ChangedRow, Model, ResourceKey, WorkbenchRecording, step_label};
use crate::screens::diff::state::alike;
use crate::text::{CodePainter, TextLine, sanitize, width, yaml_lines};

#[derive(Clone, Debug)]
pub(crate) struct ResourceRow {
    pub key: ResourceKey,
    pub slot: Slot,
    pub resource: Arc<Resource>,
    pub kind: String,
    /// The namespace, if any, and the name, as in `prod/web`.
    pub name: String,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct HistoryRow {
    pub step: usize,
    pub label: String,
    /// The location, as in `base/deployment.yaml:16`.
    pub place: String,
    /// The value before the step; `None` if the field did not exist.
    pub before: Option<String>,
    /// The value after the step.
    pub after: Option<String>,
    pub is_equal: bool,
}

impl HistoryRow {
    pub(crate) fn written(&self) -> &str {
        if self.is_equal { "same value" } else { self.after.as_deref().unwrap_or("gone") }
    }
}

#[derive(Clone, Debug, Default)]
pub(crate) struct ResourceState {
    /// All resources at the current step.
    pub list: Vec<ResourceRow>,
    /// The namespace of all resources that have one, which their names leave out.
    pub namespace: Option<String>,
    /// The width in cells of the longest kind and the longest name, with the spaces around them.
    pub row_cells: usize,
    /// The resource that is shown on every screen.
    pub key: Option<ResourceKey>,
    /// The resource that the user chose. At a step where it does not exist, another resource is
    /// shown.
    pub wanted: Option<ResourceKey>,
    pub lines: Vec<TextLine>,
    /// Highlighters for values that are complete files.
    pub painters: Vec<CodePainter>,
    /// For each line, the step that wrote it.
    pub steps: Vec<Option<usize>>,
    /// For each line, the file and line where it is written.
    pub places: Vec<String>,
    /// The history of the field under the cursor, oldest first.
    pub history: Vec<HistoryRow>,
}

impl ResourceRow {
    pub(crate) fn new(key: ResourceKey, slot: Slot, resource: &Arc<Resource>) -> Self {
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

/// The namespace of all resources of a list that have one, if their names differ without it.
fn shared_namespace(list: &[ResourceRow]) -> Option<String> {
    let mut spaces = list.iter().map(|row| &*row.resource.id.namespace).filter(|it| !it.is_empty());
    let first = spaces.next()?;
    let names: BTreeSet<(&str, &str)> =
        list.iter().map(|row| (&*row.kind, &*row.resource.id.name)).collect();
    let is_shared = spaces.next().is_some() && spaces.all(|it| it == first);
    (is_shared && names.len() == list.len()).then(|| first.to_owned())
}

impl ResourceState {
    pub(crate) fn take(&mut self, mut list: Vec<ResourceRow>) {
        for at in alike(list.iter().map(|row| (&*row.kind, &*row.name))) {
            let gvk = &list[at].resource.id.gvk;
            if !gvk.group.is_empty() {
                list[at].kind = sanitize(&format!("{}.{}", gvk.kind, gvk.group)).into_owned();
            }
        }
        self.namespace = shared_namespace(&list);
        self.list = list;
        let longest = |of: &dyn Fn(&ResourceRow) -> usize| self.list.iter().map(of).max();
        let kind = longest(&|row| width(&row.kind)).unwrap_or_default();
        let name = longest(&|row| width(self.short_name(row))).unwrap_or_default();
        self.row_cells = kind + name + 3;
    }

    /// The name of a resource, with its namespace unless that is the one of the list.
    pub(crate) fn short_name<'r>(&self, row: &'r ResourceRow) -> &'r str {
        let is_shared = self.namespace.as_deref() == Some(&*row.resource.id.namespace);
        let short = row.name.split_once('/').filter(|_| is_shared);
        short.map_or(&row.name, |(_, name)| name)
    }

    pub(crate) fn choose(&mut self, key: ResourceKey) {
        self.wanted = Some(key.clone());
        self.key = Some(key);
    }

    /// The index in `rows` of the chosen resource, or else of the shown one.
    pub(crate) fn chosen_index(&self, rows: &[ChangedRow]) -> Option<usize> {
        let place = |key: &ResourceKey| rows.iter().position(|row| row.key.as_ref() == Some(key));
        let chosen = self.wanted.as_ref().and_then(place);
        chosen.or_else(|| self.key.as_ref().and_then(place))
    }

    pub(crate) fn position(&self) -> Option<usize> {
        let key = self.key.as_ref()?;
        self.list.iter().position(|row| row.key == *key)
    }

    /// The row of the shown resource; `None` if it does not exist at this step.
    pub(crate) fn shown(&self) -> Option<&ResourceRow> {
        self.list.get(self.position()?)
    }

    pub(crate) fn load(&mut self, recording: &WorkbenchRecording, secrets: &Secrets) {
        self.lines = match self.shown() {
            Some(row) => yaml_lines(&secrets.masked_node(&row.resource)),
            None => Vec::new(),
        };
        self.painters = CodePainter::for_embedded_files(&self.lines);
        self.steps = self.lines.iter().map(|line| recording.writer(line.mark.writer)).collect();
        let place = |(line, step): (&TextLine, &Option<usize>)| {
            let place = recording.place(line.mark);
            match step.and_then(|step| recording.step(step)) {
                // For a step without a configuration file, its name is shown.
                Some(step) if place.is_empty() => format!("({})", sanitize(&step.name)),
                _ => place,
            }
        };
        self.places = self.lines.iter().zip(&self.steps).map(place).collect();
    }
}

/// The steps that wrote a field, over all steps of the recording; `row` is the resource as of the
/// step under the cursor.
pub(crate) fn field_history(model: &Model, row: &ResourceRow, path: &str) -> Vec<HistoryRow> {
    let recording = &model.builds.recording;
    let Some(path) = WrittenPath::parse(path).find(&row.resource.node) else { return Vec::new() };
    let mut before = None;
    let mut rows = Vec::new();
    for writer in recording.history(row.slot, &path, model.cursor) {
        let value = writer.masked_value(Some(&row.resource), &model.look.secrets);
        let after = value.map(|value| sanitize(&value_text(&value)).into_owned());
        rows.push(HistoryRow {
            step: writer.step,
            label: step_label(recording, writer.step),
            place: recording.location(writer.mark),
            before: before.take(),
            after: after.clone(),
            is_equal: writer.equal,
        });
        before = after;
    }
    rows
}
