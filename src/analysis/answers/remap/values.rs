//! JSON helpers of all report formats.

use serde_json::{Map as Members, Value, json};

use super::{NamedResource, ToolFinding, ToolReport};

pub(super) fn findings_for_program(name: &str, address: &str) -> ToolReport {
    let driver = json!({"name": name, "informationUri": address});
    ToolReport { driver: object_members(driver), ..ToolReport::default() }
}

pub(super) fn object_members(value: Value) -> Members<String, Value> {
    match value {
        Value::Object(members) => members,
        _ => Members::new(),
    }
}

impl ToolReport {
    /// Adds a finding, and its rule when it is new.
    pub(super) fn add(&mut self, finding: ToolFinding, title: &str, more: Value) {
        let rule = finding.rule.as_str();
        if !self.rules.iter().any(|known| known["id"] == *rule) {
            let title = if title.is_empty() { rule } else { title };
            let mut described =
                object_members(json!({"id": rule, "shortDescription": {"text": title}}));
            described
                .extend(object_members(more).into_iter().filter(|(_, value)| !value.is_null()));
            self.rules.push(described.into());
        }
        self.found.push(finding);
    }
}

pub(super) fn text(value: &Value) -> String {
    value.as_str().unwrap_or_default().to_owned()
}

pub(super) fn non_empty_text(value: &Value) -> Option<String> {
    value.as_str().filter(|text| !text.is_empty()).map(str::to_owned)
}

pub(super) fn line(value: &Value) -> Option<u32> {
    value.as_u64().and_then(|line| u32::try_from(line).ok()).filter(|line| *line > 0)
}

pub(super) fn array_items(value: &Value) -> impl Iterator<Item = &Value> {
    value.as_array().into_iter().flatten()
}

/// The segments of a path: `spec.containers[0].image`, `spec/containers/[0]/image` or
/// `/spec/containers/0/image`.
pub(super) fn path(text: &str) -> Vec<String> {
    let is_pointer = text.contains('/');
    let parts = text.split(['[', ']', if is_pointer { '/' } else { '.' }]);
    let parts = parts.filter(|part| !part.is_empty());
    parts.map(|part| part.replace("~1", "/").replace("~0", "~")).collect()
}

pub(super) fn paths<'v>(texts: impl Iterator<Item = &'v str>) -> Vec<Vec<String>> {
    texts.map(path).filter(|path| !path.is_empty()).collect()
}

pub(super) fn sarif_level(severity: &str) -> String {
    match severity.to_lowercase().as_str() {
        // Without a severity, a failed check is an error.
        "" | "critical" | "high" | "error" | "fail" => "error",
        "medium" | "warning" | "warn" | "moderate" => "warning",
        _ => "note",
    }
    .to_owned()
}

/// The resource in a manifest, by its names; `None` for a manifest without a name.
pub(super) fn named(object: &Value) -> Option<NamedResource> {
    let metadata = &object["metadata"];
    Some(NamedResource {
        api_version: non_empty_text(&object["apiVersion"]),
        kind: non_empty_text(&object["kind"]),
        name: non_empty_text(&metadata["name"]).or_else(|| non_empty_text(&object["name"]))?,
        namespace: non_empty_text(&metadata["namespace"])
            .or_else(|| non_empty_text(&object["namespace"])),
    })
}
