//! The open documents and their limits.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::positions::byte_at;

/// Limit of a document; a longer one is not checked.
const MAX_DOCUMENT_BYTES: usize = 8 * 1024 * 1024;
/// Limit of the texts that are checked together. Those that were changed last are checked.
const MAX_CHECKED_BYTES: usize = 64 * 1024 * 1024;
/// Limit of the texts that are kept; further documents are kept without their text.
const MAX_KEPT_BYTES: usize = 256 * 1024 * 1024;

pub(crate) type Texts = BTreeMap<PathBuf, Arc<[u8]>>;

pub(crate) struct Document {
    pub(crate) path: PathBuf,
    pub(crate) text: Arc<str>,
    pub(crate) version: i32,
    pub(crate) revision: u64,
    /// True if the text exceeds a limit and is not kept, until the client sends it again.
    is_dropped: bool,
}

/// The open documents, by the addresses that the client uses.
#[derive(Default)]
pub(crate) struct Documents {
    by_uri: BTreeMap<String, Document>,
    kept_bytes: usize,
}

impl Documents {
    pub(crate) fn get(&self, uri: &str) -> Option<&Document> {
        self.by_uri.get(uri)
    }

    pub(crate) fn at_path(&self, path: &Path) -> Option<(&str, &Document)> {
        let found = self.by_uri.iter().find(|(_, document)| document.path == *path);
        found.map(|(uri, document)| (&**uri, document))
    }

    pub(crate) fn open(&mut self, uri: &str, path: PathBuf, version: i32, text: String) {
        self.close(uri);
        let document =
            Document { path, text: Arc::from(""), version, revision: 0, is_dropped: true };
        self.by_uri.insert(uri.to_owned(), document);
        self.replace_text(uri, text);
    }

    pub(crate) fn close(&mut self, uri: &str) -> Option<PathBuf> {
        let closed = self.by_uri.remove(uri)?;
        self.kept_bytes -= closed.text.len();
        Some(closed.path)
    }

    /// Applies changes in their order, and returns the path of the document.
    pub(crate) fn change(
        &mut self,
        params: lsp_types::DidChangeTextDocumentParams,
    ) -> Option<PathBuf> {
        let uri = params.text_document.uri.as_str();
        self.by_uri.get_mut(uri)?.version = params.text_document.version;
        for change in params.content_changes {
            let document = self.by_uri.get(uri)?;
            match change.range {
                None => self.replace_text(uri, change.text),
                // The change of a text that is not known.
                Some(_) if document.is_dropped => {}
                Some(range) => {
                    let mut text = document.text.to_string();
                    let start = byte_at(&text, range.start);
                    let end = byte_at(&text, range.end).max(start);
                    text.replace_range(start..end, &change.text);
                    self.replace_text(uri, text);
                }
            }
        }
        self.get(uri).map(|document| document.path.clone())
    }

    fn replace_text(&mut self, uri: &str, text: String) {
        let Some(document) = self.by_uri.get_mut(uri) else { return };
        self.kept_bytes -= document.text.len();
        document.is_dropped =
            text.len() > MAX_DOCUMENT_BYTES || self.kept_bytes + text.len() > MAX_KEPT_BYTES;
        document.text = if document.is_dropped { Arc::from("") } else { Arc::from(text) };
        self.kept_bytes += document.text.len();
    }

    /// Sets the number of the last change of the documents of some files.
    pub(crate) fn mark_changed(&mut self, revision: u64, is_changed: impl Fn(&Path) -> bool) {
        for document in self.by_uri.values_mut().filter(|document| is_changed(&document.path)) {
            document.revision = revision;
        }
    }

    /// The texts that are checked: those of all documents, or up to the limit of the ones that were
    /// changed last.
    pub(crate) fn texts(&self) -> Texts {
        let mut all: Vec<&Document> = self.by_uri.values().filter(|it| !it.is_dropped).collect();
        if self.kept_bytes > MAX_CHECKED_BYTES {
            all.sort_by_key(|document| std::cmp::Reverse(document.revision));
            let mut bytes = 0;
            all.retain(|document| {
                bytes += document.text.len();
                bytes <= MAX_CHECKED_BYTES
            });
        }
        all.iter().map(|it| (it.path.clone(), Arc::from(it.text.clone()))).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn paths(documents: &Documents) -> Vec<String> {
        documents.texts().keys().map(|path| path.display().to_string()).collect()
    }

    #[test]
    fn documents_beyond_a_limit_are_checked_once_there_is_space() {
        let mut documents = Documents::default();
        for number in 1..=9_u64 {
            let path = PathBuf::from(format!("/{number}"));
            documents.open(&format!("file:///{number}"), path, 1, "x".repeat(8 << 20));
            documents.mark_changed(number, |it| it == Path::new(&format!("/{number}")));
        }
        let last: Vec<String> = (2..=9).map(|it| format!("/{it}")).collect();
        assert_eq!(paths(&documents), last);
        assert_eq!(documents.close("file:///5"), Some(PathBuf::from("/5")));
        assert_eq!(paths(&documents).len(), 8);
        documents.open("file:///1", "/1".into(), 2, "x".repeat((8 << 20) + 1));
        assert_eq!(paths(&documents).len(), 7);
        documents.open("file:///1", "/1".into(), 3, "short".to_owned());
        assert_eq!(paths(&documents).len(), 8);
    }
}
