//! The differences of two builds, and the edits that cause them.

mod alike;
mod changed_files;
mod consequence;
mod danger;
mod documents;
mod edit;
mod edit_lines;
mod edit_set;
mod edit_words;
mod edits;
mod entry_edits;
mod entry_lines;
mod fields;
mod folders;
mod gather;
mod group_trials;
mod headline;
mod ignored;
mod image_name;
pub(super) mod layout;
mod left;
mod likely;
mod new_names;
mod pairs;
mod path;
mod pending;
mod place;
mod reason;
mod reasons;
mod renames;
mod report;
mod report_context;
mod report_renames;
mod review;
mod scalar_edits;
mod search;
mod settled;
mod shards;
mod side_targets;
mod sides;
mod texts;
pub(super) mod unified;
mod words;

pub use consequence::{Consequence, ResourceCount, Weight};
pub use danger::{Pruning, dangers};
pub use edit::{EditId, FileEdit};
pub use edit_words::{commit_words, cut, cut_both, edit_line, edit_words};
pub use edits::{FileEdits, file_edits};
pub use fields::{ChangeKind, FieldChange, differences};
pub use gather::{CompareSettings, compare_sides, has_resource};
pub use image_name::name_and_version;
pub use likely::WriteLocation;
pub use pairs::{ResourcePair, pair_up};
pub use path::{FieldPath, FieldSegment};
pub use pending::{PendingStep, PendingSteps};
pub use place::{
    ComparedSide, SideSources, Texts, Tree, branch, disk, drafted, files_of, parse_sides, short,
};
pub use reason::{DifferenceCause, Trials};
pub use reasons::reasons;
pub use report::{
    CauseDanger, CauseGroup, CommitOfEdit, CompareReport, ComparisonResult, DangerCount,
    ImageCount, LocatedField, NoEdit, ReportDanger, ReportEdit, ReportField, ReportHeadline,
    ReportImage, ReportPending, ReportRename, ReportResource, ReportTarget, ReportUnknownField,
    SCHEMA_VERSION, SameChange, TargetState,
};
pub use report_context::{ReportContext, report_edit, report_target};
pub use review::{ReviewRow, ReviewRowKind, RowDanger, is_description};
pub use shards::{NotMerged, Shard, merge_reports};
pub use sides::{ComparedResource, Outcomes, Side, SideBuild, compare_target};
pub use words::{
    brief_need, change_words, dangers_of, field_without_edit, field_words, heading, names,
    names_of, no_edit_words, one_change, path_words, state_sentence, state_words, summary,
    target_notes, target_words, without_edit,
};
