//! Resolves a command line target to a deployment object, with the changes by targets that deploy
//! the object, and the object to the directory or repository that it builds.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::diagnostic::{DeployedRemark, Diagnostic, Hint, LayerFault, Remark, WithheldStep};
use crate::load::{FileKind, Files, GitTarget, SourceNumbers, nearest_name};
use crate::manifest::{
    DeploymentObject, DeploymentObjectKind, GeneratedDeploymentObjects, GeneratorView, SourceType,
    Substitution, deployment_objects_in,
};
use crate::profile::Profile;
use crate::transform::TransformError;
use crate::yaml::{Limits, Mark, Node, parse_config};

use super::super::deployments::{
    ArgoSettings, DeploymentIndex, SourcePlace, TargetOutput, below, count_common_folders,
    has_variable, is_folder, source_mark,
};
use super::super::{BuildCache, BuildOptions, Evaluation, Ports};
use super::argument::{ObjectSelector, candidate_files, split};
use super::build_options::ArgoOptions;
use super::ignore::source_patterns;
use super::refused::{ambiguous_object_error, no_element, none_generated, other_tool, withheld};
use super::{DeployedDirectory, DeployedFiles};

/// The function that builds a target. The caller passes it, so that this module does not depend on
/// the build, which uses this module.
pub(in crate::evaluate) type BuildTarget =
    fn(&str, &Path, &BuildOptions, &Ports, &mut BuildCache) -> Evaluation;

#[derive(Clone, Copy)]
pub(in crate::evaluate) struct DeployedRequest<'r> {
    pub(in crate::evaluate) target: &'r str,
    pub(in crate::evaluate) current: &'r Path,
    pub(in crate::evaluate) options: &'r BuildOptions,
    pub(in crate::evaluate) ports: &'r Ports,
    pub(in crate::evaluate) build: BuildTarget,
}

/// The object named by a target: a file with one object, a file and a name (`app.yaml#web`), or a
/// directory without a kustomization file that contains one. The Applications of an
/// `ApplicationSet` are objects of its file; the name of the set selects all of them. Returns one
/// directory for each source of the object; `None` for any other target.
pub(in crate::evaluate) fn deployed(
    request: &DeployedRequest<'_>,
    sources: &mut SourceNumbers,
) -> Option<Result<Vec<DeployedDirectory>, TransformError>> {
    let files = &*request.ports.files;
    let mut found = Vec::new();
    let mut not_known = Vec::new();
    let mut fragment = None;
    let mut empty = None;
    let (place, selector) = split(request.target, request.current, files);
    for file in candidate_files(&place, files)? {
        let Ok(bytes) = files.read(&file) else { continue };
        let source = sources.intern(&file.to_string_lossy());
        for consumer in deployment_objects_in(&bytes, source) {
            let mut search = SourceSearch::new(request, sources, file.clone(), &consumer);
            if search.index.is_patch(&file) {
                fragment.get_or_insert((consumer.title(), consumer.mark));
                continue;
            }
            if !consumer.is_set() {
                found.push((file.clone(), consumer));
                continue;
            }
            let generated = match search.applications(&consumer, &selector) {
                Ok(generated) => generated,
                Err(error) => return Some(Err(error)),
            };
            empty.get_or_insert(consumer.clone());
            found.extend(generated.known.into_iter().map(|it| (file.clone(), it)));
            let reasons = generated.not_known.into_iter();
            not_known.extend(reasons.map(|(reason, mark)| (consumer.clone(), reason, mark)));
        }
    }
    if let Some(name) = &selector.name {
        let is_named = |(_, it): &(PathBuf, DeploymentObject)| it.name == *name;
        let is_of_set = |(_, it): &(PathBuf, DeploymentObject)| it.name_in_file() == name;
        if found.iter().any(is_named) {
            found.retain(is_named);
        } else if found.iter().any(is_of_set) {
            found.retain(is_of_set);
        } else {
            found.retain(|(file, it)| {
                let mut search = SourceSearch::new(request, sources, file.clone(), it);
                search.is_deployed_as(it, &selector)
            });
        }
    } else if found.len() > 1 && found.iter().any(|(_, consumer)| consumer.is_target()) {
        found.retain(|(_, consumer)| consumer.is_target());
    }
    match found.as_slice() {
        [] if fragment.is_some() => {
            let (title, mark) = fragment?;
            Some(Err(TransformError::fault(LayerFault::PatchOfObject(title), mark)))
        }
        [] if not_known.is_empty() => Some(Err(no_element(&empty?, &selector))),
        [] => not_known.into_iter().next().map(|it| Err(none_generated(&it))),
        [_] => found.pop().map(|(file, consumer)| {
            SourceSearch::new(request, sources, file, &consumer).resolve(consumer, &selector)
        }),
        [(_, first), ..] => {
            Some(Err(ambiguous_object_error(&found, &selector, request.current, first.mark)))
        }
    }
}

