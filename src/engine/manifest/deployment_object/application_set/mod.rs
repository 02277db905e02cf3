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

use std::sync::Arc;

use crate::yaml::{Limits, Mark, Node, SourceId, Style, parse_config};

use generators::{GeneratedElements, Generators};
use go_template::{MissingKey, TemplateError};
use render::{Element, Language, UnknownUse};

pub use generators::{GeneratorError, GeneratorView};
pub(super) use render::{ElementCluster, merge_patch};

/// An Application that an `ApplicationSet` generates.
#[derive(Clone, Debug)]
pub(super) struct GeneratedApplication {
    /// The name; expressions that are known only in the cluster are left as in the template.
    pub(super) name: String,
    pub(super) object: Node,
    /// The location of the element in the generator.
    pub(super) place: Mark,
    /// A parameter that is known only in the cluster and affects the Application's source, with the
    /// location of its use.
    pub(super) unknown: Option<(Arc<str>, Mark)>,
    pub(super) cluster: ElementCluster,
}

/// The Applications and errors of one `ApplicationSet`.
#[derive(Clone, Debug, Default)]
pub(super) struct Applications {
    pub(super) known: Vec<GeneratedApplication>,
    /// Generators and elements whose result is not known here or that Argo CD rejects.
    pub(super) not_known: Vec<(GeneratorError, Mark)>,
}

/// Fields of an Application that decide about its build.
const SOURCES: [&str; 3] = ["source", "sources", "sourceHydrator"];

/// The Applications that an `ApplicationSet` generates, in the order of its generators.
pub(super) fn applications(set: &Node, view: &mut GeneratorView<'_>) -> Applications {
    let mut all = Applications::default();
    let spec = set.get("spec").cloned().unwrap_or_default();
    let language = match template_language(&spec) {
        Ok(language) => language,
        Err(error) => {
            let mark = spec.get("goTemplateOptions").map_or(spec.mark, |node| node.mark);
            all.not_known.push((error.into(), mark));
            return all;
        }
    };
    let template = spec.get("template").cloned().unwrap_or_else(Node::mapping);
    let patch = spec.get("templatePatch").filter(|patch| !patch.is_null());
    let mut generators = Generators { view, language, unknown_parts: Vec::new() };
    for item in spec.items_of("generators") {
        let generated = generators.transform(item, &template);
        all.not_known.append(&mut generators.unknown_parts);
        if generated.is_empty() {
            let text = "ApplicationSet contains unrecognized generators";
            all.not_known.push((GeneratorError::Invalid(text.into()), item.mark));
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
    all
}

/// Leaves out the Application of any cluster if that of the local cluster has the same source: it
/// gives the same objects.
fn without_copies(known: Vec<GeneratedApplication>) -> Vec<GeneratedApplication> {
    let sources = |application: &GeneratedApplication| {
        SOURCES.map(|field| application.object.at(&["spec", field]).cloned())
    };
    let is_same = |one: &GeneratedApplication, other: &GeneratedApplication| {
        let pairs = sources(one).into_iter().zip(sources(other));
        pairs.into_iter().all(|pair| match pair {
            (Some(one), Some(other)) => one.same_content(&other),
            (one, other) => one.is_none() && other.is_none(),
        })
    };
    let (copies, mut kept): (Vec<_>, Vec<_>) =
        known.into_iter().partition(|it| it.cluster == ElementCluster::Any && it.unknown.is_none());
    let locals: Vec<GeneratedApplication> =
        kept.iter().filter(|it| it.cluster == ElementCluster::Local).cloned().collect();
    kept.extend(copies.into_iter().filter(|it| !locals.iter().any(|local| is_same(local, it))));
    kept
}

/// The template language that an `ApplicationSet` uses.
fn template_language(spec: &Node) -> Result<Language, TemplateError> {
    if spec.text_of("goTemplate") != Some("true") {
        return Ok(Language::Fast);
    }
    let options = spec.items_of("goTemplateOptions");
    Ok(Language::Go(MissingKey::from_options(options.iter().filter_map(Node::text))?))
}

fn application(
    set: &Node,
    template: &Node,
    patch: Option<&Node>,
    language: Language,
    element: &Element,
) -> Result<GeneratedApplication, TemplateError> {
    let mut unknown = Vec::new();
    // Without parameters, Argo CD renders no template.
    let rendered = if element.params.is_empty() {
        template.clone()
    } else {
        language.render_tree(template, element, &mut unknown)?
    };
    let mut object = Node::mapping().marked(set.mark);
    object.set("apiVersion", Node::string("argoproj.io/v1alpha1"));
    object.set("kind", Node::string("Application"));
    for field in ["metadata", "spec"] {
        object.set(field, rendered.get(field).cloned().unwrap_or_else(Node::mapping));
    }
    if let Some(patch) = patch {
        apply_template_patch(&mut object, patch, language, element, &mut unknown)?;
    }
    let namespace = set.at(&["metadata", "namespace"]).cloned();
    if let Some(metadata) = object.get_mut("metadata") {
        metadata.remove("namespace");
        if let Some(namespace) = namespace {
            metadata.set("namespace", namespace);
        }
    }
    let name = object.text_at(&["metadata", "name"]).unwrap_or_default();
    let of_source = unknown.into_iter().find(|UnknownUse { path, .. }| match path.as_slice() {
        [spec, field, ..] => spec == "spec" && SOURCES.contains(&field.as_str()),
        _ => false,
    });
    Ok(GeneratedApplication {
        name: name.to_owned(),
        place: element.place,
        cluster: element.cluster,
        unknown: of_source.map(|found| (found.parameter, found.mark)),
        object,
    })
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
    let mut read = read
        .map_err(|error| TemplateError::Value(format!("templatePatch: {error}")))?
        .unwrap_or_default();
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
