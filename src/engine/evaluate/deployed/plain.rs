//! A plain directory of an Argo CD Application: its unchanged manifests, in the order of their
//! paths (`findManifests` of Argo CD's repo server).

use std::path::{Path, PathBuf};

use crate::diagnostic::{DeployedRemark, Diagnostic, LayerFault, WithheldStep};
use crate::load::{FileKind, Files, WalkEntry, walk};
use crate::manifest::{PlainDirectory, SourceType};
use crate::plugin::RequiredAction;
use crate::resource::{Resource, Scopes};
use crate::transform::TransformError;
use crate::yaml::{
    AmbiguousBoolean, Limits, Mark, SourceId, WriterId, YamlError, parse_kubernetes,
};

use super::super::build::Build;
use super::super::level::ActiveLayer;
use super::super::pending_reason::WaitCause;
use super::super::recorder::{BuildAbort, OpenStep};
use super::super::{StepKind, Wait};
use super::DeployedDirectory;

/// The texts by which Argo CD distinguishes a broken manifest from unrelated YAML.
const SIGNS: [&[u8]; 3] = [b"apiVersion:", b"kind:", b"metadata:"];

impl DeployedDirectory {
    pub(in crate::evaluate) fn plain(&self) -> Option<&PlainDirectory> {
        match &self.source_type {
            SourceType::Directory(directory) => Some(directory),
            SourceType::Kustomize => None,
        }
    }
}

impl Build<'_> {
    pub(in crate::evaluate) fn load_plain(
        &mut self,
        deployed: &DeployedDirectory,
        directory: &PlainDirectory,
        level: &ActiveLayer<'_>,
    ) -> Result<(), BuildAbort> {
        let (_, mark) = deployed.consumer.directory().unwrap_or_default();
        for (path, shown) in manifests(deployed, directory, level.root.files().as_ref()) {
            let heading = level.heading(StepKind::Load, "load", shown.as_str(), mark);
            let begun = self.begin(heading)?;
            self.load_manifest(&path, &shown, begun)?;
        }
        self.drop_repeated(deployed, level)
    }

    fn load_manifest(
        &mut self,
        path: &Path,
        shown: &str,
        mut begun: OpenStep,
    ) -> Result<(), BuildAbort> {
        let bytes = match self.setup.files.read(path) {
            Ok(bytes) => bytes,
            Err(error) => {
                let fault = LayerFault::BadManifest(shown.to_owned(), error.to_string());
                let error = TransformError::fault(fault, begun.step.mark);
                return self.fail_entry(begun, error);
            }
        };
        if PlainDirectory::has_skip_mark(&bytes) {
            return self.recorder.record(begun, Vec::new(), Ok(()));
        }
        if shown.ends_with(".jsonnet") {
            let why = WaitCause::Withheld(WithheldStep::Jsonnet(shown.to_owned()));
            self.mark_pending(begun, Wait::new(RequiredAction::AllowByFlag, why));
            return Ok(());
        }
        let source = self.memory.sources.intern(&path.to_string_lossy());
        let scopes = self.acc.resources.scopes().clone();
        let is_json = Path::new(shown).extension().is_some_and(|it| it == "json");
        let writer = begun.step.mark.writer;
        match read_manifests(&bytes, (source, writer), is_json, &scopes) {
            Err((cause, mark)) => {
                let fault = LayerFault::BadManifest(shown.to_owned(), cause);
                self.fail_entry(begun, TransformError::fault(fault, mark))
            }
            Ok((resources, warnings)) => {
                begun.step.matched = resources.len();
                begun.step.warnings = warnings;
                for resource in resources {
                    self.notes.record_type(&resource);
                    self.acc.resources.append_repeated(resource);
                }
                self.end(begun, Ok(()))
            }
        }
    }
}

/// The objects of a file, with warnings about values that Argo CD reads otherwise than Kustomize;
/// no objects for a YAML file that is no manifest.
fn read_manifests(
    bytes: &[u8],
    (source, writer): (SourceId, WriterId),
    is_json: bool,
    scopes: &Scopes,
) -> Result<(Vec<Resource>, Vec<Diagnostic>), (String, Mark)> {
    let line = Mark { source, line: 1, column: 1, ..Mark::default() };
    let looks_like_one = SIGNS.iter().all(|sign| memchr::memmem::find(bytes, sign).is_some());
    let (mut file, words) = match parse_kubernetes(bytes, source, Limits::default()) {
        Ok(read) => read,
        Err(error) if is_json || looks_like_one => {
            let YamlError { line, column, .. } = error;
            return Err((error.to_string(), Mark { source, line, column, ..Mark::default() }));
        }
        Err(_) => return Ok(<_>::default()),
    };
    if is_json && file.documents.len() > 1 {
        let text = "Found multiple objects. Only single objects are allowed in JSON files.";
        return Err((text.to_owned(), line));
    }
    for document in &mut file.documents {
        document.node.stamp(writer);
    }
    let mut resources = Vec::new();
    let nodes = file.documents.iter().map(|document| &document.node);
    for (index, node) in nodes.filter(|node| !node.is_null()).enumerate() {
        if node.text_of("kind").unwrap_or_default().is_empty() {
            if is_json || index > 0 || looks_like_one {
                return Err(("Object 'Kind' is missing".to_owned(), node.mark));
            }
            return Ok(<_>::default());
        }
        let has = |field| node.get(field).is_some();
        match node.get("items") {
            Some(items) if items.items().is_some() => {
                let items = items.items().unwrap_or_default().iter();
                resources.extend(items.map(|item| Resource::new(item.clone(), scopes)));
            }
            Some(items) if items.is_null() && !has("spec") && !has("status") => {}
            _ => resources.push(Resource::new(node.clone(), scopes)),
        }
    }
    let warnings = words.into_iter().map(|(document, AmbiguousBoolean { word, value })| {
        let node = file.documents.get(document).map(|document| &document.node);
        let resource = node.map(|node| Resource::new(node.clone(), scopes).id.to_string());
        let (resource, reader) = (resource.unwrap_or_default(), "Argo CD");
        let remark = DeployedRemark::BecomesBoolean { word, value, resource, reader };
        Diagnostic::new(remark, node.map(|node| node.mark).unwrap_or_default())
    });
    let warnings = warnings.collect();
    Ok((resources, warnings))
}

/// The files in the directory that the Application includes, each with its path in the directory.
fn manifests(
    deployed: &DeployedDirectory,
    directory: &PlainDirectory,
    files: &dyn Files,
) -> Vec<(PathBuf, String)> {
    let mut found = Vec::new();
    walk((Path::new(&deployed.directory()), usize::MAX), files, &mut |entry| {
        let WalkEntry { shown, path, real, kind } = entry;
        let is_in_repository = real.starts_with(&deployed.repository);
        if *kind == FileKind::File && is_in_repository && directory.includes(shown) {
            found.push((path.clone(), (*shown).to_owned()));
        }
        directory.recurse && entry.is_own_folder() && *shown != ".git"
    });
    found
}
