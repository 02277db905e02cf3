//! Runs one function on given objects. A kustomization in memory calls the function, so that flags,
//! trust and input are the same as in a build.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::draft::DraftedFiles;
use crate::engine::evaluate::{
    BuildCache, Evaluation, FILE_NAMES, Ports, Step, StepOutcome, evaluate,
};
use crate::engine::load::Reference;
use crate::engine::manifest::{COMPOSITION_FILE_NAMES, Outline};
use crate::engine::yaml::{Node, print_preserving_style};

use super::super::{BuildFlags, CliPorts, options};

/// The name of the file with the objects, in memory only.
const INPUT: &str = ".kzui-fn-input.yaml";

pub(super) struct StandaloneFunction<'a> {
    /// The file of its configuration, absolute and resolved.
    pub(super) file: &'a Path,
    /// The configuration to use instead of that in the file.
    pub(super) config: Option<String>,
    /// The catalogs that its folder, or the target, lists.
    pub(super) catalogs: Vec<String>,
}

impl StandaloneFunction<'_> {
    /// Runs the function as the only transformer of these objects.
    pub(super) fn run<'n>(
        &self,
        objects: impl Iterator<Item = &'n Node>,
        flags: &BuildFlags,
        outside: &CliPorts<'_>,
    ) -> Result<Evaluation, String> {
        let folder = self.file.parent().unwrap_or(self.file);
        let name = self.file.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let quoted = |text: &str| serde_json::Value::from(text).to_string();
        let catalogs: Vec<String> = self.catalogs.iter().map(|text| quoted(text)).collect();
        let kustomization = format!(
            "resources: [{INPUT}]\ntransformers: [{}]\ncatalogs: [{}]\n",
            quoted(&name),
            catalogs.join(", ")
        );
        let objects: Vec<String> = objects.map(print_preserving_style).collect();
        let mut texts: Vec<(PathBuf, Option<Arc<[u8]>>)> = Vec::new();
        for other in FILE_NAMES.iter().chain(&COMPOSITION_FILE_NAMES) {
            texts.push((folder.join(other), None));
        }
        texts.push((folder.join(FILE_NAMES[0]), Some(kustomization.as_bytes().into())));
        texts.push((folder.join(INPUT), Some(objects.join("---\n").as_bytes().into())));
        let config = self.config.as_ref().map(|text| text.as_bytes().into());
        texts.extend(config.map(|text| (self.file.to_owned(), Some(text))));
        let files = DraftedFiles::new(texts.into_iter(), outside.ports.files.clone());
        let target = folder.to_string_lossy().into_owned();
        let options = options::kustomize_options(flags, &target, outside)?;
        let ports = Ports { files: Arc::new(files), ..outside.ports.clone() };
        Ok(evaluate(&target, &outside.current, &options, &ports, &mut BuildCache::disabled()))
    }
}

pub(super) fn function_step(evaluation: &Evaluation) -> Option<(usize, &Step)> {
    let mut steps = evaluation.trace.steps.iter().enumerate();
    steps.find(|(_, step)| step.function.is_some() && !is_pending(step))
}

pub(super) fn is_pending(step: &Step) -> bool {
    matches!(step.outcome, StepOutcome::Waiting(_))
}

/// The catalogs that the kustomization files of folders list, relative to another folder.
pub(super) fn listed_catalogs(folders: &[&Path], to: &Path, outside: &CliPorts<'_>) -> Vec<String> {
    let files = &*outside.ports.files;
    let mut all: Vec<String> = Vec::new();
    for folder in folders {
        let names = FILE_NAMES.iter().chain(&COMPOSITION_FILE_NAMES);
        let texts = names.filter_map(|name| files.read(&folder.join(name)).ok());
        for text in texts {
            let outline = Outline::parse(&text);
            let field = outline.field("catalogs").filter(|field| !field.disabled);
            for entry in field.iter().flat_map(|field| &field.entries).filter(|it| !it.disabled) {
                let written = entry.scalar.clone().unwrap_or_else(|| entry.text.clone());
                let reference = Reference::parse(&written, folder);
                let seen = reference.map_or(written, |found| found.seen_from(to));
                if !all.contains(&seen) {
                    all.push(seen);
                }
            }
        }
    }
    all
}
