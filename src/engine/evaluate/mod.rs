//! Evaluates a build and records every step.

mod accumulator;
mod additions;
mod aged_map;
mod build;
mod build_root;
mod carried_state;
mod catalogs;
mod components;
mod composition;
mod configured;
mod default_specs;
mod deployed;
mod deployments;
mod duplicate_ids;
mod errors;
mod external;
mod failure_advice;
mod finish;
mod functions;
mod generator_advice;
mod generators;
mod helm;
mod late_warnings;
mod layer_schema;
mod layers;
mod legacy_plugin;
mod level;
mod memory;
mod notes;
mod openapi;
mod origins;
mod output;
mod part;
mod partly_overridden;
mod pending_reason;
mod plan;
mod ports;
mod printable;
mod recorded_part;
mod recorder;
mod remembered_steps;
mod repository_settings;
mod resources;
mod reuse;
mod run;
mod setup;
mod step;
mod target;
mod text_advice;
mod trace;
mod transformers;
mod value_counts;
mod warning;

pub use composition::{
    AppliedOverride, CatalogReference, CompositionLocation, ConsolidatedComposition,
    ConsolidatedEntry, ImportTree, RemovedEntry, SwitchedOffEntry, consolidate,
};
pub use deployed::{FileLocation, LocatedDeploymentObject, ObjectOrigin};
pub use deployments::DeploymentCache;
pub use layer_schema::{LayerSchema, SchemaUse};
pub use layers::MAX_LAYERS;
pub use memory::{BuildCache, FunctionAnswers};
pub use pending_reason::{Wait, WaitCause};
pub use plan::entry_name;
pub use ports::{Cancel, Clock, NoCancel, NoClock, Ports};
pub use repository_settings::{RepositorySettings, SettingsReader};
pub use run::{deployed_directory, deployment_objects, evaluate};
pub use step::{
    ChangeCounts, ErrorCause, Layer, LayerId, LayerKind, Step, StepError, StepId, StepKind,
    StepOutcome,
};
pub use target::{FILE_NAMES, makes_target, target_file_names};
pub use trace::{AccumulatorState, Trace};
pub use value_counts::WrittenValueCounts;
pub use warning::BuildWarning;

use std::path::PathBuf;
use std::sync::Arc;

use crate::load::LoadRestrictions;
use crate::plugin::{FunctionOptions, HelmFlags, PinPolicy, Trust};
use crate::profile::Profile;
use crate::resource::{Resource, SchemaInForce, Slot};

/// Stack size in bytes of a build thread: enough for the maximum nesting of kustomizations.
pub const STACK: usize = 64 << 20;

/// The flags of `kustomize build` that change the output (section 10).
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[expect(
    clippy::struct_excessive_bools,
    reason = "each is a separate flag on Kustomize's command line"
)]
pub struct BuildOptions {
    /// `--like`: the version profile, which sets the release or program that the build imitates.
    pub profile: Profile,
    /// Reads the settings of the target's repository, whose profile replaces `profile`.
    pub settings: SettingsReader,
    pub load_restrictions: LoadRestrictions,
    /// `--reorder`: `None` when the flag is not given.
    pub reorder: Option<Reorder>,
    pub enable_alpha_plugins: bool,
    pub enable_exec: bool,
    pub enable_helm: bool,
    /// The repositories whose own settings may enable helm: the user lists them.
    pub helm_repositories: Vec<PathBuf>,
    pub helm: HelmFlags,
    pub managed_by_label: bool,
    pub functions: FunctionOptions,
    /// The trusted catalogs: flags, preferences, records.
    pub trust: Trust,
    pub pins: PinPolicy,
}

impl BuildOptions {
    /// The same options with a fixed version profile, which no repository's settings replace.
    #[must_use]
    pub fn like(&self, profile: Profile) -> Self {
        Self { profile, settings: self.settings.with_profile(), ..self.clone() }
    }
}

/// The order of the output (`--reorder`).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reorder {
    /// Kustomize's fixed order by kind.
    Legacy,
    None,
}

/// The result of one evaluation: always the recording, and the resources unless it failed.
#[derive(Clone, Debug)]
pub struct Evaluation {
    pub trace: Trace,
    /// The final resources in output order, or the error of the step that failed.
    pub outcome: Result<Vec<Arc<Resource>>, Arc<StepError>>,
    /// The slots of the final resources, in the same order; empty if the build failed.
    pub slots: Vec<Slot>,
    /// Warnings about the build that are printed beside the output.
    pub warnings: Vec<BuildWarning>,
    pub schema: SchemaInForce,
    pub schemas: Vec<LayerSchema>,
    /// The paths that the build read, for a file watcher; empty if the cache is disabled.
    pub watched: Vec<PathBuf>,
}
