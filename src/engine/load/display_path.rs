//! Displayed paths: relative to a directory, or by repository if they lie in a clone.

use std::path::{Path, PathBuf};

use super::GitTarget;

/// A git target that a build fetched, with the work tree of its clone.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Checkout {
    pub tree: PathBuf,
    pub target: GitTarget,
}

impl Checkout {
    /// A path below the work tree in the form of a git target:
    /// `https://example.com/repo//base/a.yaml?ref=v1`; `None` for one outside of it.
    pub fn names(&self, path: &Path) -> Option<String> {
        let inside = path.strip_prefix(&self.tree).ok()?;
        let reference = match self.target.reference.as_str() {
            "" => String::new(),
            reference => format!("?ref={reference}"),
        };
        Some(format!("{}//{}{reference}", self.target.repo, inside.display()))
    }
}

/// A path relative to a directory, with `..` if it lies outside; empty for the directory itself.
/// Both paths must be absolute and clean.
pub fn relative_path(from: &Path, to: &Path) -> String {
    let shared = from.components().zip(to.components()).take_while(|(a, b)| a == b).count();
    let up = std::iter::repeat_n("..".into(), from.components().count() - shared);
    let down = to.components().skip(shared).map(|part| part.as_os_str().to_string_lossy());
    up.chain(down).collect::<Vec<_>>().join("/")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_are_relative_to_a_directory() {
        let relative = |from: &str, to: &str| relative_path(Path::new(from), Path::new(to));
        assert_eq!(relative("/r/overlays/dev", "/r/components/ldap"), "../../components/ldap");
        assert_eq!(relative("/r", "/r/c"), "c");
        assert_eq!(relative("/r", "/r"), "");
    }

    #[test]
    fn a_path_in_a_clone_is_named_by_its_repository() {
        let target = GitTarget::parse("https://example.com/shop.git//base?ref=v1").unwrap();
        let checkout = Checkout { tree: "/cache/1".into(), target };
        assert_eq!(
            checkout.names(Path::new("/cache/1/base/web.yaml")).as_deref(),
            Some("https://example.com/shop.git//base/web.yaml?ref=v1")
        );
        assert_eq!(checkout.names(Path::new("/cache/2/base/web.yaml")), None);
    }
}
