//! The texts of linear mode: complete sentences, without symbols and boxes.

use super::{Answer, usage};
use crate::answers::compare::ConsequenceWeight;
use crate::answers::provenance::blame::value_text;
use crate::answers::recording::field::WrittenPath;
use crate::display::counted;
use crate::engine::evaluate::StepOutcome;
use crate::engine::resource::{PathStep, Slot};
use crate::engine::yaml::Node;
use crate::model::{
    ChangedRow, ComponentStatus, Confirm, Confirmation, EntryState, Model, Problem, Recording,
    Severity, StepState, WhyKind, WhyRow, WorkbenchRecording, all_tree_rows, changed_between,
    first_pending_reason, need_of, step_changes, step_label, why_rows,
};
use crate::text::{DiffRow, DiffRowKind, LineDiff, Split, TextLine};

const CONTEXT_LINES: usize = 3;

pub(super) fn help() -> Vec<String> {
    let lines = [
        "tree: the entries of the build, numbered.",
        "steps, steps 3-7: all steps, or some of them.",
        "step 4: one step. diff 4: its changes, line by line. why 4: the reason why it had no effect.",
        "why Deployment/web spec.replicas: the writers of a field, the final one first, and the steps that do not write it.",
        "resources: the resources of the output. resource Deployment/web: one of them, line by line, with the step, file and line that wrote each part; add a namespace or a group if several match, as in resource shop/Deployment.apps/web; earlier names match too.",
        "problems: errors, warnings and notes, numbered. fix 2: apply the verified fix of problem 2 to the draft.",
        "toggle 7: switch row 7 of tree off or on, in the draft. undo, redo: undo the last edit, or redo it.",
        "move 7 1: move the entry of row 7 one down in its list; move 7 -1 up.",
        "components: the components of the target, and unlisted ones. component 2: switch component 2 off or on.",
        "watch Deployment/web spec.replicas: the steps that wrote a field, with the value before and after.",
        "order: neighbours whose order matters, with the affected fields. order 2: swap pair 2 in the draft.",
        "matrix: the components in all combinations, with their conflicts and requirements. matrix 2: use row 2 as the draft.",
        "compare main HEAD, compare overlays/dev overlays/prod: the differences with their causes, numbered. compare 2: difference 2 in full. reach: the effect of the draft on every target.",
        "find nginx: fields and values that match a regular expression, at every step. users: the users and the dependencies of the target.",
        "text patch.yaml: a file of the draft with line numbers. change patch.yaml:7 TEXT: replace line 7 in the draft. insert patch.yaml:7 TEXT: insert a line after line 7. remove patch.yaml:7: remove line 7.",
        "edit 7, edit patch.yaml:3: open your editor at row 7 of tree, or at a line.",
        "pipeline: the entries of a Composition, numbered. override 3: the fields of entry 3. override 3 spec.image web:2: set a field in the draft.",
        "catalogs: the catalogs of the build and their functions, numbered. catalog 1: catalog 1 in full. catalog REF: show a catalog that the build does not list. trust 1, revoke 1: trust catalog 1, or revoke trust in it. fetch: list the missing remotes, ask, and fetch them; fetch 1: fetch catalog 1.",
        "functions: the functions of the build, run or pending, numbered. run 1: run function 1. run all: run those that have not run.",
        "rebuild: read the files again and build. like v5.6.0: build with another version profile. secrets: show the values of Secrets, or mask them.",
        "discard: discard the draft; undo restores it. log: the earlier writes. log 2: revert write 2 in the draft.",
        "draft: the kept drafts. draft small: open the draft small, or create it; draft -: the draft without a name. draft rename NAME, draft copy NAME, draft delete NAME. compare draft:small draft:large: compare two drafts.",
        "write: print the diff of the draft, ask, and write. No file changes before the answer.",
        "tour: start a tour of ten stops, or end it; next: the next stop.",
        "quit: quit.",
    ];
    lines.map(str::to_owned).to_vec()
}

