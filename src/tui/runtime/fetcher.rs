//! The thread that fetches the confirmed remotes. One request at a time.

use std::sync::Arc;
use std::time::{Duration, Instant};

use crossbeam_channel::Sender;

use super::super::message::Message;
use super::super::ports::WorkbenchPorts;
use super::since;
use super::threads::{NeededRequests, spawn_work};
use crate::engine::load::Fetch;

#[derive(Default)]
pub(super) struct FetchHandle {
    needed: NeededRequests,
    started: Option<Instant>,
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
        self.needed.keep(request);
        self.started = Some(Instant::now());
        let cancel = self.needed.signal(request);
        spawn_work("fetch", move || {
            let mut failed = Vec::new();
            for (number, thing) in things.into_iter().enumerate() {
                if cancel.is_cancelled() {
                    return;
                }
                // Cannot fail: the receiver exists until the program ends.
                let _ = news.send(Message::Fetching(request, number));
                if let Err(reason) = outside.fetch(&thing, cancel.clone()) {
                    failed.push((thing, reason));
                }
            }
            let _ = news.send(Message::Fetched(request, failed));
        });
    }

    pub(super) fn cancel(&mut self) {
        self.needed.cancel();
        self.started = None;
    }

    pub(super) fn running_for(&self) -> Duration {
        self.started.map(since).unwrap_or_default()
    }
}
