//! Errors for people: what, where with the lines, the way there, what to do.

use std::path::Path;

use annotate_snippets::{AnnotationKind, Group, Level, Renderer, Snippet};

use crate::engine::evaluate::StepError;
use crate::engine::load::{Files, Sources};
use crate::engine::resource::Resource;
use crate::engine::yaml::{Mark, Node, YamlError};

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

/// An error with file, line, column and the offending line, the way from the root, and a hint. Kustomize's core phrase
/// stays, its nested quoting does not (D-D1).
pub fn describe_error(
    error: &StepError,
    sources: &Sources,
    files: &dyn Files,
    palette: Palette,
) -> String {
    let mut group = Group::with_title(Level::ERROR.primary_title(error.message.clone()));
    group = with_place(group, error.mark, sources, files);
    for context in &error.context {
        group = group.element(Level::NOTE.message(format!("in {context}")));
    }
    if let Some(hint) = &error.hint {
        group = group.element(Level::HELP.message(hint.clone()));
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
    sources: &Sources,
    outside: &mut Outside<'_>,
) -> std::io::Result<Exit> {
    let text = describe_error(error, sources, &*outside.ports.files, outside.palette);
    writeln!(outside.err, "{text}")?;
    Ok(Exit::FAILED)
}

/// The lines of a place, or the name of its file.
fn with_place<'g>(group: Group<'g>, mark: Mark, sources: &Sources, files: &dyn Files) -> Group<'g> {
    let Some(path) = sources.path(mark.source) else { return group };
    let text = files.read(Path::new(path)).ok();
    let text = text.map(|bytes| String::from_utf8_lossy(&bytes).into_owned()).unwrap_or_default();
    match span_at(&text, mark) {
        Some(span) => {
            let annotation = AnnotationKind::Primary.span(span);
            group.element(Snippet::source(text).path(path.to_owned()).annotation(annotation))
        }
        None => group.element(Level::NOTE.message(format!("in {path}"))),
    }
}

/// An error of printing a resource.
pub(super) fn describe_print_error(
    error: &YamlError,
    resource: Option<&Resource>,
    sources: &Sources,
    files: &dyn Files,
    palette: Palette,
) -> String {
    let mut group = Group::with_title(Level::ERROR.primary_title(error.to_string()));
    if let Some(resource) = resource {
        if let Some(mark) = mark_at(&resource.node, error) {
            group = with_place(group, mark, sources, files);
        }
        group = group.element(Level::NOTE.message(format!("the resource is {}", resource.id)));
        let mark = super::build_place(resource);
        if let Some(path) = sources.path(mark.source) {
            group =
                group.element(Level::NOTE.message(format!("it comes from {path}:{}", mark.line)));
        }
    }
    if let Some(hint) = print_hint(&error.reason) {
        group = group.element(Level::HELP.message(hint));
    }
    let renderer = match palette {
        Palette::Plain => Renderer::plain(),
        Palette::Coloured => Renderer::styled(),
    };
    renderer.render(&[group])
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
fn print_hint(reason: &str) -> Option<&'static str> {
    [
        (
            "already defined",
            "Kustomize reads both keys and prints neither: remove one, or quote one that is null, which clashes with \
             itself",
        ),
        (
            "unsupported type: map[interface",
            "a key here is a number or a boolean to Kustomize, quoted or not: choose another name",
        ),
        ("unsupported value", "JSON has no infinity and no NaN: quote it if it is meant as text"),
        ("control characters", "take the character out, or keep the data in `binaryData`"),
        ("found a tab character", "begin the text with something else than a tab"),
        ("cannot decode", "the text written here is not of the type that the field had before"),
    ]
    .into_iter()
    .find_map(|(words, hint)| reason.contains(words).then_some(hint))
}
