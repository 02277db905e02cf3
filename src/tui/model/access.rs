//! Common queries of the model.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::answers::compare::ConsequenceWeight;
use crate::answers::{failure_words, headline};
use crate::engine::evaluate::ConsolidatedComposition;
use crate::engine::load::{Files, KeptFiles};
use crate::experiment::{EditRequest, Variation, WantedEdit, WhatIf};
use crate::glyphs::Glyphs;
use crate::keymap::Command;
use crate::message::Effect;
use crate::model::{
    Compare, KeptDraftState, ListView, Model, Overlay, Pane, Preview, RunningBuild, Screen,
    WorkKind,
};
use crate::ports::{Access, CompositionResult};
use crate::screen::{SizeClass, class, fits_dialog};
use crate::text::sanitize;

impl Model {
    pub(crate) fn request(&mut self, effect: Effect) {
        self.effects.push(effect);
    }

    /// True if an overlay is open that is not drawn because the terminal is too small.
    pub(crate) fn hides_overlay(&self) -> bool {
        !matches!(self.overlay, None | Some(Overlay::Search { .. })) && !fits_dialog(self.look.size)
    }

    /// Opens another target, without a build yet. The draft, the Board and the comparison stay.
    pub(crate) fn open_target(&mut self, name: String, directory: PathBuf) {
        (self.opened.target, self.opened.dir, self.opened.has_target) = (name, directory, true);
        let kept = [Pane::Targets, Pane::Users, Pane::Differences, Pane::Edits, Pane::Findings];
        let lists = kept.map(|pane| self.list(pane));
        self.panes.lists.clear();
        for (pane, list) in kept.into_iter().zip(lists) {
            *self.list_mut(pane) = list;
        }
        self.panes.filters.retain(|pane, _| kept.contains(pane));
        self.panes.focus = std::array::from_fn(|screen| match screen {
            screen if screen == Screen::Board as usize => self.panes.focus[screen],
            _ => 0,
        });
        (self.jumps.marks, self.opened.found, self.opened.sources) = Default::default();
        (self.jumps.back, self.jumps.forward) = Default::default();
        (self.cursor, self.edits.last_edit, self.builds.before_failure) = (0, None, None);
        (self.tree, self.steps) = Default::default();
        let context = self.diff.context;
        self.diff = super::DiffState { context, ..super::DiffState::default() };
        (self.composition.shown, self.composition.order, self.composition.follows) =
            (None, None, None);
        self.catalogs.follows = None;
        self.varied = super::VariedState::default();
        self.work.cancel(WorkKind::Varied);
        self.problems.offers.clear();
        self.builds.generation += 1;
        self.derived.keep_repository();
        let old = (
            std::mem::take(&mut self.builds.recording),
            self.builds.saved.take(),
            std::mem::take(&mut self.resources),
            std::mem::take(&mut self.detail.effect),
            std::mem::take(&mut self.components.effect),
            std::mem::take(&mut self.problems.all),
        );
        self.deferred_drops.push(Box::new(old));
    }

    /// The name of the target: as it was typed, or that of the folder for `.`.
    pub(crate) fn target_name(&self) -> String {
        match self.opened.dir.file_name() {
            Some(name) if matches!(self.opened.target.as_str(), "." | "./" | "") => {
                name.to_string_lossy().into_owned()
            }
            _ => self.opened.target.clone(),
        }
    }

    /// The files on disk as a cache, since a build reads many files several times.
    pub(crate) fn disk_files(&self) -> Arc<dyn Files> {
        Arc::new(KeptFiles::new(self.opened.disk.clone()))
    }

    /// The files of the draft: its changed files come before the cached disk.
    pub(crate) fn files(&self) -> Arc<dyn Files> {
        Arc::new(KeptFiles::new(self.edits.draft.files(self.disk_files())))
    }

