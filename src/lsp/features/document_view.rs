//! A document with the state of its last check.

use std::path::Path;

use lsp_types::{Location, Position, Range as Span};

use crate::answers::provenance::line_effects::LineEffects;
use crate::engine::manifest::Outline;
use crate::repository::FileLocation;

use super::super::checked::CheckedRepository;
use super::super::positions::LineMap;
use super::super::uri::LinkedFolders;

/// A document and the last check. If the document was changed since, lines in the changed part have
/// no answer.
pub(crate) struct DocumentView<'v> {
    pub(super) path: &'v Path,
    pub(super) text: &'v str,
    pub(super) checked: &'v CheckedRepository,
    pub(super) folders: &'v LinkedFolders,
    /// Maps lines of the document to lines of the checked text.
    lines: Option<LineMap>,
    /// True if the check is older than the last change of the document.
    pub(super) is_outdated: bool,
}

impl<'v> DocumentView<'v> {
    pub(crate) fn new(
        (path, text): (&'v Path, &'v str),
        checked: &'v CheckedRepository,
        folders: &'v LinkedFolders,
        is_outdated: bool,
    ) -> Self {
        let was = checked.texts.get(path);
        let lines = was.map(|was| LineMap::new(text, &String::from_utf8_lossy(was)));
        Self { path, text, checked, folders, lines, is_outdated }
    }

    /// The line of a position in the checked text, from 1.
    pub(super) fn checked_line(&self, position: Position) -> Option<u32> {
        self.lines?.to_other(position.line.checked_add(1)?)
    }

    /// The line of the document for a line of the checked text, both from 1.
    pub(super) fn shown_line(&self, line: u32) -> Option<u32> {
        self.lines?.to_first(line)
    }

    pub(super) fn effects(&self, position: Position) -> Option<&'v LineEffects> {
        self.checked.line(self.path, self.checked_line(position)?)
    }

    pub(super) fn is_kustomization(&self) -> bool {
        let target = self.path.parent().and_then(|folder| self.checked.repository().target(folder));
        target.is_some_and(|target| target.file == self.path)
    }

    pub(super) fn entry_effects(&self, position: Position) -> Vec<&'v LineEffects> {
        let Some((first, last)) = self.entry_lines(position) else { return Vec::new() };
        let Some(effects) = self.checked.file_effects(self.path) else { return Vec::new() };
        effects.lines.range(first..=last).map(|(_, effects)| effects).collect()
    }

    /// The first and the last line, in the checked text, of the entry or field around a position.
    pub(super) fn entry_lines(&self, position: Position) -> Option<(u32, u32)> {
        let line = self.checked_line(position).filter(|_| self.is_kustomization())?;
        let text = self.checked.texts.get(self.path)?;
        let text = std::str::from_utf8(text).ok()?;
        let outline = Outline::parse(text.as_bytes());
        let ends = |bytes: &std::ops::Range<usize>, first: u32| {
            let own = text.get(bytes.clone()).unwrap_or_default().trim_end();
            let more = u32::try_from(own.matches('\n').count()).unwrap_or(u32::MAX);
            (first, first.saturating_add(more))
        };
        let around = |(first, last): &(u32, u32)| (*first..=*last).contains(&line);
        let entries = outline.fields.iter().flat_map(|field| &field.entries);
        let entry = entries.map(|entry| ends(&entry.bytes, entry.line)).find(around);
        entry.or_else(|| {
            outline.fields.iter().map(|field| ends(&field.bytes, field.line)).find(around)
        })
    }

    /// A line of a file in words, as in `base/web.yaml:7`.
    pub(super) fn line_text(&self, line: &FileLocation) -> String {
        format!("{}:{}", self.checked.shown(&line.file), line.line)
    }

    /// The addresses of the first `most` of these lines, each once.
    pub(super) fn locations(&self, mut lines: Vec<FileLocation>, most: usize) -> Vec<Location> {
        lines.sort_unstable();
        lines.dedup();
        let listed = lines.iter().take(most);
        listed.filter_map(|line| location(self.folders, &line.file, line.line)).collect()
    }
}

/// The beginning of a line, from 1.
pub(super) fn location(folders: &LinkedFolders, file: &Path, line: u32) -> Option<Location> {
    let position = Position::new(line.saturating_sub(1), 0);
    Some(Location::new(folders.uri(file)?, Span::new(position, position)))
}
