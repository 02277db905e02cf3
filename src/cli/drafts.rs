//! `kzui drafts`: the stored drafts of a target.

use clap::Args;
use serde::Serialize;

use super::{CliPorts, Exit};
use crate::cli::failure::{CommandResult, Failure};
use crate::draft::{DraftHolder, ListedDraft};
use crate::engine::load::relative_path;

#[derive(Clone, Debug, Args)]
#[command(
    after_help = "Examples:\n  kzui drafts overlays/production\n\nExit status: 0 on success, 1 if the directory does not exist."
)]
pub struct Drafts {
    /// The target
    #[arg(value_name = "DIR", default_value = ".")]
    pub dir: String,
    /// Print JSON
    #[arg(long)]
    pub json: bool,
}

/// The document of `kzui drafts --json`.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
struct DraftsReport {
    schema_version: u32,
    /// The target as it was given. All paths below are relative to its directory: for a deployment
    /// object, the directory that it deploys.
    target: String,
    /// The stored drafts of the target: named ones first, by name.
    drafts: Vec<DraftEntry>,
}

/// A stored draft.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
struct DraftEntry {
    /// The name, for `kzui diff draft:NAME`; null for the unnamed draft.
    name: Option<String>,
    /// The files that the draft changes.
    files: Vec<String>,
    /// The edits in words, first one first.
    edits: Vec<String>,
    /// True if the draft is open in a workbench.
    is_open: bool,
}

/// Prints the drafts. Creates, changes and locks no files.
pub(super) fn run(arguments: &Drafts, outside: &mut CliPorts<'_>) -> CommandResult {
    let target = super::place::displayed_target_name(&arguments.dir, outside);
    let (_, Ok((root, _))) = super::targets::object_and_folder(&arguments.dir, outside) else {
        return Err(Failure::failed(format!("no directory {target}")));
    };
    let drafts = (outside.repository.drafts)(&root);
    let entry = |listed: &ListedDraft| DraftEntry {
        name: listed.draft.name.clone(),
        files: listed.draft.files.iter().map(|file| relative_path(&root, &file.path)).collect(),
        edits: listed.draft.done.iter().map(|edit| edit.words.clone()).collect(),
        is_open: listed.held_by != DraftHolder::NoWorkbench,
    };
    if arguments.json {
        let drafts = drafts.iter().map(entry).collect();
        outside.out.json(&DraftsReport { schema_version: 1, target, drafts })?;
        return Ok(Exit::OK);
    }
    if drafts.is_empty() {
        writeln!(outside.out, "no drafts for {target}")?;
    }
    for listed in &drafts {
        let DraftEntry { name, files, edits, is_open } = entry(listed);
        let name = name.as_deref().unwrap_or("(no name)");
        let open = if is_open { ", open in a workbench" } else { "" };
        let change = match edits.len() {
            _ if files.is_empty() => "no change".to_owned(),
            1 => format!("1 edit of {}", files.join(", ")),
            count => format!("{count} edits of {}", files.join(", ")),
        };
        writeln!(outside.out, "{name}   {change}, saved at {}{open}", listed.at)?;
        for edit in edits {
            writeln!(outside.out, "    {edit}")?;
        }
    }
    Ok(Exit::OK)
}

#[test]
fn drafts_schema_equals_the_document() {
    crate::document_schema::assert_schema::<DraftsReport>("drafts", 1);
}
