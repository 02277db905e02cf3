//! One step of a build and its changes.

use std::sync::Arc;
use std::time::Duration;

use serde::Serialize;

use crate::diagnostic::{Code, Diagnostic, Fault, Fix, Hint, TextPurpose};
use crate::load::{Checkout, LoadError};
use crate::manifest::{Builtin, KustomizationField, ManifestError};
use crate::plugin::FunctionRun;
use crate::resource::{Change, Gvk, ResMapError, SelectorError, Slot};
use crate::transform::{DerivedValue, RemovedValue, Transformer};
use crate::yaml::{Mark, WriterId, YamlError};

use super::pending_reason::Wait;

/// The id of a step, derived from its configuration so that it survives re-evaluation: the
/// directory of its layer, its field or name, and its argument, as in
/// `/shop/overlays/dev#patches[cpu.yaml]` or `/shop/overlays/dev#name hashes[]`. A second step of
/// the same configuration in one build (a base that is used twice) has the suffix `~2`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct StepId(pub Arc<str>);

/// A layer, by its index in [`Trace::layers`](super::Trace).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct LayerId(pub usize);

/// How a layer is included by its parent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LayerKind {
    Root,
    /// A directory of `resources:`.
    Base,
    /// A directory of `components:`.
    Component,
    /// A directory of `generators:`, `transformers:` or `validators:`.
    Configuration,
    Composition,
}

/// One kustomization root of the build.
#[derive(Clone, Debug)]
pub struct Layer {
    pub kind: LayerKind,
    pub parent: Option<LayerId>,
    pub path: Arc<str>,
    pub file: Arc<str>,
    /// The entry in the parent's file, as written; for the root, the target of the build.
    pub name: Arc<str>,
    pub checkout: Option<Arc<Checkout>>,
    /// The location of that entry; for the root that of the deployment object, if any.
    pub mark: Mark,
    /// True if the layer works on its parent's resources: a component, an inline Kustomization, or
    /// a Composition in `transformers:`.
    pub shares: bool,
    pub first_step: usize,
    /// The index after the last step of the layer; steps of nested layers are in between.
    pub end_step: usize,
}

/// The kind of a step, in the order of Kustomize's own work.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub enum StepKind {
    /// A file of `resources:` is loaded.
    #[default]
    Load,
    /// A finished base is appended to its parent.
    Merge,
    /// `configurations:` and `crds:` are read.
    Configure,
    /// A generator, built-in or not.
    Generate,
    /// A component begins.
    EnterComponent,
    /// A component ends.
    LeaveComponent,
    /// A built-in transformer, or a single entry of one.
    Transform,
    /// An entry of `transformers:`.
    ExternalTransform,
    /// An entry of `validators:`.
    Validate,
    /// `vars:` are recorded.
    Vars,
    /// Hash suffixes are appended to names, at the root.
    Hash,
    /// References to changed names are updated, at the root.
    NameReferences,
    /// Variables are replaced, at the root.
    ReplaceVars,
    /// Resources marked as local configuration are dropped, at the root.
    DropLocalConfig,
    /// The resources are sorted, at the root.
    Order,
    /// Labels and annotations of `buildMetadata` are written, at the root.
    BuildMetadata,
    /// A failure to print the output; without a failure there is no such step.
    Print,
    /// The changes that an Argo CD Application or a Flux Kustomization makes to the built objects.
    AfterBuild,
}

/// How a step ended.
#[derive(Clone, Debug, Default)]
pub enum StepOutcome {
    Applied,
    /// The step matched resources and changed no resource.
    NoChange,
    #[default]
    MatchedNothing,
    SwitchedOff,
    /// Pending: something is not fetched, not trusted or not run.
    Waiting(Box<Wait>),
    Failed(Arc<StepError>),
}

impl StepOutcome {
    pub(super) fn name(&self) -> &'static str {
        match self {
            Self::Applied => "applied",
            Self::NoChange => "no change",
            Self::MatchedNothing => "no match",
            Self::SwitchedOff => "off",
            Self::Waiting(_) => "pending",
            Self::Failed(_) => "failed",
        }
    }
}

/// The number of resources that a step added, changed and removed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ChangeCounts {
    pub added: usize,
    pub modified: usize,
    pub removed: usize,
}

