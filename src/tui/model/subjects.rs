//! The parts of the state, one for each subject.

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use crate::answers::recording::field::{WrittenPath, exact_path_text, named_path_text};
use crate::answers::secrets::Secrets;
use crate::draft::{Draft, FileChange, ListedEdit, PastWrite, Revision, StoredDraft};
use crate::engine::evaluate::StepId;
use crate::engine::load::Files;
use crate::engine::profile::{LATEST, Profile};
use crate::engine::resource::PathStep;
use crate::glyphs::Icons;
use crate::keymap::{Command, KeyLookup, Keymap, name};
use crate::message::SourceFile;
use crate::model::{
    CatalogRow, ChangedRow, ComponentRow, EditDiff, EditEffects, FunctionRow, ListView, LongLines,
    Model, Pane, PipelineRow, Preview, ResourceKey, ResourceRow, ResultRow, Screen, WorkbenchPlace,
    WorkbenchRecording,
};
use crate::ports::{Access, ComparisonSides, RequestedRuns, RunningFunction, WorkbenchOptions};
use crate::screen::DividerKey;
use crate::text::{CodePainter, DiffRow, InputHistory, LineDiff, TextLine, sanitize};
use crate::theme::{ColorDepth, StyleRole, Theme, ThemeError};
use crate::user_commands::UserCommand;

pub(crate) struct DisplaySettings {
    /// Columns and rows of the terminal.
    pub(crate) size: (u16, u16),
    pub(crate) colors: ColorDepth,
    pub(crate) theme: Theme,
    pub(crate) icons: Icons,
    pub(crate) keymap: Keymap,
    pub(crate) has_mouse: bool,
    pub(crate) secrets: Secrets,
    /// The masked display of Secrets, with every value that a recording contained.
    pub(crate) learned: Secrets,
    pub(crate) commands: Vec<UserCommand>,
}

impl DisplaySettings {
    /// The settings at the start; the terminal reports its size later.
    ///
    /// # Errors
    /// The configured theme does not exist.
    pub(crate) fn new(options: &WorkbenchOptions, keymap: Keymap) -> Result<Self, ThemeError> {
        let (config, learned) = (&options.config, Secrets::masked(options.salt));
        Ok(Self {
            size: (80, 24),
            colors: config.colors,
            theme: Theme::named(&config.theme, config.colors)?,
            icons: config.icons,
            keymap,
            has_mouse: config.mouse,
            secrets: if options.show_secrets { Secrets::shown() } else { learned.clone() },
            learned,
            commands: Vec::new(),
        })
    }

    pub(crate) fn set_commands(&mut self, commands: &[UserCommand]) -> Vec<String> {
        let mut notes = Vec::new();
        for command in commands {
            match command.clone().complete() {
                Ok(command) => {
                    notes.extend(command.key.as_deref().and_then(|key| {
                        let other = match self.keymap.lookup(key) {
                            KeyLookup::Command(other) => format!("is the key of `{}`", name(other)),
                            KeyLookup::Prefix => "begins other keys".to_owned(),
                            KeyLookup::Unknown => return None,
                        };
                        Some(format!("command `{}`: the key {key} {other}", command.name))
                    }));
                    self.commands.push(command);
                }
                Err(note) => notes.push(note),
            }
        }
        notes
    }
}

pub(crate) struct OpenedSession {
    /// The target as it was typed.
    pub(crate) target: String,
    pub(crate) dir: PathBuf,
    /// True if a target is open: the folder has a kustomization, or the user chose one on the
    /// Board.
    pub(crate) has_target: bool,
    pub(crate) disk: Arc<dyn Files>,
    pub(crate) sources: BTreeMap<PathBuf, SourceFile>,
    /// The folders of the components in the repository, listed or not.
    pub(crate) found: Vec<PathBuf>,
    /// The catalogs that the user named, as they were typed.
    pub(crate) named_catalogs: Vec<String>,
    pub(crate) access: Access,
    pub(crate) runs: RequestedRuns,
    pub(crate) compare: Option<ComparisonSides>,
}

