//! Which files differ from a git commit.

use std::path::{Path, PathBuf};
use std::process::Command;

use super::names::{real, told_bytes};

/// The files below the repository of a directory that differ from a commit, and those that git does not know yet.
///
/// # Errors
/// git's own words when it fails, or when it is not there.
pub fn changed_since(directory: &Path, reference: &str) -> Result<Vec<PathBuf>, String> {
    if reference.starts_with('-') {
        return Err("a git reference does not begin with a dash".to_owned());
    }
    let root = git(directory, &["rev-parse", "--show-toplevel"])?;
    let root = PathBuf::from(root.trim_end_matches('\n'));
    let differ = git(&root, &["diff", "--name-only", "-z", "--no-ext-diff", reference, "--"])?;
    let new = git(&root, &["ls-files", "--others", "--exclude-standard", "-z"])?;
    let names = differ.split('\0').chain(new.split('\0')).filter(|name| !name.is_empty());
    Ok(names.map(|name| root.join(name)).collect())
}

fn git(directory: &Path, arguments: &[&str]) -> Result<String, String> {
    let output = Command::new("git")
        .args(["-c", "core.quotepath=off", "-c", "core.fsmonitor=false"])
        .args(arguments)
        .current_dir(real(directory))
        .output()
        .map_err(|error| format!("git cannot be run: {error}"))?;
    if output.status.success() {
        return Ok(told_bytes(&output.stdout));
    }
    let words = String::from_utf8_lossy(&output.stderr);
    Err(words.lines().next().unwrap_or("git failed").to_owned())
}
