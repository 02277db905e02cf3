//! `kzui migrate`: deprecated fields in their new form, verified in every target.

use std::path::Path;
use std::sync::{Mutex, PoisonError};

use clap::Args;

use super::refactor::{print_help, rebuilder};
use super::targets::{SelectedTargets, select, write_scope};
use super::{BuildFlags, CliPorts, Exit, changes, options};
use crate::answers::report::{MigrateReport, MigratedFileReport};
use crate::answers::secrets::Secrets;
use crate::answers::{
    Migration, Proof, SharedFinding, deprecated_fields, migrate_fields, relative,
};
use crate::cli::failure::CommandResult;
use crate::display::counted;
use crate::draft::WriteScope;

#[derive(Clone, Debug, Args)]
#[command(
    after_help = "Examples:\n  kzui migrate\n  kzui migrate overlays --write\n  kzui migrate --fetch --json\n\nExit status: 0 on success, 1 if a deprecated field is not rewritten, 2 for a usage error."
)]
pub struct MigrateArgs {
    /// Folders with kustomization files in or below them, or the files
    #[arg(value_name = "PATH", default_value = ".")]
    pub paths: Vec<String>,
    /// Write the files; by default only the diff and the summary are shown
    #[arg(long)]
    pub write: bool,
    /// Print JSON, for scripts
    #[arg(long)]
    pub json: bool,
    #[command(flatten)]
    pub build: BuildFlags,
}

pub(super) fn run(arguments: &MigrateArgs, outside: &mut CliPorts<'_>) -> CommandResult {
    let (migration, scope, secrets) = prepare(arguments, outside)?;
    let base = outside.current.clone();
    let diffs = migration.changes.iter().map(|change| MigratedFileReport {
        file: relative(&change.path, &base),
        diff: changes::diff(change, &base, &secrets),
    });
    let path = |path: &Path| relative(path, &base);
    let text = |text: &str| secrets.text(text);
    let mut report = MigrateReport::new(&migration, diffs.collect(), &path, &text);
    if !arguments.json {
        for file in &report.files {
            outside.out.text(&file.diff)?;
        }
    }
    if arguments.write {
        outside.out.flush()?;
        let words = format!("migrate {}", counted(report.rewritten, "deprecated field"));
        changes::write(&migration.changes, &scope, &words, "written", outside)?;
        report.is_written = true;
    }
    if arguments.json {
        outside.out.json(&report)?;
    } else {
        print_summary(&report, &migration.proof, outside)?;
    }
    let is_left = report.rewritten < report.fields.len();
    Ok(if is_left { Exit::FAILED } else { Exit::OK })
}

/// A planned migration, the files that it may change, and the Secrets whose values are masked.
type PlannedMigration = (Migration, WriteScope, Secrets);

/// Finds the deprecated fields of the targets, and tries their new form in builds.
fn prepare(arguments: &MigrateArgs, outside: &CliPorts<'_>) -> Result<PlannedMigration, String> {
    let (options, ports) = options::repeated_builds(&arguments.build, outside)?;
    let files = ports.files.clone();
    let SelectedTargets { paths, around, .. } = select(&arguments.paths, outside, &files)?;
    let around = around.ok_or("the targets of the repository are not known")?;
    let mut found: Vec<SharedFinding> = Vec::new();
    for repository in &around {
        let names = repository.all_target_names();
        found.extend(deprecated_fields(repository, &paths, &names, &*files));
    }
    let secrets = Mutex::new(super::diff::secrets(false, outside));
    let current = &*outside.current;
    let builder = || rebuilder((&options, &ports), current, &secrets);
    let scope = write_scope(&paths, &*files);
    let migration = migrate_fields(&found, &files, &builder, &scope);
    let secrets = secrets.into_inner().unwrap_or_else(PoisonError::into_inner);
    Ok((migration, scope, secrets))
}

fn print_summary(
    report: &MigrateReport,
    proof: &Proof,
    outside: &mut CliPorts<'_>,
) -> std::io::Result<()> {
    let out = &mut outside.out;
    for field in &report.fields {
        let Some(reason) = &field.refused else { continue };
        let by = field.refused_by.as_ref().map(|target| format!(" (target {target})"));
        let (file, line, name) = (&field.file, field.line, &field.field);
        writeln!(out, "{file}:{line}: {name} not rewritten: {reason}{}", by.unwrap_or_default())?;
    }
    for target in &report.not_known {
        writeln!(out, "{}: output not known: {}", target.target, target.reason)?;
    }
    if report.fields.is_empty() {
        return writeln!(out, "no deprecated fields");
    }
    let fields = counted(report.fields.len(), "deprecated field");
    let rewritten = report.rewritten;
    writeln!(out, "{fields}: {rewritten} rewritten, {}", proof.words())?;
    let files = counted(report.files.len(), "file");
    let to_write = (rewritten > 0).then(|| format!("write {files}"));
    print_help(to_write.as_deref(), report.is_written, proof, outside)
}
