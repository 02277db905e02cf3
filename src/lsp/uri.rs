//! Between the addresses of documents and paths.

use std::path::{Path, PathBuf};
use std::str::FromStr as _;

use lsp_types::Uri;
use percent_encoding::{AsciiSet, CONTROLS, percent_decode_str, utf8_percent_encode};

/// The characters that are written as `%20` in an address.
const ENCODED: &AsciiSet = &CONTROLS
    .add(b' ')
    .add(b'"')
    .add(b'#')
    .add(b'%')
    .add(b'<')
    .add(b'>')
    .add(b'?')
    .add(b'[')
    .add(b'\\')
    .add(b']')
    .add(b'^')
    .add(b'`')
    .add(b'{')
    .add(b'|')
    .add(b'}');

/// The path of a document; `None` for a document that is no file.
pub(crate) fn path_from_uri(uri: &Uri) -> Option<PathBuf> {
    let path = uri.as_str().strip_prefix("file://")?;
    let path = path.strip_prefix("localhost").unwrap_or(path);
    let path = percent_decode_str(path).decode_utf8().ok()?;
    // A path of Windows: `/c:/shop`.
    let drive = path
        .strip_prefix('/')
        .filter(|rest| cfg!(windows) && rest.as_bytes().get(1) == Some(&b':'));
    let path = PathBuf::from(drive.unwrap_or(&path));
    path.is_absolute().then_some(path)
}

/// The address of a file; `None` for a path that is no text.
pub(crate) fn uri_from_path(path: &Path) -> Option<Uri> {
    let text = path.to_str()?.replace(std::path::MAIN_SEPARATOR, "/");
    let slash = if text.starts_with('/') { "" } else { "/" };
    Uri::from_str(&format!("file://{slash}{}", utf8_percent_encode(&text, ENCODED))).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_with_any_characters_survive() {
        for path in ["/a b/%20#?.yaml", "/é/{x}[1]", "/a:b@c/+"] {
            let uri = uri_from_path(Path::new(path)).unwrap();
            assert_eq!(path_from_uri(&uri), Some(PathBuf::from(path)), "{}", uri.as_str());
        }
    }

    #[test]
    fn other_documents_have_no_path() {
        for uri in ["untitled:Untitled-1", "http://a/b", "file:b", "file:///%ff"] {
            assert_eq!(path_from_uri(&Uri::from_str(uri).unwrap()), None, "{uri}");
        }
    }
}
