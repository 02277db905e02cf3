//! The findings of many targets as one report: what is said of a shared entry is said once, with the targets that it is
//! so in.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use crate::engine::diagnostic::{Code, Diagnostic, Fix, Severity};
use crate::engine::evaluate::{Outcome, Step, StepKind};
use crate::engine::load::{Files, relative_path};
use crate::engine::manifest::Outline;
use crate::engine::resource::Slot;
use crate::engine::yaml::Mark;

use super::used_again::does_more;
use super::waivers::{Waiver, waivers};
use super::{Finding, Found, Recording, Said, entry_of};
use crate::draft::EntryRef;

/// Codes that say of an entry that it does nothing. In another target it may do something.
const DOES_NOTHING: [Code; 8] = [
    Code::KZ101,
    Code::KZ102,
    Code::KZ103,
    Code::KZ110,
    Code::KZ115,
    Code::KZ120,
    Code::KZ122,
    Code::KZ124,
];

/// Codes that say of an entry that it is for nothing: where nothing else would mend it, it may go.
pub(super) const IS_FOR_NOTHING: [Code; 5] =
    [Code::KZ101, Code::KZ102, Code::KZ115, Code::KZ120, Code::KZ122];

/// What to do about an entry of which other targets need what it writes.
const IN_A_PART: &str = "other targets that use the entry may need what it writes";

/// Codes that are told of each resource, and whose cause is one line.
const OF_EACH_RESOURCE: [Code; 1] = [Code::KZ220];

/// Codes of which there is one at a place, though each target has other names for it.
const OF_A_PLACE: [Code; 3] = [Code::KZ210, Code::KZ218, Code::KZ224];

/// What many targets have to say.
#[derive(Clone, Debug)]
pub struct Report {
    /// The directory that messages name paths from.
    base: PathBuf,
    found: BTreeMap<Key, Found>,
    /// For each entry, the targets in which it makes a step.
    uses: BTreeMap<(PathBuf, String, usize), BTreeSet<PathBuf>>,
    /// For each folder, the targets that build with it, each with whether it succeeds.
    users: BTreeMap<PathBuf, BTreeMap<PathBuf, bool>>,
    /// The targets that do not build to the end.
    failing: BTreeSet<PathBuf>,
    /// The targets that were built.
    pub targets: BTreeSet<PathBuf>,
}

