//! Edits of the line that writes the value in the output.

use std::path::Path;
use std::sync::Arc;

use super::{Proposal, ProposalKind, WantedField, WantedValue, is_one_line_scalar};
use crate::answers::Recording;
use crate::answers::recording::field::WrittenPath;
use crate::draft::replace_scalar;
use crate::engine::evaluate::LayerId;
use crate::engine::load::{Files, is_absolute};
use crate::engine::manifest::{Outline, OutlineEntry, ValueChange};
use crate::engine::yaml::Mark;

/// Edits at the location of the value, and at the locations of its other parts and sources.
pub(super) fn proposals(
    recording: &Recording,
    field: &WantedField,
    files: &dyn Files,
) -> Vec<Proposal> {
    if field.wanted == WantedValue::Remove {
        return removal(recording, field, files).into_iter().collect();
    }
    let (WantedValue::Set(wanted), Some(before)) = (&field.wanted, &field.before) else {
        return Vec::new();
    };
    let (true, true, Some(was)) =
        (is_one_line_scalar(before), is_one_line_scalar(wanted), before.text())
    else {
        return Vec::new();
    };
    let writers = recording.blame(field.slot, &WrittenPath::from_path(&field.path));
    let sources = writers.iter().flat_map(|writer| &writer.sources);
    let sources = sources.filter_map(|source| source.writers.first());
    let marks = writers
        .iter()
        .take(1)
        .chain(sources)
        .flat_map(|writer| std::iter::once(writer.mark).chain(writer.also.iter().copied()));
    let mut found = Vec::new();
    for mark in marks {
        let Some((file, text)) = written_file(recording, mark, files) else { continue };
        let is_yaml = file.extension().is_none_or(|it| it == "yaml" || it == "yml");
        if let Some(edited) = replace_scalar(&text, mark, was, wanted, is_yaml) {
            let words = "the line that writes the value".to_owned();
            let texts = [&*text, &*edited];
            found.push(Proposal::new(ProposalKind::WriterLine, words, mark.line, file, texts));
        }
    }
    found
}

/// The edit that removes the field where it is written, or the entry that loads the resource.
fn removal(recording: &Recording, field: &WantedField, files: &dyn Files) -> Option<Proposal> {
    if field.path.is_empty() {
        return entry_removal(recording, field, files);
    }
    let writers = recording.blame(field.slot, &WrittenPath::from_path(&field.path));
    let mark = writers.first()?.mark;
    let (file, text) = written_file(recording, mark, files)?;
    let keys = field.path.iter().map(|step| step.key().map(str::to_owned));
    let change = ValueChange { path: keys.collect::<Option<Vec<String>>>()?, value: None };
    let edited = Outline::set_field(&text, &change).ok().filter(|edited| **edited != *text)?;
    let words = "the line that writes the value".to_owned();
    Some(Proposal::new(ProposalKind::WriterLine, words, mark.line, file, [&text, &edited]))
}

/// The edit that removes the entry which loads or generates a resource from the target's own
/// kustomization file.
fn entry_removal(
    recording: &Recording,
    field: &WantedField,
    files: &dyn Files,
) -> Option<Proposal> {
    let first = recording.trace.history(field.slot).first().copied()?;
    let step = recording.step(first).filter(|step| step.layer == LayerId::default())?;
    let (file, text) = written_file(recording, step.mark, files)?;
    let outline = Outline::parse(&text);
    let entries = &outline.field(step.field)?.entries;
    let active = |(_, entry): &(usize, &OutlineEntry)| !entry.disabled;
    let (index, entry) = entries.iter().enumerate().filter(active).nth(step.entry?)?;
    let edited = Outline::remove_entry(&text, step.field, index)?;
    let words = format!("the entry of {} for the resource", step.field);
    Some(Proposal::new(ProposalKind::WriterLine, words, entry.line, file, [&text, &edited]))
}

fn written_file<'r>(
    recording: &'r Recording,
    mark: Mark,
    files: &dyn Files,
) -> Option<(&'r Path, Arc<[u8]>)> {
    let file = recording.file(mark).map(Path::new).filter(|file| is_absolute(file))?;
    Some((file, files.read(file).ok()?))
}
