//! `kzui graph`: the dependency graph.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use super::draw::{Arrow, BuildStatus, GraphNode, dot, mermaid, svg};
use super::{GraphArgs, GraphFormat, open_with_objects, path};
use crate::cli::failure::CommandResult;
use crate::cli::{CliPorts, Exit, options};
use crate::repository::{
    LocatedDeploymentObject, ReferenceDestination, Repository, Target, TargetKind,
    build_targets_separately,
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
        objects.iter().any(|it| repository.can_build(it) && it.folders().any(|it| it == folder))
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
    for object in objects.iter().filter(|it| repository.can_build(it)) {
        let Some(state) = states.get(&object.target()).copied() else { continue };
        for folder in object.folders() {
            states.entry(folder.clone()).and_modify(|it| *it = state.min(*it)).or_insert(state);
        }
    }
    let mut graph = Graph::default();
    graph.add_targets(repository, &shown, extra.as_deref(), &states);
    graph.add_objects(repository, &objects, &states);
    let Graph { nodes, arrows, .. } = &graph;
    Ok(match arguments.format {
        GraphFormat::Svg => svg(nodes, arrows),
        GraphFormat::Mermaid => mermaid(nodes, arrows),
        GraphFormat::Dot => dot(nodes, arrows),
    })
}

#[derive(Default)]
struct Graph {
    nodes: Vec<GraphNode>,
    arrows: Vec<Arrow>,
    /// The nodes of targets by path or name.
    places: BTreeMap<PathBuf, usize>,
}

impl Graph {
    fn add(&mut self, name: String, state: BuildStatus) -> (usize, &mut GraphNode) {
        self.nodes.push(GraphNode { name, state, is_component: false, is_root: false });
        let at = self.nodes.len() - 1;
        (at, &mut self.nodes[at])
    }

    fn add_objects(
        &mut self,
        repository: &Repository,
        objects: &[LocatedDeploymentObject],
        states: &BTreeMap<PathBuf, BuildStatus>,
    ) {
        let words = "deploys";
        for object in objects {
            let (name, line) = (object.target(), object.at.line);
            let state = states.get(&name).copied().unwrap_or(BuildStatus::Unknown);
            let to: Vec<usize> =
                object.folders().filter_map(|it| self.places.get(it)).copied().collect();
            let (from, node) = self.add(repository.shown(&name), state);
            node.is_root = true;
            self.places.entry(name).or_insert(from);
            self.arrows.extend(to.into_iter().map(|to| Arrow { from, to, words, line }));
        }
        for object in objects {
            let Some(to) = self.places.get(&object.target()).copied() else { continue };
            // Of several parents, the name has the parent that deploys the object in this form.
            let own = object.parent.as_deref();
            let parents = object.origin.parents.iter();
            let parents = parents.filter(|it| own.is_none_or(|own| repository.shown(it) == own));
            let from = parents.filter_map(|parent| self.places.get(parent)).filter(|it| **it != to);
            let line = object.at.line;
            self.arrows.extend(from.map(|from| Arrow { from: *from, to, words, line }));
        }
    }

    fn add_targets(
        &mut self,
        repository: &Repository,
        shown: &BTreeSet<PathBuf>,
        extra: Option<&Path>,
        states: &BTreeMap<PathBuf, BuildStatus>,
    ) {
        let targets: Vec<&Target> = shown.iter().filter_map(|it| repository.target(it)).collect();
        for target in &targets {
            let state = match target.broken {
                Some(_) => BuildStatus::Fails,
                None => states.get(&target.folder).copied().unwrap_or(BuildStatus::Unknown),
            };
            let (at, node) = self.add(repository.shown(&target.folder), state);
            node.is_component = target.kind == TargetKind::Component;
            node.is_root = repository.is_root(target);
            self.places.insert(target.folder.clone(), at);
        }
        if let Some(path) = extra.filter(|path| !self.places.contains_key(*path)) {
            let (at, _) = self.add(repository.shown(path), BuildStatus::Unknown);
            self.places.insert(path.to_owned(), at);
        }
        let mut drawn: BTreeSet<(usize, usize)> = BTreeSet::new();
        let mut elsewhere: BTreeMap<&str, usize> = BTreeMap::new();
        for (from, target) in targets.into_iter().enumerate() {
            for it in &target.uses {
                let to = match &it.to {
                    ReferenceDestination::Folder(path) | ReferenceDestination::File(path) => {
                        self.places.get(path).copied()
                    }
                    _ if extra.is_some() => None,
                    ReferenceDestination::Remote(name) => Some(
                        *elsewhere
                            .entry(name)
                            .or_insert_with(|| self.add(name.clone(), BuildStatus::Remote).0),
                    ),
                    ReferenceDestination::Missing(path) => {
                        Some(self.add(repository.shown(path), BuildStatus::Missing).0)
                    }
                };
                if let Some(to) = to.filter(|to| *to != from && drawn.insert((from, *to))) {
                    self.arrows.push(Arrow { from, to, words: it.kind.word(), line: it.line });
                }
            }
        }
    }
}
