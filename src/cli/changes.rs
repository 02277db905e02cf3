//! Changes of files: their diff, and the write that follows it.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use similar::TextDiff;

use super::CliPorts;
use crate::answers::relative;
use crate::answers::secrets::Secrets;
use crate::draft::{FileChange, WriteScope, work_tree_root};

/// A change as a unified diff, with values of Secrets masked.
pub(super) fn diff(change: &FileChange, base: &Path, secrets: &Secrets) -> String {
    let shown = relative(&change.path, base);
    let text = |bytes: &Option<std::sync::Arc<[u8]>>| {
        let masked = secrets.file(&change.path, bytes.as_deref().unwrap_or_default());
        String::from_utf8_lossy(&masked).into_owned()
    };
    let (before, after) = (text(&change.base), text(&change.draft));
    let diff = TextDiff::from_lines(&before, &after);
    diff.unified_diff().header(&format!("a/{shown}"), &format!("b/{shown}")).to_string()
}

/// Writes changes, all or none in each repository, and records them in the log of writes, so that
/// the workbench can revert them.
pub(super) fn write(
    changes: &[FileChange],
    scope: &WriteScope,
    words: &str,
    verb: &str,
    outside: &mut CliPorts<'_>,
) -> std::io::Result<()> {
    let files = outside.ports.files.clone();
    let mut by_root: BTreeMap<PathBuf, Vec<FileChange>> = BTreeMap::new();
    for change in changes {
        // A link may have been created since the change was verified.
        scope.check(&change.path, &*files).map_err(std::io::Error::other)?;
        let folder =
            change.path.ancestors().skip(1).find_map(|above| work_tree_root(above, &*files));
        by_root.entry(folder.unwrap_or_default()).or_default().push(change.clone());
    }
    for (root, changes) in by_root {
        let note = (outside.write_together)(&root, &[words.to_owned()], &changes)?;
        for change in &changes {
            writeln!(outside.err, "{verb}: {}", relative(&change.path, &outside.current))?;
        }
        if let Some(note) = note {
            writeln!(outside.err, "warning: {note}")?;
        }
    }
    Ok(())
}
