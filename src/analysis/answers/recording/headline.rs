//! The most informative line of a message.

/// The beginning of the error that has the problems of a Composition, each in one more line.
const COMPOSITION_HEADING: &str = "invalid Composition at path ";

/// The first line of a message. A line that ends in a colon only introduces the next line, which is
/// then included, and so does the heading of an invalid Composition.
///
/// Errors of Kustomize continue below `yaml: unmarshal errors:` and below `Failed to read
/// kustomization file under …:`.
pub fn headline(text: &str) -> String {
    let mut lines = text.lines().map(str::trim);
    let mut told = lines.next().unwrap_or_default().to_owned();
    if told.starts_with(COMPOSITION_HEADING)
        && let Some(problem) = lines.next()
    {
        told.push_str(": ");
        told.push_str(problem);
    }
    while told.ends_with(':')
        && let Some(next) = lines.next()
    {
        told.push(' ');
        told.push_str(next);
    }
    shorten_ids(&told)
}

/// The text with each id `Kind.version.group/name.namespace` of Kustomize as `Kind/name in
/// namespace`.
pub fn shorten_ids(text: &str) -> String {
    let is_edge = |letter: char| letter.is_whitespace() || "\"'`(),;".contains(letter);
    let parts = text.split_inclusive(is_edge).map(|part| {
        let word = part.trim_end_matches(is_edge);
        shorten_id(word).map_or_else(|| part.to_owned(), |id| id + &part[word.len()..])
    });
    parts.collect()
}

/// The short form of an id of Kustomize; `None` for other words.
fn shorten_id(word: &str) -> Option<String> {
    let (gvk, rest) = word.split_once('/')?;
    let (kind, version) = gvk.split_once('.')?;
    let (version, _) = version.split_once('.')?;
    let (name, namespace) = rest.rsplit_once('.')?;
    let is_kind = kind.starts_with(|letter: char| letter.is_ascii_uppercase());
    if !is_kind || !(version == "[noVer]" || version.starts_with('v')) || name.contains('/') {
        return None;
    }
    let name = if name == "[noName]" { String::new() } else { format!("/{name}") };
    let place = if namespace == "[noNs]" { String::new() } else { format!(" in {namespace}") };
    Some(format!("{kind}{name}{place}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn headline_has_the_next_line_after_a_colon_and_short_ids() {
        for (text, expected) in [
            ("one\ntwo", "one"),
            ("yaml: errors:\n  line 3: twice\n  line 4", "yaml: errors: line 3: twice"),
            (
                "invalid Composition at path c\ncomposition.yaml:3: one\ncomposition.yaml:4: two",
                "invalid Composition at path c: composition.yaml:3: one",
            ),
            ("all:", "all:"),
            ("", ""),
            (
                "no matches for Id Role.v1.rbac.authorization.k8s.io/a.b.[noNs]; failed",
                "no matches for Id Role/a.b; failed",
            ),
            ("\"ConfigMap.v1.[noGrp]/a.shop\": x", "\"ConfigMap/a in shop\": x"),
            ("no match for Pod.[noVer].[noGrp]/[noName].[noNs]", "no match for Pod"),
            ("at base/v1.yaml (see a/b.c)", "at base/v1.yaml (see a/b.c)"),
        ] {
            assert_eq!(headline(text), expected);
        }
    }
}
