//! `kzui graph`: the dependency graph.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use super::draw::{Arrow, BuildStatus, GraphNode, dot, mermaid, svg};
use super::{GraphArgs, GraphFormat, open_with_objects, path};
use crate::cli::failure::CommandResult;
use crate::cli::{CliPorts, Exit, options};
use crate::repository::{
    LocatedDeploymentObject, ReferenceDestination, Repository, TargetKind, build_targets_separately,
};

pub(in crate::cli) fn run(arguments: &GraphArgs, outside: &mut CliPorts<'_>) -> CommandResult {
    let text = draw_graph(arguments, outside)?;
    outside.out.write_all(text.as_bytes())?;
    Ok(Exit::OK)
}

fn draw_graph(arguments: &GraphArgs, outside: &CliPorts<'_>) -> Result<String, String> {
    let (repository, ports) = open_with_objects(None, arguments.what.as_deref(), outside)?;
    let repository = &*repository;
    let mut shown: BTreeSet<PathBuf> = repository.targets().map(|it| it.folder.clone()).collect();
    let mut objects = repository.objects.to_vec();
    objects.retain(LocatedDeploymentObject::is_listed);
    let mut extra: Option<PathBuf> = None;
    if let Some(word) = arguments.what.as_deref() {
        let path = path(word, outside).ok_or_else(|| format!("no file {word}"))?;
        shown = repository.routes_from(&path).into_iter().map(|route| route.target).collect();
        let is_named =
            |object: &LocatedDeploymentObject| object.target() == path || object.at.file == path;
        let builds_shown = |object: &LocatedDeploymentObject| {
            object.folders().any(|folder| shown.contains(folder))
        };
        objects.retain(|object| is_named(object) || builds_shown(object));
        let named = objects.iter().filter(|object| is_named(object));
        let folders: Vec<PathBuf> = named.flat_map(|object| object.folders().cloned()).collect();
        if objects.iter().any(is_named) {
            // A deployment object affects no other target: it is drawn with the folder that it
            // builds.
            shown.extend(folders.into_iter().filter(|it| repository.target(it).is_some()));
        } else {
            extra = Some(path);
        }
    }
    let options = options::repository_options(&arguments.build, outside)?;
    // A folder that objects deploy is built as they deploy it.
    let is_deployed = |folder: &PathBuf| {
        objects.iter().any(|it| it.is_buildable(repository) && it.folders().any(|it| it == folder))
    };
    let folders = repository
        .targets()
        .filter(|it| it.kind != TargetKind::Component && shown.contains(&it.folder))
        .map(|it| it.folder.clone())
        .filter(|folder| !is_deployed(folder));
    let targets: Vec<PathBuf> =
        folders.chain(objects.iter().map(LocatedDeploymentObject::target)).collect();
    let states = build_targets_separately(&targets, &options, &ports, |folder, built| {
        let state = match &built.outcome {
            Err(_) => BuildStatus::Fails,
            Ok(_) if built.trace.first_wait().is_some() => BuildStatus::Waits,
            Ok(_) => BuildStatus::Builds,
        };
        (folder.to_owned(), state)
    });
    let mut states: BTreeMap<PathBuf, BuildStatus> = states.into_iter().collect();
    for object in objects.iter().filter(|it| it.is_buildable(repository)) {
        let Some(state) = states.get(&object.target()).copied() else { continue };
        for folder in object.folders() {
            states.entry(folder.clone()).and_modify(|it| *it = state.min(*it)).or_insert(state);
        }
    }
    let (mut nodes, mut arrows) = build_graph(repository, &shown, extra.as_deref(), &states);
    add_objects(repository, &objects, &states, (&mut nodes, &mut arrows));
    Ok(match arguments.format {
        GraphFormat::Svg => svg(&nodes, &arrows),
        GraphFormat::Mermaid => mermaid(&nodes, &arrows),
        GraphFormat::Dot => dot(&nodes, &arrows),
    })
}

