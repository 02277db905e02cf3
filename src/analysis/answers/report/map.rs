//! The document of `kzui build --map`: the source map of an output. `assets/book/source-map.md`
//! describes the format.

use std::collections::BTreeSet;
use std::path::Path;

use serde::Deserialize;

use crate::answers::Recording;
use crate::answers::provenance::source_map::{ContentKind, HopKind, MappedField, SourceHop};
use crate::answers::recording::field::{path_text, pointer};
use crate::engine::resource::Slot;

use super::trace::id_and_directory;
use super::{FilePosition, ReportPaths, ResourceReport, documents};

documents! {
    #[derive(Deserialize)]
    pub struct MapReport {
        pub schema_version: u32,
        pub root: RootWord,
        pub target: String,
        pub output: Option<String>,
        pub documents: Vec<MapDocument>,
        pub steps: Vec<MapStep>,
        pub fields: Vec<MapField>,
    }

    /// The directory to which paths are relative.
    #[derive(Copy, Deserialize)]
    pub enum RootWord {
        /// The directory in which the build was started.
        WorkingDirectory,
    }

    #[derive(Deserialize)]
    pub struct MapDocument {
        pub file: Option<String>,
        pub line: u32,
        pub end_line: u32,
        pub resource: ResourceReport,
        pub at: Option<FilePosition>,
    }

    #[derive(Deserialize)]
    pub struct MapStep {
        pub number: usize,
        pub id: String,
        pub name: String,
        pub argument: String,
        pub field: String,
        pub entry: Option<usize>,
        pub at: Option<FilePosition>,
    }

    #[derive(Deserialize)]
    pub struct MapField {
        pub document: usize,
        pub line: u32,
        pub end_line: u32,
        pub column: u32,
        pub path: String,
        pub pointer: String,
        pub holds: ContentKind,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub element: Option<String>,
        pub step: Option<usize>,
        pub places: Vec<FilePosition>,
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        pub from: Vec<MapSource>,
    }

    #[derive(Deserialize)]
    pub struct MapSource {
        pub by: HopKind,
        pub resource: Option<ResourceReport>,
        pub path: String,
        pub pointer: String,
        pub step: Option<usize>,
        pub places: Vec<FilePosition>,
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        pub from: Vec<MapSource>,
    }
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
