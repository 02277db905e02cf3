//! Command lines with the same answers as the screens.

/// The command that shows the writers of a field.
pub(crate) fn why_command(target: &str, resource: &str, field: &str) -> String {
    format!("kzui why {} {} {}", quoted(target), quoted(resource), quoted(field))
}

/// The command that shows a step with its diff.
pub(crate) fn step_trace_command(target: &str, step: usize) -> String {
    format!("kzui trace {target} --step {} --diff", step + 1)
}

/// The command that shows the steps of a resource with their diffs.
pub(crate) fn resource_trace_command(target: &str, kind: &str, name: &str) -> String {
    format!("kzui trace {target} --diff --resource {}", quoted(&format!("{kind}/{name}")))
}

/// A word quoted for a shell.
pub(crate) fn quoted(word: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "/._-:@=+,%".contains(c);
    if !word.is_empty() && word.chars().all(plain) {
        return word.to_owned();
    }
    format!("'{}'", word.replace('\'', r"'\''"))
}
