//! The edits that Flux makes to a kustomization file by the `spec` of a Flux Kustomization, in the
//! order of the generator in `fluxcd/pkg/kustomize`.

use crate::diagnostic::{DeployedRemark, Diagnostic};
use crate::yaml::{Mark, Node, Tag, to_json};

use super::super::ManifestError;
use super::edit::{IMAGE_FIELDS, add_components, append, image_node, list, pairs_of};
use super::{AdditionContext, DeploymentObject, Substitution};

pub(super) fn directory(consumer: &DeploymentObject) -> (String, Mark) {
    let path = consumer.spec().and_then(|spec| spec.get("path"));
    let mark = path.map_or(consumer.mark, |node| node.mark);
    let path = path.and_then(Node::text).unwrap_or_default().trim_start_matches('/');
    (if path.is_empty() { "." } else { path }.to_owned(), mark)
}

pub(super) fn add(
    consumer: &DeploymentObject,
    root: &mut Node,
    around: &AdditionContext<'_>,
) -> Result<Vec<Diagnostic>, ManifestError> {
    let mut remarks = Vec::new();
    let Some(spec) = consumer.spec() else { return Ok(remarks) };
    check_variables(spec)?;
    if list(root, "resources").is_empty() && root.text_of("namespace") != Some(PLACEHOLDER) {
        // Without this field Kustomize would reject a file without resources as empty.
        let word = Node::string("originAnnotations").marked(consumer.mark);
        root.set("buildMetadata", Node::sequence(vec![word]).marked(consumer.mark));
    }
    for (field, target) in [
        ("targetNamespace", "namespace"),
        ("namePrefix", "namePrefix"),
        ("nameSuffix", "nameSuffix"),
    ] {
        if let Some(value) = spec.get(field).filter(|value| value.text().is_some()) {
            root.set(target, value.clone());
        }
    }
    append(root, "patches", list(spec, "patches"));
    for item in list(spec, "components") {
        let path = item.text().unwrap_or_default();
        if path.starts_with('/') || path.contains("://") || path.is_empty() {
            let fault = format!("component path '{path}' must be local and relative");
            return Err(ManifestError::fault_at(fault, item.mark));
        }
    }
    add_components(spec, root, &[], around, &mut remarks);
    let merges = list(spec, "patchesStrategicMerge").into_iter().map(|patch| as_text(&patch));
    append(root, "patchesStrategicMerge", merges.collect::<Result<_, _>>()?);
    let mut patches = list(spec, "patchesJson6902");
    for patch in &mut patches {
        let text = patch.get("patch").map(as_text).transpose()?;
        if let Some(text) = text {
            patch.set("patch", text);
        }
    }
    append(root, "patchesJson6902", patches);
    images(spec, root);
    let metadata = list(spec, "buildMetadata");
    if let Some(mark) = metadata.first().map(|word| word.mark) {
        root.set("buildMetadata", Node::sequence(metadata).marked(mark));
    }
    if let Some(node) = spec.get("decryption") {
        remarks.push(Diagnostic::new(DeployedRemark::Encrypted, node.mark));
    }
    Ok(remarks)
}

/// Checks that the values of `postBuild.substitute` are strings: the API server refuses others.
fn check_variables(spec: &Node) -> Result<(), ManifestError> {
    for entry in spec.at(&["postBuild", "substitute"]).map(Node::entries).unwrap_or_default() {
        let found = match entry.value.as_scalar().map(|scalar| &scalar.tag) {
            Some(Tag::Int) => "integer",
            Some(Tag::Float) => "number",
            Some(Tag::Bool) => "boolean",
            Some(Tag::Null) => "null",
            Some(_) => continue,
            None if entry.value.items().is_some() => "array",
            None => "object",
        };
        let name = entry.key.text().unwrap_or_default();
        let fault = format!("spec.postBuild.substitute.{name} must be of type string: \"{found}\"");
        let error = ManifestError::fault_at(fault, entry.value.mark);
        return Err(error.with_hint("write the value in quotes"));
    }
    Ok(())
}

/// The namespace that Flux sets in a generated file without resources.
pub(super) const PLACEHOLDER: &str = "_placeholder";

fn as_text(node: &Node) -> Result<Node, ManifestError> {
    let json =
        to_json(node).map_err(|error| ManifestError::fault_at(error.to_string(), node.mark))?;
    Ok(Node::string(json).marked(node.mark))
}

/// Merges images of the same name field by field; a tag and a digest replace each other.
fn images(spec: &Node, root: &mut Node) {
    let mut all = list(root, "images");
    let new = list(spec, "images");
    let Some(mark) = new.first().map(|image| image.mark) else { return };
    for image in new {
        let text = |field: &str| image.text_of(field).unwrap_or_default();
        let known = all.iter_mut().find(|known| known.text_of("name") == Some(text("name")));
        let Some(known) = known else {
            all.push(image_node(IMAGE_FIELDS.map(text), image.mark));
            continue;
        };
        if let Some(name) = image.get("newName").filter(|_| !text("newName").is_empty()) {
            known.set("newName", name.clone());
        }
        if !text("newTag").is_empty() || !text("digest").is_empty() {
            for field in ["newTag", "digest"] {
                known.remove(field);
                if let Some(value) = image.get(field).filter(|_| !text(field).is_empty()) {
                    known.set(field, value.clone());
                }
            }
        }
        known.mark = image.mark;
    }
    root.set("images", Node::sequence(all).marked(mark));
}

pub(super) fn substitution(post: &Node) -> Option<Substitution> {
    let mut variables = pairs_of(post.get("substitute"));
    for (_, value, _) in &mut variables {
        *value = value.replace('\n', "");
    }
    let from =
        post.get("substituteFrom").filter(|from| from.items().is_some_and(|it| !it.is_empty()));
    let is_always = post.text_of("substituteStrategy") == Some("Always");
    let mark = post.get("substitute").or(from).map_or(post.mark, |node| node.mark);
    (!variables.is_empty() || from.is_some() || is_always).then_some(Substitution {
        variables,
        is_always,
        mark,
    })
}
