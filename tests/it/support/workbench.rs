//! The workbench without a terminal: keys in, screens out, effects performed at once on files in
//! memory.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};
use kzui::answers::RepositoryBuilds;
use kzui::draft::{DraftHolder, FileChange, ListedDraft, PastWrite, StoredDraft, WriteScope};
use kzui::engine::evaluate::{
    BuildCache, BuildOptions, DeploymentCache, NoCancel, NoClock, Ports, consolidate, evaluate,
};
use kzui::engine::load::{Fetch, Files, Remote};
use kzui::engine::plugin::{CatalogPorts, FunctionOptions, NoPrograms};
use kzui::engine::profile::Profile;
use kzui::tui::{
    Access, ClickArea, CompositionResult, DraftNews, Effect, Message, Model, NameUse, NamedSide,
    PaneShare, RequestedRuns, StoreAnswer, StoreOrder, UserCatalogs, UserCommandResult,
    UserCommandRun, Work, WorkAnswer, WorkNews, WorkbenchBuild, WorkbenchConfig, WorkbenchOptions,
    WriteError, answer, catalogs_of, composition_files, disagreements, open, update, view,
};
use ratatui::Terminal;
use ratatui::backend::TestBackend;
use ratatui::buffer::{Buffer, Cell};

use super::disk::Disk;
use super::fake_remote::FakeRemote;
use super::messages;
use super::starlark::OnlyScripts;

/// The time of every write.
const WRITE_TIME: &str = "2026-11-22T12:34:56Z";

/// A workbench under test.
pub(crate) struct Workbench {
    /// The files in memory that the workbench reads and writes.
    pub(crate) disk: Arc<Disk>,
    /// The state of the workbench.
    pub(crate) model: Model,
    /// Requests to the outside other than builds and writes.
    pub(crate) asked: Vec<String>,
    /// The current draft, to be kept for the next time.
    pub(crate) kept: StoredDraft,
    /// The sizes of panes that are kept for the next session.
    pub(crate) pane_shares: Vec<PaneShare>,
    /// The other drafts that are kept.
    pub(crate) others: Vec<StoredDraft>,
    /// The writes, the newest first.
    pub(crate) operations: Vec<PastWrite>,
    /// The sides that a comparison may name.
    pub(crate) sides: Vec<NamedSide>,
    /// The reason why drafts cannot be kept.
    pub(crate) cannot_keep: Option<String>,
    /// The number of builds with other texts after which the user cancels them.
    pub(crate) cancels_after: Option<usize>,
    memory: BuildCache,
    known: kzui::tui::BuildAnswerCache,
    pub(super) options: BuildOptions,
    target: PathBuf,
    /// The path of the deployment object that is open as the target, from `/demo`, if any.
    deployer: Option<String>,
    size: (u16, u16),
    /// The builds of all targets, once the Board has requested them.
    pub(super) board: Option<RepositoryBuilds>,
    /// The number of the last search for components.
    discovery: u64,
    /// The delayed builds; `None` if builds are not delayed.
    held: Option<Vec<(u64, Arc<dyn Files>)>>,
    /// Remote content, with the fetched part.
    pub(crate) elsewhere: Arc<FakeRemote>,
    given: Vec<String>,
}

impl Workbench {
    /// A workbench on a target of one of the demos.
    pub(crate) fn of_demo(demo: &str, target: &str, size: (u16, u16)) -> Self {
        Self::of_demo_with(demo, target, size, WorkbenchConfig::default())
    }

    /// The same as [`Workbench::of_demo`] with another configuration.
    pub(crate) fn of_demo_with(
        demo: &str,
        target: &str,
        size: (u16, u16),
        config: WorkbenchConfig,
    ) -> Self {
        Self::new(demo_on_disk(demo), target, size, config)
    }

    /// A workbench on a target of these files, by path below `/demo`.
    pub(crate) fn of_files(files: &[(&str, &str)], target: &str, size: (u16, u16)) -> Self {
        let disk = Disk::default();
        for (path, text) in files {
            disk.put(&format!("/demo/{path}"), text);
        }
        Self::new(disk, target, size, WorkbenchConfig::default())
    }

