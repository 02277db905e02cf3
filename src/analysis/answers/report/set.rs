//! The document of `kzui set --json`.

use super::documents;
use super::migrate::MigratedFileReport;

documents! {
    pub struct SetReport {
        pub schema_version: u32,
        pub target: String,
        pub resource: String,
        pub field: String,
        pub before: Option<String>,
        pub wanted: Option<String>,
        pub is_appended: bool,
        pub refused: Option<String>,
        pub waits_for: Option<String>,
        pub written: Option<usize>,
        pub proposals: Vec<SetProposal>,
    }

    pub struct SetProposal {
        pub number: usize,
        pub kind: String,
        pub words: String,
        pub file: String,
        pub line: u32,
        pub is_exact: bool,
        pub also: Vec<SetAffected>,
        pub files: Vec<MigratedFileReport>,
    }

    pub struct SetAffected {
        pub target: String,
        pub resource: String,
        pub field: String,
    }
}