#[derive(Default)]
pub(crate) struct Panes {
    /// For each screen, the index of the pane with the focus.
    pub(crate) focus: [usize; Screen::COUNT],
    /// The last screen of each place.
    pub(crate) tabs: [Option<Screen>; WorkbenchPlace::COUNT],
    /// True if the pane with the focus fills the body.
    pub(crate) zoomed: bool,
    pub(crate) long_lines: LongLines,
    pub(crate) lists: BTreeMap<Pane, ListView>,
    /// The texts about the selected rows of lists, as last shown.
    pub(crate) texts: BTreeMap<Pane, Preview>,
    /// The rows, each with its list, that `texts` are about.
    pub(crate) text_rows: BTreeMap<Pane, (Pane, usize)>,
    /// For each filtered list, the text that its rows must match.
    pub(crate) filters: BTreeMap<Pane, String>,
    /// The sizes that the user gave to panes, in thousandths of the divided area.
    pub(crate) shares: BTreeMap<DividerKey, u16>,
    pub(crate) dragged: Option<DividerKey>,
    /// The pane and row of the last click: a second click opens the row.
    pub(crate) last_click: Option<(Pane, usize)>,
}

#[derive(Default)]
pub(crate) struct TypedInput {
    /// The keys of a sequence that is not complete yet.
    pub(crate) keys: String,
    pub(crate) count: Option<usize>,
    /// True if the last key was `ctrl-c` without running work: the next one quits.
    pub(crate) has_interrupted: bool,
    /// The former keys whose successors were named in this session.
    pub(crate) former_keys: BTreeSet<String>,
    /// The command that expects the letter of a mark as the next key.
    pub(crate) awaits_mark: Option<Command>,
    pub(crate) search: String,
    /// The screen of the search, where matches are highlighted.
    pub(crate) searched_on: Option<Screen>,
    pub(crate) searches: InputHistory,
    pub(crate) commands: InputHistory,
}

#[derive(Default)]
pub(crate) struct MessageLog {
    /// All messages, the newest at the end.
    pub(crate) all: std::collections::VecDeque<Status>,
}

impl MessageLog {
    const MAX_MESSAGES: usize = 200;

    /// Adds a message. One that begins with the message before it, such as that of an edit with
    /// its effect, replaces it.
    pub(crate) fn add(&mut self, status: &Status) {
        if self.all.back().is_some_and(|last| status.text.starts_with(&last.text)) {
            self.all.pop_back();
        }
        self.all.push_back(status.clone());
        if self.all.len() > Self::MAX_MESSAGES {
            self.all.pop_front();
        }
    }
}

#[derive(Default)]
pub(crate) struct Jumps {
    pub(crate) back: Vec<JumpPosition>,
    pub(crate) forward: Vec<JumpPosition>,
    pub(crate) opened_from: Option<Screen>,
    /// The marks: for each letter, the screen and the id of the step.
    pub(crate) marks: BTreeMap<char, (Screen, StepId)>,
}

#[derive(Default)]
pub(crate) struct Edits {
    pub(crate) draft: Draft,
    pub(crate) name: Option<String>,
    pub(crate) list: Vec<ListedEdit>,
    pub(crate) effects: EditEffects,
    pub(crate) shown: EditDiff,
    /// The number of unwritten edits.
    pub(crate) pending: usize,
    pub(crate) changes: Vec<FileChange>,
    /// The number of requested writes without a result yet.
    pub(crate) writing: usize,
    /// The number of files that the last write has changed so far, and how many of them it removed.
    pub(crate) written: (usize, usize),
    /// The listed writes, while the user selects one to revert.
    pub(crate) listed_writes: Vec<PastWrite>,
    pub(crate) quit_after_write: bool,
    pub(crate) keeping: KeptDraftState,
    /// True if the kept copy has edits that are left out.
    pub(crate) keeps_left_out: bool,
    /// Counts changes of the draft and of discovered files, which change lists without a build.
    pub(crate) draft_revision: u64,
    /// The last edit without a build yet; its effect is reported after the build.
    pub(crate) last_edit: Option<String>,
}

#[derive(Default)]
pub(crate) struct Builds {
    pub(crate) request: u64,
    pub(crate) running: RunningBuild,
    pub(crate) function: Option<RunningFunction>,
    /// The number of functions that the user has asked the running build to run; 0 if none.
    pub(crate) asked_functions: usize,
    pub(crate) recording: Arc<WorkbenchRecording>,
    pub(crate) saved: Option<Arc<WorkbenchRecording>>,
    /// True if the files must be built without the draft first, as the baseline.
    pub(crate) wants_saved: bool,
    /// True from a change of trust, of downloads or of recorded functions until the next build:
    /// comparisons from before it are out of date.
    pub(crate) has_new_inputs: bool,
    /// The step before a draft failed: selected again when the draft builds.
    pub(crate) before_failure: Option<StepId>,
    /// Incremented with each recording: data derived from an older recording is computed again.
    pub(crate) generation: u64,
}

