//! Edits inside a collection that is written on one line (`[a, b]`, `{a: 1}`): each changed element
//! is a separate edit.

use std::ops::Range;

use crate::engine::yaml::quoted_length;
use similar::{Algorithm, DiffOp, capture_diff_slices};

use super::edit::{FileEdit, LinePart};
use super::entry_lines::EntryLines;

/// Replaces each edit of one line by edits of the changed elements of a collection in it. Other
/// edits are unchanged.
pub(super) fn split_flow_edits(
    edits: Vec<FileEdit>,
    old: &EntryLines<'_>,
    new: &EntryLines<'_>,
) -> Vec<FileEdit> {
    let split = |edit: FileEdit| {
        let lines = (&old.lines[edit.old.clone()], &new.lines[edit.new.clone()]);
        let ([old], [new]) = lines else { return vec![edit] };
        element_edits(&edit, old, new).unwrap_or_else(|| vec![edit])
    };
    edits.into_iter().flat_map(split).collect()
}

/// The edits of the changed elements, in the order of the new line. `None` if the edit is no change
/// of elements of a collection on one line.
fn element_edits(edit: &FileEdit, old: &str, new: &str) -> Option<Vec<FileEdit>> {
    let (one, other) = (FlowCollection::in_line(old)?, FlowCollection::in_line(new)?);
    let is_alike = old[..one.range.start] == new[..other.range.start]
        && old[one.range.end..] == new[other.range.end..]
        && one.is_mapping == other.is_mapping;
    if !is_alike {
        return None;
    }
    let mut found = LineEdits { line: edit, old, new, edits: Vec::new() };
    found.add_changes(&one, &other)?;
    let parts = || found.edits.iter().filter_map(|edit| edit.part.as_ref());
    let (mut text, mut at) = (String::new(), 0);
    for part in parts() {
        text.push_str(new.get(at..part.range.start)?);
        text.push_str(&part.old_text);
        at = part.range.end;
    }
    text.push_str(new.get(at..)?);
    let is_whole = found.edits.len() == 1 && parts().all(|part| part.range == other.range);
    (text == *old && !is_whole && !found.edits.is_empty()).then_some(found.edits)
}

struct LineEdits<'l> {
    line: &'l FileEdit,
    old: &'l str,
    new: &'l str,
    edits: Vec<FileEdit>,
}

