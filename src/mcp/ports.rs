//! The port of the tools.

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use super::{AnswerFormat, ToolCall};

/// Answers questions about one repository. No answer runs a program, fetches a remote or writes a
/// file, and values of Secrets are masked.
pub trait AgentPorts: Send + Sync {
    /// The folder that tools may read.
    fn root(&self) -> &Path;
    /// Answers a call in text or as a JSON document. The flag is set when the client cancels the
    /// call, which ends the work.
    fn answer(
        &self,
        call: &ToolCall,
        format: AnswerFormat,
        is_cancelled: &Arc<AtomicBool>,
    ) -> Result<String, String>;
    /// The page of a code.
    fn explain(&self, code: &str) -> Result<String, String>;
    /// The names of the targets of the repository, relative to its root.
    fn targets(&self) -> Vec<String>;
}
