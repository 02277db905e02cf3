//! The mapping with the fields that are edited: a kustomization file, or the additions of a
//! deployment object to one (`spec.source.kustomize` of an Argo CD Application, `spec` of a Flux
//! Kustomization).
//!
//! The name of a field of an object is its path (`spec.source.kustomize.images`). In a file with
//! several deployment objects the name of the object comes first:
//! `shop#spec.source.kustomize.images`.

use std::ops::Range;

use crate::manifest::deployment_object::{
    DeploymentObject, DeploymentObjectKind, deployment_objects_in, may_contain_object,
};
use crate::yaml::SourceId;

use super::fields::FieldVocabulary;
use super::lines::{LineKind, TextLines, indent, line_kind};

/// A mapping in a text; the default is that of the whole text.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct OutlineScope {
    /// The prefix of the field names, including the dot.
    pub(super) prefix: String,
    pub(super) vocabulary: FieldVocabulary,
    /// The column of the keys, if the mapping has none yet.
    pub(super) column: usize,
    /// The number of lines before the mapping.
    pub(super) line: u32,
    /// The number of bytes before and after the mapping.
    pub(super) around: (usize, usize),
}

impl OutlineScope {
    /// The bytes of the mapping in its text. An edit of the mapping changes only their end.
    pub(super) fn bytes(&self, text: &str) -> Range<usize> {
        let (before, after) = self.around;
        before..text.len().saturating_sub(after)
    }

    pub(super) fn own_name<'n>(&self, field: &'n str) -> &'n str {
        field.strip_prefix(&*self.prefix).unwrap_or(field)
    }

    /// True for a field that a deployment object adds to a kustomization file.
    pub(super) fn is_addition(&self, field: &str) -> bool {
        self.vocabulary.shape_of(self.own_name(field)).is_some()
    }

    /// The part for one deployment object; `None` if the object has no additions.
    fn of_object(text: &str, lines: &TextLines<'_>, object: &DeploymentObject) -> Option<Self> {
        let (place, entry) = object.additions()?;
        let vocabulary = match object.kind {
            DeploymentObjectKind::Application | DeploymentObjectKind::ApplicationSet => {
                FieldVocabulary::Application
            }
            DeploymentObjectKind::FluxKustomization => FieldVocabulary::Flux,
        };
        let line = entry.key.mark.line;
        let first = usize::try_from(line).ok()?;
        let column = match entry.value.entries().first() {
            // A mapping in braces, or one that begins on the line of its key, has no lines of its
            // own.
            Some(inner) if inner.key.mark.line <= line => return None,
            Some(inner) => usize::try_from(inner.key.mark.column).ok()?.checked_sub(1)?,
            // The mapping contains only comments.
            None if entry.value.is_null() => {
                let mut below = (first..lines.range().end).map(|index| lines.line(index));
                let next = below.find(|line| line_kind(line) != LineKind::Blank)?;
                let is_deeper = indent(next) > indent(lines.line(first.checked_sub(1)?));
                (is_deeper && line_kind(next) == LineKind::Comment).then(|| indent(next))?
            }
            None => return None,
        };
        let mut end = first;
        for index in first..lines.range().end {
            let deep = indent(lines.line(index)) >= column;
            match line_kind(lines.line(index)) {
                LineKind::Content if !deep => break,
                LineKind::Content | LineKind::Comment if deep => end = index + 1,
                _ => {}
            }
        }
        let bytes = lines.bytes(first..end);
        let around = (bytes.start, text.len() - bytes.end);
        Some(Self { prefix: format!("{place}."), vocabulary, column, line, around })
    }
}

/// The mappings with the additions of the deployment objects in a file; `None` for any other file.
pub(super) fn object_scopes(text: &str) -> Option<Vec<OutlineScope>> {
    let objects = deployment_objects(text);
    if objects.is_empty() {
        return None;
    }
    let lines = TextLines::new(text);
    let sources = objects.iter().flat_map(DeploymentObject::each_source);
    let scopes = sources.filter_map(|object| {
        let mut scope = OutlineScope::of_object(text, &lines, &object)?;
        if objects.len() > 1 {
            scope.prefix.insert_str(0, &format!("{}#", object.name));
        }
        Some(scope)
    });
    Some(scopes.collect())
}

pub(super) fn deployment_objects(text: &str) -> Vec<DeploymentObject> {
    if !may_contain_object(text.as_bytes()) {
        return Vec::new();
    }
    deployment_objects_in(text.as_bytes(), SourceId::NONE)
}
