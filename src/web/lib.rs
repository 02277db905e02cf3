//! kzui in a browser: the page of `assets/web` gives files or a recording as JSON, and gets the
//! documents of `kzui trace`, `kzui blame` and `kzui why`. No file, network or program is reached:
//! this crate has no port for them.
//!
//! `src/README.md` is the map.

#[cfg(target_arch = "wasm32")]
mod calls;
mod opened;
mod refusal;
mod session;

use kzui_analysis::{answers, repository};
use kzui_engine as engine;

pub use session::Session;
