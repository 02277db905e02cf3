//! Command lines with the same answers as the screens.

pub(crate) fn why_command(target: &str, resource: &str, field: &str) -> String {
    format!("kzui why {} {} {}", quoted(target), quoted(resource), quoted(field))
}

pub(crate) fn step_trace_command(target: &str, step: usize) -> String {
    format!("kzui trace {target} --step {} --diff", step + 1)
}

pub(crate) fn resource_trace_command(target: &str, kind: &str, name: &str) -> String {
    format!("kzui trace {target} --diff --resource {}", quoted(&format!("{kind}/{name}")))
}

pub(crate) fn quoted(word: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "/._-:@=+,%".contains(c);
    if !word.is_empty() && word.chars().all(plain) {
        return word.to_owned();
    }
    format!("'{}'", word.replace('\'', r"'\''"))
}
