//! The thread that builds. A newer job supersedes an older one.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use crossbeam_channel::{Receiver, RecvTimeoutError, Sender, unbounded};

use crate::engine::evaluate::{Cancel, STACK};

use super::super::message::Message;
use super::super::perform::BuildJob;
use super::super::ports::{BuildRequest, Evaluator};
use super::super::tree_files::{
    BuildAnswerCache, BuiltAnswer, answer, may_have_fix, suspected_findings, try_fixes,
    verify_suspected_findings,
};
use super::since;

/// The name of the build thread; a crash in it is reported on the screen.
pub(super) const BUILD_THREAD: &str = "build";

/// Idle time after which free memory goes back to the system: while the user works, the next build
/// follows sooner.
const IDLE_BEFORE_TRIM: Duration = Duration::from_millis(250);

/// The handle of the build thread, for the main loop.
pub(super) struct Worker {
    jobs: Sender<BuildJob>,
    wanted: Arc<AtomicU64>,
    started: Arc<Mutex<Option<Instant>>>,
}

/// The cancel signal of a build, which is set once another build is requested.
struct SupersededBuild {
    request: u64,
    wanted: Arc<AtomicU64>,
}

impl Cancel for SupersededBuild {
    fn is_cancelled(&self) -> bool {
        self.wanted.load(Ordering::Relaxed) != self.request
    }
}

impl Worker {
    /// Starts the thread; it calls `rest` after an idle time.
    pub(super) fn start(
        evaluator: Evaluator,
        rest: impl Fn() + Send + 'static,
        news: Sender<Message>,
    ) -> Self {
        let (jobs, inbox) = unbounded();
        let worker =
            Self { jobs, wanted: Arc::new(AtomicU64::new(0)), started: Arc::new(Mutex::new(None)) };
        let (wanted, started) = (worker.wanted.clone(), worker.started.clone());
        let build = move || {
            let inbox = Inbox { jobs: inbox, rest };
            build_requested_jobs(evaluator, &inbox, &news, &wanted, &started);
        };
        // If the thread cannot start, the screen keeps showing that a build is running.
        let thread = std::thread::Builder::new().name(BUILD_THREAD.to_owned()).stack_size(STACK);
        let _ = thread.spawn(build);
        worker
    }

    /// Requests a build and cancels the running one.
    pub(super) fn ask(&self, job: BuildJob) {
        self.wanted.store(job.request, Ordering::Relaxed);
        *self.started.lock().unwrap_or_else(PoisonError::into_inner) = Some(Instant::now());
        // Cannot fail: the thread runs until the program ends.
        let _ = self.jobs.send(job);
    }

    /// Cancels the running build and starts no other.
    pub(super) fn cancel(&self) {
        self.wanted.store(0, Ordering::Relaxed);
    }

    /// The time since the last request.
    pub(super) fn running_for(&self) -> Duration {
        let started = *self.started.lock().unwrap_or_else(PoisonError::into_inner);
        started.map(since).unwrap_or_default()
    }
}

/// The queue of builds, and the function that is called when the queue is idle.
struct Inbox<R> {
    jobs: Receiver<BuildJob>,
    rest: R,
}

impl<R: Fn()> Inbox<R> {
    /// The next job; `None` if all senders are gone.
    fn next(&self) -> Option<BuildJob> {
        match self.jobs.recv_timeout(IDLE_BEFORE_TRIM) {
            Ok(job) => Some(job),
            Err(RecvTimeoutError::Disconnected) => None,
            Err(RecvTimeoutError::Timeout) => {
                (self.rest)();
                self.jobs.recv().ok()
            }
        }
    }
}

/// Builds the requested jobs, of several pending ones only the newest, until the inbox is closed.
fn build_requested_jobs(
    mut evaluator: Evaluator,
    inbox: &Inbox<impl Fn()>,
    news: &Sender<Message>,
    wanted: &Arc<AtomicU64>,
    started: &Arc<Mutex<Option<Instant>>>,
) {
    let mut known = BuildAnswerCache::default();
    while let Some(first) = inbox.next() {
        // Of several pending jobs only the newest is built.
        let mut again = first.again.clone().into_iter().collect::<Vec<_>>();
        let job = inbox.jobs.try_iter().inspect(|job| again.extend(job.again.clone())).last();
        let job = job.unwrap_or(first);
        let cancel = SupersededBuild { request: job.request, wanted: wanted.clone() };
        if cancel.is_cancelled() {
            continue;
        }
        let began = Instant::now();
        *started.lock().unwrap_or_else(PoisonError::into_inner) = Some(began);
        let cancel: Arc<dyn Cancel> = Arc::new(cancel);
        let order = BuildRequest {
            target: job.target.clone(),
            files: job.files.clone(),
            cancel: cancel.clone(),
            again,
            catalogs: job.catalogs,
            runs: job.runs,
            like: job.like,
            trial: None,
        };
        let again = BuildRequest { files: job.files.clone(), ..order.clone() };
        let build = AssertUnwindSafe(|| evaluator(order));
        let Ok(built) = catch_unwind(build) else {
            let _ = news.send(Message::Crashed(job.request));
            continue;
        };
        if cancel.is_cancelled() {
            continue;
        }
        let took = since(began);
        let directory = &job.target.directory;
        let answer = answer(job.request, built, &*job.files, directory, took, &mut known);
        let built = BuiltAnswer::from_answer(&answer);
        if news.send(Message::Evaluated(Box::new(answer))).is_err() {
            return;
        }
        if cancel.is_cancelled() {
            continue;
        }
        // Suspected findings are verified by further builds after the result is sent; only verified
        // findings are reported.
        if let Some(suspicions) = suspected_findings(&built, &*job.files) {
            let verify = || verify_suspected_findings(&built, suspicions, &again, &mut evaluator);
            if let Ok(found) = catch_unwind(AssertUnwindSafe(verify))
                && news.send(found).is_err()
            {
                return;
            }
        }
        if cancel.is_cancelled() || !may_have_fix(&built) {
            continue;
        }
        let tries = AssertUnwindSafe(|| try_fixes(&built, &again, &mut evaluator));
        if let Ok(offers) = catch_unwind(tries)
            && news.send(offers).is_err()
        {
            return;
        }
    }
}