fn add_objects(
    repository: &Repository,
    objects: &[LocatedDeploymentObject],
    states: &BTreeMap<PathBuf, BuildStatus>,
    (nodes, arrows): (&mut Vec<GraphNode>, &mut Vec<Arrow>),
) {
    for object in objects {
        let name = object.target();
        let state = states.get(&name).copied().unwrap_or(BuildStatus::Unknown);
        let from = nodes.len();
        let folders: Vec<String> = object.folders().map(|it| repository.shown(it)).collect();
        let to = folders.iter().filter_map(|it| nodes.iter().position(|node| node.name == *it));
        let to: Vec<usize> = to.collect();
        let name = repository.shown(&name);
        nodes.push(GraphNode { name, state, is_component: false, is_root: true });
        arrows.extend(to.into_iter().map(|to| Arrow {
            from,
            to,
            words: "deploys",
            line: object.at.line,
        }));
    }
    for object in objects {
        let at = |name: &Path| nodes.iter().position(|node| node.name == repository.shown(name));
        let Some(to) = at(&object.target()) else { continue };
        let parents = object.origin.parents.iter();
        // Of several parents, the name has the parent that deploys the object in this form.
        let own = object.parent.as_deref();
        let parents = parents.filter(|it| own.is_none_or(|own| repository.shown(it) == own));
        let from = parents.filter_map(|parent| at(parent)).filter(|from| *from != to);
        let line = object.at.line;
        arrows.extend(from.map(|from| Arrow { from, to, words: "deploys", line }));
    }
}

fn build_graph(
    repository: &Repository,
    shown: &BTreeSet<PathBuf>,
    extra: Option<&Path>,
    states: &BTreeMap<PathBuf, BuildStatus>,
) -> (Vec<GraphNode>, Vec<Arrow>) {
    let mut places: BTreeMap<PathBuf, usize> = BTreeMap::new();
    let mut nodes: Vec<GraphNode> = Vec::new();
    let mut arrows: Vec<Arrow> = Vec::new();
    let mut drawn: BTreeSet<(usize, usize)> = BTreeSet::new();
    let mut elsewhere: BTreeMap<String, usize> = BTreeMap::new();
    for folder in shown {
        let Some(target) = repository.target(folder) else { continue };
        let state = if target.broken.is_some() {
            BuildStatus::Fails
        } else {
            states.get(folder).copied().unwrap_or(BuildStatus::Unknown)
        };
        places.insert(folder.clone(), nodes.len());
        let is_component = target.kind == TargetKind::Component;
        let is_root = repository.is_root(target);
        nodes.push(GraphNode { name: repository.shown(folder), state, is_component, is_root });
    }
    if let Some(path) = extra.filter(|path| !places.contains_key(*path)) {
        places.insert(path.to_owned(), nodes.len());
        let (name, state) = (repository.shown(path), BuildStatus::Unknown);
        nodes.push(GraphNode { name, state, is_component: false, is_root: false });
    }
    for folder in shown {
        let (Some(target), Some(from)) = (repository.target(folder), places.get(folder).copied())
        else {
            continue;
        };
        for it in &target.uses {
            let to = match &it.to {
                ReferenceDestination::Folder(path) | ReferenceDestination::File(path) => {
                    places.get(path).copied()
                }
                ReferenceDestination::Remote(name) if extra.is_none() => {
                    let name = name.clone();
                    Some(*elsewhere.entry(name).or_insert_with_key(|name| {
                        let (name, state) = (name.clone(), BuildStatus::Remote);
                        nodes.push(GraphNode { name, state, is_component: false, is_root: false });
                        nodes.len() - 1
                    }))
                }
                ReferenceDestination::Missing(path) if extra.is_none() => {
                    let (name, state) = (repository.shown(path), BuildStatus::Missing);
                    nodes.push(GraphNode { name, state, is_component: false, is_root: false });
                    Some(nodes.len() - 1)
                }
                _ => None,
            };
            if let Some(to) = to.filter(|to| *to != from) {
                let arrow = Arrow { from, to, words: it.kind.word(), line: it.line };
                if drawn.insert((from, to)) {
                    arrows.push(arrow);
                }
            }
        }
    }
    (nodes, arrows)
}
