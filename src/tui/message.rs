//! The messages that change the workbench, and its effects on the outside.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use crossterm::event::{KeyEvent, MouseButton, MouseEvent, MouseEventKind};
use ratatui::layout::{Position, Rect};

use crate::answers::{Offer, RepositoryReport, TargetSummary, VerifiedFinding};
use crate::draft::{FileChange, StoredDraft};
use crate::engine::manifest::Outline;
use crate::repository::{LocatedDeploymentObject, Repository};

use super::keymap::Command;
use super::ports::{
    BoardOrder, BuildRequest, RunningFunction, StoreAnswer, StoreOrder, Work, WorkNews,
};
use super::recording::WorkbenchRecording;
use super::screen::Pane;

/// A file with a kustomization or a deployment object, with the text of the draft.
#[derive(Clone, Debug, Default)]
pub struct SourceFile {
    pub bytes: Arc<[u8]>,
    /// The fields and entries of the file; of a deployment object, those that it adds.
    pub outline: Arc<Outline>,
    /// True if the file contains the object that deploys the target.
    pub deploys: bool,
    /// Bytes and outline at the last build; `None` if the file is unchanged since. The entry
    /// numbers and lines in the recording's steps refer to these.
    pub built: Option<(Arc<[u8]>, Arc<Outline>)>,
}

impl SourceFile {
    /// Sets the text of a draft that is not built yet.
    pub(crate) fn draft(&mut self, bytes: Arc<[u8]>) {
        let outline = Outline::parse(&bytes).into();
        let before = std::mem::replace(&mut self.outline, outline);
        let before = (std::mem::replace(&mut self.bytes, bytes), before);
        self.built.get_or_insert(before);
    }
}

#[derive(Clone, Debug)]
pub struct BuildAnswer {
    pub(crate) request: u64,
    pub(crate) recording: Arc<WorkbenchRecording>,
    pub(crate) sources: BTreeMap<PathBuf, SourceFile>,
}

/// Targets that were built, with their summaries; `None` for a name that is no target.
pub type BuiltTargets = Vec<(PathBuf, Option<TargetSummary>)>;

#[derive(Debug)]
pub enum BoardNews {
    /// The repository before its kustomization files are read; sent only for a large repository.
    Found(Arc<Repository>),
    /// The Argo CD and Flux objects of the repository that build targets, and the targets that are
    /// now built again with the settings of these objects.
    DeploymentObjects(Vec<LocatedDeploymentObject>, Vec<PathBuf>),
    /// The repository, and the targets that are being built.
    Read(Arc<Repository>, Vec<PathBuf>),
    Built(BuiltTargets),
    Checked(RepositoryReport),
    /// The fix of a problem in words with its changes, or the reason against it.
    Fixed(Result<(String, Vec<FileChange>), String>),
    Failed(String),
}

#[derive(Debug)]
pub enum Message {
    BoardNews(BoardNews),
    Work(u64, WorkNews),
    /// Files of the repository changed on disk; empty if events were lost.
    TreeChanged(Vec<PathBuf>),
    Key(KeyEvent),
    Mouse(MouseEvent),
    Clicked(ClickArea),
    Pasted(String),
    Resized(u16, u16),
    Evaluated(Box<BuildAnswer>),
    /// Findings of a build, by step, that were verified by building without an entry, with the number
    /// of its request.
    FindingsVerified(u64, Vec<(usize, VerifiedFinding)>),
    /// Verified fixes for the problems of a build, with the number of its request.
    FixesVerified(u64, Vec<Offer>),
    /// Files changed on disk: their bytes now, `None` for deleted files.
    FilesChanged(Vec<(PathBuf, Option<Arc<[u8]>>)>),
    Stored(StoreAnswer),
    KeptDraft(Box<StoredDraft>),
    FetchTick(Duration),
    EditorClosed(Result<(), String>),
    /// The time since the running build began.
    Tick(Duration, Option<RunningFunction>),
    WatchEnded,
    /// The build of a request crashed: a defect of kzui, reported as one.
    Crashed(u64),
    LightBackground,
    /// A signal or a key asks to suspend the process.
    Stopped,
    /// The process cannot be suspended: no shell would continue it.
    SuspendImpossible,
    Continued,
    Terminated,
}

#[derive(Debug)]
pub enum Effect {
    /// Build the target; an older build is no longer needed. The number is returned with the result.
    Evaluate(u64, Box<BuildRequest>),
    CancelEvaluation,
    Board(BoardOrder),
    /// Start work; its news have this number. It is cancelled once the model does not need it.
    Work(u64, Work),
    Store(StoreOrder),
    Watch(Vec<PathBuf>),
    OpenEditor(PathBuf, u32),
    Copy(String),
    /// Capture the mouse if this is true; otherwise release it.
    CaptureMouse(bool),
    Suspend,
    Redraw,
    /// Take the terminal again after the process was stopped, and draw everything.
    RetakeTerminal,
    Quit,
}

/// The variant name of a message or an effect, for the log: its fields may contain values of
/// Secrets. The debug form is cut at the first character that is not part of a name.
pub(crate) fn variant_name(value: &impl std::fmt::Debug) -> String {
    struct Name(String);
    impl std::fmt::Write for Name {
        fn write_str(&mut self, text: &str) -> std::fmt::Result {
            let name = text.split(|it: char| !it.is_alphanumeric()).next().unwrap_or_default();
            self.0.push_str(name);
            if name.len() == text.len() { Ok(()) } else { Err(std::fmt::Error) }
        }
    }
    let mut name = Name(String::new());
    // An error only means that the name is complete.
    let _ = std::fmt::write(&mut name, format_args!("{value:?}"));
    name.0
}

/// A drawn area that answers a click. The areas of the panes, whose rows answer too, are not among
/// them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ClickArea {
    pub(crate) area: Rect,
    pub(crate) answer: ClickAnswer,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ClickAnswer {
    Key(KeyEvent),
    Row(usize),
    Run(Command),
    /// The filter of a list that this command removes; without a command, the text of a search.
    Filter(Pane, Option<Command>),
    TableCell {
        overlay: usize,
        component: usize,
    },
}

impl ClickArea {
    /// The message of a click on one of the drawn areas; other messages are unchanged.
    pub fn answer(areas: &[Self], message: Message) -> Message {
        let Message::Mouse(MouseEvent { kind, column, row, .. }) = message else { return message };
        let at = Position::new(column, row);
        let is_click = kind == MouseEventKind::Down(MouseButton::Left);
        let clicked = areas.iter().rfind(|it| is_click && it.area.contains(at));
        clicked.map_or(message, |it| Message::Clicked(*it))
    }
}
