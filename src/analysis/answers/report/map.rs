//! The document of `kzui build --map`: the source map of an output. `assets/book/source-map.md`
//! describes the format.

use std::collections::BTreeSet;
use std::path::Path;

use serde::{Deserialize, Serialize};

use crate::answers::Recording;
use crate::answers::provenance::source_map::{ContentKind, HopKind, MappedField, SourceHop};
use crate::answers::recording::field::{path_text, pointer};
use crate::engine::resource::Slot;

use super::trace::id_and_directory;
use super::{FilePosition, ReportPaths, ResourceReport};

/// The origin of every field in the output of a build.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct MapReport {
    pub schema_version: u32,
    /// The directory to which all paths in this document are relative.
    pub root: RootWord,
    /// The directory of the target; a directory of a fetched git repository is written as in
    /// `resources:`.
    pub target: String,
    /// The file or directory that the output was written to; null for standard output.
    pub output: Option<String>,
    /// The resources, in the order of the output.
    pub documents: Vec<MapDocument>,
    /// The steps that wrote values of the output.
    pub steps: Vec<MapStep>,
    /// The fields of all documents, in the order of their lines: every value, every mapping and every list.
    pub fields: Vec<MapField>,
}

/// The directory to which paths are relative.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub enum RootWord {
    /// The directory in which the build was started.
    WorkingDirectory,
}

/// A resource of the output.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct MapDocument {
    /// The file with this resource alone, in the output directory; null if all resources are in one
    /// text. Lines are counted in that file or text.
    pub file: Option<String>,
    /// The first line, from 1.
    pub line: u32,
    /// The last line.
    pub end_line: u32,
    /// The id of the resource.
    pub resource: ResourceReport,
    /// The first line of the text that the resource was read from.
    pub at: Option<FilePosition>,
}

/// A step that wrote a value.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct MapStep {
    /// The number of the step, as in `kzui trace`.
    pub number: usize,
    /// The id of the step: its place in the configuration, as in `kzui trace --json`.
    pub id: String,
    /// Kustomize's name of the transformer or generator.
    pub name: String,
    /// The argument in short: a file, a value, `nginx → 1.27`.
    pub argument: String,
    /// The field of the kustomization file that configures the step; empty for Kustomize's final
    /// steps.
    pub field: String,
    /// The index of the step's entry in `field`, from 0, without commented-out entries.
    pub entry: Option<usize>,
    /// The line that configures the step.
    pub at: Option<FilePosition>,
}

/// A field of the output.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct MapField {
    /// The index of the resource in `documents`, from 0.
    pub document: usize,
    /// The first line, from 1: the line of the value; for a mapping or list, the line of its key.
    pub line: u32,
    /// The last line.
    pub end_line: u32,
    /// The column in the first line, from 1, in characters.
    pub column: u32,
    /// The path of the field, `spec.template.spec.containers[0].image`; empty for the whole
    /// resource.
    pub path: String,
    /// The path of the field as a JSON pointer.
    pub pointer: String,
    /// The type of the field's value.
    pub holds: ContentKind,
    /// The name of a list element, by the key that Kubernetes merges it by: `name=web`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub element: Option<String>,
    /// The number of the step that wrote the field last; null if no step wrote it.
    pub step: Option<usize>,
    /// The locations of the value's text: first the location to edit to change the value, then the
    /// locations of other parts, such as the name before a prefix. Empty if the text is in no file.
    pub places: Vec<FilePosition>,
    /// The fields that the value was taken from.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub from: Vec<MapSource>,
}

/// The source of a value.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct MapSource {
    /// The kind of dependency.
    pub by: HopKind,
    /// The source resource in its last state.
    pub resource: Option<ResourceReport>,
    /// The path of the source field; empty for the whole resource.
    pub path: String,
    /// The same path as a JSON pointer.
    pub pointer: String,
    /// The number of the step that wrote the source field last, before the value was taken from it.
    pub step: Option<usize>,
    /// The locations of the source field's text.
    pub places: Vec<FilePosition>,
    /// The sources of the source field.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub from: Vec<MapSource>,
}

