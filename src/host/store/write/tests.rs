//! Faults at every system call of a write, and at every pair of calls: the write is complete or has
//! no effect.
#![cfg(unix)]

use std::collections::BTreeMap;
use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _, symlink};
use std::sync::atomic::{AtomicUsize, Ordering};

use super::journal::revert_writes_in;
use crate::host::store::write::*;

fn change(path: &Path, base: Option<&[u8]>, bytes: Option<&[u8]>) -> FileChange {
    FileChange { path: path.to_owned(), base: base.map(Into::into), draft: bytes.map(Into::into) }
}

/// A folder with a file `f` of this text.
fn scratch(text: &str) -> (tempfile::TempDir, PathBuf) {
    let scratch = tempfile::tempdir().unwrap();
    let file = scratch.path().join("f");
    fs::write(&file, text).unwrap();
    (scratch, file)
}

fn write(path: &Path, base: Option<&[u8]>, bytes: Option<&[u8]>) -> Result<(), FileWriteError> {
    write_files_with_hook(&[change(path, base, bytes)], None, &|_| Ok(()))
        .map_err(|(_, error)| error)
}

/// An error of this kind at the calls with this name, from the call with this number on.
fn refuses(name: &'static str, first: usize) -> impl Fn(&'static str) -> io::Result<()> {
    let seen = AtomicUsize::new(0);
    move |call: &'static str| {
        let is_it = call == name && seen.fetch_add(1, Ordering::SeqCst) >= first;
        if is_it { Err(io::Error::from(io::ErrorKind::StorageFull)) } else { Ok(()) }
    }
}

#[test]
fn writes_through_links_and_keeps_permissions() {
    let (scratch, probe) = scratch("");
    let (file, link) = (scratch.path().join("new"), scratch.path().join("link"));
    write(&file, None, Some(b"one")).unwrap();
    let mode = |path: &Path| fs::metadata(path).unwrap().permissions().mode() & 0o777;
    assert_eq!(mode(&file), mode(&probe), "a new file is as new files are");
    fs::set_permissions(&file, fs::Permissions::from_mode(0o640)).unwrap();
    symlink("new", &link).unwrap();
    write(&link, Some(b"one"), Some(b"two")).unwrap();
    assert!(link.is_symlink());
    assert_eq!((fs::read(&file).unwrap(), mode(&file)), (b"two".to_vec(), 0o640));
    assert_eq!(fs::read_dir(scratch.path()).unwrap().count(), 3);
    write(&file, Some(b"two"), None).unwrap();
    assert!(!file.exists());
}

#[test]
fn a_write_over_other_bytes_or_with_a_lost_property_is_refused() {
    let [old, mine] = [Some(&b"old"[..]), Some(&b"mine"[..])];
    let leave = |_: &Path| {};
    let protect = |file: &Path| {
        fs::set_permissions(file, fs::Permissions::from_mode(0o444)).unwrap();
    };
    let link = |file: &Path| fs::hard_link(file, file.with_file_name("g")).unwrap();
    let leave: &dyn Fn(&Path) = &leave;
    let cases = [
        (leave, mine, mine, "was changed on disk"),
        (leave, None, mine, "was changed on disk"),
        (leave, mine, None, "was changed on disk"),
        (&protect, old, mine, "is read-only"),
        (&link, old, mine, "the file has 2 names"),
        (leave, old, mine, "cannot get the mode"),
    ];
    for (prepare, base, bytes, expected) in cases {
        let (scratch, file) = scratch("old");
        prepare(&file);
        let count = fs::read_dir(scratch.path()).unwrap().count();
        let change = change(&file, base, bytes);
        let refused = write_files_with_hook(&[change], None, &refuses("chmod", 0));
        let message = refused.unwrap_err().1.to_string();
        assert!(message.contains(expected), "{expected}: {message}");
        assert_eq!(fs::read(&file).unwrap(), b"old", "{expected}");
        assert_eq!(fs::read_dir(scratch.path()).unwrap().count(), count, "{expected}");
    }
}

