//! The differences of two builds, and the edits that cause them.

mod addition_edits;
mod causes;
mod changed_files;
mod cluster;
mod cluster_report;
mod comparison;
mod consequence;
mod danger;
mod documents;
mod edit;
mod edit_pieces;
mod edit_words;
mod edits;
mod entry_edits;
mod entry_lines;
mod field_path;
mod fields;
mod folders;
mod group_trials;
mod headline;
pub(super) mod layout;
mod likely_edits;
pub mod minimize;
mod pending_steps;
mod remaining_differences;
mod report;
mod report_context;
mod report_renames;
mod resource_pairs;
mod resource_text;
mod review;
mod shards;
mod side_sources;
mod side_targets;
mod side_words;
mod sides;
mod words;

pub use causes::DifferenceCause;
use causes::{Trials, find_causes};
pub use cluster::{ClusterRequest, compare_with_cluster};
pub use cluster_report::{ClusterReport, RefusedField, ReportDrift, ReportRefusal};
pub use comparison::{CompareSettings, compare_sides, has_resource};
pub use consequence::{Consequence, ConsequenceWeight, ResourceCount};
pub use danger::{Pruning, dangers};
pub use edit::{EditId, FileEdit};
pub use edit_words::{commit_words, edit_line, edit_words, truncate_both_values, truncate_value};
pub use edits::{FileEdits, file_edits};
pub use field_path::{FieldPath, FieldSegment};
pub use fields::{ChangeKind, FieldChange, differences};
pub(in crate::answers) use headline::image_parts;
pub use headline::{name_and_version, severity_rank};
pub use likely_edits::WriteLocation;
pub use pending_steps::{PendingStep, PendingSteps};
pub use remaining_differences::is_path_prefix;
pub use report::{
    CauseDanger, CauseGroup, CommitOfEdit, CompareReport, ComparisonResult, DangerCount,
    ImageCount, LocatedField, NoEdit, ReportDanger, ReportEdit, ReportField, ReportHeadline,
    ReportImage, ReportPending, ReportRename, ReportResource, ReportTarget, ReportUnknownField,
    SCHEMA_VERSION, SameChange, TargetState,
};
pub use resource_pairs::{ResourcePair, pair_up};
pub use review::{ReviewRow, ReviewRowKind, RowDanger, is_description};
pub use shards::{Shard, merge_reports};
pub use side_sources::{
    ComparedSide, OpenDraft, SideSources, Tree, branch_sides, commit_files, disk_tree,
    short_commit_id,
};
pub use side_words::{parse_side, parse_sides};
pub use sides::{ComparedResource, Outcomes, Side, SideBuild};
pub use words::{
    cause_heading_lines, change_words, field_no_edit_reason, field_words, merged_dangers,
    need_without_remedy, no_edit_reason, no_edit_words, path_words, resource_change_words,
    resource_names, state_count_words, state_sentence, state_words, summary, target_names,
    target_notes, target_words,
};
