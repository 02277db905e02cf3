//! The file format of a kept draft.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde::{Deserialize, Serialize};

use crate::draft::{EditRecord, FileChange, Intent, StoredDraft};

use crate::host::store::private_files::text_of;

/// The version of the format.
const VERSION: u32 = 2;

#[derive(Deserialize, Serialize)]
struct Document {
    version: u32,
    root: String,
    at: String,
    name: Option<String>,
    /// Each text once, as base64: the end of one edit is often the beginning of the next.
    texts: Vec<String>,
    files: Vec<FileEntry>,
    done: Vec<EditEntry>,
    undone: Vec<EditEntry>,
    left_out: Vec<EditEntry>,
}

/// The edited file of a stored draft, with the numbers of its text on disk and in the draft.
#[derive(Deserialize, Serialize)]
struct FileEntry {
    path: String,
    base: Option<usize>,
    draft: Option<usize>,
}

/// An edit of a stored draft, with the numbers of the text before and after it, and its intent as JSON.
#[derive(Deserialize, Serialize)]
struct EditEntry {
    file: String,
    words: String,
    before: Option<usize>,
    after: Option<usize>,
    act: u64,
    intent: String,
}

/// The texts written so far, with their indices.
#[derive(Default)]
struct DraftTexts<'d> {
    list: Vec<String>,
    numbers: BTreeMap<&'d [u8], usize>,
}

impl<'d> DraftTexts<'d> {
    fn add(&mut self, text: Option<&'d Arc<[u8]>>) -> Option<usize> {
        let bytes: &[u8] = text?;
        Some(*self.numbers.entry(bytes).or_insert_with(|| {
            self.list.push(STANDARD.encode(bytes));
            self.list.len() - 1
        }))
    }

    fn edit(&mut self, edit: &'d EditRecord) -> EditEntry {
        EditEntry {
            file: text_of(&edit.file),
            words: edit.words.clone(),
            before: self.add(edit.before.as_ref()),
            after: self.add(edit.after.as_ref()),
            act: edit.act,
            intent: serde_json::to_string(&edit.intent).unwrap_or_default(),
        }
    }
}

/// Formats a draft as the bytes of its file; `root` is that of the repository.
pub(super) fn printed(
    draft: &StoredDraft,
    root: &Path,
    at: String,
) -> Result<Vec<u8>, serde_json::Error> {
    let mut texts = DraftTexts::default();
    let mut files = Vec::new();
    for file in &draft.files {
        let (base, drafted) = (texts.add(file.base.as_ref()), texts.add(file.draft.as_ref()));
        files.push(FileEntry { path: text_of(&file.path), base, draft: drafted });
    }
    let done = draft.done.iter().map(|edit| texts.edit(edit)).collect();
    let undone = draft.undone.iter().map(|edit| texts.edit(edit)).collect();
    let left_out = draft.left_out.iter().map(|edit| texts.edit(edit)).collect();
    let (root, name, texts) = (text_of(root), draft.name.clone(), texts.list);
    let version = VERSION;
    serde_json::to_vec(&Document { version, root, at, name, texts, files, done, undone, left_out })
}

/// Reads a draft from the bytes of a file, with the time at which it was kept; `None` for a draft
/// of another repository or another format.
pub(super) fn parsed(bytes: &[u8], root: &Path) -> Option<(StoredDraft, String)> {
    let document: Document = serde_json::from_slice(bytes).ok()?;
    if document.version != VERSION || Path::new(&document.root) != root {
        return None;
    }
    let texts = document.texts.iter().map(|text| Some(STANDARD.decode(text).ok()?.into()));
    let texts: Vec<Arc<[u8]>> = texts.collect::<Option<_>>()?;
    let text = |number: Option<usize>| match number {
        None => Some(None),
        Some(number) => texts.get(number).cloned().map(Some),
    };
    let file = |file: FileEntry| {
        let path = file.path.into();
        Some(FileChange { path, base: text(file.base)?, draft: text(file.draft)? })
    };
    let edit = |edit: EditEntry| {
        let EditEntry { file, words, before, after, act, intent } = edit;
        let (before, after) = (text(before)?, text(after)?);
        let intent = serde_json::from_str(&intent).unwrap_or(Intent::Text);
        let file = file.into();
        Some(EditRecord { file, intent, words, before, after, act, written: false })
    };
    let edits = |edits: Vec<EditEntry>| edits.into_iter().map(edit).collect::<Option<Vec<_>>>();
    let draft = StoredDraft {
        name: document.name,
        files: document.files.into_iter().map(file).collect::<Option<_>>()?,
        done: edits(document.done)?,
        undone: edits(document.undone)?,
        left_out: edits(document.left_out)?,
    };
    Some((draft, document.at))
}

#[cfg(test)]
mod tests {
    use crate::host::store::drafts::file_format::*;

    #[test]
    fn repeated_text_is_stored_once() {
        let text = |text: &str| Some(Arc::from(text.as_bytes()));
        let file =
            FileChange { path: "/tree/a".into(), base: text("before"), draft: text("after") };
        let edit = EditRecord {
            file: file.path.clone(),
            words: "edit a".to_owned(),
            before: text("before"),
            after: text("after"),
            act: 3,
            intent: Intent::Text,
            written: false,
        };
        let (done, undone) = (vec![edit.clone()], vec![edit]);
        let (name, files, left_out) = (Some("small".to_owned()), vec![file], undone.clone());
        let draft = StoredDraft { name, files, done, undone, left_out };
        let bytes = printed(&draft, Path::new("/tree"), "now".to_owned()).unwrap();
        let shown = String::from_utf8(bytes.clone()).unwrap();
        assert_eq!(shown.matches("YWZ0ZXI=").count(), 1, "{shown}");
        assert_eq!(parsed(&bytes, Path::new("/tree")), Some((draft, "now".to_owned())));
        let torn = shown.replace("\"after\":1", "\"after\":9");
        assert!(parsed(torn.as_bytes(), Path::new("/tree")).is_none(), "a text is missing");
        assert!(parsed(&bytes, Path::new("/other")).is_none());
        let newer = shown.replace("\"version\":2", "\"version\":3");
        assert!(parsed(newer.as_bytes(), Path::new("/tree")).is_none());
    }
}
