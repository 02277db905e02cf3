//! The durations of the server, and the features of its client.

use std::time::Duration;

use serde_json::Value;

/// The features of the client that the server uses.
#[derive(Clone, Copy, Debug, Default)]
#[expect(clippy::struct_excessive_bools, reason = "independent capabilities of the protocol")]
pub(crate) struct ClientSupport {
    pub(crate) lens_refresh: bool,
    pub(crate) inlay_refresh: bool,
    pub(crate) watched_files: bool,
    pub(crate) prepares_renames: bool,
}

/// Reads the parameters of `initialize` leniently: a client with an unknown capability is served as
/// well.
pub(crate) fn read_capabilities(params: &Value) -> ClientSupport {
    let client = params.get("capabilities").unwrap_or(&Value::Null);
    let is = |path: &str| client.pointer(path).and_then(Value::as_bool).unwrap_or_default();
    ClientSupport {
        lens_refresh: is("/workspace/codeLens/refreshSupport"),
        inlay_refresh: is("/workspace/inlayHint/refreshSupport"),
        watched_files: is("/workspace/didChangeWatchedFiles/dynamicRegistration"),
        prepares_renames: is("/textDocument/rename/prepareSupport"),
    }
}

/// The durations by which the server decides when to check and to answer.
#[derive(Clone, Copy, Debug)]
pub struct ServerSettings {
    /// The time without a further change after which a check begins.
    pub quiet: Duration,
    /// The time that a request waits for the first check of its document.
    pub patience: Duration,
    /// The time that a request waits for a newer check, before it is answered from the last one.
    pub brief_patience: Duration,
    /// The time after a comparison of the files on disk during which they are not compared again:
    /// an editor sends several requests together.
    pub comparison_pause: Duration,
}

impl Default for ServerSettings {
    fn default() -> Self {
        Self {
            quiet: Duration::from_millis(150),
            patience: Duration::from_millis(800),
            brief_patience: Duration::from_millis(30),
            comparison_pause: Duration::from_millis(300),
        }
    }
}
