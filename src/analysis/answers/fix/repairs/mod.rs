//! Verified fixes: a fix is offered once the targets that use the entry were built with it.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;

mod verification;

use crate::draft::{Draft, Edit, FileChange, WriteScope};
use crate::engine::diagnostic::{EntryEffect, EntryMove, Fix};
use crate::engine::evaluate::Evaluation;
use crate::engine::load::{Files, clean};
use crate::engine::manifest::{Outline, ValueChange};
use crate::engine::yaml::{MarkOffsets, Node};
use crate::repository::map_slice_in_parallel;

use super::migrate_field::{check_deletions, migrate_field};
use crate::answers::lint::findings::VARS;
use crate::answers::lint::shared_findings::is_removable;
use crate::answers::{SharedFinding, apply_fix_to_text};
pub(in crate::answers) use verification::is_decided_by_output;
use verification::{FixTrials, Refutation};

/// Builds a target with other files; `None` if the result is no longer needed.
pub type RebuildTarget<'a> = dyn FnMut(&Path, Arc<dyn Files>) -> Option<Evaluation> + Send + 'a;

/// One builder for each target that is built in parallel; each has a separate build cache.
pub type Builders<'a> = [Box<RebuildTarget<'a>>];

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ProvedFix {
    pub finding: usize,
    pub words: String,
    /// True if the draft contains the fix: it is selected, and applied before the following trials.
    pub is_done: bool,
    /// The targets for which the fix is not confirmed: their output is not known.
    pub unconfirmed: Vec<UnconfirmedTarget>,
}

