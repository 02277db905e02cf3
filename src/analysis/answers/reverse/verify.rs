//! The verification of a proposal: builds with it have the wanted value.

use std::sync::Arc;

use super::{Proposal, WantedField, WantedValue, node_at};
use crate::answers::Recording;
use crate::answers::compare::{CompareReport, FieldChange, TargetState, differences, pair_up};
use crate::engine::evaluate::Evaluation;
use crate::engine::resource::{PathStep, Resource};
use crate::engine::yaml::Node;

/// A proposal that gives the field the wanted value.
#[derive(Clone, Debug)]
pub struct VerifiedProposal {
    pub proposal: Proposal,
    /// The other fields that it changes in the target.
    pub also_here: Vec<AffectedField>,
    /// The fields that it changes in other targets.
    pub elsewhere: Vec<AffectedField>,
}

/// A field that changes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AffectedField {
    /// The target; empty for the one that is edited.
    pub target: String,
    /// `Deployment/web`
    pub resource: String,
    /// The path of the source field; empty for the whole resource.
    pub field: String,
}

/// The other fields of the target that a build with a proposal changes; `None` if it does not give
/// the field the wanted value.
pub fn verify(
    recording: &Recording,
    field: &WantedField,
    built: &Evaluation,
) -> Option<Vec<AffectedField>> {
    let after = built.outcome.as_ref().ok()?;
    let own = recording.output_of(field.slot)?;
    let before: Vec<Arc<Resource>> =
        recording.output.iter().map(|(_, resource)| resource.clone()).collect();
    let (mut has_value, mut others) = (false, Vec::new());
    for pair in pair_up(&before, after) {
        let is_own = pair.before.as_ref().is_some_and(|it| Arc::ptr_eq(it, own));
        let (Some(one), Some(other)) = (&pair.before, &pair.after) else {
            if is_own && field.path.is_empty() {
                has_value = true;
                continue;
            }
            let resource = pair.before.as_ref().or(pair.after.as_ref())?;
            others.push(affected(resource, String::new()));
            continue;
        };
        let wanted = is_own && is_as_wanted(field, other);
        has_value |= wanted;
        let expected = wanted_node(field, &one.node).filter(|_| wanted);
        let mut changes = differences(expected.as_ref().unwrap_or(&one.node), &other.node);
        if wanted && expected.is_none() {
            // The first difference on the way to the field is the wanted one.
            let is_it = |it: &FieldChange| it.first_path.leads_to(&one.node, &field.path);
            if let Some(own) = changes.iter().position(is_it) {
                changes.remove(own);
            }
        }
        others.extend(changes.into_iter().map(|it| affected(one, it.first_path.to_string())));
    }
    has_value.then_some(others)
}

/// The resource with another value in a field that it has; none for any other edit.
fn wanted_node(field: &WantedField, node: &Node) -> Option<Node> {
    let WantedValue::Set(value) = &field.wanted else { return None };
    let mut node = node.clone();
    let mut place = &mut node;
    for step in &field.path {
        place = match step {
            PathStep::Key(key) => place.get_mut(key)?,
            PathStep::Index(index) => place.items_mut()?.get_mut(*index)?,
        };
    }
    *place = value.clone();
    Some(node)
}

fn is_as_wanted(field: &WantedField, resource: &Resource) -> bool {
    if field.path.is_empty() {
        return false;
    }
    let now = node_at(&resource.node, &field.path);
    match &field.wanted {
        WantedValue::Set(value) => now.is_some_and(|now| now.same_value(value)),
        WantedValue::Remove => match field.before.as_ref() {
            // The next element takes the place of a removed one.
            Some(before) => now.is_none_or(|now| !now.same_value(before)),
            None => now.is_none(),
        },
        WantedValue::Append(value) => {
            let items = now.and_then(Node::items).unwrap_or_default();
            let before = field.before.as_ref().and_then(Node::items);
            let count = before.map_or(0, <[_]>::len);
            items.len() == count + 1 && items.last().is_some_and(|last| last.same_value(value))
        }
    }
}

fn affected(resource: &Resource, field: String) -> AffectedField {
    let resource = format!("{}/{}", resource.id.gvk.kind, resource.id.name);
    AffectedField { target: String::new(), resource, field }
}

impl VerifiedProposal {
    /// With the fields of other targets that a comparison of all targets shows; `own` is the name of
    /// the edited target in it.
    pub fn new(
        proposal: Proposal,
        also_here: Vec<AffectedField>,
        report: &CompareReport,
        own: &str,
    ) -> Self {
        let mut elsewhere = Vec::new();
        for target in report.differing().filter(|target| target.target != own) {
            let of = |resource: String, field: String| AffectedField {
                target: target.target.clone(),
                resource,
                field,
            };
            if target.state != TargetState::Differs {
                elsewhere.push(of(String::new(), String::new()));
            }
            for resource in &target.resources {
                let name = format!("{}/{}", resource.kind, resource.name);
                let fields = resource.fields.iter();
                elsewhere.extend(fields.map(|field| of(name.clone(), field.path.clone())));
            }
        }
        Self { proposal, also_here, elsewhere }
    }

    /// True if it changes this field in this target only, and no other field.
    pub fn is_exact(&self) -> bool {
        self.also_here.is_empty() && self.elsewhere.is_empty()
    }

    /// The order of proposals: those that change less come first, then the winning line.
    pub fn rank(&self) -> impl Ord + use<> {
        // A deployment object in the edited file is not another user of the edited layer.
        let is_in_file = |field: &&AffectedField| {
            let object = field.target.split_once('#');
            object.is_some_and(|(file, _)| self.proposal.change.path.ends_with(file))
        };
        let elsewhere = self.elsewhere.iter().filter(|field| !is_in_file(field)).count();
        (!self.also_here.is_empty(), elsewhere, self.proposal.kind)
    }
}
