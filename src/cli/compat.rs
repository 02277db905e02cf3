//! `kzui compat`: the effect of another version of Kustomize on every target.

use super::targets::select;
use super::{CliPorts, Compat, CompatFormat, Exit, evaluate_once, options};
use crate::answers::experiments::compat::{
    CompatDifference, CompatReport, CompatVerdict, Forecast, TargetForecast, forecast,
};
use crate::answers::{Recording, headline, relative};
use crate::cli::failure::{CommandResult, Failure};
use crate::display::{escape_markdown, line, markdown_code};
use crate::engine::profile::{LATEST, Profile};

const MAX_SHOWN_FIELDS: usize = 3;

pub(super) fn run(arguments: &Compat, outside: &mut CliPorts<'_>) -> CommandResult {
    let to = options::named(arguments.to.as_deref().unwrap_or(LATEST), "--to")
        .map_err(Failure::usage)?;
    let selection = select(&arguments.dirs, outside, &outside.ports.files)?;
    let mut report = CompatReport {
        schema_version: 1,
        from: arguments.from.clone(),
        to: to.name(),
        to_version: to.release().map(|release| release.version),
        targets: Vec::new(),
    };
    for directory in selection.names {
        let name = directory.to_string_lossy();
        let given = options::headless_options(&arguments.build, &name, outside)?;
        let from = arguments.from.as_deref().map(|from| options::named(from, "--from"));
        let from = from.transpose().map_err(Failure::usage)?.unwrap_or(given.profile);
        let mut build = |profile: Profile| {
            let options = given.like(profile);
            Recording::new(evaluate_once(&name, &options, outside), &directory)
        };
        let mut secrets = super::diff::secrets(false, outside);
        let forecast = forecast((from, to), &outside.current, &mut secrets, &mut build);
        let target = relative(&directory, &outside.current);
        report.targets.push(TargetForecast { target, from: from.name(), forecast });
    }
    match arguments.output {
        CompatFormat::Text => outside.out.text(&text(&report))?,
        CompatFormat::Json => outside.out.json(&report)?,
        CompatFormat::Markdown => outside.out.text(&markdown(&report))?,
    }
    let has = |verdict| report.targets.iter().any(|target| target.forecast.verdict == verdict);
    let different = [CompatVerdict::Fails, CompatVerdict::Changes, CompatVerdict::Builds];
    if different.into_iter().any(has) {
        return Ok(Exit::FAILED);
    }
    Ok(if has(CompatVerdict::Unknown) { Exit::NOT_KNOWN } else { Exit::OK })
}

/// The first line of the report, as in
/// `argocd-3.2 (Kustomize v5.7.0) → argocd-3.3 (Kustomize v5.8.1)`.
fn title(report: &CompatReport) -> String {
    let from = report.from.as_deref().and_then(Profile::named);
    let from = from.or_else(|| Profile::named(report.targets.first()?.from));
    let [from, to] = [from, Profile::named(report.to)].map(|it| it.map(shown).unwrap_or_default());
    format!("{from} → {to}")
}

fn verdict_counts(report: &CompatReport) -> String {
    let of = |verdict: CompatVerdict| {
        report.targets.iter().filter(|target| target.forecast.verdict == verdict).count()
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

fn changed_targets(report: &CompatReport) -> impl Iterator<Item = (&str, &Forecast)> {
    let targets = report.targets.iter().map(|it| (&*it.target, &it.forecast));
    targets.filter(|(_, forecast)| forecast.verdict != CompatVerdict::Same)
}

fn text(report: &CompatReport) -> String {
    let mut out = line!("{}\n", title(report)) + &line!("  {}\n", verdict_counts(report));
    for (target, forecast) in changed_targets(report) {
        out.push('\n');
        out.push_str(&line!("  {target}   {}\n", word(forecast.verdict)));
        out.extend(lines(forecast).iter().map(|line| line!("    {line}\n")));
    }
    out
}

fn markdown(report: &CompatReport) -> String {
    let mut out = line!("### {}\n\n", title(report)) + &line!("{}\n", verdict_counts(report));
    for (target, forecast) in changed_targets(report) {
        out.push('\n');
        let target = markdown_code(target);
        out.push_str(&line!("- **{target}** {}\n", word(forecast.verdict)));
        let lines = lines(forecast).into_iter();
        out.extend(lines.map(|line| line!("  - {}\n", escape_markdown(line.trim_start()))));
    }
    out
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

fn lines(forecast: &Forecast) -> Vec<String> {
    let Forecast { verdict, causes, together, failure } = forecast;
    let mut lines = Vec::new();
    let at = |at: &Option<String>| at.as_ref().map(|at| format!(" ({at})")).unwrap_or_default();
    for cause in causes {
        lines.push(format!("{}: {}", cause.switch, cause.description));
        for one in cause.differences.iter().take(MAX_SHOWN_FIELDS) {
            lines.push(format!("  {}{}", field(one), at(&one.at)));
        }
        if cause.differences.len() > MAX_SHOWN_FIELDS {
            lines.push(format!("  and {} more fields", cause.differences.len() - MAX_SHOWN_FIELDS));
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

fn field(one: &CompatDifference) -> String {
    let CompatDifference { resource, field, before, after, .. } = one;
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