/// Another program writes between the last check and the exchange.
#[test]
fn concurrent_write_before_exchange_is_not_lost() {
    let (scratch, file) = scratch("");
    for (bytes, call) in [(Some(&b"mine"[..]), "exchange"), (None, "rename")] {
        fs::write(&file, "base").unwrap();
        let seen = AtomicUsize::new(0);
        let late = |name: &'static str| {
            if name == call && seen.fetch_add(1, Ordering::SeqCst) == 0 {
                fs::write(&file, "theirs")?;
            }
            Ok(())
        };
        let change = change(&file, Some(b"base"), bytes);
        let refused = write_files_with_hook(&[change], None, &late);
        assert!(matches!(refused, Err((0, FileWriteError::Changed { .. }))), "{refused:?}");
        assert_eq!(fs::read(&file).unwrap(), b"theirs");
        assert_eq!(fs::read_dir(scratch.path()).unwrap().count(), 1);
    }
}

#[test]
fn write_keeps_owner_and_extended_attributes() {
    let (_scratch, file) = scratch("a");
    // Only root can change the owner.
    let is_root = std::os::unix::fs::chown(&file, Some(1234), Some(2345)).is_ok();
    #[cfg(target_os = "linux")]
    let has_attribute =
        rustix::fs::setxattr(&file, "user.kzui", b"x", rustix::fs::XattrFlags::empty()).is_ok();
    write(&file, Some(b"a"), Some(b"b")).unwrap();
    let found = fs::metadata(&file).unwrap();
    assert!(!is_root || (found.uid(), found.gid()) == (1234, 2345));
    #[cfg(target_os = "linux")]
    if has_attribute {
        let mut value = [0; 8];
        let length = rustix::fs::getxattr(&file, "user.kzui", &mut value[..]).unwrap();
        assert_eq!(&value[..length], b"x");
    }
}

#[test]
fn incomplete_file_is_readable_by_owner_only() {
    let (scratch, file) = scratch("a");
    fs::set_permissions(&file, fs::Permissions::from_mode(0o600)).unwrap();
    let looks = AtomicUsize::new(0);
    let look = |name: &'static str| {
        for entry in fs::read_dir(scratch.path())? {
            let mode = entry?.metadata()?.mode() & 0o777;
            assert_eq!(mode, 0o600, "before {name}");
            looks.fetch_add(1, Ordering::SeqCst);
        }
        Ok(())
    };
    let change = change(&file, Some(b"a"), Some(b"b"));
    write_files_with_hook(&[change], None, &look).unwrap();
    assert!(looks.load(Ordering::SeqCst) > 8);
}

/// A file of a write by its name, with the bytes before and after; `None` for a missing file.
type WrittenFile = (&'static str, [Option<&'static [u8]>; 2]);

/// The files of writes: a toggle, a move of lines, an edit that empties a file, a new file, a
/// removed file, several files.
fn write_cases() -> Vec<Vec<WrittenFile>> {
    let toggle = [Some(&b"- a\n#- b\n"[..]), Some(&b"- a\n- b\n"[..])];
    let moved = [Some(&b"1\n2\n"[..]), Some(&b"2\n1\n"[..])];
    let emptied = [Some(&b"x\r\n"[..]), Some(&b""[..])];
    let new = [None, Some(&b"new\n"[..])];
    let gone = [Some(&b"\xff\xfe"[..]), None];
    vec![
        vec![("a", toggle)],
        vec![("a", moved)],
        vec![("a", emptied)],
        vec![("a", new)],
        vec![("a", gone)],
        vec![("a", toggle), ("b", moved)],
        vec![("a", new), ("b", gone)],
        vec![("a", moved), ("b", new), ("c", gone), ("d", toggle)],
    ]
}