#[derive(Default)]
pub(crate) struct TreeDetail {
    pub(crate) preview: Preview,
    pub(crate) painter: Option<CodePainter>,
    pub(crate) effect: Vec<ChangedRow>,
    /// True if it is the effect of the draft, because the row has none.
    pub(crate) is_draft_effect: bool,
    /// The diffs of a few changed resources of the row.
    pub(crate) diffs: Vec<(LineDiff, Vec<DiffRow>)>,
}

/// The content of the Components screen: its rows, and the effect of the draft or of the selected
/// component.
#[derive(Default)]
pub(crate) struct ComponentList {
    pub(crate) rows: Vec<ComponentRow>,
    /// The folder of most components, which the title contains.
    pub(crate) folder: String,
    /// The changes of the draft in the output; without a draft, those of the selected component.
    pub(crate) effect: Vec<ChangedRow>,
    pub(crate) title: String,
}

#[derive(Default)]
pub(crate) struct FunctionList {
    pub(crate) rows: Vec<FunctionRow>,
    pub(crate) results: Vec<ResultRow>,
}

#[derive(Default)]
pub(crate) struct CatalogList {
    pub(crate) rows: Vec<CatalogRow>,
    pub(crate) follows: Option<String>,
}

#[derive(Default)]
pub(crate) struct CompositionView {
    pub(crate) shown: Option<usize>,
    pub(crate) rows: Vec<PipelineRow>,
    pub(crate) imports: Vec<TextLine>,
    /// A drafted order that is not built yet: the new order of the entry numbers, and the
    /// generation of the recording that they refer to.
    pub(crate) order: Option<(u64, Vec<usize>)>,
    pub(crate) follows: Option<PipelineRow>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum KeptDraftState {
    /// The draft is kept: its changes, and its revision at that time.
    Kept(Vec<FileChange>, Revision),
    /// A draft of an earlier session: the user has not decided yet whether to restore it.
    Undecided(Box<StoredDraft>),
    /// Drafts cannot be kept: a note was shown.
    Impossible,
}

impl Default for KeptDraftState {
    fn default() -> Self {
        Self::Kept(Vec::new(), Revision::default())
    }
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum RunningBuild {
    #[default]
    Idle,
    /// A build is running; the time since its start, as last reported.
    Running(Duration),
    /// The user cancelled the build, so that the screen is older than the draft.
    Cancelled,
}

/// The message on the line of hints until the next key.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Status {
    pub text: String,
    pub role: StyleRole,
}

impl Status {
    pub(crate) fn warning(text: &str) -> Self {
        Self { text: super::super::text::sanitize(text).into_owned(), role: StyleRole::Warning }
    }
}

/// The position before a jump: screen, step, and the shown resource.
pub(crate) type JumpPosition = (Screen, usize, Option<ResourceKey>);

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

/// The version profile of the repository or command line, and the profile that the user chose
/// later.
#[derive(Debug)]
pub(crate) struct LikeState {
    opened: Profile,
    /// The profile that the user chose since the repository was opened.
    pub(crate) named: Option<Profile>,
    before_name: Option<&'static str>,
    /// The recording of the files as built with the previous profile, which replaces the files on
    /// disk in comparisons; `None` if the user has not changed the profile.
    pub(crate) before: Option<Arc<WorkbenchRecording>>,
}

impl LikeState {
    pub(crate) const fn opened(opened: Profile) -> Self {
        Self { opened, named: None, before_name: None, before: None }
    }

    /// Stores the profile of a build, since each target may declare its own. A profile that the
    /// user chose stays in force.
    pub(crate) fn built(&mut self, profile: Profile) {
        if self.named.is_none() {
            self.opened = profile;
        }
    }

    pub(crate) fn profile(&self) -> Profile {
        self.named.unwrap_or(self.opened)
    }

    /// Chooses another profile. Builds with it are compared with `before`, the recording with the
    /// previous profile.
    pub(crate) fn name(&mut self, profile: Profile, before: Option<Arc<WorkbenchRecording>>) {
        self.before_name = Some(self.profile().name());
        self.before = before;
        self.named = Some(profile);
    }

    pub(crate) fn compared(&self) -> Option<(&'static str, &'static str)> {
        self.before_name.map(|name| (name, self.profile().name()))
    }

    /// The profile for the top line; `None` for the newest release, the default.
    pub(crate) fn shown(&self) -> Option<&'static str> {
        let name = self.profile().name();
        (name != LATEST).then_some(name)
    }
}