    /// For changed files that the draft changes too, their current bytes; of other files, only the
    /// paths are needed. An empty list of paths means that events were lost.
    pub(crate) fn read_drafted(
        &self,
        disk: &dyn Files,
        paths: &[PathBuf],
    ) -> Vec<(PathBuf, Option<Arc<[u8]>>)> {
        let drafted = self.edits.changes.iter().map(|change| &change.path);
        drafted
            .filter(|path| paths.is_empty() || paths.contains(path))
            .map(|path| (path.clone(), disk.read(path).ok()))
            .collect()
    }

    pub(crate) fn what_if(&self, variation: Variation) -> WhatIf {
        let directory = match variation {
            Variation::Components | Variation::TriedComponents => &self.board.scope,
            Variation::Order | Variation::Combinations | Variation::TargetComponents => {
                &self.opened.dir
            }
        };
        WhatIf {
            variation,
            name: self.opened.target.clone(),
            directory: directory.clone(),
            components: self.opened.found.clone(),
            files: self.files(),
            like: self.like.profile(),
            secrets: self.look.secrets.clone(),
            progress: None,
            so_far: None,
        }
    }

    pub(crate) fn edit_request(&self, wanted: WantedEdit) -> EditRequest {
        EditRequest {
            wanted,
            directory: self.opened.dir.clone(),
            files: self.files(),
            draft: self.edits.draft.changes(),
            like: self.like.profile(),
            scope: self.edits.draft.scope().clone(),
        }
    }

    /// True if writing files, keeping drafts and fetching are disabled.
    pub(crate) fn is_read_only(&self) -> bool {
        self.opened.access != Access::Full
    }

