//! The findings of a report that are listed as one row.

use std::collections::BTreeSet;
use std::path::Path;

use crate::answers::{ProvedFix, Repairs, SharedFinding, relative};
use crate::display::counted;
use crate::engine::diagnostic::{Code, Fix, Listing, Severity};

/// A row of a report: the findings of one rule, severity and repository that are of one habit, or
/// have one text.
struct Row<'f> {
    rule: (Code, Severity, &'f Path),
    habits: BTreeSet<&'f str>,
    texts: BTreeSet<(&'f str, Option<&'f str>)>,
    found: Vec<usize>,
}

/// Groups of findings that a report lists as one row for each rule and repository, or for each
/// habit or text in it, as indices into `found`. Groups with a single finding are left out.
pub fn repository_rows(found: &[SharedFinding], roots: &[&Path]) -> Vec<Vec<usize>> {
    let mut rows: Vec<Row<'_>> = Vec::new();
    for (at, one) in found.iter().enumerate().filter(|(_, one)| one.waived.is_none()) {
        let habit = match one.code.rule().listing {
            Some(Listing::Repository) => Some(""),
            Some(Listing::Habit) => one.habit.as_deref(),
            Some(Listing::OnRequest) | None => None,
        };
        let root =
            one.file.as_deref().and_then(|file| roots.iter().find(|root| file.starts_with(root)));
        let Some(root) = root else { continue };
        let rule = (one.code, one.severity, *root);
        let text = (one.message.as_str(), one.hint.as_deref());
        let is_of = |row: &&mut Row<'_>| {
            row.rule == rule
                && (habit.is_some_and(|habit| row.habits.contains(habit))
                    || row.texts.contains(&text))
        };
        match rows.iter_mut().find(is_of) {
            Some(row) => {
                row.habits.extend(habit);
                row.texts.insert(text);
                row.found.push(at);
            }
            None => rows.push(Row {
                rule,
                habits: habit.into_iter().collect(),
                texts: BTreeSet::from([text]),
                found: vec![at],
            }),
        }
    }
    rows.into_iter().map(|row| row.found).filter(|found| found.len() > 1).collect()
}

/// One finding for a group of findings of the same rule in one repository, at the location of the
/// first. Paths in its hint are relative to `base`.
pub fn repository_row(
    found: &[SharedFinding],
    group: &[usize],
    repairs: &Repairs,
    base: &Path,
) -> Option<SharedFinding> {
    let first = found.get(*group.first()?)?;
    let each = || group.iter().filter_map(|at| found.get(*at));
    let mut targets: Vec<_> = each().flat_map(|one| one.targets.iter().cloned()).collect();
    targets.sort_unstable();
    targets.dedup();
    let count = group.len();
    let proved = || repairs.proved.iter().filter(|proved| group.contains(&proved.finding));
    let (done, all) = (proved().filter(|proved| proved.is_done).count(), proved().count());
    let message = if first.code == Code::KZ001 {
        let mut files: Vec<_> = each().filter_map(|one| one.file.as_deref()).collect();
        files.dedup();
        let files = counted(files.len(), "file");
        format!("{count} deprecated fields in {files}")
    } else {
        format!("{} (and {} more)", first.message, count - 1)
    };
    let hint = match (first.code, first.code.rule().listing) {
        (Code::KZ001, _) if done == 0 => {
            Some("run `kzui migrate` for the reasons why they cannot be rewritten".to_owned())
        }
        (Code::KZ001, _) => Some(format!(
            "`kzui migrate` rewrites {done} of {count} and keeps the output of every target"
        )),
        (_, listing) if listing != Some(Listing::Repository) => {
            let is_removal = |proved: &ProvedFix| {
                found.get(proved.finding).is_some_and(|it| it.fix == Some(Fix::RemoveEntry))
            };
            let writes = if proved().all(is_removal) { "removes" } else { "writes" };
            Some(habit_hint(&each().collect::<Vec<_>>(), [done, all], writes, base))
        }
        _ => first.hint.clone(),
    };
    let used_by = targets.len();
    Some(SharedFinding { message, hint, targets, used_by, fix: None, ..first.clone() })
}

const MAX_LOCATIONS: usize = 20;

/// The findings of a row, one for each line but that of the first.
fn other_places<'f>(each: &[&'f SharedFinding]) -> Vec<&'f SharedFinding> {
    let place = |found: &'f SharedFinding| (found.file.as_deref(), found.mark.line);
    let mut seen = BTreeSet::from_iter(each.first().map(|first| place(first)));
    each.iter().copied().filter(|found| seen.insert(place(found))).collect()
}

/// The hint of a row for several findings: the hint of the first, the locations of the others, and
/// the number of fixes, `done` without and `all` with `--unsafe-fixes`, which remove or write
/// entries.
fn habit_hint(
    each: &[&SharedFinding],
    [done, all]: [usize; 2],
    writes: &str,
    base: &Path,
) -> String {
    let Some(first) = each.first() else { return String::new() };
    let others = other_places(each);
    let place = |other: &&SharedFinding| {
        let line = other.mark.line;
        match other.file.as_deref().filter(|file| first.file.as_deref() != Some(*file)) {
            Some(file) => format!("{}:{line}", relative(file, base)),
            None => format!("line {line}"),
        }
    };
    let mut places: Vec<String> = others.iter().take(MAX_LOCATIONS).map(place).collect();
    if let Some(more @ 1..) = others.len().checked_sub(MAX_LOCATIONS) {
        places.push(format!("{more} more"));
    }
    let mut hint = first.hint.clone().map(|hint| format!("{hint}; ")).unwrap_or_default();
    let title = if places.len() == 1 { "the other" } else { "the others" };
    if places.is_empty() {
        hint.truncate(hint.trim_end_matches("; ").len());
    } else {
        hint.push_str(&format!("{title}: {}", places.join(", ")));
    }
    // One correction may mend several findings, so it has no number of them.
    for (count, flags) in [(done, "--fix"), (all - done, "--fix --unsafe-fixes")] {
        let entries = if writes == "removes" && count == 1 {
            "the entry".to_owned()
        } else if writes == "removes" {
            format!("{count} entries")
        } else {
            counted(count, "correction")
        };
        if count > 0 {
            hint.push_str(&format!("; `kzui check {flags}` {writes} {entries}"));
        }
    }
    hint
}
