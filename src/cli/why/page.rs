//! The answer of `kzui why` for people.

use crate::answers::provenance::blame::{FieldSource, FieldWriter, WriterStatus};
use crate::answers::provenance::why::{MissedEntry, WhyAnswer};
use crate::answers::recording::field::named_path_text;
use crate::answers::secrets::Secrets;
use crate::cli::place::LocationFormatter;
use crate::engine::resource::{PathStep, Slot};

use super::{entry, entry_in_other_file, overridden, source_writers, value_notes, with_above};

/// The lines of an answer: the value, its writers, and the entries that did not write it.
pub(super) fn lines(
    answer: &WhyAnswer,
    places: &LocationFormatter<'_>,
    secrets: &Secrets,
) -> Vec<String> {
    let page = WhyPage { places, secrets };
    let mut lines = Vec::new();
    let name = places.writers.name(answer.slot);
    if let Some((step, mark)) = answer.removed {
        let by = entry(places, step, "");
        lines.push(format!("{name} is removed by step {}", step + 1));
        lines.push(format!("    by {by}, {}", places.text(mark)));
    }
    if answer.asked.is_empty() && answer.removed.is_none() {
        lines.push(name);
        for field in &answer.fields {
            if let Some(writer) = field.writers.first() {
                lines.push(page.field(answer.slot, &field.path, writer));
            }
        }
    } else if !answer.asked.is_empty() {
        for field in &answer.fields {
            let path = page.path(answer.slot, &field.path);
            let value = field.writers.first().map(|writer| page.value(answer.slot, writer));
            lines.push(format!("{path} of {name} = {}", value.unwrap_or_default()));
            for (writer, above) in with_above(&field.writers) {
                page.writer((answer.slot, writer), above, 1, &mut lines);
            }
        }
        if answer.fields.is_empty() && !answer.missed.is_empty() {
            lines.push(format!("{} of {name}", page.path(answer.slot, &answer.asked)));
        }
    }
    let (found, unwritten): (Vec<_>, Vec<_>) =
        answer.missed.iter().partition(|missed| missed.is_finding());
    for (title, missed) in [("not written by:", unwritten), ("findings:", found)] {
        if !missed.is_empty() {
            lines.push(title.to_owned());
            for missed in &missed {
                page.add_missed_entry(missed, &mut lines);
            }
        }
    }
    lines
}

const MAX_VALUE_CHARS: usize = 120;

struct WhyPage<'a, 'r> {
    places: &'a LocationFormatter<'r>,
    secrets: &'a Secrets,
}

impl WhyPage<'_, '_> {
    fn path(&self, slot: Slot, path: &[PathStep]) -> String {
        let last = self.places.recording.identity.last_state(slot);
        let text = last.map(|last| named_path_text(&last.resource.node, path));
        self.secrets.text(&text.unwrap_or_default())
    }

    /// The value, or its beginning: `--porcelain` and `--format json` have all of it.
    fn value(&self, slot: Slot, writer: &FieldWriter) -> String {
        let Some(value) = self.places.writers.value(slot, writer) else {
            return "(removed)".to_owned();
        };
        match value.char_indices().nth(MAX_VALUE_CHARS) {
            Some((end, _)) => format!("{}…", &value[..end]),
            None => value,
        }
    }

    /// The line of one field when all fields of a resource are printed: its value, and its writer.
    fn field(&self, slot: Slot, path: &[PathStep], writer: &FieldWriter) -> String {
        let path = self.path(slot, path);
        let (value, at) = (self.value(slot, writer), self.places.text(writer.mark));
        let by = entry_in_other_file(self.places, writer).map(|at| format!(" by {at}"));
        let proof = writer.configuration.map(|proof| format!(" ({})", proof.words()));
        let (by, proof) = (by.unwrap_or_default(), proof.unwrap_or_default());
        format!("    {path} = {value}    {at}{by}{proof}")
    }

    fn writer(
        &self,
        (slot, writer): (Slot, &FieldWriter),
        above: Option<&FieldWriter>,
        depth: usize,
        lines: &mut Vec<String>,
    ) {
        let indent = "    ".repeat(depth);
        let state = match (writer.standing, above) {
            (WriterStatus::Final, _) => "final".to_owned(),
            (WriterStatus::Part, _) => "part of the final value".to_owned(),
            (WriterStatus::Overridden, above) => overridden(above),
        };
        let value = self.value(slot, writer);
        lines.push(format!("{indent}{value}  {state}{}", value_notes(writer)));
        let by = entry(self.places, writer.step, &self.places.field(slot, writer));
        let at = self.places.text(writer.mark);
        let at = match (entry_in_other_file(self.places, writer), at.is_empty()) {
            (Some(entry_at), false) => format!(", {entry_at}; the value is in {at}"),
            (Some(entry_at), true) => format!(", {entry_at}"),
            (None, false) => format!(", {at}"),
            (None, true) => String::new(),
        };
        let proof = writer.configuration.map(|proof| format!(" ({})", proof.words()));
        let (step, proof) = (writer.step + 1, proof.unwrap_or_default());
        lines.push(format!("{indent}    step {step}: {by}{at}{proof}"));
        for also in &writer.also {
            lines.push(format!("{indent}    also {}", self.places.text(*also)));
        }
        for from in &writer.sources {
            let path = self.path(from.slot, &from.path);
            let name = self.places.writers.name(from.slot);
            lines.push(format!("{indent}    from {path} of {name}"));
            lines.extend(self.later_value(from).map(|later| format!("{indent}        {later}")));
            for (writer, above) in source_writers(from) {
                self.writer((from.slot, writer), above, depth + 2, lines);
            }
        }
    }

    /// The final value of a source, if a step after the copy changed it.
    fn later_value(&self, source: &FieldSource) -> Option<String> {
        let last = self.places.recording.changed_after_copy(source)?;
        let value = self.value(source.slot, &last);
        let by = entry(self.places, last.step, &self.places.field(source.slot, &last));
        let at = self.places.text(last.mark);
        let at = if at.is_empty() { at } else { format!(", {at}") };
        Some(format!("changed after the copy to {value}, in step {}: {by}{at}", last.step + 1))
    }

    fn add_missed_entry(&self, missed: &MissedEntry, lines: &mut Vec<String>) {
        let by = entry(self.places, missed.step, "");
        let at = self.places.text(missed.mark);
        let at = if at.is_empty() { at } else { format!(", {at}") };
        lines.push(format!("    step {}: {by}{at}", missed.step + 1));
        lines.push(format!("        {}: {}", missed.code, self.secrets.text(&missed.reason)));
        if let Some(hint) = &missed.hint {
            lines.push(format!("        help: {}", self.secrets.text(hint)));
        }
    }
}
