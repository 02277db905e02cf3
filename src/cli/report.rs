//! Errors for people: what, where with the lines, the way there, what to do.

use std::ops::Range;
use std::path::Path;

use annotate_snippets::{AnnotationKind, Group, Level, Renderer, Snippet};

use crate::display::sanitize_lines;
use crate::engine::evaluate::{StepError, Trace};
use crate::engine::load::Files;
use crate::engine::resource::Resource;
use crate::engine::yaml::{Mark, Node, YamlCause, YamlError};

use super::place::{seen_in, told_from};
use super::span::span_at;
use super::{Exit, Outside};

/// Whether errors are coloured.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Palette {
    /// Plain text.
    #[default]
    Plain,
    /// ANSI colours.
    Coloured,
}

/// The files that an error may name.
#[derive(Clone, Copy)]
pub struct Seen<'a> {
    /// What was read and built.
    pub trace: &'a Trace,
    /// The files.
    pub files: &'a dyn Files,
    /// The directory that paths are told from.
    pub current: &'a Path,
}

/// An error with file, line, column and the offending line, the way from the root, and a hint. Kustomize's core phrase
/// stays, its nested quoting does not (D-D1).
pub fn describe_error(error: &StepError, seen: &Seen<'_>, palette: Palette) -> String {
    let mut group = Group::with_title(Level::ERROR.primary_title(shown(&error.message)));
    group = with_place(group, error.mark, seen);
    for context in &error.context {
        group = group.element(
            Level::NOTE.message(shown(&told_from(&format!("in {context}"), seen.current))),
        );
    }
    if let Some(hint) = &error.hint {
        group = group.element(Level::HELP.message(shown(&told_from(hint, seen.current))));
    }
    let renderer = match palette {
        Palette::Plain => Renderer::plain(),
        Palette::Coloured => Renderer::styled(),
    };
    renderer.render(&[group])
}

/// Tells why a build or the like failed.
pub(super) fn tell_failure(
    error: &StepError,
    trace: &Trace,
    outside: &mut Outside<'_>,
) -> std::io::Result<Exit> {
    let seen = Seen { trace, files: &*outside.ports.files, current: &outside.current };
    let text = describe_error(error, &seen, outside.palette);
    outside.err.coloured(&format!("{text}\n"))?;
    Ok(Exit::FAILED)
}

/// The lines of a place, or the name of its file.
fn with_place<'g>(group: Group<'g>, mark: Mark, seen: &Seen<'_>) -> Group<'g> {
    let Some(path) = seen.trace.sources.path(mark.source) else { return group };
    let text = seen.files.read(Path::new(path)).ok();
    let path = &seen_in(seen.trace, path, seen.current);
    let text = text.map(|bytes| String::from_utf8_lossy(&bytes).into_owned()).unwrap_or_default();
    match span_at(&text, mark) {
        Some(span) => {
            let (text, span) = shown_source(&text, span);
            let annotation = AnnotationKind::Primary.span(span);
            group.element(Snippet::source(text).path(shown(path)).annotation(annotation))
        }
        None => group.element(Level::NOTE.message(shown(&format!("in {path}")))),
    }
}

/// An error of printing a resource.
pub(super) fn describe_print_error(
    error: &YamlError,
    resource: Option<&Resource>,
    seen: &Seen<'_>,
    palette: Palette,
) -> String {
    let mut group = Group::with_title(Level::ERROR.primary_title(shown(&error.to_string())));
    if let Some(resource) = resource {
        if let Some(mark) = mark_at(&resource.node, error) {
            group = with_place(group, mark, seen);
        }
        let id = format!("the resource is {}", resource.id);
        group = group.element(Level::NOTE.message(shown(&id)));
        let mark = super::build_place(resource);
        if let Some(path) = seen.trace.sources.path(mark.source) {
            let path = seen_in(seen.trace, path, seen.current);
            let place = format!("it comes from {path}:{}", mark.line);
            group = group.element(Level::NOTE.message(shown(&place)));
        }
    }
    if let Some(hint) = print_hint(error.cause) {
        group = group.element(Level::HELP.message(hint));
    }
    let renderer = match palette {
        Palette::Plain => Renderer::plain(),
        Palette::Coloured => Renderer::styled(),
    };
    renderer.render(&[group])
}

/// Text of an input, before it gets colours.
fn shown(text: &str) -> String {
    sanitize_lines(text).into_owned()
}

/// The same for the lines of a file, with where the span stands then.
fn shown_source(text: &str, span: Range<usize>) -> (String, Range<usize>) {
    let lines = |text: &str| shown(&text.replace("\r\n", "\n"));
    let (before, marked) = (lines(&text[..span.start]), lines(&text[span.clone()]));
    let now = before.len()..before.len() + marked.len();
    (before + &marked + &lines(&text[span.end..]), now)
}

/// The mark of the node at which printing failed.
fn mark_at(node: &Node, error: &YamlError) -> Option<Mark> {
    if error.line > 0 && (node.mark.line, node.mark.column) == (error.line, error.column) {
        return Some(node.mark);
    }
    let items = node.items().unwrap_or_default().iter();
    let entries = node.entries().iter().flat_map(|entry| [&entry.key, &entry.value]);
    items.chain(entries).find_map(|node| mark_at(node, error))
}

/// What to do about an error that shows only in the output.
fn print_hint(cause: YamlCause) -> Option<&'static str> {
    match cause {
        YamlCause::Other | YamlCause::InvalidKey => None,
        YamlCause::RepeatedKey => Some(
            "Kustomize reads both keys and prints neither: remove one, or quote one that is null, which clashes with \
             itself",
        ),
        YamlCause::KeysOfOtherTypes => Some(
            "a key here is a number or a boolean to Kustomize, quoted or not: choose another name",
        ),
        YamlCause::UnsupportedNumber => {
            Some("JSON has no infinity and no NaN: quote it if it is meant as text")
        }
        YamlCause::ControlCharacters => {
            Some("take the character out, or keep the data in `binaryData`")
        }
        YamlCause::LeadingTab => Some("begin the text with something other than a tab"),
        YamlCause::OtherType => {
            Some("the text written here is not of the type that the field had before")
        }
    }
}
