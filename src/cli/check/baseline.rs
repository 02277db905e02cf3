//! The baseline of a check: a file with known findings, which are not reported again.

use std::collections::BTreeSet;
use std::path::Path;

use serde::{Deserialize, Serialize};

use crate::display::to_json;
use crate::engine::load::Files;

use super::CheckResult;

/// The file of `--baseline`: findings that are already known.
#[derive(Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
struct Baseline {
    schema_version: u32,
    /// The fingerprints of the findings, sorted, as in `kzui check --format json`.
    findings: BTreeSet<String>,
}

pub(super) fn text(checked: &CheckResult) -> std::io::Result<String> {
    let findings = checked.fingerprints.iter().chain(&checked.known).cloned().collect();
    to_json(&Baseline { schema_version: 1, findings })
}

pub(super) fn read(file: &Path, files: &dyn Files) -> Result<BTreeSet<String>, String> {
    let bytes = files.read(file).map_err(|error| error.to_string())?;
    let baseline: Baseline = serde_json::from_slice(&bytes)
        .map_err(|error| format!("{}: not a baseline of kzui check: {error}", file.display()))?;
    if baseline.schema_version != 1 {
        let version = baseline.schema_version;
        return Err(format!("{}: schemaVersion {version}; this kzui reads 1", file.display()));
    }
    Ok(baseline.findings)
}

#[test]
fn baseline_schema_equals_the_document() {
    crate::document_schema::assert_schema::<Baseline>("baseline", 1);
}
