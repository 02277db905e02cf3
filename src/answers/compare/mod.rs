//! What two builds differ in, and which edit made it so.

mod danger;
mod edits;
mod fields;
mod gather;
mod pairs;
mod path;
mod place;
mod reasons;
mod report;
mod shards;
mod sides;
mod telling;
mod words;

pub use danger::dangers;
pub use edits::{Edit, FileEdits, file_edits};
pub use fields::{ChangeKind, FieldChange, differences};
pub use gather::{How, gather, has_resource};
pub use pairs::{Pair, pair_up};
pub use path::{FieldPath, Segment};
pub use place::{Place, Sources, Texts, Tree, both, branch, disk, drafted, files_of, short};
pub use reasons::{EditId, Reason, Trials, reasons};
pub use report::{
    Cause, CommitOfEdit, Report, ReportDanger, ReportEdit, ReportField, ReportResource,
    ReportTarget, SCHEMA_VERSION, SameChange, TargetState,
};
pub use shards::{NotMerged, Shard, merge_reports};
pub use sides::{Built, Compared, Outcomes, Side, compare_target};
pub use telling::{Told, report_edit, report_target};
pub use words::{
    cut, dangers_of, edit_line, edit_words, field_words, heading, names, one_change, state_words,
    summary,
};
