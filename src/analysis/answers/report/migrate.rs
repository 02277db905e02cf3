//! The document of `kzui migrate --json`.

use serde::Serialize;

use crate::answers::Migration;

/// The deprecated fields of a repository, each in its new form or with the reason against it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct MigrateReport {
    pub schema_version: u32,
    /// True if the files were written.
    pub is_written: bool,
    /// The number of deprecated fields that are rewritten.
    pub rewritten: usize,
    /// The number of targets that build with a rewritten file.
    pub targets: usize,
    /// The number of targets with a rewritten file and the same output, byte for byte.
    pub identical: usize,
    /// The targets with a rewritten file whose output is not known.
    pub not_known: Vec<NotKnownTarget>,
    /// The deprecated fields, by file and line.
    pub fields: Vec<MigratedFieldReport>,
    /// The rewritten files.
    pub files: Vec<MigratedFileReport>,
}

/// A target without a known output.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct NotKnownTarget {
    /// The target: a folder or a deployment object.
    pub target: String,
    /// The error of the build, or the fetch, trust or run that the first pending step needs.
    pub reason: String,
}

/// A deprecated field of a kustomization file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct MigratedFieldReport {
    /// The kustomization file.
    pub file: String,
    /// The line of the field, from 1.
    pub line: u32,
    /// The name of the field.
    pub field: String,
    /// The new field; null if kzui cannot write the new form.
    pub new_field: Option<String>,
    /// The reason why the field is not rewritten; null if it is rewritten.
    pub refused: Option<String>,
    /// The target with the build that shows the reason.
    pub refused_by: Option<String>,
}

/// A rewritten file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct MigratedFileReport {
    /// The kustomization file.
    pub file: String,
    /// The unified diff of the file.
    pub diff: String,
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
            rewritten: migration.count_rewritten_fields(),
            targets: migration.proof.targets,
            identical: migration.proof.count_identical_targets(),
            not_known: not_known.collect(),
            fields: fields.collect(),
            files: diffs,
        }
    }
}
