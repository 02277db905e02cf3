//! `kzui check --merge`: merges the reports of `--shard` parts into one report.

use std::path::PathBuf;

use serde_json::Value;

use crate::cli::CliPorts;
use crate::cli::sarif::document;
use crate::display::to_json;
use crate::engine::diagnostic::Severity;
use crate::engine::load::clean;

use super::formats::{CheckReport, junit_document};

/// Merges reports of one format (JSON, SARIF or `JUnit`), which is detected from the first report.
///
/// # Errors
/// A file cannot be read, or is not a report of this format and version.
pub(super) fn merge(names: &[String], outside: &CliPorts<'_>) -> Result<MergedReport, String> {
    let read = |name: &String| {
        let file = clean(&outside.current.join(name));
        let bytes = outside.ports.files.read(&file).map_err(|error| error.to_string())?;
        let text = str::from_utf8(&bytes).map_err(|_| format!("{name}: not UTF-8"))?;
        Ok(ReportPart { name: name.clone(), text: text.to_owned() })
    };
    let parts = names.iter().map(read).collect::<Result<Vec<_>, String>>()?;
    match parts.first().map(|part| part.text.trim_start()) {
        Some(text) if text.starts_with("<?xml") => merge_junit(&parts),
        Some(text) if text.contains("\"runs\"") && !text.contains("\"schemaVersion\"") => {
            merge_sarif(&parts)
        }
        _ => merge_json(&parts),
    }
}

struct ReportPart {
    name: String,
    text: String,
}

impl ReportPart {
    fn wrong_format_message(&self, format: &str, reason: impl std::fmt::Display) -> String {
        format!("{}: not a {format} report of kzui check: {reason}", self.name)
    }
}

/// A merged report, and the severities of its findings that no comment waives.
pub(super) struct MergedReport {
    pub(super) text: String,
    pub(super) severities: Vec<Severity>,
}

/// The sort key of a finding in a report: file, line, column and code.
type FindingOrder = (Option<PathBuf>, u64, u64, String);

fn merge_json(parts: &[ReportPart]) -> Result<MergedReport, String> {
    let mut all: Option<CheckReport<'_>> = None;
    let mut severities = Vec::new();
    for part in parts {
        let report: CheckReport<'_> = serde_json::from_str(&part.text)
            .map_err(|error| part.wrong_format_message("JSON", error))?;
        if report.schema_version != 1 {
            let version = report.schema_version;
            return Err(
                part.wrong_format_message("JSON", format!("schemaVersion {version}, expected 1"))
            );
        }
        for one in report.findings.iter().filter(|one| one.waived.is_none()) {
            severities.push(parse_severity(&one.severity, part, "JSON")?);
        }
        match &mut all {
            None => all = Some(report),
            Some(all) => {
                all.targets += report.targets;
                all.unknown.extend(report.unknown);
                all.findings.extend(report.findings);
            }
        }
    }
    let mut all = all.ok_or("no report to merge")?;
    all.findings.sort_by_cached_key(|one| {
        let file = one.file.as_ref().map(PathBuf::from);
        (file, one.line.unwrap_or_default(), one.column.unwrap_or_default(), one.code.to_string())
    });
    all.unknown.sort();
    let text = to_json(&all).map_err(|error| error.to_string())?;
    Ok(MergedReport { text, severities })
}

fn merge_sarif(parts: &[ReportPart]) -> Result<MergedReport, String> {
    let mut results: Vec<(FindingOrder, Value)> = Vec::new();
    let mut severities = Vec::new();
    for part in parts {
        let report: Value = serde_json::from_str(&part.text)
            .map_err(|error| part.wrong_format_message("SARIF", error))?;
        let found = report.pointer("/runs/0/results").and_then(Value::as_array);
        let found = found
            .ok_or_else(|| part.wrong_format_message("SARIF", "runs[0].results is missing"))?;
        for one in found {
            if one["suppressions"].as_array().is_none_or(Vec::is_empty) {
                let level = one["level"].as_str().unwrap_or_default();
                severities.push(parse_severity(level, part, "SARIF")?);
            }
            let place = &one["locations"][0]["physicalLocation"];
            let region = &place["region"];
            let number = |name: &str| region[name].as_u64().unwrap_or_default();
            let file = place["artifactLocation"]["uri"].as_str().map(PathBuf::from);
            let code = one["ruleId"].as_str().unwrap_or_default().to_owned();
            let order = (file, number("startLine"), number("startColumn"), code);
            results.push((order, one.clone()));
        }
    }
    results.sort_by(|one, other| one.0.cmp(&other.0));
    let results: Vec<Value> = results.into_iter().map(|(_, result)| result).collect();
    let text = document(&results).map_err(|error| error.to_string())?;
    Ok(MergedReport { text, severities })
}

fn merge_junit(parts: &[ReportPart]) -> Result<MergedReport, String> {
    let mut cases: Vec<(FindingOrder, &str)> = Vec::new();
    let mut severities = Vec::new();
    for part in parts {
        let bad = |reason: &str| part.wrong_format_message("JUnit", reason);
        if part.text.contains(|c: char| c.is_control() && !matches!(c, '\n' | '\r' | '\t')) {
            return Err(bad("it has control characters"));
        }
        let body = part.text.split_once("<testsuite name=\"kzui check\"");
        let body = body.and_then(|(_, body)| body.split_once(">\n")?.1.rsplit_once("</testsuite>"));
        let (body, _) = body.ok_or_else(|| bad("it has no test suite `kzui check`"))?;
        for case in body.split("<testcase ").skip(1) {
            severities.push(match attribute_value(case, "type") {
                Some(word) => parse_severity(word, part, "JUnit")?,
                None => Severity::Note,
            });
            let file = attribute_value(case, "classname").map(PathBuf::from);
            let name = attribute_value(case, "name").unwrap_or_default();
            let code = name.split(' ').next().unwrap_or_default().to_owned();
            let line = name.rsplit_once(':').and_then(|(_, line)| line.parse().ok());
            cases.push(((file, line.unwrap_or_default(), 0, code), case));
        }
    }
    cases.sort_by(|one, other| one.0.cmp(&other.0));
    let failures = severities.iter().filter(|one| **one != Severity::Note).count();
    let mut body = String::new();
    for (_, case) in &cases {
        body.push_str("<testcase ");
        body.push_str(case);
    }
    Ok(MergedReport { text: junit_document(cases.len(), failures, &body), severities })
}

fn attribute_value<'t>(element: &'t str, name: &str) -> Option<&'t str> {
    let (_, value) = element.split_once(&format!("{name}=\""))?;
    value.split_once('"').map(|(value, _)| value)
}

fn parse_severity(word: &str, part: &ReportPart, format: &str) -> Result<Severity, String> {
    let all = [Severity::Error, Severity::Warning, Severity::Note];
    let found = all.into_iter().find(|severity| severity.word() == word);
    found.ok_or_else(|| part.wrong_format_message(format, format!("unknown severity {word:?}")))
}
