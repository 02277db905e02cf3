//! The help for a file that is the template of another program.

use std::path::Path;

use crate::diagnostic::Hint;
use crate::load::Files;

/// The help for a YAML error at a placeholder in or beside a line of a text, counted from 0.
pub(super) fn placeholder_advice(text: &str, at: usize) -> Option<Hint> {
    let is_placeholder = |line: &str| line.contains("{{") && !line.trim_start().starts_with('#');
    let mut near = text.lines().enumerate().filter(|(line, _)| line.abs_diff(at) <= 1);
    near.find(|(_, text)| is_placeholder(text))
        .map(|(line, _)| placeholder_hint(&format!("line {}", line + 1)))
}

fn placeholder_hint(line: &str) -> Hint {
    Hint::Change(format!(
        "{line} has a placeholder of a template, which Kustomize does not replace: render the file \
         first, or list a chart under `helmCharts`"
    ))
}

/// The help for an error about the file of an entry of a kustomization, if a line of the file begins
/// with a placeholder. The parser counts the lines of one document only.
pub(super) fn listed_placeholder_advice(
    message: &str,
    kustomization: &Path,
    files: &dyn Files,
) -> Option<Hint> {
    let of_patch = message.split_once("[path: \"").and_then(|(_, rest)| rest.split_once("\"]"));
    let (name, _) = of_patch.or_else(|| message.split_once(": yaml: "))?;
    let bytes = files.read(&kustomization.parent()?.join(name)).ok()?;
    let text = String::from_utf8_lossy(&bytes).into_owned();
    let line = text.lines().position(|line| line.trim_start().starts_with("{{"))?;
    Some(placeholder_hint(&format!("line {} of {name}", line + 1)))
}