impl LineEdits<'_> {
    /// Adds an edit of the text at `range` of the new line, which was `old_text` of the old line: an
    /// element with the comma before or after it. `None` is a side without the element.
    fn add(
        &mut self,
        range: Range<usize>,
        old_text: Range<usize>,
        [one, other]: [Option<&Range<usize>>; 2],
    ) {
        let column = |text: &str, at: usize| {
            u32::try_from(text[..at].chars().count() + 1).unwrap_or(u32::MAX)
        };
        let text = |line: &str, element: &Range<usize>| line[element.clone()].to_owned();
        // A side without the element has no lines.
        let lines =
            |of: &Range<usize>, element: Option<_>| of.start..of.start + element.iter().count();
        self.edits.push(FileEdit {
            old: lines(&self.line.old, one),
            new: lines(&self.line.new, other),
            part: Some(LinePart {
                columns: [
                    column(self.old, one.map_or(old_text.start, |it| it.start)),
                    column(self.new, other.map_or(range.start, |it| it.start)),
                ],
                elements: [one.map(|it| text(self.old, it)), other.map(|it| text(self.new, it))],
                old_text: self.old[old_text].to_owned(),
                range,
            }),
        });
    }

    fn replace(&mut self, old: &Range<usize>, new: &Range<usize>) {
        self.add(new.clone(), old.clone(), [Some(old), Some(new)]);
    }

    /// Adds the changes between two collections of the same kind. `None` if the order of equal
    /// elements differs in a way that separate edits cannot express.
    fn add_changes(&mut self, one: &FlowCollection, other: &FlowCollection) -> Option<()> {
        if one.elements.is_empty() || other.elements.is_empty() {
            self.replace(&one.range, &other.range);
            return Some(());
        }
        for op in capture_diff_slices(Algorithm::Myers, &one.keys(self.old), &other.keys(self.new))
        {
            let (from, to) = (op.old_range(), op.new_range());
            let is_pair = matches!(op, DiffOp::Equal { .. })
                || matches!(op, DiffOp::Replace { .. }) && !one.is_mapping;
            let pairs = if is_pair { from.len().min(to.len()) } else { 0 };
            for by in 0..pairs {
                let old = one.elements.get(from.start + by)?;
                let new = other.elements.get(to.start + by)?;
                match (&old.collection, &new.collection) {
                    _ if self.old[old.range.clone()] == self.new[new.range.clone()] => {}
                    (Some(old), Some(new)) if old.is_mapping == new.is_mapping => {
                        self.add_changes(old, new)?;
                    }
                    _ => self.replace(&old.range, &new.range),
                }
            }
            // Removed elements follow the element before them in the new line; added elements are
            // removed with the comma before them. At the start of a collection, the comma follows.
            for at in from.start + pairs..from.end {
                self.remove(one, at, other, to.start + pairs)?;
            }
            for at in to.start + pairs..to.end {
                self.insert(other, at)?;
            }
        }
        Some(())
    }

    fn remove(
        &mut self,
        one: &FlowCollection,
        at: usize,
        other: &FlowCollection,
        next: usize,
    ) -> Option<()> {
        let element = &one.elements.get(at)?.range;
        let (old_text, place) = if let Some(before) = next.checked_sub(1) {
            let start = one.elements.get(at.checked_sub(1)?)?.range.end;
            (start..element.end, other.elements.get(before)?.range.end)
        } else {
            let end = one.elements.get(at + 1)?.range.start;
            (element.start..end, other.elements.first()?.range.start)
        };
        self.add(place..place, old_text, [Some(element), None]);
        Some(())
    }

    fn insert(&mut self, other: &FlowCollection, at: usize) -> Option<()> {
        let element = &other.elements.get(at)?.range;
        let range = match at.checked_sub(1) {
            Some(before) => other.elements.get(before)?.range.end..element.end,
            None => element.start..other.elements.get(at + 1)?.range.start,
        };
        self.add(range, 0..0, [None, Some(element)]);
        Some(())
    }
}

/// A collection on one line, by byte ranges of the line.
struct FlowCollection {
    range: Range<usize>,
    is_mapping: bool,
    elements: Vec<FlowElement>,
}

/// An element of a list, or an entry of a mapping.
struct FlowElement {
    range: Range<usize>,
    /// The key of an entry; the text of an element of a list.
    key: Range<usize>,
    /// The element, or the value of the entry, if it is a collection.
    collection: Option<FlowCollection>,
}

impl FlowCollection {
    fn keys<'l>(&self, line: &'l str) -> Vec<&'l str> {
        self.elements.iter().map(|element| &line[element.key.clone()]).collect()
    }

    /// The collection that is the value of a line: `key: [a, b]`, `- {a: 1}`.
    fn in_line(line: &str) -> Option<Self> {
        let indent = line.len() - line.trim_start_matches([' ', '-']).len();
        let value = line.get(indent..)?;
        let starts_with = |at: usize| line[at..].starts_with(['[', '{']);
        let start = if starts_with(indent) {
            indent
        } else {
            let colon = [": [", ": {"].into_iter().filter_map(|it| value.find(it)).min()?;
            let key = &value[..colon];
            (!key.contains([' ', '"', '\'', '#'])).then_some(indent + colon + 2)?
        };
        let found = Self::parse(line, start)?;
        let rest = line[found.range.end..].trim();
        (rest.is_empty() || rest.starts_with('#')).then_some(found)
    }

    fn parse(line: &str, start: usize) -> Option<Self> {
        let is_mapping = line[start..].starts_with('{');
        let close = if is_mapping { '}' } else { ']' };
        let mut elements = Vec::new();
        let mut at = start + 1;
        loop {
            at = line.len() - line[at..].trim_start_matches(' ').len();
            if line[at..].starts_with(close) {
                return Some(Self { range: start..at + 1, is_mapping, elements });
            }
            let element = FlowElement::parse(line, at, is_mapping)?;
            at = element.range.end;
            at = line.len() - line[at..].trim_start_matches(' ').len();
            elements.push(element);
            if line[at..].starts_with(',') {
                at += 1;
            } else if !line[at..].starts_with(close) {
                return None;
            }
        }
    }
}