/// The result of the build in sentences, with the number of steps, errors and warnings.
pub(super) fn build(model: &Model) -> String {
    let of =
        |severity| model.problems.all.iter().filter(|problem| problem.severity == severity).count();
    let found = format!(
        "{}, {}, {}",
        counted(model.builds.recording.len(), "step"),
        counted(of(Severity::Error), "error"),
        counted(of(Severity::Warning), "warning")
    );
    let resources = counted(model.builds.recording.output.len(), "resource");
    let steps = model.builds.recording.trace.steps.iter();
    // A step that waits for an earlier one needs no action.
    let mut needs = steps.filter_map(|step| match &step.outcome {
        StepOutcome::Waiting(wait) if !wait.is_for_an_earlier_step() => need_of(step),
        _ => None,
    });
    match (&model.builds.recording.error, needs.next()) {
        (None, Some(need)) => format!(
            "The build is pending: {need}. Its output is not known until then; {resources} so far, {found}."
        ),
        (None, None) => format!("Build ok, {resources}, {found}."),
        (Some(error), _) => {
            let message = model.look.secrets.text(&error.message);
            format!("The build fails, {found}: {message}")
        }
    }
}

/// The detail of a tree row. A number at its beginning counts the entries of a list, and gets this
/// unit: `2, 1 without effect` becomes `2 entries, 1 without effect`.
fn detail_with_unit(detail: &str) -> String {
    let (first, rest) = detail.split_once(',').unwrap_or((detail, ""));
    let Ok(entries) = first.parse::<usize>() else { return detail.to_owned() };
    let unit = if entries == 1 { "entry" } else { "entries" };
    if rest.is_empty() { format!("{first} {unit}") } else { format!("{first} {unit},{rest}") }
}

pub(super) fn tree(model: &Model) -> Vec<String> {
    let rows = all_tree_rows(model);
    let rows = (1..).zip(&rows).map(|(number, row)| {
        let state = match row.state {
            EntryState::Plain | EntryState::Ended(StepState::Applied | StepState::Warned) => "",
            EntryState::Ended(state) => state.words(),
            EntryState::On => "On",
            EntryState::Off => "Off",
            EntryState::Unlisted => "Not listed",
            EntryState::NotReached => "Not reached",
            EntryState::Broken => "Fails",
        };
        // A disabled entry has no further details.
        let detail = if row.state == EntryState::Off { "" } else { &row.detail };
        let detail = detail_with_unit(&detail.replace("  ", ", "));
        // The detail often begins with the state.
        let state = if detail.starts_with(state) { "" } else { state };
        let parts = [row.label.as_str(), state, &detail];
        let parts: Vec<&str> = parts.into_iter().filter(|part| !part.is_empty()).collect();
        format!("{number}. Level {}. {}", row.depth, parts.join(". "))
    });
    rows.collect()
}

/// The steps between two numbers, `3-7`; all steps if the range is empty.
pub(super) fn steps(model: &Model, range: &str) -> Answer {
    let last = model.builds.recording.len();
    let bounds = match range.split_once('-') {
        None if range.is_empty() => Some((1, last)),
        None => range.parse().ok().map(|only| (only, only)),
        Some((from, to)) => from.parse().ok().zip(to.parse().ok()),
    };
    let (from, to) = bounds.ok_or_else(|| usage("steps FROM-TO, as in steps 3-7"))?;
    let numbers = from.max(1)..=to.min(last);
    Ok(numbers.map(|number| step_sentence(&model.builds.recording, number - 1)).collect())
}

pub(super) fn of_step(
    model: &Model,
    argument: &str,
    say: fn(&Model, usize) -> Vec<String>,
) -> Answer {
    let last = model.builds.recording.len();
    let step = super::numbered(argument, last);
    let step = step.ok_or_else(|| usage(&format!("a step number from 1 to {last}")))?;
    Ok(say(model, step))
}

pub(super) fn step(model: &Model, index: usize) -> Vec<String> {
    let mut lines = vec![step_sentence(&model.builds.recording, index)];
    let Some(step) = model.builds.recording.step(index) else { return lines };
    let place = model.builds.recording.location(step.mark);
    if !place.is_empty() {
        lines.push(format!("Written at {place}."));
    }
    let rows = step_changes(&model.builds.recording, step);
    lines.extend(rows.iter().map(|row| format!("{}.", changed(row))));
    lines
}

pub(super) fn diff(model: &Model, index: usize) -> Vec<String> {
    let mut lines = vec![step_sentence(&model.builds.recording, index)];
    let recording = &model.builds.recording;
    let step = recording.step(index);
    for row in step.map(|step| step_changes(recording, step)).unwrap_or_default() {
        lines.push(format!("{}:", changed(&row)));
        let diff = row.diff(&model.look.secrets);
        lines.extend(hunks(&diff, &diff.rows(Split::Unified, CONTEXT_LINES)));
    }
    lines
}

