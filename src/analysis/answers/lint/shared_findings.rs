//! The findings of many targets as one report: findings of a shared entry are one finding, with the
//! targets that have it.

use std::collections::btree_map::Entry;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use super::waivers::waivers;
use crate::answers::recording::build::is_pending;
use crate::answers::secrets::Secrets;
use crate::answers::{Finding, Recording, SharedFinding, UnknownCause, step_entry};
use crate::draft::EntryRef;
use crate::engine::diagnostic::{
    BuildRemark, Code, DeployedRemark, Diagnostic, EntryEffect, Fix, Grouping, Hint, Remark,
    Severity, SilentRemark,
};
use crate::engine::evaluate::{Step, StepKind, StepOutcome, Trace};
use crate::engine::load::{Files, relative_path};
use crate::engine::manifest::Outline;
use crate::engine::resource::Slot;
use crate::engine::yaml::{Mark, Node};
use crate::repository::LocatedDeploymentObject;

/// An entry that is not commented out: file, field, and index among such entries.
pub(in crate::answers) type ActiveEntry = (PathBuf, String, usize);

#[derive(Clone, Debug, Default)]
pub struct SharedFindings {
    /// The directory to which paths in messages are relative.
    base: PathBuf,
    found: BTreeMap<Key, SharedFinding>,
    uses: BTreeMap<ActiveEntry, BTreeSet<PathBuf>>,
    suspected: BTreeMap<ActiveEntry, BTreeSet<PathBuf>>,
    /// The targets in which the entry of a deployment object makes a step, by file, line and column.
    added: BTreeMap<(PathBuf, u32, u32), BTreeSet<PathBuf>>,
    /// The targets that build with a folder, each with whether its build succeeds.
    users: BTreeMap<PathBuf, BTreeMap<PathBuf, bool>>,
    failing: BTreeSet<PathBuf>,
    pub targets: BTreeSet<PathBuf>,
    /// The Applications that their `ApplicationSet` does not generate.
    absent: BTreeSet<PathBuf>,
}

