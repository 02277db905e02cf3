//! The renames of all targets in a report.

use std::sync::Arc;

use super::report_context::ReportContext;
use super::sides::SideBuild;
use super::{FieldChange, Outcomes, ReportRename, ReportResource, ReportTarget, ResourcePair};
use crate::display::counted;
use crate::engine::evaluate::{Step, StepKind};
use crate::engine::resource::{QuickMap, Slot};
use crate::engine::yaml::Node;

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

/// Renames without counts, with the numbers of renamed resources and of references to them.
pub(super) type CountedRenames = QuickMap<ReportRename, [usize; 2]>;

/// Adds the counts to those of an equal rename, and returns the index of the rename.
pub(super) fn add_rename(all: &mut CountedRenames, mut rename: ReportRename) -> usize {
    let counts = [&mut rename.resources, &mut rename.references].map(std::mem::take);
    let entry = all.entry(rename);
    let at = entry.index();
    entry.or_default().iter_mut().zip(counts).for_each(|(sum, count)| *sum += count);
    at
}

pub(super) fn with_counts(all: CountedRenames) -> Vec<ReportRename> {
    let counted = all.into_iter().map(|(rename, [resources, references])| ReportRename {
        resources,
        references,
        ..rename
    });
    counted.collect()
}

/// Adds the renames of a target to those of a report, and their indices to the fields of the target
/// that they change.
pub(super) fn add_renames(
    all: &mut CountedRenames,
    target: &mut ReportTarget,
    outcomes: &Outcomes,
    told: &ReportContext<'_>,
) {
    let by_names = add_target_renames(all, outcomes, told);
    for (compared, resource) in outcomes.compared.iter().zip(&mut target.resources) {
        for ((change, reason), field) in compared.changes.iter().zip(&mut resource.fields) {
            let step = reason.at.or(reason.was_at).and_then(|(_, step)| step);
            let built = if reason.at.is_some() { &outcomes.after } else { &outcomes.before };
            let step = step.and_then(|step| built.trace.steps.get(step - 1));
            let renames = causing_renames(&compared.pair, change, step, &by_names);
            field.renames = renames.unwrap_or_default();
            let is_own = ["metadata.name", "metadata.namespace"].contains(&&*field.path);
            for number in &field.renames {
                all[*number][usize::from(!is_own)] += 1;
            }
        }
    }
}

/// A step that changed the name or the namespace of a resource.
struct RenamingStep<'t> {
    step: &'t Step,
    /// The part of the name that the step adds, or the new name or namespace.
    text: String,
}

impl RenamingStep<'_> {
    /// The kind of rename: all hashes are one.
    fn kind(&self) -> (bool, &str) {
        (self.step.kind == StepKind::Hash, self.step.field)
    }
}

/// A rename by one step on each side; `None` for a side without the step.
type Rename<'r, 't> = [Option<&'r RenamingStep<'t>>; 2];

fn rename_row(
    [old, new]: Rename<'_, '_>,
    outcomes: &Outcomes,
    told: &ReportContext<'_>,
) -> ReportRename {
    let [was_at, at] = told.places(outcomes, [old, new].map(|it| Some(it?.step.mark)));
    // The texts of hashes differ in each resource.
    let is_text = |it: &&RenamingStep<'_>| !it.kind().0 && !it.text.is_empty();
    let [before, after] =
        [old, new].map(|it| it.filter(is_text).map(|it| told.secrets.label(&it.text)));
    let field = new.or(old).map_or("", |it| match it.kind() {
        (true, _) => HASH_FIELD,
        (_, "") => &it.step.name,
        (_, field) => field,
    });
    ReportRename { field: field.to_owned(), before, after, at, was_at, ..ReportRename::default() }
}

/// The indices of renames in a report by the old and the new name, and by the old and the new
/// namespace.
type RenamesByNames = [QuickMap<(String, String), Vec<usize>>; 2];

