//! Origins: the file, the repository and the object that a resource or a change comes from (section
//! 9).

use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::load::{GitTarget, LoadedFile, Root, SourceNumbers, relative_path};
use crate::resource::{Gvk, ResId, ResMap, ResourceOrigin, Slot, rewrite_annotations};
use crate::transform::{Context, TransformError};

use super::build_root::BuildRoot;
use super::configured::PluginConfig;
use super::level::ActiveLayer;

impl BuildRoot {
    /// The origin of an external plugin's output: the object that configures it, which has an
    /// origin unless it is inline in the kustomization file. `None` if origins are not tracked.
    pub(super) fn plugin_origin(
        &self,
        configured: &PluginConfig<'_>,
        sources: &SourceNumbers,
    ) -> Option<ResourceOrigin> {
        if !self.tracks_origins() {
            return None;
        }
        let PluginConfig { level, config, mark, .. } = configured;
        let path = sources.path(mark.source).filter(|path| *path != level.target.file);
        let origin = match (config.origin.as_deref(), path) {
            (Some(own), _) => own.clone(),
            (None, None) => origin_of_file(level.root, &displayed_file(level)),
            (None, Some(path)) => {
                let begin = level.root.clone_of().map_or(&*self.path, |(clone, _)| clone);
                origin_of_file(level.root, Path::new(&relative_path(begin, Path::new(path))))
            }
        };
        Some(origin_of_output(origin, config.id.clone()))
    }
}

fn origin_of_output(origin: ResourceOrigin, by: ResId) -> ResourceOrigin {
    let configured_by = Some(by);
    ResourceOrigin { configured_in: origin.path, path: String::new(), configured_by, ..origin }
}

pub(super) fn configured_origin(level: &ActiveLayer<'_>, kind: &str) -> ResourceOrigin {
    let by = ResId {
        gvk: Gvk { group: "".into(), version: "builtin".into(), kind: kind.into() },
        ..ResId::default()
    };
    origin_of_output(origin_of_file(level.root, &displayed_file(level)), by)
}

/// Records in every resource that a transformer ran over it, as a part of a step with a cached
/// result for each resource. See [`mark_transformed`].
pub(super) fn mark_each_transformed(
    resources: &mut ResMap,
    origin: &Arc<ResourceOrigin>,
    cx: &mut Context<'_>,
) -> Result<(), TransformError> {
    cx.next_part();
    cx.depends_on(|| ResourceOrigin::clone(origin));
    for slot in resources.slots() {
        cx.apply_or_reuse(resources, slot, |resources, _| {
            mark_transformed(slot, resources, origin);
            Ok(Some(true))
        })?;
    }
    Ok(())
}

/// Records in a resource that a transformer ran over it, whether or not it changed; a resource
/// without an origin was created by the transformer and gets its origin instead.
pub(super) fn mark_transformed(slot: Slot, resources: &mut ResMap, origin: &Arc<ResourceOrigin>) {
    resources.update(slot, |resource| {
        rewrite_annotations(&mut resource.node, |_| false, Vec::new());
        resource.unshare_annotations();
        if resource.origin.is_none() {
            resource.origin = Some(origin.clone());
        } else {
            resource.transformations.push(origin.clone());
        }
    });
}

pub(super) fn origin_of_loaded(root: &Root, loaded: &LoadedFile) -> ResourceOrigin {
    match &loaded.taken_for {
        Some(target) => origin(&loaded.seen_as, Some(target)),
        None => origin_of_file(root, &loaded.seen_as),
    }
}

pub(super) fn origin_of_file(root: &Root, seen_as: &Path) -> ResourceOrigin {
    origin(seen_as, root.clone_of().map(|(_, target)| target))
}

fn origin(seen_as: &Path, target: Option<&GitTarget>) -> ResourceOrigin {
    let target = target.map(|target| (target.repo.clone(), target.reference.clone()));
    let (repo, reference) = target.unwrap_or_default();
    let path = seen_as.to_string_lossy().into_owned();
    ResourceOrigin { path, repo, reference, ..ResourceOrigin::default() }
}

fn displayed_file(level: &ActiveLayer<'_>) -> PathBuf {
    let name = Path::new(&level.target.file).file_name().unwrap_or_default();
    level.root.seen_as(&name.to_string_lossy())
}
