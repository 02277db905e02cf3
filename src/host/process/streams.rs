//! The three streams of a program, each on its own thread, so that none blocks another.

use std::io::{Read, Write};
use std::sync::Arc;

use crossbeam_channel::Sender;

use super::ProcessEvent;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Stream {
    Output,
    Messages,
}

/// Writes the input and closes the stream. A program may read only a part of the input.
pub(super) fn write_input(mut stdin: impl Write + Send + 'static, input: Arc<[u8]>) {
    std::thread::spawn(move || {
        let _ = stdin.write_all(&input);
    });
}

/// Reads a stream on a new thread and sends its bytes; no bytes are its end.
pub(super) fn drain(
    mut from: impl Read + Send + 'static,
    stream: Stream,
    news: Sender<ProcessEvent>,
) {
    std::thread::spawn(move || {
        let mut chunk = vec![0; 64 << 10];
        loop {
            let read = match from.read(&mut chunk) {
                Err(error) if error.kind() == std::io::ErrorKind::Interrupted => continue,
                read => read.unwrap_or(0),
            };
            let bytes = chunk.get(..read).unwrap_or_default().to_vec();
            if news.send(ProcessEvent::Read(stream, bytes)).is_err() || read == 0 {
                return;
            }
        }
    });
}
