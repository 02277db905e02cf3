//! Deployment objects, which deploy a directory and add to its build: an Argo CD `Application` or
//! `ApplicationSet`, or a Flux `Kustomization`.
//!
//! Argo CD and Flux edit the kustomization file of the directory before they build it
//! (`util/kustomize` of Argo CD, the generator of `fluxcd/pkg/kustomize`). The same edits are made
//! here to the parsed file: values of the object replace those of the file, with the location of
//! the object's lines.

mod application_set;
mod argo;
mod edit;
mod flux;
mod source_type;

use std::sync::Arc;

use crate::diagnostic::{DeployedRemark, Diagnostic};
use crate::yaml::{Limits, MappingEntry, Mark, Node, SourceId, parse_documents};

use super::{ManifestError, ManifestFault};

use application_set::ElementCluster;

pub use application_set::{GeneratorError, GeneratorView};
pub use source_type::{PlainDirectory, SourceType};

/// The API of the object: Argo CD or Flux.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DeploymentObjectKind {
    /// `argoproj.io` `Application`
    Application,
    /// `argoproj.io` `ApplicationSet`, which deploys only through its Applications.
    ApplicationSet,
    /// `kustomize.toolkit.fluxcd.io` `Kustomization`
    FluxKustomization,
}

impl DeploymentObjectKind {
    /// The field `kind` of such an object.
    pub fn word(self) -> &'static str {
        match self {
            Self::Application => "Application",
            Self::ApplicationSet => "ApplicationSet",
            Self::FluxKustomization => "Kustomization",
        }
    }

    /// The program that deploys by such an object.
    pub fn controller(self) -> &'static str {
        if self == Self::FluxKustomization { "Flux" } else { "Argo CD" }
    }
}

/// An object of Argo CD or Flux that deploys a directory.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DeploymentObject {
    pub kind: DeploymentObjectKind,
    /// `metadata.name`; in a generated Application, expressions that are known only in the cluster
    /// are left as in the template.
    pub name: String,
    pub mark: Mark,
    object: Node,
    /// The index in `sources` of the source that is built; `None` without `sources`.
    source: Option<usize>,
    generated: Option<GeneratedBy>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
struct GeneratedBy {
    set: String,
    place: Mark,
    /// A parameter that is known only in the cluster and affects the Application's source, with the
    /// location of its use.
    unknown: Option<(Arc<str>, Mark)>,
    cluster: ElementCluster,
}

/// The Applications of an `ApplicationSet`.
#[derive(Clone, Debug, Default)]
pub struct GeneratedDeploymentObjects {
    pub known: Vec<DeploymentObject>,
    /// Generators and elements whose result is not known here, or that Argo CD rejects.
    pub not_known: Vec<(GeneratorError, Mark)>,
}

/// Information that is needed to apply a deployment object's additions.
pub struct AdditionContext<'a> {
    /// Returns true if a path relative to the built directory exists.
    pub exists: &'a dyn Fn(&str) -> bool,
    /// Variables given by the user (`--env`).
    pub environment: &'a [String],
}

/// A name, its value, and the location of the value.
pub type PlacedPair = (String, String, Mark);

/// Flux `postBuild`: variables that are replaced in the output of a build.
pub struct Substitution {
    pub variables: Vec<PlacedPair>,
    /// True if expressions are replaced also without any variable (`substituteStrategy`).
    pub is_always: bool,
    pub mark: Mark,
}

/// False for a text without a deployment object: a fast check before a text is parsed. Labels and
/// annotations with a prefix of Argo CD are frequent in other objects.
pub fn may_contain_object(text: &[u8]) -> bool {
    let is_part_of_name = |byte: &u8| byte.is_ascii_alphanumeric() || b".-/".contains(byte);
    let has_group = |group: &str| {
        let mut found = memchr::memmem::find_iter(text, group);
        found.any(|at| {
            at.checked_sub(1).and_then(|at| text.get(at)).is_none_or(|it| !is_part_of_name(it))
        })
    };
    let has_application = || memchr::memmem::find(text, b"Application").is_some();
    has_group("kustomize.toolkit.fluxcd.io/") || has_application() && has_group("argoproj.io/")
}

