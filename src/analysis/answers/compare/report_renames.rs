//! The renames of all targets in a report.

use super::report_context::ReportContext;
use super::sides::SideBuild;
use super::{FieldChange, Outcomes, ReportRename, ReportResource, ReportTarget, ResourcePair};
use crate::display::counted;
use crate::engine::evaluate::{Step, StepKind, Trace};
use crate::engine::resource::{QuickMap, Resource, Slot};

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

/// Adds the renames of a target to those of a report, and their indices to the fields of the target
/// that they change.
pub(super) fn add_renames(
    all: &mut Vec<ReportRename>,
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
                all[*number].resources += usize::from(is_own);
                all[*number].references += usize::from(!is_own);
            }
        }
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
    let sides = [(&outcomes.before, &rename.before), (&outcomes.after, &rename.after)];
    let steps = sides.map(|(built, it)| built.trace.steps.get(it.as_ref()?.step));
    let [was_at, at] = told.places(outcomes, steps.map(|step| Some(step?.mark)));
    let texts = sides.map(|(_, it)| Some(told.secrets.label(&it.as_ref()?.text)));
    let [before, after] = texts.map(|text| text.filter(|text| !text.is_empty()));
    let [old, new] = steps;
    let field = new.or(old).map_or("", field).to_owned();
    ReportRename { field, before, after, at, was_at, ..ReportRename::default() }
}

fn field(step: &Step) -> &str {
    match (step.kind, step.field) {
        (StepKind::Hash, _) => HASH_FIELD,
        (_, "") => &step.name,
        (_, field) => field,
    }
}

#[derive(Clone, PartialEq, Eq, Hash)]
struct RenamingStep {
    step: usize,
    /// The part of the name that the step adds, or the new name or namespace.
    text: String,
}

/// A rename by one step on each side; `None` for a side without the step.
#[derive(PartialEq, Eq, Hash)]
struct Rename {
    before: Option<RenamingStep>,
    after: Option<RenamingStep>,
}

/// The steps that renamed the resources of one side, by the address of the resource.
type RenamingSteps = QuickMap<usize, [Vec<RenamingStep>; 2]>;

/// The indices of renames in a report by the old and the new name, and by the old and the new
/// namespace.
type RenamesByNames = [QuickMap<(String, String), Vec<usize>>; 2];

const NAME_PATH: &[&str] = &["metadata", "name"];
const NAMESPACE_PATH: &[&str] = &["metadata", "namespace"];

