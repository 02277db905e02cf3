//! The parts of the state, one for each subject.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;

use super::super::glyphs::Icons;
use super::super::keymap::{Command, Keymap};
use super::super::message::{Mouse, SourceFile};
use super::super::ports::{Access, FoundComponent, Sides, WorkbenchOptions};
use super::super::text::{History, Painter, TextLine};
use super::super::theme::{ColorDepth, Theme, ThemeError};
use super::{
    CatalogRow, ChangedRow, ComponentRow, EffectOf, FunctionRow, Keeping, ListView, LongLines,
    Pane, PipelineRow, Place, Preview, Problem, Recording, ResultRow, Running, Screen,
    first_secrets,
};
use crate::answers::Offer;
use crate::answers::secrets::Secrets;
use crate::draft::{Draft, FileChange, Operation};
use crate::engine::evaluate::StepId;
use crate::engine::load::Files;

/// How it is shown: terminal, theme, keys, masks.
pub(in crate::tui) struct Look {
    /// Columns and rows of the terminal.
    pub(in crate::tui) size: (u16, u16),
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
    /// How the values of Secrets are shown.
    pub(in crate::tui) secrets: Secrets,
    /// The same, masked, with every value that a recording had.
    pub(in crate::tui) learned: Secrets,
}

impl Look {
    /// As the settings say, until the terminal has told its size.
    ///
    /// # Errors
    /// When the configured theme is not one.
    pub(super) fn new(options: &WorkbenchOptions, keymap: Keymap) -> Result<Self, ThemeError> {
        let config = &options.config;
        Ok(Self {
            size: (80, 24),
            colors: config.colors,
            theme: Theme::named(&config.theme, config.colors)?,
            icons: config.icons,
            keymap,
            mouse: if config.mouse { Mouse::On } else { Mouse::Off },
            secrets: first_secrets(options.show_secrets, options.salt),
            learned: Secrets::masked(options.salt),
        })
    }
}

/// What was opened, and what may be done there.
pub(in crate::tui) struct Opened {
    /// The target as it was typed.
    pub(in crate::tui) target: String,
    /// Its directory.
    pub(in crate::tui) dir: PathBuf,
    /// A target is opened: the folder has a kustomization, or one was chosen on the Board.
    pub(in crate::tui) has_target: bool,
    /// The files on disk.
    pub(in crate::tui) disk: Arc<dyn Files>,
    /// The kustomization files of the build.
    pub(in crate::tui) sources: BTreeMap<PathBuf, SourceFile>,
    /// Components in the repository.
    pub(in crate::tui) found: Vec<FoundComponent>,
    /// Catalogs given by hand, as they were typed.
    pub(in crate::tui) given: Vec<String>,
    /// Whether anything may be written, kept or fetched.
    pub(in crate::tui) access: Access,
    /// Programs of functions that are trusted or enabled may run: a person asked for it.
    pub(in crate::tui) may_run: bool,
    /// What is compared as soon as the workbench is open.
    pub(in crate::tui) compare: Option<Sides>,
}

/// Focus, selection and scrolling of the panes.
#[derive(Default)]
pub(in crate::tui) struct Panes {
    /// The pane with the focus, by screen.
    pub(in crate::tui) focus: [usize; Screen::COUNT],
    /// The pane with the focus has the whole body.
    pub(in crate::tui) zoomed: bool,
    /// What becomes of lines that are longer than their pane.
    pub(in crate::tui) long_lines: LongLines,
    /// Selection and scrolling, by pane.
    pub(in crate::tui) lists: [ListView; Pane::COUNT],
    /// Lists that show only the rows that fit a text.
    pub(in crate::tui) filters: BTreeMap<Pane, String>,
    /// The last click: pane, row. A second one opens.
    pub(in crate::tui) last_click: Option<(Pane, usize)>,
}

/// What is being typed, and what was typed before.
#[derive(Default)]
pub(in crate::tui) struct Input {
    /// Keys that wait for more.
    pub(in crate::tui) keys: String,
    /// A count that was typed.
    pub(in crate::tui) count: Option<usize>,
    /// A command that waits for the letter of a mark.
    pub(in crate::tui) awaits_mark: Option<Command>,
    /// What was searched for last.
    pub(in crate::tui) search: String,
    /// What was searched for before.
    pub(in crate::tui) searches: History,
    /// What was typed into the palette before.
    pub(in crate::tui) commands: History,
}

/// Where one came from, and places with a letter.
#[derive(Default)]
pub(in crate::tui) struct Jumps {
    /// Where jumps began.
    pub(in crate::tui) back: Vec<Place>,
    /// Where jumps were taken back from.
    pub(in crate::tui) forward: Vec<Place>,
    /// Marked places: the screen, and the step by what it is.
    pub(in crate::tui) marks: BTreeMap<char, (Screen, StepId)>,
}