/// The deployment objects in a file, in document order; empty if the file is not valid YAML.
pub fn deployment_objects_in(text: &[u8], source: SourceId) -> Vec<DeploymentObject> {
    let Ok(file) = parse_documents(text, source, Limits::default()) else { return Vec::new() };
    file.documents
        .into_iter()
        .filter_map(|document| DeploymentObject::from_object(document.node))
        .collect()
}

impl DeploymentObject {
    /// The deployment object of a parsed object; `None` for other kinds, and for a template whose
    /// name is no text (`name: {{.Name}}`).
    pub fn from_object(object: Node) -> Option<Self> {
        let group = object.text_of("apiVersion")?.split('/').next()?.to_owned();
        let kind = match (group.as_str(), object.text_of("kind")?) {
            ("argoproj.io", "Application") => DeploymentObjectKind::Application,
            ("argoproj.io", "ApplicationSet") => DeploymentObjectKind::ApplicationSet,
            ("kustomize.toolkit.fluxcd.io", "Kustomization") => {
                DeploymentObjectKind::FluxKustomization
            }
            _ => return None,
        };
        let name = match object.at(&["metadata", "name"]) {
            Some(name) if name.as_mapping().is_some() => return None,
            name => name.and_then(Node::text).unwrap_or_default(),
        };
        let mark = object.entries().first().map_or(object.mark, |entry| entry.key.mark);
        Some(Self { kind, name: name.to_owned(), mark, object, source: None, generated: None })
    }

    /// The kind and name of the object for display.
    pub fn title(&self) -> String {
        format!("{} {} {}", self.kind.controller(), self.kind.word(), self.name)
    }

    /// The deployed directory, relative to the root of its repository, and the location of the
    /// path.
    ///
    /// # Errors
    /// The source is not a directory of a repository but a chart or plugin, or it depends on a
    /// parameter that is known only in the cluster.
    pub fn directory(&self) -> Result<(String, Mark), ManifestError> {
        if let Some((parameter, mark)) = self.generated.as_ref().and_then(|it| it.unknown.as_ref())
        {
            let fault = ManifestFault::UnknownParameter(self.title(), parameter.to_string());
            let hint = "build the folder directly: the source of the object differs from cluster to cluster";
            return Err(ManifestError::fault_at(fault, *mark).with_hint(hint));
        }
        if self.is_flux() { Ok(flux::directory(self)) } else { argo::directory(self) }
    }

    /// True for a Flux Kustomization.
    pub fn is_flux(&self) -> bool {
        self.kind == DeploymentObjectKind::FluxKustomization
    }

    /// True for an `ApplicationSet`.
    pub fn is_set(&self) -> bool {
        self.kind == DeploymentObjectKind::ApplicationSet
    }

    /// The path of the directory as written, with expressions that are known only in the cluster;
    /// `None` if the source has none.
    pub fn source_path(&self) -> Option<(String, Mark)> {
        if self.is_flux() { Some(flux::directory(self)) } else { argo::source_path(self) }
    }

    /// Adds the object's settings to the tree of a kustomization file.
    ///
    /// # Errors
    /// Values that Argo CD or Flux rejects: an invalid image, a label that is already present.
    pub fn add_to(
        &self,
        root: &mut Node,
        around: &AdditionContext<'_>,
    ) -> Result<Vec<Diagnostic>, ManifestError> {
        let add = if self.is_flux() { flux::add } else { argo::add };
        add(self, root, around)
    }

    /// The field of the object with its additions: the path of the field, and its key and value.
    pub(crate) fn additions(&self) -> Option<(String, &MappingEntry)> {
        if self.is_flux() {
            return Some(("spec".to_owned(), self.object.entry("spec")?));
        }
        argo::additions(self)
    }

