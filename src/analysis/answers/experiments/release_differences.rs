//! Differences between a build and the builds of other Kustomize releases in use. The recording
//! shows which switches may matter; a difference is reported only if a build as that release
//! confirms it.

use std::path::Path;

use crate::answers::Recording;
use crate::answers::experiments::compat::{SwitchImpact, forecast};
use crate::answers::lint::verified_findings::VerifiedFinding;
use crate::answers::recording::build::{is_pending, printed_output};
use crate::answers::secrets::Secrets;
use crate::engine::diagnostic::{Code, Diagnostic, ReleaseRemark};
use crate::engine::evaluate::{Evaluation, Step, Trace};
use crate::engine::manifest::Builtin;
use crate::engine::profile::{Profile, Switch};
use crate::engine::resource::Resource;
use crate::engine::yaml::{Mark, Node, print_documents};

/// The supported releases, as embedded in kubectl, Argo CD, Flux and Fleet of the last year.
const SUPPORTED_RELEASES: [&str; 3] = ["v5.6.0", "v5.7.1", "v5.8.1"];

/// A search for the step that gives a reason to suspect a switch; returns its index.
type SwitchEvidence = fn(&Trace, &[&Resource]) -> Option<usize>;

/// Switches in which releases in use differ, except for those that need a program: builds with
/// programs are not repeated.
const SUSPICION_RULES: [(&[Switch], SwitchEvidence); 5] = [
    (&[Switch::LiteralSelectors, Switch::NoStructuredData, Switch::NoSourceValue], |trace, _| {
        find_step(trace, Builtin::ReplacementTransformer, |_| true)
    }),
    (&[Switch::EmptyPatchFails, Switch::EmptyPatchNeedsTarget], |trace, _| {
        find_step(trace, Builtin::PatchTransformer, |step| {
            step.warnings.iter().any(|it| it.code() == Code::KZ121)
        })
    }),
    // A patch that removes a resource, and matches another one: a document of it may follow.
    (&[Switch::DeletesFail], |trace, _| {
        find_step(trace, Builtin::PatchTransformer, |step| {
            step.counts.removed > 0 && step.matched > 1
        })
    }),
    (&[Switch::NoImageVolumes, Switch::StringVolumesFail], image_volume_step),
    (&[Switch::UnknownOwnVersion], label),
];

/// The suspected switches of a build, and the releases that can confirm them.
#[derive(Clone, Debug)]
pub struct SwitchSuspicions {
    from: Profile,
    output: Option<String>,
    releases: Vec<Profile>,
    suspected: Vec<(Switch, usize, Mark)>,
}

impl SwitchSuspicions {
    /// The suspicions to verify; `None` without any, or if a step is pending or ran a program.
    pub fn from_trace(trace: &Trace, output: &[&Resource]) -> Option<Self> {
        let is_open = |step: &Step| step.run.is_some() || is_pending(step);
        if output.is_empty() || trace.steps.iter().any(is_open) {
            return None;
        }
        let from = trace.profile;
        let mut releases: Vec<Profile> =
            SUPPORTED_RELEASES.into_iter().filter_map(Profile::named).collect();
        let differ = |other: &Profile, switch| other.has(switch) != from.has(switch);
        let mut suspected = Vec::new();
        for (switches, reason) in SUSPICION_RULES {
            let is_one = |switch| releases.iter().any(|other| differ(other, switch));
            let differing: Vec<Switch> =
                switches.iter().copied().filter(|it| is_one(*it)).collect();
            if let Some(index) = reason(trace, output).filter(|_| !differing.is_empty()) {
                let mark = trace.steps.get(index).map(|step| step.mark).unwrap_or_default();
                suspected.extend(differing.into_iter().map(|switch| (switch, index, mark)));
            }
        }
        releases.retain(|other| suspected.iter().any(|(switch, ..)| differ(other, *switch)));
        if releases.is_empty() {
            return None;
        }
        let output = print_documents(output.iter().map(|resource| &resource.node)).ok();
        Some(Self { from, output, releases, suspected })
    }

