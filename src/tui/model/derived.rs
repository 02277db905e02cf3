//! Keys of derived data: the data is computed again only if its key has changed.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;

use super::{Compare, Pane, ResourceKey, RowKey, StepFilter};

/// The key of data about a build and its lists: `Builds::generation` and `Edits::draft_revision`.
pub(crate) type BuildKey = (u64, u64);

/// The key of data about the build right after a step: its generation, and the step.
pub(crate) type MomentKey = (u64, usize);

/// The key of the list of changed resources. Changes of a step do not depend on the draft revision,
/// which is then 0.
pub(crate) type ChangedKey = (BuildKey, usize, Compare);

/// The key of the lines of a resource at a step; `None` if no resource is selected.
pub(crate) type LinesKey = (MomentKey, Option<ResourceKey>);

/// The key of a text about the selected row of a list, wrapped to a number of cells.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct TextKey {
    /// The edition of the list: of a build, `Builds::generation`.
    pub edition: u64,
    pub list: Pane,
    pub selected: usize,
    pub columns: u16,
}

/// The generation of the build, and the index of the shown Composition.
pub(crate) type PipelineKey = (u64, Option<usize>);

/// Stores the key of data; true if it has changed, so that the data must be computed.
pub(crate) fn renew<K: PartialEq>(stored: &mut Option<K>, key: K) -> bool {
    let is_new = stored.as_ref() != Some(&key);
    *stored = Some(key);
    is_new
}

/// The keys of all derived data; `None` if the data must be computed.
#[derive(Clone, Debug, Default)]
pub(crate) struct DerivedKeys {
    pub components: Option<BuildKey>,
    pub tree: Option<BuildKey>,
    pub tree_time: Option<MomentKey>,
    pub problems: Option<u64>,
    /// The generation of the build, and the filter.
    pub steps: Option<(u64, StepFilter)>,
    pub resources: Option<MomentKey>,
    pub changed: Option<ChangedKey>,
    /// The listed resources, and the selected one.
    pub diff: Option<(ChangedKey, usize)>,
    pub lines: Option<LinesKey>,
    /// The lines of the resource, and the path of the field.
    pub history: Option<(LinesKey, Arc<str>)>,
    pub preview: Option<(BuildKey, RowKey)>,
    /// The keys of the texts about a selected row, by the pane with the text.
    pub texts: BTreeMap<Pane, TextKey>,
    /// The edition of the repository whose targets were counted.
    pub totals: Option<u64>,
    pub catalogs: Option<u64>,
    pub functions: Option<u64>,
    pub pipeline: Option<PipelineKey>,
    /// The shown Composition, and the selected entry.
    pub entry: Option<(PipelineKey, usize)>,
    /// The generation of the build, whether there is a draft, whether the effect is that of an entry
    /// of the pipeline, and the selected row.
    pub component: Option<(u64, bool, bool, usize)>,
    /// The edition of the Board, and the filter of its targets.
    pub board: Option<(u64, Option<String>)>,
    /// The edition of the graph, the target, its worst finding (the only part that results of builds
    /// change), and the columns of the pane.
    pub users: Option<(u64, Option<PathBuf>, Option<String>, u16)>,
    pub compared: Option<u64>,
    /// The generation of the build, and whether values of Secrets are masked.
    pub found: Option<(u64, bool)>,
    /// The selected component of the table, and the selected overlay.
    pub table: Option<(TextKey, usize)>,
}

impl DerivedKeys {
    /// Invalidates the problems of steps, and the values derived from them.
    pub(crate) fn invalidate_claims(&mut self) {
        (self.problems, self.steps, self.tree) = (None, None, None);
        self.texts.remove(&Pane::Explanation);
    }

    /// Invalidates texts that may contain values of Secrets.
    pub(crate) fn invalidate_texts(&mut self) {
        (self.lines, self.diff, self.preview, self.history) = (None, None, None, None);
        (self.tree, self.problems) = (None, None);
        self.texts.retain(|pane, _| !matches!(pane, Pane::Invocation | Pane::Explanation));
    }
}
