//! `kzui where`: the targets that a file or a resource affects, and the lines on the way to each
//! target.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use indexmap::IndexMap;
use serde::Serialize;

use super::{WhereArgs, open, open_with_objects, path};
use crate::answers::Identity;
use crate::cli::failure::CommandResult;
use crate::cli::{CliPorts, Exit, options, resource_start};
use crate::display::line;
use crate::engine::evaluate::{BuildOptions, Evaluation, Ports, Trace};
use crate::engine::resource::{Resource, with_article};
use crate::repository::{
    LocatedDeploymentObject, ReferenceDestination, Repository, Route, RouteEntry, TargetKind,
    build_outputs, build_targets_separately,
};

/// The targets that files affect. Version 1 was a list of the elements that are now in `files`,
/// each with a separate version.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub(super) struct WhereReport {
    schema_version: u32,
    /// The number of targets that no other target uses.
    roots_total: usize,
    /// The number of these targets that may contain the resource, because they fail or have pending
    /// steps; 0 for a file.
    roots_unknown: usize,
    /// One element for each file given to `kzui where`, or each file with the given resource.
    files: Vec<WhereFile>,
}

/// The targets that a file, or a resource in it, affects.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
struct WhereFile {
    /// The file or folder, relative to the root of the repository; a resource with its file and
    /// line.
    what: String,
    /// The number of affected targets that no other target uses.
    roots_reached: usize,
    /// The affected targets, nearest first.
    targets: Vec<ReachedTarget>,
}

/// A target that is affected.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
struct ReachedTarget {
    /// The target's folder, relative to the root of the repository.
    target: String,
    /// True if no other target uses this target.
    root: bool,
    /// The entries on the shortest path from the file to the target, beginning with the entry that
    /// names the file; empty for the target's own kustomization file.
    through: Vec<ReachLine>,
    /// True if a step of the target removes the resource, so that it is not in the output.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    removed: bool,
}

/// An entry of a kustomization file.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
struct ReachLine {
    /// The location of the entry, as `FILE:LINE` relative to the root of the repository.
    at: String,
    /// The list that contains the entry.
    field: String,
    /// The entry as written.
    entry: String,
}

/// The files that no target uses.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub(super) struct UnusedReport {
    schema_version: u32,
    /// Files next to a kustomization that no entry refers to, relative to the root of the
    /// repository.
    files: Vec<String>,
    /// The folders of components that no target uses.
    components: Vec<String>,
    /// Entries for missing files or folders.
    missing: Vec<ReachLine>,
    /// Kustomization files that cannot be read, each as `FILE:LINE: why`.
    broken: Vec<String>,
}

pub(in crate::cli) fn run(arguments: &WhereArgs, outside: &mut CliPorts<'_>) -> CommandResult {
    let (folder, what) = (arguments.repository.as_deref(), arguments.what.as_deref());
    if arguments.unused {
        // The only argument is the repository.
        let opened = open(folder.or(what), what, outside)?;
        let report = unused_report(&opened.0);
        outside.report(arguments.json, &report, || unused_text(&report))?;
        return Ok(Exit::OK);
    }
    let (report, partly) = answer(arguments, outside)?;
    let text = || report.files.iter().map(|file| reach_text(file, report.roots_total)).collect();
    outside.report(arguments.json, &report, text)?;
    if let Some(partly) = partly.filter(|_| !arguments.json) {
        writeln!(outside.err, "{partly}")?;
    }
    Ok(Exit::OK)
}

