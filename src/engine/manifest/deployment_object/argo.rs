//! `spec.source.kustomize` of an Argo CD Application, applied as the corresponding `kustomize edit`
//! commands, in Argo CD's order.

use std::path::Path;
use std::sync::LazyLock;

use regex::{Captures, Regex};

use crate::diagnostic::{Code, DeployedRemark, Diagnostic};
use crate::load::clean;
use crate::profile::Profile;
use crate::yaml::{MappingEntry, Mark, Node};

use super::super::{ManifestError, ManifestFault};
use super::application_set::merge_patch;
use super::edit::{
    IMAGE_FIELDS, add_components, append, image_node, is_true, list, pairs_of, set_by_name,
    set_text,
};
use super::source_type::{ONLY_DIRECTORIES, SourceType, drop_zero_types, is_zero, source_type};
use super::{AdditionContext, DeploymentObject, DeploymentObjectKind, PlacedPair};

const CLUSTER_ONLY_VARIABLES: [&str; 5] = [
    "ARGOCD_APP_REVISION",
    "ARGOCD_APP_REVISION_SHORT",
    "ARGOCD_APP_REVISION_SHORT_8",
    "KUBE_VERSION",
    "KUBE_API_VERSIONS",
];

const CHART: &str = "a Helm chart";

/// The source of the object that is built, with its path in the object, and the sources that no
/// build includes.
fn sources(consumer: &DeploymentObject) -> (Option<(String, &Node)>, Vec<&Node>) {
    let Some((place, spec)) = consumer.application_spec() else { return (None, Vec::new()) };
    if let Some(source) = hydrated_source(spec) {
        return (Some((format!("{place}.sourceHydrator.drySource"), source)), Vec::new());
    }
    let several = spec.get("sources").and_then(Node::items).filter(|items| !items.is_empty());
    let Some(several) = several else {
        let source = spec.get("source").filter(|source| !source.is_null());
        return (source.map(|source| (format!("{place}.source"), source)), Vec::new());
    };
    let (built, others): (Vec<_>, Vec<_>) =
        several.iter().enumerate().partition(|(_, source)| is_built(source));
    let others = others.into_iter().map(|(_, source)| source).collect();
    let is_own = |index: usize| consumer.source.is_none_or(|own| own == index);
    let built = built.into_iter().find(|(index, _)| is_own(*index));
    (built.map(|(index, source)| (format!("{place}.sources.{index}"), source)), others)
}

fn hydrated_source(spec: &Node) -> Option<&Node> {
    spec.at(&["sourceHydrator", "drySource"]).filter(|source| !source.is_null())
}

/// True for one of several sources that is a directory of Kustomize or of plain manifests.
fn is_built(source: &Node) -> bool {
    if source.get("kustomize").is_some() {
        return true;
    }
    let mut source = source.clone();
    drop_zero_types(&mut source);
    other_tool(&source).is_none() && has_path(&source)
}

fn has_path(source: &Node) -> bool {
    source.text_of("path").is_some_and(|path| !path.is_empty())
}

pub(super) fn additions(consumer: &DeploymentObject) -> Option<(String, &MappingEntry)> {
    let (place, source) = sources(consumer).0?;
    Some((format!("{place}.kustomize"), source.entry("kustomize")?))
}

fn other_tool(source: &Node) -> Option<&'static str> {
    let tools = [("chart", CHART), ("helm", "Helm"), ("plugin", "a plugin")];
    let tool = tools
        .into_iter()
        .find(|(field, _)| source.get(field).is_some_and(|value| !value.is_null()));
    tool.map(|(_, tool)| tool)
}

