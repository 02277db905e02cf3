//! Documents in SARIF 2.1.0.

use std::io;

use serde_json::{Value, json};

use crate::display::{percent_encoded, to_json};
use crate::engine::diagnostic::all_codes;

pub(super) fn document(results: &[Value]) -> io::Result<String> {
    document_with_notifications(results, &[])
}

/// The document with all rules, these results, and warnings about parts without results.
pub(super) fn document_with_notifications(
    results: &[Value],
    warnings: &[String],
) -> io::Result<String> {
    let rules: Vec<_> = all_codes()
        .map(|code| {
            let rule = code.rule();
            json!({
                "id": rule.code,
                "shortDescription": {"text": rule.title},
                "fullDescription": {"text": rule.means},
                "help": {"text": rule.action},
                "defaultConfiguration": {"level": rule.severity.word()},
            })
        })
        .collect();
    let warning = |text: &String| json!({"level": "warning", "message": {"text": text}});
    let warnings: Vec<Value> = warnings.iter().map(warning).collect();
    let mut document = json!({
        "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
        "version": "2.1.0",
        "runs": [{
            "tool": {"driver": {
                "name": "kzui",
                "version": env!("CARGO_PKG_VERSION"),
                "rules": rules,
            }},
            "columnKind": "unicodeCodePoints",
            "results": results,
        }],
    });
    if !warnings.is_empty() {
        document["runs"][0]["invocations"] =
            json!([{"executionSuccessful": true, "toolExecutionNotifications": warnings}]);
    }
    to_json(&document)
}

/// A file, with its line and column if they are known.
pub(super) fn location(file: &str, place: Option<(u32, u32)>) -> Value {
    let mut physical =
        json!({"artifactLocation": {"uri": percent_encoded(file, "-._~/!$&'()*+,;=@")}});
    if let Some((line, column)) = place {
        physical["region"] = json!({"startLine": line, "startColumn": column});
    }
    json!({"physicalLocation": physical})
}
