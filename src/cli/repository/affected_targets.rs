//! `kzui where`: the targets that a file or a resource affects, and the lines on the way to each
//! target.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use indexmap::IndexMap;

use super::{WhereArgs, open, open_with_objects, path};
use crate::answers::Identity;
use crate::answers::report::documents;
use crate::cli::failure::CommandResult;
use crate::cli::{CliPorts, Exit, options, resource_start};
use crate::display::line;
use crate::engine::evaluate::{BuildOptions, Evaluation, Ports, Trace};
use crate::engine::resource::{Resource, with_article};
use crate::repository::{
    LocatedDeploymentObject, ReferenceEntry, Repository, Route, build_outputs,
    build_targets_separately,
};

documents! {
    pub(super) struct WhereReport {
        schema_version: u32,
        roots_total: usize,
        roots_unknown: usize,
        files: Vec<WhereFile>,
    }

    struct WhereFile {
        what: String,
        roots_reached: usize,
        targets: Vec<ReachedTarget>,
    }

    struct ReachedTarget {
        target: String,
        root: bool,
        through: Vec<ReachLine>,
        #[serde(skip_serializing_if = "std::ops::Not::not")]
        removed: bool,
    }

    struct ReachLine {
        at: String,
        field: String,
        entry: String,
    }

    pub(super) struct UnusedReport {
        schema_version: u32,
        files: Vec<String>,
        components: Vec<String>,
        missing: Vec<ReachLine>,
        broken: Vec<String>,
    }
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
    let LocatedResources { routes, unknown, removing } = if let Some(path) = path(word, outside) {
        let routes = vec![(repository.shown(&path), routes_from(repository, &path))];
        LocatedResources { routes, ..LocatedResources::default() }
    } else {
        let (kind, name) = word.split_once('/').ok_or_else(|| {
            format!("no file {word}; name a resource as KIND/NAME, as in Deployment/web")
        })?;
        let options = options::repository_options(&arguments.build, outside)?;
        files_with_resource(repository, (&ports, &options), (kind, name))?
    };
    let objects = repository.objects.iter().filter(|object| repository.can_build(object));
    let deployed: BTreeSet<&PathBuf> = objects.flat_map(LocatedDeploymentObject::folders).collect();
    let files = routes.into_iter().map(|(what, routes)| {
        let targets = routes.iter().map(|route| ReachedTarget {
            target: repository.shown(&route.target),
            root: route.is_root && !deployed.contains(&route.target),
            through: route.hops.iter().map(|entry| line(repository, entry)).collect(),
            removed: removing.contains(&route.target),
        });
        let targets: Vec<ReachedTarget> = targets.collect();
        let roots_reached = targets.iter().filter(|it| it.root && !it.removed).count();
        WhereFile { what, roots_reached, targets }
    });
    let files = files.collect();
    let (roots_total, roots_unknown) = (repository.all_target_names().len(), unknown);
    let report = WhereReport { schema_version: 2, roots_total, roots_unknown, files };
    Ok((report, unknown_targets_note(unknown, roots_total)))
}

fn line(repository: &Repository, entry: &ReferenceEntry) -> ReachLine {
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

/// The files with a resource, each with the targets that it affects. All targets are built to find
/// these files.
fn files_with_resource(
    repository: &Repository,
    (ports, options): (&Ports, &BuildOptions),
    (kind, name): (&str, &str),
) -> Result<LocatedResources, String> {
    let roots: Vec<PathBuf> = repository.all_target_names().into_iter().collect();
    let is_it = |resource: &Resource| {
        let earlier = resource.names.previous().iter().map(|previous| &previous.name);
        resource.id.gvk.kind.eq_ignore_ascii_case(kind)
            && earlier.chain([&resource.id.name]).any(|it| **it == *name)
    };
    // The file is absent for a resource that a function made.
    let place = |resource: &Resource, trace: &Trace| {
        let mark = resource_start(resource);
        (trace.sources.path(mark.source).map(PathBuf::from), mark.line)
    };
    let built = build_outputs(&roots, &repository.root, (options, ports), |_, evaluation| {
        let Evaluation { trace, outcome, .. } = evaluation;
        let first = outcome.iter().flatten().find(|it| is_it(it)).map(|it| place(it, &trace));
        (first, outcome.is_err() || trace.first_wait().is_some())
    });
    let (mut unknown, mut removing) = (0, BTreeSet::new());
    // The targets with the resource, by its file and line.
    let mut found: IndexMap<(Option<PathBuf>, u32), Vec<&PathBuf>> = IndexMap::new();
    for (target, (first, is_partial)) in roots.iter().zip(built) {
        match first {
            Some(place) => found.entry(place).or_default().push(target),
            None => unknown += usize::from(is_partial),
        }
    }
    if found.is_empty() {
        // Only builds that record their changes show removed resources.
        let removed = build_targets_separately(&roots, options, ports, |_, evaluation| {
            let identity = Identity::from_trace(&evaluation.trace);
            let mut removed = identity.last_states().filter(|(_, last)| last.removed_by.is_some());
            let (_, last) = removed.find(|(_, last)| is_it(&last.resource))?;
            Some(place(&last.resource, &evaluation.trace))
        });
        for (target, place) in roots.iter().zip(removed) {
            let Some(place) = place else { continue };
            found.entry(place).or_default().push(target);
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
        let place = match &file {
            Some(file) => format!("{kind}/{name} at {}:{line}", repository.shown(file)),
            None => format!("{kind}/{name}, created by a function"),
        };
        let mut routes = file.map_or(Vec::new(), |file| routes_from(repository, &file));
        // A target that lists the file without having the resource is not affected.
        routes.retain(|route| builds.contains(&&route.target));
        for target in builds {
            if !routes.iter().any(|route| route.target == *target) {
                routes.push(Route { target: target.clone(), hops: Vec::new(), is_root: true });
            }
        }
        (place, routes)
    });
    Ok(LocatedResources { routes: routes.collect(), unknown, removing })
}

/// The targets that a path affects: those with entries on the way to it, and the deployment objects
/// that build one of them, or whose file or name the path is.
fn routes_from(repository: &Repository, path: &Path) -> Vec<Route> {
    let mut routes = repository.routes_from(path);
    let objects = repository.objects.iter();
    let names: BTreeSet<PathBuf> = objects.clone().map(LocatedDeploymentObject::target).collect();
    let affected = repository.affected_targets(&names, &repository.files_at(path));
    let objects = objects.filter(|object| object.is_listed()).filter_map(|object| {
        let target = object.target();
        let way = routes.iter().find(|route| object.folders().any(|it| *it == route.target));
        let is_affected = target == path || affected.contains(&target) || way.is_some();
        let hops = way.map(|route| route.hops.clone()).unwrap_or_default();
        is_affected.then_some(Route { target, hops, is_root: true })
    });
    let objects: Vec<Route> = objects.collect();
    routes.extend(objects);
    routes
}

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
        missing: repository.missing().map(|entry| line(repository, entry)).collect(),
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
