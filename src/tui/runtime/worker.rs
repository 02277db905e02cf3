//! The thread that builds. A newer job supersedes an older one.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use crossbeam_channel::{Receiver, RecvTimeoutError, Sender, unbounded};

use super::super::message::Message;
use super::super::ports::{BuildRequest, Evaluator};
use super::super::tree_files::Builder;
use super::threads::spawn_work;

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