pub(super) fn directory(consumer: &DeploymentObject) -> Result<(String, Mark), ManifestError> {
    let rendered = |tool: &'static str, source: &Node| {
        let fault = ManifestFault::OtherTool(consumer.title(), tool);
        ManifestError::fault_at(fault, source.mark).with_hint(ONLY_DIRECTORIES)
    };
    let no_source = |hint: &'static str, mark| {
        let text = "the Application has no source that Kustomize builds".to_owned();
        Err(ManifestError::fault_at(ManifestFault::Other(Code::KZ033, text), mark).with_hint(hint))
    };
    let (built, others) = sources(consumer);
    let Some((_, source)) = built else {
        let mut rendered_by = others.iter().filter_map(|it| Some((other_tool(it)?, it)));
        let Some((tool, source)) = rendered_by.next() else {
            let hint = "the Application has no spec.source with a directory";
            return no_source(hint, consumer.mark);
        };
        return Err(rendered(if tool == CHART { "Helm from a chart" } else { tool }, source));
    };
    if !has_path(source) {
        if source.get("chart").is_some_and(|chart| !chart.is_null()) {
            return Err(rendered("Helm from a chart", source));
        }
        return no_source("set `path` or `chart` of the source", source.mark);
    }
    let (path, mark) = path_of(source);
    if path.starts_with('/') {
        let error = ManifestError::fault_at(format!("{path}: app path is absolute"), mark);
        return Err(error.with_hint("write the path relative to the root of the repository"));
    }
    if clean(Path::new(&path)).starts_with("..") {
        return Err(ManifestError::fault_at(format!("{path}: app path outside root"), mark));
    }
    Ok((path, mark))
}

fn path_of(source: &Node) -> (String, Mark) {
    let path = source.get("path");
    let mark = path.map_or(source.mark, |node| node.mark);
    let path = path.and_then(Node::text).filter(|path| !path.is_empty()).unwrap_or(".");
    (path.to_owned(), mark)
}

pub(super) fn source_path(consumer: &DeploymentObject) -> Option<(String, Mark)> {
    let (_, source) = sources(consumer).0?;
    has_path(source).then(|| path_of(source))
}

pub(super) fn has_repository(consumer: &DeploymentObject) -> bool {
    let (built, others) = sources(consumer);
    let mut all = built.map(|(_, source)| source).into_iter().chain(others);
    all.any(|source| source.get("repoURL").is_some())
}

/// True if the source that is built has a URL; without such a source, if any source has one.
pub(super) fn is_target(consumer: &DeploymentObject) -> bool {
    let has_url = |source: &Node| source.text_of("repoURL").is_some_and(|url| !url.is_empty());
    match sources(consumer) {
        (Some((_, built)), _) => has_url(built),
        (None, others) => others.is_empty() || others.into_iter().any(has_url),
    }
}

impl DeploymentObject {
    /// The object once for each of its sources that is built; itself if it has no `sources`.
    pub fn each_source(&self) -> Vec<Self> {
        let spec = self.spec().filter(|_| self.kind == DeploymentObjectKind::Application);
        let is_dry = |spec: &&Node| hydrated_source(spec).is_none();
        let several = spec.filter(is_dry).map(|spec| spec.items_of("sources")).unwrap_or_default();
        let built = several.iter().enumerate().filter(|(_, source)| is_built(source));
        let each: Vec<Self> =
            built.map(|(index, _)| Self { source: Some(index), ..self.clone() }).collect();
        if each.is_empty() { vec![self.clone()] } else { each }
    }

    /// True if the source sets the options of another tool, which does not run here.
    pub fn has_other_tool(&self) -> bool {
        if self.kind != DeploymentObjectKind::Application {
            return false;
        }
        let (built, others) = sources(self);
        let Some((place, source)) = built else {
            return others.into_iter().any(|source| other_tool(source).is_some());
        };
        other_tool(&settled(&place, source)).is_some()
    }

    /// The URL and revision of the repository in the object itself, with the location of the URL.
    pub fn repository(&self) -> Option<(String, String, Mark)> {
        let (_, source) = sources(self).0?;
        let url = source.get("repoURL")?;
        let text = url.text().filter(|url| !url.contains("{{"))?;
        let revision = source.text_of("targetRevision").unwrap_or_default();
        Some((text.to_owned(), revision.to_owned(), url.mark))
    }

    /// The names of the files in the directory that override the source before it is built, in the
    /// order in which Argo CD reads them.
    pub fn override_files(&self) -> Vec<String> {
        if self.kind != DeploymentObjectKind::Application {
            return Vec::new();
        }
        let own = (!self.name.is_empty()).then(|| format!(".argocd-source-{}.yaml", self.name));
        std::iter::once(".argocd-source.yaml".to_owned()).chain(own).collect()
    }