    /// A workbench on a target of a demo with `--read-only`.
    pub(crate) fn read_only(demo: &str, target: &str, size: (u16, u16)) -> Self {
        Self::opened(demo_on_disk(demo), target, size, WorkbenchConfig::default(), Access::ReadOnly)
    }

    /// A workbench after the first build and the search for components.
    pub(crate) fn new(disk: Disk, target: &str, size: (u16, u16), config: WorkbenchConfig) -> Self {
        Self::opened(disk, target, size, config, Access::Full)
    }

    pub(crate) fn opened(
        disk: Disk,
        target: &str,
        size: (u16, u16),
        config: WorkbenchConfig,
        access: Access,
    ) -> Self {
        let disk = Arc::new(disk);
        let target_dir = Path::new("/demo").join(target);
        let options = WorkbenchOptions {
            target: target.to_owned(),
            has_target: ["kustomization.yaml", "composition.yaml"]
                .into_iter()
                .any(|name| disk.bytes(&target_dir.join(name)).is_some()),
            board: PathBuf::from("/demo"),
            current: PathBuf::from("/demo"),
            compare: None,
            salt: [7; 16],
            show_secrets: false,
            target_dir: target_dir.clone(),
            config,
            profile: Profile::latest(),
            catalogs: Vec::new(),
            may_run: false,
            tour: false,
            access,
            scope: WriteScope::default(),
            pane_shares: Vec::new(),
            notes: Vec::new(),
        };
        let model = Model::new(options, disk.clone()).unwrap();
        let mut bench = Self {
            disk,
            model,
            asked: Vec::new(),
            kept: StoredDraft::default(),
            pane_shares: Vec::new(),
            others: Vec::new(),
            operations: Vec::new(),
            sides: Vec::new(),
            cannot_keep: None,
            cancels_after: None,
            memory: BuildCache::default(),
            known: kzui::tui::BuildAnswerCache::default(),
            options: BuildOptions {
                profile: Profile::latest(),
                functions: FunctionOptions { enable_star: true, ..FunctionOptions::default() }
                    .in_workbench(),
                enable_alpha_plugins: true,
                ..BuildOptions::default()
            },
            target: target_dir,
            deployer: None,
            size,
            board: None,
            discovery: 0,
            held: None,
            elsewhere: Arc::default(),
            given: Vec::new(),
        };
        bench.send(Message::Resized(size.0, size.1));
        let effects = open(&mut bench.model);
        bench.perform(effects);
        let components = bench.disk.all_files();
        let mut found: Vec<PathBuf> = components
            .iter()
            .filter(|(_, bytes)| String::from_utf8_lossy(bytes).contains("kind: Component"))
            .map(|(path, _)| path.parent().unwrap().to_path_buf())
            .collect();
        found.sort();
        bench.end_work(bench.discovery, Ok(WorkAnswer::Discovered(found)));
        bench
    }

    /// Sends a message to the model and executes its effects.
    pub(crate) fn send(&mut self, mut message: Message) {
        if matches!(message, Message::Mouse(_)) {
            let mut clicks = Vec::new();
            let mut terminal = Terminal::new(TestBackend::new(self.size.0, self.size.1)).unwrap();
            terminal.draw(|frame| clicks = view(&self.model, frame)).unwrap();
            message = ClickArea::answer(&clicks, message);
        }
        let effects = update(&mut self.model, message);
        self.assert_panes_agree();
        self.perform(effects);
    }

    /// Asserts that all panes show the same selection and step.
    fn assert_panes_agree(&self) {
        let found = disagreements(&self.model);
        assert!(found.is_empty(), "{found:#?}\n{}", self.text());
    }

    /// Presses keys, in the spelling of the table of keys, separated by spaces: `space J :w enter
    /// y`.
    pub(crate) fn keys(&mut self, keys: &str) -> &mut Self {
        for word in keys.split(' ').filter(|word| !word.is_empty()) {
            for key in parse(word) {
                self.send(Message::Key(key));
            }
        }
        self
    }

