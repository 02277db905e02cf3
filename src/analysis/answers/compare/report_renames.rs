//! The renames of all targets in a report.

use super::renames::{Rename, renames};
use super::report_context::place;
use super::{Outcomes, ReportContext, ReportRename, ReportResource, ReportTarget};
use crate::display::counted;
use crate::engine::evaluate::{Step, StepKind};

/// The name under which renames by a hash of the content are listed.
const HASH_FIELD: &str = "hash";

impl ReportRename {
    /// The rename in words: `namePrefix: staging- → prod-`.
    pub fn words(&self) -> String {
        let field = &self.field;
        match (&self.before, &self.after) {
            (Some(before), Some(after)) => format!("{field}: {before} → {after}"),
            (None, Some(after)) => format!("+ {field}: {after}"),
            (Some(before), None) => format!("− {field}: {before}"),
            (None, None) if field == HASH_FIELD => "hashes of content".to_owned(),
            (None, None) => field.clone(),
        }
    }

    /// The counts in words: `45 resources, 19 references`.
    pub fn count_words(&self) -> String {
        let part = |count: usize, one: &str| (count > 0).then(|| counted(count, one));
        let parts = [part(self.resources, "resource"), part(self.references, "reference")];
        parts.into_iter().flatten().collect::<Vec<_>>().join(", ")
    }

    /// The location of the entry on the second side, else that on the first.
    pub fn place(&self) -> Option<&str> {
        self.at.as_deref().or(self.was_at.as_deref())
    }
}

impl ReportResource {
    pub fn is_only_renamed(&self) -> bool {
        !self.fields.is_empty() && self.fields.iter().all(|field| !field.renames.is_empty())
    }
}

#[derive(Default)]
pub(super) struct ReportRenames(Vec<ReportRename>);

impl ReportRenames {
    /// Adds the renames of a target, and adds their indices to the fields in its report that they
    /// change.
    pub(super) fn add(
        &mut self,
        target: &mut ReportTarget,
        outcomes: &Outcomes,
        told: &ReportContext<'_>,
    ) {
        let of_target = renames(outcomes);
        let row = |rename: &Rename| add_rename(&mut self.0, rename_row(rename, outcomes, told));
        let rows: Vec<usize> = of_target.renames.iter().map(row).collect();
        for ((resource, field), renames) in of_target.of_change {
            let resource = target.resources.get_mut(resource);
            let Some(field) = resource.and_then(|it| it.fields.get_mut(field)) else { continue };
            for number in renames.into_iter().filter_map(|at| rows.get(at).copied()) {
                let row = &mut self.0[number];
                let is_own = ["metadata.name", "metadata.namespace"].contains(&&*field.path);
                row.resources += usize::from(is_own);
                row.references += usize::from(!is_own);
                field.renames.push(number);
            }
        }
    }

    /// The rows of the list of renames in a report; fields refer to them by index.
    pub(super) fn into_rows(self) -> Vec<ReportRename> {
        self.0
    }
}

/// Adds a row to the list of renames, or adds its counts to an equal row. Returns the index of the
/// row.
pub(super) fn add_rename(rows: &mut Vec<ReportRename>, new: ReportRename) -> usize {
    let key = |it: &ReportRename| ReportRename { resources: 0, references: 0, ..it.clone() };
    if let Some(at) = rows.iter().position(|row| key(row) == key(&new)) {
        rows[at].resources += new.resources;
        rows[at].references += new.references;
        return at;
    }
    rows.push(new);
    rows.len() - 1
}

fn rename_row(rename: &Rename, outcomes: &Outcomes, told: &ReportContext<'_>) -> ReportRename {
    let Outcomes { before, after, .. } = outcomes;
    let sides = [
        (before, rename.before.as_ref(), told.roots),
        (after, rename.after.as_ref(), (told.roots.1, told.roots.1)),
    ];
    let steps = sides.map(|(built, step, roots)| {
        let renaming = step?;
        let step = built.trace.steps.get(renaming.step)?;
        let text = told.secrets.label(&renaming.text);
        Some((field(step), text, place(built, Some(step.mark), roots)))
    });
    let [before, after] = steps;
    let field = after.as_ref().or(before.as_ref()).map_or("", |(field, ..)| field);
    let text = |side: &Option<(&str, String, Option<String>)>| {
        side.as_ref().map(|(_, text, _)| text.clone()).filter(|text| !text.is_empty())
    };
    ReportRename {
        field: field.to_owned(),
        before: text(&before),
        after: text(&after),
        at: after.and_then(|(.., at)| at),
        was_at: before.and_then(|(.., at)| at),
        resources: 0,
        references: 0,
    }
}

fn field(step: &Step) -> &str {
    match (step.kind, step.field) {
        (StepKind::Hash, _) => HASH_FIELD,
        (_, "") => &step.name,
        (_, field) => field,
    }
}