    pub(crate) fn glyphs(&self) -> &'static Glyphs {
        self.look.icons.glyphs()
    }

    /// The first key of a command as hints show it; empty without a key.
    pub(crate) fn shown_key(&self, command: Command) -> &str {
        match self.look.keymap.first_key(command) {
            "enter" => self.glyphs().enter,
            "space" => self.glyphs().space,
            key => key,
        }
    }

    pub(crate) fn list(&self, pane: Pane) -> ListView {
        self.panes.lists.get(&pane).copied().unwrap_or_default()
    }

    pub(crate) fn list_mut(&mut self, pane: Pane) -> &mut ListView {
        self.panes.lists.entry(pane).or_default()
    }

    /// The panes through which the tab key moves: first those of the screen, then the panes that
    /// larger terminals show beside it.
    pub(crate) fn panes(&self) -> Vec<Pane> {
        let mut panes = self.screen.panes().to_vec();
        let (columns, rows) = self.look.size;
        let class = class(columns, rows);
        if class >= SizeClass::Standard {
            panes.extend(self.screen.other_list());
        }
        if class == SizeClass::Wide && !self.screen.is_overview() {
            let beside: &[Pane] = match self.screen.other_list() {
                Some(_) => &[Pane::Problems],
                None => &[Pane::Tree, Pane::Resource, Pane::History, Pane::Problems],
            };
            panes.extend(beside.iter().filter(|pane| !self.screen.panes().contains(pane)));
        }
        panes
    }

    /// True after the first keys of a command: a count, or a prefix.
    pub(crate) fn has_key_prefix(&self) -> bool {
        !self.input.keys.is_empty() || self.input.count.is_some()
    }

    pub(crate) fn focused(&self) -> Pane {
        let panes = self.panes();
        panes[self.panes.focus[self.screen as usize].min(panes.len() - 1)]
    }

    pub(crate) fn rows(&self, pane: Pane) -> usize {
        let view = crate::pane_view(pane);
        view.lines(self, pane).map_or_else(|| (view.count)(self), |lines| lines.len())
    }

    /// The text about the selected row of a list; empty before its pane was shown.
    pub(crate) fn text_in(&self, pane: Pane) -> &Preview {
        static NONE: Preview = Preview { title: String::new(), lines: Vec::new(), at: None };
        self.panes.texts.get(&pane).unwrap_or(&NONE)
    }

    /// The selected row of a list; the last row if the list has become shorter.
    pub(crate) fn selected_row(&self, pane: Pane) -> usize {
        self.list(pane).selected.min(self.rows(pane).saturating_sub(1))
    }

    /// Selects a row that was found again in a new list; without one, the selection stays.
    pub(crate) fn select_found(&mut self, pane: Pane, row: Option<usize>) {
        if let Some(row) = row {
            self.list_mut(pane).selected = row;
        }
    }

    /// The sides of the diff: those that the user chose on the Diff screen, and before and after
    /// the step on all other screens.
    pub(crate) fn compared(&self) -> Compare {
        if self.screen == Screen::Diff { self.diff.compare } else { Compare::Step }
    }

    /// The shown Composition; `None` if its imports and overrides could not be resolved.
    pub(crate) fn composition(&self) -> Option<&ConsolidatedComposition> {
        self.composition_result()?.result.as_ref().ok()
    }

    pub(crate) fn composition_result(&self) -> Option<&CompositionResult> {
        self.builds.recording.compositions.get(self.composition.shown?)
    }

    /// The number of files in the draft that is kept for the next session.
    pub(crate) fn kept_files(&self) -> usize {
        match &self.edits.keeping {
            KeptDraftState::Kept(changes, _) => changes.len(),
            KeptDraftState::Undecided(_) | KeptDraftState::Impossible => 0,
        }
    }

    pub(crate) fn has_draft(&self) -> bool {
        !self.edits.changes.is_empty()
    }

    pub(crate) fn shown_path(&self, file: &Path) -> String {
        self.builds.recording.shorten(&file.to_string_lossy())
    }

    pub(crate) fn is_building(&self) -> bool {
        matches!(self.builds.running, RunningBuild::Running(_))
    }

    /// The consequences of the draft in lines, the most serious first.
    pub(crate) fn write_consequences(&self) -> Vec<(ConsequenceWeight, String)> {
        let known = self.reach.consequence().filter(|_| self.reach.of == self.edits.changes);
        let mut lines = known.map(|it| it.lines()).unwrap_or_default();
        let is_old_failure = self.builds.saved.as_ref().is_some_and(|it| it.error.is_some());
        let error = self.builds.recording.error.as_ref().filter(|_| !is_old_failure);
        // The error of the open target's build is shown here too: the target may be built as a
        // deployment object, and the comparison does not contain such builds.
        if let Some(error) = error
            && !lines.iter().any(|(weight, _)| *weight == ConsequenceWeight::Grave)
        {
            let error = self.look.secrets.text(&failure_words(error));
            let words = format!("{} does not build: {}", self.target_name(), headline(&error));
            lines.insert(0, (ConsequenceWeight::Grave, words));
        }
        if self.reach.report.is_none() {
            let progress = self.work.progress(WorkKind::Reach);
            lines.push((ConsequenceWeight::Plain, self.reach.words(progress)));
        }
        lines
    }

    /// True if a write needs another key to confirm it: the draft does not build, or deletes data.
    pub(crate) fn needs_second_confirmation(&self) -> bool {
        self.write_consequences().iter().any(|(weight, _)| *weight == ConsequenceWeight::Grave)
    }

    /// The watched paths: the files of the build, and, once the Board was visited, the folders of
    /// the repository.
    pub(crate) fn watched(&self) -> Vec<PathBuf> {
        let mut paths = self.builds.recording.watched.clone();
        if let Some(repository) = &self.board.repository {
            let mut folders: Vec<&Path> =
                repository.files.iter().filter_map(|file| file.parent()).collect();
            folders.dedup();
            paths.extend(folders.into_iter().map(Path::to_owned));
        }
        paths
    }

    /// A file relative to the top of the repository; until the repository is read, relative to the
    /// folder of the listed targets.
    pub(crate) fn shown_file(&self, path: &Path) -> String {
        match &self.board.repository {
            Some(repository) if path.starts_with(&repository.root) => {
                sanitize(&repository.shown(path)).into_owned()
            }
            _ if path.starts_with(&self.board.scope) => {
                sanitize(&self.board.shown(path)).into_owned()
            }
            _ => self.builds.recording.shorten(&path.to_string_lossy()),
        }
    }
}
