//! The threads that build. Of the open target, a newer job supersedes an older one; another thread
//! builds all targets for the Board.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use crossbeam_channel::{Receiver, RecvTimeoutError, Sender, unbounded};

use crate::answers::RepositoryBuilds;
use crate::engine::evaluate::STACK;
use crate::engine::load::FileError;
use crate::message::{BoardNews, BuiltTargets, Message};
use crate::ports::{BoardOrder, BuildRequest, Evaluator};
use crate::repository::{LocatedDeploymentObject, Repository, TargetKind};
use crate::runtime::Shell;
use crate::tree_files::Builder;

/// Idle time after which free memory goes back to the system: while the user works, the next build
/// follows sooner.
const IDLE_BEFORE_TRIM: Duration = Duration::from_millis(250);

pub(super) struct Worker {
    jobs: Sender<(u64, BuildRequest)>,
    cancel: Arc<AtomicBool>,
    started: Arc<Mutex<Option<Instant>>>,
}

impl Worker {
    /// Starts the thread; it calls `rest` after an idle time.
    pub(super) fn start(
        evaluator: Evaluator,
        rest: impl Fn() + Send + 'static,
        news: Sender<Message>,
    ) -> Self {
        let (jobs, inbox) = unbounded();
        let started = Arc::default();
        let worker = Self { jobs, cancel: Arc::default(), started: Arc::clone(&started) };
        spawn_work("build", move || {
            build_requested_jobs(Builder::new(evaluator), &inbox, rest, &news, &started);
        });
        worker
    }

    pub(super) fn ask(&mut self, request: u64, order: BuildRequest) {
        self.cancel();
        self.cancel = Arc::default();
        let cancel = self.cancel.clone();
        *self.started.lock().unwrap_or_else(PoisonError::into_inner) = Some(Instant::now());
        // Cannot fail: the thread runs until the program ends.
        let _ = self.jobs.send((request, BuildRequest { cancel, ..order }));
    }

    pub(super) fn cancel(&self) {
        self.cancel.store(true, Ordering::Relaxed);
    }

    pub(super) fn running_for(&self) -> Duration {
        let started = *self.started.lock().unwrap_or_else(PoisonError::into_inner);
        started.as_ref().map(Instant::elapsed).unwrap_or_default()
    }
}

/// Builds the requested jobs, of several pending ones only the newest, until the inbox is closed.
fn build_requested_jobs(
    mut builder: Builder,
    inbox: &Receiver<(u64, BuildRequest)>,
    rest: impl Fn(),
    news: &Sender<Message>,
    started: &Mutex<Option<Instant>>,
) {
    let next = || match inbox.recv_timeout(IDLE_BEFORE_TRIM) {
        Err(RecvTimeoutError::Timeout) => {
            rest();
            inbox.recv().ok()
        }
        job => job.ok(),
    };
    while let Some(first) = next() {
        // Of several pending jobs only the newest is built.
        let mut again = first.1.again.clone();
        let jobs = inbox.try_iter().inspect(|(_, order)| again.extend(order.again.clone()));
        let (request, order) = jobs.last().unwrap_or(first);
        if order.cancel.is_cancelled() {
            continue;
        }
        let began = Instant::now();
        *started.lock().unwrap_or_else(PoisonError::into_inner) = Some(began);
        let mut is_answered = false;
        let mut report = |message| {
            is_answered = true;
            // Cannot fail: the receiver exists until the program ends.
            let _ = news.send(message);
        };
        let order = BuildRequest { again, ..order };
        let build = || builder.report_build(request, &order, &|| began.elapsed(), &mut report);
        if catch_unwind(AssertUnwindSafe(build)).is_err() && !is_answered {
            let _ = news.send(Message::Crashed(request));
        }
    }
}

/// Starts a thread for work whose end is reported by a message. If it cannot start, the screen
/// keeps showing that the work is running.
pub(super) fn spawn_work(name: &str, work: impl FnOnce() + Send + 'static) {
    let thread = std::thread::Builder::new().name(name.to_owned()).stack_size(STACK);
    let _ = thread.spawn(work);
}

/// The result of work; a crash in it is reported as a defect of kzui.
pub(super) fn catch_crash<T>(
    name: &str,
    work: impl FnOnce() -> Result<T, String>,
) -> Result<T, String> {
    catch_unwind(AssertUnwindSafe(work))
        .unwrap_or_else(|_| Err(format!("{name} crashed kzui's engine: please report it")))
}

/// Finished builds are reported in bundles at this interval, so that the screen is not drawn for
/// each target.
const BUNDLE: Duration = Duration::from_millis(120);
/// Added to the pause for each listed target: the list is rebuilt with each bundle.
const PAUSE_PER_TARGET: Duration = Duration::from_micros(25);
/// From this number of targets on, the targets are listed before their files are read.
const EARLY_LISTING_THRESHOLD: usize = 2_000;

