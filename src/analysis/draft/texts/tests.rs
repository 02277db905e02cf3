use super::*;
use crate::draft::EntryRef;
use crate::engine::load::MemoryFiles;

const FILE: &str = "/o/kustomization.yaml";
const TEXT: &str = "resources:\n- a\ncomponents:\n- b # keep\n- c\n";

fn disk(text: &str) -> MemoryFiles {
    MemoryFiles::default().file(FILE, text)
}

fn toggle(field: &str, index: usize) -> Edit {
    Edit::ToggleEntry(EntryRef { file: FILE.into(), field: field.into(), index })
}

fn text(draft: &Draft, disk: &MemoryFiles) -> String {
    let files = draft.files(Arc::new(disk.clone()));
    String::from_utf8(files.read(Path::new(FILE)).unwrap().to_vec()).unwrap()
}

fn bytes(text: &str) -> Option<Arc<[u8]>> {
    Some(text.as_bytes().into())
}

#[test]
fn undo_after_a_write_drafts_the_bytes_before_it() {
    let mut draft = Draft::default();
    draft.apply(&toggle("components", 0), &disk(TEXT)).unwrap();
    let written = draft.changes().remove(0).draft;
    draft.mark_written(Path::new(FILE));
    assert_eq!((draft.pending(), draft.changes().len()), (0, 0));
    assert_eq!(draft.disk_changed(Path::new(FILE), written.clone()), DiskChange::Agrees);
    draft.undo().unwrap();
    let back = draft.changes().remove(0);
    assert_eq!((back.draft, back.base), (bytes(TEXT), written));
    assert_eq!(draft.pending(), 1);
    // The list contains the revert, which can be left out.
    let listed = draft.edits();
    assert_eq!(listed[0].words, "revert switch off components b");
    assert_eq!(listed[0].files[0].draft, bytes(TEXT));
    let without = draft.with_edit_toggled(listed[0].act).unwrap();
    assert!(without.changes().is_empty() && without.edits().is_empty());
    draft.discard_file(Path::new(FILE));
    assert_eq!(draft.pending(), 0);
    assert_eq!(draft.history.undo_stack.last().unwrap().words, "switch off components b");
}

#[test]
fn draft_is_rebased_on_disk_changes() {
    // Each row: the new text on disk, its effect on the draft, and the drafted text afterwards.
    let table = [
        (
            "# new\nresources:\n- a\n- x\ncomponents:\n- c\n",
            DiskChange::Rebased,
            "# new\nresources:\n- a\n- x\ncomponents:\n#- c\n",
        ),
        ("components:\n#- c\n", DiskChange::Agrees, "components:\n#- c\n"),
        (
            "components:\n- d\n",
            DiskChange::Conflict,
            "resources:\n- a\ncomponents:\n- b # keep\n#- c\n",
        ),
        (TEXT, DiskChange::Unrelated, "resources:\n- a\ncomponents:\n- b # keep\n#- c\n"),
    ];
    for (theirs, change, after) in table {
        let mut draft = Draft::default();
        draft.apply(&toggle("components", 1), &disk(TEXT)).unwrap();
        assert_eq!(draft.disk_changed(Path::new(FILE), bytes(theirs)), change);
        assert_eq!(text(&draft, &disk(theirs)), after);
        if change == DiskChange::Rebased {
            draft.undo().unwrap();
            assert_eq!(text(&draft, &disk(theirs)), theirs);
        }
        if change == DiskChange::Conflict {
            assert_eq!(draft.changes().remove(0).base, bytes(TEXT));
            assert_eq!(draft.conflicting_disk_text(Path::new(FILE)), Some(bytes(theirs)));
            let mut other = draft.clone();
            other.discard_file(Path::new(FILE));
            assert_eq!(text(&other, &disk(theirs)), theirs);
            draft.keep_draft(Path::new(FILE));
            assert_eq!(draft.changes().remove(0).base, bytes(theirs));
        }
    }
}

#[test]
fn undo_of_a_written_edit_keeps_later_disk_changes() {
    let mut draft = Draft::default();
    draft.apply(&toggle("components", 1), &disk(TEXT)).unwrap();
    draft.mark_written(Path::new(FILE));
    let theirs = "# new\nresources:\n- a\ncomponents:\n- b # keep\n#- c\n";
    assert_eq!(draft.disk_changed(Path::new(FILE), bytes(theirs)), DiskChange::Unrelated);
    draft.undo().unwrap();
    assert_eq!(text(&draft, &disk(theirs)), format!("# new\n{TEXT}"));
    draft.redo().unwrap();
    assert_eq!(text(&draft, &disk(theirs)), theirs);
}

#[test]
fn written_edit_can_be_undone_after_a_discard() {
    let mut draft = Draft::default();
    draft.apply(&toggle("components", 1), &disk(TEXT)).unwrap();
    let disk = disk(&text(&draft, &disk(TEXT)));
    draft.mark_written(Path::new(FILE));
    draft.apply(&toggle("resources", 0), &disk).unwrap();
    draft.discard_file(Path::new(FILE));
    assert_eq!(draft.history.undo_stack.len(), 1);
    assert_eq!(text(&draft, &disk), "resources:\n- a\ncomponents:\n- b # keep\n#- c\n");
    assert_eq!(draft.undo().as_deref(), Some("switch off components c"));
    assert_eq!(text(&draft, &disk), TEXT);
}

#[test]
fn stored_edits_are_repeated_on_a_changed_disk() {
    let theirs = disk(&format!("# new\n{TEXT}"));
    let disk = disk(TEXT);
    let mut draft = Draft::default();
    for edit in [toggle("components", 1), toggle("resources", 0), toggle("components", 0)] {
        draft.apply(&edit, &disk).unwrap();
    }
    draft.undo().unwrap();
    let (next, met) = Draft::from_stored(draft.to_stored(Some("small")), &disk);
    assert_eq!((met, next.pending()), (vec![DiskChange::Unrelated], 2));
    assert_eq!(next.to_stored(Some("small")), draft.to_stored(Some("small")));

    // On a changed disk each edit is repeated, and can be undone separately.
    let (mut next, met) = Draft::from_stored(draft.to_stored(None), &theirs);
    assert_eq!(met, [DiskChange::Rebased]);
    next.undo().unwrap();
    assert_eq!(text(&next, &theirs), "# new\nresources:\n- a\ncomponents:\n- b # keep\n#- c\n");

    // An incomplete list of edits becomes one edit.
    let mut torn = draft.to_stored(None);
    torn.done.remove(0);
    let (mut next, _) = Draft::from_stored(torn, &disk);
    assert_eq!(next.undo().as_deref(), Some("the kept draft of kustomization.yaml"));
    assert!(next.changes().is_empty());
}

#[test]
fn edits_of_a_long_history_are_restored_as_one() {
    let disk = disk(TEXT);
    let mut draft = Draft::default();
    for number in 0..12_u8 {
        let text: Arc<[u8]> = vec![b'a' + number; 1 << 20].into();
        draft.apply(&Edit::SetText { file: FILE.into(), text }, &disk).unwrap();
    }
    let kept = draft.to_stored(None);
    assert_eq!(kept.done.len(), 8);
    let (mut next, _) = Draft::from_stored(kept, &disk);
    assert!(next.undo().is_some() && next.undo().is_none());
    assert_eq!(text(&next, &disk), TEXT);
}
