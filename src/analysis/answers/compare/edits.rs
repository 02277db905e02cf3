//! The edits between two texts of a file, which can be reverted separately.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::edit::FileEdit;
use super::entry_edits::entry_edits;
use super::entry_lines::{EntryLines, is_well_formed};
use super::flow_edits::split_flow_edits;
use crate::answers::secrets::Secrets;
use crate::engine::evaluate::target_file_names;

/// The two texts of a file, and the edits between them.
#[derive(Clone, Debug, Default)]
pub struct FileEdits {
    /// The path at which the first build reads the file.
    pub before_path: PathBuf,
    /// The path at which the second build reads the file.
    pub path: PathBuf,
    before: Option<Arc<[u8]>>,
    after: Option<Arc<[u8]>>,
    /// In the order of the lines of the second text.
    pub edits: Vec<FileEdit>,
    /// True if the file is not text, was added or was removed: all of it is one edit.
    is_whole: bool,
    /// True if both texts are YAML trees without a key twice.
    is_tree: bool,
    has_unique_names: bool,
}

pub fn file_edits(
    before_path: &Path,
    path: &Path,
    before: Option<Arc<[u8]>>,
    after: Option<Arc<[u8]>>,
) -> FileEdits {
    let (before_path, path) = (before_path.to_owned(), path.to_owned());
    let found = FileEdits { before_path, path, before, after, ..FileEdits::default() };
    let (Some(old), Some(new)) = (found.text(false), found.text(true)) else {
        let [old, new] = [false, true].map(|is_new| 0..found.lines(is_new).len());
        return FileEdits { edits: vec![FileEdit::of_lines(old, new)], is_whole: true, ..found };
    };
    let (old, new) = (EntryLines::read(old), EntryLines::read(new));
    let is_target_file = target_file_names().any(|name| found.path.ends_with(name));
    let edits = split_flow_edits(entry_edits(&old, &new, is_target_file), &old, &new);
    let is_tree = old.is_well_formed() && new.is_well_formed();
    let has_unique_names = old.has_unique_names() && new.has_unique_names();
    FileEdits { edits, is_tree, has_unique_names, ..found }
}

impl FileEdits {
    /// Edits that each add something to a file; `None` without an edit.
    pub(super) fn with_additions(
        path: &Path,
        text: &Arc<[u8]>,
        edits: Vec<FileEdit>,
    ) -> Option<Self> {
        std::str::from_utf8(text).ok().filter(|_| !edits.is_empty())?;
        let (before_path, path) = (path.to_owned(), path.to_owned());
        let after = Some(text.clone());
        let mut found = Self { before_path, path, after, edits, is_tree: true, ..Self::default() };
        found.before = found.with_edits_reverted(&|_| true);
        Some(found)
    }

    /// The edits with both sides swapped. Such edits can be shown, but not reverted.
    pub(super) fn flipped(mut self) -> Self {
        for edit in &mut self.edits {
            std::mem::swap(&mut edit.old, &mut edit.new);
            if let Some(part) = &mut edit.part {
                part.columns.reverse();
                part.elements.reverse();
            }
        }
        let (before_path, path) = (self.path, self.before_path);
        let (before, after) = (self.after, self.before);
        Self { before_path, path, before, after, ..self }
    }

    /// The text of the second side if `is_new`, otherwise that of the first. `None` without a UTF-8
    /// text.
    pub(super) fn text(&self, is_new: bool) -> Option<&str> {
        let bytes = if is_new { &self.after } else { &self.before };
        std::str::from_utf8(bytes.as_deref()?).ok()
    }

    /// The lines of a text with their ends.
    pub(super) fn lines(&self, is_new: bool) -> Vec<&str> {
        self.text(is_new).unwrap_or_default().split_inclusive('\n').collect()
    }

