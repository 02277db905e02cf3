//! A YAML text in lines, with its documents.

use std::ops::Range;

use crate::engine::yaml::{Limits, Node, ParsedDocument, ParsedFile, SourceId, parse_documents};

/// A text in lines with their ends; without documents if it is not YAML.
pub(super) struct EntryLines<'a> {
    pub(super) lines: Vec<&'a str>,
    pub(super) documents: Vec<ParsedDocument>,
}

impl<'a> EntryLines<'a> {
    pub(super) fn read(text: &'a str) -> Self {
        let parsed = parse_documents(text.as_bytes(), SourceId::NONE, Limits::default());
        let documents = parsed.map(|parsed| parsed.documents).unwrap_or_default();
        Self { lines: text.split_inclusive('\n').collect(), documents }
    }

    /// True for a text of mappings and lists without a doubled key.
    pub(super) fn is_well_formed(&self) -> bool {
        is_tree_of_mappings(&self.documents)
    }

    pub(super) fn has_unique_names(&self) -> bool {
        !self.documents.is_empty()
            && !self.documents.iter().any(|document| has_double_name(&document.node))
    }
}

/// The index of the line of a value, from 0.
pub(super) fn line_index(node: &Node) -> usize {
    usize::try_from(node.mark.line).unwrap_or(1).saturating_sub(1)
}

/// The number of lines of a range without the blank lines and comments at its end.
pub(super) fn text_length(range: &Range<usize>, lines: &[&str]) -> usize {
    let is_text = |line: &&str| !line.trim().is_empty() && !is_comment(line);
    let lines = lines.get(range.start..range.end.min(lines.len())).unwrap_or_default();
    lines.iter().rposition(is_text).map_or(0, |at| at + 1)
}

pub(super) fn is_comment(line: &str) -> bool {
    line.trim_start().starts_with('#')
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