    /// Applies the contents of the override files to the source that is built, and returns how the
    /// directory is built; `names` are the files in it. Types with only zero values are removed
    /// first; the path, URL, chart and revision cannot be overridden.
    ///
    /// # Errors
    /// Two explicit types, or a type that is not supported here.
    pub fn resolve_source_type(
        &mut self,
        overrides: &[Node],
        names: &[String],
    ) -> Result<SourceType, ManifestError> {
        let (Some((place, source)), _) = sources(self) else { return Ok(SourceType::Kustomize) };
        let mut settled = settled(&place, source);
        for patch in overrides {
            merge_patch(&mut settled, patch);
        }
        for field in ["chart", "path", "repoURL", "targetRevision"] {
            settled.remove(field);
            if let Some(value) = source.get(field) {
                settled.set(field, value.clone());
            }
        }
        let found = source_type(&self.title(), &settled, names);
        let place: Vec<&str> = place.split('.').collect();
        put(&mut self.object, &place, settled);
        found
    }

    /// The version of Kustomize that the source names; empty for the default version.
    pub fn kustomize_version(&self) -> &str {
        let options = self.options().filter(|_| !self.is_flux());
        options.and_then(|options| options.text_of("version")).unwrap_or_default()
    }

    /// The cluster versions passed to charts: the version of Kubernetes and the versions of its
    /// API, if set.
    pub fn helm_versions(&self) -> (String, Vec<String>) {
        let options = self.options();
        let text = |node: &Node| node.text().unwrap_or_default().to_owned();
        let version = options.and_then(|options| options.get("kubeVersion")).map(text);
        let versions = options.map(|options| list(options, "apiVersions")).unwrap_or_default();
        (version.unwrap_or_default(), versions.iter().map(text).collect())
    }

    /// A diagnostic for each source that is not built.
    pub fn other_sources(&self) -> Vec<Diagnostic> {
        let remarks = sources(self).1.into_iter().filter_map(|other| {
            let remark = match other_tool(other) {
                Some(tool) => DeployedRemark::OtherSource(tool),
                None if other.get("ref").is_some() => return None,
                None => DeployedRemark::SourceWithoutPath,
            };
            Some(Diagnostic::new(remark, other.mark))
        });
        remarks.collect()
    }
}

fn settled(place: &str, source: &Node) -> Node {
    let mut source = source.clone();
    if !place.ends_with("drySource") {
        drop_zero_types(&mut source);
    }
    source
}

fn put(node: &mut Node, place: &[&str], value: Node) {
    let Some((first, rest)) = place.split_first() else {
        *node = value;
        return;
    };
    let child = match first.parse::<usize>() {
        Ok(index) => node.items_mut().and_then(|items| items.get_mut(index)),
        Err(_) => node.get_mut(first),
    };
    if let Some(child) = child {
        put(child, rest, value);
    }
}

pub(super) fn add(
    consumer: &DeploymentObject,
    root: &mut Node,
    around: &AdditionContext<'_>,
) -> Result<Vec<Diagnostic>, ManifestError> {
    let mut remarks = Vec::new();
    let Some((_, source)) = sources(consumer).0 else { return Ok(remarks) };
    let Some(options) = source.get("kustomize") else { return Ok(remarks) };
    let mut variables = Variables { consumer, source, around, unknown: Vec::new() };
    set_text(root, "namePrefix", options.get("namePrefix"));
    set_text(root, "nameSuffix", options.get("nameSuffix"));
    images(options, root, &mut variables)?;
    replicas(options, root)?;
    labels(options, root, &mut variables)?;
    add_annotations(options, root, &mut variables)?;
    set_text(root, "namespace", options.get("namespace"));
    append(root, "patches", list(options, "patches"));
    // As `kustomize edit add component` does.
    let listed = list(root, "components");
    add_components(options, root, &listed, around, &mut remarks);
    remarks.extend(variables.unknown);
    if let Some(version) = options.get("version") {
        let name = version.text().unwrap_or_default();
        if Profile::named(name).is_none() {
            let remark = DeployedRemark::Version(name.to_owned());
            remarks.push(Diagnostic::new(remark, version.mark));
        }
    }
    Ok(remarks)
}

/// Applies `kustomize edit set image`.
fn images(
    options: &Node,
    root: &mut Node,
    variables: &mut Variables<'_>,
) -> Result<(), ManifestError> {
    let before = list(root, "images");
    let mut set = Vec::new();
    for item in list(options, "images") {
        let written = variables.expand_variables(item.text().unwrap_or_default(), item.mark);
        let mut image = image(&written).ok_or_else(|| {
            let fault = format!("'{written}' is not an image override");
            let hint = "write name:tag, name@digest, name=new, name=new:tag or name=new@digest";
            ManifestError::fault_at(fault, item.mark).with_hint(hint)
        })?;
        let known = before.iter().find(|known| known.text_of("name") == Some(&*image[0]));
        for (field, value) in IMAGE_FIELDS.iter().zip(&mut image).skip(1) {
            if value == "*" {
                let old = known.and_then(|known| known.text_of(field));
                old.unwrap_or_default().clone_into(value);
            }
        }
        set.push(image_node(image.each_ref().map(String::as_str), item.mark));
    }
    set_by_name(root, "images", set);
    Ok(())
}

