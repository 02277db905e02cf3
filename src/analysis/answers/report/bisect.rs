//! The document of `kzui bisect --json`.

use super::documents;

documents! {
    pub struct BisectReport {
        pub schema_version: u32,
        pub target: String,
        pub question: String,
        pub good: String,
        pub bad: String,
        pub commits: usize,
        pub built: usize,
        pub suspects: Vec<BisectCommit>,
        pub bad_parents: Vec<String>,
        pub not_known: Vec<UnknownCommit>,
        pub untold: Vec<UnknownCommit>,
        pub before: Option<BisectState>,
        pub after: Option<BisectState>,
        pub edits: Vec<BisectEdit>,
        pub tried: bool,
    }

    pub struct BisectCommit {
        pub id: String,
        pub author: String,
        pub subject: String,
        pub parents: usize,
    }

    pub struct UnknownCommit {
        pub id: String,
        pub reason: String,
    }

    pub struct BisectState {
        pub value: Option<String>,
        pub words: String,
        pub at: Option<String>,
    }

    pub struct BisectEdit {
        pub file: String,
        pub line: u32,
        pub old_line: u32,
        pub old: Vec<String>,
        pub new: Vec<String>,
    }
}
