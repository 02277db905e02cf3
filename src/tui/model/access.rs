//! What is asked of the model again and again.

use std::path::Path;

use crate::engine::evaluate::Consolidated;

use super::super::glyphs::Glyphs;
use super::super::ports::Access;
use super::{Compare, Keeping, ListView, Model, Pane, Problem, Screen};

impl Model {
    /// True when nothing is written, kept or fetched.
    pub(in crate::tui) fn is_read_only(&self) -> bool {
        self.access == Access::ReadOnly
    }

    /// The signs in use.
    pub(in crate::tui) fn glyphs(&self) -> &'static Glyphs {
        self.icons.glyphs()
    }

    /// Selection and scrolling of a pane.
    pub(in crate::tui) fn list(&self, pane: Pane) -> ListView {
        self.lists[pane as usize]
    }

    /// The same, to write to.
    pub(in crate::tui) fn list_mut(&mut self, pane: Pane) -> &mut ListView {
        &mut self.lists[pane as usize]
    }

    /// The panes that the tab key goes through: those of the screen, then those that a wide terminal adds.
    pub(in crate::tui) fn panes(&self) -> Vec<Pane> {
        let mut panes = self.screen.panes().to_vec();
        let (columns, rows) = self.size;
        if super::super::layout::class(columns, rows) == super::super::layout::Class::Wide {
            for pane in [Pane::Tree, Pane::Resource, Pane::History, Pane::Problems] {
                if !panes.contains(&pane) {
                    panes.push(pane);
                }
            }
        }
        panes
    }

    /// The pane with the focus.
    pub(in crate::tui) fn focused(&self) -> Pane {
        let panes = self.panes();
        panes[self.focus[self.screen as usize].min(panes.len() - 1)]
    }

    /// How many rows a pane has.
    pub(in crate::tui) fn rows(&self, pane: Pane) -> usize {
        match pane {
            Pane::Tree => self.tree.rows.len(),
            Pane::Preview => self.preview.lines.len(),
            Pane::Effect => self.effect.len(),
            Pane::Steps => self.steps.visible.len(),
            Pane::Changed => self.diff.changed.len(),
            Pane::Diff => self.diff.rows.len(),
            Pane::Resource => self.resources.lines.len(),
            Pane::Resources => self.resources.list.len(),
            Pane::History => self.resources.history.len(),
            Pane::Components => self.components.len(),
            Pane::ComponentEffect => self.component_effect.len(),
            Pane::Problems => self.problem_rows.len(),
            Pane::Explanation => self.explanation.lines.len(),
            Pane::Pipeline => self.pipeline.len(),
            Pane::Imports => self.imports.len(),
            Pane::Entry => self.entry.lines.len(),
            Pane::Catalogs => self.catalogs.len(),
            Pane::Review => self.review.lines.len(),
            Pane::Functions => self.functions.len(),
            Pane::Results => self.function_results.len(),
            Pane::Invocation => self.invocation.lines.len(),
        }
    }

    /// The problem of a row of their list.
    pub(in crate::tui) fn problem(&self, row: usize) -> Option<&Problem> {
        self.problems.get(*self.problem_rows.get(row)?)
    }

    /// What the diff compares: the Steps screen always shows its step.
    pub(in crate::tui) fn compared(&self) -> Compare {
        if self.screen == Screen::Diff { self.diff.compare } else { Compare::Step }
    }

    /// The Composition that is shown, when it could be consolidated.
    pub(in crate::tui) fn composition(&self) -> Option<&Consolidated> {
        self.recording.compositions.get(self.composition?)?.result.as_ref().ok()
    }

    /// Its file.
    pub(in crate::tui) fn composition_file(&self) -> Option<&Path> {
        Some(Path::new(&self.recording.compositions.get(self.composition?)?.file))
    }

    /// How many files of the draft are kept for the next time.
    pub(in crate::tui) fn kept_files(&self) -> usize {
        match &self.keeping {
            Keeping::Kept(changes) => changes.len(),
            Keeping::Undecided(_) | Keeping::Impossible => 0,
        }
    }

    /// True while the draft differs from the files.
    pub(in crate::tui) fn has_draft(&self) -> bool {
        !self.changes.is_empty()
    }
}
