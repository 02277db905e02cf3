//! The open documents and their limits.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;

/// Limit of a document; a longer one is not checked.
pub(crate) const MAX_DOCUMENT_BYTES: usize = 8 * 1024 * 1024;
/// Limit of open documents; further ones are not checked.
pub(crate) const MAX_DOCUMENTS: usize = 256;

/// The texts of open documents, by path.
pub(crate) type Texts = BTreeMap<PathBuf, Arc<[u8]>>;
