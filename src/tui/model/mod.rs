//! The state of the workbench: recording, cursor, draft, and derived data.

pub(crate) mod access;
pub(crate) mod deployed;
pub(crate) mod derived;
pub(crate) mod finding_rows;
pub(crate) mod overlay;
pub(crate) mod palette;
pub(crate) mod pane_view;
pub(crate) mod pending;
pub(crate) mod subjects;
pub(crate) mod tour;
pub(crate) mod work;

use std::any::Any;
use std::collections::BTreeMap;
use std::sync::Arc;

use super::keymap::Keymap;
use super::message::Effect;
use super::ports::{RequestedRuns, WorkbenchOptions};
pub(crate) use super::recording::{WORD_CELLS, WorkbenchRecording, step_label};
pub(crate) use super::screen::{ListView, LongLines, Pane, Screen, WorkbenchPlace};
use super::theme::ThemeError;
pub(crate) use crate::answers::{ComponentStatus, Recording, ResourceKey};
use crate::draft::Draft;
pub(crate) use crate::engine::diagnostic::Severity;
use crate::engine::load::Files;
pub(crate) use crate::screens::catalogs::state::{CatalogRow, TrustStatus, catalog_rows};
pub(crate) use crate::screens::change::state::{EditDiff, EditEffects, shown_edit_words};
pub(crate) use crate::screens::compared::state::{
    ComparedState, GroupBy, compared_rows, subject_detail,
};
pub(crate) use crate::screens::component_table::state::{
    ComponentTableState, SHORT_NAME_CELLS, TableKey, component_detail, edit_words,
    short_component_names, trial_row,
};
pub(crate) use crate::screens::components::state::{
    ComponentRow, common_folder, component_changes, component_rows, components_width,
    effect_or_none, effect_words, layer_effect,
};
pub(crate) use crate::screens::composition::state::{
    PipelineKind, PipelineRow, import_lines, pipeline_rows, row_location, shown_composition,
};
pub(crate) use crate::screens::diff::state::{
    ChangedRow, CombinedDiff, CombinedDiffRow, Compare, DiffState, changed_between, counted,
    differences, net_changes, step_changes,
};
pub(crate) use crate::screens::experiments::state::VariedState;
pub(crate) use crate::screens::found::state::{FoundState, search_fields, selected_match_lines};
pub(crate) use crate::screens::functions::state::{
    FunctionRow, ResultRow, function_rows, is_of_function, result_rows, with_brackets,
};
pub(crate) use crate::screens::problems::state::{Problem, ProblemList, step_notes, step_problems};
pub(crate) use crate::screens::resource::state::{ResourceRow, ResourceState, field_history};
pub(crate) use crate::screens::steps::state::{
    StepFilter, StepList, StepState, builtin_order, steps_width,
};
pub(crate) use crate::screens::targets::state::{
    BoardRow, BoardSort, BoardState, ChangeCounts, DraftImpact, RepositoryFindings, UserRow,
    board_rows, changes_text, comparing_words, draft_effect_lines, report_lines, targets_width,
    user_rows, with_thousands,
};
pub(crate) use crate::screens::tree::state::{
    EntryState, RowKey, TreeRow, TreeState, TreeSubject, all_tree_rows, has_more_rows, tree_rows,
};
pub(crate) use crate::screens::why::state::{
    WhyKind, WhyPane, WhyRow, quoted, rows as why_rows, why_pane,
};
use derived::DerivedKeys;
pub(crate) use finding_rows::{FindingRows, narrowing_rows};
pub(crate) use overlay::{
    ActionMenu, CommandOutput, Confirm, Confirmation, DraftList, EntryForm, FieldEdit,
    FieldEditState, FieldKind, FormField, FormItem, HelpState, InnerEditor, LogState, MenuItem,
    Overlay, TrustQuestion, YankItem, fields as form_fields,
};
pub(crate) use palette::{PaletteAction, PaletteItem, PaletteState};
pub(crate) use pane_view::{EmptyText, PaneContent, PaneView, Preview, TextAbout, titled};
pub(crate) use pending::{
    Decider, FetchQuestion, FetchRun, FetchState, can_fetch, count_pending, decider,
    first_pending_reason, missing_remotes, need_of, pending_reason, remotes_to_fetch,
};
pub(crate) use subjects::{
    Builds, CatalogList, ComponentList, CompositionView, DisplaySettings, Edits, FunctionList,
    Jumps, KeptDraftState, LikeState, MessageLog, OpenedSession, Panes, RunningBuild, Status,
    TreeDetail, TypedInput, WatchedField,
};
pub(crate) use tour::{STOPS, Tour};
pub(crate) use work::{WorkKind, WorkState};

