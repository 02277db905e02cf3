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
use lsp_types::{
    CodeActionKind, CodeActionOptions, CodeActionProviderCapability, CodeLensOptions,
    CompletionOptions, HoverProviderCapability, OneOf, PositionEncodingKind, RenameOptions,
    ServerCapabilities, TextDocumentSyncCapability, TextDocumentSyncKind, TextDocumentSyncOptions,
    TextDocumentSyncSaveOptions, WorkDoneProgressOptions,
};
use serde::Deserialize;
use serde_json::{Value, json};

pub(crate) use definition::{declaration_answer, is_entry_line};
pub(crate) use diagnostics::diagnostics;
pub(crate) use document_view::DocumentView;
pub(crate) use hover::hover_without_check;
pub(crate) use rename::{name_of_resource, rename_answer};

use super::positions::Encoding;

/// The capabilities of the server, for the answer to `initialize`.
pub(crate) fn capabilities(encoding: Encoding, prepares_renames: bool) -> Value {
    let options = RenameOptions {
        prepare_provider: Some(true),
        work_done_progress_options: WorkDoneProgressOptions::default(),
    };
    let capabilities = ServerCapabilities {
        position_encoding: Some(match encoding {
            Encoding::Utf8 => PositionEncodingKind::UTF8,
            Encoding::Utf16 => PositionEncodingKind::UTF16,
        }),
        text_document_sync: Some(TextDocumentSyncCapability::Options(TextDocumentSyncOptions {
            open_close: Some(true),
            change: Some(TextDocumentSyncKind::FULL),
            save: Some(TextDocumentSyncSaveOptions::Supported(true)),
            ..TextDocumentSyncOptions::default()
        })),
        hover_provider: Some(HoverProviderCapability::Simple(true)),
        definition_provider: Some(OneOf::Left(true)),
        references_provider: Some(OneOf::Left(true)),
        code_lens_provider: Some(CodeLensOptions { resolve_provider: Some(false) }),
        completion_provider: Some(CompletionOptions {
            trigger_characters: Some(["/", " ", "-"].map(str::to_owned).to_vec()),
            ..CompletionOptions::default()
        }),
        code_action_provider: Some(CodeActionProviderCapability::Options(CodeActionOptions {
            code_action_kinds: Some(vec![CodeActionKind::QUICKFIX]),
            ..CodeActionOptions::default()
        })),
        inlay_hint_provider: Some(OneOf::Left(true)),
        rename_provider: Some(if prepares_renames {
            OneOf::Right(options)
        } else {
            OneOf::Left(true)
        }),
        ..ServerCapabilities::default()
    };
    let server = json!({"name": "kzui", "version": env!("CARGO_PKG_VERSION")});
    json!({"capabilities": capabilities, "serverInfo": server})
}

/// The check of the parameters of a request; its error is the message for the client.
type ParamsCheck = fn(&Value) -> Result<(), String>;

/// The check of the parameters of a request about a document; `None` for an unknown method.
pub(crate) fn params_check(method: &str) -> Option<ParamsCheck> {
    Some(match method {
        request::HoverRequest::METHOD => check_params::<request::HoverRequest>,
        request::GotoDefinition::METHOD => check_params::<request::GotoDefinition>,
        request::References::METHOD => check_params::<request::References>,
        request::CodeLensRequest::METHOD => check_params::<request::CodeLensRequest>,
        request::Completion::METHOD => check_params::<request::Completion>,
        request::CodeActionRequest::METHOD => check_params::<request::CodeActionRequest>,
        request::InlayHintRequest::METHOD => check_params::<request::InlayHintRequest>,
        request::PrepareRenameRequest::METHOD => check_params::<request::PrepareRenameRequest>,
        request::Rename::METHOD => check_params::<request::Rename>,
        _ => return None,
    })
}

fn check_params<R: Request>(params: &Value) -> Result<(), String> {
    R::Params::deserialize(params).map(drop).map_err(|error| error.to_string())
}

/// The answer to a request about a document, as JSON.
pub(crate) fn answer(
    method: &str,
    params: Value,
    view: &DocumentView<'_>,
) -> Result<Value, String> {
    match method {
        request::HoverRequest::METHOD => run::<request::HoverRequest>(params, |it| {
            hover::hover(view, it.text_document_position_params.position)
        }),
        request::GotoDefinition::METHOD => run::<request::GotoDefinition>(params, |it| {
            definition::definition(view, it.text_document_position_params.position)
        }),
        request::References::METHOD => run::<request::References>(params, |it| {
            Some(references::references(view, it.text_document_position.position))
        }),
        request::CodeLensRequest::METHOD => {
            run::<request::CodeLensRequest>(params, |_| Some(lens::lenses(view)))
        }
        request::Completion::METHOD => run::<request::Completion>(params, |it| {
            completion::completion(view, it.text_document_position.position)
        }),
        request::CodeActionRequest::METHOD => {
            run::<request::CodeActionRequest>(params, |it| Some(actions::actions(view, it.range)))
        }
        request::InlayHintRequest::METHOD => {
            run::<request::InlayHintRequest>(params, |it| Some(inlay::hints(view, it.range)))
        }
        _ => Err(format!("unknown method {method}")),
    }
}

fn run<R: Request>(
    params: Value,
    answer: impl FnOnce(R::Params) -> R::Result,
) -> Result<Value, String> {
    let params = serde_json::from_value(params).map_err(|error| error.to_string())?;
    serde_json::to_value(answer(params)).map_err(|error| error.to_string())
}
