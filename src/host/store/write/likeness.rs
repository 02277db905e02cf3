//! Properties of a file besides its bytes: mode, owner, access lists and other attributes, hard
//! links.

use std::fs;
use std::io;
use std::path::Path;

use super::BeforeCallHook;

/// The reason why a new file cannot replace this one: it has other hard links, which would keep the
/// old text.
pub(super) fn is_shared(found: &fs::Metadata) -> Option<String> {
    #[cfg(unix)]
    let names = std::os::unix::fs::MetadataExt::nlink(found);
    #[cfg(not(unix))]
    let names = {
        let _ = found;
        1
    };
    (names > 1).then(|| {
        format!(
            "the file has {names} names (hard links), and the others would keep the old content"
        )
    })
}

/// Gives a new file the mode, owner and attributes of the file that it replaces.
#[cfg(unix)]
pub(super) fn copy_file_properties(
    old: &Path,
    new: &Path,
    before: BeforeCallHook<'_>,
) -> Result<(), String> {
    use std::os::unix::fs::{MetadataExt as _, chown};

    let facts = |path: &Path| fs::metadata(path).map_err(|error| error.to_string());
    let (wanted, is) = (facts(old)?, facts(new)?);
    if (wanted.uid(), wanted.gid()) != (is.uid(), is.gid()) {
        let lost = |error: io::Error| {
            format!(
                "a new file cannot get the owner and group ({}:{}) of the old one ({error})",
                wanted.uid(),
                wanted.gid()
            )
        };
        before("chown").map_err(lost)?;
        chown(new, Some(wanted.uid()), Some(wanted.gid())).map_err(lost)?;
    }
    let lost =
        |error: io::Error| format!("a new file cannot get the mode of the old one ({error})");
    before("chmod").map_err(lost)?;
    fs::set_permissions(new, wanted.permissions()).map_err(lost)?;
    #[cfg(target_os = "linux")]
    copy_attributes(old, new, before)?;
    Ok(())
}

#[cfg(not(unix))]
pub(super) fn copy_file_properties(
    old: &Path,
    new: &Path,
    before: BeforeCallHook<'_>,
) -> Result<(), String> {
    let lost = |error: io::Error| {
        format!("a new file cannot get the permissions of the old one ({error})")
    };
    before("chmod").map_err(lost)?;
    let wanted = fs::metadata(old).map_err(lost)?.permissions();
    fs::set_permissions(new, wanted).map_err(lost)
}

/// Copies extended attributes, including access lists.
#[cfg(target_os = "linux")]
fn copy_attributes(old: &Path, new: &Path, before: BeforeCallHook<'_>) -> Result<(), String> {
    use rustix::fs::{XattrFlags, getxattr, listxattr, setxattr};
    use rustix::io::Errno;

    /// The maximum length of names and of values on Linux.
    const MAX_ATTRIBUTE_BYTES: usize = 64 << 10;
    let mut names = vec![0; MAX_ATTRIBUTE_BYTES];
    let length = match listxattr(old, &mut names[..]) {
        Ok(length) => length,
        Err(Errno::OPNOTSUPP | Errno::NOSYS) => return Ok(()),
        Err(error) => return Err(format!("the attributes of the file cannot be read ({error})")),
    };
    for name in names[..length].split(|byte| *byte == 0).filter(|name| !name.is_empty()) {
        let mut value = vec![0; MAX_ATTRIBUTE_BYTES];
        let shown = String::from_utf8_lossy(name).into_owned();
        let lost = |error: Errno| {
            format!("a new file cannot get the attribute {shown} of the old one ({error})")
        };
        let size = match getxattr(old, name, &mut value[..]) {
            Ok(size) => size,
            Err(Errno::NODATA) => continue,
            Err(error) => return Err(lost(error)),
        };
        before("setxattr").map_err(|error| error.to_string())?;
        match setxattr(new, name, &value[..size], XattrFlags::empty()) {
            // The system itself sets these attributes on the new file.
            Err(_) if name.starts_with(b"security.") || name.starts_with(b"trusted.") => {}
            Err(error) => return Err(lost(error)),
            Ok(()) => {}
        }
    }
    Ok(())
}

/// Gives a new file the default mode, found by creating an empty file.
pub(super) fn set_default_mode(path: &Path, before: BeforeCallHook<'_>) -> io::Result<()> {
    before("chmod")?;
    let mut name = path.as_os_str().to_owned();
    name.push("-mode");
    let probe = Path::new(&name);
    let made = fs::OpenOptions::new().write(true).create_new(true).open(probe)?;
    let mode = made.metadata().map(|found| found.permissions());
    fs::remove_file(probe)?;
    fs::set_permissions(path, mode?)
}
