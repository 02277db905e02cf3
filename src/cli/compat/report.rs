//! The formats of the answer: for people, for programs, for a review.

use std::path::Path;

use serde::Serialize;

use crate::answers::experiments::compat::{
    CompatDifference, CompatFailure, CompatVerdict, Forecast, SourceLine,
};
use crate::answers::{headline, relative};
use crate::display::{escape_markdown, line, markdown_code};
use crate::engine::profile::{Evidence, Profile, SwitchRow};

const MAX_SHOWN_FIELDS: usize = 3;

impl CompatReport {
    pub(super) fn new(from: Option<&str>, to: Profile) -> Self {
        Self {
            schema_version: 1,
            from: from.map(str::to_owned),
            to: to.name(),
            to_version: to.release().map(|release| release.version),
            targets: Vec::new(),
        }
    }

    pub(super) fn has(&self, verdict: CompatVerdict) -> bool {
        self.targets.iter().any(|target| target.verdict == verdict)
    }

    /// The first line of the report, as in
    /// `argocd-3.2 (Kustomize v5.7.0) → argocd-3.3 (Kustomize v5.8.1)`.
    fn title(&self) -> String {
        let from = self.from.as_deref().and_then(Profile::named);
        let from = from.or_else(|| Profile::named(self.targets.first()?.from));
        let [from, to] =
            [from, Profile::named(self.to)].map(|it| it.map(shown).unwrap_or_default());
        format!("{from} → {to}")
    }

    fn verdict_counts(&self) -> String {
        let of = |verdict: CompatVerdict| {
            self.targets.iter().filter(|target| target.verdict == verdict).count()
        };
        let count = |number: usize, one: &str, many: &str| {
            (number > 0).then(|| format!("{number} {}", if number == 1 { one } else { many }))
        };
        let sums = [
            Some(format!("{} the same", of(CompatVerdict::Same))),
            count(of(CompatVerdict::Changes), "changes", "change"),
            count(of(CompatVerdict::Fails), "fails", "fail"),
            count(of(CompatVerdict::Builds), "builds that failed", "build that failed"),
            count(of(CompatVerdict::FailsAlike), "fails with both", "fail with both"),
            count(of(CompatVerdict::Unknown), "not known", "not known"),
        ];
        sums.into_iter().flatten().collect::<Vec<_>>().join(", ")
    }

    fn changed_targets(&self) -> impl Iterator<Item = &TargetDocument> {
        self.targets.iter().filter(|target| target.verdict != CompatVerdict::Same)
    }

    pub(super) fn text(&self) -> String {
        let mut out = line!("{}\n", self.title()) + &line!("  {}\n", self.verdict_counts());
        for target in self.changed_targets() {
            out.push('\n');
            out.push_str(&line!("  {}   {}\n", target.target, word(target.verdict)));
            for line in target.lines() {
                out.push_str(&line!("    {line}\n"));
            }
        }
        out
    }

    pub(super) fn markdown(&self) -> String {
        let mut out = line!("### {}\n\n", self.title()) + &line!("{}\n", self.verdict_counts());
        for target in self.changed_targets() {
            out.push('\n');
            out.push_str(&line!(
                "- **{}** {}\n",
                markdown_code(&target.target),
                word(target.verdict)
            ));
            for line in target.lines() {
                out.push_str(&line!("  - {}\n", escape_markdown(line.trim_start())));
            }
        }
        out
    }
}

fn shown(profile: Profile) -> String {
    match profile.release() {
        Some(release) if release.version != profile.name() => {
            format!("{} (Kustomize {})", profile.name(), release.version)
        }
        _ => profile.name().to_owned(),
    }
}

fn word(verdict: CompatVerdict) -> &'static str {
    match verdict {
        CompatVerdict::Same => "same",
        CompatVerdict::Changes => "changes",
        CompatVerdict::Fails => "fails",
        CompatVerdict::Builds => "builds, failed before",
        CompatVerdict::FailsAlike => "fails with both",
        CompatVerdict::Unknown => "not known: build pending",
    }
}

impl TargetDocument {
    fn lines(&self) -> Vec<String> {
        let Self { verdict, causes, together, failure, .. } = self;
        let mut lines = Vec::new();
        let at = |at: &Option<String>| at.as_ref().map(|at| format!(" ({at})")).unwrap_or_default();
        for cause in causes {
            lines.push(format!("{}: {}", cause.switch, cause.description));
            for one in cause.differences.iter().take(MAX_SHOWN_FIELDS) {
                lines.push(format!("  {}{}", field(one), at(&one.at)));
            }
            if cause.differences.len() > MAX_SHOWN_FIELDS {
                lines.push(format!(
                    "  and {} more fields",
                    cause.differences.len() - MAX_SHOWN_FIELDS
                ));
            }
            if let Some(failure) = &cause.failure {
                lines.push(format!("  {}{}", headline(&failure.message), at(&failure.at)));
            }
            lines.push(format!("  fix: {}", cause.advice));
        }
        for one in together.iter().take(MAX_SHOWN_FIELDS) {
            lines.push(format!("several differences together: {}{}", field(one), at(&one.at)));
        }
        if let (true, Some(failure)) = (causes.is_empty(), failure) {
            lines.push(format!("{}{}", headline(&failure.message), at(&failure.at)));
        }
        if lines.is_empty() && *verdict != CompatVerdict::Same {
            lines.push(
                "no single difference of the two versions is the cause; cause not known".to_owned(),
            );
        }
        lines
    }

