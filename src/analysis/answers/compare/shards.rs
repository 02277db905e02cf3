//! A comparison in parts on several machines, and their merge. The replacements of masked values
//! depend on the process: equal values have different replacements in different parts.

use super::report_renames::{CountedRenames, add_rename, with_counts};
use super::{CompareReport, ReportTarget, SCHEMA_VERSION};

/// A part of all targets for one machine: the `number`-th of `of` parts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shard {
    /// The number of this part, from 1.
    pub number: usize,
    pub of: usize,
}

impl Shard {
    /// Parses `K/N`, the K-th of N parts; `None` for other texts.
    pub fn parse(text: &str) -> Option<Self> {
        let (number, of) = text.split_once('/')?;
        let (number, of) = (number.trim().parse().ok()?, of.trim().parse().ok()?);
        (number >= 1 && number <= of).then_some(Self { number, of })
    }

    /// True if the target with this index among all targets is in this part.
    pub fn has(self, place: usize) -> bool {
        place % self.of == self.number - 1
    }
}

impl std::fmt::Display for Shard {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}/{}", self.number, self.of)
    }
}

/// Merges the parts of one comparison. The result is that of a single machine.
///
/// # Errors
/// The reports are of different versions or sides, or a part is missing.
pub fn merge_reports(mut parts: Vec<CompareReport>) -> Result<CompareReport, String> {
    parts.sort_by_key(|part| part.shard.as_deref().and_then(Shard::parse).map(|it| it.number));
    let names: Vec<String> =
        parts.iter().map(|part| part.shard.clone().unwrap_or_default()).collect();
    let expected: Vec<String> =
        (1..=parts.len()).map(|number| Shard { number, of: parts.len() }.to_string()).collect();
    let is_whole = parts.len() == 1 && parts.iter().all(|part| part.shard.is_none());
    if !is_whole && names != expected {
        let names = names.join(", ");
        return Err(format!("reports of the parts {names}: merge each part exactly once"));
    }
    let (edits, renames, targets) = (Vec::new(), Vec::new(), Vec::new());
    let first = parts.first().cloned().unwrap_or_default();
    let mut merged = CompareReport { shard: None, edits, renames, targets, ..first };
    let mut all_renames = CountedRenames::default();
    for part in parts {
        if part.schema_version != SCHEMA_VERSION {
            let version = part.schema_version;
            return Err(format!(
                "a report has schemaVersion {version}; this kzui merges version {SCHEMA_VERSION}"
            ));
        }
        if (&part.before, &part.after) != (&merged.before, &merged.after) {
            let sides = |report: &CompareReport| format!("{} {}", report.before, report.after);
            let (one, other) = (sides(&merged), sides(&part));
            return Err(format!("the reports compare different things: {one} and {other}"));
        }
        let mut places = Vec::with_capacity(part.edits.len());
        for edit in part.edits {
            let known = merged.edits.iter().position(|other| *other == edit);
            places.push(known.unwrap_or_else(|| {
                merged.edits.push(edit);
                merged.edits.len() - 1
            }));
        }
        let added = part.renames.into_iter().map(|rename| add_rename(&mut all_renames, rename));
        let renames: Vec<usize> = added.collect();
        for mut target in part.targets {
            target.renumber_edits(&places);
            let fields = target.resources.iter_mut().flat_map(|it| &mut it.fields);
            for rename in fields.flat_map(|it| &mut it.renames) {
                *rename = renames.get(*rename).copied().unwrap_or_default();
            }
            // Several parts may have compared the same base in place of the targets that use it.
            let base = merged.targets.iter_mut().find(|other| other.target == target.target);
            match base.filter(|_| !target.in_place_of.is_empty()) {
                Some(base) => base.in_place_of.extend(target.in_place_of),
                None => merged.targets.push(target),
            }
        }
    }
    merged.renames = with_counts(all_renames);
    Ok(merged.sorted().with_headline())
}

impl ReportTarget {
    pub(super) fn renumber_edits(&mut self, places: &[usize]) {
        let fields = self.resources.iter_mut().flat_map(|it| &mut it.fields);
        for edit in fields.flat_map(|it| &mut it.edits) {
            *edit = places.get(*edit).copied().unwrap_or_default();
        }
    }
}

impl CompareReport {
    /// The report with its targets sorted by folder and its edits by file and line.
    #[must_use]
    pub fn sorted(mut self) -> Self {
        self.targets.sort_by(|one, other| one.target.cmp(&other.target));
        let mut order: Vec<usize> = (0..self.edits.len()).collect();
        let sort_key = |at: &usize| {
            let edit = &self.edits[*at];
            (edit.file.clone(), edit.line, edit.old_line)
        };
        order.sort_by_key(sort_key);
        let mut places = vec![0; order.len()];
        for (place, at) in order.iter().enumerate() {
            places[*at] = place;
        }
        self.targets.iter_mut().for_each(|target| target.renumber_edits(&places));
        self.edits = order.iter().map(|at| self.edits[*at].clone()).collect();
        self
    }
}

#[test]
fn number_of_a_part_is_at_most_that_of_the_parts() {
    assert_eq!(Shard::parse("2/2"), Some(Shard { number: 2, of: 2 }));
    assert!(Shard::parse("3/2").is_none() && Shard::parse("0/2").is_none());
}
