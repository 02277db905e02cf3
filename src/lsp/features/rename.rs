//! Rename of a resource: the edits of all files with its name, planned and verified by the thread
//! that builds.

use lsp_types::PrepareRenameResponse;
use serde_json::Value;

use crate::answers::name_at;

use super::super::checked::CheckedRepository;
use super::super::positions;
use super::super::renamer::{AskedName, NameQuestion};
use super::edits::workspace_edit;

/// Checks that the word at a byte of a text is the name of a resource in a checked build.
pub(crate) fn name_of_resource(
    text: &str,
    byte: usize,
    checked: &CheckedRepository,
) -> Result<(), String> {
    let span = name_at(text, byte).ok_or("no name of a resource here")?;
    let word = text.get(span).unwrap_or_default();
    if checked.check.names.contains(word) {
        Ok(())
    } else {
        Err(format!("{word} is not the name of a resource here"))
    }
}

/// The question for the edits of a rename; without a new name, for the present name and its range.
pub(crate) fn rename_question(wanted: Option<String>) -> NameQuestion {
    Box::new(move |asked| plan(wanted.as_deref(), asked))
}

fn plan(wanted: Option<&str>, asked: &AskedName) -> Result<Value, String> {
    let AskedName { checked, file, byte, folders, cancel } = asked;
    let changes = checked.check.plan_rename(asked.place(), wanted, cancel.clone())?;
    let answer = if wanted.is_some() {
        let edit = workspace_edit(folders, &changes);
        serde_json::to_value(edit.ok_or("a changed file has no address in the editor")?)
    } else {
        let text = checked.texts.get(file).map(|text| String::from_utf8_lossy(text));
        let text = text.unwrap_or_default();
        let name = name_at(&text, *byte).ok_or("no name of a resource here")?;
        let placeholder = text.get(name.clone()).unwrap_or_default().to_owned();
        let range = positions::span(&text, name);
        serde_json::to_value(PrepareRenameResponse::RangeWithPlaceholder { range, placeholder })
    };
    answer.map_err(|error| error.to_string())
}
