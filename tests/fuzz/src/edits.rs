//! Laws of edits, undo and redo.

use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use kzui::draft::{Draft, Edit, EntryRef};
use kzui::engine::load::{Files, MemoryFiles};
use kzui::engine::manifest::{ListForm, Outline, OutlineField, ValueChange};
use kzui::engine::yaml::Node;

const FILE: &str = "/k/kustomization.yaml";

/// Edits a kustomization file. The edits follow the first line `=== edits`, four bytes for each:
/// the kind of edit, the field, the entry, and the distance or text.
///
/// - Every edit can be undone and redone.
/// - The inverse edit restores the same bytes.
/// - An edit that adds an entry leaves the other fields unchanged.
/// - Changes of the file on disk are not lost.
pub fn edits(bytes: &[u8]) {
    let mark = b"=== edits\n";
    let found = bytes.windows(mark.len()).position(|window| window == mark);
    let (text, acts) = found
        .map_or((bytes, &b"aaaabaabaabaabba"[..]), |at| (&bytes[..at], &bytes[at + mark.len()..]));
    let disk: Arc<dyn Files> = Arc::new(MemoryFiles::default().file(FILE, text));
    let mut draft = Draft::default();
    let mut texts = vec![text.to_vec()];
    for act in acts.chunks_exact(4).take(12) {
        let before = drafted_bytes(&draft, &disk);
        let outline = Outline::parse(&before);
        let Some(edit) = edit_from_bytes(&outline, act) else { continue };
        if draft.apply(&edit, disk.as_ref()).is_err() {
            assert_eq!(
                drafted_bytes(&draft, &disk),
                before,
                "{edit:?} was refused, and did something"
            );
            continue;
        }
        let after = drafted_bytes(&draft, &disk);
        assert_inverse(&edit, &before, &after, &outline);
        if after != before {
            assert_eq!(texts.last(), Some(&before));
            texts.push(after);
        }
        values(&before, &outline, act);
    }
    let ends = texts.len() - 1;
    for text in texts.iter().rev().skip(1) {
        assert!(draft.undo().is_some());
        assert_eq!(&drafted_bytes(&draft, &disk), text, "undone");
    }
    assert!(draft.undo().is_none() && draft.changes().is_empty());
    for text in &texts[1..] {
        assert!(draft.redo().is_some());
        assert_eq!(&drafted_bytes(&draft, &disk), text, "done again");
    }
    assert_eq!(texts.len() - 1, ends);
    assert_disk_changes_are_kept(&mut draft, text);
}

/// The content of the file in the draft.
fn drafted_bytes(draft: &Draft, disk: &Arc<dyn Files>) -> Vec<u8> {
    draft.files(disk.clone()).read(Path::new(FILE)).expect("the file is there").to_vec()
}

/// The edit of an entry that four bytes of the input select.
fn edit_from_bytes(outline: &Outline, act: &[u8]) -> Option<Edit> {
    let file = PathBuf::from(FILE);
    let field = outline.fields.get(usize::from(act[1]) % outline.fields.len().max(1));
    let name = field.map(|field| field.name.clone());
    let entries = field.map_or(0, |field| field.entries.len());
    let index = usize::from(act[2]) % entries.max(1);
    let entry = |field| EntryRef { file: file.clone(), field, index };
    let by = isize::from(act[3]) % 7 - 3;
    let new = ["../c", "path: a\nb: 1", "- x", "'a # b'", "# c", "a: |\n  x\n  y", "", "\u{e9}"];
    let text = new[usize::from(act[3]) % new.len()].to_owned();
    Some(match act[0] % 5 {
        0 => Edit::ToggleEntry(entry(name?)),
        1 => Edit::MoveEntry { entry: entry(name?), by },
        2 => Edit::ToggleField { field: name?, file },
        3 => Edit::AddEntry { file, field: name.unwrap_or_else(|| "components".to_owned()), text },
        _ => Edit::AddEntry { file, field: "components".to_owned(), text },
    })
}

