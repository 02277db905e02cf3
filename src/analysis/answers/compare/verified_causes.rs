//! The edits that cause differences: candidates from the recordings of both builds, verified by
//! building without them.

use std::sync::Arc;

use super::edit_lines::EditLines;
use super::edit_search::EditSearch;
use super::likely_edits::{EditCandidates, LikelyEdits};
use super::remaining_differences::DifferenceKey;
use super::resource_pairs::SameRole;
use super::{DifferenceCause, FieldChange, FileEdits, ResourcePair, Trials};
use crate::engine::evaluate::Trace;
use crate::engine::resource::Resource;

/// The cause of each difference of each pair, in the order of `pairs`. `relevant` contains the
/// indices of the files in `edits` that may be the cause. `roles` are those of the pairs.
pub(super) fn find_causes(
    (before, roles): (&[Arc<Resource>], &[SameRole]),
    pairs: &[(ResourcePair, Vec<FieldChange>)],
    edits: &[FileEdits],
    relevant: &[usize],
    traces: (&Trace, &Trace),
    trials: &mut Trials<'_>,
) -> Vec<Vec<DifferenceCause>> {
    let all = pairs
        .iter()
        .flat_map(|(pair, changes)| changes.iter().map(|it| DifferenceKey::from_change(pair, it)));
    let lines = EditLines::new(edits, relevant);
    let places = LikelyEdits::new(&lines, traces);
    let mut search = EditSearch::new((before, roles), edits, &lines, all.collect(), trials);
    let mut found: Vec<Vec<DifferenceCause>> = Vec::with_capacity(pairs.len());
    // With the index of the pair, and the index of the difference among the changes of the pair.
    let mut open: Vec<(usize, usize, DifferenceKey, EditCandidates)> = Vec::new();
    for (pair, changes) in pairs {
        let reason = |change: &FieldChange| {
            let at = places.write_location(true, change.after.as_ref());
            let was_at = places.write_location(false, change.before.as_ref());
            DifferenceCause { at, was_at, ..DifferenceCause::default() }
        };
        let mut of_pair: Vec<DifferenceCause> = changes.iter().map(reason).collect();
        for (at, (change, reason)) in changes.iter().zip(&mut of_pair).enumerate() {
            let wanted = DifferenceKey::from_change(pair, change);
            let likely = places.edits_for(change, [reason.was_at, reason.at]);
            let (cause, ran_out) = search.find_cause(&wanted, &likely, TRIALS_BEFORE_POSTPONING);
            *reason = cause.with_locations(reason);
            if ran_out {
                open.push((found.len(), at, wanted, likely));
            }
        }
        found.push(of_pair);
    }
    // Differences that need many trials come last, so that they do not use up the trials of other
    // differences.
    for (pair, at, wanted, likely) in open {
        let reason = &mut found[pair][at];
        *reason = search.find_cause(&wanted, &likely, usize::MAX).0.with_locations(reason);
    }
    found
}

/// The number of trials for each difference before the search for it is postponed.
const TRIALS_BEFORE_POSTPONING: usize = 6;

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::super::fields::NewNames;
    use super::super::resource_pairs::pair_differences;
    use super::super::{NoEdit, file_edits, pair_up};
    use super::*;
    use crate::engine::resource::Scopes;
    use crate::engine::yaml::{Limits, SourceId, parse_documents};

    /// With this number of differences, a linear search for each difference would take minutes.
    #[test]
    fn many_differences_and_edits_need_no_linear_search() {
        let count = 20_000;
        let text = |value: &str| {
            let head = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\ndata:\n".to_owned();
            (0..count).fold(head, |text, at| text + &format!("  k{at}: {value}\n"))
        };
        let (old, new) = (text("a"), text("b"));
        let built = |text: &str| {
            let read = parse_documents(text.as_bytes(), SourceId(1), Limits::default()).unwrap();
            let node = read.documents[0].node.clone();
            vec![Arc::new(Resource::new(node, &Scopes::default()))]
        };
        let (before, after) = (built(&old), built(&new));
        let pairs = pair_up(&before, &after).into_iter().map(|pair| {
            let changes = pair_differences(&pair, &NewNames::default());
            (pair, changes)
        });
        let pairs: Vec<_> = pairs.collect();
        let bytes = |text: &str| Some(Arc::from(text.as_bytes()));
        let edits = [file_edits(Path::new("/a"), Path::new("/a"), bytes(&old), bytes(&new))];
        assert_eq!((pairs[0].1.len(), edits[0].edits.len()), (count, count));
        let trace = Trace::default();
        let mut build = |_| None;
        let mut trials = Trials {
            build: &mut build,
            left: 400,
            in_groups: 0,
            is_alike: true,
            edits_are_all: false,
        };
        let found =
            find_causes((&before, &[]), &pairs, &edits, &[0], (&trace, &trace), &mut trials);
        assert!(
            found[0].iter().all(|reason| reason.unnamed_edit_reason == Some(NoEdit::NotAllTried))
        );
        assert_eq!(trials.left, 399, "all of them are taken back once");
    }
}
