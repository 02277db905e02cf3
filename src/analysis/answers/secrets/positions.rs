//! Positions of the values of Secrets in the text of a file, from its parsed tree.

use std::ops::Range;

use crate::engine::yaml::{
    Limits, MarkOffsets, Node, ParsedDocument, SourceId, parse_documents, quoted_length,
};

use super::LAST_APPLIED_ANNOTATION;
use super::index::line_parts;
use super::mark::plain_value;

/// Keys of fields that contain names: not masked, except in `data` and `stringData`.
pub(super) const NAME_KEYS: [&str; 4] = ["apiVersion", "kind", "name", "namespace"];

#[derive(Debug, Default)]
pub(super) struct TextRanges {
    /// Values of Secrets, each with the bytes of the value.
    pub secret: Vec<(Range<usize>, Vec<u8>)>,
    pub structure: Vec<Range<usize>>,
    pub other: Vec<(Range<usize>, String)>,
    /// True if all documents are scalars: the text need not be YAML.
    pub is_scalar: bool,
}

/// The positions in a text; `None` if the text cannot be parsed, or if its lines differ from the
/// lines of the parser. `patches_secret`: patches in the text without a target are applied to
/// Secrets. If `of_scalars` is false, a scalar whose text is one scalar again is not searched, because
/// the search would not end.
pub(super) fn positions(text: &str, patches_secret: bool, of_scalars: bool) -> Option<TextRanges> {
    let mut lines = text.split('\n').map(|line| line.strip_suffix('\r').unwrap_or(line));
    if lines.any(|line| line.contains(['\r', '\u{85}', '\u{2028}', '\u{2029}'])) {
        return None;
    }
    let parsed = parse_documents(text.as_bytes(), SourceId::NONE, Limits::default()).ok()?;
    let is_scalar = parsed.documents.iter().all(|it| it.node.as_scalar().is_some());
    if is_scalar && !of_scalars {
        return None;
    }
    let mut finder = RangeFinder::new(text, &parsed.documents);
    if !finder.covers_whole_text(&parsed.documents) {
        return None;
    }
    finder.found.is_scalar = is_scalar;
    for document in &parsed.documents {
        let first = finder.regions.len();
        finder.node(&document.node, patches_secret);
        // Comments before a Secret belong to it.
        let start = finder.offset(&document.node);
        if let Some((region, _)) = finder.regions.get_mut(first)
            && Some(region.start) == start
        {
            let before = text.get(..region.start).unwrap_or_default();
            region.start = before.rfind("\n---").map_or(0, |at| at + 1);
        }
    }
    finder.note_comment_values();
    Some(finder.found)
}

/// The values in the comments of a Secret, each with its byte range.
pub(super) fn secret_comments(text: &str) -> Vec<(Range<usize>, Vec<u8>)> {
    let mut finder = RangeFinder::new(text, &[]);
    finder.regions.push((0..text.len(), CommentContext::Secret));
    finder.note_comment_values();
    finder.found.secret
}

/// The possible content of a comment, by the lines around it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum CommentContext {
    /// Entries or literals of a `secretGenerator`.
    Generator,
    Secret,
    /// Other content; a comment that is no YAML is masked only around words about Secrets.
    Other,
}

/// True for a comment that may contain a Secret or a part of one.
fn names_secrets(comment: &str) -> bool {
    const NAMES: [&str; 5] =
        ["Secret", "SecretGenerator", "secretGenerator", "SecretList", "stringData"];
    let words = comment.split(|c: char| !c.is_alphanumeric());
    words.into_iter().any(|word| NAMES.contains(&word))
}

struct RangeFinder<'t> {
    text: &'t str,
    offsets: MarkOffsets<'t>,
    /// The byte offsets at which nodes and documents begin, in order.
    starts: Vec<usize>,
    /// The text of Secrets and of secret generators, the inner regions last.
    regions: Vec<(Range<usize>, CommentContext)>,
    found: TextRanges,
}

impl<'t> RangeFinder<'t> {
    fn new(text: &'t str, documents: &[ParsedDocument]) -> Self {
        let lines = [0].into_iter().chain(text.match_indices('\n').map(|(at, _)| at + 1));
        let is_end = |at: &usize| {
            let line = text.get(*at..).unwrap_or_default();
            line.starts_with("---") || line.starts_with("...")
        };
        let mut finder = Self {
            text,
            offsets: MarkOffsets::new(text),
            starts: lines.filter(is_end).collect(),
            regions: Vec::new(),
            found: TextRanges::default(),
        };
        for node in documents.iter().flat_map(|document| document.node.nodes()) {
            let keys = node.entries().iter().map(|entry| &entry.key);
            let parts = std::iter::once(node).chain(keys);
            finder.starts.extend(parts.filter_map(|part| finder.offsets.byte(part.mark)));
        }
        finder.starts.sort_unstable();
        finder
    }

