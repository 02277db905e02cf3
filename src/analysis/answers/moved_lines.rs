//! An edit that changes only comments and empty lines: the lines of all other content move.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use crate::engine::manifest::Outline;
use crate::engine::yaml::{Limits, Mark, Node, SourceId, parse_documents};

/// The lines of a file before an edit that changes no content, with their numbers after it.
pub(in crate::answers) struct MovedLines<'f> {
    file: &'f Path,
    shown: String,
    lines: BTreeMap<u32, u32>,
}

impl<'f> MovedLines<'f> {
    /// Compares two texts of a YAML file. `None` if the edit changes any value, the form of a value,
    /// or an entry that is switched off.
    pub(in crate::answers) fn find(
        (file, shown): (&'f Path, String),
        (before, now): (&[u8], &[u8]),
        is_kustomization: bool,
    ) -> Option<Self> {
        let (was, is) = (content_lines(before)?, content_lines(now)?);
        if was.len() != is.len() {
            return None;
        }
        let mut moved = Self { file, shown, lines: was.into_iter().zip(is).collect() };
        let parsed = |text| parse_documents(text, SourceId::NONE, Limits::default()).ok();
        let (was, is) = (parsed(before)?, parsed(now)?);
        let mut documents = was.documents.iter().zip(&is.documents);
        let is_same = was.pieces == is.pieces
            && was.documents.len() == is.documents.len()
            && !was.documents.is_empty()
            && documents.all(|(was, is)| moved.is_same(&was.node, &is.node));
        if is_same && is_kustomization {
            moved.add_switched_off(&Outline::parse(before), &Outline::parse(now))?;
        }
        is_same.then_some(moved)
    }

    pub(in crate::answers) fn is_in(&self, file: Option<&Path>) -> bool {
        file == Some(self.file)
    }

    /// The line after the edit; `None` for a comment. The line 0 means no line.
    pub(in crate::answers) fn line(&self, line: u32) -> Option<u32> {
        if line == 0 { Some(0) } else { self.lines.get(&line).copied() }
    }

    /// A message with the lines after the edit; `None` if it may name a line in another way than
    /// `FILE:LINE`.
    pub(in crate::answers) fn text(&self, text: &str) -> Option<String> {
        let begins_with_digit = |text: &str| text.starts_with(|sign: char| sign.is_ascii_digit());
        if text.split("line ").skip(1).any(begins_with_digit) {
            return None;
        }
        let name = format!("{}:", self.file.file_name()?.to_str()?);
        let (mut out, mut rest) = (String::new(), text);
        while let Some(at) = rest.find(&name) {
            let (before, after) = rest.split_at(at + name.len());
            out.push_str(before);
            rest = after;
            let is_around = |sign: char| sign.is_whitespace() || "\"'`(".contains(sign);
            let path = out.rsplit(is_around).next()?.strip_suffix(':')?;
            let end = rest.find(|sign: char| !sign.is_ascii_digit()).unwrap_or(rest.len());
            if end == 0 || path != self.shown && path.contains('/') {
                continue;
            }
            if path != self.shown {
                return None;
            }
            out.push_str(&self.line(rest.get(..end)?.parse().ok()?)?.to_string());
            rest = rest.get(end..)?;
        }
        out.push_str(rest);
        Some(out)
    }

    pub(in crate::answers) fn texts(&self, all: &BTreeSet<String>) -> Option<BTreeSet<String>> {
        all.iter().map(|text| self.text(text)).collect()
    }

    /// True if two values are equal, and each part is at the line to which its line moves.
    fn is_same(&self, was: &Node, is: &Node) -> bool {
        self.is_moved(was.mark, is.mark)
            && was.kind() == is.kind()
            && was.is_alias() == is.is_alias()
            && match (was.as_scalar(), is.as_scalar()) {
                (Some(was), Some(is)) => {
                    was.text == is.text && was.tag == is.tag && was.style == is.style
                }
                _ => true,
            }
            && was.pairs().len() == is.pairs().len()
            && was.pairs().iter().zip(is.pairs()).all(|((key, value), (new_key, new_value))| {
                self.is_same(key, new_key) && self.is_same(value, new_value)
            })
            && was.items().map(<[Node]>::len) == is.items().map(<[Node]>::len)
            && was
                .items()
                .unwrap_or_default()
                .iter()
                .zip(is.items().unwrap_or_default())
                .all(|(was, is)| self.is_same(was, is))
    }

    fn is_moved(&self, was: Mark, is: Mark) -> bool {
        was.column == is.column && self.line(was.line) == Some(is.line)
    }

    /// Adds the lines of the entries and fields that are switched off; `None` if others are.
    fn add_switched_off(&mut self, was: &Outline, is: &Outline) -> Option<()> {
        let (was, is) = (switched_off(was), switched_off(is));
        let texts = |all: &[(u32, String)]| all.iter().map(|(_, text)| text.clone()).collect();
        let (old, new): (Vec<String>, Vec<String>) = (texts(&was), texts(&is));
        self.lines.extend(was.iter().zip(&is).map(|((was, _), (is, _))| (*was, *is)));
        (old == new).then_some(())
    }
}

fn switched_off(outline: &Outline) -> Vec<(u32, String)> {
    let mut all = Vec::new();
    for (number, field) in outline.fields.iter().enumerate() {
        if field.disabled {
            all.push((field.line, format!("{number} {}", field.name)));
        }
        let entries = field.entries.iter().enumerate().filter(|(_, entry)| entry.disabled);
        all.extend(entries.map(|(at, it)| (it.line, format!("{number} {at} {}", it.text))));
    }
    all
}

/// The lines that are neither empty nor comments, from 1.
fn content_lines(text: &[u8]) -> Option<Vec<u32>> {
    let lines = std::str::from_utf8(text).ok()?.lines().map(str::trim).zip(1..);
    let filled = lines.filter(|(line, _)| !line.is_empty() && !line.starts_with('#'));
    Some(filled.map(|(_, number)| number).collect())
}
