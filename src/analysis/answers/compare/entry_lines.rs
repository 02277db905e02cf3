//! The lines of a YAML text on which entries begin: an inserted or removed range of lines is divided
//! there, so that each piece is a list element, a mapping entry or a document.

use std::ops::Range;

use crate::engine::yaml::{Limits, Node, ParsedDocument, ParsedFile, SourceId, parse_documents};

/// A text in lines, with the documents of it if it is YAML.
pub(super) struct EntryLines<'a> {
    pub(super) lines: Vec<&'a str>,
    pub(super) documents: Vec<ParsedDocument>,
    levels: Vec<Option<usize>>,
}

const DOCUMENT: usize = 0;

impl<'a> EntryLines<'a> {
    pub(super) fn read(text: &'a str) -> Self {
        let lines: Vec<&str> = text.split_inclusive('\n').collect();
        let parsed = parse_documents(text.as_bytes(), SourceId::NONE, Limits::default());
        let documents = parsed.map(|parsed| parsed.documents).unwrap_or_default();
        let mut levels = vec![None; lines.len()];
        let all = documents.iter().flat_map(|document| starts(&document.node));
        for line in all.filter(|line| *line < lines.len()) {
            levels[line] = Some(level(lines[line]));
        }
        let firsts = documents.iter().filter_map(|document| starts(&document.node).min());
        let firsts: Vec<usize> = firsts.collect();
        let mut is_begun = false;
        for (at, line) in lines.iter().enumerate().filter(|_| !documents.is_empty()) {
            if line.starts_with("---") {
                (levels[at], is_begun) = (Some(DOCUMENT), true);
            } else if firsts.contains(&at) && !std::mem::take(&mut is_begun) {
                levels[at] = Some(DOCUMENT);
            }
        }
        Self { lines, documents, levels }
    }

    /// True for a text of mappings and lists without a doubled key.
    pub(super) fn is_well_formed(&self) -> bool {
        is_tree_of_mappings(&self.documents)
    }

    pub(super) fn has_unique_names(&self) -> bool {
        !self.documents.is_empty()
            && !self.documents.iter().any(|document| has_double_name(&document.node))
    }

    /// The texts of the lines, if each of them is an element of the same list.
    pub(super) fn elements(&self, range: &Range<usize>) -> Option<Vec<&'a str>> {
        let own = self.levels[range.start]?;
        let is_element = |at: usize| {
            let is_same = self.levels[at] == Some(own);
            (is_same && self.lines[at].trim_start().starts_with("- ")).then(|| self.lines[at])
        };
        range.clone().map(is_element).collect()
    }

    /// A range of equal content that begins with the outermost entry: `before` and `after` are the
    /// numbers of unchanged lines on both sides of the range.
    pub(super) fn slid(&self, range: Range<usize>, before: usize, after: usize) -> Range<usize> {
        let lines = &self.lines;
        let up = (1..=before.min(range.start))
            .take_while(|by| lines.get(range.start - by) == lines.get(range.end - by));
        let down = (0..after).take_while(|by| {
            range.end + by < lines.len() && lines[range.start + by] == lines[range.end + by]
        });
        let starts = range.start - up.count()..=range.start + down.count();
        let rank = |at: &usize| (self.levels[*at].unwrap_or(usize::MAX), range.start.abs_diff(*at));
        let start = starts.min_by_key(rank).unwrap_or(range.start);
        start..start + range.len()
    }

    /// Divides a range before each entry that is not inside an entry of the range. Comments directly
    /// before an entry belong to it.
    pub(super) fn indented_blocks(&self, range: Range<usize>) -> Vec<Range<usize>> {
        let mut found = vec![range.clone()];
        let mut outermost = None;
        let mut comments: Option<usize> = None;
        for at in range {
            let line = self.lines[at].trim();
            if line.is_empty() {
                continue;
            }
            let Some(own) = self.levels[at] else {
                if line.starts_with('#') {
                    comments.get_or_insert(at);
                } else {
                    // The rest of a scalar.
                    comments = None;
                    outermost.get_or_insert(level(self.lines[at]));
                }
                continue;
            };
            let start = comments
                .take()
                .filter(|start| indent(self.lines[*start]) <= indent(self.lines[at]));
            if outermost.is_some_and(|outermost| own <= outermost)
                && let Some(last) = found.last_mut()
            {
                let start = start.unwrap_or(at);
                let rest = start..last.end;
                last.end = start;
                found.push(rest);
            }
            outermost = Some(outermost.map_or(own, |outermost| own.min(outermost)));
        }
        found.retain(|block| !block.is_empty());
        found
    }
}

/// True for a text of mappings and lists, and for an empty text: without a doubled key if `is_tree`,
/// without a doubled name in a list if `has_unique_names`.
pub(super) fn is_well_formed(text: &[u8], is_tree: bool, has_unique_names: bool) -> bool {
    let parsed = parse_documents(text, SourceId::NONE, Limits::default());
    parsed.is_ok_and(|ParsedFile { documents, .. }| {
        let has_names = || documents.iter().any(|document| has_double_name(&document.node));
        documents.is_empty()
            || (!is_tree || is_tree_of_mappings(&documents)) && !(has_unique_names && has_names())
    })
}

fn is_tree_of_mappings(documents: &[ParsedDocument]) -> bool {
    let nodes = || documents.iter().map(|document| &document.node);
    nodes().any(|node| node.as_scalar().is_none()) && !nodes().any(has_double_key)
}

pub(super) fn indent(line: &str) -> usize {
    line.len() - line.trim_start_matches(' ').len()
}

fn level(line: &str) -> usize {
    2 * indent(line) + usize::from(line.trim_start().starts_with('-')) + DOCUMENT + 1
}

/// The line of each entry in a node, from 0.
fn starts(node: &Node) -> impl Iterator<Item = usize> {
    let entries = node.nodes().flat_map(|node| {
        let keys = node.entries().iter().map(|entry| &entry.key);
        node.items().unwrap_or_default().iter().chain(keys)
    });
    entries.filter_map(|node| (node.mark.line as usize).checked_sub(1))
}

fn has_double_name(root: &Node) -> bool {
    root.nodes().any(|node| {
        let items = node.items().unwrap_or_default();
        has_double(items.iter().filter_map(|item| item.text_of("name")))
    })
}

fn has_double_key(root: &Node) -> bool {
    root.nodes().any(|node| has_double(node.entries().iter().filter_map(|entry| entry.key.text())))
}

fn has_double<'n>(names: impl Iterator<Item = &'n str>) -> bool {
    let mut names: Vec<&str> = names.collect();
    names.sort_unstable();
    names.windows(2).any(|pair| pair[0] == pair[1])
}