    fn options(&self) -> Option<&Node> {
        self.additions().map(|(_, entry)| &entry.value)
    }

    /// The variables that Flux replaces in the output of the build.
    pub fn substitution(&self) -> Option<Substitution> {
        flux::substitution(self.spec().filter(|_| self.is_flux())?.get("postBuild")?)
    }

    /// The labels and annotations that Flux adds to the output of the build (`commonMetadata`), with
    /// their location.
    pub fn common_metadata(&self) -> Option<(Vec<PlacedPair>, Vec<PlacedPair>, Mark)> {
        let common = self.spec().filter(|_| self.is_flux())?.get("commonMetadata")?;
        let [labels, annotations] =
            ["labels", "annotations"].map(|field| edit::pairs_of(common.get(field)));
        let is_empty = labels.is_empty() && annotations.is_empty();
        (!is_empty).then_some((labels, annotations, common.mark))
    }

    /// True if the labels are added to metadata only, not to selectors.
    pub fn labels_metadata_only(&self) -> bool {
        self.options().is_some_and(|options| edit::is_true(options, "labelWithoutSelector"))
    }

    /// The Applications that an `ApplicationSet` generates.
    pub fn applications(&self, view: &mut GeneratorView<'_>) -> GeneratedDeploymentObjects {
        let mut found = GeneratedDeploymentObjects::default();
        if self.is_set() {
            application_set::add_applications(self, view, &mut found);
        }
        found
    }

    /// The name of the object in its file: for a generated Application the name of its
    /// `ApplicationSet`.
    pub fn name_in_file(&self) -> &str {
        self.generated.as_ref().map_or(&self.name, |generated| &generated.set)
    }

    /// A remark about the clusters of a cluster generator, which are not in the repository.
    pub fn cluster_remark(&self) -> Option<Diagnostic> {
        let remark = match self.cluster() {
            ElementCluster::None => return None,
            ElementCluster::Local => DeployedRemark::LocalCluster,
            ElementCluster::Any => DeployedRemark::AnyCluster,
            ElementCluster::Assumed => DeployedRemark::AssumedCluster,
        };
        Some(Diagnostic::new(remark(self.title()), self.place()))
    }

    fn cluster(&self) -> ElementCluster {
        self.generated.as_ref().map(|generated| generated.cluster).unwrap_or_default()
    }

    /// True for an Application that a cluster generator generates for the local cluster.
    pub fn is_for_local_cluster(&self) -> bool {
        self.cluster() == ElementCluster::Local
    }

    /// True for an Application of a cluster that another generator names, which may not exist.
    pub fn is_for_assumed_cluster(&self) -> bool {
        self.cluster() == ElementCluster::Assumed
    }

    /// True for an Application that an `ApplicationSet` generates.
    pub fn is_generated(&self) -> bool {
        self.generated.is_some()
    }

    /// The location of the object, or of the element in the generator.
    pub fn place(&self) -> Mark {
        self.generated.as_ref().map_or(self.mark, |generated| generated.place)
    }

    /// The namespace that Argo CD gives to objects without one; empty if it gives none.
    pub fn destination_namespace(&self) -> &str {
        self.application_spec()
            .map_or("", |(_, spec)| spec.text_at(&["destination", "namespace"]).unwrap_or_default())
    }

    /// True if the object deploys on its own. A Flux Kustomization without a source, and an
    /// Application without the URL of its repository, are only fragments, which a patch or a parent
    /// completes.
    pub fn is_target(&self) -> bool {
        match self.kind {
            DeploymentObjectKind::Application => argo::is_target(self),
            DeploymentObjectKind::ApplicationSet => self.node(&["spec", "generators"]).is_some(),
            DeploymentObjectKind::FluxKustomization => self.node(&["spec", "sourceRef"]).is_some(),
        }
    }

    /// True if the object names its source. A patch of an object may have no other field than a
    /// path.
    pub fn has_source(&self) -> bool {
        match self.kind {
            DeploymentObjectKind::Application => argo::has_repository(self),
            _ => self.is_target(),
        }
    }

