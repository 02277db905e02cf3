//! Changes of files as edits of the protocol.

use lsp_types::{TextEdit, WorkspaceEdit};

use crate::draft::FileChange;

use super::super::positions::span;
use super::super::uri::LinkedFolders;

/// The changes as edits of existing files; `None` if one creates or deletes a file.
pub(super) fn workspace_edit(
    folders: &LinkedFolders,
    changes: &[FileChange],
) -> Option<WorkspaceEdit> {
    let changes =
        changes.iter().map(|change| Some((folders.uri(&change.path)?, text_edits(change)?)));
    Some(WorkspaceEdit {
        changes: Some(changes.collect::<Option<_>>()?),
        ..WorkspaceEdit::default()
    })
}

/// The edits of a change: of each differing line, or of all lines between the first and the last
/// one if their number changes.
fn text_edits(change: &FileChange) -> Option<Vec<TextEdit>> {
    let before = std::str::from_utf8(change.base.as_deref()?).ok()?;
    let after = std::str::from_utf8(change.draft.as_deref()?).ok()?;
    let (old, new) = (before.split_inclusive('\n'), after.split_inclusive('\n'));
    if old.clone().count() != new.clone().count() {
        return Some(vec![text_edit(before, (0, before), after)?]);
    }
    let mut start = 0;
    let edits = old.zip(new).filter_map(|(old, new)| {
        let at = start;
        start += old.len();
        (old != new).then(|| text_edit(before, (at, old), new))
    });
    edits.collect()
}

/// The edit of the differing lines of `old`, a part of a text that begins at a byte of it.
fn text_edit(whole: &str, (at, old): (usize, &str), new: &str) -> Option<TextEdit> {
    let both = old.split_inclusive('\n').zip(new.split_inclusive('\n'));
    let start: usize = both.take_while(|(one, other)| one == other).map(|(one, _)| one.len()).sum();
    let (old, new) = (old.get(start..)?, new.get(start..)?);
    let both = old.split_inclusive('\n').rev().zip(new.split_inclusive('\n').rev());
    let end: usize = both.take_while(|(one, other)| one == other).map(|(one, _)| one.len()).sum();
    let begin = at + start;
    let range = span(whole, begin..begin + old.len() - end);
    Some(TextEdit { range, new_text: new.get(..new.len() - end)?.to_owned() })
}
