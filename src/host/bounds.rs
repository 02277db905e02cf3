//! How much is taken in.

use std::io::Read;
use std::path::Path;

pub(super) const CATALOG_LIMIT: u64 = 5 << 20;

pub(super) const DOWNLOAD_LIMIT: u64 = 512 << 20;

/// Reads a file that may not be larger than a limit.
pub(super) fn read_bounded(path: &Path, limit: u64) -> Result<Vec<u8>, String> {
    let file = fs_err::File::open(path).map_err(|error| error.to_string())?;
    let mut bytes = Vec::new();
    file.take(limit + 1).read_to_end(&mut bytes).map_err(|error| error.to_string())?;
    if bytes.len() as u64 > limit {
        return Err(format!("{}: has more than {} MiB", path.display(), limit >> 20));
    }
    Ok(bytes)
}