/// File, line, column, code, message.
type Key = (Option<PathBuf>, u32, u32, &'static str, String);

impl Report {
    /// Nothing yet; paths in messages are told from this directory.
    pub fn new(base: PathBuf) -> Self {
        let (found, uses, users) = (BTreeMap::new(), BTreeMap::new(), BTreeMap::new());
        let (failing, targets) = (BTreeSet::new(), BTreeSet::new());
        Self { base, found, uses, users, failing, targets }
    }

    /// Takes the findings of one target in.
    pub fn add(
        &mut self,
        target: &Path,
        recording: &Recording,
        findings: &[Finding],
        files: &dyn Files,
    ) {
        self.targets.insert(target.to_owned());
        for step in &recording.trace.steps {
            if let (Some(entry), Some(layer)) = (step.entry, recording.trace.layer(step.layer)) {
                let key = (PathBuf::from(&*layer.file), step.field.to_owned(), entry);
                self.uses.entry(key).or_default().insert(target.to_owned());
            }
        }
        let waits = |step: &Step| matches!(step.outcome, Outcome::Waiting(_));
        let succeeds = recording.error.is_none() && !recording.trace.steps.iter().any(waits);
        if !succeeds {
            self.failing.insert(target.to_owned());
        }
        for layer in recording.trace.layers.iter().skip(1) {
            let users = self.users.entry(PathBuf::from(&*layer.path)).or_default();
            users.insert(target.to_owned(), succeeds);
        }
        let is_so = |finding: &&Finding| !does_more(finding, recording, findings);
        for finding in findings.iter().filter(is_so) {
            self.add_one(target, recording, finding.clone(), files);
        }
    }

    /// Takes the findings of other targets in.
    pub fn merge(&mut self, other: Self) {
        self.targets.extend(other.targets);
        self.failing.extend(other.failing);
        for (key, targets) in other.uses {
            self.uses.entry(key).or_default().extend(targets);
        }
        for (folder, users) in other.users {
            self.users.entry(folder).or_default().extend(users);
        }
        for (key, found) in other.found {
            match self.found.get_mut(&key) {
                Some(known) => {
                    known.targets.extend(found.targets);
                    known.others.extend(found.others);
                    known.say(found.message_of, found.message, found.hint);
                }
                None => {
                    self.found.insert(key, found);
                }
            }
        }
    }

    /// The files of which something was found, and those that a fix would change.
    pub fn files(&self) -> Vec<PathBuf> {
        let named = self.found.values().flat_map(|found| [&found.file, &found.fix_file]);
        let named: BTreeSet<PathBuf> = named.flatten().cloned().collect();
        named.into_iter().collect()
    }

    /// Takes in that a manifest stands beside the kustomization of a folder, and nothing in the repository lists it.
    pub fn add_unlisted(&mut self, folder: &Path, file: &Path) {
        let code = Code::KZ222;
        let mark = Mark { line: 1, column: 1, ..Mark::default() };
        let key = (Some(file.to_owned()), 1, 1, code.as_str(), String::new());
        let found = Found {
            code,
            severity: code.severity(),
            file: Some(file.to_owned()),
            mark,
            message: "no kustomization of the repository lists this manifest: it is in no build"
                .to_owned(),
            hint: Some(
                "list it; or remove it, if nothing but Kustomize is meant to use it".to_owned(),
            ),
            message_of: folder.to_owned(),
            targets: vec![folder.to_owned()],
            used_by: 1,
            entry: None,
            fix: None,
            fix_file: None,
            affected: Vec::new(),
            untried: None,
            waived: None,
            alone: false,
            others: BTreeSet::new(),
        };
        self.found.insert(key, found);
    }

    fn add_one(
        &mut self,
        target: &Path,
        recording: &Recording,
        finding: Finding,
        files: &dyn Files,
    ) {
        let diagnostic = finding.diagnostic;
        let mark = diagnostic.mark;
        let file = recording.file(mark).map(PathBuf::from);
        let step = finding.step.and_then(|index| recording.step(index));
        let entry = step.and_then(|step| entry_of(&recording.trace, step, files));
        let message = told_from(&self.base, &diagnostic.message(), recording);
        // What is said of an entry that does nothing is one finding, in whatever words each target has it.
        let is_one = [&DOES_NOTHING[..], &OF_EACH_RESOURCE, &OF_A_PLACE]
            .iter()
            .any(|codes| codes.contains(&diagnostic.code()));
        let said = if is_one { "" } else { &*message };
        let key =
            (file.clone(), mark.line, mark.column, diagnostic.code().as_str(), said.to_owned());
        let hint = hint_of(&diagnostic, recording);
        let hint = hint.map(|hint| told_from(&self.base, &hint, recording));
        if let Some(known) = self.found.get_mut(&key) {
            known.say(target.to_owned(), message, hint);
            if known.targets.last().is_none_or(|last| last != target) {
                known.targets.push(target.to_owned());
            }
            return;
        }
        let code = diagnostic.code();
        let fix_file = match &diagnostic.fix {
            // A schema is for the layer whose patch needs it.
            Some(Fix::AddFile { field, .. }) if field == "openapi" => {
                entry.as_ref().map(|entry| entry.file.clone())
            }
            Some(Fix::AddFile { .. }) => {
                let slot = diagnostic.subject.as_ref().and_then(|subject| subject.slot);
                slot.and_then(|slot| brought_in(recording, slot))
            }
            Some(Fix::Migrate(_) | Fix::RemoveField(_)) => file.clone(),
            Some(Fix::MoveEntry(moved)) => Some(PathBuf::from(&*moved.file)),
            _ => entry.as_ref().map(|entry| entry.file.clone()),
        };
        let found = Found {
            code,
            severity: code.severity(),
            file,
            mark,
            message,
            hint,
            message_of: target.to_owned(),
            targets: vec![target.to_owned()],
            used_by: 1,
            entry,
            fix: diagnostic.fix,
            fix_file,
            affected: Vec::new(),
            untried: None,
            waived: None,
            alone: false,
            others: BTreeSet::new(),
        };
        self.found.insert(key, found);
    }

    /// All that was found, by place, with what people waived, and what is wrong with the waivers.
    pub fn finish(self, files: &dyn Files) -> Vec<Found> {
        let Self { found, uses, users, failing, .. } = self;
        let mut out: Vec<Found> = found.into_values().collect();
        let mut outlines = BTreeMap::new();
        for found in &mut out {
            found.targets.sort();
            found.targets.dedup();
            let mut number = |entry| active_number(entry, files, &mut outlines);
            let key = found.entry.as_ref().and_then(|entry| Some((entry, number(entry)?)));
            let using = key.and_then(|(entry, number)| {
                uses.get(&(entry.file.clone(), entry.field.clone(), number))
            });
            found.used_by =
                using.map_or(found.targets.len(), BTreeSet::len).max(found.targets.len());
            if DOES_NOTHING.contains(&found.code) && found.targets.len() < found.used_by {
                found.severity = Severity::Note;
                found.fix = None;
                if found.code == Code::KZ110 {
                    found.hint = Some(IN_A_PART.to_owned());
                }
            } else {
                may_go(found, &users, &failing);
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
            // A field for all resources does no harm where there are none yet.
            if found.code == Code::KZ122 && found.entry.is_none() {
                found.severity = Severity::Note;
            }
            found.others.remove(&found.message);
            if OF_EACH_RESOURCE.contains(&found.code) && !found.others.is_empty() {
                found.message = format!("{} (and {} more)", found.message, found.others.len());
            }
        }
        waive(&mut out, files);
        out.sort_by(|one, other| {
            let key = |it: &Found| (it.file.clone(), it.mark.line, it.mark.column, it.code);
            key(one).cmp(&key(other))
        });
        out
    }
}

/// What is for nothing in every target may go, when nothing else would mend it. Of a target that fails nothing can be proved.
fn may_go(
    found: &mut Found,
    users: &BTreeMap<PathBuf, BTreeMap<PathBuf, bool>>,
    failing: &BTreeSet<PathBuf>,
) {
    let (None, Some(entry)) = (&found.fix, &found.entry) else { return };
    let is_one = IS_FOR_NOTHING.contains(&found.code) && !is_only_in_bases(found, users);
    if !is_one {
        return;
    }
    if found.targets.iter().any(|target| failing.contains(target)) {
        found.untried = Some("a target that uses it does not build to the end".to_owned());
        return;
    }
    let using = entry.file.parent().and_then(|folder| users.get(folder));
    if using.is_some_and(|using| using.values().any(|succeeds| !succeeds)) {
        found.untried = Some("another target that builds with the file fails".to_owned());
        return;
    }
    (found.fix, found.fix_file) = (Some(Fix::RemoveEntry), Some(entry.file.clone()));
}

/// True when every target that has it is used by others, and none of these has it.
fn is_only_in_bases(found: &Found, users: &BTreeMap<PathBuf, BTreeMap<PathBuf, bool>>) -> bool {
    let is_base = |target: &PathBuf| {
        let users = users.get(target).into_iter().flatten();
        let mut users = users.filter(|(_, succeeds)| **succeeds).peekable();
        users.peek().is_some() && users.all(|(user, _)| !found.targets.contains(user))
    };
    !found.targets.is_empty() && found.targets.iter().all(is_base)
}

/// The kustomization file of the layer that brings a resource in.
fn brought_in(recording: &Recording, slot: Slot) -> Option<PathBuf> {
    let adds = |step: &&Step| {
        step.kind != StepKind::Merge
            && step.changes.iter().any(|change| change.slot == slot && change.before.is_none())
    };
    let step = recording.trace.steps.iter().find(adds)?;
    Some(PathBuf::from(&*recording.trace.layer(step.layer)?.file))
}

/// What to do, with the whole path of the place that it speaks of.
fn hint_of(diagnostic: &Diagnostic<Said>, recording: &Recording) -> Option<String> {
    let there = diagnostic.related.first().map(|related| related.mark);
    let file = there.and_then(|there| Some((recording.file(there)?, there.line)));
    match (&diagnostic.hint, file) {
        (Some(hint), Some((file, line))) => Some(hint.at(&format!("{file}:{line}"))),
        _ => diagnostic.advice(),
    }
}

/// A message whose absolute paths are told from a directory.
fn told_from(base: &Path, text: &str, recording: &Recording) -> String {
    let text = text.replace(&format!("{}/", base.to_string_lossy()), "");
    let around = recording.base_dir();
    let seen = relative_path(base, around);
    text.replace(&format!("{}/", around.to_string_lossy()), &format!("{seen}/"))
}

/// The place of an entry among those in force.
fn active_number(
    entry: &EntryRef,
    files: &dyn Files,
    outlines: &mut BTreeMap<PathBuf, Option<Outline>>,
) -> Option<usize> {
    let read = || Some(Outline::parse(&files.read(&entry.file).ok()?));
    let outline = outlines.entry(entry.file.clone()).or_insert_with(read);
    let entries = &outline.as_ref()?.field(&entry.field)?.entries;
    Some(entries.iter().take(entry.index).filter(|entry| !entry.disabled).count())
}

/// Marks what comments in the files waive, and tells of waivers without a reason.
fn waive(found: &mut Vec<Found>, files: &dyn Files) {
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
                unreasoned.push(without_reason(&file, &waiver, targets));
            }
        }
    }
    found.extend(unreasoned);
}

fn without_reason(file: &Path, waiver: &Waiver, targets: Vec<PathBuf>) -> Found {
    Found {
        code: Code::KZ002,
        severity: Code::KZ002.severity(),
        file: Some(file.to_owned()),
        mark: Mark { line: waiver.line, column: 1, ..Mark::default() },
        message: format!(
            "the waiver of {} has no reason, and waives nothing",
            waiver.codes.join(", ")
        ),
        hint: Some("write `# kzui: ignore CODE because …`".to_owned()),
        message_of: PathBuf::new(),
        used_by: targets.len(),
        targets,
        entry: None,
        fix: None,
        fix_file: None,
        affected: Vec::new(),
        untried: None,
        waived: None,
        alone: false,
        others: BTreeSet::new(),
    }
}
