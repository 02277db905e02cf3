//! Errors for people: what, where with the lines, the way there, what to do.

use std::path::Path;

use annotate_snippets::{AnnotationKind, Group, Level, Renderer, Snippet};

use crate::engine::evaluate::StepError;
use crate::engine::load::{Files, Sources};
use crate::engine::resource::Resource;
use crate::engine::yaml::{Mark, YamlError};

/// Whether errors are coloured.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Palette {
    /// Plain text.
    #[default]
    Plain,
    /// ANSI colours.
    Coloured,
}

/// An error with file, line, column and the offending line, the way from the root, and a hint.
pub fn describe_error(
    error: &StepError,
    sources: &Sources,
    files: &dyn Files,
    palette: Palette,
) -> String {
    let path = sources.path(error.mark.source);
    let text = path.and_then(|path| files.read(Path::new(path)).ok());
    let text = text.map(|bytes| String::from_utf8_lossy(&bytes).into_owned()).unwrap_or_default();
    let mut group = Group::with_title(Level::ERROR.primary_title(error.message.clone()));
    if let (Some(path), Some(span)) = (path, span(&text, error.mark)) {
        let annotation = AnnotationKind::Primary.span(span);
        group = group
            .element(Snippet::source(text.clone()).path(path.to_owned()).annotation(annotation));
    } else if let Some(path) = path {
        group = group.element(Level::NOTE.message(format!("in {path}")));
    }
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

/// An error of printing a resource.
pub(super) fn describe_print_error(
    error: &YamlError,
    resource: Option<&Resource>,
    sources: &Sources,
    palette: Palette,
) -> String {
    let mut group = Group::with_title(Level::ERROR.primary_title(error.to_string()));
    if let Some(resource) = resource {
        group = group.element(Level::NOTE.message(format!("the resource is {}", resource.id)));
        let mark = super::build_place(resource);
        if let Some(path) = sources.path(mark.source) {
            group =
                group.element(Level::NOTE.message(format!("it comes from {path}:{}", mark.line)));
        }
    }
    let renderer = match palette {
        Palette::Plain => Renderer::plain(),
        Palette::Coloured => Renderer::styled(),
    };
    renderer.render(&[group])
}

/// The bytes of the rest of a line from a mark's column on.
fn span(text: &str, mark: Mark) -> Option<std::ops::Range<usize>> {
    let number = usize::try_from(mark.line).ok()?.checked_sub(1)?;
    let mut start = 0;
    let mut lines = text.split_inclusive('\n');
    for _ in 0..number {
        start += lines.next()?.len();
    }
    let line = lines.next()?.trim_end();
    let column = usize::try_from(mark.column).ok()?.saturating_sub(1);
    let skipped: usize = line.chars().take(column).map(char::len_utf8).sum();
    let skipped =
        if skipped >= line.len() { line.len() - line.trim_start().len() } else { skipped };
    Some(start + skipped..start + line.len().max(skipped))
}
