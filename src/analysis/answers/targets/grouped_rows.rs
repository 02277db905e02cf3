//! The findings of a report that are listed as one row.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use crate::answers::{Finding, ProvedFix, Recording, Repairs, SharedFinding, relative};
use crate::display::counted;
use crate::engine::diagnostic::{Code, Fix, Listing, Severity};

/// What makes findings of one rule, severity and repository one row of a report: a habit, or a message
/// and a hint.
type Likeness<'f> = (Code, Severity, &'f Path, Vec<Option<Cow<'f, str>>>);

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

/// Groups of findings that are one row each, as indices: findings with an equal likeness are in one
/// group. A finding without likeness is alone.
fn rows<'f>(found: impl Iterator<Item = Vec<Likeness<'f>>>) -> Vec<Vec<usize>> {
    let mut rows: Vec<Vec<usize>> = Vec::new();
    let mut known: BTreeMap<Likeness<'f>, usize> = BTreeMap::new();
    for (at, likes) in found.enumerate() {
        let row = likes.iter().filter_map(|like| known.get(like)).min().copied();
        let row = row.unwrap_or(rows.len());
        rows.resize_with(rows.len().max(row + 1), Vec::new);
        rows[row].push(at);
        known.extend(likes.into_iter().map(|like| (like, row)));
    }
    rows
}

fn likenesses<'f>(
    (code, severity, root): (Code, Severity, &'f Path),
    habit: impl FnOnce() -> Option<Cow<'f, str>>,
    message: Cow<'f, str>,
    hint: Option<Cow<'f, str>>,
) -> Vec<Likeness<'f>> {
    let habit = habit_of_rule(code, habit).map(|habit| vec![Some(habit)]);
    let each = habit.into_iter().chain([vec![Some(message), hint]]);
    each.map(|texts| (code, severity, root, texts)).collect()
}

/// The rows of a report on repositories, each with its findings as indices into `found`: the worst
/// first, then by location.
pub fn report_rows(found: &[SharedFinding], roots: &[&Path]) -> Vec<Vec<usize>> {
    let mut rows = rows(found.iter().map(|one| {
        let file = one.file.as_deref().filter(|_| one.waived.is_none());
        let root = file.and_then(|file| roots.iter().find(|root| file.starts_with(root)));
        let Some(root) = root else { return Vec::new() };
        let habit = || one.habit.as_deref().map(Cow::from);
        let hint = one.hint.as_deref().map(Cow::from);
        likenesses((one.code, one.severity, root), habit, one.message.as_str().into(), hint)
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
        let Some(file) = recording.file(diagnostic.mark) else { return Vec::new() };
        let habit = || diagnostic.remark.habit(Path::new(file), hint.as_deref()).map(Cow::from);
        let (rule, hint) = ((code, one.severity, Path::new("")), hint.clone().map(Cow::from));
        likenesses(rule, habit, diagnostic.message().into(), hint)
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
