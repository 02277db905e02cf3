//! Builds of the open target with changed texts, as requests and results: two entries swapped,
//! components in all combinations, or the edits that give a field a value.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::answers::compare::CompareReport;
use crate::answers::experiments::combinations::try_combinations;
use crate::answers::experiments::order::order;
use crate::answers::experiments::variants::VariantBuilder;
use crate::answers::report::{MatrixReport, OrderReport};
use crate::answers::reverse::{ProposalSearch, VerifiedProposal, WantedValue, wanted_field};
use crate::answers::secrets::Secrets;
use crate::answers::{
    ComponentMatrix, Recording, ResourceKey, add_component_trials, component_table, relative,
    target_component_table,
};
use crate::draft::{FileChange, WriteScope};
use crate::engine::evaluate::{BuildCache, BuildOptions, Ports, evaluate, target_file_names};
use crate::engine::load::{FileKind, Files};
use crate::engine::profile::Profile;
use crate::repository::BuildProgress;

/// The maximum number of pairs that are swapped. For the remaining pairs, it is not known whether
/// their order matters.
const MAX_PAIRS: usize = 2000;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Variation {
    Order,
    Combinations,
    /// The components of all overlays of the repository, with the draft.
    Components,
    /// Like `Components`; in addition, each component that is off or not listed is tried in each
    /// overlay.
    TriedComponents,
    /// Like `TriedComponents`, for the open target only.
    TargetComponents,
}

/// A request for builds of a target with variations of its files: swapped entries, or other
/// components.
#[derive(Clone)]
pub struct WhatIf {
    pub variation: Variation,
    /// The name of the target as on a command line.
    pub name: String,
    pub directory: PathBuf,
    pub components: Vec<PathBuf>,
    pub files: Arc<dyn Files>,
    pub like: Profile,
    pub secrets: Secrets,
    pub progress: Option<BuildProgress>,
    /// Receives the table of components after each trial.
    pub so_far: Option<TableSoFar>,
}

impl std::fmt::Debug for WhatIf {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.debug_struct("WhatIf").finish_non_exhaustive()
    }
}

pub type TableSoFar = Arc<dyn Fn(&ComponentMatrix) + Send + Sync>;

#[derive(Clone, Debug)]
pub enum WhatIfAnswer {
    Order(OrderReport),
    Combinations(MatrixReport),
    Components(ComponentMatrix),
}

/// Builds the variations and reports their results. No program is run; the files of the request are
/// used instead of those of `ports`.
///
/// # Errors
/// The target has a pending step, or lists no components, so that the request has no result.
pub fn vary(what: &WhatIf, ports: &Ports, options: &BuildOptions) -> Result<WhatIfAnswer, String> {
    let ports = Ports { files: what.files.clone(), ..ports.clone() };
    let options = options.like(what.like);
    let (name, folder) = (&what.name, &what.directory);
    let variants = VariantBuilder::new(&ports, &options, folder);
    let variants = variants.with_progress(what.progress.clone());
    let mut secrets = what.secrets.clone();
    Ok(match what.variation {
        Variation::Order => {
            WhatIfAnswer::Order(order(&variants, (name, folder), &mut secrets, MAX_PAIRS)?)
        }
        Variation::Combinations => {
            let is_file =
                |file: &PathBuf| matches!(what.files.resolve(file), Ok((_, FileKind::File)));
            let file = target_file_names().map(|name| folder.join(name)).find(is_file);
            let file = file.ok_or("no kustomization file here")?;
            let found = try_combinations(&variants, &file, (name, folder), &mut secrets)?;
            WhatIfAnswer::Combinations(found)
        }
        Variation::Components | Variation::TriedComponents | Variation::TargetComponents => {
            let build = (&**folder, &options, &ports);
            let mut table = if what.variation == Variation::TargetComponents {
                target_component_table(folder, &what.components, build, &mut secrets)
            } else {
                component_table(folder, None, build, &mut secrets, what.progress.as_ref())
            };
            if what.variation != Variation::Components {
                let report = |table: &ComponentMatrix, (done, all)| {
                    if let Some(progress) = &what.progress {
                        progress(done, all);
                    }
                    if let Some(so_far) = &what.so_far {
                        so_far(table);
                    }
                };
                add_component_trials(&mut table, folder, &options, &ports, &mut secrets, &report);
            }
            WhatIfAnswer::Components(table)
        }
    })
}

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
