//! The differences between the objects of a cluster and a build: the changes of an apply, with
//! the line of each value.
//!
//! The API server itself tries the apply (a dry run), so that its defaults and its normalised
//! values are no differences.

mod kubectl;
mod objects;
mod ownership;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

pub use kubectl::ClusterRequest;
use kubectl::{Kubectl, ObjectAnswer};
use objects::{comparable, remove_dropped_fields};
use ownership::Ownership;

use super::cluster_report::{ClusterReport, RefusedField, ReportDrift, ReportRefusal};
use super::comparison::{ComparedTarget, ReportInputs, check_content, relative_text};
use super::fields::NewNames;
use super::likely_edits::LikelyEdits;
use super::report_context::{compact_value, place};
use super::resource_pairs::pair_differences;
use super::sides::SideBuild;
use super::{
    CompareReport, CompareSettings, ComparedResource, ComparedSide, DifferenceCause, FieldChange,
    NoEdit, Outcomes, Pruning, ReportTarget, ResourcePair, TargetState, differences,
};
use crate::answers::recording::field::{
    WrittenPath, named_path_text, path_in_other_state, value_at,
};
use crate::answers::secrets::Secrets;
use crate::engine::evaluate::{BuildCache, Trace};
use crate::engine::resource::{PathStep, Resource, at_mut};
use crate::engine::yaml::Node;

/// The field manager of an object that was not applied on the server yet: that of
/// `kubectl apply --server-side`.
const USUAL_MANAGER: &str = "kubectl";

/// Compares the objects of a cluster with the build of `place`. The first side of the report is
/// the cluster. Objects that the build does not have are not looked for.
///
/// # Errors
/// `place` is no target, does not build or is no commit with all files; kubectl cannot be run, the
/// API server cannot be reached, or an answer is not readable.
pub fn compare_with_cluster(
    place: &ComparedSide,
    request: &ClusterRequest,
    settings: &CompareSettings<'_>,
) -> Result<CompareReport, String> {
    let place = match place {
        ComparedSide::Tree(tree) if tree.object.is_some() => {
            ComparedSide::Tree(tree.with_repository_scope())
        }
        other => other.clone(),
    };
    let side = settings.side(&place, settings.after);
    let (root, name) = match &place {
        ComparedSide::Tree(tree) => {
            let target = side.target.as_ref().ok_or_else(|| {
                format!("{} is not a target: no kustomization file in it", tree.label)
            })?;
            (tree.root.clone(), relative_text(&tree.root, target))
        }
        ComparedSide::Rendered(label, _) => (PathBuf::new(), label.clone()),
    };
    let built = side.build(&mut BuildCache::default());
    check_content([&place])?;
    let mut secrets = settings.secrets.clone();
    secrets.learn(&built.trace);
    let output = match &built.outcome {
        Ok(output) => output.clone(),
        Err(message) => return Err(secrets.text(message)),
    };
    let context = request.context.as_ref().map(|name| format!(" ({name})")).unwrap_or_default();
    let cluster = ComparedSide::Rendered(format!("cluster{context}"), Vec::new());
    let places = (&cluster, &place);
    let inputs = ReportInputs { places, root: &root, edits: &[], has_dangers: true, settings };
    // With pending steps the output lacks their effect, so the cluster is not asked about it.
    let is_open = !built.pending.is_empty();
    let kubectl = Kubectl { ports: settings.ports, request, current: &side.current };
    let asked_about = if is_open { &[][..] } else { &output };
    let asked =
        ask_about_objects(&kubectl, asked_about).map_err(|message| secrets.text(&message))?;
    for object in asked.iter().flat_map(|asked| [&asked.found, &asked.tried]).flatten() {
        secrets.learn_resource(object, &built.trace.sources);
    }
    let manager = request.field_manager.as_deref();
    let words = ClusterWords { secrets: &secrets, built: &built, root: &root, manager };
    let (compared, report) = compare_objects(&asked, &words);
    // The cluster has no recording.
    let found = asked.into_iter().filter_map(|it| it.found.map(Arc::new));
    let before = SideBuild::of_output(found.collect());
    let pruning = Pruning::from_trace(&built.trace, &*settings.ports.files);
    let outcomes = Outcomes { before, after: built, compared, is_open, pruning };
    let mut told = inputs.report(vec![ComparedTarget::new(name.clone(), outcomes)], 1, 0);
    if told.targets.is_empty() && !report.refusals.is_empty() {
        let state =
            if report.has_difference() { TargetState::Differs } else { TargetState::NotKnown };
        told.targets.push(ReportTarget { target: name, state, ..ReportTarget::default() });
    }
    told.cluster = (!is_open).then_some(report);
    Ok(told.with_headline())
}

struct AskedObject {
    built: Arc<Resource>,
    /// The deployed object, as kubectl prints it; `None` if there is none or if it is not known.
    found: Option<Resource>,
    /// The object after the tried apply; `None` if it was not tried or was refused.
    tried: Option<Resource>,
    refusal: Option<String>,
    is_unknown: bool,
}