/// An object with the changes by the targets that deploy it, the names of these targets (none if no
/// target of the repository deploys the object), and the variables that are not known in their
/// outputs.
pub(super) type DeployedForm = (DeploymentObject, Vec<String>, BTreeSet<String>);

/// The targets without a parent that deploy an object, directly or indirectly; the object that
/// deploys it, if any; and the variables that are not known in the outputs of its parents.
type ObjectCluster<'c> = (&'c BTreeSet<String>, Option<&'c DeploymentObject>, &'c BTreeSet<String>);

pub(super) struct SourceSearch<'r> {
    pub(super) request: &'r DeployedRequest<'r>,
    pub(super) index: Arc<DeploymentIndex>,
    pub(super) file: PathBuf,
    /// The name of the object as a target, relative to the root.
    pub(super) own: String,
    pub(super) has_git: bool,
    pub(super) sources: &'r mut SourceNumbers,
}

impl<'r> SourceSearch<'r> {
    pub(super) fn new(
        request: &'r DeployedRequest<'r>,
        sources: &'r mut SourceNumbers,
        file: PathBuf,
        consumer: &DeploymentObject,
    ) -> Self {
        let files = &request.ports.files;
        // Never the root of the file system: the index reads all manifests below it.
        let around = file.ancestors().skip(1).filter(|directory| directory.parent().is_some());
        let around: Vec<&Path> = around.collect();
        let git = around.iter().find(|directory| files.resolve(&directory.join(".git")).is_ok());
        // Outside a repository: the nearest enclosing directory in which a path exists.
        let near = || {
            let paths = source_paths(consumer, &**files);
            let is_there =
                |root: &&&Path| paths.iter().any(|path| files.resolve(&below(root, path)).is_ok());
            around.iter().find(is_there).or(around.first())
        };
        let root = git.or_else(near).map_or_else(|| PathBuf::from("/"), |root| root.to_path_buf());
        let index = request.ports.deployments.index(&root, request.options, files);
        let own = index.name_of(&file, consumer.name_in_file());
        Self { request, index, has_git: git.is_some(), file, own, sources }
    }

    fn resolve(
        &mut self,
        raw: DeploymentObject,
        selector: &ObjectSelector,
    ) -> Result<Vec<DeployedDirectory>, TransformError> {
        let mut remarks = Vec::new();
        let (object, parents, kept_variables) = if raw.is_generated() {
            (raw, Vec::new(), BTreeSet::new())
        } else {
            self.resolve_deployed_form(&raw, selector, &mut remarks)?
        };
        let roots: BTreeSet<String> = if parents.is_empty() {
            self.index.roots_of(&self.own)
        } else {
            parents.iter().flat_map(|parent| self.index.roots_of(parent)).collect()
        };
        // The name in the file is that of the target, even if the parent changes it.
        let index = self.index.clone();
        let parent = parents.first().and_then(|parent| index.object(parent));
        let cluster = (&roots, parent.map(|parent| &parent.consumer), &kept_variables);
        remarks.extend(object.other_sources());
        remarks.extend(object.cluster_remark());
        let each = object.each_source();
        let is_alone = each.len() == 1;
        let mut found: Vec<DeployedDirectory> = Vec::new();
        for object in each {
            let mark = object.directory().map_or(object.mark, |(_, mark)| mark);
            match self.resolve_source(object, cluster) {
                Ok(mut directory) => {
                    let is_known = |it: &Diagnostic| found.iter().any(|earlier| earlier.has(it));
                    directory.remarks.retain(|remark| !is_known(remark));
                    found.push(directory);
                }
                Err(error) if is_alone => return Err(withheld(error, &remarks)),
                Err(error) => {
                    let tool = other_tool(&error).ok_or(error)?;
                    remarks.push(Diagnostic::new(DeployedRemark::OtherSource(tool), mark));
                }
            }
        }
        if let Some(first) = found.first_mut() {
            remarks.append(&mut first.remarks);
            first.remarks = remarks;
        }
        Ok(found)
    }

