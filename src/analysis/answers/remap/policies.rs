//! The reports of programs that run policies.

use serde_json::Value;

use super::values::{
    array_items, findings_for_program, line, named, non_empty_text, paths, sarif_level, text,
};
use super::{NamedResource, ToolFinding, ToolReport};

pub(super) fn kyverno(document: &Value) -> ToolReport {
    let mut all = findings_for_program("kyverno", "https://kyverno.io");
    let reports = match (document, &document["items"]) {
        (Value::Array(several), _) | (_, Value::Array(several)) => several.iter().collect(),
        (one, _) => vec![one],
    };
    for report in reports {
        for it in array_items(&report["results"]) {
            let result = text(&it["result"]);
            if !matches!(result.as_str(), "fail" | "warn" | "error") {
                continue;
            }
            let (policy, rule) = (text(&it["policy"]), text(&it["rule"]));
            let message =
                non_empty_text(&it["message"]).unwrap_or_else(|| text(&it["description"]));
            // A message contains the path: `… rule autogen-x failed at path
            // /spec/template/spec/containers/0/image/`.
            let at = message.split_once(" at path ").map(|(_, rest)| rest);
            let at = at.and_then(|rest| rest.split_whitespace().next()).map(str::to_owned);
            let objects = array_items(&it["resources"]).chain(array_items(&it["subjects"]));
            let objects: Vec<Option<NamedResource>> =
                objects.chain([&report["scope"]]).map(named).collect();
            let finding = ToolFinding {
                rule: if rule.is_empty() { policy } else { format!("{policy}/{rule}") },
                level: sarif_level(&result),
                message,
                paths: paths(at.iter().map(String::as_str)),
                ..ToolFinding::default()
            };
            let named = objects.into_iter().flatten();
            let mut of_each: Vec<ToolFinding> =
                named.map(|it| ToolFinding { resource: Some(it), ..finding.clone() }).collect();
            if of_each.is_empty() {
                of_each.push(finding);
            }
            for finding in of_each {
                all.add(finding, "", Value::Null);
            }
        }
    }
    all
}

pub(super) fn conftest(document: &Value) -> ToolReport {
    let mut all = findings_for_program("conftest", "https://www.conftest.dev");
    for file in array_items(document) {
        let told = [("failures", "error"), ("warnings", "warning")];
        for (it, level) in told
            .iter()
            .flat_map(|(name, level)| array_items(&file[*name]).map(move |it| (it, level)))
        {
            let metadata = &it["metadata"];
            let query = text(&metadata["query"]);
            let place = [&it["loc"], &metadata["_loc"], &metadata["loc"]]
                .into_iter()
                .find(|at| at.is_object());
            let finding = ToolFinding {
                rule: query.strip_prefix("data.").unwrap_or(&query).to_owned(),
                level: (*level).to_owned(),
                message: text(&it["msg"]),
                file: non_empty_text(&file["filename"]),
                line: place.and_then(|place| line(&place["line"])),
                resource: named(&metadata["resource"]),
                ..ToolFinding::default()
            };
            all.add(finding, "", Value::Null);
        }
    }
    all
}
