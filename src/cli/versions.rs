//! `kzui versions`: what `--like` takes.

use serde::Serialize;

use crate::display::to_json;

use super::{Exit, Outside, Versions};
use crate::engine::profile::{EMBEDDERS, LATEST, MASTER, RELEASES, Release};

/// `kzui versions --json`
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Listing {
    schema_version: u32,
    default: &'static str,
    latest: &'static str,
    versions: Vec<Version>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Version {
    name: &'static str,
    api: &'static str,
    /// Builds of it were compared with a program that embeds it; else its rules come from its source.
    was_run: bool,
    embedded_by: Vec<&'static str>,
}

/// Prints the names.
pub(super) fn run(arguments: Versions, outside: &mut Outside<'_>) -> std::io::Result<Exit> {
    let latest = RELEASES.last().map_or("", |release| release.version);
    if arguments.json {
        let versions = RELEASES.iter().rev().map(version).collect();
        let listing = Listing { schema_version: 1, default: LATEST, latest, versions };
        let text = to_json(&listing)?;
        outside.out.write_all(text.as_bytes())?;
        return Ok(Exit::OK);
    }
    writeln!(outside.out, "{LATEST}   {latest}, the default")?;
    writeln!(outside.out, "{MASTER}   the master branch, which no release has caught up with")?;
    for release in RELEASES.iter().rev() {
        let Version { name, was_run, embedded_by, .. } = version(release);
        let how = if was_run { "" } else { "   (from the source: not compared with a program)" };
        writeln!(outside.out, "\n{name}{how}")?;
        for programs in by_program(&embedded_by) {
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

/// One line for each program.
fn by_program<'n>(names: &'n [&'static str]) -> impl Iterator<Item = &'n [&'static str]> {
    let program = |name: &&'static str| name.rsplit_once('-').map(|(program, _)| program);
    names.chunk_by(move |a, b| program(a) == program(b))
}
