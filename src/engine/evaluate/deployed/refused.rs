//! Objects that are not built here, and names that no object or several objects have.

use std::path::{Path, PathBuf};

use crate::diagnostic::{
    DeployedRemark, Diagnostic, Fault, Hint, LayerFault, Remark, WithheldStep,
};
use crate::load::Files;
use crate::manifest::{DeploymentObject, GeneratorError, ManifestFault};
use crate::transform::TransformError;
use crate::yaml::Mark;

use super::super::deployments::{below, has_kustomization};
use super::argument::ObjectSelector;

/// The tool that builds a source, if the error is that kzui does not run it.
pub(super) fn other_tool(error: &TransformError) -> Option<&'static str> {
    let TransformError::Manifest(error) = error else { return None };
    let ManifestFault::OtherTool(_, tool) = &error.fault else { return None };
    Some(tool)
}

/// An object that is not built here is pending: another tool builds it, it is known only in the
/// cluster, or a parent that is not known may give it another directory.
pub(super) fn withheld(error: TransformError, remarks: &[Diagnostic]) -> TransformError {
    if let TransformError::Fault { fault, mark, .. } = &error
        && matches!(**fault, Fault::Layer(LayerFault::NothingDeployed(..)))
        && remarks
            .iter()
            .any(|it| matches!(it.remark, Remark::Deployed(DeployedRemark::ParentNotKnown(..))))
    {
        return TransformError::Waiting {
            what: WithheldStep::NoDirectory(fault.to_string()),
            mark: *mark,
        };
    }
    let TransformError::Manifest(source) = &error else { return error };
    let what = match &source.fault {
        ManifestFault::OtherTool(..) => WithheldStep::OtherTool(source.to_string()),
        ManifestFault::UnknownParameter(..) => WithheldStep::InCluster(source.to_string()),
        _ => return error,
    };
    TransformError::Waiting { what, mark: source.mark }
}

/// The error for an `ApplicationSet` without the named Application, or without any.
pub(super) fn no_element(set: &DeploymentObject, selector: &ObjectSelector) -> TransformError {
    let name = selector.name.clone().unwrap_or_default();
    let fault = match set.node(&["spec", "generators"]) {
        None => LayerFault::NoGenerators(set.title()),
        Some(_) => LayerFault::NoElement(set.title(), name),
    };
    TransformError::fault(fault, set.mark)
}

/// The error for an `ApplicationSet` whose Applications are not known, which is pending if a running
/// Argo CD knows them.
pub(super) fn none_generated(
    (set, reason, mark): &(DeploymentObject, GeneratorError, Mark),
) -> TransformError {
    let fault = LayerFault::NoneGenerated(set.title(), reason.to_string());
    if !reason.is_known_in_cluster {
        return TransformError::fault(fault, *mark);
    }
    TransformError::Waiting { what: WithheldStep::InCluster(fault.to_string()), mark: *mark }
}

/// The remark on a parent that the object deploys in turn: Argo CD manages itself so, because it
/// applies one object after the other; an error for Kustomizations of Flux.
pub(super) fn cycle_remark(
    own: &str,
    object: &DeploymentObject,
    parent: &str,
) -> Result<Diagnostic, TransformError> {
    if object.is_flux() {
        let way = [own, parent, own].map(str::to_owned).to_vec();
        let fault = LayerFault::DeploymentCycle(object.title(), way);
        return Err(TransformError::fault(fault, object.mark));
    }
    let problem = "the object deploys it in turn".to_owned();
    let remark = DeployedRemark::ParentNotKnown(parent.to_owned(), problem);
    Ok(Diagnostic::new(remark, object.mark))
}

pub(super) fn ambiguous_object_error(
    found: &[(PathBuf, DeploymentObject)],
    selector: &ObjectSelector,
    current: &Path,
    mark: Mark,
) -> TransformError {
    let parent = selector.parent.as_ref().map_or_else(String::new, |parent| format!("@{parent}"));
    let names = found.iter().map(|(file, consumer)| {
        let shown = file.strip_prefix(current).unwrap_or(file);
        format!("{}#{}{parent}", shown.display(), consumer.name)
    });
    let names: Vec<String> = names.collect();
    if let Some((_, first)) = found.first()
        && names.iter().all(|name| names.first() == Some(name))
        && first.is_generated()
    {
        let paths = found.iter().map(|(_, it)| it.directory().unwrap_or_default().0);
        let fault = LayerFault::EqualNames { name: first.name.clone(), paths: paths.collect() };
        // A parameter that only the cluster knows makes the names different there.
        if first.name.contains("{{") {
            return TransformError::Waiting {
                what: WithheldStep::InCluster(fault.to_string()),
                mark,
            };
        }
        return TransformError::fault(fault, mark).with_hint(
            "Argo CD refuses equal names: narrow the generator, or put one of its parameters into `template.metadata.name`",
        );
    }
    TransformError::fault(LayerFault::SeveralDeployed(names.len()), mark)
        .with_hint(name_one(&names))
}

pub(super) fn name_one(names: &[String]) -> String {
    format!("name one of: {}", names.join(", "))
}

pub(super) fn own_folder_hint(raw: &DeploymentObject, root: &Path, files: &dyn Files) -> Hint {
    let path = raw.directory().map(|(path, _)| path).unwrap_or_default();
    let folder = below(root, &path);
    let names = files.list(&folder).unwrap_or_default();
    let mut inner = names.iter().filter(|name| has_kustomization(&folder.join(name), files));
    let remedy = match (has_kustomization(&folder, files), inner.next(), inner.next()) {
        (false, Some(name), None) => {
            format!("did you mean `path: {}/{name}`?", path.trim_end_matches('/'))
        }
        (true, ..) => "remove its entry there, or name another folder".to_owned(),
        _ => "name another folder".to_owned(),
    };
    // In another namespace, the object in its own folder is another object.
    let namespace = raw.text(&["spec", "targetNamespace"]);
    if !namespace.is_empty() && namespace != raw.text(&["metadata", "namespace"]) {
        return Hint::Change(format!(
            "the folder of `path` contains this file, so it deploys a second {} in namespace {namespace}: {remedy}",
            raw.name
        ));
    }
    // An object that leaves its own inventory is pruned, and with it all that it deployed.
    let prune = match raw.text(&["spec", "prune"]) {
        "true" => format!(" Annotate it with {KEEP_WITH_PRUNE} first, or it prunes itself."),
        _ => String::new(),
    };
    Hint::Change(format!(
        "the folder of `path` contains this file, so it deploys itself: {remedy}{}",
        if prune.is_empty() || remedy.ends_with('?') { prune } else { format!(".{prune}") }
    ))
}

/// The annotation that keeps an object which its Flux Kustomization no longer contains.
const KEEP_WITH_PRUNE: &str = "`kustomize.toolkit.fluxcd.io/prune: disabled`";
