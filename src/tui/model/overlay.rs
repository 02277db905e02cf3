//! Overlays: help, palette, questions, the small editor.

use std::path::PathBuf;

use tui_textarea::TextArea;

use crate::answers::ResourceKey;
use crate::answers::reverse::VerifiedProposal;
use crate::draft::{FileChange, ListedDraft, PastWrite, StoredDraft};
use crate::engine::plugin::TrustRecord;

use super::super::keymap::Command;
use super::super::text::{DiffRow, LineDiff, LineInput, sanitize, wrap};
use super::super::user_commands::UserCommandResult;
use super::{EntryForm, FetchQuestion, PaletteState, WhyPane};

#[derive(Default)]
pub(crate) struct HelpState {
    pub filter: LineInput,
    pub offset: usize,
    /// The command that a click marked; a second click runs it.
    pub marked: Option<Command>,
}

/// The overlay on the screen, which receives the keys.
pub(crate) enum Overlay {
    Trust(Box<TrustQuestion>),
    Fetch(Box<FetchQuestion>),
    Help(HelpState),
    Actions(ActionMenu),
    Messages {
        offset: usize,
    },
    Palette(Box<PaletteState>),
    /// A search in the pane; Esc returns to the row of its start.
    Search {
        text: LineInput,
        from: usize,
    },
    Confirm(Box<Confirm>),
    Log(Box<LogState>),
    Drafts(Box<DraftList>),
    Why(Box<WhyPane>),
    FieldEdit(Box<FieldEdit>),
    Yank(Vec<YankItem>),
    Form(Box<EntryForm>),
    Editor(Box<InnerEditor>),
    CommandOutput(Box<CommandOutput>),
}

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct CommandOutput {
    pub name: String,
    pub lines: Vec<String>,
    pub offset: usize,
    /// The end of the run, for the title; `None` while it lasts.
    pub status: Option<String>,
}

impl CommandOutput {
    /// The lines, wrapped in an area with this width.
    pub(crate) fn wrapped(&self, columns: u16) -> impl Iterator<Item = String> {
        let cells = usize::from(columns.saturating_sub(2)).max(1);
        self.lines.iter().flat_map(move |line| wrap(line, cells))
    }

    pub(crate) fn end(&mut self, result: Result<UserCommandResult, String>) {
        self.status = Some(match result {
            Ok(ended) => {
                let text = String::from_utf8_lossy(&ended.output);
                self.lines = text.lines().map(|line| sanitize(line).into_owned()).collect();
                match ended.status {
                    Some(0) => "done".to_owned(),
                    Some(status) => format!("exit status {status}"),
                    None => "ended by a signal".to_owned(),
                }
            }
            Err(reason) => {
                self.lines = vec![sanitize(&reason).into_owned()];
                "not run".to_owned()
            }
        });
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum MenuItem {
    Command(Command),
    /// One of the user's own commands, by its index.
    UserCommand(usize),
}

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct ActionMenu {
    pub items: Vec<MenuItem>,
    /// The number of items about the selected row; they come first.
    pub row_items: usize,
    pub selected: usize,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Confirmation {
    Write {
        then_quit: bool,
    },
    /// A conflict: the draft and the disk changed the same text.
    Conflict(PathBuf),
    Resume(Box<StoredDraft>),
    /// The question whether to revert a write in a draft; `number` counts from the newest.
    Restore {
        number: usize,
    },
    Run {
        index: usize,
    },
}

impl Confirmation {
    /// The answer keys of the question, each with its effect.
    pub(crate) fn keys(&self) -> &'static [(&'static str, &'static str)] {
        match self {
            Self::Write { .. } => &[
                ("y", "write"),
                ("n", "cancel"),
                ("t", "per target"),
                ("w", "problems"),
                ("z", "undo edit"),
            ],
            Self::Conflict(_) => {
                &[("d", "keep the draft"), ("f", "keep the file on disk"), ("esc", "later")]
            }
            Self::Restore { .. } => &[("y", "revert it in a draft"), ("esc", "back to the log")],
            Self::Run { .. } => &[("y", "run"), ("n", "cancel")],
            Self::Resume(_) => &[("y", "restore"), ("n", "discard"), ("esc", "later")],
        }
    }
}

pub(crate) struct Confirm {
    pub question: String,
    pub asked: Confirmation,
    pub changes: Vec<FileChange>,
    pub files: Vec<(String, LineDiff, Vec<DiffRow>)>,
    pub offset: usize,
}

impl Confirm {
    pub(crate) fn is_write(&self) -> bool {
        matches!(self.asked, Confirmation::Write { .. })
    }
}

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct LogState {
    pub operations: Vec<PastWrite>,
    pub selected: usize,
}

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct DraftList {
    pub drafts: Vec<ListedDraft>,
    pub selected: usize,
    /// True while the user is asked whether to delete the selected draft.
    pub asked: bool,
}

pub(crate) struct FieldEdit {
    pub resource: ResourceKey,
    /// The resource as `Deployment/web`.
    pub name: String,
    pub field: String,
    pub value: LineInput,
    /// The file and line for the editor.
    pub place: Option<(PathBuf, u32)>,
    pub state: FieldEditState,
}

pub(crate) enum FieldEditState {
    Typing,
    Searching,
    Found { proposals: Vec<VerifiedProposal>, selected: usize },
    Refused(String),
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct YankItem {
    pub key: char,
    pub label: &'static str,
    pub text: String,
}

pub(crate) struct InnerEditor {
    pub file: PathBuf,
    pub title: String,
    pub area: TextArea<'static>,
    pub line_end: &'static str,
    pub ends_with_line: bool,
    /// True if this editor has already made an edit in the draft.
    pub edited: bool,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct TrustQuestion {
    pub catalog: String,
    pub reference: String,
    pub content: TrustRecord,
    /// The same decision on the command line, if a flag covers all that would run.
    pub flag: Option<String>,
    /// The name of the function that has more permissions than before; the user must type it to
    /// confirm.
    pub widened: Option<String>,
    /// Unpinned files and the input of the functions.
    pub summary: Vec<String>,
    /// The functions of the catalog that the command `R` would run.
    pub runs: Vec<String>,
    pub typed: LineInput,
}
