//! Messages over a pair of streams. A message that is not valid, or longer than the limit, is
//! reported to the client and skipped; only the end of the input ends the connection.

use std::io::{self, BufRead, Read, Write};
use std::thread::JoinHandle;

use crossbeam_channel::{Sender, bounded};
use lsp_server::{Connection, Message, Notification, Request, RequestId, Response};
use serde::Deserialize;
use serde_json::Value;

/// Limit of the content of a message; a longer one is skipped.
pub const MAX_MESSAGE_BYTES: u64 = 16 * 1024 * 1024;
const MAX_HEADER_BYTES: u64 = 4 * 1024;
/// Limit of messages that are read and not handled yet, and of those that are not sent yet.
const MAX_QUEUED_MESSAGES: usize = 256;

/// The notification in place of a message that is not valid; its parameter is the reason.
pub(crate) const INVALID_MESSAGE: &str = "$/kzui/invalidMessage";

pub struct Transport {
    writer: JoinHandle<io::Result<()>>,
}

impl Transport {
    /// Waits until all messages are written. The connection must have been dropped.
    pub fn finish(self) -> io::Result<()> {
        // A reader that waits for input ends with the process.
        self.writer.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
    }
}

pub fn connect(
    input: impl BufRead + Send + 'static,
    mut output: impl Write + Send + 'static,
) -> io::Result<(Connection, Transport)> {
    let (to_client, outgoing) = bounded(MAX_QUEUED_MESSAGES);
    let (incoming, from_client) = bounded(MAX_QUEUED_MESSAGES);
    std::thread::Builder::new()
        .name("read".to_owned())
        .spawn(move || read_messages(input, &incoming))?;
    let writer = std::thread::Builder::new().name("write".to_owned()).spawn(move || {
        outgoing.iter().try_for_each(|message: Message| message.write(&mut output))
    })?;
    Ok((Connection { sender: to_client, receiver: from_client }, Transport { writer }))
}

/// A message as a client writes it. It is read in two steps, because untagged types do not accept
/// numbers that are kept as text.
#[derive(Deserialize)]
struct RawMessage {
    id: Option<Value>,
    method: Option<String>,
    #[serde(default)]
    params: Value,
}

/// Sends the messages of the input, until it ends.
fn read_messages(mut input: impl BufRead, messages: &Sender<Message>) {
    while let Ok(Some(content)) = read_content(&mut input) {
        // The id of an invalid message is not known, so that no response can be sent.
        let message = content.and_then(|bytes| message_from_bytes(&bytes));
        let message = message.unwrap_or_else(|problem| {
            let (method, params) = (INVALID_MESSAGE.to_owned(), Value::String(problem));
            Message::Notification(Notification { method, params })
        });
        if messages.send(message).is_err() {
            return;
        }
    }
}

/// Reads the content of the next message, or skips a message above the limit and returns the
/// problem; `None` at the end of the input. Lines that are no header are skipped.
fn read_content(input: &mut impl BufRead) -> io::Result<Option<Result<Vec<u8>, String>>> {
    let mut length: Option<u64> = None;
    loop {
        let mut line = Vec::new();
        if input.by_ref().take(MAX_HEADER_BYTES).read_until(b'\n', &mut line)? == 0 {
            return Ok(None);
        }
        let line = String::from_utf8_lossy(&line).to_ascii_lowercase();
        if let Some(value) = line.strip_prefix("content-length:") {
            length = value.trim().parse().ok();
        }
        let Some(length) = length.filter(|_| line.trim().is_empty()) else { continue };
        if length > MAX_MESSAGE_BYTES {
            io::copy(&mut input.by_ref().take(length), &mut io::sink())?;
            return Ok(Some(Err(format!(
                "a message of {length} bytes was skipped: the limit is {MAX_MESSAGE_BYTES} bytes"
            ))));
        }
        let mut content = Vec::new();
        input.by_ref().take(length).read_to_end(&mut content)?;
        return Ok(Some(Ok(content)));
    }
}

fn message_from_bytes(content: &[u8]) -> Result<Message, String> {
    let RawMessage { id, method, params } = serde_json::from_slice(content)
        .map_err(|error| format!("a message cannot be read: {error}"))?;
    let id = id
        .map(|id| request_id(&id).ok_or("the id of a message is no text and no number of 32 bits"));
    match (id.transpose()?, method) {
        (Some(id), Some(method)) => Ok(Message::Request(Request { id, method, params })),
        (None, Some(method)) => Ok(Message::Notification(Notification { method, params })),
        // The server uses no result of its requests.
        (Some(id), None) => {
            Ok(Message::Response(Response { id, response_result: Ok(Value::Null) }))
        }
        (None, None) => Err("a message has neither an id nor a method".to_owned()),
    }
}

/// The id of a request: a text, or a number in the range that the protocol allows.
pub(crate) fn request_id(id: &Value) -> Option<RequestId> {
    let number = id.as_i64().and_then(|id| i32::try_from(id).ok()).map(RequestId::from);
    number.or_else(|| Some(RequestId::from(id.as_str()?.to_owned())))
}

#[cfg(test)]
mod tests {
    use std::io::Cursor;

    use super::*;

    #[test]
    fn lines_without_a_header_are_skipped() {
        let input = b"garbage\r\n\r\nContent-Type: a\r\nCONTENT-LENGTH: 2\r\n\r\n{}Content-Length: 3\r\n\r\n[1]";
        let mut input = Cursor::new(input.to_vec());
        let mut content = || read_content(&mut input).unwrap();
        assert_eq!(content(), Some(Ok(b"{}".to_vec())));
        assert_eq!(content(), Some(Ok(b"[1]".to_vec())));
        assert_eq!(content(), None);
    }

    #[test]
    fn a_long_message_is_skipped_without_being_kept() {
        let length = MAX_MESSAGE_BYTES + 1;
        let header = format!("Content-Length: {length}\r\n\r\n");
        let body = io::repeat(b'x').take(length);
        let next = Cursor::new(b"Content-Length: 2\r\n\r\n{}".to_vec());
        let mut input = io::BufReader::new(Cursor::new(header).chain(body).chain(next));
        assert!(read_content(&mut input).unwrap().unwrap().is_err());
        assert_eq!(read_content(&mut input).unwrap(), Some(Ok(b"{}".to_vec())));
    }
}
