//! Reviews the catalogs that a build names, without trusting, running or fetching them.

use std::collections::BTreeSet;
use std::path::Path;

use indexmap::IndexMap;

use crate::answers::{CatalogReview, function_inputs};
use crate::engine::evaluate::Trace;
use crate::engine::load::{Fetch, Files, Reference};
use crate::engine::manifest::{Outline, RuntimeKind};
use crate::engine::plugin::{CatalogCache, CatalogPorts, CatalogView, Trust, mark_shadows};

use super::ports::{CompositionResult, ReviewedCatalog};

/// A reference to a catalog, as written in a file or by the user.
struct NamedCatalog {
    written: String,
    directory: std::path::PathBuf,
    place: Option<(String, u32)>,
    /// The number of the search that the reference belongs to. Each layer and each Composition has
    /// its own, and a search tries its catalogs one after the other.
    search: usize,
}

#[derive(Clone, Copy, Debug)]
pub struct UserCatalogs<'a> {
    pub references: &'a [String],
    /// The directory to which relative paths in the references refer.
    pub directory: &'a Path,
}

/// The catalogs of a recording, each once: first those of the files in build order, then those of
/// the user.
pub fn catalogs_of(
    trace: &Trace,
    compositions: &[CompositionResult],
    given: UserCatalogs<'_>,
    ports: CatalogPorts<'_>,
    trust: &Trust,
) -> Vec<ReviewedCatalog> {
    let files = ports.files;
    let all = listed_catalogs(trace, compositions, given, files);
    let mut cache = CatalogCache::default();
    let (system, processor) = ports.artifacts.platform();
    let platform = format!("{system}/{processor}");
    let mut reviewed: Vec<(String, ReviewedCatalog)> = Vec::new();
    let mut searches: IndexMap<usize, Vec<usize>> = IndexMap::new();
    for NamedCatalog { written, directory, place, search } in all {
        let reference = Reference::parse(&written, &directory)
            .map_err(|error| error.to_string())
            .and_then(|found| found.resolved(files).map_err(|error| error.to_string()));
        let key = reference.as_ref().map_or_else(|_| written.clone(), Reference::normalised);
        let known = reviewed.iter().position(|(other, _)| *other == key);
        if place.is_some() {
            searches.entry(search).or_default().push(known.unwrap_or(reviewed.len()));
        }
        if let Some((_, known)) = known.and_then(|at| reviewed.get_mut(at)) {
            known.given_as.extend(place.is_none().then_some(written));
            known.listed_at.extend(place.filter(|place| !known.listed_at.contains(place)));
            continue;
        }
        // The shown reference can be copied from the screen, and is therefore relative to the
        // working directory.
        let reference =
            reference.map(|found| Reference { written: found.seen_from(given.directory), ..found });
        let remote = reference.as_ref().ok().filter(|reference| reference.is_remote());
        let fetch = remote.cloned().map(Fetch::catalog);
        let result = reference.and_then(|reference| {
            let opened = cache.open(&reference, None, ports).map_err(|error| error.to_string())?;
            let view = CatalogView::new(&reference, &opened, trust, ports)
                .with_images(&reference, trust, ports);
            let inputs = function_inputs(trace, &view, "");
            Ok(Box::new(CatalogReview::new(view, trust, inputs)))
        });
        let given_as = place.is_none().then(|| written.clone()).into_iter().collect();
        let listed_at = place.into_iter().collect();
        reviewed.push((
            key,
            ReviewedCatalog {
                reference: written,
                listed_at,
                given_as,
                platform: platform.clone(),
                fetch,
                result,
            },
        ));
    }
    let mut reviewed: Vec<ReviewedCatalog> =
        reviewed.into_iter().map(|(_, reviewed)| reviewed).collect();
    for search in searches.values() {
        mark_shadowed_functions(&mut reviewed, search);
    }
    mark_used_functions(&mut reviewed, trace, compositions);
    reviewed
}

fn listed_catalogs(
    trace: &Trace,
    compositions: &[CompositionResult],
    given: UserCatalogs<'_>,
    files: &dyn Files,
) -> Vec<NamedCatalog> {
    let mut all = listed(trace, files);
    let composed = compositions.iter().filter_map(|composed| composed.result.as_ref().ok());
    for (search, composed) in (trace.layers.len()..).zip(composed) {
        for catalog in &composed.catalogs {
            let file = trace.sources.path(catalog.mark.source).unwrap_or(&composed.file).to_owned();
            let place = Some((file, catalog.mark.line));
            let written = catalog.resolved.clone();
            all.push(NamedCatalog { written, directory: "/".into(), place, search });
        }
    }
    all.extend(given.references.iter().map(|reference| NamedCatalog {
        written: reference.clone(),
        directory: given.directory.to_owned(),
        place: None,
        search: usize::MAX,
    }));
    all
}

fn listed(trace: &Trace, files: &dyn Files) -> Vec<NamedCatalog> {
    let mut all = Vec::new();
    for (search, layer) in trace.layers.iter().enumerate() {
        let Ok(bytes) = files.read(Path::new(&*layer.file)) else { continue };
        if !bytes.windows(9).any(|word| word == b"catalogs:") {
            continue;
        }
        let outline = Outline::parse(&bytes);
        let Some(field) = outline.field("catalogs").filter(|field| !field.disabled) else {
            continue;
        };
        for entry in field.entries.iter().filter(|entry| !entry.disabled) {
            all.push(NamedCatalog {
                written: entry.scalar.clone().unwrap_or_else(|| entry.text.clone()),
                directory: Path::new(&*layer.path).to_path_buf(),
                place: Some((layer.file.to_string(), entry.line)),
                search,
            });
        }
    }
    all
}

/// Marks functions that several catalogs of one search define: the first catalog wins.
fn mark_shadowed_functions(reviewed: &mut [ReviewedCatalog], search: &[usize]) {
    let found = |at: &usize| Some((*at, reviewed.get(*at)?.result.as_ref().ok()?.view.clone()));
    let mut read: Vec<usize> = search.to_vec();
    read.dedup();
    let (read, mut views): (Vec<usize>, Vec<CatalogView>) = read.iter().filter_map(found).unzip();
    mark_shadows(&mut views);
    for (at, view) in read.into_iter().zip(views) {
        if let Some(Ok(found)) = reviewed.get_mut(at).map(|reviewed| reviewed.result.as_mut()) {
            found.view = view;
        }
    }
}

fn mark_used_functions(
    reviewed: &mut [ReviewedCatalog],
    trace: &Trace,
    compositions: &[CompositionResult],
) {
    let of_steps = trace.steps.iter().filter_map(|step| {
        let file = trace.sources.path(step.mark.source).unwrap_or_default();
        Some((step.function.as_ref()?, format!("{file}:{}", step.mark.line)))
    });
    let composed = compositions.iter().filter_map(|composed| composed.result.as_ref().ok());
    let entries = composed.flat_map(|composed| &composed.entries);
    let entries = entries.filter(|entry| entry.runtime == Some(RuntimeKind::Catalog));
    let of_entries = entries
        .map(|entry| (&entry.id.gvk, format!("{}:{}", entry.origin.file, entry.origin.mark.line)));
    let uses: BTreeSet<(String, String)> = of_steps
        .chain(of_entries)
        .map(|(gvk, place)| (format!("{} {}", gvk.api_version(), gvk.kind), place))
        .collect();
    let named = reviewed.iter_mut().filter(|reviewed| !reviewed.listed_at.is_empty());
    for found in named.filter_map(|reviewed| reviewed.result.as_mut().ok()) {
        for (id, place) in &uses {
            found.view.add_use(id, place);
        }
    }
}
