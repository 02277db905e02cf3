//! The rows of a list of findings: those of `kzui check`, each with its places below it while it is
//! open; and the reason why a target or a reference has no match, as rows.

use std::collections::BTreeSet;

use crate::answers::FindingKind;
use crate::engine::resource::{NarrowedPart, Narrowing, SelectorPart};
use crate::model::Severity;
use crate::text::sanitize;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct FindingRow {
    group: usize,
    /// The number of the place within its row; `None` for the row itself.
    place: Option<usize>,
}

/// The rows of a list of findings, by the indices of the findings.
#[derive(Debug, Default)]
pub(crate) struct FindingRows {
    groups: Vec<Vec<usize>>,
    /// The severity of the first finding of each row.
    severities: Vec<Severity>,
    open: BTreeSet<usize>,
    pub(crate) shown: Vec<FindingRow>,
}

impl FindingRows {
    /// Rows with these findings, all closed; `severity` is that of a finding.
    pub(crate) fn new(groups: Vec<Vec<usize>>, severity: impl Fn(usize) -> Severity) -> Self {
        let first = groups.iter().filter_map(|found| found.first());
        let severities = first.map(|at| severity(*at)).collect();
        let mut rows = Self { groups, severities, ..Self::default() };
        rows.show(|_| false);
        rows
    }

    /// Shows the rows with the places of those that are open; for a filter, with all places.
    pub(crate) fn show_places(&mut self, all: bool) {
        let open = self.open.clone();
        self.show(|group| all || open.contains(&group));
    }

    fn show(&mut self, is_open: impl Fn(usize) -> bool) {
        let rows = self.groups.iter().enumerate().flat_map(|(group, found)| {
            let count = if found.len() > 1 && is_open(group) { found.len() } else { 0 };
            let places = (0..count).map(Some);
            std::iter::once(None).chain(places).map(move |place| FindingRow { group, place })
        });
        self.shown = rows.collect();
    }

    pub(crate) fn count(&self, severity: Severity) -> usize {
        self.severities.iter().filter(|it| **it == severity).count()
    }

    /// The number of rows that are errors and warnings, as `kzui check` counts them.
    pub(crate) fn problem_count(&self) -> usize {
        self.count(Severity::Error) + self.count(Severity::Warning)
    }

    pub(crate) fn has_places(&self) -> bool {
        self.groups.iter().any(|found| found.len() > 1)
    }

    pub(crate) fn len(&self) -> usize {
        self.shown.len()
    }

    pub(crate) fn findings(&self, row: usize) -> &[usize] {
        let Some(FindingRow { group, place }) = self.shown.get(row) else { return &[] };
        let found = self.groups.get(*group).map_or(&[][..], Vec::as_slice);
        place.map_or(found, |place| found.get(place..=place).unwrap_or_default())
    }

    /// 1 for a place below its row, otherwise 0.
    pub(crate) fn depth(&self, row: usize) -> usize {
        self.shown.get(row).map_or(0, |row| usize::from(row.place.is_some()))
    }

    pub(crate) fn parent(&self, row: usize) -> Option<usize> {
        let FindingRow { group, place: Some(_) } = *self.shown.get(row)? else { return None };
        self.shown.iter().position(|shown| *shown == FindingRow { group, place: None })
    }

    /// True if the places of a row are shown below it; `None` for a row with one place.
    pub(crate) fn is_open(&self, row: usize) -> Option<bool> {
        let FindingRow { group, place: None } = self.shown.get(row)? else { return None };
        let next = self.shown.get(row + 1);
        let has_places = self.groups.get(*group).is_some_and(|found| found.len() > 1);
        has_places.then(|| next.is_some_and(|next| next.group == *group))
    }

    /// Opens or closes the row of a shown row; returns the position of that row.
    pub(crate) fn toggle(&mut self, row: usize) -> usize {
        let Some(FindingRow { group, .. }) = self.shown.get(row).copied() else { return row };
        if !self.open.remove(&group) {
            self.open.insert(group);
        }
        self.show_places(false);
        self.shown.iter().position(|shown| shown.group == group).unwrap_or(row)
    }

    /// The shown row whose first finding is this one.
    pub(crate) fn position(&self, finding: usize) -> Option<usize> {
        (0..self.shown.len()).find(|row| self.findings(*row).first() == Some(&finding))
    }

