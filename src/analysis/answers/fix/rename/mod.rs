//! Another name for a resource: in its own file, in patches, targets, references, replacements and
//! vars. Every target that reads a changed file is built before and after, and only the name may
//! differ in its output.

mod comparison;
mod name_change;
mod places;
mod selectors;

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::answers::recording::build::is_pending;
use crate::answers::{headline, pending_need};
use crate::draft::{DraftedFiles, FileChange, replace_scalar_at};
use crate::engine::evaluate::{Evaluation, Trace};
use crate::engine::load::Files;
use crate::engine::yaml::Node;
use crate::repository::TargetKind;

use super::proof::{Prover, refuse_unreadable_users};
use super::repairs::RebuildTarget;
use comparison::compare;
use name_change::NameChange;
use places::{Place, RenamedResource, TextOfFile, named_resources, referring_places};
use selectors::selecting_places;

const MAX_NAME_BYTES: usize = 253;

/// The word around a byte of a text that may be the name of a resource.
pub fn name_at(text: &str, byte: usize) -> Option<Range<usize>> {
    let is_part = |sign: char| sign.is_ascii_alphanumeric() || "-._:".contains(sign);
    let (before, after) = (text.get(..byte)?, text.get(byte..)?);
    let mut signs = before.rmatch_indices(|sign| !is_part(sign));
    let start = signs.next().map_or(0, |(at, sign)| at + sign.len());
    let end = byte + after.find(|sign| !is_part(sign)).unwrap_or(after.len());
    let word = text.get(start..end)?;
    let is_key = word.ends_with(':') || word.starts_with('-') && word.len() == 1;
    (!word.is_empty() && !is_key).then_some(start..end)
}

/// Renames the resource whose name is at a byte of a file. Without a new name, a longer one is
/// tried, which shows whether the resource can be renamed.
pub fn plan_rename(
    (file, byte): (&Path, usize),
    wanted: Option<&str>,
    scope: &Prover<'_, '_>,
) -> Result<Vec<FileChange>, String> {
    let bytes = scope.read(file)?;
    let text = String::from_utf8_lossy(&bytes);
    let span = name_at(&text, byte).ok_or("no name of a resource here")?;
    let written = text.get(span).unwrap_or_default();
    let wanted = wanted.map_or_else(|| format!("{written}-renamed"), str::to_owned);
    check_name(&wanted)?;
    if wanted == written {
        return Err(format!("the name is {wanted} already"));
    }
    let mut known = BTreeMap::new();
    let at_cursor = |resource: &RenamedResource| {
        resource.places.iter().any(|it| it.file == file && it.is_around(&text, byte))
    };
    let has_name = |resource: &RenamedResource| resource.names.iter().any(|it| **it == *written);
    let targets = scope.affected_by(std::iter::once(file))?;
    scope.build(&targets, &|it| has_name(it), &at_cursor, &mut known)?;
    let all = || known.values().flat_map(|target: &TargetBefore| &target.resources);
    let declarations: BTreeSet<&Place> = all().map(|it| &it.declaration).collect();
    let declaration = match declarations.iter().collect::<Vec<_>>()[..] {
        [one] => (*one).clone(),
        [] => return Err(format!("{written} is not the name of a resource here")),
        ref several => {
            let shown = |it: &&&Place| format!("{}:{}", scope.shown(&it.file), it.line);
            let each = several.iter().map(shown).collect::<Vec<_>>();
            return Err(format!("{written} names several resources: {}", each.join(", ")));
        }
    };
    let first = all().next().ok_or("no resource")?;
    let change = NameChange::new((first.kind(), &first.names), written, &wanted)?;
    // Other files with the name may affect further targets, and these have further places.
    let places = loop {
        let places = known.values().flat_map(|target: &TargetBefore| &target.resources);
        let places: BTreeSet<Place> = places.flat_map(|it| it.places.iter().cloned()).collect();
        let affected = scope.affected_by(places.iter().map(|it| &*it.file))?;
        let new: Vec<PathBuf> = affected.into_iter().filter(|it| !known.contains_key(it)).collect();
        if new.is_empty() {
            break places;
        }
        let is_declared = |it: &RenamedResource| it.declaration == declaration;
        scope.build(&new, &is_declared, &is_declared, &mut known)?;
    };
    let edited: Vec<PathBuf> = places.iter().map(|it| it.file.clone()).collect();
    refuse_unreadable_users(scope.repository, &edited, &**scope.files)?;
    let changes = scope.changes(&places, &change)?;
    scope.verify(&known, &changes, &change)?;
    Ok(changes)
}