impl FlowElement {
    /// The element that starts at `start`; for a mapping an entry with a plain key.
    fn parse(line: &str, start: usize, is_entry: bool) -> Option<Self> {
        let value = if is_entry {
            let key = line[start..].find([':', ',', '}', '"', '\'', '[', '{'])? + start;
            let rest = line[key..].strip_prefix(": ").filter(|_| !line[..key].ends_with(' '))?;
            line.len() - rest.trim_start_matches(' ').len()
        } else {
            start
        };
        let collection = match line[value..].chars().next()? {
            '[' | '{' => Some(FlowCollection::parse(line, value)?),
            _ => None,
        };
        let end = match &collection {
            Some(collection) => collection.range.end,
            None => scalar_end(line, value)?,
        };
        let range = start..end;
        let key = if is_entry { start..line[start..].find(':')? + start } else { range.clone() };
        (end > value).then_some(Self { range, key, collection })
    }
}

/// The end of the scalar that starts at `start`; `None` for a text that is not finished on the line.
fn scalar_end(line: &str, start: usize) -> Option<usize> {
    let rest = &line[start..];
    let quote = rest.chars().next()?;
    if quote != '"' && quote != '\'' {
        let end = rest.find([',', ']', '}', '#', '\n', '[', '{'])?;
        return Some(start + rest[..end].trim_end().len());
    }
    Some(start + quoted_length(rest, quote)?)
}

#[cfg(test)]
mod tests {
    use std::path::Path;
    use std::sync::Arc;

    use super::super::file_edits;

    /// The edits between two lines, as `COLUMN old → new`.
    fn edits(old: &str, new: &str) -> Vec<String> {
        let bytes = |text: &str| Some(Arc::from(format!("{text}\n").as_bytes()));
        let path = Path::new("/r/f.yaml");
        let found = file_edits(path, path, bytes(old), bytes(new));
        let reverted = found.with_edits_reverted(&|_| true).unwrap();
        assert_eq!(String::from_utf8_lossy(&reverted), format!("{old}\n"));
        let words = found.edits.iter().map(|edit| {
            let Some(part) = &edit.part else { return "0 ".to_owned() };
            let [old, new] = part.elements.clone().map(Option::unwrap_or_default);
            format!("{} {old} → {new}", part.columns[1])
        });
        words.collect()
    }

    #[test]
    fn changed_elements_of_a_line_are_separate_edits() {
        let list = edits("args: [--a=1, --b=1, --c=1]", "args: [--a=2, --b=1, --c=2, --d=1]");
        assert_eq!(list, ["8 --a=1 → --a=2", "22 --c=1 → --c=2", "29  → --d=1"]);
        let mapping = edits(
            "metadata: {name: web, labels: {a: x, b: y, c: z}}",
            "metadata: {name: web, labels: {a: x, b: \"yy, z\", d: w}}",
        );
        assert_eq!(mapping, ["38 b: y → b: \"yy, z\"", "48 c: z → ", "50  → d: w"]);
        let ports = "- [{port: 80, name: http}, {port: 81, name: 'it''s'}]";
        assert_eq!(edits(ports, &ports.replace("81", "82")), ["29 port: 81 → port: 82"]);
        assert_eq!(edits("a: [b, c]", "a: [x, b, c]"), ["5  → x"]);
        assert_eq!(edits("a: [x, y, b, c] # why", "a: [b] # why"), ["5 x → ", "5 y → ", "6 c → "]);
    }

    #[test]
    fn other_changes_of_a_line_are_one_edit() {
        for (old, new) in [
            ("a: [b]", "a: []"),
            ("a: [b]", "a: {b: c}"),
            ("a: [b, c]", "x: [b, d]"),
            ("a: [b, c] # one", "a: [b, d] # two"),
            ("a: [b,", "a: [c,"),
            ("a: {? b : c}", "a: {? b : d}"),
            ("a: {{ .One }}", "a: {{ .Two }}"),
        ] {
            assert_eq!(edits(old, new).len(), 1, "{old}");
            assert!(edits(old, new)[0].starts_with("0 "), "{old}");
        }
    }
}
