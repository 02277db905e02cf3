//! Code actions: the fixes of findings, each verified in every target that it affects.

use lsp_types::{
    CodeAction, CodeActionKind, CodeActionOrCommand, CodeActionResponse, Range as Span, TextEdit,
    WorkspaceEdit,
};

use crate::display::sanitize;
use crate::draft::FileChange;

use super::super::checked::VerifiedFix;
use super::diagnostics::diagnostic;
use super::document_view::DocumentView;

pub(super) fn actions(view: &DocumentView<'_>, range: Span) -> CodeActionResponse {
    // A fix is an edit of the checked text.
    let is_current =
        view.checked.texts.get(view.path).is_some_and(|it| **it == *view.text.as_bytes());
    if !is_current {
        return Vec::new();
    }
    let found = view.checked.findings_in(view.path).filter_map(|(index, found)| {
        let fix = view.checked.fixes.iter().find(|fix| fix.finding == index)?;
        let diagnostic = diagnostic(found, view.checked, view.encoding);
        let touches = diagnostic.range.start.line <= range.end.line
            && range.start.line <= diagnostic.range.end.line;
        let edit = touches.then(|| workspace_edit(view, fix))??;
        Some(CodeActionOrCommand::CodeAction(CodeAction {
            title: sanitize(&fix.words).into_owned(),
            kind: Some(CodeActionKind::QUICKFIX),
            diagnostics: Some(vec![diagnostic]),
            edit: Some(edit),
            is_preferred: Some(true),
            ..CodeAction::default()
        }))
    });
    found.collect()
}

/// The changes of a fix as edits of existing files; `None` if it creates or deletes a file.
fn workspace_edit(view: &DocumentView<'_>, fix: &VerifiedFix) -> Option<WorkspaceEdit> {
    let changes = fix
        .changes
        .iter()
        .map(|change| Some((view.folders.uri(&change.path)?, vec![text_edit(view, change)?])));
    Some(WorkspaceEdit {
        changes: Some(changes.collect::<Option<_>>()?),
        ..WorkspaceEdit::default()
    })
}

/// The edit that replaces the differing lines of a change.
fn text_edit(view: &DocumentView<'_>, change: &FileChange) -> Option<TextEdit> {
    let before = std::str::from_utf8(change.base.as_deref()?).ok()?;
    let after = std::str::from_utf8(change.draft.as_deref()?).ok()?;
    let both = before.split_inclusive('\n').zip(after.split_inclusive('\n'));
    let start: usize = both.take_while(|(one, other)| one == other).map(|(one, _)| one.len()).sum();
    let (old, new) = (before.get(start..)?, after.get(start..)?);
    let both = old.split_inclusive('\n').rev().zip(new.split_inclusive('\n').rev());
    let end: usize = both.take_while(|(one, other)| one == other).map(|(one, _)| one.len()).sum();
    let range = view.encoding.span(before, start..before.len() - end);
    Some(TextEdit { range, new_text: new.get(..new.len() - end)?.to_owned() })
}