/// The declarations of the resource whose name is at a byte of a file: in the file itself, or in a
/// reference, a patch, a target or the source of a replacement. They are those of the first target
/// that reads the file and has the resource; none if no target has it.
pub fn declarations(
    (file, byte): (&Path, usize),
    scope: &Prover<'_, '_>,
) -> BTreeSet<(PathBuf, u32)> {
    let found = || {
        let bytes = scope.files.read(file).ok()?;
        let text = String::from_utf8_lossy(&bytes);
        let written = text.get(name_at(&text, byte)?)?;
        let mut build = (scope.builder)();
        for target in scope.affected_by(std::iter::once(file)).ok()? {
            let built = build(&target, scope.files.clone())?;
            let mut resources = named_resources(&built.trace);
            resources.retain(|it| it.names.iter().any(|name| **name == *written));
            let is_at_cursor = |it: &&RenamedResource| {
                let mut places = scope.places(it, &built.trace).into_iter();
                places.any(|place| place.file == file && place.is_around(&text, byte))
            };
            let resources = resources.iter().filter(is_at_cursor);
            let lines = resources.map(|it| (it.declaration.file.clone(), it.declaration.line));
            let lines: BTreeSet<(PathBuf, u32)> = lines.collect();
            if !lines.is_empty() {
                return Some(lines);
            }
        }
        None
    };
    found().unwrap_or_default()
}

struct TargetBefore {
    built: Evaluation,
    /// The renamed resources; a base that is used twice has its resource twice.
    resources: Vec<RenamedResource>,
}