    fn resolve_source(
        &mut self,
        mut consumer: DeploymentObject,
        (roots, parent, kept_variables): ObjectCluster<'_>,
    ) -> Result<DeployedDirectory, TransformError> {
        let mut remarks = Vec::new();
        let is_argo = consumer.kind == DeploymentObjectKind::Application;
        if is_argo && !consumer.is_target() {
            let fault = LayerFault::FragmentWithoutUrl(consumer.title());
            return Err(TransformError::fault(fault, consumer.mark));
        }
        let (path, mark) = consumer.directory()?;
        if !consumer.is_target() && consumer.node(&["spec", "path"]).is_none() {
            let fault = LayerFault::Fragment(consumer.title());
            return Err(TransformError::fault(fault, consumer.mark));
        }
        let root = roots.iter().next().filter(|root| roots.len() == 1 && **root != self.own);
        let root_file = root.map(|root| {
            self.index.root.join(root.split_once('#').map_or(root.as_str(), |(file, _)| file))
        });
        let near = root_file.unwrap_or_else(|| self.file.clone());
        let place = self.index.place_of(&consumer, &near, parent);
        let location = self.location(&consumer, place, (&path, mark), &mut remarks)?;
        let variables = self.variables(&consumer, roots);
        let mut not_known = Vec::new();
        for object in &variables {
            let Some(it) = object.remark() else { continue };
            let is_known = !matches!(it.remark, Remark::Deployed(DeployedRemark::NotKnown(..)));
            if is_known { &mut remarks } else { &mut not_known }.push(it);
        }
        remarks.extend(not_known);
        remarks.extend(kept_values_remark(&consumer, kept_variables));
        let (overrides, names) = self.override_files(&consumer, &location)?;
        let source_type = consumer.resolve_source_type(&overrides, &names)?;
        let settings = if is_argo && source_type == SourceType::Kustomize {
            self.index.argo_settings(&self.file, self.sources)
        } else {
            ArgoSettings::default()
        };
        let object_files = consumer.sources().into_iter();
        let object_files =
            object_files.filter_map(|it| self.sources.path(it).map(PathBuf::from)).collect();
        Ok(DeployedDirectory {
            object_files,
            repository: self.index.root.clone(),
            file: self.file.clone(),
            profile: self.flux_profile(&consumer, &near),
            consumer,
            location,
            remarks,
            variables,
            kept_variables: kept_variables.clone(),
            source_type,
            settings,
            argo: ArgoOptions::default(),
        })
    }

    /// The contents of the files in the directory that override the source, and the names of the
    /// files in the directory.
    fn override_files(
        &mut self,
        consumer: &DeploymentObject,
        location: &DeployedFiles,
    ) -> Result<(Vec<Node>, Vec<String>), TransformError> {
        let files = &*self.request.ports.files;
        let DeployedFiles::Directory(directory, _) = location else {
            // The type of a source that is not fetched is not known: most are kustomizations.
            return Ok((Vec::new(), vec!["kustomization.yaml".to_owned()]));
        };
        let names = files.list(directory).unwrap_or_default().into_iter();
        let is_file =
            |name: &String| matches!(files.resolve(&directory.join(name)), Ok((_, FileKind::File)));
        let names = names.filter(is_file).collect();
        Ok((overrides(consumer, directory, files, self.sources)?, names))
    }

    /// The version profile of the Flux that the repository installs, and the location of the
    /// installation. Of several installations, the one nearest to the file `near` is used. `None`
    /// if the object is not one of Flux.
    fn flux_profile(
        &mut self,
        consumer: &DeploymentObject,
        near: &Path,
    ) -> Option<(Profile, Mark)> {
        let is_flux = consumer.is_flux();
        let controller = self.index.controllers.iter().filter(|_| is_flux).max_by_key(|it| {
            let release = it.profile.release().map(|release| release.version);
            (count_common_folders(&it.file, near), release, std::cmp::Reverse(it.file.clone()))
        })?;
        let source = self.sources.intern(&controller.file.to_string_lossy());
        let mark = Mark { source, line: controller.line, column: 1, ..Mark::default() };
        Some((controller.profile, mark))
    }

    /// The Applications of an `ApplicationSet`, with the changes by the targets that deploy it.
    pub(super) fn applications(
        &mut self,
        set: &DeploymentObject,
        selector: &ObjectSelector,
    ) -> Result<GeneratedDeploymentObjects, TransformError> {
        let (set, ..) = self.resolve_deployed_form(set, selector, &mut Vec::new())?;
        let is_here = |url: &str, revision: &str| self.index.is_repository(url, revision);
        let files = &*self.request.ports.files;
        let (root, sources) = (&*self.index.root, &mut *self.sources);
        Ok(set.applications(&mut GeneratorView { files, root, sources, is_here: &is_here }))
    }

