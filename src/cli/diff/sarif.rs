//! The dangers of a comparison in SARIF, at the edits that cause them. Targets that fail or are not
//! known are notifications: no location has a result for them.

use serde_json::{Value, json};

use crate::answers::compare::{
    CauseDanger, CompareReport, ReportEdit, state_words, target_notes, target_words,
};
use crate::cli::sarif::{document_with_notifications, location};
use crate::engine::resource::QuickMap;

/// The document: equal dangers of several targets are one result.
pub(super) fn page(report: &CompareReport) -> std::io::Result<String> {
    let mut found: QuickMap<_, (CauseDanger<'_>, &[usize], Vec<&str>)> = QuickMap::default();
    for cause in report.group_by_cause() {
        for danger in &cause.dangers {
            let resource = danger.resource;
            let name = (&resource.kind, &resource.name, &resource.namespace);
            let key = (&danger.danger.code, &danger.danger.message, name, cause.edits);
            let (.., targets) =
                found.entry(key).or_insert_with(|| (*danger, cause.edits, Vec::new()));
            targets.push(&danger.target.target);
        }
    }
    let result = |(found, edits, targets): (CauseDanger<'_>, &[usize], Vec<&str>)| {
        let places = report.edits_at(edits);
        let column = |edit: &ReportEdit| edit.column.unwrap_or(1);
        let places =
            places.map(|edit| location(&edit.file, Some((edit.line.max(1), column(edit)))));
        let places: Vec<Value> = places.collect();
        let (resource, danger) = (found.resource, found.danger);
        let name = format!("{}/{}", resource.kind, resource.name);
        let print = [&*danger.code, &*name, &*resource.namespace, &*danger.path].join(" ");
        json!({
            "ruleId": danger.code,
            "level": danger.severity,
            "message": {"text": danger.message},
            "locations": places.iter().take(1).collect::<Vec<_>>(),
            "relatedLocations": places.iter().skip(1).collect::<Vec<_>>(),
            "partialFingerprints": {"kzui/v1": print},
            "properties": {
                "targets": targets, "resource": name, "namespace": resource.namespace,
                "path": danger.path,
            },
        })
    };
    let results: Vec<Value> = found.into_values().map(result).collect();
    let states = report.targets.iter().filter_map(|target| {
        let notes = target_notes(target).join("; ");
        let is_open = state_words(target.state).is_some() || !target.pending.is_empty();
        is_open.then(|| format!("{}: {}: {notes}", target.target, target_words(target)))
    });
    let states: Vec<String> = states.collect();
    document_with_notifications(&results, &states)
}
