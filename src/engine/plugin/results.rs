//! Reads the results of a function, its output besides resources (C.5).

pub use crate::diagnostic::{FunctionResult, ResourceRef, ResultSeverity as Severity};
use crate::yaml::{Node, print_preserving_style, to_json};

/// Parses `results` in the forms of the specification and in older ones (a map with `items`, a
/// resource identified by `metadata`, `suggestedValue`). Results that cannot be parsed are reported
/// in the second list and are not an error.
pub(super) fn read_results(node: Option<&Node>) -> (Vec<FunctionResult>, Vec<String>) {
    let mut warnings = Vec::new();
    let Some(node) = node.filter(|node| !node.is_null()) else { return (Vec::new(), warnings) };
    let Some(items) = node.items().or_else(|| node.get("items").and_then(Node::items)) else {
        return (Vec::new(), vec!["its results are not a list".to_owned()]);
    };
    let mut results = Vec::with_capacity(items.len());
    for (index, item) in items.iter().enumerate() {
        match read_result(item) {
            Some((result, unknown)) => {
                results.push(result);
                warnings.extend(
                    unknown
                        .map(|word| format!("results[{index}] has the unknown severity '{word}'")),
                );
            }
            None => warnings.push(format!("results[{index}] is not an object with a message")),
        }
    }
    let key = |r: &FunctionResult| (r.file.clone(), r.severity, r.to_string());
    results.sort_by_cached_key(key);
    (results, warnings)
}

/// A result, and its severity as written if it is unknown.
fn read_result(node: &Node) -> Option<(FunctionResult, Option<String>)> {
    node.as_mapping()?;
    let text = |path: &[&str]| node.at(path).filter(|node| !node.is_null()).map(as_text);
    let value = |path: &[&str]| node.at(path).filter(|node| !node.is_null()).map(as_json);
    let or = |a: &[&str], b: &[&str]| text(a).or_else(|| text(b)).unwrap_or_default();
    let mut unknown = None;
    let severity = text(&["severity"]).unwrap_or_else(|| "error".to_owned());
    // Older libraries write `warn`.
    let known =
        Severity::from_word(&severity).or((severity == "warn").then_some(Severity::Warning));
    let severity = known.unwrap_or_else(|| {
        unknown = Some(severity);
        Severity::Error
    });
    let resource = node.get("resourceRef").filter(|node| !node.is_null()).map(|_| ResourceRef {
        api_version: text(&["resourceRef", "apiVersion"]).unwrap_or_default(),
        kind: text(&["resourceRef", "kind"]).unwrap_or_default(),
        name: or(&["resourceRef", "name"], &["resourceRef", "metadata", "name"]),
        namespace: or(&["resourceRef", "namespace"], &["resourceRef", "metadata", "namespace"]),
    });
    let index = text(&["file", "index"]).and_then(|index| index.parse().ok()).unwrap_or(0);
    let tags = node.get("tags").map(Node::entries).unwrap_or_default().iter();
    let result = FunctionResult {
        message: text(&["message"])?,
        severity,
        resource,
        field: text(&["field", "path"]),
        current: value(&["field", "currentValue"]),
        proposed: value(&["field", "proposedValue"])
            .or_else(|| value(&["field", "suggestedValue"])),
        file: text(&["file", "path"]).map(|path| (path, index)),
        tags: tags
            .map(|tag| (tag.key.text().unwrap_or_default().to_owned(), as_text(&tag.value)))
            .collect(),
    };
    Some((result, unknown))
}

fn as_text(node: &Node) -> String {
    node.text().map_or_else(|| print_preserving_style(node).trim_end().to_owned(), str::to_owned)
}

fn as_json(node: &Node) -> String {
    to_json(node).unwrap_or_else(|_| as_text(node))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::yaml::parse_nodes;

    fn read(text: &str) -> (Vec<String>, Vec<String>) {
        let nodes = parse_nodes(text.as_bytes()).unwrap();
        let (results, warnings) = read_results(nodes[0].get("results"));
        (results.iter().map(ToString::to_string).collect(), warnings)
    }

    #[test]
    fn results_are_sorted_by_file_and_severity_and_old_shapes_are_read() {
        let (lines, warnings) = read(
            "results:\n\
             - {message: later, file: {path: b.yaml, index: 1}, severity: info}\n\
             - message: too few\n  resourceRef: {apiVersion: apps/v1, kind: Deployment, name: web, namespace: prod}\n  \
               field: {path: spec.replicas, currentValue: 1, proposedValue: 3}\n  file: {path: a.yaml}\n\
             - {message: x, severity: warning, resourceRef: {kind: A, metadata: {name: n}}, field: {suggestedValue: 2}}\n",
        );
        assert_eq!(
            lines,
            [
                "[warning] A/n: x, proposed: 2",
                "[error] apps/v1/Deployment/prod/web spec.replicas: too few (a.yaml:0), 1 → 3",
                "[info] later (b.yaml:1)",
            ]
        );
        assert_eq!(warnings, [""; 0]);
        let (lines, _) = read("results: {name: f, items: [{message: m}]}\n");
        assert_eq!(lines, ["[error] m"], "no severity is an error");
    }

    #[test]
    fn values_keep_their_types_and_warn_is_a_warning() {
        let (lines, warnings) = read(
            "results:\n- {message: m, severity: warn, field: {path: a, currentValue: \"80\", proposedValue: 80}}\n\
             - {message: n, severity: info, field: {path: a, currentValue: {b: [1, true]}}}\n",
        );
        assert_eq!(lines, ["[warning] a: m, \"80\" → 80", "[info] a: n, is: {\"b\":[1,true]}"]);
        assert_eq!(warnings, [""; 0]);
    }

    #[test]
    fn malformed_results_are_warnings() {
        let (lines, warnings) =
            read("results: [{severity: fatal, message: m}, text, {severity: info}]\n");
        assert_eq!(lines, ["[error] m"]);
        assert_eq!(warnings.len(), 3);
    }
}
