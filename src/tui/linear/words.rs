//! The texts of the conversation: whole sentences, no signs, no boxes.

use crate::answers::compare::Weight;

use super::super::model::step_label;
use super::super::model::{
    Asked, ChangedRow, Confirm, EntryState, Model, Problem, Recording, Severity, StepState,
    WhyKind, WhyRow, all_tree_rows, changed_between, narrowing_rows, need_of, open_need,
    step_changes, why_rows,
};
use super::super::text::{DiffRow, LineDiff, RowKind, Split, TextLine};
use crate::answers::recording::field::Field;
use crate::engine::evaluate::{Outcome, Step};
use crate::engine::resource::Slot;

/// Lines around a change.
const CONTEXT: usize = 3;

/// The commands.
pub(super) fn help() -> Vec<String> {
    let lines = [
        "tree: what the build is made of, numbered.",
        "steps, steps 3-7: the steps, all or some.",
        "step 4: one step. diff 4: what it changed, line by line. why 4: why it had no effect.",
        "why Deployment/web spec.replicas: who wrote a field, the one that counts first, and who missed it.",
        "resources: what comes out. resource Deployment/web: one, line by line, with the step, the file and the line that wrote it; with as much before the name as it takes, resource shop/Deployment.apps/web, and by any name that it had.",
        "problems: errors, warnings and notes, numbered. fix 2: do the fix of problem 2 in the draft, where one was tried.",
        "toggle 7: switch row 7 of tree off or on, in the draft. undo, redo: take that back, or do it again.",
        "move 7 1: move the entry of row 7 one down in its list; move 7 -1 up.",
        "components: those of the target, and those that are not listed. component 2: switch one off or on.",
        "watch Deployment/web spec.replicas: the steps that wrote a field, with what was there before.",
        "order: where order matters, neighbours that do not commute, with the fields in which that shows. order 2: take pair 2, swapped, as the draft.",
        "matrix: the components in all combinations, and what is learned of them. matrix 2: take row 2 as the draft.",
        "compare main HEAD, compare overlays/dev overlays/prod: what differs and why, numbered. compare 2: difference 2 in full. reach: what the draft changes in every target.",
        "find nginx: fields and values that fit a regular expression, at every step. users: who uses the target, and what it uses.",
        "text patch.yaml: a file as the draft has it, its lines numbered. change patch.yaml:7 TEXT: line 7 becomes this text, in the draft. insert patch.yaml:7 TEXT: behind line 7. remove patch.yaml:7: line 7 goes.",
        "edit 7, edit patch.yaml:3: open your editor there.",
        "pipeline: what runs in a Composition, numbered. override 3: the fields of entry 3. override 3 spec.image web:2: fill one in, in the draft.",
        "catalogs: those of the tree and their functions, numbered. catalog 1: one in full. catalog REF: look at another one. trust 1, revoke 1: decide about one. fetch: what the build waits for, named first, and asked; fetch 1: catalog 1.",
        "functions: those that ran or wait, numbered. run 1: run one again, or for the first time.",
        "rebuild: read the files again and build. like v5.6.0: build like another Kustomize. secrets: show the values of Secrets, or mask them.",
        "discard: throw the draft away; undo takes that back. log: what was written when. log 2: draft the files as they were before write 2.",
        "draft: the drafts that are kept. draft small: go to the one called small, a new one if there is none; draft -: to the one without a name. draft rename NAME, draft copy NAME, draft delete NAME. compare draft:small draft:large: what two of them differ in.",
        "write: show what the draft changes in files, and ask. Nothing is written before.",
        "tour: a tour of ten stops, or leave it; next: to the next stop.",
        "quit: leave.",
    ];
    lines.map(str::to_owned).to_vec()
}

fn count(count: usize, word: &str) -> String {
    if count == 1 { format!("1 {word}") } else { format!("{count} {word}s") }
}

