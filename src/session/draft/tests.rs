use super::*;
use crate::engine::load::MemoryFiles;
use crate::session::EntryRef;

const FILE: &str = "/o/kustomization.yaml";
const TEXT: &str = "resources:\n- a\ncomponents:\n- b # keep\n- c\n";

fn disk(text: &str) -> MemoryFiles {
    MemoryFiles::default().file(FILE, text)
}

fn toggle(field: &str, index: usize) -> Edit {
    Edit::ToggleEntry(EntryRef { file: FILE.into(), field: field.into(), index })
}

fn text(session: &Session, disk: &MemoryFiles) -> String {
    let files = session.files(Arc::new(disk.clone()));
    String::from_utf8(files.read(Path::new(FILE)).unwrap().to_vec()).unwrap()
}

fn bytes(text: &str) -> Option<Arc<[u8]>> {
    Some(text.as_bytes().into())
}

#[test]
fn undo_and_redo_have_words_and_bring_the_bytes_back() {
    let disk = disk(TEXT);
    let mut session = Session::default();
    session.apply(&toggle("components", 1), &disk).unwrap();
    session.apply(&toggle("resources", 0), &disk).unwrap();
    assert_eq!(text(&session, &disk), "resources:\n#- a\ncomponents:\n- b # keep\n#- c\n");
    assert_eq!((session.pending(), session.revision()), (2, Revision(2)));
    assert_eq!(session.undo().as_deref(), Some("switch off resources a"));
    assert_eq!(session.undo().as_deref(), Some("switch off components c"));
    assert_eq!(session.undo(), None);
    assert!(session.changes().is_empty());
    assert_eq!(session.redo().as_deref(), Some("switch off components c"));
    assert_eq!(text(&session, &disk), "resources:\n- a\ncomponents:\n- b # keep\n#- c\n");
    assert_eq!(session.pending(), 1);
}

#[test]
fn undo_after_a_write_drafts_the_former_bytes() {
    let mut session = Session::default();
    session.apply(&toggle("components", 0), &disk(TEXT)).unwrap();
    let written = session.changes().remove(0).draft;
    session.written(Path::new(FILE));
    assert_eq!((session.pending(), session.changes().len()), (0, 0));
    assert_eq!(session.disk_changed(Path::new(FILE), Some(written.clone())), DiskChange::Agrees);
    session.undo().unwrap();
    let back = session.changes().remove(0);
    assert_eq!((&*back.draft, back.base), (TEXT.as_bytes(), Some(written)));
    assert_eq!(session.pending(), 1);
    session.discard(Path::new(FILE));
    assert_eq!((session.pending(), session.log()), (0, vec!["switch off components b # keep"]));
}

#[test]
fn carries_edits_over_to_what_others_wrote() {
    // disk afterwards, what that means, draft afterwards
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
    for (theirs, change, draft) in table {
        let mut session = Session::default();
        session.apply(&toggle("components", 1), &disk(TEXT)).unwrap();
        assert_eq!(session.disk_changed(Path::new(FILE), bytes(theirs)), change);
        assert_eq!(text(&session, &disk(theirs)), draft);
        if change == DiskChange::Rebased {
            session.undo().unwrap();
            assert_eq!(text(&session, &disk(theirs)), theirs);
        }
        if change == DiskChange::Conflict {
            assert_eq!(session.changes().remove(0).base, bytes(TEXT));
            assert!(session.in_conflict(Path::new(FILE)));
            let mut other = session.clone();
            other.discard(Path::new(FILE));
            assert_eq!(text(&other, &disk(theirs)), theirs);
            session.keep_draft(Path::new(FILE));
            assert_eq!(session.changes().remove(0).base, bytes(theirs));
        }
    }
}

#[test]
fn undo_of_a_written_edit_leaves_what_others_wrote_since() {
    let mut session = Session::default();
    session.apply(&toggle("components", 1), &disk(TEXT)).unwrap();
    session.written(Path::new(FILE));
    let theirs = "# new\nresources:\n- a\ncomponents:\n- b # keep\n#- c\n";
    assert_eq!(session.disk_changed(Path::new(FILE), bytes(theirs)), DiskChange::Unrelated);
    session.undo().unwrap();
    assert_eq!(text(&session, &disk(theirs)), format!("# new\n{TEXT}"));
    session.redo().unwrap();
    assert_eq!(text(&session, &disk(theirs)), theirs);
}

#[test]
fn new_files_are_seen_by_the_build() {
    let disk = disk(TEXT);
    let mut session = Session::default();
    let file = PathBuf::from("/o/new/patch.yaml");
    let edit = Edit::SetText { file: file.clone(), text: b"x"[..].into() };
    session.apply(&edit, &disk).unwrap();
    let files = session.files(Arc::new(disk.clone()));
    assert_eq!(files.resolve(&file).unwrap().1, crate::engine::load::FileKind::File);
    assert_eq!(files.list(Path::new("/o")), Ok(vec!["kustomization.yaml".into(), "new".into()]));
    assert_eq!(session.undo().as_deref(), Some("edit patch.yaml"));
    assert!(session.files(Arc::new(disk)).read(&file).is_err());
    assert!(session.changes().is_empty());
}

#[test]
fn an_edit_that_fails_changes_nothing() {
    let mut session = Session::default();
    let error = session.apply(&toggle("components", 7), &disk(TEXT)).unwrap_err();
    assert_eq!(error.to_string(), "/o/kustomization.yaml: no entry 7 in `components`");
    assert!(session.apply(&toggle("components", 0), &MemoryFiles::default()).is_err());
    assert_eq!(session.revision(), Revision(0));
}