fn answer(
    arguments: &WhereArgs,
    outside: &CliPorts<'_>,
) -> Result<(WhereReport, Option<String>), String> {
    let folder = arguments.repository.as_deref();
    let (repository, ports) = open_with_objects(folder, arguments.what.as_deref(), outside)?;
    let repository = &*repository;
    let word = arguments.what.as_deref().unwrap_or_default();
    let located = if let Some(path) = path(word, outside) {
        let mut routes = repository.routes_from(&path);
        routes.extend(affected_deployment_objects(repository, &path, &routes));
        let routes = vec![(repository.shown(&path), routes)];
        LocatedResources { routes, ..LocatedResources::default() }
    } else {
        let (kind, name) = word.split_once('/').ok_or_else(|| {
            format!("no file {word}; name a resource as KIND/NAME, as in Deployment/web")
        })?;
        let options = options::repository_options(&arguments.build, outside)?;
        files_with_resource(repository, (&ports, &options), (kind, name))?
    };
    let roots_total = repository.all_target_names().len();
    let partly = unknown_targets_note(located.unknown, roots_total);
    let roots_unknown = located.unknown;
    let objects: BTreeSet<PathBuf> = repository
        .objects
        .iter()
        .filter(|object| object.is_buildable(repository))
        .flat_map(|object| object.folders().cloned())
        .collect();
    let is_target = |route: &mut Route| route.is_root &= !objects.contains(&route.target);
    let routes = located.routes.into_iter().map(|(what, mut routes)| {
        routes.iter_mut().for_each(is_target);
        (what, routes)
    });
    let removing = located.removing;
    let is_reached = |route: &&Route| route.is_root && !removing.contains(&route.target);
    let files = routes.map(|(what, routes)| WhereFile {
        what,
        roots_reached: routes.iter().filter(is_reached).count(),
        targets: routes
            .into_iter()
            .map(|route| ReachedTarget {
                target: repository.shown(&route.target),
                root: route.is_root,
                through: route.hops.iter().map(|hop| line(repository, hop)).collect(),
                removed: removing.contains(&route.target),
            })
            .collect(),
    });
    let report =
        WhereReport { schema_version: 2, roots_total, roots_unknown, files: files.collect() };
    Ok((report, partly))
}

fn line(repository: &Repository, hop: &RouteEntry) -> ReachLine {
    let entry = &hop.entry;
    ReachLine {
        at: format!("{}:{}", repository.shown(&entry.file), entry.line),
        field: entry.field.to_owned(),
        entry: entry.text.clone(),
    }
}

fn reach_text(file: &WhereFile, roots_total: usize) -> String {
    let mut out =
        line!("{} affects {} of {roots_total} top-level targets\n", file.what, file.roots_reached);
    for target in &file.targets {
        let sign = match (target.removed, target.root) {
            (true, _) => "  (removed again, not in the output)",
            (false, true) => "",
            (false, false) => "  (not a top-level target)",
        };
        out.push_str(&line!("  {}{sign}\n", target.target));
        for line in &target.through {
            out.push_str(&line!("      {}  {}: {}\n", line.at, line.field, line.entry));
        }
    }
    out
}

/// A resource in the output, or at an earlier step.
struct BuiltResource {
    kind: Arc<str>,
    /// The name in the output, and the names at earlier steps.
    names: Vec<Arc<str>>,
    /// The file that the resource begins in; `None` for one that a function made.
    file: Option<PathBuf>,
    line: u32,
}

/// The files with a resource, each with the targets that it affects. All targets are built to find
/// these files.
fn files_with_resource(
    repository: &Repository,
    (ports, options): (&Ports, &BuildOptions),
    (kind, name): (&str, &str),
) -> Result<LocatedResources, String> {
    let roots: Vec<PathBuf> = repository.all_target_names().into_iter().collect();
    let is_it = |resource: &BuiltResource| {
        resource.kind.eq_ignore_ascii_case(kind) && resource.names.iter().any(|it| **it == *name)
    };
    let built = build_outputs(&roots, &repository.root, (options, ports), |_, evaluation| {
        let Evaluation { trace, outcome, .. } = evaluation;
        let mut resources = outcome.iter().flatten().map(|it| built_resource(it, &trace));
        (resources.find(is_it), outcome.is_err() || trace.first_wait().is_some())
    });
    let (mut unknown, mut removing) = (0, BTreeSet::new());
    // The targets with the resource, by its file and line.
    let mut found: IndexMap<(Option<PathBuf>, u32), Vec<&PathBuf>> = IndexMap::new();
    for (target, (first, is_partial)) in roots.iter().zip(built) {
        match first {
            Some(first) => found.entry((first.file, first.line)).or_default().push(target),
            None => unknown += usize::from(is_partial),
        }
    }
    if found.is_empty() {
        // Only builds that record their changes show removed resources.
        let removed = build_targets_separately(&roots, options, ports, |_, evaluation| {
            removed_resources(&evaluation).into_iter().find(is_it)
        });
        for (target, first) in roots.iter().zip(removed) {
            let Some(first) = first else { continue };
            found.entry((first.file, first.line)).or_default().push(target);
            removing.insert(target.clone());
        }
    }
    if found.is_empty() {
        // A path with one slash reads like KIND/NAME.
        let file = if kind.starts_with(char::is_uppercase) { "" } else { "no such file; " };
        let none = format!(
            "{file}no target has {} named {name}, in its output or at an earlier step",
            with_article(kind)
        );
        let partly = unknown_targets_note(unknown, roots.len());
        return Err(partly.map_or(none.clone(), |partly| format!("{none}; {partly}")));
    }
    let routes = found.into_iter().map(|((file, line), builds)| {
        let Some(file) = file else {
            return (format!("{kind}/{name}, created by a function"), builds, Vec::new());
        };
        let mut routes = repository.routes_from(&file);
        routes.extend(affected_deployment_objects(repository, &file, &routes));
        // A target that lists the file without having the resource is not affected.
        routes.retain(|route| builds.contains(&&route.target));
        (format!("{kind}/{name} at {}:{line}", repository.shown(&file)), builds, routes)
    });
    let routes = routes.map(|(place, builds, mut routes)| {
        for target in builds {
            if !routes.iter().any(|route| route.target == *target) {
                let (target, kind) = (target.clone(), TargetKind::Kustomization);
                routes.push(Route { target, kind, hops: Vec::new(), is_root: true });
            }
        }
        (place, routes)
    });
    Ok(LocatedResources { routes: routes.collect(), unknown, removing })
}