pub type UnconfirmedTarget = (PathBuf, String);

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FixSelection {
    /// Fixes that leave the output of every target unchanged.
    Safe,
    All,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RefutedFix {
    pub finding: usize,
    pub reason: String,
    /// The target whose build refutes the fix; `None` if the fix could not be written.
    pub target: Option<PathBuf>,
}

#[derive(Debug, Default)]
pub struct Repairs {
    pub proved: Vec<ProvedFix>,
    pub refused: Vec<RefutedFix>,
    /// Findings with a proposal that is no fix: it changes no line of any output, or a build fails
    /// with it.
    pub refuted_proposals: Vec<usize>,
    pub changes: Vec<FileChange>,
}

/// Tries the fixes of a report on top of each other, the lowest entry of a list first, so that the
/// indices of the entries above stay valid.
pub fn repairs(
    found: &[SharedFinding],
    files: &Arc<dyn Files>,
    builders: &mut Builders<'_>,
    wanted: FixSelection,
    scope: &WriteScope,
) -> Repairs {
    let mut trials = FixTrials::new(found, files, builders, wanted, scope);
    let mut out = Repairs::default();
    for at in trial_order(found) {
        let found = &found[at];
        let file = found.fix_file.as_deref();
        if let Some(Err(reason)) = file.map(|file| scope.check(file, &**files)) {
            let reason = format!("not fixable here: {reason}");
            out.refused.push(RefutedFix { finding: at, reason, target: None });
            continue;
        }
        if trials.is_field_removed(found) {
            let words = "the field is removed together with its entries, by other fixes".to_owned();
            let unconfirmed = Vec::new();
            out.proved.push(ProvedFix { finding: at, words, is_done: true, unconfirmed });
            continue;
        }
        let next = trials.with_fix_or_migration(found);
        let proved = next.and_then(|next| {
            let trial = (at, found, is_removal_of_content(found));
            Ok((trials.build_with_fix(trial, &next)?, next))
        });
        let proved = match proved {
            Err(Refutation::NoEffect(_))
                if out.proved.iter().any(|proved| proved.is_done)
                    && trials.has_effect_alone(found) =>
            {
                let reason = "another fix hides its effect: run `kzui check` again after that one";
                Err(Refutation::from_error(reason.to_owned()))
            }
            Err(refuted @ (Refutation::NoEffect(_) | Refutation::Breaks(..))) => {
                // If the proposed name changes no output, another entry has the content already.
                let loses_content = matches!(refuted, Refutation::Breaks(..));
                let removed = trials.without_entry(at, found, loses_content);
                if !loses_content || removed.as_ref().is_some_and(Result::is_ok) {
                    out.refuted_proposals.push(at);
                }
                after_removal(removed, refuted)
            }
            proved => proved,
        };
        match proved {
            Ok((proved, next)) => {
                if proved.is_done {
                    trials.draft = next;
                }
                out.proved.push(proved);
            }
            Err(refutation) => out.refused.extend(refutation.into_refused(at)),
        }
    }
    out.proved.sort_by_key(|proved| proved.finding);
    out.changes = trials.draft.changes();
    out
}

type TriedFix = Result<(ProvedFix, Draft), Refutation>;

fn after_removal(removed: Option<TriedFix>, refuted: Refutation) -> TriedFix {
    match (removed, refuted) {
        (Some(Ok((mut held, next))), Refutation::Breaks(reason, _)) => {
            held.words = format!("{}; {reason}", held.words);
            Ok((held, next))
        }
        (_, refuted @ Refutation::Breaks(..)) => Err(refuted),
        (removed, refuted) => removed.unwrap_or(Err(refuted)),
    }
}

fn trial_order(found: &[SharedFinding]) -> Vec<usize> {
    let is_open = |found: &SharedFinding| {
        let has_place = found.entry.is_some() || is_file_fix(found);
        found.waived.is_none() && found.has_fix() && found.fix_file.is_some() && has_place
    };
    let mut order: Vec<usize> = (0..found.len()).filter(|at| is_open(&found[*at])).collect();
    // Entries are identified by their indices in the current text, so fixes that are not limited to
    // one entry come after fixes of entries.
    order.sort_by_key(|at| {
        let entry = found[*at].entry.as_ref().filter(|_| !is_file_fix(&found[*at]));
        let target = removed_target(&found[*at]);
        let entry = entry.map(|it| (it.file.clone(), it.field.clone(), it.index, target));
        (is_file_fix(&found[*at]), std::cmp::Reverse(entry), found[*at].fix_file.clone())
    });
    order.dedup_by_key(|at| {
        let one = &found[*at];
        if is_file_fix(one) {
            (None, Some((one.fix_file.clone(), one.fix.clone())))
        } else {
            let target = removed_target(one).map(Fix::RemoveTarget);
            (one.entry.clone(), target.map(|target| (None, Some(target))))
        }
    });
    order
}

fn removed_target(found: &SharedFinding) -> Option<usize> {
    if let Some(Fix::RemoveTarget(target)) = &found.fix { Some(*target) } else { None }
}

/// True for a fix that removes an entry without a match or with overridden values (ruling 31). Its
/// author meant it for something, and its content may be nowhere else.
fn is_removal_of_content(found: &SharedFinding) -> bool {
    let effect = found.code.effect();
    let has_content = matches!(effect, Some(EntryEffect::NoMatch | EntryEffect::Overridden));
    has_content && matches!(found.fix, Some(Fix::RemoveEntry | Fix::RemoveTarget(_)))
}

/// Like [`repairs`], on all cores: fixes that share no target and no file are tried in parallel.
/// `builder` creates the builders, for each group as many as cores exist.
pub fn repairs_on_all_cores<'r>(
    found: &[SharedFinding],
    files: &Arc<dyn Files>,
    builder: &(dyn Fn() -> Box<RebuildTarget<'r>> + Sync),
    wanted: FixSelection,
    scope: &WriteScope,
) -> Repairs {
    let mut groups = independent_groups(found);
    // The largest group starts first, so that the smaller groups run in parallel with it.
    let builds = |at: &usize| found.get(*at).map_or(0, |found| found.affected.len());
    groups.sort_by_cached_key(|group| std::cmp::Reverse(group.iter().map(builds).sum::<usize>()));
    let parts = map_slice_in_parallel(&groups, |group| {
        let own: Vec<SharedFinding> =
            group.iter().filter_map(|at| found.get(*at)).cloned().collect();
        let mut builders: Vec<_> = (0..rayon::current_num_threads()).map(|_| builder()).collect();
        repairs(&own, files, &mut builders, wanted, scope)
    });
    let mut out = Repairs::default();
    for (group, part) in groups.iter().zip(parts) {
        let place = |at: usize| group.get(at).copied().unwrap_or_default();
        let proved = part.proved.into_iter();
        out.proved.extend(proved.map(|it| ProvedFix { finding: place(it.finding), ..it }));
        let refused = part.refused.into_iter();
        out.refused.extend(refused.map(|it| RefutedFix { finding: place(it.finding), ..it }));
        out.refuted_proposals.extend(part.refuted_proposals.into_iter().map(place));
        out.changes.extend(part.changes);
    }
    out.proved.sort_by_key(|proved| proved.finding);
    out.changes.sort_by(|one, other| one.path.cmp(&other.path));
    out
}

/// The findings with a fix, in groups that share no target and no folder of a fixed file.
fn independent_groups(found: &[SharedFinding]) -> Vec<Vec<usize>> {
    let mut group_of: BTreeMap<&Path, usize> = BTreeMap::new();
    let mut groups: Vec<Vec<usize>> = Vec::new();
    for (at, one) in found.iter().enumerate().filter(|(_, found)| found.has_fix()) {
        let folder = one.fix_file.as_deref().and_then(Path::parent);
        let keys: Vec<&Path> = one.affected.iter().map(PathBuf::as_path).chain(folder).collect();
        let mut met: Vec<usize> =
            keys.iter().filter_map(|key| group_of.get(key).copied()).collect();
        met.sort_unstable();
        met.dedup();
        let into = met.first().copied().unwrap_or_else(|| {
            groups.push(Vec::new());
            groups.len() - 1
        });
        // All groups that have something in common with this one are merged.
        for other in met.iter().skip(1) {
            let moved = std::mem::take(&mut groups[*other]);
            groups[into].extend(moved);
            for group in group_of.values_mut().filter(|group| **group == *other) {
                *group = into;
            }
        }
        groups[into].push(at);
        for key in keys {
            group_of.insert(key, into);
        }
    }
    for group in &mut groups {
        group.sort_unstable();
    }
    groups.retain(|group| !group.is_empty());
    groups
}

/// True for a fix that is not limited to one entry of its file.
fn is_file_fix(found: &SharedFinding) -> bool {
    let Some(fix) = &found.fix else { return false };
    matches!(
        fix,
        Fix::Migrate(_)
            | Fix::RemoveField(_)
            | Fix::AddFile { .. }
            | Fix::MoveEntry(_)
            | Fix::MoveToList(_)
            | Fix::SetText { .. }
    )
}

impl FixTrials<'_, '_> {
    /// True if a fix changes an output without the other fixes: they hide its effect, and its entry
    /// is no copy of another one.
    fn has_effect_alone(&mut self, found: &SharedFinding) -> bool {
        let (one, scope) = (std::slice::from_ref(found), self.draft.scope().clone());
        let mut alone = FixTrials::new(one, self.files, self.builders, FixSelection::All, &scope);
        let next = alone.with_fix(found);
        next.is_some_and(|next| alone.build_with_fix((0, found, false), &next).is_ok())
    }

    /// Tries to remove the entry of a finding about an entry without effect; `None` for other
    /// findings.
    fn without_entry(
        &mut self,
        at: usize,
        found: &SharedFinding,
        loses_content: bool,
    ) -> Option<TriedFix> {
        if !is_removable(found.code) {
            return None;
        }
        let without = SharedFinding { fix: Some(Fix::RemoveEntry), ..found.clone() };
        let next = self.with_fix(&without)?;
        let trial = (at, &without, loses_content);
        Some(self.build_with_fix(trial, &next).map(|held| (held, next)))
    }

    /// True if the draft no longer contains the field that a fix changes: an earlier fix removed the
    /// field with its last entry.
    fn is_field_removed(&self, found: &SharedFinding) -> bool {
        let Some(Fix::Migrate(field) | Fix::RemoveField(field)) = &found.fix else { return false };
        let has_it = |files: &dyn Files| {
            let bytes = found.fix_file.as_deref().and_then(|file| files.read(file).ok());
            bytes.is_some_and(|bytes| Outline::parse(&bytes).field(field).is_some())
        };
        has_it(&**self.files) && !has_it(&*self.draft.files(self.files.clone()))
    }

    fn with_fix_or_migration(&mut self, found: &SharedFinding) -> Result<Draft, Refutation> {
        if let Some(Fix::Migrate(field)) = &found.fix {
            return self.with_migration(found, field);
        }
        self.with_fix(found).ok_or_else(|| {
            let subject = match &found.fix {
                Some(Fix::RemoveField(field)) => field,
                _ => "the entry",
            };
            Refutation::from_error(format!(
                "{subject} shares its lines with other entries, so it cannot be changed alone"
            ))
        })
    }

    fn with_migration(&mut self, found: &SharedFinding, field: &str) -> Result<Draft, Refutation> {
        let file = found.fix_file.as_ref().ok_or(Refutation::Cancelled)?;
        let drafted = self.draft.files(self.files.clone());
        let now = drafted.read(file).map_err(Refutation::from_error)?;
        let text = if field == VARS {
            // The builds of all targets show where the vars are used.
            let rebuild = self.builders.first_mut().ok_or(Refutation::Cancelled)?;
            let mut uses = BTreeSet::new();
            for target in &found.affected {
                let built = rebuild(target, drafted.clone()).ok_or(Refutation::Cancelled)?;
                uses.append(&mut super::vars::uses(&built.trace));
            }
            super::vars::convert_vars(&now, &uses).map_err(Refutation::from_error)?
        } else {
            if field == "patchesStrategicMerge" {
                let folder = file.parent().unwrap_or(file);
                let read = |name: &str| self.files.read(&clean(&folder.join(name))).ok();
                check_deletions(&now, read).map_err(Refutation::from_error)?;
            }
            migrate_field(&now, field).map_err(Refutation::from_error)?
        };
        let mut next = self.draft.clone();
        set_text(&mut next, file, text, &**self.files).map_err(Refutation::from_error)?;
        Ok(next)
    }

    fn with_fix(&self, found: &SharedFinding) -> Option<Draft> {
        let (file, fix) = (found.fix_file.as_ref()?, found.fix.as_ref()?);
        let (disk, drafted) = (&**self.files, self.draft.files(self.files.clone()));
        let now = match (drafted.read(file), fix) {
            (Ok(now), _) => now,
            (Err(_), Fix::SetText { .. }) => Arc::default(),
            (Err(_), _) => return None,
        };
        let mut next = self.draft.clone();
        let text = match fix {
            Fix::RemoveField(_) | Fix::SetText { .. } => apply_fix_to_text(&now, "", 0, fix)?,
            Fix::MoveToList(_) => {
                let offsets = MarkOffsets::new(std::str::from_utf8(&now).ok()?);
                let outline = Outline::parse(&now);
                let (field, index) = outline.at(offsets.byte(found.mark)?)?;
                apply_fix_to_text(&now, &field.name, index?, fix)?
            }
            Fix::AddFile { field, name, text } => {
                let (name, text, is_listed) = created_file(file, name, text, &*drafted, disk)?;
                set_text(&mut next, &file.parent()?.join(&name), text.into_bytes(), disk).ok()?;
                match field.as_str() {
                    _ if is_listed => return Some(next),
                    "openapi" if Outline::parse(&now).field(field).is_some() => return None,
                    "openapi" => {
                        let path = ["openapi", "path"].map(str::to_owned).to_vec();
                        let value = Some(Node::string(name));
                        Outline::set_field(&now, &ValueChange { path, value }).ok()?
                    }
                    field => Outline::add_entry(&now, field, &name).ok()?,
                }
            }
            Fix::MoveEntry(EntryMove { field, entry, below, .. }) => {
                let index = crate::answers::nth_active(&Outline::parse(&now), field, *entry)?;
                apply_fix_to_text(&now, field, index, &Fix::MoveBelow(*below))?
            }
            fix => {
                let entry = found.entry.as_ref()?;
                apply_fix_to_text(&now, &entry.field, entry.index, fix)?
            }
        };
        set_text(&mut next, file, text, disk).ok()?;
        Some(next)
    }
}

fn set_text(draft: &mut Draft, file: &Path, text: Vec<u8>, disk: &dyn Files) -> Result<(), String> {
    draft.apply(&Edit::SetText { file: file.to_owned(), text: text.into() }, disk)
}

const MAX_NAMES_TRIED: usize = 9;

/// The name and the content of a file that a fix creates, and true if the file is listed already. A
/// file on disk is not changed; a file from an earlier fix is extended.
fn created_file(
    file: &Path,
    name: &str,
    text: &str,
    drafted: &dyn Files,
    disk: &dyn Files,
) -> Option<(String, String, bool)> {
    let folder = file.parent()?;
    let (stem, ending) = name.rsplit_once('.')?;
    (1..=MAX_NAMES_TRIED).find_map(|number| {
        let name = if number == 1 { name.to_owned() } else { format!("{stem}-{number}.{ending}") };
        let path = folder.join(&name);
        if disk.resolve(&path).is_ok() {
            return None;
        }
        let Ok(made) = drafted.read(&path) else { return Some((name, text.to_owned(), false)) };
        let mut more = String::from_utf8(made.to_vec()).ok()?;
        let (_, behind) = text.split_once('\n')?;
        if !more.contains(behind) {
            more.push_str(behind);
        }
        Some((name, more, true))
    })
}