impl MapReport {
    pub const VERSION: u32 = 1;

    /// The map of an output that was written to `output`, with paths relative to `directory`.
    /// `files` has one file for each resource; empty if all resources are in one text.
    pub fn new(
        recording: &Recording,
        fields: &[MappedField],
        directory: &Path,
        (output, files): (Option<String>, &[String]),
    ) -> Self {
        let trace = &recording.trace;
        let places = ReportPaths::relative_to(trace, directory.to_owned());
        let target = places.path(trace.layers.first().map_or("", |layer| &*layer.path));
        let telling = MapContext { recording, places };
        let fields: Vec<MapField> = fields.iter().map(|field| telling.field(field)).collect();
        let mut documents: Vec<MapDocument> = recording
            .output
            .iter()
            .enumerate()
            .map(|(number, (_, resource))| MapDocument {
                file: files.get(number).cloned(),
                line: 0,
                end_line: 0,
                resource: (&**resource).into(),
                at: None,
            })
            .collect();
        let mut used: BTreeSet<usize> = BTreeSet::new();
        for field in &fields {
            used.extend(field.step);
            collect_steps(&field.from, &mut used);
            let Some(document) = documents.get_mut(field.document) else { continue };
            if field.path.is_empty() {
                document.at = field.places.first().cloned();
            }
            let line = document.line;
            document.line = if line == 0 { field.line } else { line.min(field.line) };
            document.end_line = document.end_line.max(field.end_line);
        }
        let steps = used.into_iter().filter_map(|number| telling.step(number)).collect();
        let (schema_version, root) = (Self::VERSION, RootWord::WorkingDirectory);
        Self { schema_version, root, target, output, documents, steps, fields }
    }
}

/// Collects the numbers of the steps of sources, at any depth.
fn collect_steps(sources: &[MapSource], used: &mut BTreeSet<usize>) {
    for source in sources {
        used.extend(source.step);
        collect_steps(&source.from, used);
    }
}

struct MapContext<'r> {
    recording: &'r Recording,
    places: ReportPaths<'r>,
}

impl MapContext<'_> {
    fn field(&self, field: &MappedField) -> MapField {
        let origin = self.recording.origin(field);
        MapField {
            document: field.document,
            line: field.line,
            end_line: field.end_line,
            column: field.column,
            path: path_text(&field.path),
            pointer: pointer(&field.path),
            holds: field.holds,
            element: field.element.clone(),
            step: origin.step.map(|step| step + 1),
            places: origin.places.iter().filter_map(|mark| self.places.at(*mark)).collect(),
            from: origin.from.iter().map(|hop| self.source(hop)).collect(),
        }
    }

    fn source(&self, hop: &SourceHop) -> MapSource {
        MapSource {
            by: hop.by,
            resource: self.resource(hop.slot),
            path: path_text(&hop.path),
            pointer: pointer(&hop.path),
            step: hop.origin.step.map(|step| step + 1),
            places: hop.origin.places.iter().filter_map(|mark| self.places.at(*mark)).collect(),
            from: hop.origin.from.iter().map(|hop| self.source(hop)).collect(),
        }
    }

    fn resource(&self, slot: Slot) -> Option<ResourceReport> {
        self.recording.identity.last_state(slot).map(|last| (&*last.resource).into())
    }

    /// The step with a number from 1. Its id is that of `kzui trace --json`, relative to the
    /// target.
    fn step(&self, number: usize) -> Option<MapStep> {
        let trace = &self.recording.trace;
        let step = self.recording.step(number.checked_sub(1)?)?;
        Some(MapStep {
            number,
            id: id_and_directory(&ReportPaths::relative_to_target(trace), step, trace).0,
            name: step.name.to_string(),
            argument: step.argument.to_string(),
            field: step.field.to_owned(),
            entry: step.entry,
            at: self.places.at(step.mark),
        })
    }
}
