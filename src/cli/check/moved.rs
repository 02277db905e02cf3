//! The locations of findings in files that fixes have changed.

use std::path::Path;

use similar::TextDiff;

use crate::answers::SharedFinding;
use crate::draft::FileChange;

/// Moves the findings in changed files to the lines of the new texts. A finding on a removed line
/// keeps its file and has no line.
pub(super) fn move_to_new_lines(found: &mut [SharedFinding], changes: &[FileChange]) {
    for change in changes {
        let (Some(before), Some(after)) = (&change.base, &change.draft) else { continue };
        let (before, after) = (String::from_utf8_lossy(before), String::from_utf8_lossy(after));
        let lines = new_lines(&before, &after);
        let is_in = |finding: &&mut SharedFinding| {
            finding.file.as_deref() == Some(Path::new(&change.path)) && finding.mark.line > 0
        };
        for finding in found.iter_mut().filter(is_in) {
            let line = usize::try_from(finding.mark.line).unwrap_or(usize::MAX);
            finding.mark.line = lines.get(line - 1).copied().flatten().unwrap_or(0);
        }
    }
}

/// For each line of the old text, its number in the new text, from 1; `None` if the line was
/// removed. Of replaced lines, the first lines correspond to the new lines, in order.
fn new_lines(before: &str, after: &str) -> Vec<Option<u32>> {
    let diff = TextDiff::from_lines(before, after);
    let mut lines = vec![None; diff.old_len()];
    for (old, new) in diff.ops().iter().flat_map(|op| op.old_range().zip(op.new_range())) {
        lines[old] = u32::try_from(new + 1).ok();
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_after_an_edit_move_and_removed_ones_are_gone() {
        let lines = new_lines("a\nb\nc\nd\n", "new\na\nB\nd\n");
        assert_eq!(lines, [Some(2), Some(3), None, Some(4)]);
        assert_eq!(new_lines("a\nb\n", "a\nb\nc\n"), [Some(1), Some(2)]);
        assert_eq!(new_lines("a\nb\n", ""), [None, None]);
    }
}