/// Adds the renames between both sides of a target to those of a report.
fn add_target_renames(
    all: &mut Vec<ReportRename>,
    outcomes: &Outcomes,
    told: &ReportContext<'_>,
) -> RenamesByNames {
    let sides = [renaming_steps(&outcomes.before), renaming_steps(&outcomes.after)];
    // Many resources have the same rename, and a report may have many rows.
    let mut known: QuickMap<Rename, usize> = QuickMap::default();
    let mut number = |rename: Rename| {
        let row = |rename: &Rename| add_rename(all, rename_row(rename, outcomes, told));
        *known.entry(rename).or_insert_with_key(row)
    };
    let mut by_names = RenamesByNames::default();
    for (before, after) in outcomes.compared.iter().filter_map(|it| it.pair.both()) {
        let steps = |side: usize, resource: &Resource| {
            sides[side].get(&std::ptr::from_ref(resource).addr()).cloned().unwrap_or_default()
        };
        let ([names, mut spaces], [new_names, mut new_spaces]) =
            (steps(0, before), steps(1, after));
        let traces = (&outcomes.before.trace, &outcomes.after.trace);
        let is_same_origin = before.original_id().name == after.original_id().name;
        if before.id.name != after.id.name && is_same_origin {
            let renames = pair_differing_steps(names, new_names, traces).into_iter();
            let names = (before.id.name.to_string(), after.id.name.to_string());
            by_names[0].insert(names, renames.map(&mut number).collect());
        }
        // If several steps set the namespace, only the last one is visible in the output.
        let (old, new) = (spaces.pop(), new_spaces.pop());
        let is_set = |step: &Option<RenamingStep>, resource: &Resource| {
            step.as_ref().map_or("", |it| &it.text) == &*resource.id.namespace
        };
        if before.id.namespace != after.id.namespace && is_set(&old, before) && is_set(&new, after)
        {
            let rename = number(Rename { before: old, after: new });
            let names = (before.id.namespace.to_string(), after.id.namespace.to_string());
            by_names[1].insert(names, vec![rename]);
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
    let (before, after) = (pair.before.as_ref()?, pair.after.as_ref()?);
    let keys = change.path.keys();
    if keys == NAME_PATH {
        let names = (before.id.name.to_string(), after.id.name.to_string());
        return by_name.get(&names).filter(|all| !all.is_empty()).cloned();
    }
    if keys == NAMESPACE_PATH {
        let names = (before.id.namespace.to_string(), after.id.namespace.to_string());
        return by_namespace.get(&names).cloned();
    }
    let is_reference = step.is_some_and(|step| {
        step.kind == StepKind::NameReferences || ["namespace", "namePrefix"].contains(&step.field)
    });
    let text = |node: &Option<crate::engine::yaml::Node>| Some(node.as_ref()?.text()?.to_owned());
    let names = (text(&change.before)?, text(&change.after)?);
    let by_name = by_name.get(&names).or_else(|| by_namespace.get(&names));
    by_name.filter(|all| is_reference && !all.is_empty()).cloned()
}

/// The steps of both sides that add different texts to a name, paired by their field.
fn pair_differing_steps(
    before: Vec<RenamingStep>,
    after: Vec<RenamingStep>,
    (old, new): (&Trace, &Trace),
) -> Vec<Rename> {
    let field = |trace: &'_ Trace, it: &RenamingStep| {
        trace.steps.get(it.step).map(|step| (step.kind == StepKind::Hash, step.field))
    };
    let mut before: Vec<Option<RenamingStep>> = before.into_iter().map(Some).collect();
    let mut after = after;
    for one in &mut before {
        let is_same = |other: &RenamingStep| {
            one.as_ref()
                .is_some_and(|one| one.text == other.text && field(old, one) == field(new, other))
        };
        if let Some(at) = after.iter().position(is_same) {
            after.remove(at);
            *one = None;
        }
    }
    let mut renames = Vec::new();
    // Steps of the outermost layer come last in the build and are paired first.
    for one in before.into_iter().flatten().rev() {
        let at = after.iter().rposition(|other| field(old, &one) == field(new, other));
        let other = at.map(|at| after.remove(at));
        renames.push(Rename { before: Some(one), after: other });
    }
    renames.extend(after.into_iter().map(|it| Rename { before: None, after: Some(it) }));
    for rename in &mut renames {
        // All hashes are one rename: the texts differ in each resource.
        for (trace, step) in [(old, &mut rename.before), (new, &mut rename.after)] {
            let is_hash = |it: &RenamingStep| field(trace, it).is_some_and(|(is_hash, _)| is_hash);
            if let Some(step) = step.as_mut().filter(|it| is_hash(it)) {
                step.text.clear();
            }
        }
    }
    renames
}

/// The steps of a build that changed the name or the namespace of each resource of the output.
fn renaming_steps(built: &SideBuild) -> RenamingSteps {
    let mut by_slot: QuickMap<Slot, [Vec<RenamingStep>; 2]> = QuickMap::default();
    for (index, step) in built.trace.steps.iter().enumerate() {
        if matches!(step.kind, StepKind::Merge | StepKind::Load | StepKind::Generate) {
            continue;
        }
        for change in &step.changes {
            let (Some(before), Some(after)) = (&change.before, &change.after) else { continue };
            let (old, new) = (&before.id, &after.id);
            if old.name != new.name {
                let text = affix(&old.name, &new.name).to_owned();
                let found = &mut by_slot.entry(change.slot).or_default()[0];
                found.push(RenamingStep { step: index, text });
            }
            if old.namespace != new.namespace {
                let text = new.namespace.to_string();
                let found = &mut by_slot.entry(change.slot).or_default()[1];
                found.push(RenamingStep { step: index, text });
            }
        }
    }
    let output = built.outcome.iter().flatten();
    let of = |(slot, resource): (&Slot, &std::sync::Arc<Resource>)| {
        Some((std::sync::Arc::as_ptr(resource).addr(), by_slot.get(slot)?.clone()))
    };
    built.slots.iter().zip(output).filter_map(of).collect()
}

/// The text that a step adds before or after a name; the new name for any other change.
fn affix<'n>(old: &str, new: &'n str) -> &'n str {
    new.strip_suffix(old).or_else(|| new.strip_prefix(old)).unwrap_or(new)
}
