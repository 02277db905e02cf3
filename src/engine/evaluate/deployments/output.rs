//! The parts of a target's output that other targets need: the deployment objects in it, and
//! the values of its `ConfigMaps` and Secrets; with the numbers of files in another build.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;

use crate::diagnostic::{DeployedRemark, Remark};
use crate::load::SourceNumbers;
use crate::manifest::{DeploymentObject, decode_kustomization};
use crate::profile::Profile;
use crate::transform::variable_names;
use crate::yaml::{Limits, Mark, Node, SourceId, parse_documents};

use super::super::{Evaluation, Step, Wait};
use super::graph::is_kustomization_file;

/// The location of an object in its own file: path, line and column of its `kind`.
pub(in crate::evaluate) type ObjectLocation = (String, u32, u32);

#[derive(Clone, Debug, PartialEq)]
pub(in crate::evaluate) struct DataObject {
    pub(in crate::evaluate) kind: String,
    pub(in crate::evaluate) name: String,
    pub(in crate::evaluate) namespace: String,
    pub(in crate::evaluate) variables: Vec<Variable>,
    /// True if only the keys are readable.
    pub(in crate::evaluate) is_encrypted: bool,
}

/// The name of a variable, its value, and the location of the value; `None` for a value that is not
/// known.
pub(in crate::evaluate) type Variable = (String, Option<String>, Mark);

pub(in crate::evaluate) struct TargetOutput {
    /// The deployment objects, each with its location in its own file.
    pub(in crate::evaluate) children: Vec<(ObjectLocation, Node)>,
    pub(in crate::evaluate) data: Vec<DataObject>,
    /// The reason why the output is not known, or only known in part.
    pub(in crate::evaluate) problem: Option<String>,
    /// The names of the variables that are not known: the output contains their expressions.
    pub(in crate::evaluate) kept_variables: BTreeSet<String>,
    /// The file names for the file numbers of all marks.
    pub(in crate::evaluate) names: SourceNumbers,
    pub(super) watched: BTreeSet<PathBuf>,
}

impl TargetOutput {
    pub(in crate::evaluate) fn of_build(built: &Evaluation) -> Self {
        let names = built.trace.sources.clone();
        let resources = built.outcome.as_deref().unwrap_or_default();
        let nodes = || resources.iter().map(|resource| &resource.node);
        let children = nodes().filter_map(|node| {
            DeploymentObject::from_object(node.clone())?;
            Some((location_of(node, &names)?, node.clone()))
        });
        let pending = built.trace.first_wait().map(Wait::required_action_text);
        let error = built.outcome.as_ref().err();
        let failed = error.map(|it| it.message.lines().next().unwrap_or_default().to_owned());
        let kept_variables = kept_variables(&built.trace.steps);
        let data = nodes().filter_map(DataObject::from_object).map(|mut object| {
            for (_, value, _) in &mut object.variables {
                value.take_if(|value| has_variable(value, &kept_variables));
            }
            object
        });
        Self {
            children: children.collect(),
            data: data.collect(),
            problem: failed.or(pending),
            kept_variables,
            names,
            watched: built.watched.iter().cloned().collect(),
        }
    }
}

/// The names of the variables whose expressions the substitution kept, because they are not known.
fn kept_variables(steps: &[Step]) -> BTreeSet<String> {
    let remarks = steps.iter().flat_map(|step| &step.warnings).map(|it| &it.remark);
    let names = remarks.filter_map(|remark| match remark {
        Remark::Deployed(DeployedRemark::UnknownVariables(names)) => Some(names),
        _ => None,
    });
    names.flatten().cloned().collect()
}

/// True for a text with an expression of one of these variables.
pub(in crate::evaluate) fn has_variable(text: &str, names: &BTreeSet<String>) -> bool {
    !names.is_empty() && variable_names(text).into_iter().any(|name| names.contains(name))
}

pub(in crate::evaluate) fn location_of(
    object: &Node,
    names: &SourceNumbers,
) -> Option<ObjectLocation> {
    let kind = object.entries().iter().find(|entry| entry.key.text() == Some("kind"))?;
    let Mark { source, line, column, .. } = kind.key.mark;
    Some((names.path(source)?.to_owned(), line, column))
}

