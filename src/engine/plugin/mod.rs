//! KRM functions: their input and output, resolution and trust; and the port through which programs
//! run.

mod answer;
mod catalogs;
mod command;
mod exec_plugin;
mod helm;
mod helm_values;
mod options;
mod outcome;
mod pinned_programs;
mod program;
mod reconcile;
mod reply;
mod resolve;
mod results;
mod results_file;
mod run;
mod script;
mod spec;
mod wire;

pub use answer::{ID_ANNOTATION, apply_answer, generated, resources_for_programs};
pub use catalogs::{
    CachedCatalog, CatalogCache, CatalogEntryView, CatalogLock, CatalogMatch, CatalogPorts,
    CatalogView, Danger, FileReview, FileSnapshot, FileTrust, FunctionSnapshot, ImageFacts,
    ImageView, LOCK_FILE, LayerChanges, ListedCatalog, LockEntry, NamedFile, NamedFileContent,
    PinPolicy, ResolveContext, Sandbox, SchemaViolation, SearchInput, SearchOutcome, Trust,
    TrustChange, TrustRecord, TrustReview, TrustScope, TrustState, TrustStore, TrustVerdict,
    TrustedBy, TrustedCatalog, check_schema, layer_title, mark_shadows, quote_shell_word,
    require_signed_runtime, review,
};
pub use command::CONTAINER_USER;
pub use exec_plugin::ExecPlugin;
pub use helm::{Helm, HelmFlags};
pub use options::{FunctionOptions, Gates};
pub use outcome::{AppliedReply, receive_generated, receive_transformed, validate};
pub use pinned_programs::PinnedPrograms;
pub use program::{
    Confinement, NoPrograms, Program, ProgramError, ProgramResult, Programs, TemporaryFile,
    go_duration,
};
pub use reconcile::ReplyingFunction;
pub use reply::FunctionReply;
pub use resolve::{
    FlagMounts, FunctionRef, Implementation, PinnedBytes, RequiredAction, RunRefusal, display,
    exec_path_remark, resolve,
};
pub use results::{FunctionResult, ResourceRef, Severity};
pub use results_file::results_file;
pub use run::{
    CallContext, ConfigurationScalar, FunctionFailure, FunctionRun, call, is_pull_progress,
    read_run_reply,
};
pub use script::STARLARK_PROGRAM;
pub use spec::{
    DeclaredRuntime, FunctionSpec, Mount, RuntimeField, SpecError, SpecKind, declared_runtime,
    has_runtime,
};
pub use wire::{OutgoingObject, function_config, request};
