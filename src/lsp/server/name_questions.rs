//! Requests about the name of a resource, which builds answer: renames and declarations.

use std::path::Path;
use std::sync::Arc;

use lsp_server::{ErrorCode, Request, RequestId};
use serde_json::Value;

use crate::engine::evaluate::STACK;

use super::super::features;
use super::super::positions::byte_at;
use super::super::renamer::{AskedName, NameQuestion, RenameCancel};
use super::{Server, parsed};

/// Limit of questions that are being answered; further ones are refused.
const MAX_RENAMES: usize = 4;

impl Server<'_> {
    /// Orders the plan of a rename, or the trial whether a name can be changed. A word that is not
    /// the name of a resource is refused at once.
    pub(super) fn order_rename(&mut self, request: &Request, path: &Path) {
        let wanted = request.params.get("newName").and_then(Value::as_str).map(str::to_owned);
        if let Err((code, words)) = self.order(request, path, features::rename_question(wanted)) {
            self.refuse(request.id.clone(), code, &words);
        }
    }

    /// Orders the answer to a question about the name at the position of a request; the error is
    /// the reason why there is none.
    pub(super) fn order(
        &mut self,
        request: &Request,
        path: &Path,
        question: NameQuestion,
    ) -> Result<(), (ErrorCode, String)> {
        let failed = |reason: &str| (ErrorCode::RequestFailed, reason.to_owned());
        let position = request.params.get("position").cloned().and_then(parsed);
        let document = self.documents.at_path(path).map(|(_, document)| document);
        let (document, position) = document.zip(position).ok_or_else(|| {
            let words = "a rename needs an open document and a position";
            (ErrorCode::InvalidParams, words.to_owned())
        })?;
        let checked = self.last_check_around(path).filter(|_| self.is_checked(path));
        let checked = checked.ok_or_else(|| failed("the document is being checked"))?.clone();
        let byte = byte_at(&document.text, position);
        features::name_of_resource(&document.text, byte, &checked).map_err(|it| failed(&it))?;
        if self.renaming.len() >= MAX_RENAMES {
            return Err(failed("other renames are not finished"));
        }
        let cancel = Arc::new(RenameCancel::new(self.revisions.clone()));
        let (file, folders) = (path.to_owned(), self.folders.clone());
        let name = AskedName { checked, file, byte, folders, cancel: cancel.clone() };
        let (id, answers) = (request.id.clone(), self.answers.clone());
        let thread = std::thread::Builder::new().name("rename".to_owned()).stack_size(STACK);
        // The server may have ended meanwhile.
        let work = move || drop(answers.send((id, question(&name))));
        thread.spawn(work).map_err(|error| failed(&error.to_string()))?;
        self.renaming.push((request.id.clone(), cancel));
        Ok(())
    }

    pub(super) fn answer_name_question(&mut self, id: &RequestId, answer: Result<Value, String>) {
        let Some(at) = self.renaming.iter().position(|(own, _)| own == id) else { return };
        let (id, cancel) = self.renaming.remove(at);
        match answer {
            _ if cancel.is_outdated() => {
                let words = "the document was changed meanwhile";
                self.refuse(id, ErrorCode::ContentModified, words);
            }
            Ok(answer) => self.respond(id, Ok(answer)),
            Err(reason) => self.refuse(id, ErrorCode::RequestFailed, &reason),
        }
    }
}