    /// The effect on a target; the paths of locations are relative to `current`.
    pub(super) fn new(directory: &Path, from: Profile, forecast: Forecast, current: &Path) -> Self {
        let at =
            |(file, line): SourceLine| format!("{}:{line}", relative(Path::new(&file), current));
        let difference = |one: CompatDifference| {
            let CompatDifference { resource, field, before, after, place } = one;
            DifferenceDocument { resource, field, before, after, at: place.map(at) }
        };
        let failure =
            |one: CompatFailure| FailureDocument { message: one.message, at: one.place.map(at) };
        let causes = forecast.causes.into_iter().map(|cause| CauseDocument {
            switch: cause.row.name,
            description: describe_switch(cause.row),
            since: cause.row.until.or(cause.row.since),
            commit: cause.row.commit,
            advice: cause.row.advice,
            was_run: cause.row.evidence == Evidence::Run,
            differences: cause.differences.into_iter().map(difference).collect(),
            failure: cause.failure.map(failure),
        });
        Self {
            target: relative(directory, current),
            from: from.name(),
            verdict: forecast.verdict,
            causes: causes.collect(),
            together: forecast.together.into_iter().map(difference).collect(),
            failure: forecast.failure.map(failure),
        }
    }
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

fn field(one: &DifferenceDocument) -> String {
    let DifferenceDocument { resource, field, before, after, .. } = one;
    match (before, after) {
        _ if field.is_empty() && before.is_some() && after.is_none() => {
            format!("{resource} removed")
        }
        (None, Some(after)) if field.is_empty() => {
            format!("{resource} {}", if after == "…" { "is new" } else { after })
        }
        (None, Some(after)) => format!("{resource} gets {field}: {}", first_line(after)),
        (Some(before), None) => format!("{resource} loses {field}: {}", first_line(before)),
        (before, after) => {
            let text = |value: &Option<String>| value.as_deref().map_or("", first_line).to_owned();
            format!("{resource} {field}: {} → {}", text(before), text(after))
        }
    }
}

fn first_line(text: &str) -> &str {
    text.lines().next().unwrap_or_default()
}

/// The effect of another version of Kustomize on targets.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub(super) struct CompatReport {
    /// The version of this format. Added fields do not change the version; a removed field or a
    /// changed meaning raises the version.
    schema_version: u32,
    /// The present version profile, if the command line sets it for all targets; otherwise each
    /// target has its own.
    from: Option<String>,
    /// The new version profile.
    to: &'static str,
    /// The version of Kustomize in that profile; null for the master branch.
    to_version: Option<&'static str>,
    /// The targets, by folder.
    pub(super) targets: Vec<TargetDocument>,
}

/// The effect on one target.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub(super) struct TargetDocument {
    /// The folder of the target, as on the command line.
    target: String,
    /// The present version profile of the target.
    from: &'static str,
    /// `same`, `changes`, `fails` (builds now), `builds` (fails now), `failsAlike`, or `unknown` if
    /// a step of its build is pending.
    #[cfg_attr(test, schemars(with = "String"))]
    verdict: CompatVerdict,
    /// The switches that make a difference, each tried alone.
    causes: Vec<CauseDocument>,
    /// Differences that only several switches together make.
    together: Vec<DifferenceDocument>,
    /// The error: of the second build, or of the first if the second succeeds; the pending item if
    /// the result is unknown.
    failure: Option<FailureDocument>,
}

/// A switch that makes a difference.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
struct CauseDocument {
    /// The name of the switch.
    switch: &'static str,
    /// The older behaviour and the newer one.
    description: String,
    /// The first version with the newer behaviour. While no release has it, the first version with
    /// the older behaviour; null if all releases have the older behaviour.
    since: Option<&'static str>,
    /// The commit of Kustomize that introduced the newer behaviour.
    commit: &'static str,
    /// How to migrate.
    advice: &'static str,
    /// True if both behaviours were compared with released programs; otherwise they are known from
    /// Kustomize's source.
    was_run: bool,
    /// The fields that differ if only this switch is changed.
    differences: Vec<DifferenceDocument>,
    /// The error of the build with one of the two behaviours.
    failure: Option<FailureDocument>,
}

/// A field that differs.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
struct DifferenceDocument {
    /// Kind and name of the resource.
    resource: String,
    /// The path of the field; empty for a whole resource.
    field: String,
    /// The value before; null if absent. Values of Secrets are not shown.
    before: Option<String>,
    /// The value after; null if absent.
    after: Option<String>,
    /// The location of the value, as `FILE:LINE`; null if it is in no file.
    at: Option<String>,
}

/// The error of a build.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
struct FailureDocument {
    /// The message in Kustomize's words, which contain absolute paths.
    message: String,
    /// The location, as `FILE:LINE`; null if no line is known.
    at: Option<String>,
}

#[test]
fn compat_schema_equals_the_document() {
    crate::document_schema::assert_schema::<CompatReport>("compat", 1);
}