impl Prover<'_, '_> {
    /// The targets that some files affect, bases included: users may deploy them as well.
    fn affected_by<'p>(
        &self,
        files: impl Iterator<Item = &'p Path>,
    ) -> Result<Vec<PathBuf>, String> {
        let files: Vec<PathBuf> = files.map(Path::to_owned).collect();
        let outside = files.iter().find(|file| !file.starts_with(&self.repository.root));
        if let Some(file) = outside {
            return Err(format!("{} is not in the repository", self.shown(file)));
        }
        let mut names = self.repository.all_target_names();
        let bases = self.repository.targets().filter(|it| it.kind != TargetKind::Component);
        names.extend(bases.map(|it| it.folder.clone()));
        // An object without a folder in the repository has no output here, before or after.
        for object in self.repository.objects.iter().filter(|it| it.folders().next().is_none()) {
            names.remove(&object.target());
        }
        Ok(self.repository.affected_targets(&names, &files))
    }

    /// Builds targets, and keeps of each its output and the resources that are renamed: of those
    /// that `may_be` keeps, the ones that `is_it` keeps once their places are known.
    fn build(
        &self,
        targets: &[PathBuf],
        may_be: &(dyn Fn(&RenamedResource) -> bool + Sync),
        is_it: &(dyn Fn(&RenamedResource) -> bool + Sync),
        known: &mut BTreeMap<PathBuf, TargetBefore>,
    ) -> Result<(), String> {
        known.extend(self.in_parallel(targets, |[build], target| {
            let mut built = self.built(build, target, self.files)?;
            let mut resources = named_resources(&built.trace);
            resources.retain(|it| may_be(it));
            for resource in &mut resources {
                resource.places = self.places(resource, &built.trace);
            }
            resources.retain(|it| is_it(it));
            // The outcomes of the steps are compared later, not their changes.
            built.trace.steps.iter_mut().for_each(|step| step.changes = Vec::new());
            Ok::<_, String>((target.clone(), TargetBefore { built, resources }))
        })?);
        Ok(())
    }

    /// The places where a build reads the name of a resource: its own file, the references of
    /// other resources, and the entries of kustomization files.
    fn places(&self, resource: &RenamedResource, trace: &Trace) -> BTreeSet<Place> {
        let (repository, files) = (self.repository, &**self.files);
        let selecting = selecting_places(resource, trace, repository, files);
        let own = [resource.declaration.clone()].into_iter();
        own.chain(referring_places(resource, trace)).chain(selecting).collect()
    }

    fn built(
        &self,
        build: &mut RebuildTarget<'_>,
        target: &Path,
        files: &Arc<dyn Files>,
    ) -> Result<Evaluation, String> {
        let name = || self.shown(target);
        let built = build(target, files.clone()).ok_or("cancelled")?;
        if let Err(error) = &built.outcome {
            return Err(format!("{}: its build fails: {}", name(), headline(&error.message)));
        }
        match built.trace.steps.iter().find(|step| is_pending(step)) {
            Some(step) => {
                let need = pending_need(step).unwrap_or_else(|| "a step is pending".to_owned());
                Err(format!("{}: output not known: {need}", name()))
            }
            None => Ok(built),
        }
    }

    fn changes(
        &self,
        places: &BTreeSet<Place>,
        change: &NameChange,
    ) -> Result<Vec<FileChange>, String> {
        let mut by_file: BTreeMap<&Path, Vec<&Place>> = BTreeMap::new();
        for place in places {
            by_file.entry(&place.file).or_default().push(place);
        }
        let mut changes = Vec::new();
        for (file, places) in by_file {
            let base = self.read(file)?;
            let text = TextOfFile::new(&base);
            let found = places.iter().filter_map(|place| Some((text.byte_at(place)?, &place.text)));
            let mut found: Vec<(usize, &Arc<str>)> = found.collect();
            found.sort_unstable();
            found.dedup();
            let mut draft = base.to_vec();
            for (byte, was) in found.into_iter().rev() {
                let now = change.new_name(was).ok_or("another name")?;
                draft = replace_scalar_at(&draft, byte, was, &Node::string(now), true).ok_or_else(
                    || format!("{}: `{was}` is not written as one value", self.shown(file)),
                )?;
            }
            let draft = Some(Arc::from(draft));
            changes.push(FileChange { path: file.to_owned(), base: Some(base), draft });
        }
        Ok(changes)
    }

    fn verify(
        &self,
        known: &BTreeMap<PathBuf, TargetBefore>,
        changes: &[FileChange],
        change: &NameChange,
    ) -> Result<(), String> {
        let drafted = changes.iter().map(|change| (change.path.clone(), change.draft.clone()));
        let after: Arc<dyn Files> = Arc::new(DraftedFiles::new(drafted, self.files.clone()));
        let deployed = self.repository.all_target_names();
        let all: Vec<(&PathBuf, &TargetBefore)> = known.iter().collect();
        let verified = self.in_parallel(&all, |[build], (target, before)| {
            let now = self.built(build, target, &after);
            let now = now.map_err(|reason| format!("with the new name, {reason}"))?;
            compare(before, &now, change, !deployed.contains(*target))
                .map_err(|reason| format!("{}: {reason}", self.shown(target)))
        });
        verified.map(drop)
    }
}

/// Refuses a text that Kubernetes does not accept as the name of any resource.
fn check_name(name: &str) -> Result<(), String> {
    let is_edge = |sign: Option<char>| sign.is_some_and(|sign| sign.is_ascii_alphanumeric());
    let is_valid = name.len() <= MAX_NAME_BYTES
        && is_edge(name.chars().next())
        && is_edge(name.chars().next_back())
        && name.chars().all(|sign| sign.is_ascii_alphanumeric() || "-.:_".contains(sign));
    if is_valid { Ok(()) } else { Err(format!("`{name}` is not a name of Kubernetes")) }
}

#[cfg(test)]
mod tests;
