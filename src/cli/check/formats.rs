//! The report in formats for programs and for code review.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::io;
use std::path::PathBuf;

use serde::{Deserialize, Serialize};
use serde_json::json;

use crate::answers::{SharedFinding, relative};
use crate::cli::sarif::{document, location};
use crate::display::{escape_markdown, escape_table_cell, escape_xml, markdown_code, to_json};
use crate::engine::diagnostic::{Code, Severity};

use super::CheckResult;

/// The report of `--format json`.
#[derive(Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub(super) struct CheckReport<'a> {
    pub(super) schema_version: u32,
    /// The number of targets that were built.
    pub(super) targets: usize,
    /// The base of all paths: `workingDirectory`.
    paths_from: Cow<'a, str>,
    /// The targets whose findings are not known, or known only in part, with their pending items.
    pub(super) unknown: Vec<UnjudgedTarget<'a>>,
    /// The findings, by location.
    pub(super) findings: Vec<FindingFields<'a>>,
}

/// A target whose findings are not known, or known only in part.
#[derive(Serialize, Deserialize, PartialEq, Eq, PartialOrd, Ord)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub(super) struct UnjudgedTarget<'a> {
    /// The folder of the target, relative to the working directory.
    target: String,
    /// The item to decide, fetch or install first.
    waits_for: Cow<'a, str>,
}

/// One finding.
#[derive(Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub(super) struct FindingFields<'a> {
    /// The code of the rule (`kzui explain CODE`).
    pub(super) code: Cow<'a, str>,
    /// `error`, `warning` or `note`.
    pub(super) severity: Cow<'a, str>,
    /// The problem in words.
    message: Cow<'a, str>,
    /// A suggestion.
    hint: Option<Cow<'a, str>>,
    /// The file, relative to the working directory; null for a finding without a location.
    pub(super) file: Option<String>,
    pub(super) line: Option<u32>,
    /// The column, from 1, in characters.
    pub(super) column: Option<u32>,
    /// The targets with the finding.
    targets: Vec<String>,
    /// The target of the message, if messages differ between targets: numbers of steps or
    /// resources, or names.
    message_of: Option<String>,
    /// The number of targets that use the entry.
    used_by: usize,
    /// A verified fix, in words: the change, its effect, and the command that writes it.
    fix: Option<String>,
    /// The reason why no fix is offered, if one was searched: the result of trying it, or why it
    /// was not tried.
    no_fix: Option<String>,
    /// The reason in the comment that waives the finding.
    pub(super) waived: Option<Cow<'a, str>>,
    /// The tags of a result of a function.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    tags: BTreeMap<Cow<'a, str>, Cow<'a, str>>,
    /// The key of the finding, equal in all runs.
    fingerprint: Cow<'a, str>,
}

/// A finding with its help text: the hint, unless the fix contains it, the verified fix, and the
/// reason for no fix.
struct FindingRow<'a> {
    finding: FindingFields<'a>,
    found: &'a SharedFinding,
    to_do: String,
}

fn row<'a>(checked: &'a CheckResult, (index, found): (usize, &'a SharedFinding)) -> FindingRow<'a> {
    let has_line = found.file.is_some() && found.mark.line > 0;
    let path = |path: &PathBuf| relative(path, &checked.base);
    let one = FindingFields {
        code: found.code.as_str().into(),
        severity: found.severity.word().into(),
        message: (&*found.message).into(),
        hint: checked.proposal_of(index, found).map(Cow::from),
        file: found.file.as_ref().map(path),
        line: has_line.then_some(found.mark.line),
        column: has_line.then_some(found.mark.column.max(1)),
        targets: found.targets.iter().map(path).collect(),
        message_of: found.message_target().map(|target| relative(target, &checked.base)),
        used_by: found.used_by,
        fix: checked.fix_of(index),
        no_fix: checked.no_fix_reason(index),
        waived: found.waived.as_deref().map(Cow::from),
        tags: found.tags.iter().map(|(key, value)| ((&**key).into(), (&**value).into())).collect(),
        fingerprint: checked.fingerprints.get(index).map_or("", String::as_str).into(),
    };
    let none = one.no_fix.as_ref().map(|reason| format!("no fix: {reason}"));
    let hint = checked.hint_of(index, found).map(str::to_owned);
    let to_do: Vec<String> = hint.into_iter().chain(one.fix.clone()).chain(none).collect();
    FindingRow { finding: one, found, to_do: to_do.join("; ") }
}

/// The findings of a report for programs, also those that a comment waives.
fn all(checked: &CheckResult) -> impl Iterator<Item = FindingRow<'_>> {
    checked.single_findings().map(|finding| row(checked, finding))
}

/// The findings of a report in a format without waivers: those that no comment waives.
fn open(checked: &CheckResult) -> impl Iterator<Item = FindingRow<'_>> {
    all(checked).filter(|told| told.found.waived.is_none())
}

/// The findings of a report for people: those that no comment waives.
fn listed(checked: &CheckResult) -> impl Iterator<Item = FindingRow<'_>> {
    let rows = checked.rows().filter(|(_, found)| found.waived.is_none());
    rows.map(|finding| row(checked, finding))
}

pub(super) fn json(checked: &CheckResult) -> io::Result<String> {
    to_json(&CheckReport {
        schema_version: 1,
        targets: checked.targets,
        paths_from: "working directory".into(),
        unknown: unknown(checked),
        findings: all(checked).map(|told| told.finding).collect(),
    })
}

