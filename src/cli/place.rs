//! Places as commands print them: for people from the working directory, so that an editor finds them; for programs as reports
//! have them, from the target.

use std::path::{Component, Path};

use serde::Serialize;

use crate::answers::Recording;
use crate::answers::blame::{Writer, is_secret, value_text};
use crate::answers::field::{path_text, pointer};
use crate::answers::report::{self, Place};
use crate::engine::resource::{PathStep, Resource, Slot};
use crate::engine::yaml::Mark;

/// A path as seen from a directory; as it is when hardly anything of it is shared.
pub(super) fn seen_from(path: &str, directory: &Path) -> String {
    let to = Path::new(path);
    let shared = directory.components().zip(to.components()).take_while(|(a, b)| a == b).count();
    // From the root down nothing is shared.
    if to.is_relative() || shared < 2 {
        return path.to_owned();
    }
    let up = directory.components().count() - shared;
    let parts = std::iter::repeat_n("..".to_owned(), up);
    let below = to.components().skip(shared).map(Component::as_os_str);
    let parts: Vec<String> =
        parts.chain(below.map(|part| part.to_string_lossy().into_owned())).collect();
    if parts.is_empty() { ".".to_owned() } else { parts.join("/") }
}

/// A step, as other commands number it.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct StepRef {
    /// From 1, as in `kzui trace`.
    pub(super) number: usize,
    /// Kustomize's name for what it does.
    pub(super) name: String,
    /// What it works with.
    pub(super) argument: String,
    /// The field of the kustomization file.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub(super) field: String,
    /// Where it is configured.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) at: Option<Place>,
}

/// A step that wrote a field.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct WriterRef {
    /// `wins`, `part` or `overruled`.
    pub(super) standing: &'static str,
    /// It wrote what was there already.
    pub(super) equal: bool,
    /// What it wrote; nothing when it removed the field.
    pub(super) value: Option<String>,
    /// Where the value is written.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) at: Option<Place>,
    /// Where else parts of it are written.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) also: Vec<Place>,
    /// A hash of the resource's content is part of it.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub(super) hashed: bool,
    /// The step.
    pub(super) step: Option<StepRef>,
    /// The fields of resources that it was taken from.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) sources: Vec<SourceRef>,
}

/// A field of a resource that a value was taken from.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct SourceRef {
    /// The resource.
    pub(super) resource: String,
    /// The field.
    pub(super) path: String,
    /// Who wrote it.
    pub(super) writers: Vec<WriterRef>,
}

/// What is needed to tell of places.
pub(super) struct Places<'r> {
    pub(super) recording: &'r Recording,
    pub(super) current: &'r Path,
    pub(super) names: std::collections::BTreeMap<Slot, String>,
    reported: report::Places<'r>,
    /// What Secrets keep is shown.
    pub(super) shows_secrets: bool,
}

impl<'r> Places<'r> {
    pub(super) fn new(recording: &'r Recording, current: &'r Path, shows_secrets: bool) -> Self {
        let reported = report::Places::of(&recording.trace);
        Self { recording, current, names: recording.names(), reported, shows_secrets }
    }

    /// A place as reports have it, from the target.
    pub(super) fn at(&self, mark: Mark) -> Option<Place> {
        self.reported.at(mark)
    }

    /// `base/web.yaml:7`
    pub(super) fn text(&self, mark: Mark) -> String {
        let Some(file) = self.recording.file(mark) else { return String::new() };
        let file = seen_from(file, self.current);
        if mark.line > 0 { format!("{file}:{}", mark.line) } else { file }
    }

    pub(super) fn name(&self, slot: Slot) -> String {
        self.names.get(&slot).cloned().unwrap_or_default()
    }

    fn resource(&self, slot: Slot) -> Option<&Resource> {
        self.recording.identity.last_of(slot).map(|last| &*last.resource)
    }

    /// A value in one line, that of a Secret only where it is asked for.
    pub(super) fn value(&self, slot: Slot, writer: &Writer) -> Option<String> {
        let value = writer.value.as_ref()?;
        let hides = !self.shows_secrets
            && self.resource(slot).is_some_and(|resource| is_secret(resource, &writer.path));
        Some(if hides { "(hidden)".to_owned() } else { value_text(value) })
    }

    pub(super) fn step(&self, index: usize) -> Option<StepRef> {
        let step = self.recording.step(index)?;
        Some(StepRef {
            number: index + 1,
            name: step.name.to_string(),
            argument: step.argument.to_string(),
            field: step.field.to_owned(),
            at: self.at(step.mark),
        })
    }

    pub(super) fn writer(&self, slot: Slot, writer: &Writer) -> WriterRef {
        let sources = writer.sources.iter().map(|source| SourceRef {
            resource: self.name(source.slot),
            path: path_text(&source.path),
            writers: source.writers.iter().map(|from| self.writer(source.slot, from)).collect(),
        });
        WriterRef {
            standing: writer.standing.word(),
            equal: writer.equal,
            value: self.value(slot, writer),
            at: self.at(writer.mark),
            also: writer.also.iter().filter_map(|mark| self.at(*mark)).collect(),
            hashed: writer.is_hashed,
            step: self.step(writer.step),
            sources: sources.collect(),
        }
    }
}

/// A path as text and as a JSON pointer.
pub(super) fn both_ways(path: &[PathStep]) -> (String, String) {
    (path_text(path), pointer(path))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_is_told_from_where_one_stands() {
        let from = |path: &str| seen_from(path, Path::new("/home/me/shop/overlays"));
        assert_eq!(from("/home/me/shop/overlays/dev/k.yaml"), "dev/k.yaml");
        assert_eq!(from("/home/me/shop/base/k.yaml"), "../base/k.yaml");
        assert_eq!(from("/var/k.yaml"), "/var/k.yaml");
    }
}
