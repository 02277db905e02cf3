//! What kzui keeps for the user: where it stands, in folders that only its owner can read, in files that are never half
//! written.

use std::io::{self, Write};
use std::path::{Path, PathBuf};

use super::folders::state_folder;
use super::ownership;

/// Makes a folder that only its owner can read: what is kept may be secret. One that others can write is refused.
pub(super) fn private_folder(path: &Path) -> io::Result<()> {
    let mut builder = std::fs::DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.create(path)?;
    ownership::check(path)?;
    Ok(())
}

/// Keeps the report of a fault in the user's state folder, in place of the one before, and says where.
///
/// # Errors
/// When there is no home, or the system refuses.
pub fn keep_report(text: &str) -> io::Result<PathBuf> {
    let path =
        state_folder().ok_or_else(|| io::Error::other("there is no home"))?.join("fault.txt");
    write_whole(&path, text.as_bytes())?;
    Ok(path)
}

/// Begins what stands for a path that is no text.
const BYTES: &str = "bytes:";

/// A path as a text that [`path_of`] reads, whatever its bytes are.
pub(super) fn text_of(path: &Path) -> String {
    use base64::Engine as _;
    let bytes = path.as_os_str().as_encoded_bytes();
    path.to_str().map_or_else(
        || format!("{BYTES}{}", base64::engine::general_purpose::STANDARD.encode(bytes)),
        str::to_owned,
    )
}

/// The path of a text that [`text_of`] made.
pub(super) fn path_of(text: &str) -> PathBuf {
    #[cfg(unix)]
    {
        use base64::Engine as _;
        use std::os::unix::ffi::OsStringExt as _;
        let bytes = text.strip_prefix(BYTES);
        let bytes =
            bytes.and_then(|text| base64::engine::general_purpose::STANDARD.decode(text).ok());
        if let Some(bytes) = bytes {
            return std::ffi::OsString::from_vec(bytes).into();
        }
    }
    text.into()
}

/// Has the names in a folder on the disk. Where a folder cannot be synced, its names are as good as written.
pub(super) fn sync_folder(folder: &Path) {
    if let Ok(folder) = std::fs::File::open(folder) {
        let _ = folder.sync_all();
    }
}

/// Called before every system call that changes something; what it refuses is not done, which is where tests put their faults.
pub(super) type Before<'a> = &'a dyn Fn(&'static str) -> io::Result<()>;

/// Writes a file, which is its owner's alone, so that nobody ever sees half of it. Makes its folder.
pub(super) fn write_whole(path: &Path, bytes: &[u8]) -> io::Result<()> {
    write_whole_with(path, bytes, &|_| Ok(()))
}

/// The same with faults.
pub(super) fn write_whole_with(path: &Path, bytes: &[u8], before: Before<'_>) -> io::Result<()> {
    let file = complete(path, bytes, before)?;
    before("rename")?;
    file.persist(path).map_err(|error| error.error)?;
    path.parent().into_iter().for_each(sync_folder);
    Ok(())
}

/// The same of a file that is not there yet; one that is there stays, and that is the error.
pub(super) fn write_new_with(path: &Path, bytes: &[u8], before: Before<'_>) -> io::Result<()> {
    let file = complete(path, bytes, before)?;
    before("link")?;
    file.persist_noclobber(path).map_err(|error| error.error)?;
    path.parent().into_iter().for_each(sync_folder);
    Ok(())
}

/// A file beside the one that is meant, complete and on the disk; it goes when it does not take its place.
fn complete(path: &Path, bytes: &[u8], before: Before<'_>) -> io::Result<tempfile::NamedTempFile> {
    let folder = path.parent().unwrap_or(Path::new("."));
    before("mkdir")?;
    private_folder(folder)?;
    before("open")?;
    let mut file = tempfile::NamedTempFile::new_in(folder)?;
    // In two pieces, so that half of it is something that happens.
    let (first, second) = bytes.split_at(bytes.len() / 2);
    for piece in [first, second] {
        before("write")?;
        file.write_all(piece)?;
    }
    before("fsync")?;
    file.as_file().sync_all()?;
    Ok(file)
}

/// Does something with a fault at each of its calls in turn, and at last with none, and says how many calls it has.
#[cfg(test)]
pub(super) fn with_faults(mut act: impl FnMut(Before<'_>) -> io::Result<()>) -> usize {
    for number in 0.. {
        let calls = std::cell::Cell::new(0);
        let before = |_: &'static str| {
            calls.set(calls.get() + 1);
            if calls.get() == number + 1 { Err(io::Error::other("no space")) } else { Ok(()) }
        };
        let done = act(&before);
        if calls.get() <= number {
            assert!(done.is_ok(), "without a fault: {done:?}");
            return number;
        }
        assert!(done.is_err(), "the fault at call {number} was not told");
    }
    0
}