/// The draft, and what becomes of it.
#[derive(Default)]
pub(in crate::tui) struct Edits {
    /// The draft.
    pub(in crate::tui) draft: Draft,
    /// What it is called.
    pub(in crate::tui) name: Option<String>,
    /// Edits that are not written.
    pub(in crate::tui) pending: usize,
    /// Files that the draft changes.
    pub(in crate::tui) changes: Vec<FileChange>,
    /// Writes that were asked for and not answered.
    pub(in crate::tui) writing: usize,
    /// Files that the last write has written so far, and how many of them it removed.
    pub(in crate::tui) written: (usize, usize),
    /// The writes of the past, while it is asked which to take back.
    pub(in crate::tui) recalled: Vec<Operation>,
    /// Leave as soon as the writes have succeeded.
    pub(in crate::tui) quit_after_write: bool,
    /// What is kept of the draft for the next time.
    pub(in crate::tui) keeping: Keeping,
    /// Counts changes of the draft and of what was found, which change what is listed but not what was built.
    pub(in crate::tui) edition: u64,
    /// What was done last and is not built yet, in words; what it does to the output is said then.
    pub(in crate::tui) act: Option<String>,
}

/// What was built, and what is being built.
#[derive(Default)]
pub(in crate::tui) struct Builds {
    /// The last build that was asked for.
    pub(in crate::tui) request: u64,
    /// The build that runs.
    pub(in crate::tui) running: Running,
    /// The recording that is shown.
    pub(in crate::tui) recording: Arc<Recording>,
    /// The recording of the files as they are on disk.
    pub(in crate::tui) saved: Option<Arc<Recording>>,
    /// The files are to be built without the draft first: what it changes is told against them.
    pub(in crate::tui) wants_saved: bool,
    /// Where time stood before a draft failed: there it goes on when the draft builds again.
    pub(in crate::tui) before_failure: Option<StepId>,
    /// Counts recordings: what is derived from an older one is derived again.
    pub(in crate::tui) generation: u64,
    /// Counts requests to compare.
    pub(in crate::tui) comparisons: u64,
}

/// What stands beside the tree.
#[derive(Default)]
pub(in crate::tui) struct TreeDetail {
    /// The text behind the selected row of the tree.
    pub(in crate::tui) preview: Preview,
    /// What colours it.
    pub(in crate::tui) painter: Option<Painter>,
    /// What the selected row of the tree changed.
    pub(in crate::tui) effect: Vec<ChangedRow>,
    /// Whose effect that is.
    pub(in crate::tui) whose: EffectOf,
}

/// The components.
#[derive(Default)]
pub(in crate::tui) struct ComponentList {
    /// The components.
    pub(in crate::tui) rows: Vec<ComponentRow>,
    /// What the draft changes in the output, or, without one, what the selected component does.
    pub(in crate::tui) effect: Vec<ChangedRow>,
    /// What the list beside the components shows.
    pub(in crate::tui) title: String,
}

/// The problems.
#[derive(Default)]
pub(in crate::tui) struct ProblemList {
    /// The problems.
    pub(in crate::tui) all: Vec<Problem>,
    /// Fixes of the problems of this build, which were tried.
    pub(in crate::tui) offers: Vec<Offer>,
    /// Those that are listed.
    pub(in crate::tui) rows: Vec<usize>,
    /// The problem in words.
    pub(in crate::tui) explanation: Preview,
}

/// The functions that ran or wait.
#[derive(Default)]
pub(in crate::tui) struct FunctionList {
    /// The functions that ran or wait.
    pub(in crate::tui) rows: Vec<FunctionRow>,
    /// What the selected one reported.
    pub(in crate::tui) results: Vec<ResultRow>,
    /// How it was called.
    pub(in crate::tui) invocation: Preview,
}

/// The catalogs and their functions.
#[derive(Default)]
pub(in crate::tui) struct CatalogList {
    /// The catalogs and their functions.
    pub(in crate::tui) rows: Vec<CatalogRow>,
    /// The selected one.
    pub(in crate::tui) review: Preview,
    /// The catalog that is selected once it was looked at.
    pub(in crate::tui) follows: Option<String>,
}

/// The Composition that is shown.
#[derive(Default)]
pub(in crate::tui) struct CompositionView {
    /// The Composition that is shown, by its place in the recording.
    pub(in crate::tui) shown: Option<usize>,
    /// What runs in it.
    pub(in crate::tui) rows: Vec<PipelineRow>,
    /// What it imports.
    pub(in crate::tui) imports: Vec<TextLine>,
    /// Its selected entry.
    pub(in crate::tui) entry: Preview,
    /// An order that was drafted and is not built yet, and the recording whose numbers it has.
    pub(in crate::tui) order: Option<(u64, Vec<usize>)>,
    /// The row that is selected again once it is built.
    pub(in crate::tui) follows: Option<PipelineRow>,
}