/// One step of a build.
#[derive(Clone, Debug, Default)]
pub struct Step {
    pub id: StepId,
    pub writer: WriterId,
    pub kind: StepKind,
    /// The name of the step in Kustomize: `PatchTransformer`, `NamespaceTransformer`, `load`.
    pub name: Arc<str>,
    /// The short subject of the step: `cpu.yaml`, `prod`, `nginx → 1.27`.
    pub argument: Arc<str>,
    pub layer: LayerId,
    pub builtin: Option<Builtin>,
    pub function: Option<Gvk>,
    /// The kustomization field of the step (`patches`); empty for the final steps of the root.
    pub field: &'static str,
    /// The index of the entry that configures the step, among the active entries of the field.
    pub entry: Option<usize>,
    pub mark: Mark,
    pub changes: Vec<Change>,
    /// The order of all resources after the step, if the step reordered them.
    pub order: Option<Arc<Vec<Slot>>>,
    pub matched: usize,
    pub counts: ChangeCounts,
    pub outcome: StepOutcome,
    /// True for a step without effect after a pending step on the same resources: with the pending
    /// item, the step may have an effect.
    pub is_after_pending: bool,
    pub warnings: Vec<Diagnostic>,
    pub time: Duration,
    pub run: Option<Arc<FunctionRun>>,
    /// The origins of written values that come from other fields or files.
    pub derived: Vec<DerivedValue>,
    /// The locations of removals: the lines that remove a value.
    pub removed: Vec<RemovedValue>,
    /// The transformer of the step, for queries about fields that the step did not write.
    pub transformer: Option<Arc<dyn Transformer>>,
}

/// The error of a failed build, with a message for users.
#[derive(Clone, Debug, PartialEq)]
pub struct StepError {
    /// The layers, outermost first, one line each: `resources '../base' (/shop/base)`.
    pub context: Vec<String>,
    /// The message, ending in Kustomize's innermost phrase, without values of Secrets.
    pub message: String,
    pub mark: Mark,
    pub hint: Option<Hint>,
    /// The cause as a value, for callers that distinguish errors.
    pub cause: ErrorCause,
    /// A fix, to be verified.
    pub fix: Option<Fix>,
    /// The code, if it depends on the text of the file; otherwise derived from the cause.
    pub class: Option<Code>,
}

/// The cause of an error, as a value that code can distinguish.
#[derive(Clone, Debug, PartialEq)]
pub enum ErrorCause {
    Fault(Fault),
    Manifest(ManifestError),
    /// A file, a directory or a remote could not be loaded: its purpose and the reason.
    Load(TextPurpose, LoadError),
    /// A text is not YAML: its purpose and the reason.
    Yaml(TextPurpose, YamlError),
    Clash(ResMapError),
    Selector(SelectorError),
    /// The build needs a pending item and must not continue without it.
    Waiting(Box<Wait>),
    Cancelled,
}

impl StepError {
    /// The message exactly as in Kustomize, including values that a `secretGenerator` rejects.
    pub fn exact_message(&self) -> String {
        match &self.cause {
            ErrorCause::Fault(fault) if fault.masked().is_some() => fault.to_string(),
            _ => self.message.clone(),
        }
    }

    pub(super) fn cancelled() -> Self {
        Self {
            context: Vec::new(),
            message: "the build was cancelled".to_owned(),
            mark: Mark::default(),
            hint: None,
            cause: ErrorCause::Cancelled,
            fix: None,
            class: None,
        }
    }
}

impl Step {
    pub(super) fn new(
        kind: StepKind,
        name: &str,
        argument: impl Into<Arc<str>>,
        layer: LayerId,
        mark: Mark,
    ) -> Self {
        let (name, argument) = (name.into(), argument.into());
        Self { kind, name, argument, layer, mark, ..Self::default() }
    }

    pub(super) fn into_merge(self) -> Self {
        let Self { argument, layer, mark, field, entry, .. } = self;
        Self { field, entry, ..Self::new(StepKind::Merge, "merge", argument, layer, mark) }
    }

    pub(super) fn with_entry(mut self, field: impl Into<&'static str>, entry: usize) -> Self {
        self.field = field.into();
        self.entry = Some(entry);
        self
    }

    pub(super) fn in_field(mut self, field: impl Into<&'static str>) -> Self {
        self.field = field.into();
        self
    }

    pub(super) fn with_builtin(mut self, builtin: impl Into<Option<Builtin>>) -> Self {
        self.builtin = builtin.into();
        self
    }

    /// The kustomization field that configures the step; `None` for Kustomize's own final steps.
    pub fn configured_by(&self) -> Option<KustomizationField> {
        KustomizationField::from_name(self.field)
    }
}