    /// Types the characters of a text, one key each.
    pub(crate) fn type_text(&mut self, text: &str) -> &mut Self {
        for c in text.chars() {
            self.send(Message::Key(KeyEvent::new(KeyCode::Char(c), KeyModifiers::NONE)));
        }
        self
    }

    /// The screen as it is drawn now, with its styles.
    pub(crate) fn screen(&self) -> Buffer {
        let mut terminal = Terminal::new(TestBackend::new(self.size.0, self.size.1)).unwrap();
        terminal.draw(|frame| drop(view(&self.model, frame))).unwrap();
        terminal.backend().buffer().clone()
    }

    /// The screen as text.
    pub(crate) fn text(&self) -> String {
        lines(&self.screen()).join("\n")
    }

    /// Changes the size of the terminal.
    pub(crate) fn resize(&mut self, columns: u16, rows: u16) {
        self.size = (columns, rows);
        self.send(Message::Resized(columns, rows));
    }

    /// Delays builds until [`Workbench::run_held_builds`].
    pub(crate) fn hold_builds(&mut self) {
        self.held = Some(Vec::new());
    }

    /// Runs the delayed builds, the newest first.
    pub(crate) fn run_held_builds(&mut self) {
        for (request, files) in self.held.take().unwrap_or_default().into_iter().rev() {
            self.build(request, files);
        }
    }

    /// The verified findings and fixes of a build.
    fn trials(&self, files: &Arc<dyn Files>, built: &kzui::tui::BuildAnswer) -> Vec<Message> {
        let (target, options) = (self.target.clone(), self.options.clone());
        let mut evaluator: kzui::tui::Evaluator = Box::new(move |order| {
            let ports = Ports {
                files: order.files,
                remote: Arc::new(kzui::engine::load::NoRemote),
                programs: Arc::new(NoPrograms),
                clock: Arc::new(NoClock),
                cancel: Arc::new(NoCancel),
                deployments: DeploymentCache::default(),
            };
            let evaluation = evaluate(".", &target, &options, &ports, &mut BuildCache::disabled());
            let (compositions, catalogs, missed) = (Vec::new(), Vec::new(), Vec::new());
            WorkbenchBuild { evaluation, compositions, catalogs, missed }
        });
        let order = kzui::tui::BuildRequest {
            target: kzui::tui::OpenedTarget {
                name: ".".to_owned(),
                directory: self.target.clone(),
            },
            files: files.clone(),
            cancel: Arc::new(NoCancel),
            again: Vec::new(),
            catalogs: Vec::new(),
            runs: RequestedRuns::default(),
            like: None,
            trial: None,
        };
        let mut messages = Vec::new();
        built.report_trials(&order, &mut evaluator, &mut |message| messages.push(message));
        messages
    }

    fn build(&mut self, request: u64, files: Arc<dyn Files>) {
        let ports = Ports {
            files: files.clone(),
            remote: self.elsewhere.clone(),
            programs: Arc::new(OnlyScripts),
            clock: Arc::new(NoClock),
            cancel: Arc::new(NoCancel),
            deployments: DeploymentCache::default(),
        };
        let (name, from) = match &self.deployer {
            Some(name) => (name.as_str(), Path::new("/demo")),
            None => (".", &*self.target),
        };
        let evaluation = evaluate(name, from, &self.options, &ports, &mut self.memory);
        let memory = &mut self.memory;
        let compositions = composition_files(&evaluation.trace).into_iter().map(|file| {
            let options = self.options.clone();
            let result = consolidate(&file, &self.target, &options, &ports, memory);
            CompositionResult { file, result }
        });
        let compositions: Vec<CompositionResult> = compositions.collect();
        let given = UserCatalogs { references: &self.given, directory: Path::new("/demo") };
        let catalog_ports = CatalogPorts { files: &*files, artifacts: self.elsewhere.artifacts() };
        let trust = &self.options.trust;
        let catalogs = catalogs_of(&evaluation.trace, &compositions, given, catalog_ports, trust);
        let missed = self.elsewhere.take_missed();
        let built = WorkbenchBuild { compositions, evaluation, catalogs, missed };
        let known = &mut self.known;
        let answer = answer(request, built, &*files, &self.target, Duration::ZERO, known);
        self.send(Message::Evaluated(Box::new(answer.clone())));
        for message in self.trials(&files, &answer) {
            self.send(message);
        }
    }