/// Reads `name=new:tag` and its shorter forms, by the rules of `kustomize edit set image`, into the
/// values of [`IMAGE_FIELDS`].
fn image(text: &str) -> Option<[String; 4]> {
    let mut parts = text.split('=');
    let (first, second) = (parts.next()?, parts.next());
    match second {
        Some(new) if parts.next().is_none() => {
            let (new_name, tag, digest) = name_tag_digest(new)?;
            Some([first.to_owned(), new_name, tag, digest])
        }
        _ => {
            let (name, tag, digest) = name_tag_digest(text)?;
            let says = !tag.is_empty() || !digest.is_empty();
            says.then(|| [name, String::new(), tag, digest])
        }
    }
}

/// Splits an image override into name, tag and digest; a part that is not set is empty. `None` for
/// an empty text.
fn name_tag_digest(text: &str) -> Option<(String, String, String)> {
    let (rest, digest) = match text.split_once('@') {
        Some((rest, digest)) => (rest, digest),
        None => (text, ""),
    };
    let is_tag = |tag: &str| {
        tag == "*" || tag.bytes().all(|b| b.is_ascii_alphanumeric() || b"._-".contains(&b))
    };
    let (name, tag) = match rest.rsplit_once(':').filter(|(_, tag)| is_tag(tag)) {
        Some((name, tag)) => (name, tag),
        None => (rest, ""),
    };
    (!text.is_empty()).then(|| (name.to_owned(), tag.to_owned(), digest.to_owned()))
}

/// Applies `kustomize edit set replicas`.
fn replicas(options: &Node, root: &mut Node) -> Result<(), ManifestError> {
    let mut set = Vec::new();
    for item in list(options, "replicas") {
        let text = |field: &str| item.text_of(field).unwrap_or_default();
        let count: i64 = text("count").parse().map_err(|_| {
            let fault = format!("the count of {} is not a number", text("name"));
            ManifestError::fault_at(fault, item.mark).with_hint("write a whole number")
        })?;
        let mut replica = Node::mapping();
        replica.set("name", Node::string(text("name")));
        replica.set("count", Node::plain(count.to_string()));
        replica.mark_all(item.get("count").map_or(item.mark, |count| count.mark));
        set.push(replica);
    }
    set_by_name(root, "replicas", set);
    Ok(())
}

/// Applies `kustomize edit add label [--force] [--without-selector] [--include-templates]`.
fn labels(
    options: &Node,
    root: &mut Node,
    variables: &mut Variables<'_>,
) -> Result<(), ManifestError> {
    let mut pairs = pairs_of(options.get("commonLabels"));
    let Some((_, _, mark)) = pairs.first().cloned() else { return Ok(()) };
    for (_, value, mark) in &mut pairs {
        *value = variables.expand_variables(value, *mark);
    }
    let force = is_true(options, "forceCommonLabels");
    if !is_true(options, "labelWithoutSelector") {
        if let Some(templates) = options.get("labelIncludeTemplates").filter(|it| !is_zero(it)) {
            let hint = "set labelWithoutSelector: true too";
            let fault = "--without-selector flag must be specified for --include-templates to work";
            return Err(ManifestError::fault_at(fault, templates.mark).with_hint(hint));
        }
        return add_to_field(root, "commonLabels", &pairs, force, "label");
    }
    let templates = is_true(options, "labelIncludeTemplates");
    let mut all = list(root, "labels");
    let fits = |item: &Node| {
        !is_true(item, "includeSelectors") && is_true(item, "includeTemplates") == templates
    };
    let at = all.iter().position(fits).unwrap_or(all.len());
    if at == all.len() {
        let mut item = Node::mapping();
        item.set("pairs", Node::mapping());
        if templates {
            item.set("includeTemplates", Node::plain("true"));
        }
        item.mark_all(mark);
        all.push(item);
    }
    if let Some(item) = all.get_mut(at) {
        add_to_field(item, "pairs", &pairs, force, "label")?;
    }
    root.set("labels", Node::sequence(all).marked(mark));
    Ok(())
}