    fn location(
        &self,
        consumer: &DeploymentObject,
        place: SourcePlace,
        (path, mark): (&str, Mark),
        remarks: &mut Vec<Diagnostic>,
    ) -> Result<DeployedFiles, TransformError> {
        let (ignore, is_assumed) = match place {
            SourcePlace::ThisRepository { ignore, is_assumed } => (ignore, is_assumed),
            SourcePlace::Git { title, url, .. } if url.contains("${") || url.contains("{{") => {
                let reason = format!("the source of {title} is not in this repository");
                return Ok(DeployedFiles::Other(reason, mark));
            }
            SourcePlace::Git { title, url, reference } => {
                let path = path.trim_matches('/');
                let path = if path.is_empty() { "." } else { path };
                let query = if reference.is_empty() || reference == "HEAD" {
                    String::new()
                } else {
                    format!("?ref={reference}")
                };
                let target = format!("{url}//{path}{query}");
                // Any other text is a path, which is never one of this repository.
                if GitTarget::parse(&target).is_none() {
                    let reason = format!("the source {title} is not in this repository");
                    return Ok(DeployedFiles::Other(reason, source_mark(consumer)));
                }
                return Ok(DeployedFiles::Git(target, source_mark(consumer)));
            }
            SourcePlace::Other(reason) => {
                return Ok(DeployedFiles::Other(reason, source_mark(consumer)));
            }
        };
        if is_assumed {
            let name = match consumer.repository() {
                Some((url, ..)) => url,
                None => format!(
                    "{} {}",
                    consumer.text(&["spec", "sourceRef", "kind"]),
                    consumer.text(&["spec", "sourceRef", "name"])
                ),
            };
            let remark = DeployedRemark::AssumedRepository(name);
            remarks.push(Diagnostic::new(remark, source_mark(consumer)));
        }
        if let Some(directory) = self.index.folder_at(path, consumer, &*self.request.ports.files) {
            let is_artifact = consumer.is_flux();
            let artifact = is_artifact.then(|| source_patterns(&self.index, ignore.as_deref()));
            return Ok(DeployedFiles::Directory(directory, artifact.map(Arc::new)));
        }
        self.location_of_missing_folder(consumer, (path, mark))
    }

    fn location_of_missing_folder(
        &self,
        consumer: &DeploymentObject,
        (path, mark): (&str, Mark),
    ) -> Result<DeployedFiles, TransformError> {
        if let Some(folder) = self.index.artifact_folder(path, consumer) {
            let kind = consumer.text(&["spec", "sourceRef", "kind"]);
            let name = consumer.text(&["spec", "sourceRef", "name"]);
            let path = path.trim_start_matches("./");
            let reason = format!(
                "the root of {kind} {name} is not known: '{path}' exists only in the folder {folder}"
            );
            return Ok(DeployedFiles::Other(reason, source_mark(consumer)));
        }
        let fault = LayerFault::NothingDeployed(path.to_owned(), consumer.title());
        // A parent of Flux replaces variables in the path; without that parent they are not known.
        if consumer.is_for_assumed_cluster() || path.contains("${") {
            // The cluster that the element names may not be one of those that are selected.
            let what = WithheldStep::NoDirectory(fault.to_string());
            return Err(TransformError::Waiting { what, mark });
        }
        let is_link = is_folder(&below(&self.index.root, path), &*self.request.ports.files);
        let hint: Hint = if is_link {
            "use a directory without symbolic links: a source of Flux contains no links and no files outside the repository".into()
        } else if let Some(moved) =
            self.moved_with_object(path).or_else(|| self.index.moved_folder(path))
        {
            Hint::DidYouMean(moved)
        } else if let Some(hint) = self.hint_of_neighbours(path) {
            hint
        } else if self.has_git {
            "correct the path: it is relative to the directory with .git; or create the directory, or remove the object".into()
        } else {
            "correct the path: without a directory with .git, it is searched in every directory above the file".into()
        };
        Err(TransformError::fault(fault, mark).with_hint(hint))
    }

    /// The missing path below a folder that contains the object too: both moved into it.
    fn moved_with_object(&self, path: &str) -> Option<String> {
        let files = &*self.request.ports.files;
        let start = if path.starts_with("./") { "./" } else { "" };
        let rest = path.trim_start_matches("./").trim_matches('/');
        let mut above = self.file.strip_prefix(&self.index.root).ok()?.ancestors().skip(1);
        above.find_map(|folder| {
            let moved = folder.join(rest);
            let is_there = !rest.is_empty() && is_folder(&self.index.root.join(&moved), files);
            is_there.then(|| format!("{start}{}", moved.display()))
        })
    }