/// The complete state: a part for each subject.
pub struct Model {
    pub(crate) look: DisplaySettings,
    pub(crate) opened: OpenedSession,
    pub(crate) board: BoardState,
    pub(crate) reach: DraftImpact,
    /// The changes of the branch in each target, after the first request.
    pub(crate) branch: DraftImpact,
    pub(crate) compared: ComparedState,
    pub(crate) search: FoundState,
    pub(crate) varied: VariedState,
    pub(crate) table: ComponentTableState,
    pub(crate) builds: Builds,
    pub(crate) work: WorkState,
    pub(crate) screen: Screen,
    pub(crate) panes: Panes,
    pub(crate) overlay: Option<Overlay>,
    pub(crate) tour: Option<Tour>,
    pub(crate) status: Option<Status>,
    pub(crate) messages: MessageLog,
    pub(crate) input: TypedInput,
    pub(crate) jumps: Jumps,
    pub(crate) edits: Edits,
    pub(crate) fetching: FetchState,
    pub(crate) like: LikeState,
    /// The step under the cursor; every screen shows the build right after it.
    pub(crate) cursor: usize,
    pub(crate) tree: TreeState,
    pub(crate) steps: StepList,
    pub(crate) diff: DiffState,
    pub(crate) resources: ResourceState,
    pub(crate) components: ComponentList,
    pub(crate) problems: ProblemList,
    pub(crate) detail: TreeDetail,
    pub(crate) functions: FunctionList,
    pub(crate) catalogs: CatalogList,
    pub(crate) composition: CompositionView,
    pub(crate) derived: DerivedKeys,
    pub(crate) effects: Vec<Effect>,
    /// The data that is no longer shown. Another thread frees its memory, so that keys are handled
    /// without delay.
    pub(crate) deferred_drops: Vec<Box<dyn Any + Send>>,
}

impl Model {
    /// The workbench right after it was opened: no build yet.
    #[expect(clippy::too_many_lines, reason = "one line per part of the model")]
    pub fn new(options: WorkbenchOptions, disk: Arc<dyn Files>) -> Result<Self, ThemeError> {
        let (keymap, mut notes) = Keymap::new(&options.config.keys);
        let mut look = DisplaySettings::new(&options, keymap)?;
        notes.extend(look.set_commands(&options.config.commands));
        notes.extend(options.notes);
        let status = notes.first().map(|text| Status::warning(text));
        let mut messages = MessageLog::default();
        for text in &notes {
            messages.add(&Status::warning(text));
        }
        Ok(Self {
            look,
            opened: OpenedSession {
                target: options.target,
                dir: options.target_dir,
                has_target: options.has_target,
                disk,
                sources: BTreeMap::new(),
                found: Vec::new(),
                named_catalogs: options.catalogs,
                access: options.access,
                runs: if options.may_run { RequestedRuns::All } else { RequestedRuns::None },
                compare: options.compare,
            },
            board: BoardState {
                scope: options.board,
                current: options.current,
                ..BoardState::default()
            },
            reach: DraftImpact::default(),
            branch: DraftImpact::default(),
            compared: ComparedState::default(),
            search: FoundState::default(),
            varied: VariedState::default(),
            table: ComponentTableState::default(),
            builds: Builds::default(),
            work: WorkState::default(),
            screen: if options.has_target { Screen::Tree } else { Screen::Board },
            panes: Panes {
                shares: options.pane_shares.iter().map(|it| (it.divider, it.share)).collect(),
                ..Panes::default()
            },
            overlay: None,
            tour: options.tour.then(Tour::default),
            status,
            messages,
            input: TypedInput::default(),
            jumps: Jumps::default(),
            edits: Edits {
                draft: Draft::default().limited_to_scope(options.scope),
                ..Edits::default()
            },
            fetching: FetchState::default(),
            like: LikeState::opened(options.profile),
            cursor: 0,
            tree: TreeState::default(),
            steps: StepList::default(),
            diff: DiffState { context: 3, ..DiffState::default() },
            resources: ResourceState::default(),
            components: ComponentList::default(),
            problems: ProblemList::default(),
            detail: TreeDetail::default(),
            functions: FunctionList::default(),
            catalogs: CatalogList::default(),
            composition: CompositionView::default(),
            derived: DerivedKeys::default(),
            effects: Vec::new(),
            deferred_drops: Vec::new(),
        })
    }
}