/// The inverse of an edit, which may be the same edit, restores the bytes from before.
fn assert_inverse(edit: &Edit, before: &[u8], after: &[u8], outline: &Outline) {
    let made = Outline::parse(after);
    assert!(made.problem.is_none(), "{edit:?} left {:?}", String::from_utf8_lossy(after));
    let back = match edit {
        Edit::ToggleEntry(entry) => {
            let field = outline.field(&entry.field).expect("it was edited");
            let now = made.field(&entry.field).and_then(|now| now.entries.get(entry.index));
            let was = &field.entries[entry.index];
            let kept = now.is_some_and(|now| now.text == was.text && now.disabled != was.disabled);
            let in_lines = matches!(field.form, ListForm::Block(_));
            (!was.disabled && kept && in_lines).then(|| edit.clone())
        }
        Edit::MoveEntry { entry, by } => {
            let index = entry.index.checked_add_signed(*by).expect("it was moved");
            let entry = EntryRef { index, ..entry.clone() };
            Some(Edit::MoveEntry { entry, by: -by })
        }
        Edit::ToggleField { field, .. } => {
            let was = outline.field(field).expect("it was edited");
            let now = made.field(field);
            (!was.disabled && now.is_some_and(|now| now.disabled)).then(|| edit.clone())
        }
        Edit::AddEntry { field, .. } => {
            assert_other_fields_unchanged(field, before, after, outline, &made);
            None
        }
        Edit::SetText { .. } => None,
    };
    if let Some(back) = back {
        let text = back.apply_to(after);
        let shown = String::from_utf8_lossy(after);
        assert_eq!(text.as_deref(), Ok(before), "{edit:?}, then {back:?} on {shown:?}");
    }
}

/// The fields that an edit does not name still exist, with the same bytes. If the document had no
/// other field, a comment may be recognised as a switched-off field only after the edit.
fn assert_other_fields_unchanged(
    named: &str,
    before: &[u8],
    after: &[u8],
    old: &Outline,
    new: &Outline,
) {
    let was_empty = old.fields.iter().all(|field| field.name == named);
    let texts = |outline: &Outline, text: &[u8]| -> Vec<Vec<u8>> {
        let is_other =
            |field: &&OutlineField| field.name != named && !(was_empty && field.disabled);
        let others = outline.fields.iter().filter(is_other);
        let slice = |bytes: &Range<usize>| text[bytes.clone()].trim_ascii_end().to_vec();
        others.map(|field| slice(&field.bytes)).collect()
    };
    let (old, new) = (texts(old, before), texts(new, after));
    let shown = String::from_utf8_lossy(after);
    assert_eq!(old, new, "{named} was added to: {shown:?}");
}

/// A value is set or refused. The resulting text can be parsed.
fn values(text: &[u8], outline: &Outline, act: &[u8]) {
    let Some(field) = outline.fields.get(usize::from(act[1]) % outline.fields.len().max(1)) else {
        return;
    };
    let words = ["name", "spec", "a", "patch", "image"];
    let path: Vec<String> = (0..=usize::from(act[3] % 3))
        .map(|deep| words[(usize::from(act[2]) + deep) % words.len()].to_owned())
        .collect();
    let texts = ["b", "1", "x: y", "", " #", "a\nb\n", "\u{85}", "'"];
    let value = Node::string(texts[usize::from(act[0]) % texts.len()]);
    for value in [Some(value), None] {
        let change = ValueChange { path: path.clone(), value };
        let set = Outline::set_values(text, &field.name, usize::from(act[2] % 4), &[change]);
        if let Ok(set) = set {
            assert!(Outline::parse(&set).problem.is_none(), "{:?}", String::from_utf8_lossy(&set));
        }
    }
}

/// If another program changes the file on disk, its change is not lost without a conflict, and the
/// user can keep the draft or discard it.
fn assert_disk_changes_are_kept(draft: &mut Draft, text: &[u8]) {
    let path = Path::new(FILE);
    let theirs: Arc<[u8]> = [b"# theirs\n", text].concat().into();
    let disk: Arc<dyn Files> = Arc::new(MemoryFiles::default().file(FILE, &theirs));
    let _ = draft.disk_changed(path, Some(theirs.clone()));
    for change in draft.changes() {
        if draft.conflicting_disk_text(&change.path).is_none() {
            assert_eq!(change.base.as_deref(), Some(&*theirs), "the draft is based on the disk");
        }
    }
    let _ = draft.disk_changed(path, None);
    let _ = draft.disk_changed(path, Some(theirs.clone()));
    let mut kept = draft.clone();
    kept.keep_draft(path);
    draft.discard_file(path);
    assert_eq!(drafted_bytes(draft, &disk), &*theirs, "what is thrown away is gone");
}