    /// True for a Flux Kustomization with a path and without a source, which a patch may add.
    pub fn is_without_source(&self) -> bool {
        self.is_flux() && !self.is_target() && !self.text(&["spec", "path"]).is_empty()
    }

    /// The folders in the object's paths, up to the first part that a generator fills in.
    pub fn known_folders(&self) -> Vec<String> {
        let own = self.source_path().map(|(path, _)| path);
        let of_set = self.generator_parts().flat_map(|node| {
            let lists = ["directories", "files"].map(|field| node.get(field).and_then(Node::items));
            let items = lists.into_iter().flatten().flatten();
            items.filter_map(|item| item.text_of("path").map(str::to_owned))
        });
        own.into_iter().chain(of_set).filter_map(|path| known_part(&path)).collect()
    }

    /// The URLs of the repositories that the git generators of an `ApplicationSet` read.
    pub fn generator_repositories(&self) -> Vec<&str> {
        self.generator_parts().filter_map(|node| node.text_at(&["git", "repoURL"])).collect()
    }

    fn generator_parts(&self) -> impl Iterator<Item = &Node> {
        let generators = self.node(&["spec", "generators"]).filter(|_| self.is_set());
        generators.into_iter().flat_map(Node::nodes)
    }

    /// The paths of the components that the object adds.
    pub fn components(&self) -> Vec<String> {
        let list =
            self.options().map(|options| edit::list(options, "components")).unwrap_or_default();
        list.iter().filter_map(|item| item.text().map(str::to_owned)).collect()
    }

    /// The objects of `postBuild.substituteFrom`: kind, name, and the location of the name.
    pub fn variable_objects(&self) -> Vec<(String, String, Mark)> {
        let list = self.node(&["spec", "postBuild", "substituteFrom"]).and_then(Node::items);
        let objects = list.unwrap_or_default().iter().filter_map(|item| {
            let (kind, name) = (item.get("kind")?, item.get("name")?);
            Some((kind.text()?.to_owned(), name.text()?.to_owned(), name.mark))
        });
        objects.collect()
    }

    /// True for an `ApplicationSet` with a generator that reads the contents of files.
    pub fn reads_files(&self) -> bool {
        self.generator_parts().any(|node| node.get("files").is_some())
    }

    /// The files that contain values of the object: its own file first, then those of the targets
    /// that changed it.
    pub fn sources(&self) -> Vec<SourceId> {
        let mut sources = vec![self.mark.source];
        for Node { mark: Mark { source, .. }, .. } in self.object.nodes() {
            if *source != SourceId::NONE && !sources.contains(source) {
                sources.push(*source);
            }
        }
        sources
    }

    /// The node at a path of the object.
    pub fn node(&self, path: &[&str]) -> Option<&Node> {
        self.object.at(path)
    }

    /// The `spec` of the Application, or that in the template of an `ApplicationSet`, with its
    /// path; `None` for an object of Flux.
    fn application_spec(&self) -> Option<(&'static str, &Node)> {
        match self.kind {
            DeploymentObjectKind::ApplicationSet => {
                Some(("spec.template.spec", self.object.at(&["spec", "template", "spec"])?))
            }
            DeploymentObjectKind::Application => Some(("spec", self.spec()?)),
            DeploymentObjectKind::FluxKustomization => None,
        }
    }

    fn spec(&self) -> Option<&Node> {
        self.object.get("spec")
    }

    /// The text at a path of the object; empty if absent.
    pub fn text(&self, path: &[&str]) -> &str {
        self.object.text_at(path).unwrap_or_default()
    }
}

/// The folders of a path before the first expression or wildcard; `None` if there are none.
fn known_part(path: &str) -> Option<String> {
    let Some(end) = path.find(['{', '*', '?', '[']) else { return Some(path.to_owned()) };
    let (folders, _) = path.get(..end)?.rsplit_once('/')?;
    Some(folders.to_owned())
}

#[cfg(test)]
mod tests;
