//! Diagnostics as values, the registry of their codes, and the causes of errors.

mod code;
mod fault;
mod hint;
mod object;
mod printable;
mod remark;
mod rules;
mod value;

pub use code::{Code, EntryEffect, Grouping, Rule, Severity};
pub use fault::{
    Around, Bound, BrokenRule, CallCause, CallFault, CatalogCause, CatalogFault, CatalogProblem,
    CompositionFault, CompositionProblem, Counted, EntryCause, EntryFault, Fault, FieldFault,
    FunctionResult, GeneratorFault, HelmFault, Instead, JsonPatchFault, LayerFault, ListedEntry,
    Misfit, MountRule, PairSources, PatchFault, PatchPlace, PluginFault, ProfileCause,
    ProfileFault, ProgramEnd, ProgramError, Reading, RefusalCause, ReplacementFault, ReplyCause,
    ResourceFault, ResourceRef, ResultSeverity, RuntimeCause, RuntimeFault, ScriptFault,
    ScriptLimit, Undigested, UnpinnedImage, ValuesFault, VarFault, Withheld, byte_size,
    go_duration,
};
pub use hint::{
    ErrorHint, Hint, Later, ListedAt, NodeShape, OtherPart, PartMissed, PatchMissed, PathEnd, Twin,
    WrittenOver,
};
pub use object::{EntryMove, EntryName, Object, PlacedObject, StepName};
pub use printable::{is_harmful, printable};
pub use remark::Remark;
pub use rules::{
    AlreadySet, BuildRemark, CompositionRemark, DangerRemark, DeployedRemark, EntryRemark,
    FunctionOddity, FunctionRemark, Grant, Loss, NameRemark, NamespaceSource, NotFollowedCause,
    NotPrunedCause, OldName, OpenApiRemark, OverriddenFields, PatchRemark, ProgramRemark,
    ReferringField, ReleaseDifference, ReleaseRemark, ResultOddity, SilentRemark, UnchangedCause,
    all_codes,
};
pub use value::{Content, Diagnostic, Fix, Related, Relation, SetValue, Subject};
