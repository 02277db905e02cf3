//! The functions of a build: runs, messages, pending ones.

use std::path::Path;

use crate::answers::secrets::Secrets;
use crate::engine::diagnostic::WithheldStep;
use crate::engine::evaluate::{Step, StepOutcome, Wait, WaitCause};
use crate::engine::plugin::{FunctionResult, FunctionRun, RequiredAction, Severity as Worst};
use crate::engine::resource::ResId;
use crate::engine::yaml::SourceId;
use crate::model::pending::waits_for_fetch;
use crate::model::{Decider, Model, Preview, ResourceKey, WorkbenchRecording, decider};
use crate::text::{TextLine, indented, sanitize, source_lines, wrap};

/// A call of a function, or a step with a pending call.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct FunctionRow {
    pub step: usize,
    /// The name and version, as in `SetLimits v1`.
    pub name: String,
    /// `container`, `exec`, `starlark`; empty for a pending function.
    pub runtime: &'static str,
    pub program: String,
    pub waits_for: Option<Box<Wait>>,
}

impl FunctionRow {
    /// True if the function is allowed to run, and only the request for it is missing.
    pub(crate) fn needs_request(&self) -> bool {
        self.unrequested().is_some()
    }

    /// The name with which the function is requested, if it only waits for the request.
    pub(crate) fn unrequested(&self) -> Option<&str> {
        self.waits_for.as_deref()?.unrequested()
    }
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct ResultRow {
    pub severity: Worst,
    /// The resource, as in `Deployment prod/web`.
    pub resource: String,
    pub key: Option<ResourceKey>,
    pub field: String,
    /// The message of the result, with the current and the proposed value.
    pub text: String,
}

const MAX_SHOWN_BYTES: usize = 1 << 18;

pub(crate) fn function_rows(recording: &WorkbenchRecording) -> Vec<FunctionRow> {
    let steps = recording.trace.steps.iter().enumerate();
    let row = |(index, step): (usize, &Step)| {
        let argument = if step.argument.is_empty() { &step.name } else { &step.argument };
        match (&step.run, &step.outcome) {
            (Some(run), _) => {
                let (runtime, program) = runtime_of(run);
                // Kind and name distinguish functions; group and version are in the details.
                let name = run.function.split(" (").next().unwrap_or(&run.function);
                let name = sanitize(name).into_owned();
                Some(FunctionRow { step: index, name, runtime, program, waits_for: None })
            }
            (None, StepOutcome::Waiting(wait)) if is_of_function(wait) => Some(FunctionRow {
                step: index,
                name: sanitize(&format!("{}/{argument}", step.name)).into_owned(),
                runtime: "",
                program: String::new(),
                waits_for: Some(wait.clone()),
            }),
            _ => None,
        }
    };
    steps.filter_map(row).collect()
}

/// True for a step that waits for a program, or for the catalog with its function.
pub(crate) fn is_of_function(wait: &Wait) -> bool {
    matches!(&wait.why, WaitCause::Refused(_) | WaitCause::Withheld(WithheldStep::Program(_)))
        || matches!(
            wait.awaited,
            RequiredAction::FetchOfCatalog(_)
                | RequiredAction::Trust(_)
                | RequiredAction::Review(_)
        )
}

fn runtime_of(run: &FunctionRun) -> (&'static str, String) {
    let Some(first) = run.command.first() else { return ("", String::new()) };
    let name = Path::new(first).file_name().map(|name| name.to_string_lossy().into_owned());
    let name = name.unwrap_or_default();
    match &*name {
        "docker" | "podman" | "nerdctl" => {
            let image = run.command.last().cloned().unwrap_or_default();
            ("container", sanitize(&image).into_owned())
        }
        // Scripts get no environment; programs always get one.
        _ if run.command.len() == 1 && run.environment.is_empty() => {
            ("starlark", sanitize(first).into_owned())
        }
        _ => ("exec", sanitize(first.strip_prefix("{tmp}/").unwrap_or(first)).into_owned()),
    }
}

pub(crate) fn result_rows(model: &Model, step: usize, run: &FunctionRun) -> Vec<ResultRow> {
    if run.results.is_empty() {
        return Vec::new();
    }
    // The results name the resources as they were at that step.
    let recording = &model.builds.recording;
    let states = [recording.trace.state_after(step), recording.trace.state_before(step)];
    let known = states.iter().flatten();
    let known = known.filter_map(|(slot, it)| Some((&it.id, recording.key(*slot)?.clone())));
    let known: Vec<(&ResId, ResourceKey)> = known.collect();
    run.results.iter().map(|result| result_row(&known, result, &model.look.secrets)).collect()
}

/// The path of a field with its indices in brackets. Functions may write `spec.ports.0.port`, as in
/// the example of the specification.
pub(crate) fn with_brackets(field: &str) -> String {
    let mut out = String::new();
    for part in field.split('.') {
        if !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit()) {
            out.push_str(&format!("[{part}]"));
        } else {
            let dot = if out.is_empty() { "" } else { "." };
            out.push_str(&format!("{dot}{part}"));
        }
    }
    out
}

