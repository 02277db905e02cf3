//! The whole state of the workbench: recording, cursor, draft, and what is derived from them.

mod access;
mod board;
mod catalogs;
mod changes;
mod command_line;
mod compared;
mod components;
mod composition;
pub(in crate::tui) mod deployed;
pub(in crate::tui) mod derived;
mod fetching;
mod form;
mod found;
mod functions;
mod like;
mod narrowing;
mod overlay;
mod palette;
mod parts;
mod problems;
mod resources;
mod steps;
mod subjects;
mod text_row;
mod tour;
mod tree;
pub(in crate::tui) mod varied;
mod waiting;
mod watched;
mod whole_diff;
mod why;

pub(in crate::tui) use super::recording::{Recording, short_path, step_label};
pub(in crate::tui) use super::recording::{STEP_FIXED, STEP_MILLIS, WORD_CELLS};
pub(in crate::tui) use super::screen::{ListView, LongLines, Pane, Screen};
pub(in crate::tui) use crate::answers::ResourceKey;
pub(in crate::tui) use crate::engine::diagnostic::Severity;
pub(in crate::tui) use board::{
    BoardRow, BoardSort, BoardState, Reach, board_rows, reach_words, user_rows,
};
pub(in crate::tui) use catalogs::{CatalogRow, Standing, catalog_detail, catalog_rows};
pub(in crate::tui) use changes::{
    ChangedRow, Compare, changed_between, counted, differences, net_changes, step_changes,
};
pub(in crate::tui) use command_line::{quoted, trace_of_resource, trace_of_step};
pub(in crate::tui) use compared::{
    ComparedState, GroupBy, Subject as ComparedSubject, compared_rows, hunk_of,
};
pub(in crate::tui) use components::{ComponentRow, ComponentState, component_rows};
pub(in crate::tui) use composition::{
    PipelineKind, PipelineRow, import_lines, pipeline_detail, pipeline_place, pipeline_rows,
    shown_composition,
};
pub(in crate::tui) use fetching::{
    FetchQuestion, FetchRun, Fetching, can_fetch, to_fetch, waited_for,
};
pub(in crate::tui) use form::{FieldKind, Form, FormField, FormItem, fields as form_fields};
pub(in crate::tui) use found::{FoundRow, FoundState, found_in, hit_words};
pub(in crate::tui) use functions::{
    FunctionRow, ResultRow, function_rows, invocation, result_rows, with_brackets,
};
pub(in crate::tui) use like::LikeState;
pub(in crate::tui) use narrowing::narrowing_rows;
pub(in crate::tui) use overlay::{
    Asked, Confirm, DraftList, InnerEditor, LogState, Overlay, TrustQuestion, YankItem,
};
pub(in crate::tui) use palette::{PaletteAction, PaletteItem, PaletteState};
use parts::first_secrets;
pub(in crate::tui) use parts::{EffectOf, Keeping, Place, Preview, Running, Status};
pub(in crate::tui) use problems::{Problem, about_step, problems, step_notes};
pub(in crate::tui) use resources::{HistoryRow, ResourceRow, ResourceState, field_history};
pub(in crate::tui) use steps::{StepFilter, StepList, StepState, builtin_order, steps_wanted};
pub(in crate::tui) use subjects::{
    Builds, CatalogList, ComponentList, CompositionView, Edits, FunctionList, Input, Jumps, Look,
    Opened, Panes, ProblemList, TreeDetail,
};
pub(in crate::tui) use text_row::TextRow;
pub(in crate::tui) use tour::{STOPS, Tour};
pub(in crate::tui) use tree::{
    EntryState, RowKey, Subject, TreeRow, TreeState, all_tree_rows, is_longer, tree_rows,
};
pub(in crate::tui) use varied::VariedState;
pub(in crate::tui) use waiting::{Decider, decider, need_of, waiting_among, waits_words};
pub(in crate::tui) use watched::Watched;
pub(in crate::tui) use whole_diff::{DiffState, WholeDiff, WholeRow};
pub(in crate::tui) use why::{WhyKind, WhyPane, WhyRow, rows as why_rows, why_pane};

use std::any::Any;
use std::collections::BTreeMap;
use std::sync::Arc;

use crate::engine::load::Files;

use derived::Derived;

use super::keymap::Keymap;
use super::ports::WorkbenchOptions;
use super::theme::ThemeError;

