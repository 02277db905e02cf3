//! The answers to requests, one file for each feature. Each is a view of an answer that the check
//! has computed.

mod actions;
mod completion;
mod cursor;
mod definition;
mod diagnostics;
mod document_view;
mod edits;
mod hover;
mod inlay;
mod lens;
mod references;
mod rename;
mod type_fields;
mod words;

use lsp_types::request::{self, Request};
use lsp_types::{CodeActionKind, TextDocumentSyncKind};
use serde::Deserialize;
use serde_json::{Value, json};

pub(crate) use definition::{declaration_question, is_entry_line};
pub(crate) use diagnostics::diagnostics;
pub(crate) use document_view::DocumentView;
pub(crate) use hover::hover_without_check;
pub(crate) use rename::{name_of_resource, rename_question};

pub(crate) fn capabilities(prepares_renames: bool) -> Value {
    let renames = if prepares_renames { json!({"prepareProvider": true}) } else { json!(true) };
    let capabilities = json!({
        "positionEncoding": "utf-16",
        "textDocumentSync": {"openClose": true, "change": TextDocumentSyncKind::FULL, "save": true},
        "hoverProvider": true,
        "definitionProvider": true,
        "referencesProvider": true,
        "codeLensProvider": {"resolveProvider": false},
        "completionProvider": {"triggerCharacters": ["/", " ", "-"]},
        "codeActionProvider": {"codeActionKinds": [CodeActionKind::QUICKFIX]},
        "inlayHintProvider": true,
        "renameProvider": renames,
    });
    let server = json!({"name": "kzui", "version": env!("CARGO_PKG_VERSION")});
    json!({"capabilities": capabilities, "serverInfo": server})
}

/// The answer to a request about a document, as JSON; null without a view of it, for which only the
/// parameters are checked. `None` for an unknown method.
///
/// # Errors
/// The parameters are not valid; the error is the message for the client.
pub(crate) fn answer(
    method: &str,
    params: &Value,
    view: Option<&DocumentView<'_>>,
) -> Option<Result<Value, String>> {
    Some(match method {
        request::HoverRequest::METHOD => run::<request::HoverRequest>(params, view, |it, view| {
            hover::hover(view, it.text_document_position_params.position)
        }),
        request::GotoDefinition::METHOD => {
            run::<request::GotoDefinition>(params, view, |it, view| {
                definition::definition(view, it.text_document_position_params.position)
            })
        }
        request::References::METHOD => run::<request::References>(params, view, |it, view| {
            Some(references::references(view, it.text_document_position.position))
        }),
        request::CodeLensRequest::METHOD => {
            run::<request::CodeLensRequest>(params, view, |_, view| Some(lens::lenses(view)))
        }
        request::Completion::METHOD => run::<request::Completion>(params, view, |it, view| {
            completion::completion(view, it.text_document_position.position)
        }),
        request::CodeActionRequest::METHOD => {
            run::<request::CodeActionRequest>(params, view, |it, view| {
                Some(actions::actions(view, it.range))
            })
        }
        request::InlayHintRequest::METHOD => {
            run::<request::InlayHintRequest>(params, view, |it, view| {
                Some(inlay::hints(view, it.range))
            })
        }
        // The worker answers questions about names.
        request::PrepareRenameRequest::METHOD => {
            run::<request::PrepareRenameRequest>(params, None, |_, _| None)
        }
        request::Rename::METHOD => run::<request::Rename>(params, None, |_, _| None),
        _ => return None,
    })
}

fn run<R: Request>(
    params: &Value,
    view: Option<&DocumentView<'_>>,
    answer: impl FnOnce(R::Params, &DocumentView<'_>) -> R::Result,
) -> Result<Value, String> {
    let params = R::Params::deserialize(params).map_err(|error| error.to_string())?;
    let Some(view) = view else { return Ok(Value::Null) };
    serde_json::to_value(answer(params, view)).map_err(|error| error.to_string())
}
