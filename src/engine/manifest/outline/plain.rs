//! A fast reader for the outline of most kustomization files: block mappings, lists of scalars with
//! one scalar per line, comments on separate lines, literal blocks. For any other file the YAML
//! parser is used; both have the same result.

use crate::yaml::{is_plain, key_length, line_indentation, quoted};

use super::shape::{KeyShape, MultilineValue, RootShape, ValueShape};

/// A mapping or list that has not ended yet.
struct OpenBlock {
    is_list: bool,
    column: usize,
    /// True if the last key has no value so far.
    is_waiting: bool,
}

/// Reads the shape of a text in the most common style, without the parser.
struct PlainOutlineReader<'t> {
    text: &'t str,
    open: Vec<OpenBlock>,
    shape: RootShape,
    /// The start of the current line; `next` is the start of the next line.
    start: usize,
    next: usize,
}

/// Reads the outline of a text; `None` if the text needs the YAML parser.
pub(super) fn read(text: &str) -> Option<RootShape> {
    if !text.ends_with('\n') || !text.bytes().all(|byte| matches!(byte, b'\n' | b' '..=b'~')) {
        return None;
    }
    let shape = RootShape { end: text.len(), ..RootShape::default() };
    let mut lines = PlainOutlineReader { text, open: Vec::new(), shape, start: 0, next: 0 };
    while lines.next < text.len() {
        lines.line()?;
    }
    (!lines.open.is_empty()).then_some(lines.shape)
}

impl<'t> PlainOutlineReader<'t> {
    fn line(&mut self) -> Option<()> {
        let line = self.advance()?;
        let indent = line_indentation(line);
        let rest = line.get(indent..)?;
        if rest.is_empty() || rest.starts_with('#') {
            return Some(());
        }
        if line.contains('#') || line.ends_with(' ') {
            return None;
        }
        if rest.starts_with("- ") { self.item(indent, rest) } else { self.key(indent, rest) }
    }

    /// Moves to the next line and returns it without its line end.
    fn advance(&mut self) -> Option<&'t str> {
        let rest = self.text.get(self.next..)?;
        let line = rest.get(..rest.find('\n')?)?;
        self.start = self.next;
        self.next += line.len() + 1;
        Some(line)
    }

    fn item(&mut self, indent: usize, rest: &'t str) -> Option<()> {
        while self.open.last().is_some_and(|top| top.column > indent) {
            self.open.pop();
        }
        match self.open.last_mut() {
            Some(top) if top.is_list && top.column == indent => {}
            Some(top) if !top.is_list && top.is_waiting => {
                top.is_waiting = false;
                self.begin(true, indent);
            }
            _ => return None,
        }
        if let ([_, _], Some(KeyShape { value: ValueShape::Block(count), .. })) =
            (self.open.as_slice(), self.shape.keys.last_mut())
        {
            *count += 1;
        }
        let content = rest.get(1..)?;
        let blanks = line_indentation(content);
        let content = content.get(blanks..)?;
        let at = self.start + indent + 1 + blanks;
        if content.starts_with("- ") {
            return None;
        }
        if key_length(content).is_some() {
            self.begin(false, indent + 1 + blanks);
            return self.entry(at, content);
        }
        self.value(content, indent).map(drop)
    }

    fn key(&mut self, indent: usize, rest: &'t str) -> Option<()> {
        let ends = |top: &OpenBlock| top.column > indent || top.is_list && top.column == indent;
        while self.open.last().is_some_and(ends) {
            self.open.pop();
        }
        match self.open.last_mut() {
            Some(top) if !top.is_list && top.column == indent => top.is_waiting = false,
            Some(top) if !top.is_list && top.is_waiting => {
                top.is_waiting = false;
                self.begin(false, indent);
            }
            None if self.shape.keys.is_empty() => self.begin(false, indent),
            _ => return None,
        }
        self.entry(self.start + indent, rest)
    }

    /// Reads `key:` or `key: value` from `rest`, which begins at the byte `at`.
    fn entry(&mut self, at: usize, rest: &'t str) -> Option<()> {
        let length = key_length(rest)?;
        let is_top = self.open.len() == 1;
        if is_top {
            let name = rest.get(..length)?.to_owned();
            self.shape.keys.push(KeyShape { name, start: at, value: ValueShape::Null });
        }
        let behind = rest.get(length + 1..)?;
        let top = self.open.last_mut()?;
        if behind.is_empty() {
            top.is_waiting = true;
            return Some(());
        }
        let column = top.column;
        let blanks = line_indentation(behind);
        let value = self.value(behind.get(blanks..)?, column)?;
        if let (true, Some(key)) = (is_top, self.shape.keys.last_mut()) {
            key.value = ValueShape::Scalar(value.to_owned());
        }
        Some(())
    }

    /// Reads the value on the rest of the line, or a literal block below a collection at `column`.
    fn value(&mut self, text: &'t str, column: usize) -> Option<&'t str> {
        if matches!(text, "|" | "|-") {
            // A known top-level field never has a literal block as its value.
            return if self.open.len() > 1 { self.literal(column).map(|()| "") } else { None };
        }
        match quoted(text) {
            Some((inner, _)) => Some(inner),
            None => is_plain(text).then_some(text),
        }
    }

    /// Skips the lines of a literal block, which have more indentation than `column`. The block
    /// ends at the next line with less.
    fn literal(&mut self, column: usize) -> Option<()> {
        let first = self.advance()?;
        let indent = line_indentation(first);
        let at = self.start + indent;
        if indent <= column || indent == first.len() {
            return None;
        }
        while self.next < self.text.len() {
            let before = (self.start, self.next);
            let line = self.advance()?;
            let found = line_indentation(line);
            if found == line.len() || found < indent {
                (self.start, self.next) = before;
                // Only the YAML parser can decide whether an empty line or a comment below a block
                // belongs to it.
                if found == line.len() || line.get(found..)?.starts_with('#') {
                    return None;
                }
                break;
            }
        }
        self.shape.inside.push(MultilineValue { bytes: at..self.next, block: true });
        Some(())
    }

    fn begin(&mut self, is_list: bool, column: usize) {
        if let ([_], Some(key)) = (self.open.as_slice(), self.shape.keys.last_mut()) {
            key.value = if is_list { ValueShape::Block(0) } else { ValueShape::Mapping };
        }
        self.open.push(OpenBlock { is_list, column, is_waiting: false });
    }
}