    /// The differences that builds as each of the releases confirm, by step.
    pub fn confirm_suspicions(
        self,
        directory: &Path,
        build: &mut dyn FnMut(Profile) -> Evaluation,
    ) -> Vec<(usize, VerifiedFinding)> {
        // Most suspicions are wrong: a single build with all suspected switches of a release
        // refutes them.
        let mut tried: Vec<(Profile, bool)> = Vec::new();
        let mut told: Vec<(Switch, Vec<&'static str>, SwitchImpact)> = Vec::new();
        for release in &self.releases {
            let differing = self.suspected.iter().map(|(switch, ..)| *switch);
            let differing = differing.filter(|it| release.has(*it) != self.from.has(*it));
            let profile = differing.fold(self.from, Profile::with_switch_flipped);
            let known = tried.iter().find(|(other, _)| *other == profile).map(|(_, same)| *same);
            let is_same = known.unwrap_or_else(|| {
                let other = printed_output(&build(profile));
                other.is_some() && other == self.output
            });
            tried.push((profile, is_same));
            if is_same {
                continue;
            }
            let mut build = |profile| Recording::new(build(profile), directory);
            // Only fields and resources are named, without values.
            let mut secrets = Secrets::shown();
            let forecast = forecast((self.from, *release), directory, &mut secrets, &mut build);
            for cause in forecast.causes {
                let switch = cause.row.switch;
                match told.iter_mut().find(|(known, ..)| *known == switch) {
                    Some((_, names, _)) => names.push(release.name()),
                    None => told.push((switch, vec![release.name()], cause)),
                }
            }
        }
        let told = told.into_iter().filter_map(|(_, names, cause)| self.diagnostic(&names, &cause));
        told.map(|(step, diagnostic)| (step, VerifiedFinding::Diagnostic(Box::new(diagnostic))))
            .collect()
    }

    fn diagnostic(
        &self,
        names: &[&'static str],
        cause: &SwitchImpact,
    ) -> Option<(usize, Diagnostic)> {
        let row = cause.row;
        let exact = self.suspected.iter().find(|(switch, ..)| *switch == row.switch);
        let (_, index, mark) = exact.or_else(|| self.suspected.first())?;
        let there = if self.from.has(row.switch) { row.instead } else { row.does };
        let difference = match (&cause.failure, cause.differences.as_slice()) {
            (Some(_), _) => "the build fails".to_owned(),
            (None, [one, rest @ ..]) => format!(
                "{}{}{}{} is different",
                one.field,
                if one.field.is_empty() { "" } else { " of " },
                one.resource,
                if rest.is_empty() { "" } else { " and more" }
            ),
            (None, []) => "the output is different".to_owned(),
        };
        let (advice, first) = (row.advice, names.first()?);
        let hint = format!("{advice}; `kzui compat --to {first}` lists every difference");
        let remark = ReleaseRemark::Differs { releases: names.to_vec(), difference, there };
        Some((*index, Diagnostic::new(remark, *mark).hint(hint)))
    }
}

fn find_step(trace: &Trace, builtin: Builtin, fits: impl Fn(&Step) -> bool) -> Option<usize> {
    trace.steps.iter().position(|step| step.builtin == Some(builtin) && fits(step))
}

/// The step of `images`, if a volume of the output is an image, or a word as in a
/// `PodSecurityPolicy`.
fn image_volume_step(trace: &Trace, output: &[&Resource]) -> Option<usize> {
    let is_odd = |volume: &Node| volume.as_scalar().is_some() || volume.get("image").is_some();
    let has = |resource: &Resource| {
        POD_SPECS.iter().any(|path| {
            let volumes = resource.node.at(path).and_then(|spec| spec.get("volumes"));
            volumes.and_then(Node::items).unwrap_or_default().iter().any(is_odd)
        })
    };
    let images = find_step(trace, Builtin::ImageTagTransformer, |_| true)?;
    output.iter().any(|resource| has(resource)).then_some(images)
}

const POD_SPECS: [&[&str]; 3] = [
    &["spec"],
    &["spec", "template", "spec"],
    &["spec", "jobTemplate", "spec", "template", "spec"],
];

/// The last step, if a resource has the managed-by label of Kustomize, which contains the version.
fn label(trace: &Trace, output: &[&Resource]) -> Option<usize> {
    let path = &["metadata", "labels", "app.kubernetes.io/managed-by"];
    let is_ours = |resource: &&Resource| {
        let label = resource.node.text_at(path);
        label.is_some_and(|text| text.starts_with("kustomize-"))
    };
    let last = trace.steps.len().checked_sub(1)?;
    output.iter().any(is_ours).then_some(last)
}
