//! Diagnostics: the findings of `kzui check` for the open documents and the targets that they
//! affect.

use std::collections::BTreeMap;
use std::path::PathBuf;

use lsp_types::{Diagnostic, DiagnosticSeverity, DiagnosticTag, NumberOrString};

use crate::answers::SharedFinding;
use crate::display::{first_names, sanitize_lines};
use crate::engine::diagnostic::{EntryEffect, Severity};

use super::super::checked::CheckedRepository;
use super::super::positions::span_of_mark;

/// Limit of the diagnostics of a file, and of the files with diagnostics.
const MAX_DIAGNOSTICS: usize = 500;
const MAX_FILES: usize = 200;
const MAX_MESSAGE_BYTES: usize = 4 * 1024;

/// The diagnostics by file. Each open document has an element, even without a diagnostic, so that
/// the client removes the old ones.
pub(crate) fn diagnostics(checked: &CheckedRepository) -> BTreeMap<PathBuf, Vec<Diagnostic>> {
    let mut all: BTreeMap<PathBuf, Vec<Diagnostic>> =
        checked.texts.keys().map(|path| (path.clone(), Vec::new())).collect();
    for found in checked.check.findings.iter().filter(|found| found.waived.is_none()) {
        let Some(file) = checked.finding_file(found) else { continue };
        if all.len() >= MAX_FILES && !all.contains_key(file) {
            continue;
        }
        let own = all.entry(file.to_owned()).or_default();
        if own.len() < MAX_DIAGNOSTICS {
            own.push(diagnostic(found, checked));
        }
    }
    all
}

pub(super) fn diagnostic(found: &SharedFinding, checked: &CheckedRepository) -> Diagnostic {
    let text = checked.finding_file(found).and_then(|file| checked.files().read(file).ok());
    let text = text.map(|bytes| String::from_utf8_lossy(&bytes).into_owned()).unwrap_or_default();
    let mut message = found.message.clone();
    if let Some(hint) = &found.hint {
        message.push_str(&format!("\nhelp: {hint}"));
    }
    let others = found.used_by.saturating_sub(found.targets.len());
    if !found.targets.is_empty() && found.used_by > 1 {
        let rest = if others > 0 { format!(", not in {others} others") } else { String::new() };
        let targets = found.targets.iter().map(|it| checked.shown(it));
        message.push_str(&format!("\nin {}{rest}", first_names(targets, 1)));
    }
    let message = shortened(sanitize_lines(&message).into_owned());
    let is_unnecessary = found.code.effect().is_some_and(EntryEffect::is_removable)
        && found.severity != Severity::Error;
    Diagnostic {
        range: span_of_mark(&text, found.mark),
        severity: Some(match found.severity {
            Severity::Error => DiagnosticSeverity::ERROR,
            Severity::Warning => DiagnosticSeverity::WARNING,
            Severity::Note => DiagnosticSeverity::INFORMATION,
        }),
        code: Some(NumberOrString::String(found.code.as_str().to_owned())),
        source: Some("kzui".to_owned()),
        message,
        tags: is_unnecessary.then(|| vec![DiagnosticTag::UNNECESSARY]),
        ..Diagnostic::default()
    }
}

fn shortened(mut message: String) -> String {
    if message.len() > MAX_MESSAGE_BYTES {
        let mut end = MAX_MESSAGE_BYTES;
        while !message.is_char_boundary(end) {
            end -= 1;
        }
        message.truncate(end);
        message.push('…');
    }
    message
}