fn ask_about_objects(
    kubectl: &Kubectl<'_>,
    output: &[Arc<Resource>],
) -> Result<Vec<AskedObject>, String> {
    if output.is_empty() {
        return Ok(Vec::new());
    }
    kubectl.check_connection()?;
    let all: Vec<&Resource> = output.iter().map(|it| &**it).collect();
    let found = kubectl.get(&all)?;
    let own = kubectl.request.field_manager.as_deref();
    let asked = output.iter().zip(found).map(|(built, answer)| {
        let (found, refusal) = match answer {
            Ok(found) => (found, None),
            Err(message) => (None, Some(message)),
        };
        let refusal = refusal.or_else(|| unknown_deployer(found.as_ref()?, own));
        let is_unknown = refusal.is_some();
        AskedObject { built: built.clone(), found, tried: None, refusal, is_unknown }
    });
    let mut asked: Vec<AskedObject> = asked.collect();
    // The fields of an earlier apply are removed only under the manager of that apply.
    let mut by_manager: BTreeMap<String, Vec<usize>> = BTreeMap::new();
    for (at, object) in asked.iter().enumerate().filter(|(_, object)| !object.is_unknown) {
        let managers = object.found.as_ref().map(|it| Ownership::of_object(&it.node, own));
        let applying = managers.as_ref().and_then(Ownership::applying_manager);
        let manager = own.or(applying).unwrap_or(USUAL_MANAGER);
        by_manager.entry(manager.to_owned()).or_default().push(at);
    }
    for (manager, numbers) in by_manager {
        let objects: Vec<&Resource> = numbers.iter().map(|at| &*output[*at]).collect();
        let answers: Vec<ObjectAnswer> = kubectl.try_apply(&objects, &manager)?;
        for (at, answer) in numbers.into_iter().zip(answers) {
            match answer {
                Ok(tried) => asked[at].tried = tried,
                Err(message) => asked[at].refusal = Some(message),
            }
        }
    }
    for object in &mut asked {
        if let (Some(tried), Some(found)) = (&mut object.tried, &object.found) {
            let ownership = Ownership::of_object(&found.node, own);
            remove_dropped_fields(tried, found, &object.built, &ownership);
        }
    }
    Ok(asked)
}

/// The reason why the fields that an apply would set are not known: the manager that the user names
/// owns no field of the object.
fn unknown_deployer(found: &Resource, deploying: Option<&str>) -> Option<String> {
    let managers = Ownership::of_object(&found.node, deploying).unknown_managers()?.join(", ");
    Some(format!("the field manager {} owns no field of it, but {managers}", deploying?))
}

/// Turns values and marks into texts of the report.
struct ClusterWords<'a> {
    secrets: &'a Secrets,
    built: &'a SideBuild,
    root: &'a Path,
    /// The field manager that deploys the build, if the user names one.
    manager: Option<&'a str>,
}

fn compare_objects(
    asked: &[AskedObject],
    words: &ClusterWords<'_>,
) -> (Vec<ComparedResource>, ClusterReport) {
    let mut report = ClusterReport::default();
    let nothing = Trace::default();
    let places = LikelyEdits::new(&[], &[], [&nothing, &words.built.trace]);
    let mut compared = Vec::new();
    for object in asked {
        report.refusals.extend(words.refusal(object));
        if object.is_unknown || object.found.is_some() && object.tried.is_none() {
            continue;
        }
        let before = object.found.as_ref().map(|found| comparable(found, &object.built));
        let after = object.tried.as_ref().map(|tried| comparable(tried, &object.built));
        let after = after.unwrap_or_else(|| object.built.clone());
        let mut pair = ResourcePair { before, after: Some(after) };
        let changes = pair_differences(&pair, &NewNames::default());
        let (drift, changes) = words.split_by_manager(object, &mut pair, changes);
        report.drift.extend(drift);
        let cause = |change: FieldChange| {
            let at = places.write_location(true, change.after.as_ref());
            let unnamed_edit_reason = Some(NoEdit::Cluster);
            (change, DifferenceCause { at, unnamed_edit_reason, ..DifferenceCause::default() })
        };
        let changes: Vec<_> = changes.into_iter().map(cause).collect();
        if !changes.is_empty() {
            compared.push(ComparedResource { pair, changes, pending: None });
        }
    }
    (compared, report)
}

fn start_drift(object: &AskedObject) -> ReportDrift {
    let id = &object.built.id;
    ReportDrift {
        resource: format!("{}/{}", id.gvk.kind, id.name),
        namespace: id.namespace.to_string(),
        ..ReportDrift::default()
    }
}

