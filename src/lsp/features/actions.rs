//! Code actions: the fixes of findings, each verified in every target that it affects.

use lsp_types::{
    CodeAction, CodeActionKind, CodeActionOrCommand, CodeActionResponse, Range as Span,
};

use crate::display::sanitize;

use super::diagnostics::diagnostic;
use super::document_view::DocumentView;
use super::edits::workspace_edit;

pub(super) fn actions(view: &DocumentView<'_>, range: Span) -> CodeActionResponse {
    // A fix is an edit of the checked text.
    let is_current =
        view.checked.texts.get(view.path).is_some_and(|it| **it == *view.text.as_bytes());
    if !is_current {
        return Vec::new();
    }
    let found = view.checked.fixes.iter().filter_map(|tried| {
        let (found, (words, changes)) = (&tried.finding, tried.fix.as_ref()?);
        if view.checked.finding_file(found) != Some(view.path) {
            return None;
        }
        let diagnostic = diagnostic(found, view.checked);
        let touches = diagnostic.range.start.line <= range.end.line
            && range.start.line <= diagnostic.range.end.line;
        let edit = touches.then(|| workspace_edit(view.folders, changes))??;
        Some(CodeActionOrCommand::CodeAction(CodeAction {
            title: sanitize(words).into_owned(),
            kind: Some(CodeActionKind::QUICKFIX),
            diagnostics: Some(vec![diagnostic]),
            edit: Some(edit),
            is_preferred: Some(true),
            ..CodeAction::default()
        }))
    });
    found.collect()
}