/// Applies `kustomize edit add annotation [--force]`.
fn add_annotations(
    options: &Node,
    root: &mut Node,
    variables: &mut Variables<'_>,
) -> Result<(), ManifestError> {
    let mut pairs = pairs_of(options.get("commonAnnotations"));
    if is_true(options, "commonAnnotationsEnvsubst") {
        for (_, value, mark) in &mut pairs {
            *value = variables.expand_variables(value, *mark);
        }
    }
    let force = is_true(options, "forceCommonAnnotations");
    add_to_field(root, "commonAnnotations", &pairs, force, "annotation")
}

/// Adds pairs to the mapping in a field; without `force` an existing key is an error.
fn add_to_field(
    root: &mut Node,
    field: &str,
    pairs: &[PlacedPair],
    force: bool,
    kind: &'static str,
) -> Result<(), ManifestError> {
    let Some((_, _, mark)) = pairs.first() else { return Ok(()) };
    let known = root.get(field).filter(|node| node.as_mapping().is_some()).cloned();
    // The location of the field itself is that of the last addition.
    let mut mapping = known.unwrap_or_else(Node::mapping).marked(*mark);
    for (key, value, mark) in pairs {
        if mapping.get(key).is_some() && !force {
            let option =
                if kind == "label" { "forceCommonLabels" } else { "forceCommonAnnotations" };
            let fault =
                format!("{kind} {key} already in kustomization file. Use --force to override.");
            let hint = format!(
                "set `{option}: true` in the Application to replace the label or annotation"
            );
            return Err(ManifestError::fault_at(fault, *mark).with_hint(hint));
        }
        mapping.set(key, Node::string(value.as_str()).marked(*mark));
    }
    root.set(field, mapping);
    Ok(())
}

/// The variables that Argo CD substitutes in images, labels and, on request, annotations.
struct Variables<'a> {
    consumer: &'a DeploymentObject,
    source: &'a Node,
    around: &'a AdditionContext<'a>,
    unknown: Vec<Diagnostic>,
}

impl Variables<'_> {
    fn value(&self, name: &str) -> Option<String> {
        let mut given = self.around.environment.iter().filter_map(|env| env.split_once('='));
        if let Some((_, value)) = given.rfind(|(key, _)| *key == name) {
            return Some(value.to_owned());
        }
        let of_source = |field: &str| self.source.text_of(field).unwrap_or_default().to_owned();
        let text = |path: &[&str]| self.consumer.text(path).to_owned();
        Some(match name {
            "ARGOCD_APP_NAME" => self.consumer.name.clone(),
            "ARGOCD_APP_NAMESPACE" => text(&["spec", "destination", "namespace"]),
            "ARGOCD_APP_PROJECT_NAME" => text(&["spec", "project"]),
            "ARGOCD_APP_SOURCE_PATH" => of_source("path"),
            "ARGOCD_APP_SOURCE_REPO_URL" => of_source("repoURL"),
            "ARGOCD_APP_SOURCE_TARGET_REVISION" => of_source("targetRevision"),
            name if CLUSTER_ONLY_VARIABLES.contains(&name) => return None,
            _ => String::new(),
        })
    }

    /// Replaces the variables in a text like Go's `os.Expand`: `$name` and `${name}`; `$$` is a
    /// dollar sign. Variables known only to a running Argo CD are kept as written and reported.
    fn expand_variables(&mut self, text: &str, mark: Mark) -> String {
        static VARIABLE: LazyLock<Option<Regex>> =
            LazyLock::new(|| Regex::new(r"\$(?:\$|\{([^}]*)\}|(\w+))").ok());
        let Some(variable) = &*VARIABLE else { return text.to_owned() };
        let expanded = variable.replace_all(text, |found: &Captures<'_>| {
            let written = found.get(0).map_or("", |it| it.as_str());
            let Some(name) = found.get(1).or(found.get(2)) else { return "$".to_owned() };
            self.value(name.as_str()).unwrap_or_else(|| {
                let unknown = DeployedRemark::KnownToArgoCd(name.as_str().to_owned());
                self.unknown.push(Diagnostic::new(unknown, mark));
                written.to_owned()
            })
        });
        expanded.into_owned()
    }
}