/// True for a step that only an earlier one keeps from going on.
fn is_held_up(step: &Step) -> bool {
    matches!(&step.outcome, Outcome::Waiting(wait) if wait.is_for_an_earlier_step())
}

/// The result of the build.
pub(super) fn build(model: &Model) -> String {
    let of =
        |severity| model.problems.all.iter().filter(|problem| problem.severity == severity).count();
    let found = format!(
        "{}, {}, {}",
        count(model.builds.recording.len(), "step"),
        count(of(Severity::Error), "error"),
        count(of(Severity::Warning), "warning")
    );
    let steps = model.builds.recording.trace.steps.iter();
    let mut needs = steps.filter(|step| !is_held_up(step)).filter_map(need_of);
    match (&model.builds.recording.error, needs.next()) {
        (None, Some(need)) => format!(
            "The build waits: {need}. What it gives is unknown until then; {} so far, {found}.",
            count(model.builds.recording.output.len(), "object")
        ),
        (None, None) => {
            format!("Build ok, {}, {found}.", count(model.builds.recording.output.len(), "object"))
        }
        (Some(error), _) => {
            let message = model.look.secrets.text(&error.message);
            format!("The build fails, {found}: {message}")
        }
    }
}

/// The tree, numbered.
pub(super) fn tree(model: &Model) -> Vec<String> {
    let rows = all_tree_rows(model);
    let rows = (1..).zip(&rows).map(|(number, row)| {
        let state = match row.state {
            EntryState::Plain | EntryState::Ended(StepState::Applied | StepState::Warned) => {
                String::new()
            }
            EntryState::Ended(state) => format!(". {}", state.words()),
            EntryState::On => ". On".to_owned(),
            EntryState::Off => ". Off".to_owned(),
            EntryState::Unlisted => ". Not listed".to_owned(),
            EntryState::NotReached => ". Not reached".to_owned(),
            EntryState::Broken => ". Fails".to_owned(),
        };
        // An entry that is off has no other detail.
        let detail = if row.state == EntryState::Off { "" } else { &row.detail };
        let detail = detail.replace("  ", ", ");
        let detail = if detail.is_empty() { detail } else { format!(". {detail}") };
        format!("{number}. Level {}. {}{state}{detail}", row.depth, row.label)
    });
    rows.collect()
}

/// The steps between two numbers, `3-7`; all steps if the range is empty.
pub(super) fn steps(model: &Model, range: &str) -> Vec<String> {
    let last = model.builds.recording.len();
    let bounds = match range.split_once('-') {
        None if range.is_empty() => Some((1, last)),
        None => range.parse().ok().map(|only| (only, only)),
        Some((from, to)) => from.parse().ok().zip(to.parse().ok()),
    };
    let Some((from, to)) = bounds else { return vec!["Say which: steps 3-7.".to_owned()] };
    let numbers = from.max(1)..=to.min(last);
    numbers.map(|number| sentence(&model.builds.recording, number - 1)).collect()
}

/// The answer to a command about one step.
pub(super) fn of_step(
    model: &Model,
    argument: &str,
    say: fn(&Model, usize) -> Vec<String>,
) -> Vec<String> {
    let number = argument.parse::<usize>().ok().and_then(|number| number.checked_sub(1));
    match number.filter(|step| *step < model.builds.recording.len()) {
        Some(step) => say(model, step),
        None => vec![format!("Say which step, from 1 to {}.", model.builds.recording.len())],
    }
}

/// A step and its changes.
pub(super) fn step(model: &Model, index: usize) -> Vec<String> {
    let mut lines = vec![sentence(&model.builds.recording, index)];
    let Some(step) = model.builds.recording.step(index) else { return lines };
    let place = model.builds.recording.place(step.mark);
    if !place.is_empty() {
        lines.push(format!("Written at {place}."));
    }
    lines.extend(
        step_changes(&model.builds.recording, step).iter().map(|row| format!("{}.", changed(row))),
    );
    lines
}

