//! The document of `kzui migrate --json`.

use crate::answers::Migration;

use super::documents;

documents! {
    pub struct MigrateReport {
        pub schema_version: u32,
        pub is_written: bool,
        pub rewritten: usize,
        pub targets: usize,
        pub identical: usize,
        pub not_known: Vec<NotKnownTarget>,
        pub fields: Vec<MigratedFieldReport>,
        pub files: Vec<MigratedFileReport>,
    }

    pub struct NotKnownTarget {
        pub target: String,
        pub reason: String,
    }

    pub struct MigratedFieldReport {
        pub file: String,
        pub line: u32,
        pub field: String,
        pub new_field: Option<String>,
        pub refused: Option<String>,
        pub refused_by: Option<String>,
    }

    pub struct MigratedFileReport {
        pub file: String,
        pub diff: String,
    }
}

impl MigrateReport {
    /// The document of a migration. `path` formats the names of files and targets, `text` masks
    /// Secrets, and `diffs` are the diffs of the changed files.
    pub fn new(
        migration: &Migration,
        diffs: Vec<MigratedFileReport>,
        path: &dyn Fn(&std::path::Path) -> String,
        text: &dyn Fn(&str) -> String,
    ) -> Self {
        let fields = migration.fields.iter().map(|field| MigratedFieldReport {
            file: path(&field.file),
            line: field.line,
            field: field.field.to_owned(),
            new_field: field.new_field.map(str::to_owned),
            refused: field.refused.as_ref().map(|it| text(&it.reason)),
            refused_by: field.refused.as_ref().and_then(|it| it.target.as_deref()).map(path),
        });
        let not_known = migration
            .proof
            .not_known
            .iter()
            .map(|(target, reason)| NotKnownTarget { target: path(target), reason: text(reason) });
        Self {
            schema_version: 1,
            is_written: false,
            rewritten: migration.fields.iter().filter(|field| field.refused.is_none()).count(),
            targets: migration.proof.targets,
            identical: migration.proof.count_identical_targets(),
            not_known: not_known.collect(),
            fields: fields.collect(),
            files: diffs,
        }
    }
}
