//! File names that are not UTF-8.
//!
//! In the engine a path is text, for entries and reports. On Unix a name may consist of any bytes.
//! A byte that is not part of UTF-8 becomes one character in the text, U+10FF00 plus the byte,
//! which is shown as `\xff`; this module converts the character back. So every name has a text, and
//! different names have different texts.

use std::borrow::Cow;
use std::ffi::{OsStr, OsString};
use std::io;
use std::path::{Path, PathBuf};

/// The code point that represents byte 0 of a name that is not UTF-8; the code points of the other
/// bytes follow it.
#[cfg(unix)]
const FIRST_BYTE_CODE_POINT: u32 = 0x10_ff00;

/// A path as text: each byte that is not UTF-8 becomes a code point that no text contains.
pub fn to_text_path(path: &Path) -> Cow<'_, Path> {
    match name_as_text(path.as_os_str()) {
        Cow::Borrowed(_) => Cow::Borrowed(path),
        Cow::Owned(name) => Cow::Owned(name.into()),
    }
}

/// A name as text: each byte that is not UTF-8 becomes a code point that no text contains.
#[cfg(unix)]
pub(in crate::host) fn name_as_text(name: &OsStr) -> Cow<'_, OsStr> {
    use std::os::unix::ffi::OsStrExt as _;

    if name.to_str().is_some() {
        return Cow::Borrowed(name);
    }
    Cow::Owned(bytes_to_text(name.as_bytes()).into())
}

#[cfg(not(unix))]
pub(in crate::host) fn name_as_text(name: &OsStr) -> Cow<'_, OsStr> {
    Cow::Borrowed(name)
}

/// The bytes of a name, from a git object or git's output, as text.
#[cfg(unix)]
pub(in crate::host) fn bytes_to_text(bytes: &[u8]) -> String {
    let mut text = String::with_capacity(bytes.len() + 8);
    for piece in bytes.utf8_chunks() {
        text.push_str(piece.valid());
        let wrong = piece.invalid().iter();
        text.extend(
            wrong.filter_map(|byte| char::from_u32(FIRST_BYTE_CODE_POINT + u32::from(*byte))),
        );
    }
    text
}

#[cfg(not(unix))]
pub(in crate::host) fn bytes_to_text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// The system path for a path in text form: each substitute code point becomes its byte again. The
/// path stays unchanged if a file really has these characters in its name.
#[cfg(unix)]
pub(in crate::host) fn to_os_path(path: &Path) -> Cow<'_, Path> {
    use std::os::unix::ffi::{OsStrExt as _, OsStringExt as _};

    // The UTF-8 form of each substitute code point begins with this byte.
    if !path.as_os_str().as_bytes().contains(&0xf4) {
        return Cow::Borrowed(path);
    }
    let Some(text) = path.to_str() else { return Cow::Borrowed(path) };
    let mut bytes = Vec::with_capacity(text.len());
    for c in text.chars() {
        match u32::from(c)
            .checked_sub(FIRST_BYTE_CODE_POINT)
            .and_then(|byte| u8::try_from(byte).ok())
        {
            Some(byte) if byte >= 0x80 => bytes.push(byte),
            _ => bytes.extend_from_slice(c.encode_utf8(&mut [0; 4]).as_bytes()),
        }
    }
    if bytes == text.as_bytes() || path.symlink_metadata().is_ok() {
        return Cow::Borrowed(path);
    }
    Cow::Owned(OsString::from_vec(bytes).into())
}

#[cfg(not(unix))]
pub(in crate::host) fn to_os_path(path: &Path) -> Cow<'_, Path> {
    Cow::Borrowed(path)
}

/// The words of the command line, with substitute code points for bytes that are not UTF-8.
pub fn words() -> impl Iterator<Item = OsString> {
    std::env::args_os().map(|word| name_as_text(&word).into_owned())
}

pub fn set_current_directory(folder: &Path) -> io::Result<()> {
    std::env::set_current_dir(to_os_path(folder))
}

pub fn current_directory() -> io::Result<PathBuf> {
    std::env::current_dir().map(|path| to_text_path(&path).into_owned())
}

/// The path with all links resolved.
pub fn resolved(path: &Path) -> io::Result<PathBuf> {
    to_os_path(path).canonicalize().map(|path| to_text_path(&path).into_owned())
}

/// Writes bytes over the content of a file, or creates the file.
pub fn write_over(path: &Path, bytes: &[u8]) -> io::Result<()> {
    std::fs::write(to_os_path(path), bytes)
}

pub fn delete_file(path: &Path) -> io::Result<()> {
    std::fs::remove_file(to_os_path(path))
}

/// Renames a file over an existing one.
pub fn move_file(from: &Path, to: &Path) -> io::Result<()> {
    std::fs::rename(to_os_path(from), to_os_path(to))
}

/// True for a missing path and for a regular file; false for a link, a pipe, a folder or another
/// special file.
pub fn is_plain_file_or_none(path: &Path) -> bool {
    std::fs::symlink_metadata(to_os_path(path)).map_or(true, |there| there.is_file())
}

/// Creates a folder and its parents, unless they exist.
pub fn make_folder(path: &Path) -> io::Result<()> {
    std::fs::create_dir_all(to_os_path(path))
}

/// True for an existing path; links are followed.
pub fn path_exists(path: &Path) -> bool {
    to_os_path(path).exists()
}

pub fn is_folder(path: &Path) -> bool {
    to_os_path(path).is_dir()
}

/// True for a file, or a link to one.
pub fn is_file(path: &Path) -> bool {
    to_os_path(path).is_file()
}

#[cfg(all(test, unix))]
mod tests {
    use std::os::unix::ffi::OsStrExt as _;

    use crate::host::fs::names::*;

    #[test]
    fn every_name_survives_conversion_to_text() {
        let names: [&[u8]; 6] = [
            b"plain",
            "h\u{e9}".as_bytes(),
            b"\xff",
            b"a\x80\xfe/b\xc3",
            b"\xe2\x80x",
            b"\xf4\x8f",
        ];
        let mut texts = Vec::new();
        for name in names {
            let path = Path::new(OsStr::from_bytes(name));
            let text = to_text_path(path).into_owned();
            assert!(text.to_str().is_some());
            assert_eq!(&*to_os_path(&text), path);
            texts.push(text);
        }
        texts.sort_unstable();
        texts.dedup();
        assert_eq!(texts.len(), names.len());
        assert_eq!(
            to_text_path(Path::new(OsStr::from_bytes(b"a\xff"))).to_str(),
            Some("a\u{10ffff}")
        );
    }
}
