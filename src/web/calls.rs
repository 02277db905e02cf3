//! The functions that the worker of the page calls. A request is written to the buffer that
//! [`request`] returns; its answer is read from the memory before the next call.
#![expect(unsafe_code, reason = "an exported name and an import are unsafe attributes in Rust")]
#![expect(unreachable_pub, reason = "the page calls the functions, and no crate does")]

use crate::Session;

#[link(wasm_import_module = "page")]
unsafe extern "C" {
    /// Receives the message of a panic. The instance cannot be used afterwards.
    safe fn panicked(text: *const u8, bytes: usize);
}

#[unsafe(no_mangle)]
pub extern "C" fn start() -> Box<Session> {
    std::panic::set_hook(Box::new(|information| {
        let text = information.to_string();
        panicked(text.as_ptr(), text.len());
    }));
    Box::default()
}

/// The buffer for a request of this many bytes.
#[unsafe(no_mangle)]
pub extern "C" fn request(session: &mut Session, bytes: usize) -> *mut u8 {
    session.request = vec![0; bytes];
    session.request.as_mut_ptr()
}

/// Answers the request in the buffer; returns the number of bytes of the answer.
#[unsafe(no_mangle)]
pub extern "C" fn call(session: &mut Session) -> usize {
    let request = std::mem::take(&mut session.request);
    session.answer = session.answer_to(&request);
    session.answer.len()
}

#[unsafe(no_mangle)]
pub extern "C" fn answer(session: &Session) -> *const u8 {
    session.answer.as_ptr()
}