    /// Performs the effects of an update, and updates with their results.
    fn perform(&mut self, effects: Vec<Effect>) {
        for effect in effects {
            match effect {
                Effect::Board(order) => self.board(order),
                Effect::Work(request, work) => self.work(request, work),
                Effect::Store(order) => self.store(order),
                Effect::Evaluate(request, order) => {
                    let kzui::tui::BuildRequest { target, files, again, catalogs, like, .. } =
                        *order;
                    if let Some(profile) = like {
                        self.options = self.options.like(profile);
                    }
                    self.given = catalogs;
                    self.target = target.directory;
                    self.deployer = Some(target.name).filter(|name| name.contains('#'));
                    for run in again {
                        self.memory.drop_run(&run);
                    }
                    match &mut self.held {
                        Some(held) => held.push((request, files)),
                        None => self.build(request, files),
                    }
                }
                Effect::OpenEditor(path, line) => {
                    self.asked.push(format!("edit {}:{line}", path.display()));
                }
                Effect::Copy(text) => self.asked.push(format!("copy {text}")),
                Effect::Quit => self.asked.push("quit".to_owned()),
                Effect::CancelEvaluation => self.asked.push("cancel".to_owned()),
                Effect::Suspend => self.asked.push("suspend".to_owned()),
                Effect::CaptureMouse(mouse) => self.asked.push(format!("mouse {mouse:?}")),
                Effect::Watch(_) | Effect::Redraw | Effect::RetakeTerminal => {}
            }
        }
    }

    /// Ends the work with this number.
    pub(crate) fn end_work(&mut self, request: u64, result: Result<WorkAnswer, String>) {
        self.send(Message::Work(request, WorkNews::Ended(result)));
    }

    fn work(&mut self, request: u64, work: Work) {
        let result = match work {
            Work::Compare(_) if self.held.is_some() => {
                return self.asked.push(format!("compare {request}"));
            }
            Work::Compare(what) => self.compare(&what).map(Arc::new).map(WorkAnswer::Compared),
            Work::WhatIf(what) => self.vary(request, *what).map(WorkAnswer::WhatIf),
            Work::FindEdits(what) => self.find_edits(&what).map(WorkAnswer::EditsFound),
            Work::Fetch(things) => {
                let words = things.iter().map(Fetch::request).collect::<Vec<_>>().join(", ");
                self.asked.push(format!("fetch {words}"));
                if self.held.is_some() {
                    return;
                }
                let mut failed = Vec::new();
                let all = things.len();
                for (number, thing) in things.into_iter().enumerate() {
                    self.send(Message::Work(request, WorkNews::Progress(number, all)));
                    if let Err(reason) = self.elsewhere.fetch(&thing.request()) {
                        failed.push((thing, reason));
                    }
                }
                Ok(WorkAnswer::Fetched(failed))
            }
            Work::RunCommand(run) => Ok(WorkAnswer::CommandEnded(self.run_command(&run))),
            Work::ListSides => Ok(WorkAnswer::SidesListed(self.sides.clone())),
            Work::Discover(_) => {
                self.discovery = request;
                return;
            }
        };
        self.end_work(request, result);
    }

