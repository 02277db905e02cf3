//! The edits that give a field of the open target a value: the request, and the search for them.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::answers::compare::CompareReport;
use crate::answers::reverse::{ProposalSearch, VerifiedProposal, WantedValue, wanted_field};
use crate::answers::{Recording, ResourceKey, relative};
use crate::draft::{FileChange, WriteScope};
use crate::engine::evaluate::{BuildCache, BuildOptions, Ports, evaluate};
use crate::engine::load::Files;
use crate::engine::profile::Profile;

#[derive(Clone, Debug, PartialEq)]
pub struct WantedEdit {
    pub resource: ResourceKey,
    pub field: String,
    pub value: WantedValue,
}

#[derive(Clone)]
pub struct EditRequest {
    pub wanted: WantedEdit,
    pub directory: PathBuf,
    pub files: Arc<dyn Files>,
    /// The draft, which every edit is compared with.
    pub draft: Vec<FileChange>,
    pub like: Profile,
    pub scope: WriteScope,
}

impl std::fmt::Debug for EditRequest {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.debug_struct("EditRequest").finish_non_exhaustive()
    }
}

/// Finds the edits, each verified by a build of the open target. `compare` compares the targets of
/// the repository in `root` without and with an edit: the changed files of both sides. No program
/// is run.
pub fn find_edits(
    request: &EditRequest,
    root: &Path,
    ports: &Ports,
    options: &BuildOptions,
    compare: &dyn Fn([Vec<FileChange>; 2], bool) -> Result<CompareReport, String>,
) -> Result<Vec<VerifiedProposal>, String> {
    let options = options.like(request.like);
    let build = |files: Arc<dyn Files>| {
        let ports = Ports { files, ..ports.clone() };
        let mut memory = BuildCache::disabled();
        evaluate(".", &request.directory, &options, &ports, &mut memory)
    };
    let recording = Recording::new(build(request.files.clone()), &request.directory);
    if let Some(error) = &recording.error {
        return Err(format!("the target does not build: {}", error.message));
    }
    let WantedEdit { resource, field, value } = &request.wanted;
    let slot = recording.identity.slot(resource).ok_or("the resource is not in the output")?;
    let wanted = wanted_field(&recording, slot, field, value.clone())?;
    let name = match relative(&request.directory, root) {
        name if name.is_empty() => ".".to_owned(),
        name => name,
    };
    let compare = |change: &FileChange, bases| {
        let mut with: Vec<FileChange> =
            request.draft.iter().filter(|it| it.path != change.path).cloned().collect();
        with.push(change.clone());
        compare([request.draft.clone(), with], bases)
    };
    let search = ProposalSearch {
        recording: &recording,
        wanted: &wanted,
        files: &request.files,
        scope: &request.scope,
        name: &name,
        build: &build,
        compare: &compare,
    };
    let found = search.verified_proposals()?;
    if found.is_empty() {
        return Err("no edit gives the field this value".to_owned());
    }
    Ok(found)
}
