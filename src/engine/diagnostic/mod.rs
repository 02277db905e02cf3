//! What kzui has to say about a build although it may not have failed: one registry of codes, and the diagnostics
//! themselves as values.

mod code;
mod fault;
mod printable;
mod rules;
mod value;

pub use code::{Code, Rule, Severity};
pub use fault::{
    Around, Bound, BrokenRule, CallCause, CallFault, CatalogCause, CatalogFault, CatalogProblem,
    CompositionFault, CompositionProblem, Counted, EntryCause, EntryFault, Fault, FieldFault,
    FunctionResult, GeneratorFault, HelmFault, Instead, JsonPatchFault, LayerFault, ListedEntry,
    Misfit, MountRule, PairSources, PatchFault, PatchPlace, PluginFault, ProfileCause,
    ProfileFault, ProgramEnd, ProgramError, Reading, RefusalCause, ReplacementFault, ReplyCause,
    ResourceFault, ResourceRef, ResultSeverity, RuntimeCause, RuntimeFault, Undigested, VarFault,
    byte_size, go_duration,
};
pub use printable::{is_harmful, printable};
pub use rules::all_codes;
pub use value::{Diagnostic, Fix, Related, SetValue, Subject, WhyNot};
