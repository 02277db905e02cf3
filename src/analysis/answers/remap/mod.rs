//! Maps findings of other programs in an output to the sources of the output.
//!
//! A *finding* is a result of a linter, scanner or validator on a rendered manifest: [`read`]
//! parses it from that program's report. [`remap`] locates it by source maps; equal findings of
//! several targets are merged.

mod finding_location;
mod formats;
mod policies;
mod sarif;
mod values;

use finding_location::LocatedFinding;
pub use finding_location::{FindingLocation, NamedMap};
pub use formats::{ReportKind, read};
pub use sarif::to_sarif;

use std::collections::BTreeMap;

use serde::Serialize;
use serde_json::{Map as Members, Value};

#[derive(Clone, Debug, Default)]
pub struct ToolReport {
    /// The description of the program in SARIF, `{"name": "checkov"}`.
    pub driver: Members<String, Value>,
    pub rules: Vec<Value>,
    pub found: Vec<ToolFinding>,
}

#[derive(Clone, Debug, Default)]
pub struct ToolFinding {
    pub rule: String,
    /// `error`, `warning` or `note`.
    pub level: String,
    pub message: String,
    pub file: Option<String>,
    /// The first line of the finding in the output, from 1.
    pub line: Option<u32>,
    pub end_line: Option<u32>,
    pub resource: Option<NamedResource>,
    /// Fields of the resource, the most specific first; a field to be added does not exist yet.
    pub paths: Vec<Vec<String>>,
    pub more: Members<String, Value>,
}

/// The resource of a finding; `None` for the parts of its id that the report does not contain.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct NamedResource {
    pub api_version: Option<String>,
    pub kind: Option<String>,
    pub name: String,
    pub namespace: Option<String>,
}

/// A finding of a program with its location in the sources, merged from all targets with this
/// finding.
#[derive(Clone, Debug)]
pub struct RemappedFinding {
    pub report: usize,
    /// The finding, in the words of the first target.
    pub finding: ToolFinding,
    /// The locations in the sources, or the reason why they are not known.
    pub placed: Result<FindingLocation, String>,
    pub rendered: Vec<RenderedLocation>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct RenderedLocation {
    /// The target; `None` without a source map of the target.
    pub target: Option<String>,
    pub file: Option<String>,
    pub line: Option<u32>,
    /// The resource, as `Deployment/web`.
    pub resource: Option<String>,
    pub path: String,
}

/// Locates findings in the sources. `reports` are read from files, in the order of the command
/// line, each with the number of its file.
pub fn remap(
    reports: &[(usize, ToolReport)],
    files: usize,
    maps: &[NamedMap],
) -> Vec<RemappedFinding> {
    let mut all: Vec<RemappedFinding> = Vec::new();
    let mut known: BTreeMap<_, usize> = BTreeMap::new();
    for (report, (file, findings)) in reports.iter().enumerate() {
        // With as many maps as report files, each file belongs to the map with the same index.
        let own = (files == maps.len()).then_some(*file);
        for finding in &findings.found {
            let found = finding_location::find(finding, maps, own);
            let at = found.placed.as_ref().ok().and_then(|placed| placed.places.first().cloned());
            // A finding without a location in the sources is identified by that in the output.
            let output = at.is_none().then(|| (finding.file.clone(), finding.line));
            let tool = findings.driver.get("name").and_then(Value::as_str).map(str::to_owned);
            let message = found.without_names(&finding.message);
            let key = (tool, finding.rule.clone(), message, at, output);
            let LocatedFinding { placed, rendered, .. } = found;
            if let Some(told) = known.get(&key).and_then(|number| all.get_mut(*number)) {
                if !told.rendered.contains(&rendered) {
                    told.rendered.push(rendered);
                }
                continue;
            }
            known.insert(key, all.len());
            let (finding, rendered) = (finding.clone(), vec![rendered]);
            all.push(RemappedFinding { report, finding, placed, rendered });
        }
    }
    all
}