    /// The lines of both texts without their ends, values of Secrets masked.
    pub fn masked_lines(&self, secrets: &Secrets) -> [Vec<String>; 2] {
        [(&self.before_path, &self.before), (&self.path, &self.after)].map(|(path, bytes)| {
            let masked = secrets.file(path, bytes.as_deref().unwrap_or_default());
            let text = String::from_utf8_lossy(&masked).into_owned();
            let lines = text.split_inclusive('\n');
            lines.map(|line| line.trim_end_matches(['\n', '\r']).to_owned()).collect()
        })
    }

    /// False for a text that is no YAML, has a key twice or a list with two elements of one name,
    /// unless a side is such a text as well: a build of it is no proof.
    pub(super) fn is_sound(&self, text: Option<&[u8]>) -> bool {
        let is_checked = self.is_tree || self.has_unique_names;
        !is_checked
            || text.is_none_or(|text| is_well_formed(text, self.is_tree, self.has_unique_names))
    }

    /// The second text without the edits that `is_taken_back` selects by index; `None` if no file
    /// exists without them.
    pub fn with_edits_reverted(&self, is_taken_back: &dyn Fn(usize) -> bool) -> Option<Arc<[u8]>> {
        let has_reverted_edit = (0..self.edits.len()).any(is_taken_back);
        if !has_reverted_edit {
            return self.after.clone();
        }
        if self.is_whole {
            return self.before.clone();
        }
        let (after, old_lines) = (self.text(true).unwrap_or_default(), self.lines(false));
        let mut starts: Vec<usize> = vec![0];
        starts.extend(after.match_indices('\n').map(|(at, _)| at + 1));
        let start = |line: usize| starts.get(line).copied().unwrap_or(after.len());
        let mut text = String::new();
        let (mut at, mut is_line_end) = (0, false);
        for (_, edit) in self.edits.iter().enumerate().filter(|(at, _)| is_taken_back(*at)) {
            let first = start(edit.new.start);
            let (range, old) = match &edit.part {
                Some(part) => {
                    (first + part.range.start..first + part.range.end, part.old_text.clone())
                }
                None => (first..start(edit.new.end), edit.restored_text(&old_lines)),
            };
            let piece = after.get(at..range.start).unwrap_or_default();
            push_lines(&mut text, piece, is_line_end);
            push_lines(&mut text, &old, edit.part.is_none());
            (at, is_line_end) = (range.end, edit.part.is_none());
        }
        push_lines(&mut text, after.get(at..).unwrap_or_default(), is_line_end);
        Some(text.into_bytes().into())
    }
}

/// Appends a text, on a new line if `is_line`: the last line of a file may have no end.
fn push_lines(text: &mut String, more: &str, is_line: bool) {
    if is_line && !more.is_empty() && !text.is_empty() && !text.ends_with('\n') {
        text.push('\n');
    }
    text.push_str(more);
}

#[cfg(test)]
mod tests {
    use super::super::canonical::canonical_text;
    use super::*;
    use crate::engine::yaml::parse_nodes;

    fn edits(old: &str, new: &str) -> FileEdits {
        let (path, bytes) = (Path::new("/r/f.yaml"), |text: &str| Some(Arc::from(text.as_bytes())));
        file_edits(path, path, bytes(old), bytes(new))
    }

