//! Reads one member of an archive, with checks against malicious archives (B.8).

use std::io::Read;

use flate2::read::GzDecoder;

use crate::host::fs::read::read_stream;

/// The limit for unpacked bytes, as a multiple of the size of the archive.
const MAX_UNPACK_RATIO: u64 = 100;
const MIN_UNPACKED_LIMIT_BYTES: u64 = 1 << 20;
const MAX_UNPACKED_BYTES: u64 = 2 << 30;

pub(in crate::host) fn is_archive(name: &str) -> bool {
    let name = name.split(['?', '#']).next().unwrap_or_default();
    [".tar.gz", ".tgz", ".tar", ".zip"].iter().any(|ending| name.ends_with(ending))
}

pub(in crate::host) fn is_archive_content(bytes: &[u8]) -> bool {
    bytes.starts_with(&[0x1f, 0x8b]) || bytes.get(257..262) == Some(b"ustar") || is_zip(bytes)
}

/// True for a zip archive, even an empty one.
fn is_zip(bytes: &[u8]) -> bool {
    bytes.starts_with(b"PK\x03\x04") || bytes.starts_with(b"PK\x05\x06")
}

/// The bytes of the regular file with the path or base name `bin` in an archive; an exact path
/// takes precedence. `name` is the name of the archive.
pub(in crate::host) fn read_member(
    name: &str,
    archive: &[u8],
    bin: &str,
) -> Result<Vec<u8>, String> {
    let mut wanted = MemberSearch { bin, exact: None, by_name: Vec::new() };
    let limit = (archive.len() as u64)
        .saturating_mul(MAX_UNPACK_RATIO)
        .clamp(MIN_UNPACKED_LIMIT_BYTES, MAX_UNPACKED_BYTES);
    let looked_through = if is_zip(archive) {
        search_zip(archive, limit, &mut wanted)
    } else {
        search_tar(archive, limit, &mut wanted)
    };
    looked_through.and_then(|()| wanted.into_member()).map_err(|reason| format!("{name}: {reason}"))
}

fn search_tar(archive: &[u8], limit: u64, wanted: &mut MemberSearch<'_>) -> Result<(), String> {
    let is_packed = archive.starts_with(&[0x1f, 0x8b]);
    let unpacked: Box<dyn Read> =
        if is_packed { Box::new(GzDecoder::new(archive)) } else { Box::new(archive) };
    let mut archive = tar::Archive::new(BoundedReader { inner: unpacked, left: limit });
    for entry in archive.entries().map_err(|error| error.to_string())? {
        let mut entry = entry.map_err(|error| error.to_string())?;
        let path = String::from_utf8_lossy(&entry.path_bytes()).into_owned();
        let kind = match entry.header().entry_type() {
            kind if kind.is_dir() => MemberKind::Directory,
            kind if kind.is_file() => MemberKind::File,
            _ => MemberKind::Other,
        };
        wanted.consider_member(&path, kind, &mut entry)?;
    }
    Ok(())
}

fn search_zip(archive: &[u8], limit: u64, wanted: &mut MemberSearch<'_>) -> Result<(), String> {
    let read = |error: zip::result::ZipError| error.to_string();
    let mut archive = zip::ZipArchive::new(std::io::Cursor::new(archive)).map_err(read)?;
    let mut left = limit;
    for index in 0..archive.len() {
        let entry = archive.by_index(index).map_err(read)?;
        let path = String::from_utf8_lossy(entry.name_raw()).into_owned();
        // The high half of a Unix mode is the file type; archives from other systems have none.
        let kind = match entry.unix_mode().map(|mode| mode & 0o170_000) {
            _ if entry.is_dir() => MemberKind::Directory,
            None | Some(0 | 0o100_000) => MemberKind::File,
            Some(_) => MemberKind::Other,
        };
        let mut bounded = BoundedReader { inner: entry, left };
        wanted.consider_member(&path, kind, &mut bounded)?;
        left = bounded.left;
    }
    Ok(())
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum MemberKind {
    File,
    Directory,
    Other,
}

struct MemberSearch<'a> {
    bin: &'a str,
    exact: Option<Vec<u8>>,
    by_name: Vec<(String, Vec<u8>)>,
}

impl MemberSearch<'_> {
    /// Takes a member if it matches. A path that leads out of the archive is an error.
    fn consider_member(
        &mut self,
        path: &str,
        kind: MemberKind,
        from: &mut dyn Read,
    ) -> Result<(), String> {
        let has_drive = path.as_bytes().get(1) == Some(&b':');
        let leads_up = path.split(['/', '\\']).any(|part| part == "..");
        if path.starts_with(['/', '\\']) || has_drive || leads_up {
            return Err(format!("member {path:?} leads out of the archive"));
        }
        let own = path.strip_prefix("./").unwrap_or(path);
        let is_exact = own == self.bin.strip_prefix("./").unwrap_or(self.bin);
        let fits = is_exact || own.rsplit('/').next() == Some(self.bin);
        if !fits || kind == MemberKind::Directory {
            return Ok(());
        }
        if kind == MemberKind::Other {
            return Err(format!("member {path:?} is not a regular file"));
        }
        let bytes = read_stream(from, MAX_UNPACKED_BYTES).map_err(|error| error.to_string())?;
        if is_exact && self.exact.replace(bytes.clone()).is_some() {
            return Err(format!("has {:?} twice", self.bin));
        }
        self.by_name.push((path.to_owned(), bytes));
        Ok(())
    }

    /// The member that matches exactly, otherwise the only one with the base name; an error if no
    /// member or more than one matches.
    fn into_member(self) -> Result<Vec<u8>, String> {
        let bin = self.bin;
        match (self.exact, self.by_name.as_slice()) {
            (Some(bytes), _) => Ok(bytes),
            (None, [(_, bytes)]) => Ok(bytes.clone()),
            (None, []) => Err(format!("has no member {bin:?}")),
            (None, several) => {
                let paths: Vec<&str> = several.iter().map(|(path, _)| path.as_str()).collect();
                Err(format!("has several members {bin:?}: {}", paths.join(", ")))
            }
        }
    }
}

