//! Words that several features share.

use std::collections::BTreeSet;
use std::path::Path;

use crate::answers::provenance::line_effects::{EntryUse, LineEffects};
use crate::answers::report::OutcomeWord;
use crate::display::{counted, first_names};

/// The entries of some lines in one: `3 resources in 4 targets`, `no match in 2 targets`. `None`
/// without entries.
pub(super) fn entry_summary(lines: &[&LineEffects]) -> Option<String> {
    let entries: Vec<(&EntryUse, &Vec<u32>)> =
        lines.iter().flat_map(|line| &line.entries).collect();
    if entries.is_empty() {
        return None;
    }
    let changing: Vec<_> = entries.iter().filter(|(entry, _)| entry.changed > 0).collect();
    let targets = |outcome: Option<OutcomeWord>| -> BTreeSet<u32> {
        let is_it = |entry: &EntryUse| outcome.is_none_or(|outcome| entry.outcome == outcome);
        let of = entries.iter().filter(|(entry, _)| is_it(entry));
        of.flat_map(|(_, targets)| targets.iter().copied()).collect()
    };
    let applied: BTreeSet<u32> =
        changing.iter().flat_map(|(_, targets)| targets.iter().copied()).collect();
    let mut parts = Vec::new();
    if !applied.is_empty() {
        let in_target = |target: &u32| {
            let own = changing.iter().filter(|(_, targets)| targets.contains(target));
            changed_resources(&own.map(|(entry, _)| *entry).collect::<Vec<_>>())
        };
        let counts: BTreeSet<(usize, bool)> = applied.iter().map(in_target).collect();
        let is_exact = counts.iter().all(|(_, is_exact)| *is_exact);
        let resources = match (counts.first(), counts.last()) {
            (Some((least, _)), _) if !is_exact => {
                format!("at least {}", counted(*least, "resource"))
            }
            (Some((least, _)), Some((most, _))) if least != most => {
                format!("{least} to {most} resources")
            }
            (Some((count, _)), _) => counted(*count, "resource"),
            _ => String::new(),
        };
        parts.push(format!("{resources} in {}", counted(applied.len(), "target")));
    }
    let others = [
        ("no match", OutcomeWord::MatchedNothing),
        ("no change", OutcomeWord::NoChange),
        ("pending", OutcomeWord::Waiting),
        ("fails", OutcomeWord::Failed),
    ];
    for (words, outcome) in others {
        let targets: BTreeSet<u32> = targets(Some(outcome)).difference(&applied).copied().collect();
        if !targets.is_empty() {
            parts.push(format!("{words} in {}", counted(targets.len(), "target")));
        }
    }
    if parts.is_empty() {
        let read = targets(None);
        parts.push(format!("read by {}", counted(read.len(), "target")));
    }
    Some(parts.join(", "))
}

/// The number of resources that entries change in one target, each counted once, and whether it is
/// exact: of entries that change many resources, not all are listed.
fn changed_resources(entries: &[&EntryUse]) -> (usize, bool) {
    if let [one] = entries {
        return (one.changed, true);
    }
    let listed = entries.iter().flat_map(|entry| &entry.resources);
    let titles: BTreeSet<&str> = listed.map(|resource| &*resource.title).collect();
    let most = entries.iter().map(|entry| entry.changed).max().unwrap_or_default();
    let is_exact = entries.iter().all(|entry| entry.changed == entry.resources.len());
    (most.max(titles.len()), is_exact)
}

pub(super) fn shortened(text: &str, most: usize) -> String {
    let mut short: String = text.chars().take(most).collect();
    if short.len() < text.len() {
        short.push('…');
    }
    short
}

const MAX_TARGETS: usize = 6;

/// The first targets by name and the number of the others, as in `overlays/dev, overlays/prod and 3
/// more`.
pub(super) fn target_list<'t>(
    targets: impl Iterator<Item = &'t Path>,
    shown: impl Fn(&Path) -> String,
) -> String {
    let targets: Vec<&Path> = targets.collect();
    first_names(targets.into_iter().map(shown), MAX_TARGETS)
}
