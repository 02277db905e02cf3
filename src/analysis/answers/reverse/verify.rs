//! The verification of a proposal: builds with it have the wanted value.

use std::sync::Arc;

use super::{Proposal, WantedField, WantedValue, node_at};
use crate::answers::Recording;
use crate::answers::compare::{CompareReport, TargetState, differences, pair_up};
use crate::engine::evaluate::Evaluation;
use crate::engine::resource::Resource;

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
            let resource = pair.before.as_ref().or(pair.after.as_ref())?;
            others.push(affected(resource, String::new()));
            continue;
        };
        let changes = differences(&one.node, &other.node);
        let wanted = is_own && is_as_wanted(field, other);
        has_value |= wanted;
        let mut rest = changes.into_iter().map(|it| it.first_path.to_string());
        if wanted {
            // The first difference on the way to the field is the wanted one.
            let own_path =
                crate::answers::recording::field::named_path_text(&one.node, &field.path);
            let rest: Vec<String> = rest.collect();
            let is_it = |path: &String| own_path.starts_with(path) || path.starts_with(&own_path);
            let skipped = rest.iter().position(is_it);
            let more = rest.into_iter().enumerate().filter(|(at, _)| Some(*at) != skipped);
            others.extend(more.map(|(_, path)| affected(one, path)));
        } else {
            others.extend(rest.by_ref().map(|path| affected(one, path)));
        }
    }
    has_value.then_some(others)
}

fn is_as_wanted(field: &WantedField, resource: &Resource) -> bool {
    let now = node_at(&resource.node, &field.path);
    match &field.wanted {
        WantedValue::Set(value) => now.is_some_and(|now| now.same_value(value)),
        WantedValue::Remove => match field.before.as_ref() {
            // The next element takes the place of a removed one.
            Some(before) => now.is_none_or(|now| !now.same_value(before)),
            None => now.is_none(),
        },
        WantedValue::Append(value) => {
            let items = now.and_then(crate::engine::yaml::Node::items).unwrap_or_default();
            let before = field.before.as_ref().and_then(crate::engine::yaml::Node::items);
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
        (!self.also_here.is_empty(), self.elsewhere.len(), self.proposal.kind)
    }
}
