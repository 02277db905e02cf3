//! Standard error of a running program, passed on line by line.

use std::sync::Arc;

use crate::engine::diagnostic::printable;
use crate::engine::plugin::{Program, is_pull_progress};

pub(super) type Listener = Arc<dyn Fn(&str) + Send + Sync>;

/// Size at which a line without an end is split.
const MAX_FORWARDED_LINE_BYTES: usize = 64 << 10;

/// Splits output into lines, and passes each on with the name of its program.
pub(super) struct LineForwarder {
    listener: Listener,
    program: String,
    is_container: bool,
    rest: Vec<u8>,
}

impl LineForwarder {
    /// Creates the forwarder for a program; `None` without a listener, and for a program whose
    /// messages are reported in another way.
    pub(super) fn new(listener: Option<&Listener>, program: &Program) -> Option<Self> {
        let (listener, who) = (listener?.clone(), program.display_name.clone()?);
        let is_container = program.container.is_some();
        Some(Self { listener, program: who, is_container, rest: Vec::new() })
    }

    pub(super) fn push(&mut self, bytes: &[u8]) {
        self.rest.extend_from_slice(bytes);
        let rest = std::mem::take(&mut self.rest);
        let ended = rest.iter().rposition(|byte| *byte == b'\n').map_or(0, |last| last + 1);
        let (lines, unfinished) = rest.split_at(ended);
        for line in lines.split_inclusive(|byte| *byte == b'\n') {
            self.forward(line);
        }
        if unfinished.len() > MAX_FORWARDED_LINE_BYTES {
            self.forward(unfinished);
        } else {
            self.rest = unfinished.to_vec();
        }
    }

    fn forward(&self, line: &[u8]) {
        let line = String::from_utf8_lossy(line);
        let line = line.trim_end_matches(['\n', '\r']);
        if !(self.is_container && is_pull_progress(line)) {
            (self.listener)(&format!("[{}] {}", self.program, printable(line)));
        }
    }
}

impl Drop for LineForwarder {
    /// Forwards a last line without a line end.
    fn drop(&mut self) {
        if !self.rest.is_empty() {
            self.forward(&self.rest);
        }
    }
}
