//! The edits between two targets of different folders: files of the same role are paired. If one
//! target is an overlay of the other, the edits are the entries of the overlay; if it deploys the
//! other, the edits are the additions of the deployment.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::addition_edits::{addition_edits, is_deployment_of, object_files};
use super::edits::layer_entry_edits;
use super::resource_pairs::SameRole;
use super::side_sources::Tree;
use super::sides::SideBuild;
use super::{FileEdits, file_edits, pair_up};
use crate::answers::recording::identity::layer_and_parents;
use crate::engine::evaluate::{Layer, LayerId, LayerKind, Trace};
use crate::engine::resource::{QuickMap, ResId};

/// Pairs of corresponding folders: one of the first side, one of the second.
type FolderPairs = Vec<[PathBuf; 2]>;

/// The edits that turn the first target into the second. If the second target is built from the
/// first, the edits are the entries of the layers above the first target; if it deploys the first,
/// its additions.
pub(super) fn folder_edits(one: (&Tree, &SideBuild), other: (&Tree, &SideBuild)) -> Vec<FileEdits> {
    if is_deployment_of(other, one) {
        return addition_edits(one.1, other);
    }
    let base = base_layer(&other.1.trace, &one.1.trace);
    let pairs = paired_folders(&one.1.trace, (&other.1.trace, base.unwrap_or(LayerId(0))));
    let above = base.map(|base| layers_above(&other.1.trace, base)).unwrap_or_default();
    let mut found = Vec::new();
    for (layer, line) in &above {
        let file = Path::new(&*layer.file);
        let text = other.0.files.read(file).ok();
        found.extend(text.and_then(|text| layer_entry_edits(file, &text, *line)));
    }
    let mut paths: BTreeSet<(PathBuf, PathBuf)> = BTreeSet::new();
    paths.extend(one.1.watched.iter().map(|path| (path.clone(), counterpart(path, &pairs, 0))));
    paths.extend(other.1.watched.iter().map(|path| (counterpart(path, &pairs, 1), path.clone())));
    paths.extend(object_files(one.0, other.0));
    for (before, after) in paths {
        let is_above = above.iter().any(|(layer, _)| Path::new(&*layer.file) == after);
        let texts = (one.0.files.read(&before).ok(), other.0.files.read(&after).ok());
        if !is_above && texts.0 != texts.1 {
            found.push(file_edits(&before, &after, texts.0, texts.1).split_by_field());
        }
    }
    found
}

/// The role of a resource in its target: its file (at its path on the second side), group and kind.
type ResourceRole = (PathBuf, Arc<str>, Arc<str>);

/// Pairs the remaining resources that only one of the targets has. A pair is the only such resource
/// of its kind in a file of the first target, and the only one in the corresponding file of the
/// second target.
pub(super) fn same_roles(one: &SideBuild, other: &SideBuild) -> Vec<SameRole> {
    let (Ok(olds), Ok(news)) = (&one.outcome, &other.outcome) else { return Vec::new() };
    let folders = paired_folders(&one.trace, (&other.trace, LayerId(0)));
    let mut by_role: QuickMap<ResourceRole, [Vec<ResId>; 2]> = QuickMap::default();
    for pair in pair_up(olds, news) {
        let (side, trace, resource) = match (&pair.before, &pair.after) {
            (Some(resource), None) => (0, &one.trace, resource),
            (None, Some(resource)) => (1, &other.trace, resource),
            _ => continue,
        };
        let Some(file) = trace.sources.path(resource.node.mark.source).map(Path::new) else {
            continue;
        };
        // A generated resource is identified by its name, which the entry of the generator sets.
        if resource.generated {
            continue;
        }
        let file = if side == 0 { counterpart(file, &folders, 0) } else { file.to_owned() };
        let id = if side == 0 { resource.id.clone() } else { resource.original_id() };
        let role = (file, id.gvk.group.clone(), id.gvk.kind.clone());
        by_role.entry(role).or_default()[side].push(id);
    }
    let only = |ids: [Vec<ResId>; 2]| match ids.map(<[ResId; 1]>::try_from) {
        [Ok([one]), Ok([other])] => Some((one, other)),
        _ => None,
    };
    by_role.into_values().filter_map(only).collect()
}

/// True if a build uses the target of another build as a base, or deploys it.
pub(super) fn is_built_from(target: (&Tree, &SideBuild), base: (&Tree, &SideBuild)) -> bool {
    base_layer(&target.1.trace, &base.1.trace).is_some() || is_deployment_of(target, base)
}

/// The layer of a build that is the target of the build `base`.
fn base_layer(trace: &Trace, base: &Trace) -> Option<LayerId> {
    let base = &base.layers.first()?.path;
    let is_base = |layer: &Layer| layer.kind == LayerKind::Base && layer.path == *base;
    trace.layers.iter().position(is_base).map(LayerId)
}

/// The layers through which a build reaches `base`, each with the line of the entry that leads to
/// the next layer.
fn layers_above(trace: &Trace, base: LayerId) -> Vec<(&Layer, u32)> {
    let lines = layer_and_parents(trace, base).map(|layer| layer.mark.line);
    layer_and_parents(trace, base).skip(1).zip(lines).collect()
}

/// The path on the other side that corresponds to `path` of a side (0 or 1). If `path` is in a paired
/// folder, the innermost such folder is replaced by its partner; otherwise the path is unchanged.
fn counterpart(path: &Path, pairs: &FolderPairs, side: usize) -> PathBuf {
    let around = pairs.iter().filter(|pair| path.starts_with(&pair[side]));
    let nearest = around.max_by_key(|pair| pair[side].components().count());
    let found =
        nearest.and_then(|pair| Some(pair[1 - side].join(path.strip_prefix(&pair[side]).ok()?)));
    found.unwrap_or_else(|| path.to_owned())
}

/// Pairs the folders of two builds, beginning at the roots. Of the layers that two paired layers
/// use, those in the same folder are paired first, then those with the same name, then the only
/// layer that is left on each side.
fn paired_folders(one: &Trace, (other, root): (&Trace, LayerId)) -> FolderPairs {
    let below = |trace: &Trace| -> BTreeMap<usize, Vec<usize>> {
        let mut below: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
        for (at, layer) in trace.layers.iter().enumerate() {
            if let Some(parent) = layer.parent {
                below.entry(parent.0).or_default().push(at);
            }
        }
        below
    };
    let (ones, others) = (below(one), below(other));
    let name = |layer: &Layer| Path::new(&*layer.path).file_name().map(ToOwned::to_owned);
    let mut pairs = FolderPairs::new();
    let mut open = vec![(0, root.0)];
    while let Some((from, to)) = open.pop() {
        let (Some(old), Some(new)) = (one.layers.get(from), other.layers.get(to)) else { continue };
        pairs.push([PathBuf::from(&*old.path), PathBuf::from(&*new.path)]);
        let mut left: Vec<usize> = ones.get(&from).cloned().unwrap_or_default();
        let mut right: Vec<usize> = others.get(&to).cloned().unwrap_or_default();
        for is_by_name in [false, true] {
            left.retain(|at| {
                let old = &one.layers[*at];
                let found = right.iter().position(|other_at| {
                    let new = &other.layers[*other_at];
                    let is_same = old.path == new.path || is_by_name && name(old) == name(new);
                    old.kind == new.kind && is_same
                });
                let Some(found) = found else { return true };
                open.push((*at, right.remove(found)));
                false
            });
        }
        if let ([from], [to]) = (left.as_slice(), right.as_slice())
            && one.layers[*from].kind == other.layers[*to].kind
        {
            open.push((*from, *to));
        }
    }
    pairs
}
