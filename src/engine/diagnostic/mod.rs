//! What kzui has to say about a build although it may not have failed: one registry of codes, and the diagnostics
//! themselves as values.

mod code;
mod fault;
mod hint;
mod object;
mod printable;
mod remark;
mod rules;
mod value;

pub use code::{Code, Rule, Severity};
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
    ErrorHint, Found, Hint, Later, ListedAt, OtherPart, PartMissed, PatchMissed, PathEnd, Twin,
    WrittenOver,
};
pub use object::{EntryMove, EntryName, Object, PlacedObject, StepName};
pub use printable::{is_harmful, printable};
pub use remark::{
    AlreadySo, CompositionRemark, DangerRemark, DeployedRemark, EntryRemark, FieldsGone,
    FunctionOddity, FunctionRemark, Grant, HeldBack, Loss, NameRemark, OldName, OpenApiRemark,
    PatchRemark, ReferringField, ReleaseDifference, ReleaseRemark, Remark, ResultOddity,
    SaidNamespace, SilentRemark, Unmoved,
};
pub use rules::all_codes;
pub use value::{Diagnostic, Fix, Related, Relation, Says, SetValue, Subject};