/// The files of a folder, and the number of temporary files of kzui in it.
fn folder_contents(folder: &Path) -> (BTreeMap<String, Vec<u8>>, usize) {
    let mut files = BTreeMap::new();
    let mut own = 0;
    for entry in fs::read_dir(folder).unwrap() {
        let entry = entry.unwrap();
        let name = entry.file_name().to_string_lossy().into_owned();
        if name.starts_with(PREFIX) {
            own += 1;
        } else {
            files.insert(name, fs::read(entry.path()).unwrap());
        }
    }
    (files, own)
}

/// Makes a write in which the system calls that `fails` selects return an error. Returns the number
/// of calls.
fn write_with_failures(written: &[WrittenFile], fails: &dyn Fn(usize) -> bool) -> usize {
    let scratch = tempfile::tempdir().unwrap();
    let (folder, journal) = (scratch.path().join("tree"), scratch.path().join("state"));
    fs::create_dir(&folder).unwrap();
    for (name, [base, _]) in written {
        if let Some(bytes) = base {
            fs::write(folder.join(name), bytes).unwrap();
        }
    }
    let changes = written.iter().map(|(name, [base, now])| change(&folder.join(name), *base, *now));
    let changes: Vec<FileChange> = changes.collect();
    let has_contents = |files: &BTreeMap<String, Vec<u8>>, side: usize| {
        written.iter().all(|(name, bytes)| files.get(*name).map(Vec::as_slice) == bytes[side])
    };
    let calls = AtomicUsize::new(0);
    let before = |_: &'static str| {
        let number = calls.fetch_add(1, Ordering::SeqCst);
        if fails(number) { Err(io::Error::other("injected")) } else { Ok(()) }
    };
    let result = write_files_with_hook(&changes, Some(&journal), &before);
    let (files, _) = folder_contents(&folder);
    match &result {
        Ok(()) => assert!(has_contents(&files, 1), "written is said, and {files:?}"),
        Err((_, FileWriteError::NotRestored { .. })) => {}
        Err((_, error)) => assert!(has_contents(&files, 0), "{error}, and {files:?}"),
    }
    // The next start of kzui does this.
    revert_writes_in(&journal);
    let (files, own) = folder_contents(&folder);
    assert_eq!(own, 0, "left beside");
    assert!(has_contents(&files, usize::from(result.is_ok())), "{result:?}, and {files:?}");
    assert_eq!(fs::read_dir(&journal).map_or(0, Iterator::count), 0, "left in the journal");
    calls.into_inner()
}

#[test]
fn failed_system_calls_of_a_write_lose_no_byte() {
    let mut injected = 0;
    for written in write_cases() {
        let calls = write_with_failures(&written, &|_| false);
        assert!(calls >= 6, "{calls}");
        for first in 0..calls {
            // A single fault; then faults from this call on, as for a killed process.
            write_with_failures(&written, &|number| number == first);
            write_with_failures(&written, &|number| number >= first);
            injected += 2;
            for second in first + 1..(first + 40).min(calls + 12) {
                write_with_failures(&written, &|number| number == first || number == second);
                injected += 1;
            }
        }
    }
    assert!(injected >= 2000, "{injected}");
}

#[test]
fn an_error_names_the_folder_of_the_journal_or_the_file_that_was_not_restored() {
    let (scratch, file) = scratch("a");
    let (other, notes) = (scratch.path().join("g"), scratch.path().join("notes"));
    fs::write(&other, "a").unwrap();
    let changes = [&file, &other].map(|file| change(file, Some(b"a"), Some(b"b")));
    let refused = write_files_with_hook(&changes, Some(&notes), &refuses("mkdir", 0));
    let FileWriteError::NotRecorded { folder, .. } = refused.unwrap_err().1 else { panic!() };
    assert_eq!((folder, fs::read(&file).unwrap()), (notes, b"a".to_vec()));
    let refused = write_files_with_hook(&changes, None, &refuses("exchange", 1));
    assert!(matches!(refused, Err((0, FileWriteError::NotRestored { .. }))), "{refused:?}");
    assert_eq!([&file, &other].map(|file| fs::read(file).unwrap()), [b"b", b"a"]);
}
