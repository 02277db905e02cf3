//! Builds a target with another version profile, and finds the switches that cause the differences.
//! A switch is named as a cause only if building with this switch alone changed gives another
//! result.

use std::path::Path;
use std::sync::Arc;

use super::variants::output_differences;
use crate::answers::compare::{FieldPath, ResourcePair};
use crate::answers::recording::field::{leaves, path_text};
use crate::answers::report::documents;
use crate::answers::secrets::Secrets;
use crate::answers::{Recording, relative};
use crate::engine::evaluate::StepOutcome;
use crate::engine::profile::{Evidence, Profile, SwitchRow};
use crate::engine::resource::Resource;
use crate::engine::yaml::{Mark, Node, print_documents};

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

documents! {
    pub struct CompatReport {
        pub schema_version: u32,
        pub from: Option<String>,
        pub to: &'static str,
        pub to_version: Option<&'static str>,
        pub targets: Vec<TargetForecast>,
    }

    pub struct TargetForecast {
        pub target: String,
        pub from: &'static str,
        #[serde(flatten)]
        pub forecast: Forecast,
    }

    #[derive(Default)]
    pub struct Forecast {
        #[cfg_attr(test, schemars(with = "String"))]
        pub verdict: CompatVerdict,
        pub causes: Vec<SwitchImpact>,
        pub together: Vec<CompatDifference>,
        pub failure: Option<CompatFailure>,
    }

    pub struct SwitchImpact {
        #[serde(skip)]
        pub row: &'static SwitchRow,
        pub switch: &'static str,
        pub description: String,
        pub since: Option<&'static str>,
        pub commit: &'static str,
        pub advice: &'static str,
        pub was_run: bool,
        pub differences: Vec<CompatDifference>,
        pub failure: Option<CompatFailure>,
    }

    pub struct CompatFailure {
        pub message: String,
        pub at: Option<String>,
    }

    pub struct CompatDifference {
        pub resource: String,
        pub field: String,
        pub before: Option<String>,
        pub after: Option<String>,
        pub at: Option<String>,
    }
}

struct CompatBuild<'c> {
    recording: Recording,
    text: Result<String, CompatFailure>,
    /// The folder that locations are relative to.
    current: &'c Path,
}

const MAX_DIFFERENCES_LISTED: usize = 200;

/// Builds a target with two version profiles. If the results differ, tries each switch in which the
/// profiles differ, one at a time. Locations are relative to `current`.
pub fn forecast(
    (from, to): (Profile, Profile),
    current: &Path,
    secrets: &mut Secrets,
    build: &mut dyn FnMut(Profile) -> Recording,
) -> Forecast {
    let mut build = |profile| CompatBuild::new(build(profile), current);
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
        together = differences(&old, &new, secrets);
        together.retain(|one| {
            let is_same = |known: &CompatDifference| {
                (&known.resource, &known.field) == (&one.resource, &one.field)
            };
            !causes.iter().any(|cause| cause.differences.iter().any(is_same))
        });
    }
    Forecast { verdict, causes, together, failure }
}

impl<'c> CompatBuild<'c> {
    /// A recording with its printed output, or with the failure if it has none.
    fn new(recording: Recording, current: &'c Path) -> Self {
        let error = |message, at| Err(CompatFailure { message, at });
        let text = match &recording.error {
            Some(it) => error(it.message.clone(), location(&recording, it.mark, current)),
            None => print_documents(recording.output.iter().map(|(_, resource)| &resource.node))
                .or_else(|it| error(it.to_string(), None)),
        };
        Self { recording, text, current }
    }

    fn at(&self, mark: Mark) -> Option<String> {
        location(&self.recording, mark, self.current)
    }

    /// The first pending step as a message with its location; `None` if no step is pending.
    fn first_pending(&self) -> Option<CompatFailure> {
        let steps = &self.recording.trace.steps;
        steps.iter().find_map(|step| match &step.outcome {
            StepOutcome::Waiting(wait) => {
                Some(CompatFailure { message: wait.to_string(), at: self.at(step.mark) })
            }
            _ => None,
        })
    }
}

/// The failure of the second build, or else of the first, with secret text masked.
fn masked_failure(
    old: &CompatBuild<'_>,
    new: &CompatBuild<'_>,
    secrets: &Secrets,
) -> Option<CompatFailure> {
    let failure = new.text.as_ref().err().or(old.text.as_ref().err())?;
    Some(CompatFailure { message: secrets.text(&failure.message), at: failure.at.clone() })
}

fn verdict(old: &CompatBuild<'_>, new: &CompatBuild<'_>) -> CompatVerdict {
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
    old: &CompatBuild<'_>,
    new: &CompatBuild<'_>,
    secrets: &Secrets,
) -> Option<SwitchImpact> {
    let (differences, failure) = match verdict(old, new) {
        CompatVerdict::Same | CompatVerdict::FailsAlike | CompatVerdict::Unknown => return None,
        CompatVerdict::Changes => (differences(old, new, secrets), None),
        CompatVerdict::Fails | CompatVerdict::Builds => {
            (Vec::new(), masked_failure(old, new, secrets))
        }
    };
    Some(SwitchImpact {
        row,
        switch: row.name,
        description: describe_switch(row),
        since: row.until.or(row.since),
        commit: row.commit,
        advice: row.advice,
        was_run: row.evidence == Evidence::Run,
        differences,
        failure,
    })
}

fn describe_switch(row: &SwitchRow) -> String {
    let until = match (row.program, row.until) {
        (Some(_), _) => "otherwise".to_owned(),
        (None, Some(until)) => format!("since {until}"),
        (None, None) => "on the master branch".to_owned(),
    };
    let since = row.since.map(|since| format!("from {since} on, ")).unwrap_or_default();
    format!("{since}{}; {until}, {}", row.does, row.instead)
}

fn differences(
    old_build: &CompatBuild<'_>,
    new_build: &CompatBuild<'_>,
    secrets: &Secrets,
) -> Vec<CompatDifference> {
    let (old, new) = (&old_build.recording, &new_build.recording);
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
            let written = after.and_then(|node| new_build.at(node.mark));
            CompatDifference {
                resource: format!("{}/{}", named.id.gvk.kind, named.id.name),
                field: format!("{field}{below}"),
                before: before.map(shown),
                after: after.map(shown),
                at: written.or_else(|| before.and_then(|node| old_build.at(node.mark))),
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
        found.push(CompatDifference { resource, field: String::new(), before, after, at: None });
    }
    found
}

fn location(recording: &Recording, mark: Mark, current: &Path) -> Option<String> {
    let file = recording.trace.sources.path(mark.source).filter(|_| mark.line > 0)?;
    Some(format!("{}:{}", relative(Path::new(file), current), mark.line))
}

#[test]
fn compat_schema_equals_the_document() {
    crate::document_schema::assert_schema::<CompatReport>("compat", 1);
}