/// The key by which equal findings are merged: file, line, column, code, message.
type Key = (Option<PathBuf>, u32, u32, &'static str, String);

impl SharedFindings {
    /// An empty report. Paths in messages are relative to `base`.
    pub fn new(base: PathBuf) -> Self {
        Self { base, ..Self::default() }
    }

    /// Adds the findings of one target. `secrets` are the Secrets of this target alone: with the
    /// Secrets of other targets, a message would depend on the other checked targets.
    pub fn add(
        &mut self,
        target: &Path,
        recording: &Recording,
        findings: &[Finding],
        files: &dyn Files,
        secrets: &Secrets,
    ) {
        self.targets.insert(target.to_owned());
        for step in &recording.trace.steps {
            if let Some(entry) = active_entry(&recording.trace, step) {
                self.uses.entry(entry).or_default().insert(target.to_owned());
            } else if let Some(file) = recording.file(step.mark).filter(|_| step.entry.is_none()) {
                let key = (PathBuf::from(file), step.mark.line, step.mark.column);
                self.added.entry(key).or_default().insert(target.to_owned());
            }
        }
        let succeeds = recording.error.is_none() && !recording.trace.steps.iter().any(is_pending);
        if !succeeds {
            self.failing.insert(target.to_owned());
        }
        for layer in recording.trace.layers.iter().skip(1) {
            let users = self.users.entry(PathBuf::from(&*layer.path)).or_default();
            users.insert(target.to_owned(), succeeds);
        }
        let is_so = |finding: &&Finding| !may_not_apply_elsewhere(finding, recording, findings);
        for finding in findings.iter().filter(is_so) {
            self.add_finding(target, recording, finding.clone(), files, secrets);
        }
    }

    pub(in crate::answers) fn add_absent(&mut self, target: &Path) {
        self.absent.insert(target.to_owned());
    }

    /// The targets that were built, and the names that are no targets.
    pub fn checked(&self) -> BTreeSet<PathBuf> {
        self.targets.union(&self.absent).cloned().collect()
    }

    pub(in crate::answers) fn has_failure(&self) -> bool {
        self.found.values().any(|found| found.is_failure)
    }

    pub(in crate::answers) fn add_suspected(&mut self, target: &Path, entries: Vec<ActiveEntry>) {
        for entry in entries {
            self.suspected.entry(entry).or_default().insert(target.to_owned());
        }
    }

    /// The entries that every target that uses them seems to override, with these targets.
    pub(in crate::answers) fn suspected_everywhere(
        &self,
    ) -> BTreeMap<ActiveEntry, BTreeSet<PathBuf>> {
        let is_everywhere = |(entry, targets): &(&ActiveEntry, &BTreeSet<PathBuf>)| {
            self.uses.get(*entry) == Some(*targets)
        };
        let found = self.suspected.iter().filter(is_everywhere);
        found.map(|(entry, targets)| (entry.clone(), targets.clone())).collect()
    }

    pub fn merge(&mut self, other: Self) {
        self.targets.extend(other.targets);
        self.failing.extend(other.failing);
        self.absent.extend(other.absent);
        extend_each(&mut self.uses, other.uses);
        extend_each(&mut self.suspected, other.suspected);
        extend_each(&mut self.added, other.added);
        extend_each(&mut self.users, other.users);
        for (key, found) in other.found {
            self.insert(key, found);
        }
    }

    fn insert(&mut self, key: Key, found: SharedFinding) {
        match self.found.entry(key) {
            Entry::Occupied(known) => known.into_mut().merge(found),
            Entry::Vacant(new) => drop(new.insert(found)),
        }
    }

    /// The files with findings, those that a fix would change, and those with entries that every
    /// target so far seems to override.
    pub fn files(&self) -> Vec<PathBuf> {
        let named = self.found.values().flat_map(|found| [&found.file, &found.fix_file]);
        let suspected = self.suspected_everywhere().into_keys().map(|(file, ..)| file);
        let named: BTreeSet<PathBuf> = named.flatten().cloned().chain(suspected).collect();
        named.into_iter().collect()
    }

    /// Adds a finding for manifests beside a kustomization to which no kustomization of the
    /// repository refers.
    pub fn add_unlisted(&mut self, folder: &Path, unlisted: &[&Path]) {
        let Some(file) = unlisted.first() else { return };
        let names = unlisted.iter().filter_map(|file| file.file_name());
        let names = names.map(|name| name.to_string_lossy().into_owned()).collect();
        self.add_at_line(SilentRemark::Unlisted(names), (file, 1), folder.to_owned());
    }

    /// Adds a finding for a Flux Kustomization that is checked and deploys and prunes the same
    /// directory as another one.
    pub fn add_shared_path(&mut self, object: &LocatedDeploymentObject, other: &str) {
        let target = object.object_name();
        if !self.targets.contains(&target) {
            return;
        }
        let (name, path) = (object.name.clone(), object.path.clone());
        let remark = DeployedRemark::SharedPath { name, other: other.to_owned(), path };
        self.add_at_line(remark, (&object.at.file, object.at.line), target);
    }

    fn add_at_line(
        &mut self,
        remark: impl Into<Remark>,
        (file, line): (&Path, u32),
        target: PathBuf,
    ) {
        let found = finding_at_line(remark, (file, line), vec![target]);
        let key = (Some(file.to_owned()), line, 1, found.code.as_str(), String::new());
        self.found.insert(key, found);
    }

    /// Adds a finding of one target, or the target to an equal finding.
    pub(in crate::answers) fn add_finding(
        &mut self,
        target: &Path,
        recording: &Recording,
        finding: Finding,
        files: &dyn Files,
        secrets: &Secrets,
    ) {
        let is_failure = finding.is_failure();
        let (diagnostic, severity) = (finding.diagnostic, finding.severity);
        let mark = diagnostic.mark;
        let file = recording.file(mark).map(PathBuf::from);
        let step = finding.step.and_then(|index| recording.step(index));
        let entry = step.and_then(|step| step_entry(&recording.trace, step, files));
        let message = with_relative_paths(&self.base, &diagnostic.message(), recording);
        let code = diagnostic.code();
        // These findings are merged by location: messages about an entry without effect differ
        // between targets.
        let is_one_by_line = depends_on_target(code) || code.rule().grouping.is_some();
        let key_message = if is_one_by_line { String::new() } else { message.clone() };
        let key = (file.clone(), mark.line, mark.column, code.as_str(), key_message);
        let message = secrets.text(&message);
        // The hint names the path and line of the location to which it refers.
        let there = diagnostic.related.first().map(|related| related.mark);
        let there = there.and_then(|there| Some((recording.file(there)?, there.line)));
        let hint = match (&diagnostic.hint, there) {
            (Some(hint), Some((file, line))) => Some(hint.at(&format!("{file}:{line}"))),
            _ => diagnostic.advice(),
        };
        let hint =
            hint.map(|hint| secrets.text(&with_relative_paths(&self.base, &hint, recording)));
        let fix_file = match &diagnostic.fix {
            // The schema is added to the layer of the patch, which uses the schema.
            Some(Fix::AddFile { field, .. }) if field == "openapi" => {
                entry.as_ref().map(|entry| entry.file.clone())
            }
            Some(Fix::AddFile { .. }) => {
                let slot = diagnostic.subject.as_ref().and_then(|subject| subject.slot);
                slot.and_then(|slot| loading_file(recording, slot))
            }
            Some(Fix::Migrate(_) | Fix::RemoveField(_) | Fix::MoveToList(_)) => file.clone(),
            Some(Fix::SetText { changes, .. }) => changes.first().map(|it| it.file.clone()),
            Some(Fix::MoveEntry(moved)) => Some(PathBuf::from(&*moved.file)),
            _ => entry.as_ref().map(|entry| entry.file.clone()),
        };
        let habit = file.as_deref().and_then(|file| diagnostic.remark.habit(file, hint.as_deref()));
        let found = SharedFinding {
            severity,
            is_failure,
            habit,
            file,
            message,
            hint,
            entry,
            fix: diagnostic.fix.clone(),
            fix_file,
            unknown: UnknownCause::from_finding(&diagnostic.remark),
            wanted: diagnostic.remark.wanted_object(),
            is_met_later: matches!(diagnostic.hint, Some(Hint::Later(_))),
            tags: diagnostic.remark.result_tags().to_vec(),
            ..SharedFinding::new(&diagnostic, Path::new(""), vec![target.to_owned()])
        };
        self.insert(key, found);
    }

    /// All findings by location, including waived findings, and a finding for each waiver without a
    /// reason.
    pub fn into_sorted_findings(self, files: &dyn Files) -> Vec<SharedFinding> {
        let Self { found, uses, added, users, failing, .. } = self;
        let mut out: Vec<SharedFinding> = found.into_values().collect();
        let mut outlines: BTreeMap<PathBuf, Option<Outline>> = BTreeMap::new();
        for found in &mut out {
            found.targets.sort_unstable();
            found.targets.dedup();
            let using = found.entry.as_ref().and_then(|entry| {
                let read = || Some(Outline::parse(&files.read(&entry.file).ok()?));
                let outline = outlines.entry(entry.file.clone()).or_insert_with(read);
                let entries = outline.as_ref()?.field(&entry.field)?.entries.iter();
                let number = entries.take(entry.index).filter(|entry| !entry.disabled).count();
                uses.get(&(entry.file.clone(), entry.field.clone(), number))
            });
            let place = |file: &PathBuf| (file.clone(), found.mark.line, found.mark.column);
            let using = using.or_else(|| added.get(&found.file.as_ref().map(place)?));
            found.used_by =
                using.map_or(found.targets.len(), BTreeSet::len).max(found.targets.len());
            if depends_on_target(found.code) && found.targets.len() < found.used_by {
                found.severity = Severity::Note;
                found.fix = None;
            } else {
                propose_removal(found, &users, &failing, files);
            }
            if let Some(folder) = found.fix_file.as_deref().and_then(Path::parent) {
                let using = users.get(folder).into_iter().flat_map(BTreeMap::keys).cloned();
                let all: BTreeSet<PathBuf> = using.chain(found.targets.iter().cloned()).collect();
                found.affected = all.into_iter().collect();
            }
            if is_only_in_bases(found, &users) {
                found.alone = true;
                found.severity = Severity::Note;
            }
            found.others.remove(&found.message);
            if found.code.rule().grouping == Some(Grouping::Resources) && !found.others.is_empty() {
                found.message = format!("{} (and {} more)", found.message, found.others.len());
            }
        }
        apply_waivers(&mut out, files);
        out.sort_by(|one, other| {
            let key = |it: &SharedFinding| (it.file.clone(), it.mark.line, it.mark.column, it.code);
            key(one).cmp(&key(other))
        });
        out
    }
}

fn extend_each<K: Ord, I, V: Default + Extend<I> + IntoIterator<Item = I>>(
    all: &mut BTreeMap<K, V>,
    more: BTreeMap<K, V>,
) {
    for (key, values) in more {
        all.entry(key).or_default().extend(values);
    }
}

pub(in crate::answers) fn active_entry(trace: &Trace, step: &Step) -> Option<ActiveEntry> {
    let file = PathBuf::from(&*trace.layer(step.layer)?.file);
    Some((file, step.field.to_owned(), step.entry?))
}

/// Proposes to remove an entry that has no effect in any target, unless it has another fix. Without
/// a successful build the removal cannot be verified.
fn propose_removal(
    found: &mut SharedFinding,
    users: &BTreeMap<PathBuf, BTreeMap<PathBuf, bool>>,
    failing: &BTreeSet<PathBuf>,
    files: &dyn Files,
) {
    let (None, Some(entry)) = (&found.fix, &found.entry) else { return };
    if !is_removable(found.code) || is_only_in_bases(found, users) {
        return;
    }
    if found.targets.iter().any(|target| failing.contains(target)) {
        found.untried = Some("a target that uses the entry does not build completely".to_owned());
        return;
    }
    let using = entry.file.parent().and_then(|folder| users.get(folder));
    if using.is_some_and(|using| using.values().any(|succeeds| !succeeds)) {
        found.untried = Some("another target that uses the file does not build".to_owned());
        return;
    }
    let target = unmatched_target(found, entry, files).map(Fix::RemoveTarget);
    let file = entry.file.clone();
    (found.fix, found.fix_file) = (target.or(Some(Fix::RemoveEntry)), Some(file));
}

/// The index of a replacement's target that the finding is about, if the replacement has others.
fn unmatched_target(found: &SharedFinding, entry: &EntryRef, files: &dyn Files) -> Option<usize> {
    if found.code != Code::KZ102 || found.file.as_ref() != Some(&entry.file) {
        return None;
    }
    let text = files.read(&entry.file).ok()?;
    let targets = Outline::replacement_targets(&text, &entry.field, entry.index)?;
    let is_it = |target: &Node| {
        (target.mark.line, target.mark.column) == (found.mark.line, found.mark.column)
    };
    targets.iter().position(is_it).filter(|_| targets.len() > 1)
}

/// True if every target with the finding is a base, and no target that uses the base and builds has
/// the finding.
fn is_only_in_bases(
    found: &SharedFinding,
    users: &BTreeMap<PathBuf, BTreeMap<PathBuf, bool>>,
) -> bool {
    let is_base = |target: &PathBuf| {
        let users = users.get(target).into_iter().flatten();
        let mut users = users.filter(|(_, succeeds)| **succeeds).peekable();
        users.peek().is_some() && users.all(|(user, _)| !found.targets.contains(user))
    };
    !found.targets.is_empty() && found.targets.iter().all(is_base)
}

fn loading_file(recording: &Recording, slot: Slot) -> Option<PathBuf> {
    let adds = |step: &&Step| {
        step.kind != StepKind::Merge
            && step.changes.iter().any(|change| change.slot == slot && change.before.is_none())
    };
    let step = recording.trace.steps.iter().find(adds)?;
    Some(PathBuf::from(&*recording.trace.layer(step.layer)?.file))
}

fn with_relative_paths(base: &Path, text: &str, recording: &Recording) -> String {
    let text = text.replace(&format!("{}/", base.to_string_lossy()), "");
    let around = recording.base_dir();
    let seen = relative_path(base, around);
    text.replace(&format!("{}/", around.to_string_lossy()), &format!("{seen}/"))
}

/// Marks findings that comments in the files waive, and adds a finding for each waiver without a
/// reason.
fn apply_waivers(found: &mut Vec<SharedFinding>, files: &dyn Files) {
    let named: BTreeSet<PathBuf> = found.iter().filter_map(|found| found.file.clone()).collect();
    let mut unreasoned = Vec::new();
    for file in named {
        let Ok(bytes) = files.read(&file) else { continue };
        for waiver in waivers(&String::from_utf8_lossy(&bytes)) {
            let here = found.iter_mut().filter(|it| it.file.as_deref() == Some(&*file));
            let covered = here.filter(|it| waiver.covers(it.code.as_str(), it.mark.line));
            let mut targets = Vec::new();
            for found in covered {
                targets.clone_from(&found.targets);
                if !waiver.reason.is_empty() {
                    found.waived = Some(waiver.reason.clone());
                }
            }
            if waiver.reason.is_empty() {
                let remark = BuildRemark::WaiverWithoutReason(waiver.codes.clone());
                unreasoned.push(finding_at_line(remark, (&file, waiver.line), targets));
            }
        }
    }
    found.extend(unreasoned);
}

fn finding_at_line(
    remark: impl Into<Remark>,
    (file, line): (&Path, u32),
    targets: Vec<PathBuf>,
) -> SharedFinding {
    let mark = Mark { line, column: 1, ..Mark::default() };
    SharedFinding::new(&Diagnostic::<Remark>::new(remark.into(), mark), file, targets)
}

fn depends_on_target(code: Code) -> bool {
    code.effect().is_some_and(EntryEffect::depends_on_target)
}

/// True if the entry of a finding with this code can be removed, provided that every target has the
/// finding.
pub(in crate::answers) fn is_removable(code: Code) -> bool {
    code.effect().is_some_and(EntryEffect::is_removable)
}

/// True if another layer uses the entry of a finding as well, and the finding does not apply to
/// that use or this is not known.
pub(in crate::answers) fn may_not_apply_elsewhere(
    finding: &Finding,
    recording: &Recording,
    findings: &[Finding],
) -> bool {
    let same: &[EntryEffect] = match finding.diagnostic.code().effect() {
        Some(EntryEffect::Unchanged) => &[EntryEffect::Unchanged, EntryEffect::NoMatch],
        Some(EntryEffect::NoMatch) => &[EntryEffect::NoMatch],
        _ => return false,
    };
    let Some(index) = finding.step else { return false };
    let Some(step) = recording.step(index) else { return false };
    if step.entry.is_none() {
        return false;
    }
    let at = |mark: Mark| (recording.file(mark), mark.line, mark.column);
    let is_again = |other: &Step| {
        (other.field, other.entry, at(other.mark)) == (step.field, step.entry, at(step.mark))
            && other.layer != step.layer
    };
    let steps = recording.trace.steps.iter().enumerate();
    steps.filter(|(_, other)| is_again(other)).any(|(other, again)| {
        let says_so = |it: &Finding| {
            it.step == Some(other)
                && at(it.diagnostic.mark) == at(finding.diagnostic.mark)
                && it.diagnostic.code().effect().is_some_and(|effect| same.contains(&effect))
        };
        match again.outcome {
            StepOutcome::Failed(_) => false,
            _ => !findings.iter().any(says_so),
        }
    })
}