/// The changes of a step, line by line.
pub(super) fn diff(model: &Model, index: usize) -> Vec<String> {
    let mut lines = vec![sentence(&model.builds.recording, index)];
    let rows = model
        .builds
        .recording
        .step(index)
        .map(|step| step_changes(&model.builds.recording, step))
        .unwrap_or_default();
    for row in rows {
        lines.push(format!("{}:", changed(&row)));
        let diff = row.diff(&model.look.secrets);
        lines.extend(hunks(&diff, &diff.rows(Split::Unified, CONTEXT)));
    }
    lines
}

/// Why a step had no effect, or failed.
pub(super) fn why(model: &Model, index: usize) -> Vec<String> {
    let about = model.problems.all.iter().filter(|problem| problem.step == Some(index));
    let lines: Vec<String> = about.flat_map(explained).collect();
    if lines.is_empty() {
        vec!["Nothing to explain: it did what it says.".to_owned()]
    } else {
        lines
    }
}

/// The resources of the output, each in the form that `resource` accepts.
pub(super) fn resources(model: &Model) -> Vec<String> {
    let output = &model.builds.recording.output;
    if output.is_empty() {
        return vec!["Nothing comes out.".to_owned()];
    }
    let names = model.builds.recording.names();
    output.iter().filter_map(|(slot, _)| names.get(slot).cloned()).collect()
}