fn execute_board_order(order: BoardOrder, builds: &mut RepositoryBuilds, news: &Sender<Message>) {
    let mut touched: Option<Vec<PathBuf>> = None;
    let (repository, targets) = match order {
        BoardOrder::Read => match find_targets(builds, news) {
            Ok(()) => {
                let repository = builds.read();
                let targets = targets_to_build(&repository);
                (repository, targets)
            }
            Err(error) => {
                let _ = news.send(Message::BoardNews(BoardNews::Failed(error.to_string())));
                return;
            }
        },
        BoardOrder::Fix(found, scope) => {
            let _ = news.send(Message::BoardNews(BoardNews::Fixed(builds.fix(&found, &scope))));
            return;
        }
        BoardOrder::Changed(paths) => {
            let (repository, again) = builds.changed(&paths);
            touched = Some(paths.into_iter().chain(again.iter().cloned()).collect());
            let is_built = |path: &PathBuf| {
                repository.target(path).is_some_and(|target| target.kind != TargetKind::Component)
            };
            let again = again.into_iter().filter(is_built).collect();
            (repository, again)
        }
    };
    let repository_size = repository.targets().count();
    // Cannot fail: the receiver exists until the program ends.
    let _ = news.send(Message::BoardNews(BoardNews::Read(repository.clone(), targets.clone())));
    let pause = BUNDLE.max(PAUSE_PER_TARGET * u32::try_from(repository_size).unwrap_or(u32::MAX));
    build(builds, &targets, pause, news);
    let managers = builds.with_deployment_objects().objects.to_vec();
    let is_touched = |manager: &&LocatedDeploymentObject| {
        touched.as_ref().is_none_or(|touched| {
            let is_one =
                |path: &PathBuf| *path == manager.at.file || manager.folders().any(|it| it == path);
            touched.iter().any(is_one)
        })
    };
    let again = managers.iter().filter(|manager| manager.is_listed());
    let again: Vec<PathBuf> =
        again.filter(is_touched).map(LocatedDeploymentObject::target).collect();
    let _ = news.send(Message::BoardNews(BoardNews::DeploymentObjects(managers, again.clone())));
    if !again.is_empty() {
        build(builds, &again, pause, news);
    }
    let _ = news.send(Message::BoardNews(BoardNews::Checked(builds.report())));
}

fn build(
    builds: &mut RepositoryBuilds,
    targets: &[PathBuf],
    pause: Duration,
    news: &Sender<Message>,
) {
    let bundle: Mutex<(BuiltTargets, Instant)> = Mutex::new((Vec::new(), Instant::now()));
    let flush = |built: BuiltTargets| {
        let _ = news.send(Message::BoardNews(BoardNews::Built(built)));
    };
    builds.build(targets, &|path, summary| {
        let mut bundle = bundle.lock().unwrap_or_else(PoisonError::into_inner);
        bundle.0.push((path.to_owned(), summary));
        if bundle.1.elapsed() >= pause {
            bundle.1 = Instant::now();
            flush(std::mem::take(&mut bundle.0));
        }
    });
    flush(bundle.into_inner().unwrap_or_else(PoisonError::into_inner).0);
}

/// Finds the targets. In a large repository, targets that are found early are listed before all
/// folders are read; a small one is not drawn twice.
fn find_targets(builds: &mut RepositoryBuilds, news: &Sender<Message>) -> Result<(), FileError> {
    let is_long = |known: &Arc<Repository>| known.targets().count() > EARLY_LISTING_THRESHOLD;
    let known = builds.known_repository().filter(is_long);
    let is_listed = known.is_some();
    let list = |found| {
        // Cannot fail: the receiver exists until the program ends.
        let _ = news.send(Message::BoardNews(BoardNews::Found(found)));
    };
    known.into_iter().for_each(list);
    let all = builds.find()?;
    if !is_listed && is_long(&all) {
        list(all);
    }
    Ok(())
}

/// The targets to build: roots first, then bases. Components are built with the targets that use
/// them.
fn targets_to_build(repository: &Repository) -> Vec<PathBuf> {
    let all = repository.targets().filter(|target| target.kind != TargetKind::Component);
    let (roots, bases): (Vec<_>, Vec<_>) = all.partition(|target| repository.is_root(target));
    roots.into_iter().chain(bases).map(|target| target.folder.clone()).collect()
}

impl Shell {
    /// Sends an order to the thread of the Board; the first one starts the thread.
    pub(super) fn order_board(&mut self, order: BoardOrder) {
        let orders = self.board.get_or_insert_with(|| {
            let (orders, inbox) = unbounded::<BoardOrder>();
            let (mut builds, news) = (self.outside.board(), self.news.clone());
            let work = move || {
                for order in inbox {
                    let work = || {
                        execute_board_order(order, &mut builds, &news);
                        Ok(())
                    };
                    if let Err(words) = catch_crash("building the targets", work) {
                        let _ = news.send(Message::BoardNews(BoardNews::Failed(words)));
                    }
                }
            };
            spawn_work("board", work);
            orders
        });
        // Cannot fail: the thread runs until the program ends.
        let _ = orders.send(order);
    }
}