fn add_target_renames(
    all: &mut CountedRenames,
    outcomes: &Outcomes,
    told: &ReportContext<'_>,
) -> RenamesByNames {
    let sides = [&outcomes.before, &outcomes.after].map(renaming_steps);
    let mut number = |rename| add_rename(all, rename_row(rename, outcomes, told));
    let mut by_names = RenamesByNames::default();
    for (before, after) in outcomes.compared.iter().filter_map(|it| it.pair.both()) {
        let [old, new] = [(&sides[0], before), (&sides[1], after)].map(|(steps, resource)| {
            let known = steps.get(&Arc::as_ptr(resource).addr());
            known.map_or([&[][..]; 2], |known| [&known[0], &known[1]])
        });
        let is_same_origin = before.original_id().name == after.original_id().name;
        if before.id.name != after.id.name && is_same_origin {
            let renames = pair_differing_steps(old[0], new[0]).into_iter();
            let names = (before.id.name.to_string(), after.id.name.to_string());
            by_names[0].insert(names, renames.map(&mut number).collect());
        }
        // If several steps set the namespace, only the last one is visible in the output.
        let spaces = [old[1].last(), new[1].last()];
        let is_set = spaces
            .into_iter()
            .zip([before, after])
            .all(|(step, resource)| step.map_or("", |it| &it.text) == &*resource.id.namespace);
        if before.id.namespace != after.id.namespace && is_set {
            let names = (before.id.namespace.to_string(), after.id.namespace.to_string());
            by_names[1].insert(names, vec![number(spaces)]);
        }
    }
    by_names
}

/// The renames that cause a change; `None` for a change that is no rename.
fn causing_renames(
    pair: &ResourcePair,
    change: &FieldChange,
    step: Option<&Step>,
    [by_name, by_namespace]: &RenamesByNames,
) -> Option<Vec<usize>> {
    let (before, after) = pair.both()?;
    let names = |old: &str, new: &str| (old.to_owned(), new.to_owned());
    let found = match *change.path.keys() {
        ["metadata", "name"] => by_name.get(&names(&before.id.name, &after.id.name)),
        ["metadata", "namespace"] => {
            by_namespace.get(&names(&before.id.namespace, &after.id.namespace))
        }
        _ => {
            let is_reference = |step: &Step| {
                step.kind == StepKind::NameReferences
                    || ["namespace", "namePrefix"].contains(&step.field)
            };
            step.filter(|step| is_reference(step))?;
            let text = |node: &Option<Node>| Some(node.as_ref()?.text()?.to_owned());
            let names = (text(&change.before)?, text(&change.after)?);
            by_name.get(&names).or_else(|| by_namespace.get(&names))
        }
    };
    found.filter(|all| !all.is_empty()).cloned()
}

/// The steps of both sides that add different texts to a name, paired by their kind.
fn pair_differing_steps<'r, 't>(
    before: &'r [RenamingStep<'t>],
    after: &'r [RenamingStep<'t>],
) -> Vec<Rename<'r, 't>> {
    let mut after: Vec<&RenamingStep<'_>> = after.iter().collect();
    let mut before: Vec<&RenamingStep<'_>> = before.iter().collect();
    before.retain(|one| {
        let is_same = |it: &&RenamingStep<'_>| it.text == one.text && it.kind() == one.kind();
        after.iter().position(is_same).map(|at| after.remove(at)).is_none()
    });
    // Steps of the outermost layer come last in the build and are paired first.
    let pairs = before.into_iter().rev().map(|one| {
        let at = after.iter().rposition(|other| one.kind() == other.kind());
        [Some(one), at.map(|at| after.remove(at))]
    });
    let mut renames: Vec<Rename<'_, '_>> = pairs.collect();
    renames.extend(after.into_iter().map(|it| [None, Some(it)]));
    renames
}

/// The steps of a build that changed the name or the namespace of each resource of the output, by the
/// address of the resource.
fn renaming_steps(built: &SideBuild) -> QuickMap<usize, [Vec<RenamingStep<'_>>; 2]> {
    let mut by_slot: QuickMap<Slot, [Vec<RenamingStep<'_>>; 2]> = QuickMap::default();
    let makes = [StepKind::Merge, StepKind::Load, StepKind::Generate];
    for step in built.trace.steps.iter().filter(|step| !makes.contains(&step.kind)) {
        for change in &step.changes {
            let (Some(before), Some(after)) = (&change.before, &change.after) else { continue };
            let (old, new) = (&before.id, &after.id);
            if old.name != new.name {
                let text = affix(&old.name, &new.name).to_owned();
                by_slot.entry(change.slot).or_default()[0].push(RenamingStep { step, text });
            }
            if old.namespace != new.namespace {
                let text = new.namespace.to_string();
                by_slot.entry(change.slot).or_default()[1].push(RenamingStep { step, text });
            }
        }
    }
    let output = built.slots.iter().zip(built.outcome.iter().flatten());
    let by_address = output.filter_map(|(slot, resource)| {
        Some((Arc::as_ptr(resource).addr(), by_slot.swap_remove(slot)?))
    });
    by_address.collect()
}

/// The text that a step adds before or after a name; the new name for any other change.
fn affix<'n>(old: &str, new: &'n str) -> &'n str {
    new.strip_suffix(old).or_else(|| new.strip_prefix(old)).unwrap_or(new)
}
