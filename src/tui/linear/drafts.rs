//! Commands of linear mode about named drafts.

use std::io::{self, Write};

use super::super::keymap::Command;
use super::super::model::Overlay;
use super::super::view::words_of_draft;
use super::LinearSession;
use crate::draft::DraftHolder;

impl<W: Write> LinearSession<'_, W> {
    /// Lists the kept drafts; with a name, switches to that draft; also renames, copies and deletes
    /// drafts.
    pub(super) fn drafts(&mut self, argument: &str) -> io::Result<()> {
        let (word, name) = argument.split_once(' ').unwrap_or((argument, ""));
        let act = match (word, name.trim()) {
            ("", _) => return self.list_drafts(),
            ("rename", name) if !name.is_empty() => (Command::RenameDraft, name),
            ("copy", name) if !name.is_empty() => (Command::CopyDraft, name),
            ("delete", name) if !name.is_empty() => (Command::DeleteDraft, name),
            (name, "") => (Command::Drafts, name),
            _ => {
                let words =
                    "Usage: draft NAME, draft rename NAME, draft copy NAME or draft delete NAME.";
                return self.print(words);
            }
        };
        self.edit_with(act.0, act.1)
    }

    fn list_drafts(&mut self) -> io::Result<()> {
        self.run(Command::Drafts);
        let Some(Overlay::Drafts(list)) = self.model.overlay.take() else {
            let status = self.model.status.take().map(|status| format!("{}.", status.text));
            return self.print_lines(status);
        };
        let lines = list.drafts.iter().map(|draft| {
            let name = draft.draft.name.as_deref().unwrap_or("without a name");
            let here = if draft.held_by == DraftHolder::ThisWorkbench { ", open here" } else { "" };
            format!("{name}{here}. {}. Saved at {}.", words_of_draft(&self.model, draft), draft.at)
        });
        self.print_lines(lines.collect::<Vec<_>>())
    }
}