    #[test]
    fn every_edit_can_be_reverted_alone() {
        let (old, new) = ("a\nb\nc\nd\ne", "a\nB\nC\nd\nx\ny\n");
        let without = |taken: &[usize]| {
            let bytes = edits(old, new).with_edits_reverted(&|at| taken.contains(&at)).unwrap();
            String::from_utf8_lossy(&bytes).into_owned()
        };
        assert_eq!(without(&[]), new);
        assert_eq!(without(&[0]), "a\nb\nC\nd\nx\ny\n");
        assert_eq!(without(&[2]), "a\nB\nC\nd\ne");
        assert_eq!(without(&[0, 1, 2]), old);
        let lines = |old: &str, new: &str| -> Vec<(u32, usize, u32, usize)> {
            let edits = edits(old, new).edits.into_iter();
            let lines = |it: FileEdit| (it.old_line(), it.old.len(), it.new_line(), it.new.len());
            edits.map(lines).collect()
        };
        assert_eq!(lines(old, new), [(2, 1, 2, 1), (3, 1, 3, 1), (5, 1, 5, 2)]);
        // A line inserted below another block is a separate edit.
        let parts = lines(
            "a:\n  b:\n    c: 1\ne: 1\n",
            "a:\n  b:\n    c: 1\n    x: 1\n\n    y: 1\n  z: 1\nd: 1\ne: 1\n",
        );
        assert_eq!(parts, [(4, 0, 4, 2), (4, 0, 6, 1), (4, 0, 7, 1), (4, 0, 8, 1)]);
        // Added and removed entries are separate edits, each from its first line on, with the
        // comments before it; a document is one edit.
        let few = "rules:\n- verbs:\n  - get\n- verbs:\n  - list\n";
        let many = "rules:\n- verbs:\n  - get\n- verbs:\n  - create\n# why\n- verbs:\n  - watch\n- verbs:\n  - list\n";
        assert_eq!(lines(few, many), [(4, 0, 4, 2), (4, 0, 6, 3)]);
        assert_eq!(lines(many, few), [(4, 2, 4, 0), (6, 3, 4, 0)]);
        let one = "kind: A\nname: a\n";
        let three = "kind: A\nname: a\n---\nkind: B\nname: b\n---\nkind: C\nname: c\n";
        assert_eq!(lines(one, three), [(3, 0, 3, 3), (3, 0, 6, 3)]);
        let parts =
            lines("a:\n  x: 1\n", "a:\n  x: 1\nargs:\n- b\n- c\ntext: |\n  d\n  # e\nf: 1\n");
        assert_eq!(parts, [(3, 0, 3, 3), (3, 0, 6, 3), (3, 0, 9, 1)]);
        // A separator at the end begins no document.
        let ended = format!("{one}---\n");
        assert_eq!(lines(&ended, &ended.replace("name: a", "name: b")), [(2, 1, 2, 1)]);
        let path = Path::new("/r/f.yaml");
        let whole = file_edits(path, path, None, Some(Arc::from("a\n".as_bytes())));
        assert_eq!(whole.with_edits_reverted(&|_| true), None);
        assert_eq!(whole.edits, [FileEdit::of_lines(0..0, 0..1)]);
    }

    proptest::proptest! {
        #[test]
        fn text_without_all_edits_is_the_first_text(
            old in proptest::collection::vec("(|  |- )[abc](|:)|---|", 0..24),
            new in proptest::collection::vec("(|  |- )[abc](|:)|---|", 0..24),
        ) {
            let text = |lines: &[String]| -> String {
                lines.iter().map(|line| format!("{line}\n")).collect()
            };
            let (old, new) = (text(&old), text(&new));
            let edits = edits(&old, &new);
            let reverted = |is_reverted| {
                let bytes = edits.with_edits_reverted(&|_| is_reverted);
                String::from_utf8_lossy(&bytes.unwrap_or_default()).into_owned()
            };
            proptest::prop_assert_eq!((reverted(true), reverted(false)), (old, new));
        }
    }

    /// A kustomization file with lists, each of an indentation and the names of its elements.
    fn kustomization(lists: &[(usize, String)], is_reversed: bool) -> String {
        let list = |(at, (indent, names)): (usize, &(usize, String))| {
            let indent = " ".repeat(*indent);
            let item =
                |name| format!("{indent}- name: {name}\n{indent}  v: {at}{}\n", indent.len());
            format!("k{at}:\n{}", names.chars().map(item).collect::<String>())
        };
        let mut lists: Vec<String> = lists.iter().enumerate().map(list).collect();
        if is_reversed {
            lists.reverse();
        }
        lists.concat()
    }

