//! The fields of a deployment object with its additions to a kustomization file
//! (`spec.source.kustomize` of an Argo CD Application, `spec` of a Flux Kustomization). They are
//! edited like the fields of a kustomization file.
//!
//! The name of such a field is its path (`spec.source.kustomize.images`). In a file with several
//! deployment objects the name of the object comes first: `shop#spec.source.kustomize.images`.

use std::ops::Range;

use crate::manifest::deployment_object::{
    DeploymentObject, DeploymentObjectKind, deployment_objects_in, may_contain_object,
};
use crate::yaml::SourceId;

use super::fields::FieldVocabulary;
use super::lines::{TextLines, indent};
use super::obstacle::unsupported;
use super::{LineKind, ListForm, Outline, OutlineError, OutlineProblem, line_kind};

/// The set of known fields of a text, and the column of its keys if the text has no keys yet.
pub(super) type Fields = (FieldVocabulary, usize);

/// The mapping with the additions of one deployment object in its file.
#[derive(Debug)]
pub(super) struct ObjectPart {
    /// The prefix of the field names, including the dot.
    prefix: String,
    fields: Fields,
    bytes: Range<usize>,
    /// The index of the first line of the mapping, from 0.
    first: usize,
}

impl ObjectPart {
    /// The outline of a file with deployment objects; `None` for any other file.
    pub(super) fn outline_objects(text: &str) -> Option<Outline> {
        let consumers = deployment_objects(text);
        if consumers.is_empty() {
            return None;
        }
        let mut outline = Outline { end: text.len(), ..Outline::default() };
        for part in Self::all(text, &consumers) {
            let own = part.outline(text);
            outline.fields.extend(own.fields);
            outline.problem = outline.problem.or(own.problem);
        }
        Some(outline)
    }

    fn all(text: &str, consumers: &[DeploymentObject]) -> Vec<Self> {
        let lines = TextLines::new(text);
        let sources = consumers.iter().flat_map(DeploymentObject::each_source);
        let parts = sources.filter_map(|consumer| {
            let mut part = Self::from_deployment_object(&lines, &consumer)?;
            if consumers.len() > 1 {
                part.prefix = format!("{}#{}", consumer.name, part.prefix);
            }
            Some(part)
        });
        parts.collect()
    }

    /// The part for one deployment object; `None` if the object has no additions.
    fn from_deployment_object(lines: &TextLines<'_>, consumer: &DeploymentObject) -> Option<Self> {
        let (place, entry) = consumer.additions()?;
        let words = match consumer.kind {
            DeploymentObjectKind::Application | DeploymentObjectKind::ApplicationSet => {
                FieldVocabulary::Application
            }
            DeploymentObjectKind::FluxKustomization => FieldVocabulary::Flux,
        };
        let key = usize::try_from(entry.key.mark.line).ok()?.checked_sub(1)?;
        let first = key + 1;
        let column = match entry.value.entries().first() {
            // A mapping in braces, or one that begins on the line of its key, has no lines of its
            // own.
            Some(inner) if usize::try_from(inner.key.mark.line).ok()? <= first => return None,
            Some(inner) => usize::try_from(inner.key.mark.column).ok()?.checked_sub(1)?,
            // The mapping contains only comments.
            None if entry.value.is_null() => {
                let next =
                    (first..lines.len()).find(|line| !lines.line(*line).trim().is_empty())?;
                let column = indent(lines.line(next));
                let is_comment = line_kind(lines.line(next)) == LineKind::Comment;
                (is_comment && column > indent(lines.line(key))).then_some(column)?
            }
            None => return None,
        };
        let mut end = first;
        for line in first..lines.len() {
            let deep = indent(lines.line(line)) >= column;
            match line_kind(lines.line(line)) {
                LineKind::Content if !deep => break,
                LineKind::Content | LineKind::Comment if deep => end = line + 1,
                _ => {}
            }
        }
        let bytes = lines.bytes(first..end);
        Some(Self { prefix: format!("{place}."), fields: (words, column), bytes, first })
    }

    fn outline(&self, text: &str) -> Outline {
        let piece = text.get(self.bytes.clone()).unwrap_or("");
        let mut outline = Outline::parse_as(piece, self.fields, 0);
        outline.fields.retain(|field| self.fields.0.shape_of(&field.name).is_some());
        let shift = |bytes: &mut Range<usize>| {
            *bytes = bytes.start + self.bytes.start..bytes.end + self.bytes.start;
        };
        let lines = u32::try_from(self.first).unwrap_or(u32::MAX);
        for field in &mut outline.fields {
            field.name.insert_str(0, &self.prefix);
            shift(&mut field.bytes);
            field.line += lines;
            if let ListForm::Flow(brackets) = &mut field.form {
                shift(brackets);
            }
            for entry in &mut field.entries {
                shift(&mut entry.bytes);
                shift(&mut entry.head);
                entry.line += lines;
            }
        }
        if let Some(problem) = &mut outline.problem {
            problem.line += lines;
        }
        outline
    }

    /// Converts an error in the mapping to the line numbers and the field name of the file.
    fn error_in_file(&self, error: OutlineError, field: &str) -> OutlineError {
        let field = field.to_owned();
        match error {
            OutlineError::NoField(_) => OutlineError::NoField(field),
            OutlineError::NoEntry { index, .. } => OutlineError::NoEntry { field, index },
            OutlineError::Unsupported { line, obstacle } => {
                let line = line + u32::try_from(self.first).unwrap_or(0);
                OutlineError::Unsupported { line, obstacle }
            }
        }
    }
}

fn deployment_objects(text: &str) -> Vec<DeploymentObject> {
    if !may_contain_object(text.as_bytes()) {
        return Vec::new();
    }
    deployment_objects_in(text.as_bytes(), SourceId::NONE)
}

/// Edits a field of a deployment object or of a kustomization file. `work` gets the outline of the
/// mapping with the field, the text of the mapping, and the name of the field in it.
pub(super) fn edit(
    text: &[u8],
    field: &str,
    work: impl FnOnce(&Outline, &str, &str) -> Result<String, OutlineError>,
) -> Result<Vec<u8>, OutlineError> {
    let work = |fields: Fields, text: &[u8], field: &str| {
        let outline = Outline::parse_in(text, fields);
        if let Some(OutlineProblem { line, obstacle }) = &outline.problem {
            return Err(unsupported(*line, obstacle.clone()));
        }
        work(&outline, std::str::from_utf8(text).unwrap_or(""), field).map(String::into_bytes)
    };
    let whole = (FieldVocabulary::Kustomization, 0);
    let Some((_, name)) = field.rsplit_once('.') else { return work(whole, text, field) };
    let Ok(read) = std::str::from_utf8(text) else { return work(whole, text, field) };
    let before = deployment_objects(read);
    let parts = ObjectPart::all(read, &before);
    let found = parts.into_iter().find(|part| field.strip_prefix(&*part.prefix) == Some(name));
    let Some(part) = found else { return Err(OutlineError::NoField(field.to_owned())) };
    let piece = read.get(part.bytes.clone()).unwrap_or("");
    let edited = work(part.fields, piece.as_bytes(), name)
        .map_err(|error| part.error_in_file(error, field))?;
    let mut all = text.to_vec();
    all.splice(part.bytes.clone(), edited);
    let after = std::str::from_utf8(&all).map(deployment_objects).unwrap_or_default();
    if after.len() != before.len() {
        let line = u32::try_from(part.first).unwrap_or(u32::MAX);
        // The edit would change the number of deployment objects in the file.
        return Err(unsupported(line, "the edit would break the file"));
    }
    Ok(all)
}
