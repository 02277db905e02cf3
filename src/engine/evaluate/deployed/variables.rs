//! The variables of `postBuild.substituteFrom`: values of `ConfigMaps` and Secrets that a target of
//! the repository builds, or that are plain manifests in it.

use std::collections::BTreeSet;
use std::path::Path;

use crate::diagnostic::{DeployedRemark, Diagnostic};
use crate::load::SourceNumbers;
use crate::manifest::DeploymentObject;
use crate::yaml::Mark;

use super::super::deployments::{
    DataObject, ObjectRef, Variable, count_common_folders, data_names, first_variables,
    is_kustomization_file, nearest, renumbered_mark,
};
use super::find::SourceSearch;

/// Prefixes of values that other programs replace before the object is in the cluster: references
/// of 1Password and of vals.
const INJECTED: [&str; 2] = ["op://", "ref+"];

/// An object that `postBuild.substituteFrom` names.
#[derive(Clone, Debug, Default)]
pub(super) struct VariableObject {
    title: String,
    mark: Mark,
    pub(super) variables: Vec<Variable>,
    /// The reason why values are not known.
    unknown: Option<String>,
    /// True if the keys of these values are not known either.
    pub(super) has_unknown_keys: bool,
    nearest: Option<String>,
    /// True if the nearest one is outside the folder of the deployment object: the cluster may have
    /// another one with more variables.
    pub(super) is_elsewhere: bool,
    pub(super) is_secret: bool,
}

impl VariableObject {
    /// The remark on values that are not known, or are only those of the nearest object.
    pub(super) fn remark(&self) -> Option<Diagnostic> {
        let title = self.title.clone();
        let remark = match (&self.unknown, &self.nearest) {
            (Some(reason), _) => DeployedRemark::NotKnown(title, reason.clone()),
            (None, Some(place)) => DeployedRemark::NearestVariables(title, place.clone()),
            (None, None) => return None,
        };
        Some(Diagnostic::new(remark, self.mark))
    }
}

