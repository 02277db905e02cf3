//! `kzui versions`: the values of `--like`.

use serde::Serialize;

use crate::cli::failure::CommandResult;

use super::{CliPorts, Exit, Versions};
use crate::engine::profile::{EMBEDDERS, LATEST, MASTER, RELEASES, Release};

/// The values of `--like`.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
struct VersionsReport {
    schema_version: u32,
    /// The default version profile.
    default: &'static str,
    /// The newest release.
    latest: &'static str,
    /// The releases, the newest first.
    versions: Vec<Version>,
}

/// A release of Kustomize.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
struct Version {
    /// The version, as a value of `--like`.
    name: &'static str,
    /// The version of the module `sigs.k8s.io/kustomize/api` in this release.
    api: &'static str,
    /// True if builds were compared with a program that embeds this release; otherwise the rules
    /// come from the source of the release.
    was_run: bool,
    /// The programs that embed this release, as values of `--like`.
    embedded_by: Vec<&'static str>,
}

pub(super) fn run(arguments: Versions, outside: &mut CliPorts<'_>) -> CommandResult {
    let latest = RELEASES.last().map_or("", |release| release.version);
    if arguments.json {
        let versions = RELEASES.iter().rev().map(version).collect();
        let listing = VersionsReport { schema_version: 1, default: LATEST, latest, versions };
        outside.out.json(&listing)?;
        return Ok(Exit::OK);
    }
    writeln!(outside.out, "{LATEST}   {latest}, the default")?;
    writeln!(outside.out, "{MASTER}   the master branch, newer than every release")?;
    for release in RELEASES.iter().rev() {
        let Version { name, was_run, embedded_by, .. } = version(release);
        let how = if was_run {
            ""
        } else {
            "   (derived from the source code, not verified against a release)"
        };
        writeln!(outside.out)?;
        writeln!(outside.out, "{name}{how}")?;
        for programs in group_by_program(&embedded_by) {
            writeln!(outside.out, "    {}", programs.join("  "))?;
        }
    }
    Ok(Exit::OK)
}

fn version(release: &Release) -> Version {
    let inside = EMBEDDERS.iter().filter(|embedder| embedder.release == release.version);
    Version {
        name: release.version,
        api: release.api,
        was_run: release.was_run,
        embedded_by: inside.map(|embedder| embedder.name).collect(),
    }
}

fn group_by_program<'n>(names: &'n [&'static str]) -> impl Iterator<Item = &'n [&'static str]> {
    let program = |name: &&'static str| name.rsplit_once('-').map(|(program, _)| program);
    names.chunk_by(move |a, b| program(a) == program(b))
}

#[test]
fn versions_schema_equals_the_document() {
    crate::document_schema::assert_schema::<VersionsReport>("versions", 1);
}
