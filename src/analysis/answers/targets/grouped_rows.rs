//! The findings of a report that are listed as one row.

use std::borrow::Cow;
use std::collections::BTreeSet;
use std::path::Path;

use crate::answers::{Finding, ProvedFix, Recording, Repairs, SharedFinding, relative};
use crate::display::counted;
use crate::engine::diagnostic::{Code, Fix, Listing, Severity};

/// The properties of findings that are one row of a report: one rule, severity and repository, and
/// one habit or text.
struct Likeness<'f> {
    rule: (Code, Severity, &'f Path),
    habit: Option<Cow<'f, str>>,
    text: (Cow<'f, str>, Option<Cow<'f, str>>),
}

impl Likeness<'_> {
    fn is_like(&self, other: &Self) -> bool {
        let has_habit = self.habit.is_some() && self.habit == other.habit;
        self.rule == other.rule && (has_habit || self.text == other.text)
    }
}

/// The habit by which findings of a rule are one row: any for a rule with one row in a repository.
fn habit_of_rule<'f>(
    code: Code,
    own: impl FnOnce() -> Option<Cow<'f, str>>,
) -> Option<Cow<'f, str>> {
    match code.rule().listing {
        Some(Listing::Repository) => Some("".into()),
        Some(Listing::Habit) => own(),
        Some(Listing::OnRequest) | None => None,
    }
}

/// Groups of findings that are one row each, as indices; a finding without likeness is alone.
fn rows<'f>(found: impl Iterator<Item = Option<Likeness<'f>>>) -> Vec<Vec<usize>> {
    let mut rows: Vec<(Vec<Likeness<'f>>, Vec<usize>)> = Vec::new();
    for (at, one) in found.enumerate() {
        let is_of = |(likes, _): &&mut (Vec<Likeness<'f>>, Vec<usize>)| {
            one.as_ref().is_some_and(|one| likes.iter().any(|other| one.is_like(other)))
        };
        match rows.iter_mut().find(is_of) {
            Some((likes, found)) => {
                // Many findings have one text and one habit.
                let is_new = |one: &Likeness<'f>| {
                    !likes.iter().any(|it| it.habit == one.habit && it.text == one.text)
                };
                likes.extend(one.filter(is_new));
                found.push(at);
            }
            None => rows.push((one.into_iter().collect(), vec![at])),
        }
    }
    rows.into_iter().map(|(_, found)| found).collect()
}

/// The rows of a report on repositories, each with its findings as indices into `found`: the worst
/// first, then by location.
pub fn report_rows(found: &[SharedFinding], roots: &[&Path]) -> Vec<Vec<usize>> {
    let mut rows = rows(found.iter().map(|one| {
        let file = one.file.as_deref().filter(|_| one.waived.is_none())?;
        let root = roots.iter().find(|root| file.starts_with(root))?;
        Some(Likeness {
            rule: (one.code, one.severity, root),
            habit: habit_of_rule(one.code, || one.habit.as_deref().map(Cow::from)),
            text: (one.message.as_str().into(), one.hint.as_deref().map(Cow::from)),
        })
    }));
    rows.sort_by_key(|row| {
        row.first()
            .and_then(|at| found.get(*at))
            .map(|it| (it.severity, it.file.clone(), it.mark.line, it.mark.column, it.code))
    });
    rows
}

/// The rows of the findings of one build, each with its findings as indices into `found`.
pub fn build_rows(found: &[Finding], recording: &Recording) -> Vec<Vec<usize>> {
    let mut rows = rows(found.iter().map(|one| {
        let diagnostic = &one.diagnostic;
        let (code, hint) = (diagnostic.code(), diagnostic.advice());
        let file = recording.file(diagnostic.mark)?;
        let habit = || diagnostic.remark.habit(Path::new(file), hint.as_deref()).map(Cow::from);
        Some(Likeness {
            rule: (code, one.severity, Path::new("")),
            habit: habit_of_rule(code, habit),
            text: (diagnostic.message().into(), hint.clone().map(Cow::from)),
        })
    }));
    let place = |at: &usize| {
        let mark = found.get(*at)?.diagnostic.mark;
        Some((recording.file(mark).map(str::to_owned), mark.line))
    };
    for row in &mut rows {
        row.sort_by_key(place);
    }
    rows
}

/// The message of a row, from that of its first finding and the file of each.
pub fn row_message<'f>(
    code: Code,
    first: &str,
    files: impl Iterator<Item = Option<&'f Path>>,
) -> String {
    let mut files: Vec<_> = files.collect();
    let count = files.len();
    match code {
        _ if count <= 1 => first.to_owned(),
        Code::KZ001 => {
            files.dedup();
            format!("{count} deprecated fields in {}", counted(files.len(), "file"))
        }
        _ => format!("{first} (and {} more)", count - 1),
    }
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
    let targets: BTreeSet<_> = each().flat_map(|one| one.targets.iter().cloned()).collect();
    let count = group.len();
    let proved = || repairs.proved.iter().filter(|proved| group.contains(&proved.finding));
    let (done, all) = (proved().filter(|proved| proved.is_done).count(), proved().count());
    let message = row_message(first.code, &first.message, each().map(|one| one.file.as_deref()));
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
    let (used_by, targets) = (targets.len(), targets.into_iter().collect());
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