pub(super) fn step_problem_lines(model: &Model, index: usize) -> Vec<String> {
    let about = model.problems.all.iter().filter(|problem| problem.step == Some(index));
    let lines: Vec<String> = about.flat_map(problem_lines).collect();
    if lines.is_empty() { vec!["No problem with this step.".to_owned()] } else { lines }
}

/// The resources of the output, each in the form that `resource` accepts.
pub(super) fn resources(model: &Model) -> Vec<String> {
    let output = &model.builds.recording.output;
    if output.is_empty() {
        return vec!["The output is empty.".to_owned()];
    }
    let names = model.builds.recording.names();
    output.iter().filter_map(|(slot, _)| names.get(slot).cloned()).collect()
}

/// For a resource that is not in the output: the step that removed it, and where the removal is
/// written.
pub(super) fn removed(model: &Model, slot: Slot) -> Option<String> {
    let last = model.builds.recording.identity.last_state(slot)?;
    let step = last.removed_by?;
    let place =
        model.builds.recording.removal_mark(slot).map(|mark| model.builds.recording.location(mark));
    let place = place.filter(|place| !place.is_empty()).map(|place| format!(", {place}"));
    let id = &last.resource.id;
    let place = place.unwrap_or_default();
    Some(format!(
        "{} {} is not in the output: removed in step {}{place}. Its content before that:",
        id.gvk.kind,
        id.name,
        step + 1
    ))
}

/// The shown resource, line by line; a writer is named if it differs from that of the line above.
pub(super) fn resource(model: &Model) -> Vec<String> {
    let shown = &model.resources;
    let mut above = None;
    let lines = shown.lines.iter().zip(shown.steps.iter().zip(&shown.places)).map(|(line, by)| {
        let told = match by {
            (Some(step), place) if above != Some(by) => {
                format!("   Step {}, {place}.", step + 1)
            }
            _ => String::new(),
        };
        above = Some(by);
        format!("{}{told}", line.text())
    });
    lines.collect()
}

/// The problems, the worst first.
pub(super) fn problems(model: &Model) -> Vec<String> {
    if model.problems.all.is_empty() {
        return vec!["No problems.".to_owned()];
    }
    let problems = (1..).zip(&model.problems.all).map(|(number, problem)| {
        let step = problem.step.map(|step| format!(" Step {}.", step + 1)).unwrap_or_default();
        format!("{number}. {}{step}", problem_sentence(problem))
    });
    problems.collect()
}

/// The fix of a problem and its changes; `None` if no fix is verified.
pub(super) fn fix_lines(model: &Model, problem: usize) -> Option<Vec<String>> {
    let offer = model.offer(model.problems.all.get(problem)?)?;
    let diff = offer.diff(&model.look.secrets, |file| model.shown_path(file));
    let lines = diff.lines().map(str::to_owned);
    Some([format!("Fix: {}.", offer.words)].into_iter().chain(lines).collect())
}

pub(super) fn draft_report(model: &Model) -> Vec<String> {
    let mut lines = vec![build(model)];
    if !model.has_draft() {
        lines.push("No draft.".to_owned());
        return lines;
    }
    if let Some(saved) = &model.builds.saved {
        let rows = changed_between(saved, &model.builds.recording);
        let names: Vec<String> = rows.iter().map(changed).collect();
        let all = if names.is_empty() { String::new() } else { format!(": {}", names.join(", ")) };
        let differ =
            format!("Compared with the files: {} changed{all}", counted(rows.len(), "resource"));
        lines.push(match first_pending_reason([saved, &model.builds.recording]) {
            None => format!("{differ}."),
            Some(need) if rows.is_empty() => format!("Compared with the files: not known, {need}."),
            Some(need) => format!("{differ}. The rest is not known: {need}."),
        });
    }
    if model.reach.report.is_some() {
        lines.extend(consequence(model));
    }
    lines.push("Not written. Type write to write.".to_owned());
    lines
}

fn consequence(model: &Model) -> impl Iterator<Item = String> {
    model.write_consequences().into_iter().map(|(weight, text)| match weight {
        ConsequenceWeight::Grave => format!("Error: {text}."),
        ConsequenceWeight::Danger => format!("Warning: {text}."),
        ConsequenceWeight::Plain | ConsequenceWeight::Unknown => format!("{text}."),
    })
}

