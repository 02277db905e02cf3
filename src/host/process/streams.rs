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

/// Limit for the messages of a program; the rest is read and dropped.
const MAX_MESSAGES_BYTES: usize = 16 << 20;

/// Writes the input and closes the stream. A program may read only a part of the input.
pub(super) fn write_input(mut stdin: impl Write + Send + 'static, input: Arc<[u8]>) {
    std::thread::spawn(move || {
        let _ = stdin.write_all(&input);
    });
}

/// Reads a stream on a new thread and sends its bytes at the end. Bytes beyond the limit are
/// dropped, or end the program.
pub(super) fn drain(
    mut from: impl Read + Send + 'static,
    stream: Stream,
    limit: Option<usize>,
    news: Sender<ProcessEvent>,
) {
    std::thread::spawn(move || {
        let mut bytes = Vec::new();
        let mut chunk = vec![0; 64 << 10];
        loop {
            let read = match from.read(&mut chunk) {
                Ok(0) => break,
                Ok(read) => chunk.get(..read).unwrap_or_default(),
                Err(error) if error.kind() == std::io::ErrorKind::Interrupted => continue,
                Err(_) => break,
            };
            if stream == Stream::Messages {
                if bytes.len() + read.len() > MAX_MESSAGES_BYTES {
                    continue;
                }
                let _ = news.send(ProcessEvent::MessageBytes(read.to_vec()));
            }
            bytes.extend_from_slice(read);
            if limit.is_some_and(|limit| bytes.len() > limit) {
                let _ = news.send(ProcessEvent::TooMuch);
                return;
            }
        }
        let _ = news.send(ProcessEvent::Closed(stream, bytes));
    });
}
