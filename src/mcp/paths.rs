//! Paths of an agent, within the root of the server.

use std::path::{Component, Path};

const REMOTE: &str = "an address is not allowed: name a path of the repository";
const OUTSIDE: &str = "the path is outside the repository: name a path relative to its root";

/// A path relative to the root, `.` for the root itself. The name of a deployment object
/// (`app.yaml#web`) is a path too. Links are resolved where files are read.
pub(super) fn path_below_root(root: &Path, path: &str) -> Result<String, &'static str> {
    if path.contains("://") {
        return Err(REMOTE);
    }
    let path = Path::new(path);
    let path =
        if path.is_absolute() { path.strip_prefix(root).map_err(|_| OUTSIDE)? } else { path };
    let mut parts: Vec<&str> = Vec::new();
    for part in path.components() {
        match part {
            Component::Normal(name) => parts.push(name.to_str().ok_or(OUTSIDE)?),
            Component::CurDir => {}
            Component::ParentDir => drop(parts.pop().ok_or(OUTSIDE)?),
            Component::RootDir | Component::Prefix(_) => return Err(OUTSIDE),
        }
    }
    Ok(if parts.is_empty() { ".".to_owned() } else { parts.join("/") })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_stay_below_the_root() {
        let within = |path| path_below_root(Path::new("/r"), path);
        assert_eq!(within("a/../b/./c"), Ok("b/c".to_owned()));
        assert_eq!(within("/r/a.yaml#web@p"), Ok("a.yaml#web@p".to_owned()));
        assert_eq!(within(""), Ok(".".to_owned()));
        for outside in ["..", "a/../..", "/etc", "/rr", "a/../../r/b"] {
            assert_eq!(within(outside), Err(OUTSIDE), "{outside}");
        }
        assert_eq!(within("https://example.com/r//a"), Err(REMOTE));
    }
}
