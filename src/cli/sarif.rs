//! Documents in SARIF 2.1.0.

use std::io;

use serde_json::{Value, json};

use crate::display::to_json;
use crate::engine::diagnostic::all_codes;

/// The document with all rules and these results.
pub(super) fn document(results: &[Value]) -> io::Result<String> {
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
    to_json(&json!({
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
    }))
}

/// A location: a file, with its line and column if known.
pub(super) fn location(file: &str, place: Option<(u32, u32)>) -> Value {
    let mut physical = json!({"artifactLocation": {"uri": uri(file)}});
    if let Some((line, column)) = place {
        physical["region"] = json!({"startLine": line, "startColumn": column});
    }
    json!({"physicalLocation": physical})
}

/// A path as a relative URI.
fn uri(path: &str) -> String {
    let mut out = String::new();
    for byte in path.bytes() {
        if byte.is_ascii_alphanumeric() || b"-._~/!$&'()*+,;=@".contains(&byte) {
            out.push(char::from(byte));
        } else {
            out.push_str(&format!("%{byte:02X}"));
        }
    }
    out
}