impl SourceSearch<'_> {
    pub(super) fn variables(
        &mut self,
        consumer: &DeploymentObject,
        roots: &BTreeSet<String>,
    ) -> Vec<VariableObject> {
        let namespace = consumer.text(&["metadata", "namespace"]);
        let objects = consumer.variable_objects().into_iter();
        let objects = objects.map(|(kind, name, mark)| {
            let wanted = ObjectRef { kind: &kind, name: &name, namespace };
            let mut object = self.values(&wanted, roots).unwrap_or_else(|reason| VariableObject {
                unknown: Some(reason),
                has_unknown_keys: true,
                ..VariableObject::default()
            });
            for (_, value, _) in &mut object.variables {
                let Some(text) = value else { continue };
                *text = text.replace('\n', "");
                let scheme = INJECTED.into_iter().find(|scheme| text.starts_with(scheme));
                if let Some(scheme) = scheme {
                    let reason = || format!("another program replaces its {scheme} references");
                    object.unknown.get_or_insert_with(reason);
                    *value = None;
                }
            }
            let folder = self.file.parent().unwrap_or(&self.file);
            let is_outside = |place: &String| !self.index.root.join(place).starts_with(folder);
            object.is_elsewhere = object.nearest.as_ref().is_some_and(is_outside);
            object.is_secret = kind == "Secret";
            VariableObject { title: format!("{kind} {name}"), mark, ..object }
        });
        objects.collect()
    }

    /// Of the targets `carriers`, which contain an object with variables, those in the same cluster
    /// as `root`: the targets that the root deploys, or else those with the files nearest to its
    /// file.
    fn carriers_near<'c>(&self, carriers: &BTreeSet<&'c String>, root: &str) -> Vec<&'c String> {
        let is_deployed = |carrier: &&&String| self.index.roots_of(carrier).contains(root);
        let deployed: Vec<&String> = carriers.iter().filter(is_deployed).copied().collect();
        if !deployed.is_empty() {
            return deployed;
        }
        let file = |target: &str| {
            let file = target.split_once('#').map_or(target, |(file, _)| file);
            self.index.root.join(file)
        };
        let carriers = carriers.iter().copied();
        nearest(carriers, |carrier| count_common_folders(&file(carrier), &file(root)))
    }

    fn values(
        &mut self,
        wanted: &ObjectRef<'_>,
        roots: &BTreeSet<String>,
    ) -> Result<VariableObject, String> {
        let is_wanted = |it: &DataObject| wanted.is_to(&it.kind, &it.name, &it.namespace);
        let mut plain: Vec<(&Path, DataObject, SourceNumbers)> = Vec::new();
        let mut carriers: BTreeSet<&String> = BTreeSet::new();
        let mut is_generated = false;
        for (file, bytes) in self.index.texts.iter() {
            let Ok(text) = std::str::from_utf8(bytes) else { continue };
            if !text.contains(wanted.name) {
                continue;
            }
            let is_it =
                |(kind, name): &(String, String)| (&**kind, &**name) == (wanted.kind, wanted.name);
            if is_kustomization_file(file) && data_names(file, bytes).iter().any(is_it) {
                is_generated = true;
                carriers.extend(self.index.parents_of(file));
            } else if text.contains(wanted.kind) {
                let mut names = SourceNumbers::default();
                let number = names.intern(&file.to_string_lossy());
                let mut objects = DataObject::all_in(bytes, number);
                // A kustomization may set another namespace.
                objects.retain(|it| (&*it.kind, &*it.name) == (wanted.kind, wanted.name));
                if !objects.is_empty() {
                    carriers.extend(self.index.parents_of(file));
                }
                let objects = objects.into_iter().filter(is_wanted);
                plain.extend(objects.map(|it| (&**file, it, names.clone())));
            }
        }
        if plain.is_empty() && carriers.is_empty() && !is_generated {
            return Err("it is not in the repository".to_owned());
        }
        let deploys_any =
            |root: &String| carriers.iter().any(|it| self.index.roots_of(it).contains(root));
        let mut is_deployed = roots.iter().all(deploys_any);
        let near: BTreeSet<&String> =
            roots.iter().flat_map(|root| self.carriers_near(&carriers, root)).collect();
        let carriers = if near.is_empty() { carriers } else { near };
        let mut found: Vec<(String, DataObject, SourceNumbers)> = Vec::new();
        let mut problem = None;
        for carrier in carriers {
            if *carrier == self.own || self.request.ports.deployments.has(carrier) {
                continue;
            }
            let output = self.output(carrier);
            let objects = output.data.iter().filter(|it| is_wanted(it));
            let before = found.len();
            found.extend(objects.map(|it| (carrier.clone(), it.clone(), output.names.clone())));
            if found.len() == before && output.problem.is_some() {
                problem = Some(format!("the output of {carrier}, which builds it, is not known"));
            }
        }
        // A cluster with an output that is not known may have other values than its neighbours.
        if let Some(problem) = problem.filter(|_| plain.is_empty() || !found.is_empty()) {
            return Err(problem);
        }
        if found.is_empty() {
            let nearest = nearest(plain, |(file, ..)| count_common_folders(file, &self.file));
            let nearest = nearest.into_iter();
            found.extend(nearest.map(|(file, it, names)| (self.index.shown(file), it, names)));
            is_deployed = false;
        }
        let nearest = found.first().filter(|_| !is_deployed).map(|(place, ..)| place.clone());
        Ok(VariableObject { nearest, ..common_values(&found, self.sources)? })
    }
}

/// The variables of the first of the objects found for one reference, and the names of those of the
/// others: a value is known if all of them have it.
fn common_values(
    found: &[(String, DataObject, SourceNumbers)],
    sources: &mut SourceNumbers,
) -> Result<VariableObject, String> {
    let each = found.iter().flat_map(|(_, object, names)| {
        object.variables.iter().map(move |variable| (variable.clone(), names))
    });
    let is_common = |(key, value, _): &Variable| {
        found.iter().all(|(_, object, _)| {
            object.variables.iter().any(|it| it.0 == *key && it.1.is_some() && it.1 == *value)
        })
    };
    let variables = first_variables(each.map(|(mut variable, names)| {
        variable.1 = variable.1.clone().filter(|_| is_common(&variable));
        variable.2 = renumbered_mark(variable.2, names, sources);
        variable
    }));
    let places: Vec<&str> = found.iter().map(|(place, ..)| place.as_str()).collect();
    let reason = match places.as_slice() {
        [] => return Err("it is not in the repository".to_owned()),
        _ if found.iter().all(|(_, object, _)| object.is_encrypted) => "it is encrypted".to_owned(),
        [place] => format!("{place} has values with variables that are not known"),
        _ => format!("it has several versions: {}", places.join(", ")),
    };
    let unknown = variables.iter().any(|(_, value, _)| value.is_none()).then_some(reason);
    Ok(VariableObject { variables, unknown, ..VariableObject::default() })
}
