//! Builds a target with another version profile, and finds the switches that cause the differences.
//! A switch is named as a cause only if building with this switch alone changed gives another
//! result.

use std::sync::Arc;

use super::variants::output_differences;
use crate::answers::Recording;
use crate::answers::compare::{FieldPath, ResourcePair};
use crate::answers::recording::field::{leaves, path_text};
use crate::answers::secrets::Secrets;
use crate::engine::evaluate::StepOutcome;
use crate::engine::profile::{Profile, SwitchRow};
use crate::engine::resource::Resource;
use crate::engine::yaml::{Mark, Node, print_documents};

/// How the build of a target changes with the version profile.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Serialize)]
#[serde(rename_all = "camelCase")]
pub enum CompatVerdict {
    #[default]
    Same,
    /// Both profiles build, with different bytes.
    Changes,
    /// Builds with the first version profile and fails with the second.
    Fails,
    /// Fails with the first version profile and builds with the second.
    Builds,
    FailsAlike,
    /// A step is pending with one profile or with both.
    Unknown,
}

/// The effect of another version profile on a target, with its causes.
#[derive(Clone, Debug, Default)]
pub struct Forecast {
    pub verdict: CompatVerdict,
    /// The switches that make a difference, each tried alone.
    pub causes: Vec<SwitchImpact>,
    /// Differences that no switch causes alone.
    pub together: Vec<CompatDifference>,
    /// The error with the second profile, or with the first profile if the second builds; for an
    /// unknown verdict, the pending step.
    pub failure: Option<CompatFailure>,
}