    fn store(&mut self, order: StoreOrder) {
        let answer = match order {
            StoreOrder::Write(changes, words) => {
                self.operations.insert(
                    0,
                    PastWrite { at: WRITE_TIME.to_owned(), words, files: changes.clone() },
                );
                for FileChange { path, base, draft } in changes {
                    let result = self.write(&path, base.as_deref(), draft.as_deref());
                    self.send(Message::Stored(StoreAnswer::Written(path, result)));
                }
                return;
            }
            StoreOrder::ReadWriteLog => StoreAnswer::WriteLogRead(self.operations.clone()),
            StoreOrder::KeepDraft(draft) => {
                self.kept = draft;
                let Some(reason) = self.cannot_keep.clone() else { return };
                StoreAnswer::DraftNotKept(reason)
            }
            StoreOrder::Decide(record) => {
                let words = format!("{} {}", record.scope.word(), record.reference);
                self.asked.push(words.clone());
                let scope = record.scope;
                self.options.trust.records.push(*record);
                StoreAnswer::Decided(scope, Ok(words))
            }
            StoreOrder::KeepPaneShares(shares) => {
                self.pane_shares = shares;
                return;
            }
            StoreOrder::LeaveDraft => return self.leave_draft(),
            StoreOrder::ListDrafts => {
                StoreAnswer::Drafts(Ok(DraftNews::Listed(self.listed_drafts())))
            }
            StoreOrder::SwitchDraft(name) => {
                self.leave_draft();
                let found = self.others.iter().position(|kept| kept.name == name);
                let taken = found.map(|at| self.others.remove(at));
                self.kept = taken.clone().unwrap_or_default();
                StoreAnswer::Drafts(Ok(DraftNews::Taken(name, taken.map(Box::new))))
            }
            StoreOrder::NameDraft(draft, naming) => {
                StoreAnswer::Drafts(self.name_draft(draft, naming))
            }
            StoreOrder::DeleteDraft(name) => {
                let found = self.others.iter().position(|kept| kept.name.as_ref() == Some(&name));
                let result = found.ok_or_else(|| format!("no draft `{name}`"));
                StoreAnswer::Drafts(result.map(|at| {
                    self.others.remove(at);
                    DraftNews::Deleted(name)
                }))
            }
        };
        self.send(Message::Stored(answer));
    }

    /// Answers a run of a user's command with two lines and the exit status 3.
    fn run_command(&mut self, run: &UserCommandRun) -> UserCommandResult {
        let files = run.files.iter();
        let files = files.map(|(name, text)| format!("{name}\n{}", String::from_utf8_lossy(text)));
        let files: Vec<String> = files.collect();
        self.asked.push(format!("run {}\n{}", run.line, files.join("\n")));
        let output = b"one\ntwo \x1b[31mred\n".to_vec();
        UserCommandResult { output, status: Some(3) }
    }

    /// Keeps the current draft under a new name.
    fn name_draft(
        &mut self,
        draft: Box<StoredDraft>,
        naming: NameUse,
    ) -> Result<DraftNews, String> {
        if self.others.iter().chain([&self.kept]).any(|kept| kept.name == draft.name) {
            return Err(messages::NAME_EXISTS.to_owned());
        }
        if naming == NameUse::Copy {
            self.leave_draft();
        }
        self.kept = (*draft).clone();
        Ok(DraftNews::Named(draft))
    }

    /// Releases the current draft.
    fn leave_draft(&mut self) {
        let kept = std::mem::take(&mut self.kept);
        if !kept.is_empty() {
            self.others.push(kept);
        }
    }

    /// The kept drafts as they are listed.
    fn listed_drafts(&self) -> Vec<ListedDraft> {
        let listed = |draft: &StoredDraft, held_by| {
            let (draft, at) = (draft.clone(), WRITE_TIME.to_owned());
            ListedDraft { draft, at, held_by }
        };
        let own = [&self.kept].into_iter().filter(|kept| !kept.is_empty());
        let own = own.map(|kept| listed(kept, DraftHolder::ThisWorkbench));
        let others = self.others.iter().map(|kept| listed(kept, DraftHolder::NoWorkbench));
        let mut all: Vec<ListedDraft> = own.chain(others).collect();
        all.sort_by_key(|kept| (kept.draft.name.is_none(), kept.draft.name.clone()));
        all
    }