impl ClusterWords<'_> {
    /// The fields that only other managers own, and the changes that remain. The second side of the
    /// pair gets the values of these managers.
    fn split_by_manager(
        &self,
        object: &AskedObject,
        pair: &mut ResourcePair,
        changes: Vec<FieldChange>,
    ) -> (Vec<ReportDrift>, Vec<FieldChange>) {
        let ResourcePair { before, after } = pair;
        let (Some(found), Some(before)) = (&object.found, &*before) else {
            return (Vec::new(), changes);
        };
        let ownership = Ownership::of_object(&found.node, self.manager);
        let mut drift = Vec::new();
        let mut own = Vec::new();
        let mut listed: Vec<Vec<PathStep>> = Vec::new();
        for change in changes {
            let path = change.first_path.find(&found.node);
            let managers = path.as_ref().map(|path| ownership.other_managers(path));
            match (path, managers.unwrap_or_default()) {
                (Some(path), managers) if !managers.is_empty() => {
                    let value = |node: &Option<Node>| {
                        node.as_ref().map(|node| self.value(before, &change.path.keys(), node))
                    };
                    drift.push(ReportDrift {
                        path: named_path_text(&found.node, &path),
                        managers,
                        cluster: value(&change.before),
                        build: value(&change.after),
                        at: change.after.as_ref().and_then(|node| self.location(node)),
                        ..start_drift(object)
                    });
                    listed.push(path);
                    // The texts of both sides show only the differences of the build.
                    if let (Some(after), Some(value)) = (after.as_mut(), change.before)
                        && let Some(place) = change.path.find(&after.node)
                        && let Some(field) = at_mut(&mut Arc::make_mut(after).node, &place)
                    {
                        *field = value;
                    }
                }
                _ => own.push(change),
            }
        }
        for path in ownership.fields_of_other_managers() {
            let is_listed = listed.iter().any(|it| path.starts_with(it) || it.starts_with(&path));
            let is_built = path_in_other_state(&found.node, &object.built.node, &path).is_some();
            let place = path_in_other_state(&found.node, &before.node, &path);
            let Some(place) = place.filter(|_| !is_listed && !is_built) else { continue };
            let keys: Vec<&str> = path.iter().filter_map(PathStep::key).collect();
            let value = value_at(&before.node, &place);
            drift.push(ReportDrift {
                path: named_path_text(&found.node, &path),
                managers: ownership.other_managers(&path),
                cluster: value.map(|(node, _)| self.value(before, &keys, node)),
                ..start_drift(object)
            });
        }
        (drift, own)
    }

    fn value(&self, resource: &Resource, keys: &[&str], node: &Node) -> String {
        compact_value(&self.secrets.part(resource, keys, node))
    }

    fn location(&self, node: &Node) -> Option<String> {
        place(self.built, Some(node.mark), (self.root, self.root))
    }

    /// The message about an object, with the lines of the fields that it names.
    fn refusal(&self, object: &AskedObject) -> Option<ReportRefusal> {
        let message = object.refusal.as_ref()?;
        let field = |&(field, immutable): &(&str, bool)| {
            let path = WrittenPath::parse(field).find(&object.built.node)?;
            let (value, mark) = value_at(&object.built.node, &path)?;
            let found = object.found.as_ref();
            let deployed = found.and_then(|found| {
                let path = path_in_other_state(&object.built.node, &found.node, &path)?;
                Some(value_at(&found.node, &path)?.0)
            });
            let changed = deployed.map(|deployed| differences(deployed, value));
            // The line of the part that differs, if one does.
            let part = changed.iter().flatten().find_map(|change| change.after.as_ref());
            let mark = part.map_or(mark, |part| part.mark);
            Some(RefusedField {
                path: named_path_text(&object.built.node, &path),
                immutable,
                differs: changed.is_none_or(|changed| !changed.is_empty()),
                at: place(self.built, Some(mark), (self.root, self.root)),
            })
        };
        let id = &object.built.id;
        Some(ReportRefusal {
            resource: format!("{}/{}", id.gvk.kind, id.name),
            namespace: id.namespace.to_string(),
            message: self.secrets.text(message),
            fields: refusal_causes(message).iter().filter_map(field).collect(),
        })
    }
}

/// The path of each field, in the form of the API server (`spec.containers[0].image`), and whether it
/// is immutable, from the causes in kubectl's message: `The KIND "NAME" is invalid: FIELD: REASON`,
/// and for several causes a line `* FIELD: REASON` each. From `StatusCause` in the package
/// `api/errors` of Kubernetes, as kubectl prints it.
fn refusal_causes(message: &str) -> Vec<(&str, bool)> {
    fn cause(text: &str) -> Option<(&str, bool)> {
        let text = text.trim_start_matches(['*', ' ', '\n']);
        let (field, reason) = text.split_once(": ")?;
        let is_path = |c: char| c.is_ascii_alphanumeric() || "._-/[]".contains(c);
        // From the validation of updates in Kubernetes: `field is immutable`, and for a StatefulSet
        // `updates to statefulset spec for fields other than … are forbidden`.
        let is_immutable = reason.contains("immutable") || reason.contains("updates to ");
        let is_field = !field.is_empty() && field.chars().all(is_path);
        is_field.then_some((field, is_immutable))
    }
    let causes = message.split_once(" is invalid: ").map_or("", |(_, causes)| causes);
    causes.split("\n* ").filter_map(cause).collect()
}
