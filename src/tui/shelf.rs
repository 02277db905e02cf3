//! The catalogs that a tree names, looked at without trusting, running or fetching anything.

use std::path::Path;

use crate::engine::evaluate::{Outcome, Step, Trace};
use crate::engine::function::{CatalogPorts, CatalogView, Shelf, Trust, mark_shadows, review};
use crate::engine::load::{Artifacts, Files, Reference};
use crate::engine::manifest::{Outline, RuntimeKind};

use super::ports::{Composed, Shelved};

/// A reference as a file lists it.
struct Listed {
    written: String,
    directory: std::path::PathBuf,
    place: (String, u32),
}

/// The catalogs of a recording, each once, in the order in which they are named.
pub fn catalogs_of(
    trace: &Trace,
    compositions: &[Composed],
    files: &dyn Files,
    artifacts: &dyn Artifacts,
    trust: &Trust,
) -> Vec<Shelved> {
    let mut all = listed(trace, files);
    for composed in compositions.iter().filter_map(|composed| composed.result.as_ref().ok()) {
        for catalog in &composed.catalogs {
            let file = trace.sources.path(catalog.mark.source).unwrap_or(&composed.file).to_owned();
            let place = (file, catalog.mark.line);
            all.push(Listed { written: catalog.resolved.clone(), directory: "/".into(), place });
        }
    }
    let mut shelf = Shelf::default();
    let ports = CatalogPorts { files, artifacts };
    let mut shelved: Vec<(String, Shelved)> = Vec::new();
    for Listed { written, directory, place } in all {
        let reference = Reference::parse(&written, &directory)
            .map_err(|error| error.to_string())
            .and_then(|found| found.resolved(files).map_err(|error| error.to_string()));
        let key = reference.as_ref().map_or_else(|_| written.clone(), Reference::normalised);
        if let Some((_, known)) = shelved.iter_mut().find(|(other, _)| *other == key) {
            if !known.listed_at.contains(&place) {
                known.listed_at.push(place);
            }
            continue;
        }
        let result = reference.and_then(|reference| {
            let opened = shelf.open(&reference, None, ports).map_err(|error| error.to_string())?;
            let view = CatalogView::of(&reference, &opened.artifact, &opened.catalog, trust);
            let found = review(trust.record_of(&reference), &view);
            Ok(Box::new((view, found)))
        });
        shelved.push((key, Shelved { reference: written, listed_at: vec![place], result }));
    }
    let mut shelved: Vec<Shelved> = shelved.into_iter().map(|(_, shelved)| shelved).collect();
    shadow(&mut shelved);
    note_uses(&mut shelved, trace, compositions);
    shelved
}

/// What `catalogs:` of the files of a build list.
fn listed(trace: &Trace, files: &dyn Files) -> Vec<Listed> {
    let mut all = Vec::new();
    for layer in &trace.layers {
        let Ok(bytes) = files.read(Path::new(&*layer.file)) else { continue };
        if !bytes.windows(9).any(|word| word == b"catalogs:") {
            continue;
        }
        let outline = Outline::parse(&bytes);
        let Some(field) = outline.field("catalogs").filter(|field| !field.disabled) else {
            continue;
        };
        for entry in field.entries.iter().filter(|entry| !entry.disabled) {
            all.push(Listed {
                written: entry.scalar.clone().unwrap_or_else(|| entry.text.clone()),
                directory: Path::new(&*layer.path).to_path_buf(),
                place: (layer.file.to_string(), entry.line),
            });
        }
    }
    all
}

fn shadow(shelved: &mut [Shelved]) {
    let views = shelved.iter().filter_map(|shelved| shelved.result.as_ref().ok());
    let mut views: Vec<CatalogView> = views.map(|found| found.0.clone()).collect();
    mark_shadows(&mut views);
    let found = shelved.iter_mut().filter_map(|shelved| shelved.result.as_mut().ok());
    for (found, view) in found.zip(views) {
        found.0 = view;
    }
}

/// Notes which functions this build would run.
fn note_uses(shelved: &mut [Shelved], trace: &Trace, compositions: &[Composed]) {
    let mut uses: Vec<[String; 4]> = Vec::new();
    for step in &trace.steps {
        let place = trace.sources.path(step.mark.source).unwrap_or_default();
        let place = format!("{place}:{}", step.mark.line);
        let functions = functions_of(step).into_iter();
        uses.extend(functions.map(|[kind, group, version]| [group, version, kind, place.clone()]));
    }
    for composed in compositions.iter().filter_map(|composed| composed.result.as_ref().ok()) {
        for entry in &composed.entries {
            if entry.runtime == Some(RuntimeKind::Catalog) {
                let (gvk, origin) = (&entry.id.gvk, &entry.origin);
                let place = format!("{}:{}", origin.file, origin.mark.line);
                let text = |part: &std::sync::Arc<str>| part.to_string();
                uses.push([text(&gvk.group), text(&gvk.version), text(&gvk.kind), place]);
            }
        }
    }
    uses.sort();
    uses.dedup();
    for found in shelved.iter_mut().filter_map(|shelved| shelved.result.as_mut().ok()) {
        for [group, version, kind, place] in &uses {
            found.0.use_in(group, version, kind, place);
        }
    }
}

/// Kind, group and version of the functions of a step, from their names `Kind/name (group/version)`.
fn functions_of(step: &Step) -> Vec<[String; 3]> {
    let text = match (&step.run, &step.outcome) {
        (Some(run), _) => &*run.function,
        (None, Outcome::Waiting(why)) => &**why,
        _ => return Vec::new(),
    };
    functions_in(text)
}

fn functions_in(text: &str) -> Vec<[String; 3]> {
    let pieces: Vec<&str> = text.split(" (").collect();
    let named = pieces.windows(2).filter_map(|pair| {
        let kind = pair[0].rsplit([' ', '\'']).next()?.split_once('/')?.0;
        let (group, version) = pair[1].split_once(')')?.0.rsplit_once('/')?;
        Some([kind, group, version].map(str::to_owned))
    });
    named.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn functions_are_told_from_what_a_step_waits_for() {
        let why = "catalog 'c' (referenced by k/kustomization.yaml) is not trusted; it is needed to run Stamp/s \
                   (team.example.com/v1)";
        let found = functions_in(why);
        assert_eq!(found, [["Stamp", "team.example.com", "v1"].map(str::to_owned)]);
    }
}
