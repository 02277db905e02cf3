//! The log, for debugging kzui: off unless `KZUI_LOG` is set.

use std::sync::Mutex;

use kzui::host;
use tracing_subscriber::EnvFilter;

/// The variable with the filter, as `debug` or `kzui_engine=debug,kzui_tui=info`.
const FILTER_VARIABLE: &str = "KZUI_LOG";

/// Starts to write events that match the filter to `log.txt` in the state folder. Events contain
/// names, paths and counts, and no values of fields.
///
/// # Errors
/// A message: the filter cannot be read, or the file cannot be opened.
pub(crate) fn start_log() -> Result<(), String> {
    let Some(text) = std::env::var_os(FILTER_VARIABLE).filter(|text| !text.is_empty()) else {
        return Ok(());
    };
    let text = text.to_string_lossy();
    let filter = EnvFilter::try_new(&*text).map_err(|error| {
        format!("{FILTER_VARIABLE}={text}: {error}; write a level, such as `debug`")
    })?;
    let file = host::open_log().map_err(|error| format!("{FILTER_VARIABLE}: {error}"))?;
    tracing_subscriber::fmt()
        .with_env_filter(filter)
        .with_ansi(false)
        .with_span_events(tracing_subscriber::fmt::format::FmtSpan::CLOSE)
        .with_writer(Mutex::new(file))
        .init();
    Ok(())
}
