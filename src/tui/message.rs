//! The messages that change the workbench, and its effects on the outside.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use crossterm::event::{KeyEvent, MouseButton, MouseEvent, MouseEventKind};
use ratatui::layout::{Position, Rect};

use crate::answers::compare::CompareReport;
use crate::answers::reverse::VerifiedProposal;
use crate::answers::{ComponentMatrix, Offer, RepositoryReport, TargetSummary, VerifiedFinding};
use crate::draft::{FileChange, ListedDraft, PastWrite, StoredDraft};
use crate::engine::load::Fetch;
use crate::engine::manifest::Outline;
use crate::engine::plugin::{TrustRecord, TrustScope};
use crate::repository::{LocatedDeploymentObject, Repository};

use super::experiment::{Variation, WhatIfAnswer};
use super::field_edits::WantedEdit;
use super::ports::{
    BoardOrder, BuildRequest, Comparison, NameUse, NamedSide, RunningFunction, WriteError,
};
use super::recording::WorkbenchRecording;
use super::screen::PaneShare;
use super::user_commands::{UserCommandResult, UserCommandRun};

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

#[derive(Debug)]
pub struct BuildAnswer {
    pub(crate) request: u64,
    pub(crate) recording: Arc<WorkbenchRecording>,
    pub(crate) sources: BTreeMap<PathBuf, SourceFile>,
}

/// Findings of a build that were verified by building without an entry.
#[derive(Debug)]
pub struct VerifiedFindings {
    pub(crate) request: u64,
    pub(crate) found: Vec<(usize, VerifiedFinding)>,
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
    /// The problems of all targets, once all of them are built.
    Checked(RepositoryReport),
    /// The fix of a problem in words with its changes, or the reason against it.
    Fixed(Result<(String, Vec<FileChange>), String>),
    Failed(String),
}

#[derive(Debug)]
pub enum Message {
    BoardNews(BoardNews),
    /// The result of a comparison, with the number of its request.
    Compared(u64, Result<Box<CompareReport>, String>),
    /// The number of targets that this request has compared, and the number of all of them.
    ComparisonProgress(u64, usize, usize),
    WhatIf(u64, Result<WhatIfAnswer, String>),
    /// The table of components while components that are off are tried.
    TableSoFar(u64, Arc<ComponentMatrix>),
    /// The number of finished builds of this request, and the number of all of its builds.
    WhatIfProgress(u64, usize, usize),
    /// The verified edits that give a field a value, with the number of the request.
    EditsFound(u64, Result<Vec<VerifiedProposal>, String>),
    /// The end of one of the user's own commands, by the number of its run.
    CommandEnded(u64, Result<UserCommandResult, String>),
    /// Files of the repository changed on disk; empty if events were lost.
    TreeChanged(Vec<PathBuf>),
    Key(KeyEvent),
    Mouse(MouseEvent),
    Clicked(ClickAnswer),
    Pasted(String),
    /// The new size of the terminal: columns and rows.
    Resized(u16, u16),
    Evaluated(Box<BuildAnswer>),
    FindingsVerified(VerifiedFindings),
    /// Verified fixes for the problems of a build, with the number of its request.
    FixesVerified(u64, Vec<Offer>),
    SidesListed(Vec<NamedSide>),
    /// The folders of the components that were found in the repository.
    Discovered(Vec<PathBuf>),
    /// Files changed on disk: their bytes now, `None` for deleted files.
    FilesChanged(Vec<(PathBuf, Option<Arc<[u8]>>)>),
    Written(PathBuf, Result<(), WriteError>),
    /// The earlier writes, newest first.
    WriteLogRead(Vec<PastWrite>),
    /// A write succeeded and could not be logged, with the reason.
    WriteNotLogged(String),
    /// A draft that was kept from an earlier session with this repository.
    KeptDraft(Box<StoredDraft>),
    Drafts(Result<DraftNews, String>),
    /// The draft cannot be kept for the next time, with the reason.
    DraftNotKept(String),
    /// The result of storing a trust decision of this scope: the message to show.
    Decided(TrustScope, Result<String, String>),
    /// A fetch began: the number of the request, and the index of the item in it.
    Fetching(u64, usize),
    /// A request is finished: its number, and the failed downloads with reasons.
    Fetched(u64, Vec<(Fetch, String)>),
    /// The time since fetching began.
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
    RunCommand(Box<UserCommandRun>),
    CancelCommand,
    Compare {
        request: u64,
        what: Comparison,
    },
    /// Build the open target with other texts. A newer request cancels an older one.
    WhatIf {
        request: u64,
        variation: Variation,
    },
    CancelWhatIf,
    /// Find the edits that give a field a value. A newer request cancels an older one.
    FindEdits {
        request: u64,
        wanted: Box<WantedEdit>,
    },
    ListSides,
    /// Search the repository of a target for components.
    Discover(PathBuf),
    /// Fetch these items, one after the other; the user has confirmed them.
    Fetch {
        request: u64,
        things: Vec<Fetch>,
    },
    CancelFetch,
    /// Write these files, all or none, if each still has the bytes that its change is based on. The
    /// write is logged with these words, so that it can be reverted later.
    Write(Vec<FileChange>, Vec<String>),
    ReadWriteLog,
    /// Keep the draft for the next time.
    Keep(StoredDraft),
    Drafts(DraftOrder),
    Decide(Box<TrustRecord>),
    KeepPaneShares(Vec<PaneShare>),
    Watch(Vec<PathBuf>),
    OpenEditor(PathBuf, u32),
    /// Put a text on the clipboard of the terminal.
    Copy(String),
    /// Capture the mouse if this is true; otherwise release it.
    CaptureMouse(bool),
    Suspend,
    Redraw,
    /// Take the terminal again after the process was stopped, and draw everything.
    RetakeTerminal,
    Quit,
}

#[derive(Clone, Debug, PartialEq)]
pub enum DraftOrder {
    List,
    /// Leave the current draft; it stays kept.
    Leave,
    /// Release the current draft, and open the draft with this name; `None` opens an unnamed draft.
    Switch(Option<String>),
    Name(Box<StoredDraft>, NameUse),
    Delete(String),
}

#[derive(Debug)]
pub enum DraftNews {
    Listed(Vec<ListedDraft>),
    /// The draft with this name, `None` if it does not exist yet.
    Taken(Option<String>, Option<Box<StoredDraft>>),
    Named(Box<StoredDraft>),
    Deleted(String),
}

/// A drawn area that answers a click: in the overlay, or in the table of components.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ClickArea {
    pub(crate) area: Rect,
    pub(crate) answer: ClickAnswer,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ClickAnswer {
    Key(KeyEvent),
    /// A row of the overlay.
    Row(usize),
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
        let clicked = areas.iter().find(|it| is_click && it.area.contains(at));
        clicked.map_or(message, |it| Message::Clicked(it.answer))
    }
}
