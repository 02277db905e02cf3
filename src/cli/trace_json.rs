//! The recording as JSON.

use serde_json::{Value, json};

use crate::display::to_json;
use crate::engine::evaluate::{Evaluation, Outcome, Step, Trace as Recording};
use crate::engine::plugin::FunctionRun;
use crate::engine::resource::Change;

use super::Trace;
use super::trace::{Filter, diff, layer_name, place};

/// The steps as one JSON document: `{"target", "ok", "error", "steps": [...]}`.
pub(super) fn render(
    evaluation: &Evaluation,
    shown: &[(usize, &Step)],
    filter: &Filter,
    arguments: &Trace,
) -> String {
    let trace = &evaluation.trace;
    let steps: Vec<Value> = shown
        .iter()
        .map(|(number, step)| one_step(trace, *number, step, filter, arguments))
        .collect();
    let error = evaluation.outcome.as_ref().err().map(|error| {
        json!({
            "message": error.message,
            "context": error.context,
            "at": place(trace, error.mark),
            "hint": error.hint,
        })
    });
    let document = json!({
        "target": trace.layers.first().map(|layer| layer.path.to_string()),
        "ok": evaluation.outcome.is_ok(),
        "error": error,
        "warnings": evaluation.warnings,
        "steps": steps,
    });
    match arguments.yaml.then(|| serde_yaml::to_string(&document)) {
        Some(Ok(text)) => text,
        // JSON is YAML as well.
        _ => to_json(&document).unwrap_or_default(),
    }
}

fn one_step(
    trace: &Recording,
    number: usize,
    step: &Step,
    filter: &Filter,
    arguments: &Trace,
) -> Value {
    let changes: Vec<Value> = step
        .changes
        .iter()
        .filter(|change| filter.shows_change(change))
        .map(|change| one_change(change, arguments.diff))
        .collect();
    let (outcome, detail) = outcome(&step.outcome);
    let mut value = json!({
        "number": number,
        "id": &*step.id.0,
        "kind": format!("{:?}", step.kind),
        "name": &*step.name,
        "argument": &*step.argument,
        "layer": layer_name(trace, step),
        "directory": trace.layer(step.layer).map(|layer| layer.path.to_string()),
        "field": step.field,
        "entry": step.entry,
        "at": place(trace, step.mark),
        "added": step.counts.added,
        "changed": step.counts.modified,
        "removed": step.counts.removed,
        "matched": step.matched,
        "outcome": outcome,
        "detail": detail,
        "warnings": step.warnings.iter().map(|warning| json!({
            "code": warning.code,
            "message": warning.message,
            "hint": warning.hint,
            "at": place(trace, warning.mark),
        })).collect::<Vec<_>>(),
        "changes": changes,
        "function": step.run.as_deref().map(function_run),
    });
    // Left out unless asked for: the same tree gives the same document.
    if arguments.times {
        value["microseconds"] = u64::try_from(step.time.as_micros()).unwrap_or(u64::MAX).into();
    }
    value
}

fn function_run(run: &FunctionRun) -> Value {
    json!({
        "function": run.function,
        "command": run.command,
        "status": run.status,
        "cached": run.cached,
        "items_in": run.items_in,
        "items_out": run.items_out,
        "results": run.results.iter().map(ToString::to_string).collect::<Vec<_>>(),
        "messages": run.messages,
    })
}

fn one_change(change: &Change, with_diff: bool) -> Value {
    let id = |resource: &Option<std::sync::Arc<crate::engine::resource::Resource>>| {
        resource.as_ref().map(|resource| {
            json!({
                "apiVersion": resource.id.gvk.api_version(),
                "kind": &*resource.id.gvk.kind,
                "name": &*resource.id.name,
                "namespace": &*resource.id.namespace,
            })
        })
    };
    let mut value = json!({"before": id(&change.before), "after": id(&change.after)});
    if with_diff {
        value["diff"] = diff(change).into();
    }
    value
}

fn outcome(outcome: &Outcome) -> (&'static str, Option<String>) {
    match outcome {
        Outcome::Applied => ("applied", None),
        Outcome::NoChange => ("no change", None),
        Outcome::MatchedNothing => ("matched nothing", None),
        Outcome::SwitchedOff => ("switched off", None),
        Outcome::Waiting(why) => ("waiting", Some(why.to_string())),
        Outcome::Failed(error) => ("failed", Some(error.message.clone())),
    }
}
