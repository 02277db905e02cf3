//! Completion: fields of a kustomization file, paths, components, and names and kinds of resources.

use lsp_types::{CompletionResponse, Position};

use super::document_view::DocumentView;

pub(super) fn completion(
    _view: &DocumentView<'_>,
    _position: Position,
) -> Option<CompletionResponse> {
    None
}
