//! The verification of a proposal: a build with it has the wanted value.

use std::sync::Arc;

use super::{Proposal, WantedField, WantedValue, node_at};
use crate::answers::Recording;
use crate::answers::compare::{CompareReport, FieldChange, TargetState, differences, pair_up};
use crate::answers::report::SetAffected;
use crate::engine::evaluate::Evaluation;
use crate::engine::resource::{Resource, at_mut};
use crate::engine::yaml::Node;

#[derive(Clone, Debug)]
pub struct VerifiedProposal {
    pub proposal: Proposal,
    /// The other fields that the proposal changes in the target, whose name is left empty.
    pub also_here: Vec<SetAffected>,
    pub elsewhere: Vec<SetAffected>,
}

/// The other fields of the target that a proposal changes, in a build with the proposal; `None` if
/// the field does not have the wanted value in that build.
pub fn verify(
    recording: &Recording,
    field: &WantedField,
    built: &Evaluation,
) -> Option<Vec<SetAffected>> {
    let after = built.outcome.as_ref().ok()?;
    let own = recording.output_resource(field.slot)?;
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
            others.push(affected_field(resource, String::new()));
            continue;
        };
        let wanted = is_own && has_wanted_content(field, other);
        has_value |= wanted;
        let expected = with_wanted_value(field, &one.node).filter(|_| wanted);
        let mut changes = differences(expected.as_ref().unwrap_or(&one.node), &other.node);
        if wanted && expected.is_none() {
            // Exactly one difference is wanted: the first one at, above or below the field.
            let is_it = |it: &FieldChange| it.first_path.overlaps(&one.node, &field.path);
            if let Some(own) = changes.iter().position(is_it) {
                changes.remove(own);
            }
        }
        others.extend(changes.into_iter().map(|it| affected_field(one, it.first_path.to_string())));
    }
    has_value.then_some(others)
}

fn with_wanted_value(field: &WantedField, node: &Node) -> Option<Node> {
    let WantedValue::Set(value) = &field.wanted else { return None };
    let mut node = node.clone();
    *at_mut(&mut node, &field.path)? = value.clone();
    Some(node)
}

fn has_wanted_content(field: &WantedField, resource: &Resource) -> bool {
    if field.path.is_empty() {
        return false;
    }
    let now = node_at(&resource.node, &field.path);
    match &field.wanted {
        WantedValue::Set(value) => now.is_some_and(|now| now.same_value(value)),
        WantedValue::Remove => match field.before.as_ref() {
            // After a list element is removed, the next element has its index.
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

pub(super) fn fields_elsewhere(report: &CompareReport, own: &str) -> Vec<SetAffected> {
    let others = report.differing_targets().filter(|target| target.target != own);
    let affected = others.flat_map(|target| {
        let field_of = |resource: String, field: &str| SetAffected {
            target: target.target.clone(),
            resource,
            field: field.to_owned(),
        };
        let whole = target.state != TargetState::Differs;
        let whole = whole.then(|| field_of(String::new(), ""));
        let fields = target.resources.iter().flat_map(move |resource| {
            let name = format!("{}/{}", resource.kind, resource.name);
            resource.fields.iter().map(move |field| field_of(name.clone(), &field.path))
        });
        whole.into_iter().chain(fields)
    });
    affected.collect()
}

fn affected_field(resource: &Resource, field: String) -> SetAffected {
    let resource = format!("{}/{}", resource.id.gvk.kind, resource.id.name);
    SetAffected { target: String::new(), resource, field }
}

impl VerifiedProposal {
    pub fn is_exact(&self) -> bool {
        self.also_here.is_empty() && self.elsewhere.is_empty()
    }

    /// The order of proposals: fewer changes first, then by kind.
    pub fn rank(&self) -> impl Ord + use<> {
        // A deployment object in the edited file, or the folder with the file, is not another user
        // of the edited layer.
        let file = &self.proposal.change.path;
        let is_in_file = |field: &&SetAffected| match field.target.split_once('#') {
            Some((object, _)) => file.ends_with(object),
            None => file.ancestors().any(|above| above.ends_with(&field.target)),
        };
        let elsewhere = self.elsewhere.iter().filter(|field| !is_in_file(field)).count();
        (!self.also_here.is_empty(), elsewhere, self.proposal.kind)
    }
}