pub(super) fn confirm(model: &Model, confirm: &Confirm) -> Vec<String> {
    let mut lines = Vec::new();
    if confirm.is_write() {
        lines.extend(consequence(model));
    }
    for (name, diff, rows) in &confirm.files {
        lines.push(format!("{name}:"));
        lines.extend(hunks(diff, rows));
    }
    let keys = confirm.asked.keys().iter().map(|(key, does)| match *key {
        "esc" => format!("an empty line ({does})"),
        key => format!("{key} ({does})"),
    });
    let keys: Vec<String> = keys.collect();
    lines.push(match confirm.asked {
        Confirmation::Write { .. } if model.needs_second_confirmation() => {
            format!("{} Type Y to write anyway, or n.", confirm.question)
        }
        Confirmation::Write { .. } => format!("{} Type y or n.", confirm.question),
        _ => format!("{}. Type {}.", confirm.question.trim_end_matches('?'), keys.join(", ")),
    });
    lines
}

/// A report of the changes in the build after files changed; empty if the build did not change.
pub(super) fn rebuild_report(
    model: &Model,
    before: &WorkbenchRecording,
    status: Option<String>,
) -> Vec<String> {
    let same = before.error.as_ref().map(|error| &error.message)
        == model.builds.recording.error.as_ref().map(|error| &error.message);
    let rows = changed_between(before, &model.builds.recording);
    let mut lines: Vec<String> = status.map(|status| format!("{status}.")).into_iter().collect();
    if !same || !rows.is_empty() {
        lines.push(format!("The files changed on disk. {}", build(model)));
        lines.extend(rows.iter().map(|row| format!("{}.", changed(row))));
    }
    lines
}

fn problem_sentence(problem: &Problem) -> String {
    let severity = match problem.severity {
        Severity::Error => "Error",
        Severity::Warning => "Warning",
        Severity::Note => "Note",
    };
    let place = problem.place.clone();
    let place = if place.is_empty() { place } else { format!(", {place}") };
    format!("{severity} {}{place}. {}.", problem.code, problem.message)
}

fn problem_lines(problem: &Problem) -> Vec<String> {
    let mut lines = vec![problem_sentence(problem)];
    lines.extend(problem.narrowing_and_details().cloned());
    lines
}

fn step_sentence(recording: &WorkbenchRecording, index: usize) -> String {
    let Some(step) = recording.step(index) else { return String::new() };
    let label = step_label(recording, index);
    let after = label.strip_prefix('(').and_then(|label| label.split_once(") "));
    let label = after.map_or(&*label, |(_, label)| label);
    let place = recording.place_of_step(index).replace(" › ", ", ").replace("(root)", "the root");
    let counts = &step.counts;
    let parts =
        [(counts.modified, "Changed"), (counts.added, "Added"), (counts.removed, "Removed")];
    let parts = parts.iter().filter(|(many, _)| *many > 0);
    let change_sentences: Vec<String> =
        parts.map(|(many, word)| format!("{word} {}.", counted(*many, "resource"))).collect();
    let change_sentences = match StepState::from_step(step) {
        StepState::Applied | StepState::Warned if change_sentences.is_empty() => {
            "No resource changed.".to_owned()
        }
        StepState::Applied => change_sentences.join(" "),
        StepState::Warned => format!("{} With a warning.", change_sentences.join(" ")),
        StepState::Failed => "Failed.".to_owned(),
        state @ (StepState::Waiting | StepState::Unknown) => format!("{}.", state.words()),
        state if Recording::is_expected_to_change(step) => format!("{}.", state.words()),
        _ => "No resource changed.".to_owned(),
    };
    format!("Step {} of {}. {label}, in {place}. {change_sentences}", index + 1, recording.len())
}

fn changed(row: &ChangedRow) -> String {
    let word = match row.sign {
        '+' => "added",
        '-' => "removed",
        _ => "changed",
    };
    format!("{} {} {word}", row.kind, row.name)
}