/// For a resource that is not in the output: the step that removed it, and the origin of that.
pub(super) fn removed(model: &Model, slot: Slot) -> Option<String> {
    let last = model.builds.recording.identity.last_of(slot)?;
    let step = last.removed_by?;
    let place =
        model.builds.recording.removal(slot).map(|mark| model.builds.recording.location(mark));
    let place = place.filter(|place| !place.is_empty()).map(|place| format!(", {place}"));
    let id = &last.resource.id;
    let place = place.unwrap_or_default();
    Some(format!(
        "{} {} does not come out: step {} removed it{place}. Here it is before that.",
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
pub(super) fn offer(model: &Model, problem: usize) -> Option<Vec<String>> {
    let offer = model.offer(model.problems.all.get(problem)?)?;
    let diff = offer.diff(&model.look.secrets);
    let lines = diff.lines().map(str::to_owned);
    Some([format!("Fix: {}.", offer.words)].into_iter().chain(lines).collect())
}

/// The result of building the draft, and its changes in the output.
pub(super) fn drafted(model: &Model) -> Vec<String> {
    let mut lines = vec![build(model)];
    if !model.has_draft() {
        lines.push("The draft is what the files say.".to_owned());
        return lines;
    }
    if let Some(saved) = &model.builds.saved {
        let rows = changed_between(saved, &model.builds.recording);
        let names: Vec<String> = rows.iter().map(changed).collect();
        let all = if names.is_empty() { String::new() } else { format!(": {}", names.join(", ")) };
        let differ = format!("Against the files {} differ{all}", count(rows.len(), "object"));
        lines.push(match open_need([saved, &model.builds.recording]) {
            None => format!("{differ}."),
            Some(need) if rows.is_empty() => format!("Against the files: not known, {need}."),
            Some(need) => format!("{differ}. The rest is not known: {need}."),
        });
    }
    lines.push("Not written. Type write to save.".to_owned());
    lines
}

/// The files to write, and the question.
pub(super) fn confirm(model: &Model, confirm: &Confirm) -> Vec<String> {
    let mut lines = Vec::new();
    if confirm.is_write() {
        lines.extend(model.write_consequence().into_iter().map(|(weight, text)| match weight {
            Weight::Grave => format!("Error: {text}."),
            Weight::Plain => format!("{text}."),
            Weight::Unknown => format!("Not known: {text}."),
        }));
    }
    for (name, diff, rows) in &confirm.files {
        lines.push(format!("{name}:"));
        lines.extend(hunks(diff, rows));
    }
    let keys: Vec<String> = confirm
        .asked
        .keys()
        .iter()
        .map(|(key, does)| match *key {
            "esc" => format!("nothing to {does}"),
            key => format!("{key} to {does}"),
        })
        .collect();
    lines.push(match confirm.asked {
        Asked::Write { .. } if model.is_write_grave() => {
            format!("{} Type Y to write anyway, or n.", confirm.question)
        }
        Asked::Write { .. } => format!("{} Type y or n.", confirm.question),
        _ => format!("{}. Type {}.", confirm.question.trim_end_matches('?'), keys.join(", ")),
    });
    lines
}

/// The changes of the build after files changed; empty if it did not change.
pub(super) fn rebuilt(model: &Model, before: &Recording, status: Option<String>) -> Vec<String> {
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
    let place =
        if problem.place.is_empty() { String::new() } else { format!(", {}", problem.place) };
    format!("{severity} {}{place}. {}.", problem.code, problem.message)
}

fn explained(problem: &Problem) -> Vec<String> {
    let mut lines = vec![problem_sentence(problem)];
    let rows = narrowing_rows(problem);
    let told = usize::from(!rows.is_empty());
    lines.extend(rows.into_iter().filter(|row| !row.is_empty()));
    lines.extend(problem.details.iter().skip(told).cloned());
    lines
}

/// A step in one sentence or two.
fn sentence(recording: &Recording, index: usize) -> String {
    let Some(step) = recording.step(index) else { return String::new() };
    let label = step_label(recording, index);
    let label = label
        .strip_prefix('(')
        .and_then(|label| label.split_once(") "))
        .map_or(&*label, |(_, label)| label);
    let place = recording.place_of_step(index).replace(" › ", ", ").replace("(root)", "the root");
    let label = label.strip_prefix("# ").unwrap_or(label);
    let counts = &step.counts;
    let parts =
        [(counts.modified, "Changed"), (counts.added, "Added"), (counts.removed, "Removed")];
    let parts = parts.iter().filter(|(many, _)| *many > 0);
    let did: Vec<String> =
        parts.map(|(many, word)| format!("{word} {}.", count(*many, "object"))).collect();
    let did = match StepState::of(step) {
        StepState::Applied | StepState::Warned if did.is_empty() => "No object changed.".to_owned(),
        StepState::Applied => did.join(" "),
        StepState::Warned => format!("{} With a warning.", did.join(" ")),
        StepState::Failed => "Failed.".to_owned(),
        state if Recording::is_expected_to_act(step) => format!("{}.", state.words()),
        _ => "No object changed.".to_owned(),
    };
    format!("Step {} of {}. {label}, in {place}. {did}", index + 1, recording.len())
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
        RowKind::Same | RowKind::Changed => format!("  {}", line(&diff.right, row.right)),
        RowKind::Removed => format!("- {}", line(&diff.left, row.left)),
        RowKind::Added => format!("+ {}", line(&diff.right, row.right)),
        RowKind::Fold(lines) => format!("  ({} the same)", count(lines, "line")),
    });
    rows.collect()
}

/// The writers of a field, final writer first; `KIND/NAME FIELD`.
pub(super) fn why_field(model: &Model, argument: &str) -> Vec<String> {
    let Some((resource, field)) = argument.rsplit_once(char::is_whitespace) else {
        return vec!["Say which field: why Deployment/web spec.replicas.".to_owned()];
    };
    let recording = &model.builds.recording;
    let slot = match recording.find(resource.trim()) {
        Ok(slot) => slot,
        Err(why) => return vec![format!("{why}.")],
    };
    let why = recording.why(slot, &Field::parse(field));
    if why.fields.is_empty() {
        return vec![format!("Nothing writes {field} of {resource}.")];
    }
    why_rows(model, &why).iter().map(sentence_of_writer).collect()
}

/// `3, wins. Step 49, replicas storefront → 3. Written at high-availability:17.`
fn sentence_of_writer(row: &WhyRow) -> String {
    match row.kind {
        WhyKind::Note => return format!("{}.", row.words),
        WhyKind::From(_) => return format!("It comes from {}.", row.words),
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
