//! The Applications of an Argo CD `ApplicationSet`: its generators, its template, and its template
//! patch (`applicationset/generators` and `applicationset/utils` of Argo CD).

mod generators;
mod git;
mod go_template;
mod render;
mod selector;
mod value;

#[cfg(test)]
mod tests;

use crate::yaml::{Limits, Mark, Node, SourceId, Style, parse_config};

use super::{DeploymentObject, DeploymentObjectKind, GeneratedBy, GeneratedDeploymentObjects};

use generators::{GeneratedElements, Generators};
use go_template::{MissingKey, TemplateError};
use render::{Element, Language, UnknownUse};

pub use generators::{GeneratorError, GeneratorView};
pub(super) use render::{ElementCluster, merge_patch};

/// Fields of an Application that decide about its build.
const SOURCES: [&str; 3] = ["source", "sources", "sourceHydrator"];

/// Adds the Applications that an `ApplicationSet` generates, in the order of its generators.
pub(super) fn add_applications(
    set: &DeploymentObject,
    view: &mut GeneratorView<'_>,
    all: &mut GeneratedDeploymentObjects,
) {
    let spec = set.spec().cloned().unwrap_or_default();
    let language = match template_language(&spec) {
        Ok(language) => language,
        Err(error) => {
            let mark = spec.get("goTemplateOptions").map_or(spec.mark, |node| node.mark);
            all.not_known.push((error.into(), mark));
            return;
        }
    };
    let template = spec.get("template").cloned().unwrap_or_else(Node::mapping);
    let patch = spec.get("templatePatch").filter(|patch| !patch.is_null());
    let mut generators = Generators { view, language, unknown_parts: Vec::new() };
    for item in spec.items_of("generators") {
        let generated = generators.transform(item, &template);
        all.not_known.append(&mut generators.unknown_parts);
        if generated.is_empty() {
            let text = "ApplicationSet contains unrecognized generators".to_owned();
            all.not_known.push((text.into(), item.mark));
        }
        for GeneratedElements { elements, template, mark } in generated {
            let elements = match elements {
                Ok(elements) => elements,
                Err(error) => {
                    all.not_known.push((error, mark));
                    continue;
                }
            };
            let mut known = Vec::new();
            for element in elements {
                match application(set, &template, patch, language, &element) {
                    Ok(application) => known.push(application),
                    Err(error) => all.not_known.push((error.into(), element.place)),
                }
            }
            all.known.extend(without_copies(known));
        }
    }
}

/// Leaves out the Application of any cluster if that of the local cluster has the same source: it
/// gives the same objects.
fn without_copies(known: Vec<DeploymentObject>) -> Vec<DeploymentObject> {
    let is_same = |one: &DeploymentObject, other: &DeploymentObject| {
        SOURCES.iter().all(|field| {
            match (one.node(&["spec", field]), other.node(&["spec", field])) {
                (Some(one), Some(other)) => one.same_content(other),
                (one, other) => one.is_none() && other.is_none(),
            }
        })
    };
    let is_copy = |it: &GeneratedBy| it.cluster == ElementCluster::Any && it.unknown.is_none();
    let (copies, mut kept): (Vec<_>, Vec<_>) =
        known.into_iter().partition(|it| it.generated.as_ref().is_some_and(is_copy));
    let locals: Vec<DeploymentObject> =
        kept.iter().filter(|it| it.is_for_local_cluster()).cloned().collect();
    kept.extend(copies.into_iter().filter(|it| !locals.iter().any(|local| is_same(local, it))));
    kept
}

fn template_language(spec: &Node) -> Result<Language, TemplateError> {
    if spec.text_of("goTemplate") != Some("true") {
        return Ok(Language::Fast);
    }
    let options = spec.items_of("goTemplateOptions");
    Ok(Language::Go(MissingKey::from_options(options.iter().filter_map(Node::text))?))
}

fn application(
    set: &DeploymentObject,
    template: &Node,
    patch: Option<&Node>,
    language: Language,
    element: &Element,
) -> Result<DeploymentObject, TemplateError> {
    let mut unknown = Vec::new();
    // Without parameters, Argo CD renders no template.
    let rendered = if element.params.is_empty() {
        template.clone()
    } else {
        language.render_tree(template, element, &mut unknown)?
    };
    let mut object = Node::mapping().marked(set.object.mark);
    object.set("apiVersion", Node::string("argoproj.io/v1alpha1"));
    object.set("kind", Node::string("Application"));
    for field in ["metadata", "spec"] {
        object.set(field, rendered.get(field).cloned().unwrap_or_else(Node::mapping));
    }
    if let Some(patch) = patch {
        apply_template_patch(&mut object, patch, language, element, &mut unknown)?;
    }
    let namespace = set.node(&["metadata", "namespace"]).cloned();
    if let Some(metadata) = object.get_mut("metadata") {
        metadata.remove("namespace");
        if let Some(namespace) = namespace {
            metadata.set("namespace", namespace);
        }
    }
    let name = object.text_at(&["metadata", "name"]).unwrap_or_default().to_owned();
    let of_source = unknown.into_iter().find(|UnknownUse { path, .. }| match path.as_slice() {
        [spec, field, ..] => spec == "spec" && SOURCES.contains(&field.as_str()),
        _ => false,
    });
    let generated = Some(GeneratedBy {
        set: set.name.clone(),
        place: element.place,
        unknown: of_source.map(|found| (found.parameter, found.mark)),
        cluster: element.cluster,
    });
    let (kind, mark) = (DeploymentObjectKind::Application, set.mark);
    Ok(DeploymentObject { kind, name, mark, object, source: None, generated })
}

/// Applies `templatePatch`, which cannot change the project.
fn apply_template_patch(
    object: &mut Node,
    patch: &Node,
    language: Language,
    element: &Element,
    unknown: &mut Vec<UnknownUse>,
) -> Result<(), TemplateError> {
    let template = patch.text().unwrap_or_default();
    let rendered = language.render(template, element)?;
    if let Some(parameter) = rendered.unknown {
        // The content of the patch is not known, so that it may change the source.
        let path = vec!["spec".to_owned(), "source".to_owned()];
        unknown.push(UnknownUse { path, parameter, mark: patch.mark });
        return Ok(());
    }
    let read = parse_config(rendered.text.as_bytes(), SourceId::NONE, Limits::default());
    let mut read = read.map_err(|error| format!("templatePatch: {error}"))?.unwrap_or_default();
    let is_block = patch.as_scalar().is_some_and(|scalar| scalar.style == Style::Literal);
    let keeps_lines = template.lines().count() == rendered.text.lines().count();
    relocate(&mut read, patch.mark, is_block && keeps_lines);
    let project = object.at(&["spec", "project"]).cloned();
    merge_patch(object, &read);
    if let Some(spec) = object.get_mut("spec") {
        spec.remove("project");
        if let Some(project) = project {
            spec.set("project", project);
        }
    }
    Ok(())
}

/// Sets the locations of nodes that were parsed from an embedded text: that of the field, or for a
/// block the lines below its `|`.
fn relocate(node: &mut Node, field: Mark, is_block: bool) {
    node.for_each_mut(&mut |node| {
        let below = Mark { line: field.line + node.mark.line, column: 1, ..field };
        node.mark = if is_block { below } else { field };
    });
}