fn hunks(diff: &LineDiff, rows: &[DiffRow]) -> Vec<String> {
    let line = |lines: &[TextLine], at: Option<usize>| {
        at.and_then(|at| lines.get(at)).map(TextLine::text).unwrap_or_default()
    };
    let rows = rows.iter().map(|row| match row.kind {
        DiffRowKind::Same | DiffRowKind::Changed => format!("  {}", line(&diff.right, row.right)),
        DiffRowKind::Removed => format!("- {}", line(&diff.left, row.left)),
        DiffRowKind::Added => format!("+ {}", line(&diff.right, row.right)),
        DiffRowKind::Fold(lines) => format!("  ({} the same)", counted(lines, "line")),
    });
    rows.collect()
}

/// The writers of a field, final writer first; the argument is `KIND/NAME FIELD`.
pub(super) fn why_field(model: &Model, argument: &str) -> Answer {
    const USAGE: &str = "Usage: why KIND/NAME FIELD, as in why Deployment/web spec.replicas.";
    let (resource, field) = argument.rsplit_once(char::is_whitespace).ok_or(USAGE)?;
    let recording = &model.builds.recording;
    let slot = recording.find(resource.trim()).map_err(|why| format!("{why}."))?;
    let why = recording.why(slot, &WrittenPath::parse(field));
    let nothing = format!("No step writes {field} of {resource}.");
    let nothing = why.fields.is_empty().then_some(nothing);
    Ok(nothing.into_iter().chain(why_rows(model, &why).iter().map(writer_sentence)).collect())
}

/// A writer as sentences: `3, final. Step 49, replicas storefront → 3. Written at
/// high-availability:17.`
fn writer_sentence(row: &WhyRow) -> String {
    match row.kind {
        WhyKind::Note => return format!("{}.", row.words),
        WhyKind::From(_) => return format!("From {}.", row.words),
        _ => {}
    }
    let what = [row.value.as_str(), row.words.as_str()];
    let what: Vec<&str> = what.into_iter().filter(|text| !text.is_empty()).collect();
    let mut told = format!("{}.", what.join(", "));
    if let Some(step) = row.step {
        told.push_str(&format!(" Step {}, {}.", step + 1, row.label));
    }
    if !row.place.is_empty() {
        told.push_str(&format!(" Written at {}.", row.place));
    }
    told
}

pub(super) fn components(model: &Model) -> Vec<String> {
    if model.components.rows.is_empty() {
        return vec!["No components.".to_owned()];
    }
    let rows = (1..).zip(&model.components.rows).map(|(number, row)| {
        let state = match row.state {
            ComponentStatus::On => "On",
            ComponentStatus::Off => "Off",
            ComponentStatus::Absent => "Not listed",
        };
        let effect = row.effect.map(|it| {
            format!(" Added {}, changed {}, removed {}.", it.added, it.changed, it.removed)
        });
        let file = model.builds.recording.shorten(&row.file.to_string_lossy());
        format!("{number}. {}. {state} in {file}.{}", row.text, effect.unwrap_or_default())
    });
    rows.collect()
}

/// The steps that wrote a field of a resource, with the value before each; the argument is
/// `KIND/NAME FIELD`.
pub(super) fn watch(model: &Model, argument: &str) -> Answer {
    const USAGE: &str = "Usage: watch KIND/NAME FIELD, as in watch Deployment/web spec.replicas.";
    let (resource, field) = argument.rsplit_once(' ').ok_or(USAGE)?;
    let recording = &model.builds.recording;
    let slot = recording.find(resource.trim()).map_err(|why| format!("{why}."))?;
    let last = recording.identity.last_state(slot);
    let writes = recording.writes(slot, &WrittenPath::parse(field)).into_iter();
    let writes = writes.map(|(before, write)| {
        let keys: Vec<&str> = write.path.iter().filter_map(PathStep::key).collect();
        let value = |value: &Option<Node>| match (value, last) {
            (None, _) => "absent".to_owned(),
            (Some(value), None) => value_text(value),
            (Some(value), Some(last)) => {
                value_text(&model.look.secrets.part(&last.resource, &keys, value))
            }
        };
        let place = recording.location(write.mark);
        let at = if place.is_empty() { place } else { format!(", at {place}") };
        let label = step_label(recording, write.step);
        let (before, after) = (value(&before), value(&write.value));
        format!("Step {}. {label}. Before: {before}. After: {after}{at}.", write.step + 1)
    });
    let lines: Vec<String> = writes.collect();
    if lines.is_empty() { Err(format!("No step writes {field} of {resource}.")) } else { Ok(lines) }
}
