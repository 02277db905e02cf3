//! A comparison as lines for scripts.

use crate::answers::compare::{
    ClusterReport, CompareReport, ReportPending, field_words, need_without_remedy, state_words,
    target_words,
};
use crate::display::line;

/// One line for each field: target, resource, path, change, origin. Then one line for each target
/// that fails, is new, is gone or is not known: target, state, reason, location.
pub(super) fn page(report: &CompareReport) -> String {
    let mut out = String::new();
    for (target, resource, field) in report.fields() {
        let at = field.at.as_ref().or(field.was_at.as_ref());
        let at = at.map(|at| format!("\t{at}")).unwrap_or_default();
        out.push_str(&line!(
            "{}\t{}/{}\t{}{at}\n",
            target.target,
            resource.kind,
            resource.name,
            field_words(field)
        ));
    }
    for line in report.cluster.iter().flat_map(ClusterReport::lines) {
        out.push_str(&line!("{line}\n"));
    }
    for target in &report.targets {
        let state = target_words(target);
        let place = |pending: &ReportPending| pending.at.clone().unwrap_or_default();
        let needs = target.pending.iter().map(|it| (need_without_remedy(&it.need), place(it)));
        let error = target.error.as_deref().and_then(|error| error.lines().next());
        let reasons: Vec<(&str, String)> =
            error.map(|error| (error, String::new())).into_iter().chain(needs).collect();
        for (reason, place) in &reasons {
            let columns = [&*target.target, state, reason, place].join("\t");
            out.push_str(&line!("{}\n", columns.trim_end()));
        }
        if reasons.is_empty() && state_words(target.state).is_some() {
            out.push_str(&line!("{}\t{state}\n", target.target));
        }
    }
    out
}
