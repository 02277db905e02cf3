//! The thread that fetches the confirmed remotes. One request at a time.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use crossbeam_channel::Sender;

use crate::engine::evaluate::Cancel;
use crate::engine::load::Fetch;

use super::super::message::Message;
use super::super::ports::WorkbenchPorts;
use super::since;

/// The handle of the running fetch, for the main loop.
#[derive(Default)]
pub(super) struct FetchHandle {
    running: Option<(Arc<StopFlag>, Instant)>,
}

/// The cancel signal of a fetch request, for the items that are not fetched yet.
#[derive(Default)]
struct StopFlag(AtomicBool);

impl Cancel for StopFlag {
    fn is_cancelled(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}

impl FetchHandle {
    /// Fetches the items one after the other; cancels an older request.
    pub(super) fn start(
        &mut self,
        request: u64,
        things: Vec<Fetch>,
        outside: Arc<dyn WorkbenchPorts>,
        news: Sender<Message>,
    ) {
        self.cancel();
        let stop = Arc::new(StopFlag::default());
        self.running = Some((stop.clone(), Instant::now()));
        let work = move || fetch(request, things, &*outside, &stop, &news);
        // If the thread cannot start, the screen keeps showing that the request is being fetched.
        let _ = std::thread::Builder::new().name("fetch".to_owned()).spawn(work);
    }

    /// Cancels the running request.
    pub(super) fn cancel(&mut self) {
        if let Some((stop, _)) = self.running.take() {
            stop.0.store(true, Ordering::Relaxed);
        }
    }

    /// The time since the running request began.
    pub(super) fn running_for(&self) -> Duration {
        self.running.as_ref().map(|(_, started)| since(*started)).unwrap_or_default()
    }
}

fn fetch(
    request: u64,
    things: Vec<Fetch>,
    outside: &dyn WorkbenchPorts,
    stop: &Arc<StopFlag>,
    news: &Sender<Message>,
) {
    let mut failed = Vec::new();
    for (number, thing) in things.into_iter().enumerate() {
        if stop.is_cancelled() {
            return;
        }
        // Cannot fail: the receiver exists until the program ends.
        let _ = news.send(Message::Fetching(request, number));
        if let Err(reason) = outside.fetch(&thing, stop.clone()) {
            failed.push((thing, reason));
        }
    }
    let _ = news.send(Message::Fetched(request, failed));
}
