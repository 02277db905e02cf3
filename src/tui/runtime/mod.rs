//! The loop: terminal, threads and channels. Blocks until a message arrives; performs effects.

mod keyboard;
mod signals;
mod terminal;
mod worker;

use std::any::Any;
use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use crossbeam_channel::{Receiver, Sender, bounded, never, select, tick, unbounded};
use crossterm::clipboard::CopyToClipboard;
use crossterm::execute;

use super::message::{ClickArea, Effect, Message, variant_name};
use super::model::{Model, RunningBuild};
use super::ports::{
    BoardOrder, Work, WorkAnswer, WorkNews, WorkReports, WorkbenchOptions, WorkbenchPorts,
};
use super::theme::ThemeError;
use super::update::change;
use super::user_commands::{CommandDisplay, UserCommandResult, UserCommandRun};
use crate::runtime::keyboard::PendingAnswer;
use crate::runtime::worker::{catch_crash, spawn_work};
use crate::update::{open, refresh_derived};
use keyboard::read_terminal;
use signals::{ForcedEnd, StopSignal, listen_to_signals};
use terminal::{TerminalLoan, TerminalScreen};
use worker::Worker;

#[derive(Debug, thiserror::Error)]
pub enum RunError {
    #[error(transparent)]
    Theme(#[from] ThemeError),
    #[error("terminal: {0}")]
    Terminal(#[from] std::io::Error),
}

const MAX_MESSAGES_PER_DRAW: usize = 64;

/// Opens the workbench and stays until the user leaves. Returns the number of files of a draft that
/// are kept for the next time.
pub fn run(options: WorkbenchOptions, outside: Box<dyn WorkbenchPorts>) -> Result<usize, RunError> {
    let outside: Arc<dyn WorkbenchPorts> = outside.into();
    let asks = options.config.ask_background;
    let mut model = Model::new(options, outside.files())?;
    let (news, inbox) = unbounded();
    let lent = Arc::<TerminalLoan>::default();
    terminal::hook_panics(lent.clone());
    let forced = Arc::new(ForcedEnd::new(lent.clone(), outside.clone()));
    // A signal may arrive before the first frame, and must restore the terminal too.
    let last_stop = listen_to_signals(news.clone(), lent.clone(), forced.clone());
    let mut screen = TerminalScreen::enter(model.look.has_mouse, lent.clone())?;
    model.look.size = screen.size()?;
    let (events, terminal) = bounded(0);
    let asked = asks.then(Instant::now);
    if asks {
        screen.ask_background()?;
    }
    // ctrl-c is read even while the terminal blocks the first frame.
    read_terminal(events, news.clone(), PendingAnswer::new(asked), lent, forced.clone());
    screen.draw(&model)?;

    let rest_ports = outside.clone();
    let worker = Worker::start(outside.evaluator(), move || rest_ports.rest(), news.clone());
    if let Some(kept) = outside.kept_draft() {
        // The receiver is in the loop below.
        let _ = news.send(Message::KeptDraft(Box::new(kept)));
    }
    let watched = outside.watch().unwrap_or_else(never);

    let to_watch = start_watch_thread(outside.clone());
    let (deferred_drops, waste) = unbounded();
    std::thread::spawn(move || waste.into_iter().for_each(drop));
    let mut shell = Shell {
        outside,
        worker,
        board: None,
        running: BTreeMap::new(),
        fetch_started: Instant::now(),
        screen,
        news,
        inbox,
        watched,
        to_watch,
        deferred_drops,
        terminal,
        last_stop,
        forced,
    };
    let effects = open(&mut model);
    let _ = shell.perform(&mut model, effects)?;
    shell.serve(&mut model)?;
    let kept = model.kept_files();
    let Shell { screen, outside, .. } = shell;
    drop(screen);
    outside.end_programs();
    // Exit frees a large recording at once; dropping it is slow.
    std::mem::forget(model);
    Ok(kept)
}

struct Shell {
    outside: Arc<dyn WorkbenchPorts>,
    worker: Worker,
    board: Option<Sender<BoardOrder>>,
    /// The flags that cancel running work, by its number.
    running: BTreeMap<u64, Arc<AtomicBool>>,
    fetch_started: Instant,
    screen: TerminalScreen,
    news: Sender<Message>,
    inbox: Receiver<Message>,
    watched: Receiver<Vec<PathBuf>>,
    to_watch: Sender<Vec<PathBuf>>,
    deferred_drops: Sender<Box<dyn Any + Send>>,
    /// The reader of the terminal sends each event and waits for a reply before it reads on, since
    /// it must not take keys from an editor to which the terminal is lent. The reply is sent after
    /// the event is handled.
    terminal: Receiver<(Message, Sender<()>)>,
    last_stop: StopSignal,
    forced: Arc<ForcedEnd>,
}

impl Shell {
    fn serve(&mut self, model: &mut Model) -> Result<(), RunError> {
        self.screen.draw(model)?;
        loop {
            let (message, reader) = self.wait(model);
            let next = self.take(model, message)?;
            if let Some(reader) = reader {
                // The reader may have ended with its terminal.
                let _ = reader.send(());
            }
            if next.is_break() {
                return Ok(());
            }
            for _ in 0..MAX_MESSAGES_PER_DRAW {
                let Ok(message) = self.inbox.try_recv() else { break };
                if self.take(model, message)?.is_break() {
                    return Ok(());
                }
            }
            self.screen.draw(model)?;
        }
    }

    /// Blocks until a message arrives. A clock ticks only while a build or a fetch runs.
    fn wait(&self, model: &Model) -> (Message, Option<Sender<()>>) {
        let builds = matches!(model.builds.running, RunningBuild::Running(_));
        let runs = builds || model.fetching.run.is_some();
        let clock = if runs { tick(Duration::from_millis(100)) } else { never() };
        let message = select! {
            recv(self.terminal) -> event => match event {
                Ok((message, reader)) => return (message, Some(reader)),
                Err(_) => Message::Terminated,
            },
            recv(self.inbox) -> message => message.unwrap_or(Message::Terminated),
            recv(self.watched) -> paths => match paths {
                Ok(paths) => {
                    let is_of_build = affects_build(model, &paths);
                    if is_of_build {
                        self.send(Message::TreeChanged(paths.clone()));
                        Message::FilesChanged(model.read_drafted(&*self.outside.files(), &paths))
                    } else {
                        Message::TreeChanged(paths)
                    }
                }
                // The watcher ended: from now on changes are not noticed.
                Err(_) => Message::WatchEnded,
            },
            recv(clock) -> _ => if builds {
                Message::Tick(self.worker.running_for(), self.outside.running_function())
            } else {
                Message::FetchTick(self.fetch_started.elapsed())
            },
        };
        (message, None)
    }

    fn take(&mut self, model: &mut Model, message: Message) -> Result<ControlFlow<()>, RunError> {
        tracing::debug!(name = variant_name(&message), "message");
        let message = ClickArea::answer(&self.screen.clicks, message);
        if matches!(message, Message::WatchEnded) {
            self.watched = never();
        }
        // A continue signal may have followed several stop signals: the process must not stop now,
        // since no program would continue it.
        if matches!(message, Message::Stopped) && !self.last_stop.is_stop() {
            return Ok(ControlFlow::Continue(()));
        }
        if matches!(message, Message::Terminated) {
            self.forced.request_stop();
        }
        let is_stopped = matches!(message, Message::Stopped);
        let mut effects = change(model, message);
        let suspends = |effect: &Effect| matches!(effect, Effect::Suspend);
        if !is_stopped && effects.iter().any(suspends) && !self.last_stop.note_key() {
            effects.retain(|effect| !suspends(effect));
            self.send(Message::SuspendImpossible);
        }
        // A requested build runs while this thread computes the screen to show meanwhile.
        let next = self.perform(model, effects)?;
        if next.is_continue() {
            refresh_derived(model);
        }
        Ok(next)
    }

    /// Performs effects, one after the other; none follows the one that leaves.
    fn perform(
        &mut self,
        model: &mut Model,
        effects: Vec<Effect>,
    ) -> Result<ControlFlow<()>, RunError> {
        self.cancel_unneeded_work(model);
        for effect in effects {
            tracing::debug!(name = variant_name(&effect), "effect");
            match effect {
                Effect::Evaluate(request, order) => self.worker.ask(request, *order),
                Effect::CancelEvaluation => self.worker.cancel(),
                Effect::Board(order) => self.order_board(order),
                Effect::Work(request, Work::RunCommand(run))
                    if run.show == CommandDisplay::Terminal =>
                {
                    self.run_on_terminal(model, request, &run)?;
                }
                Effect::Work(request, work) => {
                    tracing::debug!(name = variant_name(&work), "work");
                    self.work(request, work);
                }
                // A thread reads each of many paths. If it has ended, changes are not noticed, and
                // `:reload` reads all files again.
                Effect::Watch(paths) => drop(self.to_watch.send(paths)),
                Effect::OpenEditor(path, line) => self.edit(model, &path, line)?,
                Effect::Copy(text) => {
                    execute!(self.screen.output(), CopyToClipboard::to_clipboard_from(text))?;
                }
                Effect::CaptureMouse(captures) => self.screen.capture(captures)?,
                Effect::Suspend => self.suspend(model)?,
                Effect::Redraw => self.screen.invalidate()?,
                Effect::RetakeTerminal => {
                    self.screen.retake(model.look.has_mouse)?;
                    self.send_size()?;
                }
                Effect::Quit => return Ok(ControlFlow::Break(())),
                Effect::Store(order) => {
                    tracing::debug!(name = variant_name(&order), "store");
                    for answer in self.outside.store(order) {
                        self.send(Message::Stored(answer));
                    }
                }
            }
        }
        for old in model.deferred_drops.drain(..) {
            // If the thread has ended, the value is dropped here.
            let _ = self.deferred_drops.send(old);
        }
        Ok(ControlFlow::Continue(()))
    }

    fn cancel_unneeded_work(&mut self, model: &Model) {
        let needed = model.needed_work();
        self.running.retain(|request, cancel| {
            let is_needed = needed.contains(request);
            cancel.store(!is_needed, Ordering::Relaxed);
            is_needed
        });
    }

    /// Does work on a new thread, until the model does not need its result.
    fn work(&mut self, request: u64, work: Work) {
        let (outside, news) = (self.outside.clone(), self.news.clone());
        let cancel = Arc::<AtomicBool>::default();
        self.running.insert(request, cancel.clone());
        let subject = match work {
            Work::Compare(_) => "this comparison",
            Work::WhatIf(_) | Work::FindEdits(_) => "these builds",
            Work::Fetch(_) => "this fetch",
            Work::RunCommand(_) => "this command",
            Work::ListSides | Work::Discover(_) => "this search",
        };
        if matches!(work, Work::Fetch(_)) {
            self.fetch_started = Instant::now();
        }
        spawn_work("work", move || {
            let reports = WorkReports::new(move |it| {
                // Cannot fail: the receiver exists until the program ends.
                let _ = news.send(Message::Work(request, it));
            });
            let is_large = matches!(work, Work::Compare(_) | Work::WhatIf(_));
            let result = catch_crash(subject, || outside.work(work, cancel.clone(), &reports));
            let is_needed = !cancel.load(Ordering::Relaxed);
            reports.send(WorkNews::Ended(result));
            if is_large && is_needed {
                outside.rest();
            }
        });
    }

    fn run_on_terminal(
        &mut self,
        model: &Model,
        request: u64,
        run: &UserCommandRun,
    ) -> Result<(), RunError> {
        let outside = self.outside.clone();
        let result =
            self.screen.lend(model.look.has_mouse, || outside.run_command_on_terminal(run))?;
        self.send_size()?;
        let result = result.map_err(|reason| format!("{}: {reason}", run.name));
        let ended = UserCommandResult { status: Some(0), output: Vec::new() };
        let ended = result.map(|()| WorkAnswer::CommandEnded(ended));
        self.send(Message::Work(request, WorkNews::Ended(ended)));
        Ok(())
    }

    fn edit(&mut self, model: &Model, path: &Path, line: u32) -> Result<(), RunError> {
        let outside = self.outside.clone();
        let result = self.screen.lend(model.look.has_mouse, || outside.edit(path, line))?;
        self.send_size()?;
        let bytes = model.read_drafted(&*outside.files(), &[path.to_path_buf()]);
        self.send(Message::FilesChanged(bytes));
        self.send(Message::EditorClosed(result));
        Ok(())
    }

    fn suspend(&mut self, model: &Model) -> Result<(), RunError> {
        let last = self.last_stop.clone();
        self.screen.lend(model.look.has_mouse, || last.stop_process_group())??;
        self.send_size()
    }

    fn send_size(&self) -> Result<(), RunError> {
        let (columns, rows) = self.screen.size()?;
        self.send(Message::Resized(columns, rows));
        Ok(())
    }

    fn send(&self, message: Message) {
        // Cannot fail: `self` has the receiver too.
        let _ = self.news.send(message);
    }
}

/// Starts a thread that sets the watched paths. If several lists are pending, only the last is
/// used.
fn start_watch_thread(outside: Arc<dyn WorkbenchPorts>) -> Sender<Vec<PathBuf>> {
    let (to_watch, inbox) = unbounded::<Vec<PathBuf>>();
    terminal::spawn_helper_thread("to-watch", move || {
        while let Ok(first) = inbox.recv() {
            outside.set_watched(&inbox.try_iter().last().unwrap_or(first));
        }
    });
    to_watch
}

/// True if a changed file is in a folder of the shown build, or if events were lost. Folders above
/// the target are only searched for settings, so their other files do not matter: in one with
/// temporary files, a build would cause the next one.
fn affects_build(model: &Model, paths: &[PathBuf]) -> bool {
    let (recording, target) = (&model.builds.recording, &model.opened.dir);
    let sources: Vec<&Path> = recording.trace.sources.paths().map(Path::new).collect();
    let is_near = |path: &PathBuf| {
        let folder = path.parent().filter(|folder| !is_only_above(folder, target, &sources));
        recording.watched.iter().any(|watched| {
            watched == path
                || folder.is_some_and(|it| watched.parent() == Some(it) || watched == it)
        })
    };
    paths.is_empty() || paths.iter().any(is_near)
}

/// True for a folder above the target that has no source of the build.
fn is_only_above(folder: &Path, target: &Path, sources: &[&Path]) -> bool {
    target != folder
        && target.starts_with(folder)
        && !sources.iter().any(|file| file.parent() == Some(folder))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn folder_above_the_target_counts_only_with_a_source() {
        let sources = [Path::new("/r/base/a.yaml"), Path::new("/r/over/kustomization.yaml")];
        let is_above =
            |folder: &str| is_only_above(Path::new(folder), Path::new("/r/over"), &sources);
        assert!(is_above("/r") && is_above("/"));
        assert!(!is_above("/r/over") && !is_above("/r/base"));
        assert!(!is_only_above(Path::new("/r"), Path::new("/r/over"), &[Path::new("/r/b.yaml")]));
    }
}
