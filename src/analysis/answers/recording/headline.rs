//! The most informative line of a message.

/// The first line of a message; if it only introduces the following line, with that line.
///
/// Errors of Kustomize continue below `yaml: unmarshal errors:` and below `Failed to read
/// kustomization file under …:`.
pub fn headline(text: &str) -> String {
    let mut lines = text.lines().map(str::trim);
    let mut told = lines.next().unwrap_or_default().to_owned();
    while told.ends_with(':')
        && let Some(next) = lines.next()
    {
        told.push(' ');
        told.push_str(next);
    }
    told
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn line_with_colon_includes_the_next_line() {
        assert_eq!(headline("one\ntwo"), "one");
        assert_eq!(
            headline("yaml: errors:\n  line 3: twice\n  line 4"),
            "yaml: errors: line 3: twice"
        );
        assert_eq!(headline("all:"), "all:");
        assert_eq!(headline(""), "");
    }
}
