//! What lies over a screen: help, palette, questions, the small editor.

use std::path::PathBuf;

use tui_textarea::TextArea;

use crate::draft::{FileChange, KeptDraft, ListedDraft, Operation};

use super::super::text::{DiffRow, LineDiff, LineInput};
use super::{FetchQuestion, Form, PaletteState, WhyPane};

/// What lies over the screen and gets the keys.
pub(crate) enum Overlay {
    /// The question whether to trust a catalog.
    Trust(Box<TrustQuestion>),
    /// The question whether to fetch.
    Fetch(Box<FetchQuestion>),
    /// Every key; the text filters.
    Help {
        filter: LineInput,
        /// The first line that is shown.
        offset: usize,
    },
    /// Everything that can be asked for.
    Palette(Box<PaletteState>),
    /// A search in the pane; Esc goes back to the row where it began.
    Search {
        text: LineInput,
        /// The row where it began.
        from: usize,
    },
    /// A question with the diff that it is about.
    Confirm(Box<Confirm>),
    /// The writes of the past.
    Log(Box<LogState>),
    /// The drafts that are kept.
    Drafts(Box<DraftList>),
    Why(Box<WhyPane>),
    Yank(Vec<YankItem>),
    /// The form of an entry.
    Form(Box<Form>),
    Editor(Box<InnerEditor>),
}

/// What a question is about.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Asked {
    /// Whether to write, and whether to leave then.
    Write {
        then_quit: bool,
    },
    /// Whose text counts: the draft's or that of the disk, which changed the same place.
    Conflict(PathBuf),
    /// Whether to go on with a draft that was kept.
    Resume(Box<KeptDraft>),
    /// Whether to draft the files as they were before the write with this number, counted from the newest.
    Restore {
        number: usize,
    },
}

impl Asked {
    /// The keys that answer, and what each does.
    pub(crate) fn keys(&self) -> &'static [(&'static str, &'static str)] {
        match self {
            Self::Write { .. } => &[("y", "write"), ("n", "do not"), ("t", "in each target")],
            Self::Conflict(_) => {
                &[("d", "keep the draft"), ("f", "take the file"), ("esc", "decide later")]
            }
            Self::Restore { .. } => {
                &[("y", "draft these files as they were before it"), ("esc", "go back to the log")]
            }
            Self::Resume(_) => {
                &[("y", "go on with it"), ("n", "throw it away"), ("esc", "decide later")]
            }
        }
    }
}

/// A question about files, with what is shown of them.
pub(crate) struct Confirm {
    pub question: String,
    pub asked: Asked,
    pub changes: Vec<FileChange>,
    /// What is shown: for each file its name and its difference.
    pub files: Vec<(String, LineDiff, Vec<DiffRow>)>,
    /// The first line that is shown.
    pub offset: usize,
}

impl Confirm {
    /// True for the question whether to write.
    pub(crate) fn is_write(&self) -> bool {
        matches!(self.asked, Asked::Write { .. })
    }
}

/// The writes of the past.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct LogState {
    pub operations: Vec<Operation>,
    pub selected: usize,
}

/// The drafts that are kept.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct DraftList {
    pub drafts: Vec<ListedDraft>,
    pub selected: usize,
    /// It is asked whether to delete it.
    pub asked: bool,
}

/// Something that can be copied, by the key that copies it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct YankItem {
    pub key: char,
    pub label: &'static str,
    pub text: String,
}

/// The small editor on a file.
pub(crate) struct InnerEditor {
    pub file: PathBuf,
    pub title: String,
    pub area: TextArea<'static>,
    /// Line ends of the file.
    pub line_end: &'static str,
    /// The text ends with a line end.
    pub ends_with_line: bool,
    /// The draft has an edit of this editor.
    pub edited: bool,
}

/// The question whether to trust a catalog.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct TrustQuestion {
    pub catalog: String,
    pub reference: String,
    pub digest: String,
    /// The same decision on the command line.
    pub flag: String,
    /// The function whose permissions grow: its name must be typed.
    pub widened: Option<String>,
    /// Its functions that this build would run, once somebody asks.
    pub runs: Vec<String>,
    pub typed: LineInput,
}