fn unknown(checked: &CheckResult) -> Vec<UnjudgedTarget<'_>> {
    let waiting = checked.unknown.iter().filter(|found| found.code == Code::KZ190);
    let each = waiting.flat_map(|found| found.targets.iter().map(move |target| (target, found)));
    let mut each: Vec<UnjudgedTarget<'_>> = each
        .map(|(target, found)| UnjudgedTarget {
            target: relative(target, &checked.base),
            waits_for: (&*found.message).into(),
        })
        .collect();
    each.sort_by(|one, other| one.target.cmp(&other.target));
    each
}

pub(super) fn sarif(checked: &CheckResult) -> io::Result<String> {
    let result = |FindingRow { finding: one, to_do, .. }: FindingRow<'_>| {
        let location = one.file.as_ref().map(|file| location(file, one.line.zip(one.column)));
        let suppressions: Vec<_> = one
            .waived
            .iter()
            .map(|reason| json!({"kind": "inSource", "justification": reason}))
            .collect();
        let text = message_with_remedy(&one.message, &to_do);
        json!({
            "ruleId": one.code,
            "level": one.severity,
            "message": {"text": text},
            "locations": location.into_iter().collect::<Vec<_>>(),
            "partialFingerprints": {"kzui/v1": one.fingerprint},
            "properties": {
                "targets": one.targets, "messageOf": one.message_of, "usedBy": one.used_by,
                "fix": one.fix, "noFix": one.no_fix, "functionTags": one.tags,
            },
            "suppressions": suppressions,
        })
    };
    document(&all(checked).map(result).collect::<Vec<_>>())
}

fn message_with_remedy(message: &str, to_do: &str) -> String {
    if to_do.is_empty() { message.to_owned() } else { format!("{message} ({to_do})") }
}

pub(super) fn gitlab(checked: &CheckResult) -> io::Result<String> {
    let issue = |FindingRow { finding: one, found, .. }: FindingRow<'_>| {
        let severity = match found.severity {
            Severity::Error => "major",
            Severity::Warning => "minor",
            Severity::Note => "info",
        };
        json!({
            "description": one.message,
            "check_name": one.code,
            "fingerprint": one.fingerprint,
            "severity": severity,
            "location": {
                "path": one.file.unwrap_or_else(|| ".".to_owned()),
                "lines": {"begin": one.line.unwrap_or(1)},
            },
        })
    };
    to_json(&open(checked).map(issue).collect::<Vec<_>>())
}

/// The findings as a `JUnit` report with one test case each; notes are cases that pass.
pub(super) fn junit(checked: &CheckResult) -> String {
    let cases: Vec<FindingRow<'_>> = open(checked).collect();
    let failures = cases.iter().filter(|told| told.found.severity != Severity::Note).count();
    let (count, mut out) = (cases.len(), String::new());
    for FindingRow { finding: one, found, to_do } in cases {
        let file = one.file.clone().unwrap_or_default();
        let place = format!("{file}:{}", one.line.unwrap_or(0));
        out.push_str(&format!(
            "<testcase classname=\"{}\" name=\"{} {}\"",
            escape_xml(&file),
            one.code,
            escape_xml(&place)
        ));
        if found.severity == Severity::Note {
            out.push_str("/>\n");
        } else {
            let (message, hint) = (escape_xml(&one.message), escape_xml(&to_do));
            out.push_str(&format!(
                ">\n<failure type=\"{}\" message=\"{message}\">{hint}</failure>\n</testcase>\n",
                one.severity
            ));
        }
    }
    junit_document(count, failures, &out)
}

pub(super) fn junit_document(cases: usize, failures: usize, body: &str) -> String {
    format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites>\n<testsuite name=\"kzui check\" tests=\"{cases}\" failures=\"{failures}\">\n{body}</testsuite>\n</testsuites>\n"
    )
}

pub(super) fn github(checked: &CheckResult) -> String {
    let mut out = String::new();
    for FindingRow { finding: one, found, to_do } in listed(checked) {
        let word = match found.severity {
            Severity::Error => "error",
            Severity::Warning => "warning",
            Severity::Note => "notice",
        };
        let data = |text: &str| text.replace('%', "%25").replace('\r', "%0D").replace('\n', "%0A");
        let value = |text: &str| data(text).replace(':', "%3A").replace(',', "%2C");
        let message = data(&message_with_remedy(&one.message, &to_do));
        let mut place = String::new();
        if let Some(file) = &one.file {
            place = format!("file={},", value(file));
            if let (Some(line), Some(column)) = (one.line, one.column) {
                place.push_str(&format!("line={line},col={column},"));
            }
        }
        out.push_str(&format!("::{word} {place}title={}::{message}\n", one.code));
    }
    out
}

/// A table for a comment on a change.
pub(super) fn markdown(checked: &CheckResult) -> String {
    let mut out = String::from(" | location | problem | fix |\n|---|---|---|---|\n");
    let mut rows = 0;
    for FindingRow { finding: one, to_do, .. } in listed(checked) {
        rows += 1;
        let line = one.line.map(|line| format!(":{line}")).unwrap_or_default();
        let place = one.file.as_deref().map(|file| markdown_code(&format!("{file}{line}")));
        out.push_str(&format!(
            "| {} {} | {} | {} | {} |\n",
            one.severity,
            one.code,
            escape_table_cell(&place.unwrap_or_default()),
            escape_table_cell(&escape_markdown(&one.message)),
            escape_table_cell(&escape_markdown(&to_do))
        ));
    }
    if rows == 0 {
        return format!("No findings in {} targets.\n", checked.targets);
    }
    out
}

#[test]
fn check_schema_equals_the_document() {
    crate::document_schema::assert_schema::<CheckReport>("check", 1);
}
