//! Questions about one or several recorded builds: the writers of a field, entries without effect,
//! the differences of two builds. Pure: each question is a function that returns one value, which
//! every interface shows. Texts are as in the files; interfaces escape them for their output.

mod catalog_review;
pub mod compare;
pub mod experiments;
mod fix;
mod lint;
pub mod provenance;
pub mod recording;
pub mod remap;
pub mod report;
pub mod reverse;
mod search;
pub mod secrets;
mod span;
mod targets;
mod values;

pub use catalog_review::{
    CatalogReview, CodeChange, FunctionInput, ReviewLine, change_text, function_inputs,
    line_changes,
};
pub use compare::layout::both_sides;
pub use compare::unified::unified;
pub use experiments::elsewhere::SwitchSuspicions;
pub use experiments::tried::{add_trial_findings, add_trial_findings_with_cache, offline_ports};
pub use fix::fixes::apply_fix_to_text;
pub use fix::migration::{
    MigratedField, Migration, MigrationRefusal, deprecated_fields, migration,
};
pub use fix::moves::{MovedReference, PathMove, path_move};
pub use fix::offers::{Offer, offers};
pub use fix::repairs::{
    Builders, FixSelection, ProvedFix, RebuildTarget, RefutedFix, Repairs, UnconfirmedTarget,
    repairs, repairs_on_all_cores,
};
pub use lint::charts::report_charts_as_pending;
pub use lint::check::SharedFindings;
pub use lint::claims::{ClaimTrial, VerifiedFinding, add_verified, entry_of};
pub use lint::faults::{ResourceScanCache, add_faults, faults_with_cache};
pub use lint::finding_kind::FindingKind;
pub use lint::findings::{Finding, findings, need};
pub use lint::passed_flags::PassedFlags;
pub use lint::shared_finding::{SharedFinding, fingerprints};
pub use lint::unknown::UnknownCause;
pub use lint::waivers::{Waiver, waivers};
pub use recording::asked::{FindRepositoryTop, displayed_path, is_near, relative};
pub use recording::build::{Recording, short_path};
pub use recording::file_names::FileNames;
pub use recording::headline::headline;
pub use recording::identity::{Identity, LastState, ResourceKey, paired};
pub use recording::index::RecordingIndex;
pub use recording::rebuild::{AskedFor, Rebuild, nth_active, printed};
pub use recording::selector::ResourceNameError;
pub use search::{Hit, grep};
pub use span::span_at;
pub use targets::board::{RepositoryBuilds, TargetBuildState, TargetSummary, summary};
pub use targets::checked::{
    ChangedInputs, RecordingObserver, TargetCheck, drop_unverified_fixes, findings_of_repository,
};
pub use targets::components::{
    Cell, ComponentEffect, ComponentMatrix, ComponentStatus, ComponentTrial, OverlayRow,
    component_switch, component_table, is_component_on, try_components,
};
pub use targets::file_check::FileCheck;
pub use targets::listing::{lower_set_aside, repository_row, repository_rows, without_unrequested};
pub use targets::unlisted::add_unlisted_manifests;
pub use values::{FieldQuery, OutputValue, image_values};