    proptest::proptest! {
        #[test]
        fn file_without_all_edits_has_the_data_of_the_first(
            old in proptest::collection::vec((0_usize..4, "[x-z]{1,4}"), 1..4),
            new in proptest::collection::vec((0_usize..4, "[x-z]{1,4}"), 1..4),
            is_reversed in proptest::bool::ANY,
        ) {
            let (old, new) = (kustomization(&old, false), kustomization(&new, is_reversed));
            let path = Path::new("/r/kustomization.yaml");
            let bytes = |text: &str| Some(Arc::from(text.as_bytes()));
            let found = file_edits(path, path, bytes(&old), bytes(&new));
            let data = |text: &[u8]| -> Vec<String> {
                parse_nodes(text).unwrap().iter().map(canonical_text).collect()
            };
            let reverted = found.with_edits_reverted(&|_| true).unwrap();
            proptest::prop_assert_eq!(data(&reverted), data(old.as_bytes()));
        }
    }

    #[test]
    fn lines_of_a_folded_scalar_are_one_edit() {
        let lines = |old: &str, new: &str| -> Vec<(u32, usize, usize)> {
            let edits = edits(old, new).edits.into_iter();
            edits.map(|it| (it.new_line(), it.old.len(), it.new.len())).collect()
        };
        let text = |first: &str, last: &str, name: &str| {
            format!("a:\n  description: '{first}\n    same\n    {last}'\n  name: {name}\n")
        };
        let old = text("one", "three", "n");
        assert_eq!(lines(&old, &text("ONE", "THREE", "m")), [(2, 3, 3), (5, 1, 1)]);
        assert_eq!(lines(&old, &text("ONE", "three", "m")), [(2, 1, 1), (5, 1, 1)]);
        let block = |first: &str, last: &str| format!("a: |\n  {first}\n  same\n  {last}\n");
        assert_eq!(lines(&block("x", "y"), &block("X", "Y")), [(2, 1, 1), (4, 1, 1)]);
    }

    #[test]
    fn order_and_layout_of_a_kustomization_file_are_no_edits() {
        let old = "resources:\n- ../base\nimages:\n- name: a\n  newTag: \"1\"\n- name: b\nnamePrefix: x-\n";
        let new = "namePrefix: y-\nresources:\n  - ../base\n  - more.yaml\nimages:\n  - name: a\n    newTag: \"2\"\n";
        let (path, bytes) =
            (Path::new("/r/kustomization.yaml"), |text: &str| Arc::from(text.as_bytes()));
        let found = file_edits(path, path, Some(bytes(old)), Some(bytes(new)));
        let lines = found.edits.iter().map(|it| (it.old_line(), it.new_line(), it.new.len()));
        assert_eq!(lines.collect::<Vec<_>>(), [(7, 1, 1), (3, 4, 1), (5, 7, 1), (6, 8, 0)]);
        let without = |taken: &dyn Fn(usize) -> bool| {
            let bytes = found.with_edits_reverted(taken).unwrap();
            String::from_utf8_lossy(&bytes).into_owned()
        };
        let restored = "namePrefix: x-\nresources:\n  - ../base\nimages:\n  - name: a\n    newTag: \"1\"\n  - name: b\n";
        assert_eq!(without(&|_| true), restored);
        assert!(
            without(&|at| at == 2)
                .ends_with("  - more.yaml\nimages:\n  - name: a\n    newTag: \"1\"\n")
        );
    }

    #[test]
    fn text_with_a_doubled_key_is_not_sound() {
        let text = |text: &'static str| Some(text.as_bytes());
        let swapped = edits("a: 1\nb: 2\n", "b: 1\na: 2\n");
        assert!(!swapped.is_sound(text("a: 1\na: 2\n")));
        assert!(!swapped.is_sound(text("a: 1\n- b\n")));
        assert!(swapped.is_sound(text("a: 1\n")) && swapped.is_sound(None));
        let doubled = edits("a: 1\na: 2\n", "a: 1\n");
        assert!(doubled.is_sound(text("a: 1\na: 2\n")), "a side has it as well");
    }
}
