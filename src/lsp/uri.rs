//! Converts between the URIs of documents and paths.

use std::path::{Path, PathBuf};
use std::str::FromStr as _;

use lsp_types::Uri;
use percent_encoding::percent_decode_str;

use crate::display::percent_encoded;

/// The path of a document; `None` for a document that is no file.
pub(crate) fn path_from_uri(uri: &Uri) -> Option<PathBuf> {
    let path = uri.as_str().strip_prefix("file://")?;
    let path = path.strip_prefix("localhost").unwrap_or(path);
    let path = percent_decode_str(path).decode_utf8().ok()?;
    // On Windows, an address contains a path such as `/c:/shop`.
    let drive = path
        .strip_prefix('/')
        .filter(|rest| cfg!(windows) && rest.as_bytes().get(1) == Some(&b':'));
    let path = PathBuf::from(drive.unwrap_or(&path));
    path.is_absolute().then_some(path)
}

/// The address of a file; `None` for a path that is no text.
fn uri_from_path(path: &Path) -> Option<Uri> {
    let text = path.to_str()?.replace(std::path::MAIN_SEPARATOR, "/");
    let slash = if text.starts_with('/') { "" } else { "/" };
    Uri::from_str(&format!("file://{slash}{}", percent_encoded(&text, "-._~/!$&'()*+,;=:@"))).ok()
}

/// Limit of the folders that the client names by a link.
const MAX_FOLDERS: usize = 16;

/// Folders that the client names by a link, so that answers name them in the same way: each without
/// links, and as the client writes it.
#[derive(Clone, Debug, Default)]
pub(crate) struct LinkedFolders(Vec<[PathBuf; 2]>);

impl LinkedFolders {
    /// Adds the folder of a document: `link` is its path as the client writes it, `real` its path
    /// without links. Both are stored without the end that they have in common.
    pub(crate) fn add(&mut self, mut link: &Path, mut real: &Path) {
        while let (Some(one), Some(other)) = (link.file_name(), real.file_name())
            && one == other
            && let (Some(link_above), Some(real_above)) = (link.parent(), real.parent())
        {
            (link, real) = (link_above, real_above);
        }
        let folder = [real, link].map(Path::to_owned);
        if link != real && !self.0.contains(&folder) && self.0.len() < MAX_FOLDERS {
            self.0.push(folder);
        }
    }

    pub(crate) fn uri(&self, path: &Path) -> Option<Uri> {
        let linked = self.0.iter().find_map(|[real, link]| {
            let rest = path.strip_prefix(real).ok()?;
            // Joined with an empty path, a file would end with a slash.
            let is_itself = rest.as_os_str().is_empty();
            Some(if is_itself { link.clone() } else { link.join(rest) })
        });
        uri_from_path(linked.as_deref().unwrap_or(path))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_with_any_characters_survive_conversion() {
        for path in ["/a b/%20#?.yaml", "/é/{x}[1]", "/a:b@c/+"] {
            let uri = uri_from_path(Path::new(path)).unwrap();
            assert_eq!(path_from_uri(&uri), Some(PathBuf::from(path)), "{}", uri.as_str());
        }
    }

    #[test]
    fn files_below_a_link_are_named_below_it() {
        let mut folders = LinkedFolders::default();
        folders.add(Path::new("/home/me/shop/base/web.yaml"), Path::new("/data/7/base/web.yaml"));
        folders.add(Path::new("/etc/web.yaml"), Path::new("/etc/site.yaml"));
        let path = |real: &str| path_from_uri(&folders.uri(Path::new(real)).unwrap()).unwrap();
        assert_eq!(path("/data/7/dev/a.yaml"), PathBuf::from("/home/me/shop/dev/a.yaml"));
        assert_eq!(path("/data/8/dev/a.yaml"), PathBuf::from("/data/8/dev/a.yaml"));
        assert_eq!(path("/etc/site.yaml"), PathBuf::from("/etc/web.yaml"));
    }

    #[test]
    fn document_without_file_has_no_path() {
        for uri in ["untitled:Untitled-1", "http://a/b", "file:b", "file:///%ff"] {
            assert_eq!(path_from_uri(&Uri::from_str(uri).unwrap()), None, "{uri}");
        }
    }
}