impl DataObject {
    /// The `ConfigMaps` and Secrets in a file; none if it cannot be parsed.
    pub(in crate::evaluate) fn all_in(bytes: &[u8], source: SourceId) -> Vec<Self> {
        let Ok(parsed) = parse_documents(bytes, source, Limits::default()) else {
            return Vec::new();
        };
        let nodes = parsed.documents.iter().map(|document| &document.node);
        nodes.filter_map(Self::from_object).collect()
    }

    /// The values of a `ConfigMap` or Secret; `None` for an object of another kind.
    pub(in crate::evaluate) fn from_object(object: &Node) -> Option<Self> {
        let text = |path: &[&str]| object.text_at(path).unwrap_or_default();
        let kind = text(&["kind"]).to_owned();
        if text(&["apiVersion"]) != "v1" || !matches!(&*kind, "ConfigMap" | "Secret") {
            return None;
        }
        let mut variables: Vec<Variable> = Vec::new();
        for (field, is_encoded) in [("data", kind == "Secret"), ("stringData", false)] {
            for entry in object.get(field).map(Node::entries).unwrap_or_default() {
                let (Some(key), Some(text)) = (entry.key.text(), entry.value.text()) else {
                    continue;
                };
                let value = if is_encoded { decode_base64(text) } else { text.to_owned() };
                variables.retain(|(known, ..)| known != key);
                variables.push((key.to_owned(), Some(value), entry.value.mark));
            }
        }
        let is_cipher =
            |(_, value, _): &Variable| value.as_ref().is_some_and(|it| it.starts_with("ENC["));
        let is_encrypted = object.get("sops").is_some() || variables.iter().any(is_cipher);
        for (_, value, _) in &mut variables {
            value.take_if(|_| is_encrypted);
        }
        Some(Self {
            kind,
            name: text(&["metadata", "name"]).to_owned(),
            namespace: text(&["metadata", "namespace"]).to_owned(),
            variables,
            is_encrypted,
        })
    }
}

/// Of variables with equal names, the first counts.
pub(in crate::evaluate) fn first_variables(all: impl Iterator<Item = Variable>) -> Vec<Variable> {
    let mut first: Vec<Variable> = Vec::new();
    for variable in all {
        if first.iter().all(|(known, ..)| *known != variable.0) {
            first.push(variable);
        }
    }
    first
}

/// The decoded text of a base64 value; a value that is not base64 is returned unchanged.
fn decode_base64(text: &str) -> String {
    let compact: String = text.split_whitespace().collect();
    let bytes = STANDARD.decode(&compact).unwrap_or_default();
    if bytes.is_empty() { text.to_owned() } else { String::from_utf8_lossy(&bytes).into_owned() }
}

pub(in crate::evaluate) fn data_names(file: &Path, bytes: &[u8]) -> Vec<(String, String)> {
    let text = std::str::from_utf8(bytes).unwrap_or_default();
    if is_kustomization_file(file) {
        let read = text
            .contains("Generator")
            .then(|| decode_kustomization(bytes, SourceId::NONE, Profile::MASTER));
        let Some(Ok(read)) = read else { return Vec::new() };
        let of = |kind: &str, name: &String| (kind.to_owned(), name.clone());
        let maps = read.config_map_generator.iter().map(|it| of("ConfigMap", &it.value.name.value));
        let secrets = read.secret_generator.iter().map(|it| of("Secret", &it.value.name.value));
        return maps.chain(secrets).collect();
    }
    if !text.contains("ConfigMap") && !text.contains("Secret") {
        return Vec::new();
    }
    let objects = DataObject::all_in(bytes, SourceId::NONE).into_iter();
    objects.map(|object| (object.kind, object.name)).collect()
}

/// A node with its file numbers converted from those of another build.
pub(in crate::evaluate) fn renumbered(
    node: &Node,
    from: &SourceNumbers,
    to: &mut SourceNumbers,
) -> Node {
    let mut node = node.clone();
    node.for_each_mut(&mut |node| node.mark = renumbered_mark(node.mark, from, to));
    node
}

/// A mark with its file number converted from that of another build.
pub(in crate::evaluate) fn renumbered_mark(
    mark: Mark,
    from: &SourceNumbers,
    to: &mut SourceNumbers,
) -> Mark {
    let source = from.path(mark.source).map_or(SourceId::NONE, |path| to.intern(path));
    Mark { source, line: mark.line, column: mark.column, ..Mark::default() }
}
