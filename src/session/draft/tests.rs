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
    assert_eq!(session.disk_changed(Path::new(FILE), written.clone()), DiskChange::Agrees);
    session.undo().unwrap();
    let back = session.changes().remove(0);
    assert_eq!((back.draft, back.base), (bytes(TEXT), written));
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
            assert_eq!(session.conflict(Path::new(FILE)), Some(bytes(theirs)));
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
fn undo_of_a_file_that_was_made_and_written_takes_it_away() {
    let here = disk(TEXT);
    let mut session = Session::default();
    let file = PathBuf::from("/o/patch.yaml");
    let edit = Edit::SetText { file: file.clone(), text: b"x"[..].into() };
    session.apply(&edit, &here).unwrap();
    session.written(&file);
    session.undo().unwrap();
    let [change] = &session.changes()[..] else { panic!("one change") };
    assert_eq!((change.base.as_deref(), change.draft.as_deref()), (Some(&b"x"[..]), None));
    let files = session.files(Arc::new(here.file(&file, b"x")));
    assert!(files.read(&file).is_err() && files.resolve(&file).is_err());
    assert_eq!(files.list(Path::new("/o")), Ok(vec!["kustomization.yaml".into()]));
    session.written(&file);
    assert!(session.changes().is_empty());
    session.redo().unwrap();
    assert_eq!(session.changes()[0].draft.as_deref(), Some(&b"x"[..]));
}

#[test]
fn a_kept_draft_meets_what_the_disk_has_by_then() {
    let kept = TEXT.replace("- b # keep", "#- b # keep");
    let change = || FileChange { path: FILE.into(), base: bytes(TEXT), draft: bytes(&kept) };
    let theirs = format!("# new\n{TEXT}");
    let elsewhere = TEXT.replace("- b # keep", "- bb # keep");
    for (now, met) in [
        (TEXT, DiskChange::Unrelated),
        (&*theirs, DiskChange::Rebased),
        (&*kept, DiskChange::Agrees),
        (&*elsewhere, DiskChange::Conflict),
    ] {
        let mut session = Session::default();
        assert_eq!(session.resume(change(), bytes(now)), met, "{now}");
        let wanted =
            if met == DiskChange::Rebased { format!("# new\n{kept}") } else { kept.clone() };
        assert_eq!(text(&session, &disk(now)), wanted);
        assert_eq!(session.pending(), usize::from(met != DiskChange::Agrees));
    }
}

#[test]
fn an_edit_that_fails_changes_nothing() {
    let mut session = Session::default();
    let error = session.apply(&toggle("components", 7), &disk(TEXT)).unwrap_err();
    assert_eq!(error.to_string(), "/o/kustomization.yaml: no entry 7 in `components`");
    assert!(session.apply(&toggle("components", 0), &MemoryFiles::default()).is_err());
    assert_eq!(session.revision(), Revision(0));
}