fn removed_resources(evaluation: &Evaluation) -> Vec<BuiltResource> {
    let identity = Identity::from_trace(&evaluation.trace);
    let removed = identity.last_states().filter(|(_, last)| last.removed_by.is_some());
    removed.map(|(_, last)| built_resource(&last.resource, &evaluation.trace)).collect()
}

fn built_resource(resource: &Resource, trace: &Trace) -> BuiltResource {
    let mark = resource_start(resource);
    let mut names = vec![resource.id.name.clone()];
    names.extend(resource.names.previous().iter().map(|previous| previous.name.clone()));
    names.dedup();
    BuiltResource {
        kind: resource.id.gvk.kind.clone(),
        names,
        file: trace.sources.path(mark.source).map(PathBuf::from),
        line: mark.line,
    }
}

/// The deployment objects that a path affects: they build an affected folder, or the path is their
/// file or name.
fn affected_deployment_objects(
    repository: &Repository,
    path: &Path,
    routes: &[Route],
) -> Vec<Route> {
    let objects = repository.objects.iter();
    let names: BTreeSet<PathBuf> = objects.clone().map(LocatedDeploymentObject::target).collect();
    let affected = repository.affected_targets(&names, &repository.files_at(path));
    let objects = objects.filter(|object| object.is_listed());
    let objects = objects.filter_map(|object| {
        let name = object.target();
        let way = routes.iter().find(|route| object.folders().any(|it| *it == route.target));
        let is_affected = name == path || affected.contains(&name) || way.is_some();
        let hops = way.map(|route| route.hops.clone()).unwrap_or_default();
        let kind = TargetKind::Kustomization;
        is_affected.then_some(Route { target: name, kind, hops, is_root: true })
    });
    objects.collect()
}

/// The found resources, the number of targets that are not known, and the targets that remove the
/// resource.
#[derive(Default)]
struct LocatedResources {
    routes: Vec<(String, Vec<Route>)>,
    unknown: usize,
    removing: BTreeSet<PathBuf>,
}

fn unknown_targets_note(unknown: usize, total: usize) -> Option<String> {
    (unknown > 0).then(|| {
        format!(
            "{unknown} of {total} targets fail or are pending: not known whether they contain the resource"
        )
    })
}

fn unused_report(repository: &Repository) -> UnusedReport {
    let shown = |path: &PathBuf| repository.shown(path);
    UnusedReport {
        schema_version: 1,
        files: repository.unlisted_files().map(shown).collect(),
        components: repository.unused_components().map(|target| shown(&target.folder)).collect(),
        missing: repository
            .missing()
            .filter(|(_, it)| matches!(it.to, ReferenceDestination::Missing(_)))
            .map(|(target, it)| {
                line(repository, &RouteEntry { folder: target.folder.clone(), entry: it.clone() })
            })
            .collect(),
        broken: repository
            .targets()
            .filter_map(|target| {
                let (why, line) = target.broken.as_ref()?;
                Some(format!("{}:{line}: {}", shown(&target.file), crate::answers::headline(why)))
            })
            .collect(),
    }
}

fn unused_text(unused: &UnusedReport) -> String {
    let mut out = String::new();
    let mut list = |title: &str, lines: Vec<String>| {
        out.push_str(&line!("{title}: {}\n", lines.len()));
        for line in lines {
            out.push_str(&line!("  {line}\n"));
        }
    };
    list("unlisted files next to a kustomization", unused.files.clone());
    list("components that no target uses", unused.components.clone());
    let missing = unused.missing.iter().map(|it| format!("{}  {}: {}", it.at, it.field, it.entry));
    list("entries whose file does not exist", missing.collect());
    list("kustomization files that cannot be read", unused.broken.clone());
    out
}
