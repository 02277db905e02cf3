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
mod funnel;
mod like;
mod overlay;
mod palette;
mod parts;
mod problems;
mod resources;
mod steps;
mod tour;
mod tree;
pub(in crate::tui) mod varied;
mod waiting;
mod watched;
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
    ChangedRow, Compare, DiffState, changed_between, counted, net_changes, step_changes,
};
pub(in crate::tui) use command_line::{quoted, trace_of_resource, trace_of_step};
pub(in crate::tui) use compared::{
    ComparedState, GroupBy, HunkLine as TextRow, Subject as ComparedSubject, compared_rows, hunk_of,
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
pub(in crate::tui) use found::{FoundState, found_in, hit_words};
pub(in crate::tui) use functions::{
    FunctionRow, ResultRow, function_rows, invocation, result_rows, with_brackets,
};
pub(in crate::tui) use funnel::funnel;
pub(in crate::tui) use like::LikeState;
pub(in crate::tui) use overlay::{
    Asked, Confirm, InnerEditor, LogState, Overlay, TrustQuestion, YankItem,
};
pub(in crate::tui) use palette::{PaletteAction, PaletteItem, PaletteState};
use parts::first_secrets;
pub(in crate::tui) use parts::{EffectOf, Keeping, Place, Preview, Running, Status};
pub(in crate::tui) use problems::{Problem, about_step, problems, step_notes};
pub(in crate::tui) use resources::{HistoryRow, ResourceRow, ResourceState, field_history};
pub(in crate::tui) use steps::{StepFilter, StepList, StepState, builtin_order, steps_wanted};
pub(in crate::tui) use tour::{STOPS, Tour};
pub(in crate::tui) use tree::{EntryState, RowKey, Subject, TreeState, all_tree_rows, tree_rows};
pub(in crate::tui) use varied::VariedState;
pub(in crate::tui) use waiting::{Decider, decider, need_of, waiting_among};
pub(in crate::tui) use watched::Watched;
pub(in crate::tui) use why::{WhyKind, WhyPane, WhyRow, rows as why_rows, why_pane};

use std::any::Any;
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;

use crate::answers::Offer;
use crate::answers::secrets::Secrets;
use crate::draft::{Draft, FileChange, Operation};
use crate::engine::evaluate::StepId;
use crate::engine::load::Files;

use derived::Derived;

use super::glyphs::Icons;
use super::keymap::{Command, Keymap};
use super::message::{Mouse, SourceFile};
use super::ports::{Access, FoundComponent, WorkbenchOptions};
use super::text::{History, Painter, TextLine};
use super::theme::{ColorDepth, Theme, ThemeError};

/// Everything.
#[expect(clippy::struct_excessive_bools, reason = "each is a fact of its own")]
pub struct Model {
    /// Columns and rows of the terminal.
    pub(in crate::tui) size: (u16, u16),
    /// The target as it was typed.
    pub(in crate::tui) target: String,
    /// Its directory.
    pub(in crate::tui) target_dir: PathBuf,
    /// A target is opened: the folder has a kustomization, or one was chosen on the Board.
    pub(in crate::tui) has_target: bool,
    /// The targets of the repository.
    pub(in crate::tui) board: BoardState,
    /// What the draft does to them.
    pub(in crate::tui) reach: Reach,
    /// Two builds that are compared.
    pub(in crate::tui) compared: ComparedState,
    /// What was searched for in all fields.
    pub(in crate::tui) found_fields: FoundState,
    /// Builds with other texts.
    pub(in crate::tui) varied: VariedState,
    /// Counts requests to compare.
    pub(in crate::tui) comparisons: u64,
    /// What is compared as soon as the workbench is open.
    pub(in crate::tui) compare_first: Option<super::ports::Sides>,
    /// The files are to be built without the draft first: what it changes is told against them.
    pub(in crate::tui) wants_saved: bool,
    /// How the values of Secrets are shown.
    pub(in crate::tui) secrets: Secrets,
    /// The same, masked, with every value that a recording had.
    pub(in crate::tui) learned: Secrets,
    /// What the terminal can show.
    pub(in crate::tui) colors: ColorDepth,
    /// The theme.
    pub(in crate::tui) theme: Theme,
    /// Unicode or ASCII.
    pub(in crate::tui) icons: Icons,
    /// The keys in force.
    pub(in crate::tui) keymap: Keymap,
    /// Whether the mouse is captured.
    pub(in crate::tui) mouse: Mouse,

    /// The screen that is shown.
    pub(in crate::tui) screen: Screen,
    /// The pane with the focus, by screen.
    pub(in crate::tui) focus: [usize; Screen::COUNT],
    /// The pane with the focus has the whole body.
    pub(in crate::tui) zoomed: bool,
    /// What becomes of lines that are longer than their pane.
    pub(in crate::tui) long_lines: LongLines,
    /// Selection and scrolling, by pane.
    pub(in crate::tui) lists: [ListView; Pane::COUNT],
    /// What lies over the screen.
    pub(in crate::tui) overlay: Option<Overlay>,
    /// The stop of the tour, while it lasts.
    pub(in crate::tui) tour: Option<Tour>,
    /// Whether anything may be written, kept or fetched.
    pub(in crate::tui) access: Access,
    /// What is said on the last line.
    pub(in crate::tui) status: Option<Status>,
    /// Keys that wait for more.
    pub(in crate::tui) pending_keys: String,
    /// A count that was typed.
    pub(in crate::tui) count: Option<usize>,
    /// Where jumps began.
    pub(in crate::tui) jumps: Vec<Place>,
    /// Where jumps were taken back from.
    pub(in crate::tui) jumps_forward: Vec<Place>,
    /// Marked places: the screen, and the step by what it is.
    pub(in crate::tui) marks: BTreeMap<char, (Screen, StepId)>,
    /// A command that waits for the letter of a mark.
    pub(in crate::tui) awaits_mark: Option<Command>,
    /// What was searched for last.
    pub(in crate::tui) search: String,
    /// What was searched for before.
    pub(in crate::tui) searches: History,
    /// What was typed into the palette before.
    pub(in crate::tui) commands: History,
    /// Lists that show only the rows that fit a text.
    pub(in crate::tui) filters: BTreeMap<Pane, String>,
    /// The last click: pane, row. A second one opens.
    pub(in crate::tui) last_click: Option<(Pane, usize)>,

    /// The files on disk.
    pub(in crate::tui) disk: Arc<dyn Files>,
    /// The draft.
    pub(in crate::tui) draft: Draft,
    /// Edits that are not written.
    pub(in crate::tui) pending: usize,
    /// Files that the draft changes.
    pub(in crate::tui) changes: Vec<FileChange>,
    /// Writes that were asked for and not answered.
    pub(in crate::tui) writing: usize,
    /// The writes of the past, while it is asked which to take back.
    pub(in crate::tui) recalled: Vec<Operation>,
    /// Leave as soon as the writes have succeeded.
    pub(in crate::tui) quit_after_write: bool,
    /// What is kept of the draft for the next time.
    pub(in crate::tui) keeping: Keeping,
    /// The kustomization files of the build.
    pub(in crate::tui) sources: BTreeMap<PathBuf, SourceFile>,
    /// Components in the repository.
    pub(in crate::tui) found: Vec<FoundComponent>,

    /// The last build that was asked for.
    pub(in crate::tui) request: u64,
    /// The build that runs.
    pub(in crate::tui) running: Running,
    /// Programs of functions that are trusted or enabled may run: a person asked for it.
    pub(in crate::tui) may_run: bool,
    /// Catalogs given by hand, as they were typed.
    pub(in crate::tui) given: Vec<String>,
    /// What is fetched, and what could not be had.
    pub(in crate::tui) fetching: Fetching,
    /// The recording that is shown.
    pub(in crate::tui) recording: Arc<Recording>,
    /// Which Kustomize builds are like.
    pub(in crate::tui) like: LikeState,
    /// The recording of the files as they are on disk.
    pub(in crate::tui) saved: Option<Arc<Recording>>,
    /// What was done last and is not built yet, in words; what it does to the output is said then.
    pub(in crate::tui) act: Option<String>,
    /// Where time stood before a draft failed: there it goes on when the draft builds again.
    pub(in crate::tui) before_failure: Option<StepId>,
    /// Counts recordings: what is derived from an older one is derived again.
    pub(in crate::tui) generation: u64,
    /// Counts changes of the draft and of what was found, which change what is listed but not what was built.
    pub(in crate::tui) edition: u64,

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
    pub(in crate::tui) components: Vec<ComponentRow>,
    /// What the draft changes in the output, or, without one, what the selected component does.
    pub(in crate::tui) component_effect: Vec<ChangedRow>,
    /// What the list beside the components shows.
    pub(in crate::tui) component_title: String,
    /// The problems.
    pub(in crate::tui) problems: Vec<Problem>,
    /// Fixes of the problems of this build, which were tried.
    pub(in crate::tui) offers: Vec<Offer>,
    /// Those that are listed.
    pub(in crate::tui) problem_rows: Vec<usize>,
    /// The problem in words.
    pub(in crate::tui) explanation: Preview,
    /// The text behind the selected row of the tree.
    pub(in crate::tui) preview: Preview,
    /// What colours it.
    pub(in crate::tui) preview_painter: Option<Painter>,
    /// What the selected row of the tree changed.
    pub(in crate::tui) effect: Vec<ChangedRow>,
    /// Whose effect that is.
    pub(in crate::tui) effect_of: EffectOf,
    /// The functions that ran or wait.
    pub(in crate::tui) functions: Vec<FunctionRow>,
    /// What the selected one reported.
    pub(in crate::tui) function_results: Vec<ResultRow>,
    /// How it was called.
    pub(in crate::tui) invocation: Preview,
    /// The catalogs and their functions.
    pub(in crate::tui) catalogs: Vec<CatalogRow>,
    /// The selected one.
    pub(in crate::tui) review: Preview,
    /// The catalog that is selected once it was looked at.
    pub(in crate::tui) catalog_follows: Option<String>,
    /// The Composition that is shown, by its place in the recording.
    pub(in crate::tui) composition: Option<usize>,
    /// What runs in it.
    pub(in crate::tui) pipeline: Vec<PipelineRow>,
    /// What it imports.
    pub(in crate::tui) imports: Vec<TextLine>,
    /// Its selected entry.
    pub(in crate::tui) entry: Preview,
    /// An order that was drafted and is not built yet, and the recording whose numbers it has.
    pub(in crate::tui) pipeline_order: Option<(u64, Vec<usize>)>,
    /// The row that is selected again once it is built.
    pub(in crate::tui) pipeline_follows: Option<PipelineRow>,
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
    #[expect(clippy::too_many_lines, reason = "one line for each field")]
    pub fn new(options: WorkbenchOptions, disk: Arc<dyn Files>) -> Result<Self, ThemeError> {
        let config = options.config;
        let theme = Theme::named(&config.theme, config.colors)?;
        let (keymap, mut notes) = Keymap::new(&config.keys);
        notes.extend(options.notes);
        let status = notes.first().map(|text| Status::warning(text));
        Ok(Self {
            size: (80, 24),
            target: options.target,
            target_dir: options.target_dir,
            has_target: options.has_target,
            board: BoardState {
                scope: options.board,
                current: options.current,
                ..BoardState::default()
            },
            reach: Reach::default(),
            compared: ComparedState::default(),
            found_fields: FoundState::default(),
            varied: VariedState::default(),
            comparisons: 0,
            compare_first: options.compare,
            wants_saved: false,
            secrets: first_secrets(options.show_secrets, options.salt),
            learned: Secrets::masked(options.salt),
            colors: config.colors,
            theme,
            icons: config.icons,
            keymap,
            mouse: if config.mouse { Mouse::On } else { Mouse::Off },
            screen: if options.has_target { Screen::Tree } else { Screen::Board },
            focus: [0; Screen::COUNT],
            zoomed: false,
            long_lines: LongLines::Cut,
            lists: [ListView::default(); Pane::COUNT],
            overlay: None,
            tour: options.tour.then(Tour::default),
            access: options.access,
            status,
            pending_keys: String::new(),
            count: None,
            jumps: Vec::new(),
            jumps_forward: Vec::new(),
            marks: BTreeMap::new(),
            awaits_mark: None,
            search: String::new(),
            searches: History::default(),
            commands: History::default(),
            filters: BTreeMap::new(),
            last_click: None,
            disk,
            draft: Draft::default(),
            pending: 0,
            changes: Vec::new(),
            writing: 0,
            recalled: Vec::new(),
            quit_after_write: false,
            keeping: Keeping::default(),
            sources: BTreeMap::new(),
            found: Vec::new(),
            request: 0,
            running: Running::Idle,
            may_run: options.may_run,
            given: options.catalogs,
            fetching: Fetching::default(),
            recording: Arc::default(),
            like: LikeState::opened(options.profile),
            saved: None,
            act: None,
            before_failure: None,
            generation: 0,
            edition: 0,
            cursor: 0,
            tree: TreeState::default(),
            steps: StepList::default(),
            diff: DiffState { context: 3, ..DiffState::default() },
            resources: ResourceState::default(),
            components: Vec::new(),
            component_effect: Vec::new(),
            component_title: String::new(),
            problems: Vec::new(),
            offers: Vec::new(),
            problem_rows: Vec::new(),
            explanation: Preview::default(),
            functions: Vec::new(),
            function_results: Vec::new(),
            invocation: Preview::default(),
            catalogs: Vec::new(),
            review: Preview::default(),
            catalog_follows: None,
            composition: None,
            pipeline: Vec::new(),
            imports: Vec::new(),
            entry: Preview::default(),
            pipeline_order: None,
            pipeline_follows: None,
            preview: Preview::default(),
            preview_painter: None,
            effect: Vec::new(),
            effect_of: EffectOf::Row,
            derived: Derived::default(),
            waste: Vec::new(),
        })
    }
}
