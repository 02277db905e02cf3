//! The document of `kzui build --map`: the source map of an output. `assets/book/source-map.md`
//! describes the format.

use std::collections::BTreeSet;
use std::path::Path;

use serde::{Deserialize, Serialize};

use crate::answers::Recording;
use crate::answers::provenance::blame::Blame;
use crate::answers::provenance::source_map::{ContentKind, HopKind, MappedField, SourceHop};
use crate::answers::recording::field::{path_text, pointer};
use crate::engine::resource::Slot;

use super::trace::id_and_directory;
use super::{FilePosition, ReportPaths, ResourceReport};

/// Where every field of a build's output comes from.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct MapReport {
    /// The version of this format. A field that is added leaves it as it is; a field that goes, or means something else,
    /// raises it.
    pub schema_version: u32,
    /// What every path in this document is relative to.
    pub root: RootWord,
    /// The directory of the target; that of a git repository that the build fetched is named as in `resources:`.
    pub target: String,
    /// The file or directory that the output was written to; null for standard output.
    pub output: Option<String>,
    /// The resources, in the order of the output.
    pub documents: Vec<MapDocument>,
    /// The steps that wrote what is in the output.
    pub steps: Vec<MapStep>,
    /// The fields of all documents, in the order of their lines: every value, every mapping and every list.
    pub fields: Vec<MapField>,
}

/// What paths are relative to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum RootWord {
    /// The directory in which the build was started.
    WorkingDirectory,
}

/// A resource of the output.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct MapDocument {
    /// The file that holds it alone, in the directory of the output; null when all resources stand in one text. Lines are
    /// counted in the text that it stands in.
    pub file: Option<String>,
    /// The first of its lines, from 1.
    pub line: u32,
    /// The last of its lines.
    pub end_line: u32,
    /// What it is.
    pub resource: ResourceReport,
    /// Where the text begins that it was made from.
    pub at: Option<FilePosition>,
}

/// A step that wrote something.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct MapStep {
    /// Its number, as in `kzui trace`.
    pub number: usize,
    /// Names the step by where it is configured, as in `kzui trace --json`.
    pub id: String,
    /// Kustomize's name for what it does.
    pub name: String,
    /// What it works with.
    pub argument: String,
    /// The field of the kustomization file that configures it; empty for what Kustomize does at the root by itself.
    pub field: String,
    /// Its entry in that field, from 0, without those that are commented out.
    pub entry: Option<usize>,
    /// The line that configures it.
    pub at: Option<FilePosition>,
}

/// A field of the output.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct MapField {
    /// The resource, by its place in `documents`, from 0.
    pub document: usize,
    /// The first of its lines, from 1: that of a value; of a mapping or a list that of its key.
    pub line: u32,
    /// The last of its lines.
    pub end_line: u32,
    /// Its column in the first line, from 1, in characters.
    pub column: u32,
    /// Its path, `spec.template.spec.containers[0].image`; empty for the whole resource.
    pub path: String,
    /// Its path as a JSON pointer.
    pub pointer: String,
    /// What it holds.
    pub holds: HoldsWord,
    /// What an element of a list is called, by the key that Kubernetes merges it by: `name=web`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub element: Option<String>,
    /// The number of the step that wrote it last; null for what no step wrote.
    pub step: Option<usize>,
    /// Where its text stands: first the place to change it at, then what else it is made of, such as the name before a
    /// prefix. Empty for what is written nowhere.
    pub places: Vec<FilePosition>,
    /// The fields that it was taken from.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub from: Vec<MapSource>,
}

/// What a field holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum HoldsWord {
    /// A scalar, or a collection that is empty.
    Value,
    /// Other fields.
    Mapping,
    /// Elements.
    List,
}

/// What a value was taken from, or follows.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct MapSource {
    /// In which way.
    pub by: SourceWord,
    /// The resource, as it was last.
    pub resource: Option<ResourceReport>,
    /// The field; empty for all that the resource holds.
    pub path: String,
    /// The same as a JSON pointer.
    pub pointer: String,
    /// The number of the step that had written that field last when it was taken.
    pub step: Option<usize>,
    /// Where the text of that field stands.
    pub places: Vec<FilePosition>,
    /// What that field was taken from in turn.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub from: Vec<MapSource>,
}

/// How a value depends on something else.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum SourceWord {
    /// A replacement copies the field.
    Replacement,
    /// It is the name of the resource.
    Reference,
    /// A var copies the field.
    Var,
    /// It ends in a hash of what the resource holds.
    Hash,
}

impl MapReport {
    /// The version that this program writes.
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
        let places = ReportPaths::seen_from(trace, directory.to_owned());
        let target = places.path(trace.layers.first().map_or("", |layer| &*layer.path));
        let telling = MapContext { recording, blame: Blame::new(recording), places };
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
            steps_of(&field.from, &mut used);
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

fn steps_of(sources: &[MapSource], used: &mut BTreeSet<usize>) {
    for source in sources {
        used.extend(source.step);
        steps_of(&source.from, used);
    }
}

struct MapContext<'r> {
    recording: &'r Recording,
    blame: Blame<'r>,
    places: ReportPaths<'r>,
}

impl MapContext<'_> {
    fn field(&self, field: &MappedField) -> MapField {
        let origin = self.blame.origin(field);
        MapField {
            document: field.document,
            line: field.line,
            end_line: field.end_line,
            column: field.column,
            path: path_text(&field.path),
            pointer: pointer(&field.path),
            holds: match field.holds {
                ContentKind::Value => HoldsWord::Value,
                ContentKind::Mapping => HoldsWord::Mapping,
                ContentKind::List => HoldsWord::List,
            },
            element: field.element.clone(),
            step: origin.step.map(|step| step + 1),
            places: origin.places.iter().filter_map(|mark| self.places.at(*mark)).collect(),
            from: origin.from.iter().map(|hop| self.source(hop)).collect(),
        }
    }

    fn source(&self, hop: &SourceHop) -> MapSource {
        MapSource {
            by: match hop.by {
                HopKind::Replacement => SourceWord::Replacement,
                HopKind::Reference => SourceWord::Reference,
                HopKind::Var => SourceWord::Var,
                HopKind::Hash => SourceWord::Hash,
            },
            resource: self.resource(hop.slot),
            path: path_text(&hop.path),
            pointer: pointer(&hop.path),
            step: hop.origin.step.map(|step| step + 1),
            places: hop.origin.places.iter().filter_map(|mark| self.places.at(*mark)).collect(),
            from: hop.origin.from.iter().map(|hop| self.source(hop)).collect(),
        }
    }

    fn resource(&self, slot: Slot) -> Option<ResourceReport> {
        self.recording.identity.last_of(slot).map(|last| (&*last.resource).into())
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
