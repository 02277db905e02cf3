//! A pane as one value: its rows, its texts, and the effect of its keys.

use std::borrow::Cow;
use std::path::PathBuf;

use ratatui::text::Line;

use super::{Model, Pane};
use crate::cells::ListRow;
use crate::text::TextLine;

/// A pane of the workbench. Each screen declares its panes in its `mod.rs`.
pub(crate) struct PaneView {
    /// True for text that only scrolls: it has no selected row.
    pub is_text: bool,
    pub title: fn(&Model) -> String,
    /// The number of rows of a list; texts count their lines.
    pub count: fn(&Model) -> usize,
    pub content: PaneContent,
    /// A row of a list as text, in which a search looks for its pattern.
    pub text: fn(&Model, usize) -> Option<String>,
    /// The names of the columns of cells, above the rows.
    pub names: Option<fn(&Model, usize) -> ListRow>,
    /// The lines above the rows, in a number of columns.
    pub header: fn(&Model, u16) -> Vec<Line<'static>>,
    pub empty: EmptyText,
    /// The file and the line of the selected row, which `e` opens.
    pub place: fn(&Model) -> Option<(PathBuf, u32)>,
    /// The effect of `enter` on the selected row.
    pub open: fn(&mut Model),
}

/// The rows of a pane. Functions of one row get its index and the width of the pane in columns.
pub(crate) enum PaneContent {
    /// Texts in columns, which are cut or wrapped together.
    Cells(fn(&Model, usize, usize) -> Option<ListRow>),
    /// Lines that the screen draws itself.
    Drawn(fn(&Model, usize, usize) -> Line<'static>),
    Text(fn(&Model) -> Cow<'_, [TextLine]>),
    About(TextAbout),
    /// The effect of edits, dangers first.
    Effects(fn(&Model) -> Cow<'_, [TextLine]>),
}

/// A text about the selected row of a list. It is made again when the list, the selection or the
/// width of the text has changed.
pub(crate) struct TextAbout {
    pub list: fn(&Model) -> Pane,
    /// Changes with the rows of the list, and with all else that the text depends on.
    pub edition: fn(&Model) -> (u64, usize),
    /// The text about a row, for a number of columns.
    pub make: fn(&Model, usize, usize) -> Option<Preview>,
}

/// A text of some lines with a title: a preview, an explanation.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Preview {
    pub title: String,
    pub lines: Vec<TextLine>,
    /// The line that the text is about, from 0.
    pub at: Option<usize>,
}

/// The text of a pane without rows: an error, the progress, or the reason.
pub(crate) enum EmptyText {
    None,
    /// A text about the repository or the draft, also without an open target.
    Repository(fn(&Model) -> String),
    /// A text about the target, known before its first build.
    Target(fn(&Model) -> String),
    /// A text about a build; `None` for a pane that stays empty.
    Build(fn(&Model) -> Option<String>),
}

impl Pane {
    pub(crate) fn is_text(self) -> bool {
        crate::pane_view(self).is_text
    }

    /// True for panes whose long lines can be wrapped: running text, without columns.
    pub(crate) fn can_wrap(self) -> bool {
        self.is_text() || self == Self::Resource
    }
}

impl PaneView {
    /// A pane of text, which only scrolls; `enter` shows it alone.
    pub(crate) const TEXT: Self = Self {
        is_text: true,
        title: |_| String::new(),
        count: |_| 0,
        content: PaneContent::Text(|_| Cow::Borrowed(&[])),
        text: |_, _| None,
        names: None,
        header: |_, _| Vec::new(),
        empty: EmptyText::None,
        place: |_| None,
        open: |model| model.panes.zoomed = !model.panes.zoomed,
    };
    /// A list whose rows `enter` does not open.
    pub(crate) const LIST: Self = Self { is_text: false, open: |_| {}, ..Self::TEXT };

    /// The lines of a pane of text; `None` for other rows.
    pub(crate) fn lines<'m>(&self, model: &'m Model, pane: Pane) -> Option<Cow<'m, [TextLine]>> {
        match self.content {
            PaneContent::Cells(_) | PaneContent::Drawn(_) => None,
            PaneContent::Text(lines) | PaneContent::Effects(lines) => Some(lines(model)),
            PaneContent::About(_) => Some((&model.text_in(pane).lines).into()),
        }
    }

    pub(crate) fn empty_text(&self, model: &Model, pane: Pane) -> Option<String> {
        let is_built = model.builds.generation != 0 && !model.builds.recording.is_unbuilt();
        let text = match self.empty {
            EmptyText::None => return None,
            EmptyText::Repository(text) => return Some(text(model)),
            _ if !model.opened.has_target => {
                return Some("no target open (0: targets of the repository)".to_owned());
            }
            EmptyText::Build(_) if !is_built => return Some("building…".to_owned()),
            EmptyText::Target(text) => Some(text(model)),
            EmptyText::Build(text) => text(model),
        };
        if model.panes.filters.contains_key(&pane) {
            return Some("no match (esc: clear the filter)".to_owned());
        }
        text
    }
}

pub(crate) fn titled(pane: &str, shown: &str) -> String {
    if shown.is_empty() { pane.to_owned() } else { format!("{pane}  {shown}") }
}
