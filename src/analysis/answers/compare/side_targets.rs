//! The targets of one side of a comparison, and the bases that a comparison does not list although no
//! listed target shows their change.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::report::CompareReport;
use super::side_sources::Tree;
use crate::engine::load::clean;
use crate::repository::{
    LocatedDeploymentObject, Repository, Target, TargetKind, map_pair_in_parallel,
};

pub(super) struct SideTargets<'a> {
    pub(super) tree: &'a Tree,
    repository: Arc<Repository>,
    /// The folder to which the target paths of this side are relative.
    frame: &'a Path,
}

impl<'a> SideTargets<'a> {
    fn read(tree: &'a Tree, frame: &'a Path) -> Result<Self, String> {
        let read = tree.indexes.repository(&tree.root, &*tree.listing, &tree.files);
        let mut repository = read.map_err(|error| error.to_string())?;
        // Between two folders, the targets in them are compared; an object outside has no counterpart.
        let is_compared = |it: &LocatedDeploymentObject| it.target().starts_with(frame);
        if !repository.objects.iter().all(is_compared) {
            let objects = &mut Arc::make_mut(&mut repository).objects;
            Arc::make_mut(objects).retain(is_compared);
        }
        Ok(Self { tree, repository, frame })
    }

    /// The targets of both sides, with the folders to which their paths are relative.
    pub(super) fn of_both(
        (one, other): (&'a Tree, &'a Tree),
        frames: (&'a Path, &'a Path),
    ) -> Result<(Self, Self), String> {
        let both = ((one, frames.0), (other, frames.1));
        let (old, new) = map_pair_in_parallel(both, |(tree, frame)| Self::read(tree, frame));
        Ok((old?, new?))
    }

    pub(super) fn targets(&self, bases: bool) -> BTreeSet<PathBuf> {
        let mut names = self.repository.targets_covered_by(std::slice::from_ref(&self.tree.scope));
        let is_base = |target: &&Target| {
            target.kind != TargetKind::Component && target.folder.starts_with(&self.tree.scope)
        };
        let all = self.repository.targets().filter(|target| bases && is_base(target));
        names.extend(all.map(|target| target.folder.clone()));
        self.relative_to_common_folder(names)
    }

    /// The folders as paths relative to the frame of this side; folders outside of it are left out.
    pub(super) fn relative_to_common_folder(
        &self,
        folders: impl IntoIterator<Item = PathBuf>,
    ) -> BTreeSet<PathBuf> {
        let below = |folder: PathBuf| folder.strip_prefix(self.frame).ok().map(Path::to_owned);
        folders.into_iter().filter_map(below).collect()
    }

    /// True if the target exists on this side, possibly as a base.
    pub(super) fn has(&self, target: &Path) -> bool {
        self.repository.target(&self.frame.join(target)).is_some() || self.object(target).is_some()
    }

    fn object(&self, target: &Path) -> Option<&LocatedDeploymentObject> {
        let name = self.frame.join(target);
        self.repository.objects.iter().find(|object| object.target() == name)
    }

    /// True for a target that can be built: a Kustomization or a Composition, not a Component.
    pub(super) fn is_buildable(&self, target: &Path) -> bool {
        let target = self.repository.target(&self.frame.join(target));
        target.is_some_and(|target| target.kind != TargetKind::Component)
    }

    /// The targets that a target uses in its entries or, as a deployment object, deploys.
    pub(super) fn used_targets(&self, target: &Path) -> BTreeSet<PathBuf> {
        let folders = self.object(target).into_iter().flat_map(LocatedDeploymentObject::folders);
        let deployed = folders.flat_map(|folder| match self.repository.target(&clean(folder)) {
            Some(_) => vec![folder.clone()],
            None => self.outermost_targets(&clean(folder)),
        });
        let deployed: Vec<PathBuf> = deployed.collect();
        if !deployed.is_empty() {
            return self.relative_to_common_folder(deployed);
        }
        let target = self.repository.target(&self.path(target));
        let uses = target.into_iter().flat_map(|target| &target.uses);
        let folders = uses.filter_map(|it| it.to.path());
        self.relative_to_common_folder(
            folders.filter(|it| self.repository.target(it).is_some()).map(Path::to_owned),
        )
    }

    /// The targets below a folder without a kustomization file, without the targets below these:
    /// Flux lists them in the kustomization file that it generates for the folder.
    fn outermost_targets(&self, folder: &Path) -> Vec<PathBuf> {
        let mut found: Vec<PathBuf> = Vec::new();
        for target in self.repository.targets().filter(|it| it.folder.starts_with(folder)) {
            // Targets are sorted by folder, so an outer target comes before the targets below it.
            if found.last().is_none_or(|last| !target.folder.starts_with(last)) {
                found.push(target.folder.clone());
            }
        }
        found
    }

    pub(super) fn affected_targets(&self, changed: &[PathBuf]) -> BTreeSet<PathBuf> {
        let changed: Vec<PathBuf> = changed.iter().map(|path| self.frame.join(path)).collect();
        let objects = self.repository.objects.iter().map(LocatedDeploymentObject::target).collect();
        let mut reached = self.repository.affected_targets(&objects, &changed);
        reached.extend(self.repository.possibly_affected_targets(&changed));
        self.relative_to_common_folder(reached)
    }

    /// The folder of a target, or the name of its deployment object.
    pub(super) fn path(&self, target: &Path) -> PathBuf {
        clean(&self.frame.join(target))
    }
}

/// The bases of both sides that a change reaches and that no reported target uses. The report lists
/// only the targets in `listed`; with `has_bases`, it lists every base.
pub(super) fn hidden_bases(
    (old, new): (&SideTargets<'_>, &SideTargets<'_>),
    (listed, reached): (&BTreeSet<PathBuf>, &BTreeSet<PathBuf>),
    report: &CompareReport,
    has_bases: bool,
) -> Vec<PathBuf> {
    if has_bases {
        return Vec::new();
    }
    let mut shown: BTreeSet<PathBuf> = BTreeSet::new();
    let mut open: Vec<PathBuf> =
        report.targets.iter().map(|target| target_folder(&target.target)).collect();
    while let Some(target) = open.pop() {
        let below = [old.used_targets(&target), new.used_targets(&target)];
        for base in below.into_iter().flatten() {
            if shown.insert(base.clone()) {
                open.push(base);
            }
        }
    }
    let in_both = &old.targets(true) & &new.targets(true);
    let is_hidden =
        |base: &PathBuf| reached.contains(base) && !listed.contains(base) && !shown.contains(base);
    in_both.into_iter().filter(is_hidden).collect()
}

/// The sentence about bases that differ and are not listed; `None` without such bases.
pub(super) fn hidden_bases_sentence(count: usize) -> Option<String> {
    match count {
        0 => None,
        1 => Some("1 base changes: `kzui diff --bases` lists it".to_owned()),
        count => Some(format!("{count} bases change: `kzui diff --bases` lists them")),
    }
}

/// The path of a target name, where `.` is the empty path.
pub(super) fn target_folder(name: &str) -> PathBuf {
    if name == "." { PathBuf::new() } else { PathBuf::from(name) }
}

/// The innermost folder that contains both paths, or `other` if the paths share no folder below the
/// root of the file system. Paths of both sides are shown relative to it.
pub(super) fn common_root(one: &Path, other: &Path) -> PathBuf {
    let parts = one.components().zip(other.components()).take_while(|(one, other)| one == other);
    let common: PathBuf = parts.map(|(part, _)| part).collect();
    if common.parent().is_some() { common } else { other.to_owned() }
}