struct BoundedReader<R> {
    inner: R,
    left: u64,
}

impl<R: Read> Read for BoundedReader<R> {
    fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
        let count = self.inner.read(buffer)?;
        self.left = self.left.checked_sub(count as u64).ok_or_else(|| {
            std::io::Error::other(format!(
                "becomes more than {MAX_UNPACK_RATIO} times larger when unpacked"
            ))
        })?;
        Ok(count)
    }
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use crate::host::net::archive::*;

    fn packed(members: &[(&str, tar::EntryType, &[u8])]) -> Vec<u8> {
        let mut builder = tar::Builder::new(Vec::new());
        for (path, kind, bytes) in members {
            let mut header = tar::Header::new_ustar();
            // The name is written raw, because the builder refuses such names.
            header.as_old_mut().name[..path.len()].copy_from_slice(path.as_bytes());
            header.set_entry_type(*kind);
            header.set_size(bytes.len() as u64);
            if *kind == tar::EntryType::Symlink {
                header.set_link_name("/bin/sh").unwrap();
            }
            header.set_cksum();
            builder.append(&header, *bytes).unwrap();
        }
        let mut gz = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::best());
        gz.write_all(&builder.into_inner().unwrap()).unwrap();
        gz.finish().unwrap()
    }

    /// A zip archive with these members: name, mode and bytes. The mode is written raw and includes
    /// the file type.
    fn zipped(members: &[(&str, u32, &[u8])]) -> Vec<u8> {
        let mut writer = zip::ZipWriter::new(std::io::Cursor::new(Vec::new()));
        for (path, mode, bytes) in members {
            let options = zip::write::SimpleFileOptions::default();
            if mode & 0o170_000 == 0o120_000 {
                let target = String::from_utf8_lossy(bytes);
                writer.add_symlink(*path, target, options).unwrap();
            } else {
                writer.start_file(*path, options.unix_permissions(*mode)).unwrap();
                writer.write_all(bytes).unwrap();
            }
        }
        writer.finish().unwrap().into_inner()
    }

    #[test]
    fn one_regular_member_is_taken() {
        use tar::EntryType::{Directory, Regular, Symlink};
        let good = packed(&[("d/", Directory, b""), ("d/f", Regular, b"one"), ("x", Symlink, b"")]);
        assert_eq!(read_member("a", &good, "f"), Ok(b"one".to_vec()));
        let both = packed(&[("d/f", Regular, b"one"), ("./f", Regular, b"two")]);
        assert_eq!(read_member("a", &both, "f"), Ok(b"two".to_vec()));
        let both = zipped(&[("d/f", 0o755, b"one"), ("f", 0o755, b"two"), ("x", 0o120_777, b"f")]);
        assert_eq!(read_member("a", &both, "f"), Ok(b"two".to_vec()));
        assert_eq!(read_member("a", &both, "d/f"), Ok(b"one".to_vec()));
        // Each member alone is below the limit.
        let part = vec![0; 600 << 10];
        let refused = [
            (packed(&[("../f", Regular, b"x")]), "leads out of the archive"),
            (packed(&[("/f", Regular, b"x")]), "leads out of the archive"),
            (packed(&[("f", Symlink, b"")]), "is not a regular file"),
            (packed(&[("a/f", Regular, b"1"), ("b/f", Regular, b"2")]), "several members"),
            (packed(&[("g", Regular, b"1")]), "has no member"),
            (packed(&[("f", Regular, &vec![0; 40 << 20])]), "times larger"),
            (b"PK\x03\x04".to_vec(), "a:"),
            (zipped(&[("../f", 0o644, b"x")]), "leads out of the archive"),
            (zipped(&[("c:\\f", 0o644, b"x")]), "leads out of the archive"),
            (zipped(&[("f", 0o120_777, b"/bin/sh")]), "is not a regular file"),
            (zipped(&[("a/f", 0o644, b"1"), ("b/f", 0o644, b"2")]), "several members"),
            (zipped(&[("g", 0o644, b"1")]), "has no member"),
            (zipped(&[("f", 0o644, &vec![0; 40 << 20])]), "times larger"),
            (packed(&[("f", Regular, b"1"), ("./f", Regular, b"2")]), "twice"),
            (zipped(&[("f", 0o644, b"1"), ("./f", 0o644, b"2")]), "twice"),
            (zipped(&[("a/f", 0o644, &part), ("b/f", 0o644, &part)]), "times larger"),
            (packed(&[("a/f", Regular, &part), ("b/f", Regular, &part)]), "times larger"),
            (b"\x1f\x8bnonsense".to_vec(), "a:"),
        ];
        for (archive, message) in refused {
            let error = read_member("a", &archive, "f").unwrap_err();
            assert!(error.contains(message), "{message}: {error}");
        }
    }
}