    fn write(
        &self,
        path: &Path,
        base: Option<&[u8]>,
        bytes: Option<&[u8]>,
    ) -> Result<(), WriteError> {
        let now = self.disk.bytes(path);
        if now.as_deref() != base {
            return Err(WriteError::Conflict(now));
        }
        match bytes {
            Some(bytes) => self.disk.insert(path.to_path_buf(), bytes.into()),
            None => self.disk.remove(path),
        }
        Ok(())
    }
}

/// The files of one of the demos.
fn demo_on_disk(demo: &str) -> Disk {
    let root = super::demo(demo);
    let disk = Disk::default();
    for entry in walkdir::WalkDir::new(&root).into_iter().map(Result::unwrap) {
        if entry.file_type().is_file() {
            let below = entry.path().strip_prefix(&root).unwrap();
            let bytes = fs_err::read(entry.path()).unwrap();
            disk.insert(Path::new("/demo").join(below), bytes.into());
        }
    }
    disk
}

/// The keys of a word of [`Workbench::keys`]: a named key, or characters.
fn parse(word: &str) -> Vec<KeyEvent> {
    let (modifiers, name) = match word.split_once('-') {
        Some(("ctrl", name)) if !name.is_empty() => (KeyModifiers::CONTROL, name),
        Some(("alt", name)) if !name.is_empty() => (KeyModifiers::ALT, name),
        _ => (KeyModifiers::NONE, word),
    };
    let named = match name {
        "space" => Some(KeyCode::Char(' ')),
        "enter" => Some(KeyCode::Enter),
        "esc" => Some(KeyCode::Esc),
        "tab" => Some(KeyCode::Tab),
        "up" => Some(KeyCode::Up),
        "down" => Some(KeyCode::Down),
        "backspace" => Some(KeyCode::Backspace),
        "left" => Some(KeyCode::Left),
        "right" => Some(KeyCode::Right),
        "pagedown" => Some(KeyCode::PageDown),
        _ => None,
    };
    match named {
        Some(code) => vec![KeyEvent::new(code, modifiers)],
        None => name.chars().map(|c| KeyEvent::new(KeyCode::Char(c), modifiers)).collect(),
    }
}

/// Compares a screen, text and styles, with its picture in `tests/it/snapshots`; `UPDATE=1`
/// replaces it.
pub(crate) fn check_screen(name: &str, screen: &Buffer) {
    let picture = picture(screen);
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("tests/it/snapshots/{name}.txt"));
    if std::env::var_os("UPDATE").is_some() {
        fs_err::create_dir_all(path.parent().unwrap()).unwrap();
        fs_err::write(&path, &picture).unwrap();
        return;
    }
    let kept = fs_err::read_to_string(&path).unwrap_or_default();
    assert!(
        kept == picture,
        "{name} looks different; UPDATE=1 takes a new picture\n{}",
        similar::TextDiff::from_lines(&kept, &picture).unified_diff()
    );
}

fn lines(screen: &Buffer) -> Vec<String> {
    rows(screen).map(|row| row.iter().map(Cell::symbol).collect::<String>()).collect()
}

fn rows(screen: &Buffer) -> impl Iterator<Item = &[Cell]> {
    screen.content.chunks(usize::from(screen.area.width))
}

/// The text, then one letter for the style of each cell, then the legend of the letters.
fn picture(screen: &Buffer) -> String {
    let mut out = String::new();
    for line in lines(screen) {
        out.push_str(&line);
        out.push_str("|\n");
    }
    out.push('\n');
    let mut styles: Vec<String> = Vec::new();
    for row in rows(screen) {
        for cell in row {
            let style = format!("fg={:?} bg={:?} {:?}", cell.fg, cell.bg, cell.modifier);
            let index = styles.iter().position(|known| *known == style).unwrap_or_else(|| {
                styles.push(style);
                styles.len() - 1
            });
            let letter = u8::try_from(index).ok().filter(|index| *index < 26);
            out.push(letter.map_or('?', |index| char::from(b'a' + index)));
        }
        out.push('\n');
    }
    out.push('\n');
    for (letter, style) in ('a'..='z').zip(styles) {
        out.push_str(&format!("{letter}: {style}\n"));
    }
    out
}