/// A switch of the version profile that changes the output or the success of the build.
#[derive(Clone, Debug)]
pub struct SwitchImpact {
    pub row: &'static SwitchRow,
    /// The fields that differ if only this switch is changed.
    pub differences: Vec<CompatDifference>,
    pub failure: Option<CompatFailure>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CompatFailure {
    pub message: String,
    pub place: Option<SourceLine>,
}

/// A file and the number of a line in it, from 1.
pub type SourceLine = (String, u32);

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CompatDifference {
    /// The resource, as `Kind/name`.
    pub resource: String,
    /// The path of the field; empty for a resource that is added, removed or only moved in the
    /// output.
    pub field: String,
    /// The value before; `None` if the field did not exist.
    pub before: Option<String>,
    pub after: Option<String>,
    /// The location of the new value, else of the old one.
    pub place: Option<SourceLine>,
}

struct CompatBuild {
    recording: Recording,
    text: Result<String, CompatFailure>,
}

const MAX_DIFFERENCES_LISTED: usize = 200;

/// Builds a target with two version profiles. If the results differ, tries each switch in which the
/// profiles differ, one at a time.
pub fn forecast(
    from: Profile,
    to: Profile,
    secrets: &mut Secrets,
    build: &mut dyn FnMut(Profile) -> Recording,
) -> Forecast {
    let mut build = |profile| to_compat_build(build(profile));
    let (old, new) = (build(from), build(to));
    secrets.learn(&old.recording.trace);
    secrets.learn(&new.recording.trace);
    let secrets = &*secrets;
    if let Some(waits) = new.first_pending().or_else(|| old.first_pending()) {
        let failure = Some(waits);
        return Forecast { verdict: CompatVerdict::Unknown, failure, ..Forecast::default() };
    }
    let verdict = verdict(&old, &new);
    let failure = masked_failure(&old, &new, secrets);
    if matches!(verdict, CompatVerdict::Same | CompatVerdict::FailsAlike) {
        return Forecast { verdict, failure, ..Forecast::default() };
    }
    let mut causes: Vec<SwitchImpact> = Vec::new();
    for row in from.differences(to) {
        let turned = build(from.with_switch_flipped(row.switch));
        causes.extend(switch_impact(row, &old, &turned, secrets));
    }
    if causes.is_empty() {
        for row in from.differences(to) {
            let turned = build(to.with_switch_flipped(row.switch));
            causes.extend(switch_impact(row, &turned, &new, secrets));
        }
    }
    let mut together = Vec::new();
    if old.text.is_ok() && new.text.is_ok() {
        together = differences(&old.recording, &new.recording, secrets);
        together.retain(|one| {
            let is_same = |known: &CompatDifference| {
                (&known.resource, &known.field) == (&one.resource, &one.field)
            };
            !causes.iter().any(|cause| cause.differences.iter().any(is_same))
        });
    }
    Forecast { verdict, causes, together, failure }
}

impl CompatBuild {
    /// The first pending step as a message with its location; `None` if no step is pending.
    fn first_pending(&self) -> Option<CompatFailure> {
        let steps = &self.recording.trace.steps;
        steps.iter().find_map(|step| match &step.outcome {
            StepOutcome::Waiting(wait) => Some(CompatFailure {
                message: wait.to_string(),
                place: place(&self.recording, step.mark),
            }),
            _ => None,
        })
    }
}

/// A recording with its printed output, or with the failure if it has none.
fn to_compat_build(recording: Recording) -> CompatBuild {
    let text = match &recording.error {
        Some(error) => Err(CompatFailure {
            message: error.message.clone(),
            place: place(&recording, error.mark),
        }),
        None => print_documents(recording.output.iter().map(|(_, resource)| &resource.node))
            .map_err(|error| CompatFailure { message: error.to_string(), place: None }),
    };
    CompatBuild { recording, text }
}

/// The failure of the second build, or else of the first, with secret text masked.
fn masked_failure(
    old: &CompatBuild,
    new: &CompatBuild,
    secrets: &Secrets,
) -> Option<CompatFailure> {
    let failure = new.text.as_ref().err().or(old.text.as_ref().err())?;
    Some(CompatFailure { message: secrets.text(&failure.message), place: failure.place.clone() })
}

fn verdict(old: &CompatBuild, new: &CompatBuild) -> CompatVerdict {
    match (&old.text, &new.text) {
        (Ok(old), Ok(new)) if old == new => CompatVerdict::Same,
        (Ok(_), Ok(_)) => CompatVerdict::Changes,
        (Ok(_), Err(_)) => CompatVerdict::Fails,
        (Err(_), Ok(_)) => CompatVerdict::Builds,
        (Err(_), Err(_)) => CompatVerdict::FailsAlike,
    }
}

/// The impact of one switch; `None` if it makes no difference.
fn switch_impact(
    row: &'static SwitchRow,
    old: &CompatBuild,
    new: &CompatBuild,
    secrets: &Secrets,
) -> Option<SwitchImpact> {
    let (differences, failure) = match verdict(old, new) {
        CompatVerdict::Same | CompatVerdict::FailsAlike | CompatVerdict::Unknown => return None,
        CompatVerdict::Changes => (differences(&old.recording, &new.recording, secrets), None),
        CompatVerdict::Fails | CompatVerdict::Builds => {
            (Vec::new(), masked_failure(old, new, secrets))
        }
    };
    Some(SwitchImpact { row, differences, failure })
}

fn differences(old: &Recording, new: &Recording, secrets: &Secrets) -> Vec<CompatDifference> {
    let output = |recording: &Recording| -> Vec<Arc<Resource>> {
        recording.output.iter().map(|(_, resource)| resource.clone()).collect()
    };
    let mut found = Vec::new();
    for (ResourcePair { before: one, after: other }, change) in
        output_differences(&output(old), &output(new), secrets)
    {
        let Some(named) = other.as_ref().or(one.as_ref()) else { continue };
        let path = |path: &FieldPath, side: &Option<Arc<Resource>>| path.find(&side.as_ref()?.node);
        let path = path(&change.path, &other).or_else(|| path(&change.first_path, &one));
        let field = path.map_or_else(|| change.path.to_string(), |path| path_text(&path));
        let difference = |below: &str, before: Option<&Node>, after: Option<&Node>| {
            let shown = |node: &Node| node.text().unwrap_or("…").to_owned();
            let written = after.and_then(|node| place(new, node.mark));
            CompatDifference {
                resource: format!("{}/{}", named.id.gvk.kind, named.id.name),
                field: format!("{field}{below}"),
                before: before.map(shown),
                after: after.map(shown),
                place: written.or_else(|| before.and_then(|node| place(old, node.mark))),
            }
        };
        match (&change.before, &change.after) {
            // The values of an added or removed field are listed one by one.
            (Some(value), None) | (None, Some(value)) if !change.path.0.is_empty() => {
                found.extend(leaves(value).into_iter().map(|(below, value, _)| {
                    let below = path_text(&below);
                    let dot = if below.is_empty() || below.starts_with('[') { "" } else { "." };
                    let side = |side: &Option<Node>| side.as_ref().map(|_| value);
                    let (before, after) = (side(&change.before), side(&change.after));
                    difference(&format!("{dot}{below}"), before, after)
                }));
            }
            (before, after) => found.push(difference("", before.as_ref(), after.as_ref())),
        }
    }
    found.truncate(MAX_DIFFERENCES_LISTED);
    let mut places = old.output.iter().zip(&new.output);
    if found.is_empty()
        && let Some((_, (_, moved))) = places.find(|((_, old), (_, new))| old.id != new.id)
    {
        let resource = format!("{}/{}", moved.id.gvk.kind, moved.id.name);
        let (before, after) = (None, Some("is at another position in the output".to_owned()));
        found.push(CompatDifference { resource, field: String::new(), before, after, place: None });
    }
    found
}

fn place(recording: &Recording, mark: Mark) -> Option<SourceLine> {
    let file = recording.trace.sources.path(mark.source).filter(|_| mark.line > 0)?;
    Some((file.to_owned(), mark.line))
}