fn result_row(
    known: &[(&ResId, ResourceKey)],
    result: &FunctionResult,
    secrets: &Secrets,
) -> ResultRow {
    let mut text = sanitize(&result.message).replace('\n', " ");
    match (&result.current, &result.proposed) {
        (Some(current), Some(proposed)) => text.push_str(&format!("  {current} → {proposed}")),
        (None, Some(proposed)) => text.push_str(&format!("  → {proposed}")),
        _ => {}
    }
    if let Some((file, document)) = &result.file {
        text.push_str(&format!("  ({file}, document {document})"));
    }
    let resource = result.resource.as_ref().map(|about| {
        let slash = if about.namespace.is_empty() { "" } else { "/" };
        format!("{} {}{slash}{}", about.kind, about.namespace, about.name)
    });
    let key = result.resource.as_ref().and_then(|about| {
        let is_it = |id: &ResId| {
            *id.gvk.kind == *about.kind
                && *id.name == *about.name
                && (about.namespace.is_empty() || *id.namespace == *about.namespace)
        };
        known.iter().find(|(id, _)| is_it(id)).map(|(_, key)| key.clone())
    });
    ResultRow {
        severity: result.severity,
        resource: sanitize(&resource.unwrap_or_default()).into_owned(),
        key,
        field: sanitize(result.field.as_deref().unwrap_or_default()).into_owned(),
        text: sanitize(&secrets.text(&text)).into_owned(),
    }
}

/// The call of a function with input and output; for a pending step, the missing parts of the call.
pub(crate) fn invocation(model: &Model, row: usize, columns: usize) -> Option<Preview> {
    let (recording, secrets) = (&model.builds.recording, &model.look.secrets);
    let row = model.functions.rows.get(row)?;
    let step = recording.step(row.step)?;
    let place = recording.location(step.mark);
    let Some(run) = &step.run else {
        let mut lines = vec![text("Not run. Missing:"), text("")];
        let needs = row.waits_for.as_ref().map(|wait| secrets.text(&wait.to_string()));
        let room = columns.saturating_sub(4);
        for need in sanitize(&needs.unwrap_or_default()).split("; ") {
            lines.extend(wrap(need, room).into_iter().map(|line| text(&format!("  {line}"))));
        }
        let key = match decider(recording, row.step) {
            Some(Decider::Catalog(_)) => "enter: show the catalog (T there: trust)",
            _ if row.needs_request() => "R: run",
            _ if row.waits_for.as_deref().is_some_and(waits_for_fetch) => "F: fetch (asks first)",
            _ => "",
        };
        if !key.is_empty() {
            lines.extend([text(""), text(key)]);
        }
        lines.extend([text(""), text(&format!("configured at {place}")), text("")]);
        let around = "The other steps are evaluated as if this function changed no resource. Opening a target never runs a function and never fetches.";
        lines.extend(wrap(around, room).into_iter().map(|line| text(&line)));
        return Some(Preview { title: "requirements".to_owned(), lines, at: None });
    };
    let mut lines = Vec::new();
    for row in result_rows(model, row.step, run) {
        let about = [row.severity.word(), &row.resource, &row.field].join("  ");
        lines.push(text(about.trim_end()));
        let words = wrap(&row.text, columns.saturating_sub(6)).into_iter();
        lines.extend(words.map(|line| text(&format!("  {line}"))));
        lines.push(text(""));
    }
    lines.push(text(&format!("function    {}", run.function)));
    lines.extend(called(run, &place, secrets));
    if !run.messages.is_empty() {
        lines.extend([text(""), text("messages (standard error)")]);
        let messages = secrets.text(&run.messages);
        lines.extend(messages.lines().map(|line| text(&format!("  {line}"))));
    }
    for (what, bytes) in [("output", &run.output), ("input", &run.input)] {
        let size = match bytes.len() {
            bytes @ 0..10_240 => format!("{bytes} bytes"),
            bytes => format!("{} KiB", bytes >> 10),
        };
        lines.extend([text(""), text(&format!("{what}: {size}"))]);
        let masked = secrets.mask_yaml(&String::from_utf8_lossy(bytes));
        let shown = &masked.as_bytes()[..masked.len().min(MAX_SHOWN_BYTES)];
        lines.extend(indented(source_lines(shown, SourceId::NONE)));
        if masked.len() > MAX_SHOWN_BYTES {
            lines.push(text("  … the rest is not shown"));
        }
    }
    Some(Preview { title: row.name.clone(), lines, at: None })
}

fn called(run: &FunctionRun, place: &str, secrets: &Secrets) -> Vec<TextLine> {
    let masked = |name: &str, value: &str| text(&format!("{name:<11} {}", secrets.text(value)));
    let mut lines = vec![
        text(&format!("configured  {place}")),
        text(&format!("directory   {}", run.directory.display())),
        masked("command", run.command.first().map_or("", String::as_str)),
    ];
    lines.extend(run.command.iter().skip(1).map(|argument| masked("", argument)));
    let mut names = run.environment.iter();
    lines.push(masked("environment", &names.next().map_or("(empty)".to_owned(), variable)));
    lines.extend(names.map(|entry| masked("", &variable(entry))));
    let status = run.status.map_or("none".to_owned(), |status| status.to_string());
    lines.push(text(&format!("exit        {status}")));
    let time = if run.cached {
        "not run again: result of the last run on the same input".to_owned()
    } else {
        format!("{} ms", run.time.as_millis())
    };
    lines.push(text(&format!("time        {time}")));
    lines.push(text(&format!("objects     {} in, {} out", run.items_in, run.items_out)));
    lines
}

fn variable((name, value): &(String, String)) -> String {
    format!("{name}={value}")
}

fn text(line: &str) -> TextLine {
    TextLine::plain(line)
}
