//! Finds commented-out entries and fields in the comments between entries and fields.

use std::ops::Range;

use crate::manifest::registry::FieldShape;
use crate::yaml::{Node, Style, WrittenDocument};

use super::fields::looks_like_entry;
use super::lines::{LineKind, entry_text, indent, is_dash, outdent, split_comment};
use super::read::{Gap, OutlineReader, scalar_text};
use super::scope::OutlineScope;
use super::{ListForm, Outline, OutlineEntry, OutlineField, number};

/// Nesting limit for comments within comments; deeper ones count as prose.
const MAX_COMMENT_DEPTH: usize = 4;

/// The number of attempts for a comment of several lines, each with one line less.
const MAX_LINE_COUNT_TRIES: usize = 24;

/// A list: the name of its field, and the column of its dashes if it has an active entry.
pub(super) type List<'l> = Option<(&'l str, Option<usize>)>;

impl OutlineReader<'_> {
    /// Reads the lines between two entries or fields. Commented-out entries belong to `list` until
    /// a commented-out field begins.
    pub(super) fn read_gap(&self, lines: Range<usize>, list: List<'_>) -> Gap {
        let mut gap = Gap { free_from: lines.start, ..Gap::default() };
        let mut list = list;
        let mut line = lines.start;
        // The end of the current run of comment lines; cached, so that a long comment is read once
        // and not again for each of its lines.
        let mut end = line;
        while line < lines.end {
            if line >= end {
                let is_comment = |it: &usize| self.kind(*it) == Some(LineKind::Comment);
                end = (line..lines.end).find(|it| !is_comment(it)).unwrap_or(lines.end);
            }
            if line == end {
                line += 1;
                continue;
            }
            if let Some((entry, next)) = list.and_then(|list| self.entry(line..end, list)) {
                let column = indent(self.lines.line(line));
                let head = self.first_head_line(&gap, line, column);
                gap.entries.push(OutlineEntry { head: self.lines.bytes(head..line), ..entry });
                (line, gap.free_from) = (next, next);
            } else if let Some((field, next)) = self.commented_out_field(line..end) {
                gap.fields.push(field);
                list = None;
                (line, gap.free_from) = (next, next);
            } else {
                let own = gap.free_from == line && line == lines.start + gap.trailing;
                let deeper = matches!(list, Some((_, Some(column))) if indent(self.lines.line(line)) > column);
                if own && deeper {
                    gap.trailing += 1;
                    gap.free_from = line + 1;
                }
                line = self.prose_end(line..end);
            }
        }
        gap
    }

    /// The line after a piece of prose. If the prose begins with a dash, the deeper lines below it
    /// are prose as well.
    fn prose_end(&self, run: Range<usize>) -> usize {
        let after =
            split_comment(self.lines.line(run.start)).map_or("", |(_, after)| after.trim_start());
        if is_dash(after) { self.block_end(run, false) } else { run.start + 1 }
    }

    /// The end of the lines that may belong to the first line: lines with deeper indentation after
    /// their `#`, and empty or doubly commented lines between them.
    fn block_end(&self, run: Range<usize>, dashes_too: bool) -> usize {
        let Some((before, after)) = split_comment(self.lines.line(run.start)) else {
            return run.start;
        };
        let (column, behind) = (before.len(), indent(after));
        let mut end = run.start + 1;
        for line in run.start + 1..run.end {
            let Some((before, after)) = split_comment(self.lines.line(line)) else { break };
            let rest = after.trim_start_matches([' ', '\t']);
            let loose = rest.is_empty() || rest.starts_with('#');
            if before.len() != column && !(loose && before.len() < column) {
                break;
            }
            let deeper = !rest.is_empty() && indent(after) > behind;
            let dash = dashes_too && indent(after) >= behind && is_dash(rest);
            let off = dashes_too && is_dash(rest.trim_start_matches(['#', ' ', '\t']));
            if deeper || dash || (loose && off) {
                end = line + 1;
            } else if !loose {
                break;
            }
        }
        end
    }

    /// The lines without their comment signs, and without as many blanks as follow the sign of the
    /// first line.
    fn uncommented(&self, lines: Range<usize>) -> Vec<&str> {
        let behind =
            split_comment(self.lines.line(lines.start)).map_or(0, |(_, after)| indent(after));
        let strip = |line| {
            split_comment(self.lines.line(line)).map_or("", |(_, after)| outdent(after, behind))
        };
        lines.map(strip).collect()
    }

    fn entry(
        &self,
        run: Range<usize>,
        (field, _): (&str, Option<usize>),
    ) -> Option<(OutlineEntry, usize)> {
        let start = run.start;
        let (_, after) = split_comment(self.lines.line(start))?;
        if !is_dash(after.trim_start_matches([' ', '\t'])) {
            return None;
        }
        let unspaced = indent(after) == 0;
        let pieces = self.uncommented(start..self.block_end(run, false));
        for count in candidate_line_counts(pieces.len(), self.depth) {
            let piece = pieces.get(..count)?;
            let text = piece.join("\n");
            let Ok(document) = WrittenDocument::parse(&text) else { continue };
            let Some(item) = single_item(&document) else { continue };
            if looks_like_entry(self.vocabulary.shape_of_key(field), item, unspaced) {
                let end = start + count;
                let entry = OutlineEntry {
                    bytes: self.lines.bytes(start..end),
                    line: number(start),
                    disabled: true,
                    text: entry_text(without_comments_below(piece, &document)),
                    scalar: scalar_text(&document, item),
                    ..OutlineEntry::default()
                };
                return Some((entry, end));
            }
        }
        None
    }

    /// The commented-out field that begins with the run of comment lines, and the number of the
    /// line after it.
    fn commented_out_field(&self, run: Range<usize>) -> Option<(OutlineField, usize)> {
        let start = run.start;
        let (before, after) = split_comment(self.lines.line(start))?;
        let name = after.trim_start_matches([' ', '\t']).split(':').next().unwrap_or("");
        if before.len() > self.column || self.depth >= MAX_COMMENT_DEPTH {
            return None;
        }
        let kind = self.vocabulary.shape_of(name)?;
        let unspaced = indent(after) == 0;
        let pieces = self.uncommented(start..self.block_end(run, true));
        for count in candidate_line_counts(pieces.len(), self.depth) {
            let piece = pieces.get(..count)?.join("\n");
            let Ok(document) = WrittenDocument::parse(&piece) else { continue };
            // A plain scalar of several lines means that prose follows the field.
            if document.nodes().any(|node| document.is_folded_plain(node)) {
                continue;
            }
            let scope = OutlineScope { vocabulary: self.vocabulary, ..OutlineScope::default() };
            let inner = Outline::from_document(&document, scope, self.depth + 1);
            let Some(field) = inner.fields.first() else { continue };
            let whole = piece.get(field.bytes.clone()).unwrap_or("").split_inclusive('\n').count();
            if field.name != name
                || field.disabled
                || field.line != 1
                || !is_plausible_value(kind, field, &piece, unspaced)
            {
                continue;
            }
            let end = start + whole.clamp(1, count);
            return Some((self.to_outer_offsets(field, start..end), end));
        }
        None
    }

    /// Converts a field of an uncommented text to offsets in the commented text.
    fn to_outer_offsets(&self, inner: &OutlineField, lines: Range<usize>) -> OutlineField {
        let lift = |line: u32| lines.start + line.saturating_sub(1) as usize;
        let entries = inner.entries.iter().map(|entry| {
            let first = lift(entry.line);
            let count = entry.text.split('\n').count();
            let bytes = self.lines.bytes(first..(first + count).min(lines.end));
            OutlineEntry {
                head: bytes.start..bytes.start,
                bytes,
                line: number(first),
                disabled: true,
                ..entry.clone()
            }
        });
        OutlineField {
            name: inner.name.clone(),
            bytes: self.lines.bytes(lines.clone()),
            line: number(lines.start),
            disabled: true,
            entries: entries.collect(),
            form: inner.form.clone(),
        }
    }
}

