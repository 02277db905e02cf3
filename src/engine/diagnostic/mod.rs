//! Diagnostics as values, the registry of their codes, and the causes of errors.

mod code;
mod fault;
mod hint;
mod object;
mod printable;
mod remark;
mod rules;
mod unwritten;
mod value;

pub use code::{Code, CodeRule, EntryEffect, Grouping, Listing, Severity};
pub use fault::{
    FailedOperation, Fault, FieldFault, FunctionResult, GeneratorFault, JsonPatchFault, LayerFault,
    PairSources, PatchFault, PatchNodeRole, PluginFault, ProfileFault, ProgramError, RefusalCause,
    ReplacementFault, ResourceFault, ResourceRef, ResultSeverity, TextPurpose, VarFault,
    WithheldStep, byte_size, go_duration, signal_name,
};
pub use hint::{
    DuplicateOrigin, EntryLocation, Hint, IdDifference, NodeShape, OverrideAdvice, PartMissed,
    PatchMissed, PathEnd,
};
pub use object::{EntryMove, Object, PlacedObject, StepName, dotted_path};
pub(crate) use object::{and_more, joined};
pub use printable::{is_harmful, printable};
pub use remark::{DiagnosticContent, Remark};
pub use rules::{
    AlreadySet, BuildRemark, CompositionRemark, DangerRemark, DeployedRemark, EntryRemark,
    FunctionRemark, Loss, NameRemark, OpenApiRemark, OverriddenFields, PatchRemark, ProgramRemark,
    RbacGrant, ReferringField, ReleaseRemark, SilentRemark, StaleReference, TypeSource, all_codes,
};
pub use unwritten::UnwrittenCause;
pub use value::{
    Diagnostic, DiagnosticSubject, Fix, RelatedLocation, Relation, TextChange, ValueReplacement,
};
