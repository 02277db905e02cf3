//! Errors for people: message, source lines, the chain of layers, help.

use std::ops::Range;
use std::path::Path;

use annotate_snippets::{AnnotationKind, Group, Level, Renderer, Snippet};

use crate::answers::Recording;
use crate::cli::failure::{CommandResult, Failure};
use crate::display::{message, sanitize, sanitize_lines};
use crate::engine::evaluate::{StepError, StepOutcome, Trace};
use crate::engine::yaml::Mark;

use super::Palette;
use super::place::{displayed_file, make_paths_relative};
use super::{BuildFlags, CliPorts, Exit, evaluate_once, options};
use crate::answers::span_at;

impl Palette {
    pub(super) fn renderer(self) -> Renderer {
        match self {
            Self::Plain => Renderer::plain(),
            Self::Coloured => Renderer::styled(),
        }
    }
}

/// A rendered message without the bar between the title and the help of a message without source
/// lines.
pub(super) fn without_lone_bar(text: &str) -> String {
    let plain = |line: &str| -> String {
        let mut parts = line.split("\x1b[");
        let first = parts.next().unwrap_or_default().to_owned();
        let rest = parts.filter_map(|part| part.split_once('m')).map(|(_, text)| text);
        [first].into_iter().chain(rest.map(str::to_owned)).collect()
    };
    let has_source = text.lines().any(|line| plain(line).trim_start().starts_with("--> "));
    let is_shown = |line: &&str| has_source || plain(line).trim() != "|";
    text.lines().filter(is_shown).collect::<Vec<&str>>().join("\n")
}

/// Prints why a build or another evaluation failed, without values of Secrets.
pub(super) fn print_failure(
    error: &StepError,
    trace: &Trace,
    outside: &mut CliPorts<'_>,
) -> CommandResult {
    print_failure_with_message(error, None, trace, outside)
}

/// Prints an error with file, line, column and the offending line, the chain of layers from the
/// root, and a hint, without values of Secrets. Kustomize's core phrase is kept, but not its nested
/// quoting (D-D1), unless `exact` is given.
pub(super) fn print_failure_with_message(
    error: &StepError,
    exact: Option<String>,
    trace: &Trace,
    outside: &mut CliPorts<'_>,
) -> CommandResult {
    let mut secrets = super::diff::secrets(false, outside);
    secrets.learn(trace);
    let (error, current) = (secrets.failure(error), &outside.current);
    let title = message(&exact.unwrap_or(error.message));
    let mut group = Group::with_title(Level::ERROR.primary_title(title));
    if let Some(path) = trace.sources.path(error.mark.source) {
        let bytes = outside.ports.files.read(Path::new(path)).unwrap_or_default();
        let text = String::from_utf8_lossy(&secrets.file(Path::new(path), &bytes)).into_owned();
        group = with_source(group, &displayed_file(trace, path, current), &text, error.mark);
    }
    for context in &error.context {
        let context = make_paths_relative(&format!("in {context}"), current);
        group = group.element(Level::NOTE.message(name(&context)));
    }
    if let Some(hint) = &error.hint {
        let hint = make_paths_relative(hint, current);
        group = group.element(Level::HELP.message(message(&hint)));
    }
    let text = without_lone_bar(&outside.palette.renderer().render(&[group]));
    outside.err.print_coloured(&format!("{text}\n"))?;
    Ok(Exit::FAILED)
}

/// Prints the first pending step and how to resolve it. Such a build is neither good nor bad, so
/// the exit status is failure. Returns `None` if no step is pending.
pub(super) fn print_pending(
    trace: &Trace,
    outside: &mut CliPorts<'_>,
) -> std::io::Result<Option<Exit>> {
    let mut waits = trace.steps.iter().filter_map(|step| match &step.outcome {
        StepOutcome::Waiting(wait) if !wait.is_for_an_earlier_step() => Some(wait),
        _ => None,
    });
    let Some(wait) = waits.next() else { return Ok(None) };
    let need = make_paths_relative(&wait.required_action_text(), &outside.current);
    writeln!(outside.err, "pending: output not known: {need}")?;
    // Some messages already contain the help.
    if let Some(way) = wait.way.as_ref().map(ToString::to_string).filter(|way| !need.contains(way))
    {
        writeln!(outside.err, "  help: {}", make_paths_relative(&way, &outside.current))?;
    }
    Ok(Some(Exit::FAILED))
}

/// The recording of a build; if the build fails or is pending, the reason is printed.
pub(super) fn complete_build(
    target: &str,
    flags: &BuildFlags,
    outside: &mut CliPorts<'_>,
) -> Result<Recording, Failure> {
    let options = options::headless_options(flags, target, outside)?;
    let evaluation = evaluate_once(target, &options, outside);
    let recording = Recording::new(evaluation, &outside.current.join(target));
    if let Some(error) = &recording.error {
        return Err(Failure::Printed(print_failure(error, &recording.trace, outside)?));
    }
    match print_pending(&recording.trace, outside)? {
        Some(exit) => Err(Failure::Printed(exit)),
        None => Ok(recording),
    }
}

/// Adds the lines of a location in a text, or the name of its file.
pub(super) fn with_source<'g>(group: Group<'g>, path: &str, text: &str, mark: Mark) -> Group<'g> {
    let Some(span) = span_at(text, mark) else {
        return group.element(Level::NOTE.message(name(&format!("in {path}"))));
    };
    let (text, span) = sanitized_source(text, span);
    let annotation = AnnotationKind::Primary.span(span);
    group.element(Snippet::source(text).path(name(path)).annotation(annotation))
}

fn name(text: &str) -> String {
    sanitize(text).into_owned()
}

/// The lines of a file, sanitized before colours are added, with the new position of the span.
fn sanitized_source(text: &str, span: Range<usize>) -> (String, Range<usize>) {
    let lines = |text: &str| sanitize_lines(&text.replace("\r\n", "\n")).into_owned();
    let (before, marked) = (lines(&text[..span.start]), lines(&text[span.clone()]));
    let now = before.len()..before.len() + marked.len();
    (before + &marked + &lines(&text[span.end..]), now)
}