/// The item of a list with dashes that has one, and no plain scalar of several lines.
fn single_item<'d>(document: &'d WrittenDocument<'_>) -> Option<&'d Node> {
    let root = document.root.as_ref().filter(|it| it.collection_style() == Some(Style::Plain))?;
    let [item] = root.items()? else { return None };
    (!document.nodes().any(|node| document.is_folded_plain(node))).then_some(item)
}

/// The lines of an entry without the comments at its end.
fn without_comments_below<'l>(
    lines: &'l [&'l str],
    document: &WrittenDocument<'_>,
) -> &'l [&'l str] {
    let is_same = |lines: &[&str]| {
        let text = lines.join("\n");
        let other = WrittenDocument::parse(&text).ok().and_then(|other| other.root);
        other.is_some_and(|it| document.root.as_ref().is_some_and(|root| it.same_content(root)))
    };
    let mut kept = lines;
    while let Some((last, before)) = kept.split_last()
        && last.trim_start().starts_with('#')
        && is_same(before)
    {
        kept = before;
    }
    kept
}

/// The numbers of lines to try: all of them, then fewer and fewer, and finally only the first line.
fn candidate_line_counts(count: usize, depth: usize) -> impl Iterator<Item = usize> {
    // Few attempts inside comments, because nested comments would multiply the work.
    let most = if depth == 0 { MAX_LINE_COUNT_TRIES } else { 1 };
    let least = count.saturating_sub(most).max(1);
    (least..=count).rev().chain((least > 1).then_some(1))
}

/// True if the text after a field name in a comment can be the value of that field. Without a blank
/// after the comment sign any list is accepted.
fn is_plausible_value(kind: FieldShape, field: &OutlineField, piece: &str, unspaced: bool) -> bool {
    let value = piece.split_once(':').map_or("", |(_, value)| value);
    match kind {
        FieldShape::Paths | FieldShape::Mappings(_) | FieldShape::PathsOrMappings(_) => {
            let entries = || field.entries.iter().all(|entry| is_credible_entry(kind, entry));
            !field.entries.is_empty() && (unspaced || entries())
        }
        FieldShape::Word => {
            let word = value.split(" #").next().unwrap_or("").trim();
            field.form == ListForm::Other && !word.is_empty() && !word.contains(char::is_whitespace)
        }
        FieldShape::Mapping => {
            let inner = value.trim();
            let flow = inner.starts_with('{') && inner.ends_with('}');
            field.form == ListForm::Other && (flow || inner.contains(':'))
        }
    }
}

fn is_credible_entry(kind: FieldShape, entry: &OutlineEntry) -> bool {
    if entry.disabled {
        return true;
    }
    let text = format!("- {}", entry.text.replace('\n', "\n  "));
    let document = WrittenDocument::parse(&text).ok();
    let item = document.as_ref().and_then(single_item);
    item.is_some_and(|item| item.items().is_some() || looks_like_entry(Some(kind), item, true))
}