    /// The row of a finding; if it is a place in a closed row, that row is opened.
    pub(crate) fn show_finding(&mut self, finding: usize) -> Option<usize> {
        if self.position(finding).is_none() {
            let group = self.groups.iter().position(|found| found.contains(&finding))?;
            self.open.insert(group);
            self.show_places(false);
        }
        self.position(finding)
    }
}

/// The rows that explain why a target or a reference has no match, and how to solve it (`hint`);
/// empty for other findings.
pub(crate) fn narrowing_rows(said: &FindingKind, hint: Option<&String>) -> Vec<String> {
    let FindingKind::Remark(remark) = said else { return Vec::new() };
    let hint = hint.cloned().unwrap_or_default();
    if let Some(narrowing) = remark.narrowing() {
        return with_advice(selected(narrowing), quick_fix(narrowing).unwrap_or(hint));
    }
    let Some(old) = remark.stale_reference() else { return Vec::new() };
    let (resource, reason) = (old.renamed_resource.to_string(), old.held_back.clone());
    reference_rows([old.field.to_string(), old.old_name.clone(), resource, reason], &hint)
}

/// The rows about a reference to an earlier name of a resource that was not updated: its field, its
/// value, the resource that once had the name, and the reason.
fn reference_rows(texts: [String; 4], hint: &str) -> Vec<String> {
    let parts = ["reference", "value", "resource", "reason"].into_iter().zip(texts);
    let rows = parts.map(|(part, text)| format!("  {part:<9}   {text}")).collect();
    with_advice(rows, if hint.is_empty() { String::new() } else { format!("to do: {hint}") })
}

fn with_advice(mut rows: Vec<String>, advice: String) -> Vec<String> {
    if !advice.is_empty() {
        rows.extend([String::new(), advice]);
    }
    rows.iter().map(|row| sanitize(row).into_owned()).collect()
}

/// The number of resources that match the parts of a selector so far, and for each part alone. Counts
/// come first, so that long parts do not push them out of view.
fn selected(narrowing: &Narrowing) -> Vec<String> {
    let words = |part: &SelectorPart| match part {
        SelectorPart::All => "resources before the step".to_owned(),
        SelectorPart::Type(words) if words.is_empty() => "any kind".to_owned(),
        SelectorPart::Type(words) => format!("kind {words}"),
        SelectorPart::Namespace(name) => format!("namespace {name:?}"),
        SelectorPart::Name(name) => format!("name {name:?}"),
        SelectorPart::Labels(asked) => asked.clone(),
    };
    let row = |left: &str, alone: &str, part: &str| format!("  {left:>6}  {alone:>5}  {part}");
    let mut rows = vec![row("so far", "alone", "part of the target")];
    rows.extend(narrowing.parts.iter().map(|NarrowedPart { part, left, alone }| {
        let left = left.map(|left| left.to_string()).unwrap_or_default();
        row(&left, &alone.to_string(), &words(part))
    }));
    rows
}

/// The suggestion to replace the part of the selector after which no resource is left by the
/// nearest name.
fn quick_fix(narrowing: &Narrowing) -> Option<String> {
    let nearest = narrowing.nearest.as_deref()?;
    let (asked, nearest) = match narrowing.excluding_part()? {
        SelectorPart::Type(words) => (words.clone(), nearest.to_owned()),
        SelectorPart::Name(name) => (format!("{name:?}"), format!("{nearest:?}")),
        SelectorPart::All | SelectorPart::Namespace(_) | SelectorPart::Labels(_) => return None,
    };
    Some(format!("quick fix: {asked} → {nearest}   (e: open)"))
}

#[cfg(test)]
mod tests {
    use crate::engine::diagnostic::EntryRemark;

    use super::*;

    #[test]
    fn nearest_name_is_offered_in_place_of_the_part_without_match() {
        let part = |part, left, alone| NarrowedPart { part, left: Some(left), alone };
        let name = SelectorPart::Name("wbe".to_owned());
        let parts = vec![part(SelectorPart::All, 9, 9), part(name, 0, 0)];
        let nearest = Some("web".to_owned());
        let narrowing = Narrowing { parts, nearest, ..Narrowing::default() };
        let kind = FindingKind::Remark(EntryRemark::PatchTarget(Box::new(narrowing)).into());
        assert_eq!(
            narrowing_rows(&kind, None).join("\n"),
            "  so far  alone  part of the target\n       9      9  resources before the step\n       0      0  name \"wbe\"\n\n\
             quick fix: \"wbe\" → \"web\"   (e: open)"
        );
    }
}
