//! Questions about one or several recorded builds: the writers of a field, entries without effect,
//! the differences of two builds. Pure: each question is a function that returns one value, which
//! every interface shows. Texts are as in the files; interfaces escape them for their output.

mod catalog_review;
pub mod compare;
pub mod experiments;
mod fix;
mod lint;
mod output_values;
mod overridden_fields;
pub mod provenance;
pub mod recorded_build;
pub mod recording;
pub mod remap;
pub mod report;
pub mod reverse;
mod search;
pub mod secrets;
mod span;
mod targets;

pub use catalog_review::{
    CatalogReview, FunctionInput, ReviewLine, change_text, diff_review_lines, function_inputs,
};
pub use compare::layout::{change_diff, layout_for_diff, unified};
pub use experiments::release_differences::SwitchSuspicions;
pub use experiments::verification::{add_trial_findings, offline_ports};
pub use fix::apply_fix::apply_fix_to_text;
pub use fix::convert::plan_convert;
pub use fix::extract::{ExtractedKind, plan_extract};
pub use fix::inline::plan_inline;
pub use fix::migration::{MigratedField, Migration, deprecated_fields, migrate_fields};
pub use fix::offers::{Offer, offers};
pub use fix::path_move::plan_move;
pub use fix::proof::{PlannedEdit, Proof, Prover};
pub use fix::prune::plan_prune;
pub use fix::rename::{declarations, name_at, plan_rename};
pub use fix::repairs::{
    Builders, FixSelection, ProvedFix, RebuildTarget, RefutedFix, Repairs, UnconfirmedTarget,
    repairs, repairs_on_all_cores,
};
pub use lint::faults::{ResourceScanCache, add_faults, faults_with_cache};
pub use lint::finding_kind::FindingKind;
pub use lint::findings::{Finding, findings, pending_need};
pub use lint::passed_flags::{PassedFlags, report_charts_as_pending};
pub use lint::shared_finding::{SharedFinding, fingerprints};
pub use lint::shared_findings::SharedFindings;
pub use lint::unknown_cause::UnknownCause;
pub use lint::verified_findings::{ClaimTrial, VerifiedFinding, add_verified_findings, step_entry};
pub use lint::waivers::{Waiver, waivers};
pub use output_values::{FieldQuery, OutputValue, image_values};
pub use overridden_fields::{OverriddenField, OverrideValue, overridden_fields};
pub use recording::build::{
    AskedFor, Rebuild, Recording, ResourceEnds, net_changes, nth_active, printed_output, short_path,
};
pub use recording::failure_words::{AddedTwice, added_twice, failure_words, headline, shorten_ids};
pub use recording::identity::{Identity, LastState, ResourceKey, pair_by_key};
pub use recording::index::RecordingIndex;
pub use recording::path_display::{
    FileNames, FindRepositoryTop, displayed_path, is_shown_relative, make_paths_relative, relative,
};
pub use recording::selector::ResourceNameError;
pub use search::{FieldMatch, grep};
pub use span::span_at;
pub use targets::components::{
    Cell, ComponentEffect, ComponentMatrix, ComponentStatus, ComponentTrial, OverlayRow,
    add_component_trials, component_table, is_component_on, target_component_table,
    toggle_component_edit,
};
pub use targets::custom_types::CustomTypes;
pub use targets::file_check::{EditedTexts, FileCheck};
pub use targets::grouped_rows::{build_rows, report_rows, repository_row, row_message};
pub use targets::report_rows::{lower_unwanted, remove_unrequested};
pub use targets::repository_builds::RepositoryBuilds;
pub use targets::shared_paths::add_shared_paths;
pub use targets::target_check::{
    ChangedInputs, TargetCheck, TrialAnswers, drop_unverified_fixes, findings_of_repository,
    rebuilder,
};
pub use targets::target_reports::{RepositoryReport, TargetBuildState, TargetSummary};
pub use targets::unlisted_manifests::{add_unlisted_manifests, unlisted_manifests};
