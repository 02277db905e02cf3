//! One member of an archive, without being led astray by it (B.8).

use std::io::Read;

use flate2::read::GzDecoder;

/// How many times larger than itself an archive may become.
const RATIO: u64 = 100;
/// What a small archive may become in any case.
const LEAST: u64 = 1 << 20;
/// What any archive may become at most.
const MOST: u64 = 2 << 30;

/// True for a name that stands for an archive.
pub(super) fn is_archive(name: &str) -> bool {
    let name = name.split(['?', '#']).next().unwrap_or_default();
    [".tar.gz", ".tgz", ".tar", ".zip"].iter().any(|ending| name.ends_with(ending))
}

/// The member whose path or base name is `bin`: the exact path first. Only a regular file counts.
pub(super) fn member(name: &str, archive: &[u8], bin: &str) -> Result<Vec<u8>, String> {
    if archive.starts_with(b"PK\x03\x04") {
        return Err(format!("{name}: zip archives cannot be read; use .tar.gz"));
    }
    let limit = (archive.len() as u64).saturating_mul(RATIO).clamp(LEAST, MOST);
    let is_packed = archive.starts_with(&[0x1f, 0x8b]);
    let unpacked: Box<dyn Read> =
        if is_packed { Box::new(GzDecoder::new(archive)) } else { Box::new(archive) };
    let bad = |reason: String| format!("{name}: {reason}");
    let mut archive = tar::Archive::new(Bounded { inner: unpacked, left: limit });
    let (mut exact, mut by_name) = (None, Vec::new());
    for entry in archive.entries().map_err(|error| bad(error.to_string()))? {
        let mut entry = entry.map_err(|error| bad(error.to_string()))?;
        let path = String::from_utf8_lossy(&entry.path_bytes()).into_owned();
        if path.starts_with(['/', '\\']) || path.split(['/', '\\']).any(|part| part == "..") {
            return Err(bad(format!("member {path:?} leads out of the archive")));
        }
        let own = path.strip_prefix("./").unwrap_or(&path);
        let is_exact = own == bin.strip_prefix("./").unwrap_or(bin);
        if !is_exact && own.rsplit('/').next() != Some(bin) {
            continue;
        }
        let kind = entry.header().entry_type();
        if kind.is_dir() {
            continue;
        }
        if !kind.is_file() {
            return Err(bad(format!("member {path:?} is a link or no regular file")));
        }
        let mut bytes = Vec::new();
        entry.read_to_end(&mut bytes).map_err(|error| bad(error.to_string()))?;
        if is_exact && exact.replace(bytes.clone()).is_some() {
            return Err(bad(format!("has {bin:?} twice")));
        }
        by_name.push((path, bytes));
    }
    match (exact, by_name.as_slice()) {
        (Some(bytes), _) => Ok(bytes),
        (None, [(_, bytes)]) => Ok(bytes.clone()),
        (None, []) => Err(bad(format!("has no member {bin:?}"))),
        (None, several) => {
            let paths: Vec<&str> = several.iter().map(|(path, _)| path.as_str()).collect();
            Err(bad(format!("has several members {bin:?}: {}", paths.join(", "))))
        }
    }
}

/// A reader that refuses to go on for ever.
struct Bounded<R> {
    inner: R,
    left: u64,
}

impl<R: Read> Read for Bounded<R> {
    fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
        let count = self.inner.read(buffer)?;
        self.left = self.left.checked_sub(count as u64).ok_or_else(|| {
            std::io::Error::other(format!("becomes more than {RATIO} times larger when unpacked"))
        })?;
        Ok(count)
    }
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use super::*;

    fn packed(members: &[(&str, tar::EntryType, &[u8])]) -> Vec<u8> {
        let mut builder = tar::Builder::new(Vec::new());
        for (path, kind, bytes) in members {
            let mut header = tar::Header::new_ustar();
            // Written raw: the builder itself refuses names such as these.
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

    #[test]
    fn one_regular_member_is_taken() {
        use tar::EntryType::{Directory, Regular, Symlink};
        let good = packed(&[("d/", Directory, b""), ("d/f", Regular, b"one"), ("x", Symlink, b"")]);
        assert_eq!(member("a", &good, "f"), Ok(b"one".to_vec()));
        let both = packed(&[("d/f", Regular, b"one"), ("./f", Regular, b"two")]);
        assert_eq!(member("a", &both, "f"), Ok(b"two".to_vec()));
        let refused = [
            (packed(&[("../f", Regular, b"x")]), "leads out of the archive"),
            (packed(&[("/f", Regular, b"x")]), "leads out of the archive"),
            (packed(&[("f", Symlink, b"")]), "is a link"),
            (packed(&[("a/f", Regular, b"1"), ("b/f", Regular, b"2")]), "several members"),
            (packed(&[("g", Regular, b"1")]), "has no member"),
            (packed(&[("f", Regular, &vec![0; 40 << 20])]), "times larger"),
            (b"PK\x03\x04".to_vec(), "zip"),
            (b"\x1f\x8bnonsense".to_vec(), "a:"),
        ];
        for (archive, message) in refused {
            let error = member("a", &archive, "f").unwrap_err();
            assert!(error.contains(message), "{message}: {error}");
        }
    }
}
