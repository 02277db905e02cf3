//! Requests about the name of a resource, which builds answer: renames and declarations.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use lsp_server::{ErrorCode, Request, RequestId};
use serde_json::Value;

use super::super::checked::CheckedRepository;
use super::super::features;
use super::super::renamer::{NameAnswer, NameOrder, NameQuestion, RenameCancel};
use super::{Server, parsed};

/// Limit of questions that are being answered or wait for it; further ones are refused.
const MAX_RENAMES: usize = 32;

impl Server<'_> {
    /// Orders the plan of a rename, or the trial whether a name can be changed. A word that is not
    /// the name of a resource is refused at once.
    pub(super) fn order_rename(&mut self, request: &Request, path: &Path) {
        let id = request.id.clone();
        let pointer = |path: &str| request.params.pointer(path);
        let position = pointer("/position").cloned().and_then(parsed::<lsp_types::Position>);
        let document = self.documents.at_path(path).map(|(_, document)| document);
        let (Some(document), Some(position)) = (document, position) else {
            let words = "a rename needs an open document and a position";
            return self.refuse(id, ErrorCode::InvalidParams, words);
        };
        let checked = self.last_check_around(path).filter(|_| self.is_checked(path));
        let Some(checked) = checked.cloned() else {
            let words = "the document is being checked";
            return self.refuse(id, ErrorCode::RequestFailed, words);
        };
        let byte = self.encoding.byte(&document.text, position);
        if let Err(reason) = features::name_of_resource(&document.text, byte, &checked) {
            return self.refuse(id, ErrorCode::RequestFailed, &reason);
        }
        if self.renaming.len() >= MAX_RENAMES {
            let words = "other renames are not finished";
            return self.refuse(id, ErrorCode::RequestFailed, words);
        }
        let wanted = pointer("/newName").and_then(Value::as_str).map(str::to_owned);
        let place = (path.to_owned(), byte);
        self.send_name_order(id, checked, place, NameQuestion::Rename(wanted));
    }

    fn send_name_order(
        &mut self,
        id: RequestId,
        checked: Arc<CheckedRepository>,
        place: (PathBuf, usize),
        question: NameQuestion,
    ) {
        let cancel = RenameCancel::new(self.revisions.clone());
        let order = NameOrder { id, checked, place, question, cancel };
        self.renaming.push(order.clone());
        let _ = self.renames.send(order);
    }

    /// Orders the search for the declaration of a resource whose name is at the position of a
    /// request for a definition. `answer` is the answer if the word is not the name of a resource.
    /// False if no word there is the name of a resource.
    pub(super) fn order_declaration(
        &mut self,
        request: &Request,
        path: &Path,
        answer: &Value,
    ) -> bool {
        let position = request.params.pointer("/position").cloned().and_then(parsed);
        let document = self.documents.at_path(path).map(|(_, document)| document);
        let (Some(document), Some(position)) = (document, position) else { return false };
        let Some(checked) = self.last_check_around(path).filter(|_| self.is_checked(path)) else {
            return false;
        };
        let byte = self.encoding.byte(&document.text, position);
        if features::is_entry_line(&self.view(document, checked), position)
            || features::name_of_resource(&document.text, byte, checked).is_err()
            || self.renaming.len() >= MAX_RENAMES
        {
            return false;
        }
        let (checked, place) = (checked.clone(), (path.to_owned(), byte));
        let question = NameQuestion::Declaration(answer.clone());
        self.send_name_order(request.id.clone(), checked, place, question);
        true
    }

    /// Answers a request for a rename with its edits, or with the name and its range; a request for
    /// a definition with the lines that declare a resource.
    pub(super) fn answer_name_question(&mut self, order: &NameOrder, answer: NameAnswer) {
        let Some(at) = self.renaming.iter().position(|own| own.id == order.id) else { return };
        let id = self.renaming.remove(at).id;
        let planned = match answer {
            NameAnswer::Rename(planned) => planned,
            NameAnswer::Declaration(lines) => {
                let found = features::declaration_answer(order, &lines, &self.folders);
                return self.respond(id, Ok(found));
            }
        };
        if order.cancel.is_outdated() {
            let words = "the document was changed meanwhile";
            return self.refuse(id, ErrorCode::ContentModified, words);
        }
        let view = (&self.folders, self.encoding);
        let answer = planned.and_then(|changes| features::rename_answer(order, &changes, view));
        match answer {
            Ok(answer) => self.respond(id, Ok(answer)),
            Err(reason) => self.refuse(id, ErrorCode::RequestFailed, &reason),
        }
    }
}