    fn offset(&self, node: &Node) -> Option<usize> {
        self.offsets.byte(node.mark)
    }

    fn next_start(&self, at: usize) -> Option<usize> {
        self.starts.get(self.starts.partition_point(|start| *start <= at)).copied()
    }

    /// The part of a node that begins last. The value of the last key may be an alias of an earlier
    /// node.
    fn last_part<'n>(&self, node: &'n Node) -> &'n Node {
        let (mut last, mut next) = (node, Some(node));
        while let Some(node) = next {
            let entry = node.entries().last();
            next = entry.map(|it| &it.value).or(node.items().and_then(<[Node]>::last));
            for part in entry.map(|it| &it.key).into_iter().chain(next) {
                if self.offset(part) >= self.offset(last) {
                    last = part;
                }
            }
        }
        last
    }

    /// Notes a region for comments: from the start of `first` to the node after the last part of
    /// `last`.
    fn note_region(&mut self, first: &Node, last: &Node, context: CommentContext) {
        let end = self.offset(self.last_part(last));
        if let (Some(start), Some(end)) = (self.offset(first), end) {
            let end = self.next_start(end).unwrap_or(self.text.len());
            self.regions.push((start..end, context));
        }
    }

    /// True if the documents cover the text to its end: the parser ignores lines after the first
    /// node of a document.
    fn covers_whole_text(&self, documents: &[ParsedDocument]) -> bool {
        let is_end = |line: &str| {
            let line = line.trim();
            line.starts_with('#') || line.chars().all(|c| "]},.:?- ".contains(c))
        };
        documents.iter().all(|document| {
            let last = self.last_part(&document.node);
            let Some(start) = self.offset(last) else { return true };
            let end = self.range(last).map_or(start, |range| range.end);
            let until = self.next_start(start).unwrap_or(self.text.len());
            self.text.get(end..until).unwrap_or_default().lines().skip(1).all(is_end)
        })
    }

    /// The byte range of the text of a scalar, with its quotes and without the header of a block.
    fn range(&self, node: &Node) -> Option<Range<usize>> {
        let start = self.offset(node)?;
        let next = self.next_start(start);
        let end = next.unwrap_or(self.text.len());
        let start = start + tag_and_anchor_length(self.text.get(start..end)?);
        let rest = self.text.get(start..end)?;
        let length = match rest.chars().next()? {
            quote @ ('"' | '\'') => quoted_length(rest, quote).unwrap_or(rest.len()),
            '|' | '>' => {
                let content = rest.find('\n')? + 1;
                let last = if next.is_some() { rest.rfind('\n')? + 1 } else { rest.len() };
                return Some(start + content..start + last.max(content));
            }
            _ => match node.text() {
                Some(text) if !text.is_empty() && rest.starts_with(text) => text.len(),
                // A scalar over several lines ends before the next node, without the indicators of
                // that node.
                _ => {
                    rest.trim_end_matches(|c: char| c.is_whitespace() || "-?:,]}".contains(c)).len()
                }
            },
        };
        Some(start..start + length)
    }

    /// Notes the secret values in entries that are commented out.
    fn note_comment_values(&mut self) {
        let mut at = 0;
        let mut run = (0, String::new());
        for line in self.text.split_inclusive('\n').chain([""]) {
            if let Some(content) = line.trim_start().strip_prefix('#') {
                if run.1.is_empty() {
                    run.0 = at;
                }
                run.1.push_str(content);
            } else {
                let (from, text) = std::mem::take(&mut run);
                if !text.is_empty() {
                    let around = self.regions.iter().rfind(|(region, _)| region.contains(&from));
                    let context = around.map_or(CommentContext::Other, |(_, context)| *context);
                    self.note_comment_run(from..at, &text, context);
                }
            }
            at += line.len();
        }
    }

    fn note_comment_run(&mut self, range: Range<usize>, text: &str, context: CommentContext) {
        if !text.contains(char::is_alphanumeric) {
            return;
        }
        let parsed = parse_documents(text.as_bytes(), SourceId::NONE, Limits::default());
        let is_read = parsed.is_ok();
        let documents = parsed.map(|parsed| parsed.documents).unwrap_or_default();
        let mut inner = RangeFinder::new(text, &documents);
        if !is_read || !inner.covers_whole_text(&documents) {
            let part = match context {
                CommentContext::Other => self.part_about_secrets(&range),
                _ => Some(range),
            };
            self.found.secret.extend(part.map(|part| (part, text.as_bytes().to_vec())));
            return;
        }
        for document in &documents {
            let node = &document.node;
            let items = node.items().unwrap_or_default();
            match context {
                CommentContext::Generator if items.iter().any(|it| it.text().is_some()) => {
                    inner.note_literal_values(node);
                }
                CommentContext::Generator => {
                    for item in items {
                        inner.note_generator_values(item);
                    }
                    inner.note_generator_values(node);
                }
                CommentContext::Secret if !node.entries().is_empty() => {
                    inner.note_secret_values(node, false);
                }
                _ => inner.node(node, false),
            }
        }
        if inner.found.secret.is_empty() {
            return;
        }
        self.note_nested(text, range, &inner.found);
    }

    /// The paragraphs of consecutive comment lines from the first to the last one about Secrets;
    /// `None` if there is none. A line without letters ends a paragraph.
    fn part_about_secrets(&self, range: &Range<usize>) -> Option<Range<usize>> {
        let first = range.start..range.start;
        let mut paragraphs = Vec::from([first]);
        for line in self.text.get(range.clone())?.split_inclusive('\n') {
            let last = paragraphs.last_mut()?;
            last.end += line.len();
            if !line.contains(char::is_alphabetic) {
                let end = last.end;
                paragraphs.push(end..end);
            }
        }
        if !names_secrets(self.text.get(range.clone())?) {
            return None;
        }
        let is_part = |it: &&Range<usize>| {
            let text = self.text.get((*it).clone()).unwrap_or_default();
            names_secrets(text) || text.contains("data:")
        };
        let first = paragraphs.iter().find(is_part)?.start;
        Some(first..paragraphs.iter().rfind(is_part)?.end)
    }

    fn node(&mut self, node: &Node, patches_secret: bool) {
        if let Some(items) = node.items() {
            for item in items {
                if item.get("op").is_some() && item.get("path").is_some() {
                    self.note_operation_values(item, patches_secret);
                } else {
                    self.node(item, patches_secret);
                }
            }
        } else if node.as_mapping().is_some() {
            self.mapping(node, patches_secret);
        } else {
            self.scalar(node, patches_secret);
        }
    }

    fn mapping(&mut self, node: &Node, patches_secret: bool) {
        let text = |key: &str| node.text_of(key);
        let kind = text("kind").unwrap_or_default();
        let is_core = !text("apiVersion").unwrap_or_default().contains('/');
        let is_secret = kind == "Secret" && is_core || patches_secret && kind != "ConfigMap";
        let has_values = ["data", "stringData"].iter().any(|key| node.get(key).is_some());
        if is_secret && (kind == "Secret" || has_values) {
            self.note_region(node, node, CommentContext::Secret);
        }
        let of_target = node.get("target").map(may_be_secret);
        for entry in node.entries() {
            let key = entry.key.text().unwrap_or_default();
            self.note_structure(&entry.key);
            let value = &entry.value;
            match key {
                "data" | "stringData" if is_secret => self.note_secret_values(value, key == "data"),
                "data" | "stringData" if !value.entries().is_empty() => {
                    for entry in value.entries() {
                        self.note_structure(&entry.key);
                        self.node(&entry.value, patches_secret);
                    }
                }
                "metadata" => self.node(value, is_secret),
                LAST_APPLIED_ANNOTATION if patches_secret => self.note_secret_values(value, false),
                "secretGenerator" => {
                    self.note_region(&entry.key, value, CommentContext::Generator);
                    for item in value.items().unwrap_or_default() {
                        self.note_generator_values(item);
                    }
                }
                "literals" if kind == "SecretGenerator" => self.note_literal_values(value),
                "patch" | "jsonOp" => self.scalar(value, of_target == Some(true)),
                "patches" | "patchesJson6902" | "patchesStrategicMerge" => self.node(value, false),
                "items" if kind == "SecretList" => self.node(value, true),
                _ if NAME_KEYS.contains(&key) && value.as_scalar().is_some() => {
                    self.note_structure(value);
                }
                _ => self.node(value, patches_secret),
            }
        }
    }

    /// Notes a key or a name, which is shown.
    fn note_structure(&mut self, node: &Node) {
        let range = self.range(node);
        self.found.structure.extend(range);
    }

    fn note_generator_values(&mut self, node: &Node) {
        for entry in node.entries() {
            if entry.key.text() == Some("literals") {
                self.note_structure(&entry.key);
                self.note_literal_values(&entry.value);
            } else {
                self.node(&entry.value, false);
            }
        }
    }

    fn note_operation_values(&mut self, node: &Node, patches_secret: bool) {
        let path = node.text_of("path").unwrap_or_default();
        let field = path.split('/').nth(1).unwrap_or_default();
        let is_kept = match field {
            "stringData" => true,
            "data" | "" => patches_secret,
            "metadata" => path.contains("last-applied-configuration"),
            _ => false,
        };
        for entry in node.entries() {
            if entry.key.text() == Some("value") && is_kept {
                self.note_secret_values(&entry.value, field == "data");
            } else {
                self.node(&entry.value, patches_secret);
            }
        }
    }

    fn note_secret_values(&mut self, node: &Node, is_encoded: bool) {
        if let Some(text) = node.text() {
            let range = self.range(node).filter(|range| !range.is_empty() && !node.is_null());
            let value = plain_value(text, is_encoded);
            self.found.secret.extend(range.map(|range| (range, value)));
        }
        for entry in node.entries() {
            self.note_structure(&entry.key);
            self.note_secret_values(&entry.value, is_encoded);
        }
        for item in node.items().unwrap_or_default() {
            self.note_secret_values(item, is_encoded);
        }
    }

    /// Notes the values of the literals (`key=value`) of a generator; the keys are shown.
    fn note_literal_values(&mut self, node: &Node) {
        for item in node.items().unwrap_or_default() {
            let (Some(mut range), Some(text)) = (self.range(item), item.text()) else { continue };
            let written = self.text.get(range.clone()).unwrap_or_default();
            let first = written.lines().next().unwrap_or_default();
            if first.starts_with(['"', '\'']) {
                range.end -= 1;
            }
            let value = match (text.split_once('='), first.find('=')) {
                (Some((_, value)), Some(at)) => {
                    range.start += at + 1;
                    value
                }
                (Some((_, value)), None) => value,
                (None, _) => text,
            };
            self.found.secret.push((range, without_quotes(value).as_bytes().to_vec()));
        }
    }

    /// Notes the values in a scalar, which may contain YAML, such as an inline patch.
    fn scalar(&mut self, node: &Node, patches_secret: bool) {
        let (Some(range), Some(text)) = (self.range(node), node.text()) else { return };
        let is_nested = patches_secret || text.contains("Secret") || text.contains("stringData");
        let nested = Some(text).filter(|text| is_nested && text.contains(':'));
        let nested = nested.and_then(|text| positions(text, patches_secret, false));
        let Some(nested) = nested.filter(|nested| !nested.secret.is_empty()) else {
            self.found.other.push((range, text.to_owned()));
            return;
        };
        self.note_nested(text, range, &nested);
    }

    /// Notes the values of a nested text, or all of it if their ranges in the file are not known.
    fn note_nested(&mut self, text: &str, range: Range<usize>, nested: &TextRanges) {
        match self.ranges_in_literal_block(text, &range, nested) {
            Some(secret) => self.found.secret.extend(secret),
            None => self.found.secret.push((range, text.as_bytes().to_vec())),
        }
    }

    /// The ranges of a nested text as ranges of the file, if the text is a literal block; `None`
    /// for another style.
    fn ranges_in_literal_block(
        &self,
        text: &str,
        range: &Range<usize>,
        nested: &TextRanges,
    ) -> Option<Vec<(Range<usize>, Vec<u8>)>> {
        let outer = self.text.get(range.clone())?;
        let mut starts = Vec::new();
        let (mut from, mut to) = (range.start, 0);
        let mut lines = outer.split_inclusive('\n');
        for line in text.split_inclusive('\n') {
            let whole = lines.next()?;
            let (inner, shown) = (line.trim_end_matches(['\n', '\r']), whole.trim_end());
            let indent = shown.len().checked_sub(inner.trim_end().len())?;
            if !shown.ends_with(inner.trim_end()) {
                return None;
            }
            starts.push((to, from + indent));
            (from, to) = (from + whole.len(), to + line.len());
        }
        let moved = |at: usize| {
            let place = starts.partition_point(|(inner, _)| *inner <= at).checked_sub(1)?;
            let (inner, outer) = starts.get(place)?;
            Some(outer + at - inner)
        };
        let mut found = Vec::new();
        for (range, value) in &nested.secret {
            for part in line_parts(text, range.clone()) {
                let last = moved(part.end.checked_sub(1)?)? + 1;
                found.push((moved(part.start)?..last, value.clone()));
            }
        }
        Some(found)
    }
}

fn may_be_secret(target: &Node) -> bool {
    let text = |key: &str| target.text_of(key).filter(|text| !text.is_empty());
    let is_pattern = |kind: &str| kind.contains(|c: char| ".*|[(^$?+\\".contains(c));
    text("kind").is_none_or(|kind| kind == "Secret" || is_pattern(kind))
}

fn tag_and_anchor_length(text: &str) -> usize {
    let mut rest = text;
    while rest.starts_with(['!', '&']) {
        let word = rest.find(char::is_whitespace).unwrap_or(rest.len());
        rest = rest.get(word..).unwrap_or_default().trim_start();
    }
    text.len() - rest.len()
}

/// A literal's value without the quotes that the generator removes.
fn without_quotes(value: &str) -> &str {
    let within = |quote: char| value.strip_prefix(quote).and_then(|it| it.strip_suffix(quote));
    within('"').or_else(|| within('\'')).unwrap_or(value)
}
