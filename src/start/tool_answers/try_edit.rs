//! The effect of edits that are not written: the differences in all targets, and the findings that
//! are new or gone.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;

use kzui::display::line;
use kzui::draft::{DraftHolder, DraftedFiles, FileChange, ListedDraft, StoredDraft};
use kzui::engine::load::Files;
use kzui::repository::{KeptFiles, ListedFiles};
use kzui_mcp::{AnswerFormat, EditedFile, edited_text};
use serde::Serialize;
use serde_json::Value;

use super::{CHECK, DIFF, RunningCall};

const NAME: &str = "edit";

/// The document of a trial.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
struct TrialReport {
    schema_version: u32,
    /// The differences in all targets, as a document of `diff-v1.json`.
    diff: Value,
    /// The findings that the edit causes, each as in `check-v1.json`.
    new_findings: Vec<Value>,
    /// The findings that the edit removes, each as in `check-v1.json`.
    gone_findings: Vec<Value>,
}

pub(super) fn try_edits(before: &RunningCall, edits: &[EditedFile]) -> Result<String, String> {
    let changes = changes(before, edits)?;
    let (name, files) = (Some(NAME.to_owned()), changes.clone());
    let draft = StoredDraft { name, files, ..StoredDraft::default() };
    let draft = ListedDraft { draft, at: String::new(), held_by: DraftHolder::NoWorkbench };
    let compared = RunningCall { drafts: vec![draft], ..before.clone() };
    let compared = compared.run(DIFF, &[], &["draft:edit"], ".")?;
    before.stop_if_cancelled()?;
    let old = findings(before, &changes)?;
    before.stop_if_cancelled()?;
    let new = findings(&with_changes(before, &changes), &changes)?;
    let (added, gone) = (without(&new, &old), without(&old, &new));
    if before.format == AnswerFormat::Json {
        let diff = compared.document()?;
        let (new_findings, gone_findings) = (added, gone);
        let report = TrialReport { schema_version: 1, diff, new_findings, gone_findings };
        return serde_json::to_string(&report).map_err(|error| error.to_string());
    }
    let mut text = compared.text()?;
    for (title, findings) in [("new findings", &added), ("gone findings", &gone)] {
        text.push_str(&format!("\n{title}: {}\n", findings.len()));
        for finding in findings {
            let word = |key: &str| finding.get(key).and_then(Value::as_str).unwrap_or_default();
            let (file, number) = (word("file"), finding.get("line").and_then(Value::as_u64));
            let number = number.unwrap_or_default();
            text.push_str(&line!("  {file}:{number} {} {}\n", word("code"), word("message")));
        }
    }
    Ok(text)
}

/// The edits as changes of files. Several edits of one file are applied in their order.
fn changes(call: &RunningCall, edits: &[EditedFile]) -> Result<Vec<FileChange>, String> {
    let mut changes: Vec<FileChange> = Vec::new();
    for edit in edits {
        let path = call.tools.root.join(&edit.path);
        let at = changes.iter().position(|change| change.path == path);
        let at = at.unwrap_or_else(|| {
            let base = call.files.read(&path).ok();
            changes.push(FileChange { path, base: base.clone(), draft: base });
            changes.len() - 1
        });
        let Some(change) = changes.get_mut(at) else { continue };
        let text = change.draft.as_deref().map(std::str::from_utf8).transpose();
        let text = text.map_err(|_| format!("{}: no UTF-8 text", edit.path))?;
        let edited = edited_text(text, &edit.text);
        let edited = edited.map_err(|refusal| format!("{}: {refusal}", edit.path))?;
        change.draft = edited.map(|text| Arc::from(text.as_bytes()));
    }
    Ok(changes)
}

fn with_changes(call: &RunningCall, changes: &[FileChange]) -> RunningCall {
    let drafts = changes.iter().map(|change| (change.path.clone(), change.draft.clone()));
    let drafted = DraftedFiles::new(drafts, call.files.clone());
    let files: Arc<dyn Files> = Arc::new(KeptFiles::new(Arc::new(drafted)));
    let mut listed = call.listing.files_below(&call.tools.root).unwrap_or_default();
    for change in changes {
        match (listed.binary_search(&change.path), &change.draft) {
            (Ok(at), None) => drop(listed.remove(at)),
            (Err(at), Some(_)) => listed.insert(at, change.path.clone()),
            _ => {}
        }
    }
    RunningCall { files, listing: Arc::new(ListedFiles(listed)), ..call.clone() }
}

/// The findings of the targets that changes of files may affect; those of other targets stay.
fn findings(call: &RunningCall, changes: &[FileChange]) -> Result<Vec<Value>, String> {
    let affected = affected_targets(call, changes);
    if affected.is_empty() {
        return Ok(Vec::new());
    }
    let mut document = call.as_json().run(CHECK, &[], &affected, ".")?.document()?;
    match document.get_mut("findings").map(Value::take) {
        Some(Value::Array(findings)) => Ok(findings),
        _ => Err("no findings".to_owned()),
    }
}

/// The names of the targets, relative to the root; the root itself if it cannot be listed.
fn affected_targets(call: &RunningCall, changes: &[FileChange]) -> Vec<String> {
    let read = call.indexes.repository(&call.tools.root, &*call.listing, &call.files);
    let Ok(repository) = read else { return vec![".".to_owned()] };
    let names = repository.all_target_names();
    let changed: Vec<PathBuf> = changes.iter().map(|change| change.path.clone()).collect();
    let affected = repository.affected_targets(&names, &changed);
    affected.iter().map(|target| repository.shown(target)).collect()
}

/// The findings that the other list lacks, by fingerprint. A repeated fingerprint counts as often
/// as it occurs.
fn without(findings: &[Value], other: &[Value]) -> Vec<Value> {
    let key = |finding: &Value| {
        finding.get("fingerprint").and_then(Value::as_str).unwrap_or_default().to_owned()
    };
    let mut left: BTreeMap<String, usize> = BTreeMap::new();
    for finding in other {
        *left.entry(key(finding)).or_default() += 1;
    }
    let is_new = |finding: &&Value| match left.get_mut(&key(finding)) {
        Some(count) if *count > 0 => {
            *count -= 1;
            false
        }
        _ => true,
    };
    findings.iter().filter(is_new).cloned().collect()
}

#[test]
fn trial_schema_equals_the_document() {
    crate::document_schema::assert_schema::<TrialReport>("trial", 1);
}