    /// A similar name, or the names, of the folders beside a missing one.
    fn hint_of_neighbours(&self, path: &str) -> Option<Hint> {
        let files = &*self.request.ports.files;
        let (above, name) = path.trim_end_matches('/').rsplit_once('/')?;
        let folder = below(&self.index.root, above);
        let mut names = files.list(&folder).ok()?;
        names.retain(|name| !name.starts_with('.') && is_folder(&folder.join(name), files));
        let digits = |name: &str| name.chars().filter(char::is_ascii_digit).collect::<String>();
        // A name that differs in its number is another environment.
        let similar = names.iter().map(String::as_str).filter(|it| digits(it) == digits(name));
        if let Some(near) = nearest_name(name, similar) {
            return Some(Hint::DidYouMean(format!("{above}/{near}")));
        }
        let (last, others) = names.split_last()?;
        let list = match others {
            [] => last.clone(),
            _ if names.len() > MAX_NEIGHBOURS => return None,
            _ => format!("{} and {last}", others.join(", ")),
        };
        let above = above.trim_start_matches("./");
        Some(Hint::Change(format!("correct the path: {above} has {list}")))
    }

    pub(super) fn output(&self, target: &str) -> Arc<TargetOutput> {
        let DeployedRequest { options, ports, build, .. } = *self.request;
        let enclosed = ports.deployments.for_nested_target(&self.own);
        // A target that an enclosing target deploys is built without the enclosing target.
        let above = self.index.ancestors_of(target);
        let within: Vec<&str> =
            enclosed.names().filter(|name| above.contains(*name)).map(String::as_str).collect();
        let key = if within.is_empty() {
            target.to_owned()
        } else {
            format!("{target} within {}", within.join(" "))
        };
        self.index.output(&key, || {
            let ports = Ports { deployments: enclosed, ..ports.clone() };
            let mut memory = BuildCache::disabled().without_changes().recording_paths();
            let built = build(target, &self.index.root, options, &ports, &mut memory);
            TargetOutput::of_build(&built)
        })
    }
}

const MAX_NEIGHBOURS: usize = 5;

fn overrides(
    consumer: &DeploymentObject,
    directory: &Path,
    files: &dyn Files,
    sources: &mut SourceNumbers,
) -> Result<Vec<Node>, TransformError> {
    let mut overrides = Vec::new();
    for name in consumer.override_files() {
        let path = directory.join(name);
        let Ok(bytes) = files.read(&path) else { continue };
        let source = sources.intern(&path.to_string_lossy());
        let read = parse_config(&bytes, source, Limits::default()).map_err(|error| {
            let mark = Mark { source, line: error.line, column: error.column, ..Mark::default() };
            TransformError::fault(LayerFault::Unreadable(error), mark)
        })?;
        overrides.extend(read);
    }
    Ok(overrides)
}

fn kept_values_remark(
    consumer: &DeploymentObject,
    kept_variables: &BTreeSet<String>,
) -> Option<Diagnostic> {
    let Substitution { variables, mark, .. } = consumer.substitution()?;
    let kept = variables.iter().filter(|(_, value, _)| has_variable(value, kept_variables));
    let kept: Vec<&str> = kept.map(|(name, ..)| name.as_str()).collect();
    let (title, names) = ("postBuild.substitute".to_owned(), kept.join(", "));
    let reason = format!("the parent does not know all variables in {names}");
    let remark = DeployedRemark::NotKnown(title, reason);
    (!kept.is_empty()).then(|| Diagnostic::new(remark, mark))
}

/// The paths that an object deploys. For an `ApplicationSet`: the paths of its generators; if there
/// are none, the paths of the Applications that need no file of the repository.
fn source_paths(consumer: &DeploymentObject, files: &dyn Files) -> Vec<String> {
    let of_one = |it: &DeploymentObject| it.directory().map(|(path, _)| path).ok();
    if !consumer.is_set() {
        return vec![of_one(consumer).unwrap_or_default()];
    }
    let mut paths = consumer.known_folders();
    paths.retain(|path| !path.is_empty());
    if paths.is_empty() {
        let is_here = |_: &str, _: &str| Err::<(), _>(String::new());
        let (root, sources) = (Path::new("/"), &mut SourceNumbers::default());
        let mut view = GeneratorView { files, root, sources, is_here: &is_here };
        let applications = consumer.applications(&mut view).known;
        paths.extend(applications.iter().filter_map(of_one));
    }
    paths
}