/// The whole state: a part for each subject.
pub struct Model {
    /// How it is shown: terminal, theme, keys, masks.
    pub(in crate::tui) look: Look,
    /// What was opened, and what may be done there.
    pub(in crate::tui) opened: Opened,
    /// The targets of the repository.
    pub(in crate::tui) board: BoardState,
    /// What the draft does to them.
    pub(in crate::tui) reach: Reach,
    /// What the branch changes in each target, once it was asked.
    pub(in crate::tui) branch: Reach,
    /// Two builds that are compared.
    pub(in crate::tui) compared: ComparedState,
    /// What was searched for in all fields.
    pub(in crate::tui) found_fields: FoundState,
    /// Builds with other texts.
    pub(in crate::tui) varied: VariedState,
    /// What was built, and what is being built.
    pub(in crate::tui) builds: Builds,
    /// The screen that is shown.
    pub(in crate::tui) screen: Screen,
    /// Focus, selection and scrolling of the panes.
    pub(in crate::tui) panes: Panes,
    /// What lies over the screen.
    pub(in crate::tui) overlay: Option<Overlay>,
    /// The stop of the tour, while it lasts.
    pub(in crate::tui) tour: Option<Tour>,
    /// What is said on the last line.
    pub(in crate::tui) status: Option<Status>,
    /// What is being typed, and what was typed before.
    pub(in crate::tui) input: Input,
    /// Where one came from, and places with a letter.
    pub(in crate::tui) jumps: Jumps,
    /// The draft, and what becomes of it.
    pub(in crate::tui) edits: Edits,
    /// What is fetched, and what could not be had.
    pub(in crate::tui) fetching: Fetching,
    /// Which Kustomize builds are like.
    pub(in crate::tui) like: LikeState,
    /// The step under the cursor; every screen shows the build right after it.
    pub(in crate::tui) cursor: usize,
    /// The tree.
    pub(in crate::tui) tree: TreeState,
    /// The steps that are listed.
    pub(in crate::tui) steps: StepList,
    /// The diff.
    pub(in crate::tui) diff: DiffState,
    /// The resource.
    pub(in crate::tui) resources: ResourceState,
    /// The components.
    pub(in crate::tui) components: ComponentList,
    /// The problems.
    pub(in crate::tui) problems: ProblemList,
    /// What stands beside the tree.
    pub(in crate::tui) detail: TreeDetail,
    /// The functions that ran or wait.
    pub(in crate::tui) functions: FunctionList,
    /// The catalogs and their functions.
    pub(in crate::tui) catalogs: CatalogList,
    /// The Composition that is shown.
    pub(in crate::tui) composition: CompositionView,
    /// What the derived parts were derived from.
    pub(in crate::tui) derived: Derived,
    /// What is no longer shown.
    pub(in crate::tui) waste: Vec<Box<dyn Any + Send>>,
}

impl Model {
    /// The workbench right after it was opened: no build yet.
    ///
    /// # Errors
    /// When the configured theme is not one.
    pub fn new(options: WorkbenchOptions, disk: Arc<dyn Files>) -> Result<Self, ThemeError> {
        let (keymap, mut notes) = Keymap::new(&options.config.keys);
        let look = Look::new(&options, keymap)?;
        notes.extend(options.notes);
        let status = notes.first().map(|text| Status::warning(text));
        Ok(Self {
            look,
            opened: Opened {
                target: options.target,
                dir: options.target_dir,
                has_target: options.has_target,
                disk,
                sources: BTreeMap::new(),
                found: Vec::new(),
                given: options.catalogs,
                access: options.access,
                may_run: options.may_run,
                compare: options.compare,
            },
            board: BoardState {
                scope: options.board,
                current: options.current,
                ..BoardState::default()
            },
            reach: Reach::default(),
            branch: Reach::default(),
            compared: ComparedState::default(),
            found_fields: FoundState::default(),
            varied: VariedState::default(),
            builds: Builds::default(),
            screen: if options.has_target { Screen::Tree } else { Screen::Board },
            panes: Panes::default(),
            overlay: None,
            tour: options.tour.then(Tour::default),
            status,
            input: Input::default(),
            jumps: Jumps::default(),
            edits: Edits::default(),
            fetching: Fetching::default(),
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
            derived: Derived::default(),
            waste: Vec::new(),
        })
    }
}
