//! A report in the order in which a reviewer reads it: dangers, images, the rest. Equal edits share
//! one row with the counts for all of them.

use super::headline::{is_restart, severity_rank};
use super::{CauseGroup, CompareReport, LocatedField, ReportEdit, ReportTarget, TargetState};
use crate::engine::resource::{QuickMap, QuickSet};

/// The kind of a row, the most important first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ReviewRowKind {
    Error,
    Warning,
    Restart,
    Image,
    Change,
    /// A row that changes only descriptions in the schemas of `CustomResourceDefinitions`.
    Descriptions,
}

/// A row of a review: equal edits, with all their consequences.
#[derive(Clone, Debug)]
pub struct ReviewRow<'a> {
    pub kind: ReviewRowKind,
    /// The fields and dangers of all edits of the row, with the first item of `edits` as its edits.
    pub cause: CauseGroup<'a>,
    /// The equal edits: each is one edit, or several that have an effect only together.
    pub edits: Vec<&'a [usize]>,
}

impl<'a> ReviewRow<'a> {
    /// The dangers by code, the worst first.
    pub fn dangers(&self) -> Vec<RowDanger<'a>> {
        let mut by_code: QuickMap<&str, RowDanger<'a>> = QuickMap::default();
        for found in &self.cause.dangers {
            let new = || RowDanger {
                code: &found.danger.code,
                severity: &found.danger.severity,
                messages: Vec::new(),
                resources: Vec::new(),
                count: 0,
            };
            let row = by_code.entry(found.danger.code.as_str()).or_insert_with(new);
            row.count += 1;
            if !row.messages.iter().any(|message| *message == found.danger.message) {
                row.messages.push(&found.danger.message);
            }
            let name = format!("{}/{}", found.resource.kind, found.resource.name);
            if !row.resources.contains(&name) {
                row.resources.push(name);
            }
        }
        let mut found: Vec<RowDanger<'a>> = by_code.into_values().collect();
        found.sort_by_key(|it| (severity_rank(it.severity), is_restart(it.code), it.code));
        found
    }

    /// The number of changed resources in the row, counted in each target.
    pub fn resources(&self) -> usize {
        let of = |(_, resource, _): &LocatedField<'a>| std::ptr::from_ref(*resource);
        self.cause.fields.iter().map(of).collect::<QuickSet<_>>().len()
    }
}

#[derive(Clone, Debug)]
pub struct RowDanger<'a> {
    pub code: &'a str,
    pub severity: &'a str,
    pub messages: Vec<&'a str>,
    pub resources: Vec<String>,
    /// The number of dangers, counted in each target.
    pub count: usize,
}

impl CauseGroup<'_> {
    pub fn review_row_kind(&self) -> ReviewRowKind {
        let rank = self.dangers.iter().map(|found| match found.danger.severity.as_str() {
            "error" => ReviewRowKind::Error,
            _ if is_restart(&found.danger.code) => ReviewRowKind::Restart,
            "warning" => ReviewRowKind::Warning,
            _ => ReviewRowKind::Image,
        });
        rank.min().unwrap_or_else(|| {
            let is_text = !self.fields.is_empty() && self.fields.iter().all(is_description);
            if is_text { ReviewRowKind::Descriptions } else { ReviewRowKind::Change }
        })
    }
}

/// True for a description in the schema of a `CustomResourceDefinition`.
pub fn is_description((_, resource, field): &LocatedField<'_>) -> bool {
    resource.kind == "CustomResourceDefinition"
        && field.path.ends_with(".description")
        && field.path.contains(".openAPIV3Schema.")
}

/// Edits in the form in which a review compares them: their old and new lines without indentation,
/// and their file if no line contains a key.
type EqualEdits<'a> = Vec<(Vec<String>, Vec<String>, Option<&'a str>)>;

fn equal_edits<'a>(edits: &[usize], report: &'a CompareReport) -> EqualEdits<'a> {
    let trimmed = |lines: &[String]| lines.iter().map(|line| line.trim().to_owned()).collect();
    let has_key = |edit: &ReportEdit| edit.old.iter().chain(&edit.new).any(|it| it.contains(": "));
    let of = |edit: &'a ReportEdit| {
        let file = Some(edit.file.as_str()).filter(|_| !has_key(edit));
        (trimmed(&edit.old), trimmed(&edit.new), file)
    };
    report.edits_at(edits).map(of).collect()
}

impl CompareReport {
    pub fn review(&self) -> Vec<ReviewRow<'_>> {
        let mut rows: QuickMap<_, ReviewRow<'_>> = QuickMap::default();
        for cause in self.group_by_cause() {
            let kind = cause.review_row_kind();
            // All descriptions are one row. Equal edits are one row even if their consequences
            // differ.
            let key = if kind == ReviewRowKind::Descriptions {
                (true, Vec::new(), None, true)
            } else {
                let edits = equal_edits(cause.edits, self);
                (false, edits, cause.no_edit, cause.is_verified())
            };
            let edits = cause.edits;
            match rows.get_mut(&key) {
                Some(row) => {
                    row.kind = row.kind.min(kind);
                    row.edits.push(edits);
                    row.cause.fields.extend(cause.fields);
                    row.cause.dangers.extend(cause.dangers);
                }
                None => {
                    rows.insert(key, ReviewRow { kind, cause, edits: vec![edits] });
                }
            }
        }
        let mut rows: Vec<ReviewRow<'_>> = rows.into_values().collect();
        // Edits that have an effect only together come after the single edits.
        rows.sort_by_key(|row| (row.kind, row.cause.edits.len() > 1));
        rows
    }

    /// The report without the resources that have no danger; the headline still counts these
    /// resources. Targets with pending steps remain: their dangers are not known.
    #[must_use]
    pub fn only_dangers(mut self) -> Self {
        for target in &mut self.targets {
            target.resources.retain(|resource| !resource.dangers.is_empty());
        }
        let differs = |target: &ReportTarget| target.state == TargetState::Differs;
        self.targets.retain(|target| {
            !differs(target) || !target.resources.is_empty() || !target.pending.is_empty()
        });
        self
    }
}
