use crate::draft::FileChange;
use crate::host::store::drafts::*;
use crate::host::store::private_files::with_faults;

fn count_files(folder: &Path) -> usize {
    std::fs::read_dir(folder).map_or(0, Iterator::count)
}

fn draft(name: Option<&str>, text: &str) -> StoredDraft {
    let path = "/tree/a".into();
    let file = FileChange { path, base: None, draft: Some(text.as_bytes().into()) };
    let name = name.map(str::to_owned);
    StoredDraft { name, files: vec![file], ..StoredDraft::default() }
}

#[test]
fn draft_is_stored_per_tree_and_removed_when_empty() {
    let scratch = tempfile::tempdir().unwrap();
    let folder = scratch.path().join("drafts");
    let store = DraftFiles::in_folder(Some(&folder), Path::new("/tree"));
    assert_eq!((store.last(), store.all()), (None, Vec::new()));
    assert!(!folder.exists(), "reading creates no folder");
    let file = |path: &str, base: Option<&[u8]>, text: Option<&[u8]>| FileChange {
        path: path.into(),
        base: base.map(Arc::from),
        draft: text.map(Arc::from),
    };
    let files_of = [file("/tree/a", Some(b"\xff"), None), file("/tree/b", None, Some(b"x"))];
    let kept = StoredDraft { files: files_of.to_vec(), ..StoredDraft::default() };
    store.keep(&kept).unwrap();
    assert_eq!(store.last(), Some(kept.clone()));
    assert_eq!(DraftFiles::in_folder(Some(&folder), Path::new("/other")).last(), None);
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt as _;
        let mode = |path: &Path| std::fs::metadata(path).unwrap().permissions().mode() & 0o777;
        assert_eq!(mode(&folder), 0o700);
        assert_eq!(mode(&store.numbered(&folder).next().unwrap()), 0o600);
    }
    store.keep(&StoredDraft::default()).unwrap();
    assert_eq!(count_files(&folder), 0);
    assert!(DraftFiles::in_folder(None, Path::new("/tree")).keep(&kept).is_err());
}

#[test]
fn no_failed_system_call_loses_a_stored_draft() {
    let scratch = tempfile::tempdir().unwrap();
    let store = DraftFiles::in_folder(Some(scratch.path()), Path::new("/tree"));
    store.keep(&draft(None, "before")).unwrap();
    let calls = with_faults(|before| {
        let kept = store.keep_with_hook(&draft(None, "now"), before);
        let wanted = if kept.is_ok() { "now" } else { "before" };
        assert_eq!(store.last(), Some(draft(None, wanted)));
        assert_eq!(count_files(scratch.path()), 2, "a file and its lock");
        kept
    });
    assert!(calls >= 6, "{calls} calls");
    // Whatever fails while a draft is renamed, it remains under the old or the new name.
    let calls = with_faults(|before| {
        store.leave();
        drop(store.remove("small"));
        if store.take(None).unwrap().is_none() {
            store.keep(&draft(None, "now")).unwrap();
        }
        let named = store.keep_with_hook(&draft(Some("small"), "now"), before);
        let all = store.all();
        assert!(all.iter().any(|kept| kept.draft.files == draft(None, "now").files), "{all:?}");
        named
    });
    assert!(calls >= 6, "{calls} calls");
    // Discarding removes the draft or returns an error.
    store.keep(&draft(None, "now")).unwrap();
    let calls = with_faults(|before| {
        let removed = store.keep_with_hook(&StoredDraft::default(), before);
        if removed.is_ok() {
            assert_eq!(store.last(), None);
        }
        removed
    });
    assert!(calls >= 2, "{calls} calls");
}

#[test]
fn named_drafts_are_opened_renamed_and_removed() {
    let scratch = tempfile::tempdir().unwrap();
    let store = DraftFiles::in_folder(Some(scratch.path()), Path::new("/tree"));
    let names = |store: &DraftFiles| -> Vec<Option<String>> {
        store.all().into_iter().map(|kept| kept.draft.name).collect()
    };
    store.keep(&draft(None, "one")).unwrap();
    assert_eq!(store.take(Some("small")).unwrap(), None, "there is none yet");
    store.keep(&StoredDraft { files: Vec::new(), ..draft(Some("small"), "") }).unwrap();
    assert_eq!(names(&store), [Some("small".to_owned()), None], "one with a name may be empty");
    store.keep(&draft(Some("small"), "two")).unwrap();
    assert_eq!(store.take(None).unwrap(), Some(draft(None, "one")));
    let taken = store.keep(&draft(Some("small"), "one")).unwrap_err().to_string();
    assert_eq!(taken, "a draft `small` exists already");
    assert_eq!(store.last(), Some(draft(None, "one")), "it is still the one that is worked on");
    store.keep(&draft(Some("large"), "one")).unwrap();
    assert_eq!(names(&store), [Some("large".to_owned()), Some("small".to_owned())]);
    assert!(store.remove("large").is_err(), "it is worked on");
    assert!(store.remove("none").is_err());
    store.remove("small").unwrap();
    store.leave();
    store.remove("large").unwrap();
    assert_eq!(count_files(scratch.path()), 0);
}

#[cfg(unix)]
#[test]
fn two_workbenches_on_one_tree_store_separate_drafts() {
    let scratch = tempfile::tempdir().unwrap();
    let open = || DraftFiles::in_folder(Some(scratch.path()), Path::new("/tree"));
    let (one, two) = (open(), open());
    one.keep(&draft(None, "one")).unwrap();
    assert_eq!(two.last(), None, "another workbench has it open");
    assert_eq!(two.all()[0].held_by, DraftHolder::AnotherWorkbench);
    two.keep(&draft(None, "two")).unwrap();
    assert_eq!((one.last(), two.last()), (Some(draft(None, "one")), Some(draft(None, "two"))));
    // One workbench discards its draft: the draft of the other is kept.
    two.keep(&StoredDraft::default()).unwrap();
    assert_eq!(one.last(), Some(draft(None, "one")));
    two.keep(&draft(None, "three")).unwrap();
    one.take(Some("small")).unwrap();
    let refused = two.take(Some("small")).unwrap_err().to_string();
    assert_eq!(refused, "the draft `small` is open in another workbench");
    assert_eq!(two.last(), Some(draft(None, "three")), "no lock was released");
    // An abandoned draft is not overwritten.
    let three = open();
    three.keep(&draft(None, "four")).unwrap();
    assert_eq!(three.all().iter().filter(|kept| kept.draft.name.is_none()).count(), 3);
    drop((one, two, three));
    let (first, second, third) = (open(), open(), open());
    let mut texts = [first.last(), second.last(), third.last()].map(|kept| {
        let kept = kept.unwrap();
        String::from_utf8(kept.files[0].draft.clone().unwrap().to_vec()).unwrap()
    });
    texts.sort_unstable();
    assert_eq!(texts, ["four", "one", "three"]);
}
