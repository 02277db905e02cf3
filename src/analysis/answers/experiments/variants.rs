//! Builds of one target with changed files.

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use crate::answers::compare::{FieldChange, ResourcePair, differences, pair_up};
use crate::answers::recording::failure_words::{AddedTwice, added_twice, failure_words};
use crate::answers::relative;
use crate::answers::report::VariantFailure;
use crate::answers::secrets::Secrets;
use crate::engine::evaluate::{
    BuildCache, BuildOptions, Evaluation, Ports, StepOutcome, Trace, evaluate,
};
use crate::engine::load::Files;
use crate::engine::plugin::NoPrograms;
use crate::engine::resource::Resource;
use crate::repository::{BuildProgress, FailureRecorder, KeptFiles, map_with_cache};

/// The settings of the builds of a target. No program is run: the result of a build that needs a
/// program is unknown.
#[derive(Clone)]
pub struct VariantBuilder {
    ports: Ports,
    options: BuildOptions,
    target: PathBuf,
    progress: Option<BuildProgress>,
}

/// The number of consecutive builds that share a cache, so that equal steps are evaluated once.
const BUILDS_PER_CACHE: usize = 16;

#[derive(Clone, Debug)]
pub enum VariantResult {
    Builds(Vec<Arc<Resource>>),
    Fails(VariantError),
    Unknown(String),
    Cancelled,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct VariantError {
    pub message: String,
    pub at: Option<(PathBuf, u32)>,
    /// The two entries that add the same resource, if that is the error.
    pub clash: Option<AddedTwice>,
}

impl VariantError {
    /// The error for a document: secret text is masked, and the location is relative to `folder`.
    pub(in crate::answers) fn report(&self, folder: &Path, secrets: &Secrets) -> VariantFailure {
        let (file, line) =
            self.at.as_ref().map(|(file, line)| (relative(file, folder), *line)).unzip();
        VariantFailure { message: secrets.text(&self.message), file, line }
    }
}

impl VariantBuilder {
    pub fn new(ports: &Ports, options: &BuildOptions, target: &Path) -> Self {
        let mut options = options.clone();
        options.functions = options.functions.in_workbench();
        let ports = Ports {
            files: Arc::new(KeptFiles::new(ports.files.clone())),
            remote: Arc::new(FailureRecorder::new(ports.remote.clone())),
            programs: Arc::new(NoPrograms),
            ..ports.clone()
        };
        Self { ports, options, target: target.to_owned(), progress: None }
    }

    #[must_use]
    pub fn with_progress(self, progress: Option<BuildProgress>) -> Self {
        Self { progress, ..self }
    }

    pub fn files(&self) -> &Arc<dyn Files> {
        &self.ports.files
    }

    /// True once the builds are cancelled: their results are [`VariantResult::Cancelled`].
    pub fn is_cancelled(&self) -> bool {
        self.ports.cancel.is_cancelled()
    }

    pub fn build(&self, files: Arc<dyn Files>, memory: &mut BuildCache) -> (Trace, VariantResult) {
        let remote = Arc::new(FailureRecorder::new(self.ports.remote.clone()));
        let ports = Ports { files, remote: remote.clone(), ..self.ports.clone() };
        let dir = self.target.to_string_lossy();
        let Evaluation { trace, outcome, .. } =
            evaluate(&dir, &self.target, &self.options, &ports, memory);
        let waits = trace.steps.iter().find_map(|step| match &step.outcome {
            StepOutcome::Waiting(wait) if !wait.is_for_an_earlier_step() => {
                Some(wait.required_action_text())
            }
            _ => None,
        });
        let variant = match (waits, outcome) {
            _ if self.is_cancelled() => VariantResult::Cancelled,
            (Some(why), _) => VariantResult::Unknown(format!("pending: {why}")),
            (None, Ok(resources)) => VariantResult::Builds(resources),
            (None, Err(_)) if remote.first_unreachable().is_some() => {
                let why = remote.first_unreachable().unwrap_or_default();
                VariantResult::Unknown(format!("a remote could not be fetched: {why}"))
            }
            (None, Err(error)) => {
                let file = trace.sources.path(error.mark.source).map(PathBuf::from);
                let at = file.filter(|_| error.mark.line > 0).map(|file| (file, error.mark.line));
                let (message, clash) = (failure_words(&error), added_twice(&error));
                VariantResult::Fails(VariantError { message, at, clash })
            }
        };
        (trace, variant)
    }

    /// Builds the target once for each draft, on all cores; the results are in the order of the
    /// drafts. Values of Secrets of each build are added to `secrets`.
    pub fn build_all<T: Sync>(
        &self,
        drafts: &[T],
        files: impl Fn(&T) -> Result<Arc<dyn Files>, String> + Sync,
        secrets: &mut Secrets,
    ) -> Vec<VariantResult> {
        let secrets = Mutex::new(secrets);
        let built_count = AtomicUsize::new(0);
        // Common parts of two builds are evaluated once.
        map_with_cache(drafts, (BUILDS_PER_CACHE, BuildCache::default), |draft, memory| {
            let built = match files(draft) {
                Ok(_) if self.is_cancelled() => VariantResult::Cancelled,
                Ok(files) => {
                    let (trace, variant) = self.build(files, memory);
                    secrets.lock().unwrap_or_else(PoisonError::into_inner).learn(&trace);
                    variant
                }
                Err(why) => VariantResult::Unknown(why),
            };
            let count = built_count.fetch_add(1, Ordering::Relaxed) + 1;
            if let Some(progress) =
                self.progress.as_ref().filter(|_| !matches!(built, VariantResult::Cancelled))
            {
                progress(count, drafts.len());
            }
            built
        })
    }
}

/// The fields that differ between two outputs, with resources in any order; values of Secrets are
/// masked as configured.
pub(super) fn output_differences(
    before: &[Arc<Resource>],
    after: &[Arc<Resource>],
    secrets: &Secrets,
) -> Vec<(ResourcePair, FieldChange)> {
    let mut found = Vec::new();
    for pair in pair_up(before, after) {
        if pair.both().is_some_and(|(one, other)| Arc::ptr_eq(one, other)) {
            continue;
        }
        let node = |it: &Option<Arc<Resource>>| Some(secrets.masked_node(it.as_ref()?));
        let changes = match (node(&pair.before), node(&pair.after)) {
            (Some(one), Some(other)) => differences(&one, &other),
            (one, other) => vec![FieldChange::of_resource(one.as_ref(), other.as_ref())],
        };
        found.extend(changes.into_iter().map(|change| (pair.clone(), change)));
    }
    found
}
