//! A watched field: the keys `c` and `C` jump between the steps that write it.

use super::super::text::sanitize;
use super::{Model, Pane, ResourceKey, ResourceRow};
use crate::answers::recording::field::{WrittenPath, exact_path_text, named_path_text};
use crate::engine::resource::PathStep;

/// A field of a resource, identified by names so that it is found in another build.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct WatchedField {
    pub key: ResourceKey,
    /// The path of the field; list elements are identified by name.
    pub field: WrittenPath,
    /// The field in words, as in `spec.replicas of Deployment/web`.
    pub words: String,
}

impl Model {
    pub(crate) fn field_under_cursor(&self) -> Option<WatchedField> {
        let (row, path) = self.written_under_cursor()?;
        let node = &row.resource.node;
        let field = WrittenPath::named(node, &path);
        let name = self.builds.recording.names().get(&row.slot).cloned().unwrap_or_default();
        let words = format!("{} of {name}", named_path_text(node, &path));
        Some(WatchedField { key: row.key.clone(), field, words: sanitize(&words).into_owned() })
    }

    /// The path of the field under the cursor of the Resource screen, with elements by name; `None`
    /// on a line without one.
    pub(crate) fn path_under_cursor(&self) -> Option<String> {
        let (row, path) = self.written_under_cursor()?;
        Some(sanitize(&exact_path_text(&row.resource.node, &path)).into_owned())
    }

    /// The shown resource, and the path of the selected line in it; `None` on a line without one.
    pub(crate) fn written_under_cursor(&self) -> Option<(&ResourceRow, Vec<PathStep>)> {
        let row = self.resources.shown()?;
        let line = self.resources.lines.get(self.list(Pane::Resource).selected)?;
        let path = WrittenPath::parse(&line.path).find(&row.resource.node)?;
        (!path.is_empty()).then_some((row, path))
    }

    /// The steps that write the watched field, in order; `None` without one.
    pub(crate) fn watched_steps(&self) -> Option<Vec<usize>> {
        let watched = self.steps.watched.as_ref()?;
        let Some(slot) = self.builds.recording.identity.slot(&watched.key) else {
            return Some(Vec::new());
        };
        let writers = self.builds.recording.blame(slot, &watched.field);
        Some(writers.iter().rev().map(|writer| writer.step).collect())
    }
}
