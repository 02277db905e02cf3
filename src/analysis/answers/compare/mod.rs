//! The differences of two builds, and the edits that cause them.

mod alike;
mod changed_files;
mod consequence;
mod danger;
mod documents;
mod edit;
mod edit_lines;
mod edit_set;
mod edits;
mod entry_edits;
mod fields;
mod folders;
mod gather;
mod headline;
mod ignored;
mod image_name;
pub(super) mod layout;
mod left;
mod likely;
mod pairs;
mod path;
mod pending;
mod place;
mod reason;
mod reasons;
mod report;
mod review;
mod search;
mod settled;
mod shards;
mod sides;
mod telling;
mod texts;
pub(super) mod unified;
mod words;

pub use consequence::{Consequence, ResourceCount, Weight};
pub use danger::{Pruning, dangers};
pub use edit::{Edit, EditId};
pub use edits::{FileEdits, file_edits};
pub use fields::{ChangeKind, FieldChange, differences};
pub use gather::{How, gather, has_resource};
pub use image_name::name_and_version;
pub use likely::Written;
pub use pairs::{Pair, pair_up};
pub use path::{FieldPath, Segment};
pub use pending::{PendingStep, PendingSteps};
pub use place::{Place, Sources, Texts, Tree, both, branch, disk, drafted, files_of, short};
pub use reason::{Reason, Trials};
pub use reasons::reasons;
pub use report::{
    Cause, CauseDanger, CommitOfEdit, ComparisonResult, DangerCount, ImageCount, LocatedField,
    NoEdit, Report, ReportDanger, ReportEdit, ReportField, ReportHeadline, ReportImage,
    ReportPending, ReportResource, ReportTarget, SCHEMA_VERSION, SameChange, TargetState,
};
pub use review::{ReviewRow, RowDanger, RowKind, is_description};
pub use shards::{NotMerged, Shard, merge_reports};
pub use sides::{Built, Compared, Outcomes, Side, compare_target};
pub use telling::{Told, report_edit, report_target};
pub use words::{
    change_words, commit_words, cut, cut_both, dangers_of, edit_line, edit_words,
    field_without_edit, field_words, heading, names, names_of, no_edit_words, one_change,
    path_words, state_sentence, state_words, summary, target_notes, without_edit,
};
