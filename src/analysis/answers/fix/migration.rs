//! The migration of all deprecated fields of some kustomization files, each verified in every target
//! that builds with its file.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::proof::Proof;
use super::repairs::{FixSelection, RebuildTarget, RefutedFix, repairs_on_all_cores};
use crate::answers::lint::finding_kind::FindingKind;
use crate::answers::{SharedFinding, waivers};
use crate::draft::{FileChange, WriteScope};
use crate::engine::diagnostic::{Code, Diagnostic, Fix};
use crate::engine::evaluate::BuildWarning;
use crate::engine::load::Files;
use crate::engine::manifest::{DeprecatedField, KustomizationField, ListForm, Outline};
use crate::engine::yaml::Mark;
use crate::repository::{Repository, TargetKind};

#[derive(Debug, Default)]
pub struct Migration {
    pub fields: Vec<MigratedField>,
    pub changes: Vec<FileChange>,
    pub proof: Proof,
}

/// A deprecated field of a kustomization file, with its replacement or the reason against one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MigratedField {
    pub file: PathBuf,
    pub line: u32,
    pub field: &'static str,
    pub new_field: Option<&'static str>,
    pub refused: Option<RefutedFix>,
}

/// The deprecated fields of the kustomization files below some paths, as findings with their fix;
/// `names` are all targets of the repository.
pub fn deprecated_fields(
    repository: &Repository,
    below: &[PathBuf],
    names: &BTreeSet<PathBuf>,
    files: &dyn Files,
) -> Vec<SharedFinding> {
    let mut found = Vec::new();
    for target in repository.targets().filter(|it| it.kind != TargetKind::Composition) {
        if !below.iter().any(|path| target.file.starts_with(path)) {
            continue;
        }
        let Ok(text) = files.read(&target.file) else { continue };
        let fields = deprecated_fields_in_text(&text);
        if fields.is_empty() {
            continue;
        }
        let affected = repository.affected_targets(names, std::slice::from_ref(&target.file));
        let bases = repository.affected_bases(names, std::slice::from_ref(&target.file));
        let waivers = waivers(&String::from_utf8_lossy(&text));
        for warning in fields {
            let (field, mark) = (warning.field, warning.mark);
            let waiver = waivers
                .iter()
                .find(|it| it.covers(Code::KZ001.as_str(), mark.line) && !it.reason.is_empty());
            let warning = FindingKind::Warning(Box::new(BuildWarning::Deprecated(warning)));
            let diagnostic = Diagnostic::<FindingKind>::new(warning, mark);
            found.push(SharedFinding {
                fix: Some(Fix::Migrate(field.to_owned())),
                fix_file: Some(target.file.clone()),
                affected: affected.clone(),
                bases: bases.clone(),
                waived: waiver.map(|it| it.reason.clone()),
                ..SharedFinding::new(&diagnostic, &target.file, affected.clone())
            });
        }
    }
    found
}

fn deprecated_fields_in_text(text: &[u8]) -> Vec<DeprecatedField> {
    let outline = Outline::parse(text);
    let in_use = outline.fields.iter().filter(|field| {
        !field.disabled
            && (field.form != ListForm::Null || field.entries.iter().any(|it| !it.disabled))
    });
    let deprecated = in_use.filter_map(|field| {
        let known = KustomizationField::from_name(&field.name)?;
        let mark = Mark { line: field.line, column: 1, ..Mark::default() };
        Some(DeprecatedField { field: known.name(), instead: known.instead()?, mark })
    });
    deprecated.collect()
}

/// Rewrites deprecated fields, and builds the targets that use each changed file. Targets without a
/// known output do not prevent the migration of a field: they are listed.
pub fn migrate_fields<'r>(
    found: &[SharedFinding],
    files: &Arc<dyn Files>,
    builder: &(dyn Fn() -> Box<RebuildTarget<'r>> + Sync),
    scope: &WriteScope,
) -> Migration {
    let repairs = repairs_on_all_cores(found, files, builder, FixSelection::All, scope);
    let mut out = Migration { changes: repairs.changes, ..Migration::default() };
    let mut targets: BTreeSet<&Path> = BTreeSet::new();
    for (at, one) in found.iter().enumerate() {
        let proved = repairs.proved.iter().find(|it| it.finding == at && it.is_done);
        let refused = if let Some(proved) = proved {
            targets.extend(one.affected.iter().map(PathBuf::as_path));
            out.proof.not_known.extend(proved.unconfirmed.iter().cloned());
            None
        } else {
            let refused = repairs.refused.iter().find(|it| it.finding == at);
            let waived = one.waived.as_ref().map(|reason| format!("waived: {reason}"));
            let reason = waived.or_else(|| refused.map(|it| it.reason.clone()));
            Some(RefutedFix {
                finding: at,
                reason: reason.unwrap_or_else(|| "not tried".to_owned()),
                target: refused.and_then(|it| it.target.clone()),
            })
        };
        let Some(Fix::Migrate(field)) = &one.fix else { continue };
        let Some(known) = KustomizationField::from_name(field) else { continue };
        out.fields.push(MigratedField {
            file: one.fix_file.clone().unwrap_or_default(),
            line: one.mark.line,
            field: known.name(),
            new_field: super::migrate_field::replacement_field(field),
            refused,
        });
    }
    out.proof.targets = targets.len();
    out
}
