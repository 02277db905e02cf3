//! Order of entries: swaps neighbours in the lists of a target's kustomization files, and compares
//! the outputs.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::variants::{VariantBuilder, VariantResult, output_differences};
use crate::answers::compare::{ChangeKind, FieldChange, ResourcePair};
use crate::answers::provenance::blame::value_text;
use crate::answers::relative;
use crate::answers::report::{DifferenceReport, OrderPair, OrderReport, OrderedEntry, SwapWord};
use crate::answers::secrets::Secrets;
use crate::draft::{Draft, Edit, EntryRef};
use crate::engine::evaluate::{BuildCache, Trace};
use crate::engine::load::Files;
use crate::engine::manifest::Outline;

/// Lists with entries that are applied in order.
const ORDERED_LISTS: [&str; 15] = [
    "resources",
    "components",
    "configMapGenerator",
    "secretGenerator",
    "helmCharts",
    "generators",
    "transformers",
    "patches",
    "patchesStrategicMerge",
    "patchesJson6902",
    "replacements",
    "images",
    "replicas",
    "labels",
    "vars",
];

/// Swaps each pair of neighbours, at most `most` of them, and builds each time. If the builds are
/// cancelled, the document has only the pairs that were built before. `target` is the displayed name
/// of the target, `folder` its directory.
///
/// # Errors
/// A step of the target is pending, so that the results are not known.
pub fn order(
    variants: &VariantBuilder,
    (target, folder): (&str, &Path),
    secrets: &mut Secrets,
    most: usize,
) -> Result<OrderReport, String> {
    let files = variants.files().clone();
    let (trace, now) = variants.build(files.clone(), &mut BuildCache::default());
    match &now {
        VariantResult::Unknown(why) => return Err(why.clone()),
        VariantResult::Cancelled => return Err("cancelled".to_owned()),
        VariantResult::Builds(_) | VariantResult::Fails(_) => {}
    }
    let mut tried = find_neighbours(&trace, &*files, folder);
    let untried = tried.split_off(tried.len().min(most));
    secrets.learn(&trace);
    let draft = |pair: &OrderPair| Ok(swap_entries(pair, &files)?.files(files.clone()));
    let swapped = variants.build_all(&tried, draft, secrets);
    let is_built = |built: &VariantResult| !matches!(built, VariantResult::Cancelled);
    let built = tried.into_iter().zip(swapped).filter(|(_, built)| is_built(built));
    let built = built.map(|(pair, built)| with_result(pair, &now, built, (folder, secrets)));
    let mut pairs: Vec<OrderPair> = built.collect();
    let builds = pairs.len() + 1;
    if !variants.is_cancelled() {
        let why = Some(format!("not tried: more than {most} pairs (--most-trials)"));
        pairs.extend(untried.into_iter().map(|pair| OrderPair { unknown: why.clone(), ..pair }));
    }
    for pair in &mut pairs {
        for entry in [&mut pair.first, &mut pair.second] {
            entry.text = secrets.mask_yaml(&entry.text);
        }
        pair.unknown = pair.unknown.as_ref().map(|why| secrets.text(why));
    }
    let failure = match &now {
        VariantResult::Fails(failure) => Some(failure.report(folder, secrets)),
        _ => None,
    };
    Ok(OrderReport { schema_version: 1, target: target.to_owned(), builds, failure, pairs })
}

fn with_result(
    mut pair: OrderPair,
    now: &VariantResult,
    swapped: VariantResult,
    (folder, secrets): (&Path, &Secrets),
) -> OrderPair {
    match (now, swapped) {
        (_, VariantResult::Unknown(why)) => pair.unknown = Some(why),
        (VariantResult::Builds(before), VariantResult::Builds(after)) => {
            let fields = output_differences(before, &after, secrets).into_iter();
            pair.fields = fields.map(|(resource, change)| difference(&resource, &change)).collect();
            pair.swapped = if pair.fields.is_empty() { SwapWord::Same } else { SwapWord::Differs };
        }
        (VariantResult::Builds(_), VariantResult::Fails(failure)) => {
            pair.failure = Some(failure.report(folder, secrets));
            pair.swapped = SwapWord::Fails;
        }
        (VariantResult::Fails(_), VariantResult::Builds(_)) => pair.swapped = SwapWord::Mends,
        (VariantResult::Fails(_), VariantResult::Fails(_)) => {
            pair.unknown = Some("the build fails either way".to_owned());
        }
        (VariantResult::Unknown(_) | VariantResult::Cancelled, _)
        | (_, VariantResult::Cancelled) => pair.unknown = Some("cancelled".to_owned()),
    }
    pair
}

fn difference(pair: &ResourcePair, change: &FieldChange) -> DifferenceReport {
    let named = pair.after.as_ref().or(pair.before.as_ref());
    DifferenceReport {
        resource: named.map_or_else(String::new, |it| format!("{}/{}", it.id.gvk.kind, it.id.name)),
        path: change.path.to_string(),
        listed: change.before.as_ref().map(value_text),
        swapped: change.after.as_ref().map(value_text),
        reordered: change.kind == ChangeKind::Reordered,
    }
}

/// A draft of the files with two entries swapped.
pub fn swap_entries(pair: &OrderPair, files: &Arc<dyn Files>) -> Result<Draft, String> {
    let (from, to) = (pair.first.index, pair.second.index);
    let by = isize::try_from(to - from).map_err(|error| error.to_string())?;
    let mut draft = Draft::default();
    let entry = |index| EntryRef { file: pair.path.clone(), field: pair.field.clone(), index };
    let mut apply = |edit: Edit| draft.apply(&edit, &**files);
    apply(Edit::MoveEntry { entry: entry(from), by })?;
    // The second entry has moved up by one; commented entries between the two entries stay between
    // them.
    if by > 1 {
        apply(Edit::MoveEntry { entry: entry(to - 1), by: 1 - by })?;
    }
    Ok(draft)
}

/// The pairs of neighbours in the lists of a target's own files, without results; files of clones are
/// left out, because they cannot be edited.
fn find_neighbours(trace: &Trace, files: &dyn Files, folder: &Path) -> Vec<OrderPair> {
    let mut seen: BTreeSet<&str> = BTreeSet::new();
    let mut found = Vec::new();
    let top = trace.layers.first().and_then(|layer| layer.checkout.as_ref());
    for layer in &trace.layers {
        let is_own = match (&layer.checkout, top) {
            (None, _) => true,
            (Some(one), Some(top)) => Arc::ptr_eq(one, top),
            (Some(_), None) => false,
        };
        if !is_own || !seen.insert(&layer.file) {
            continue;
        }
        let Ok(bytes) = files.read(Path::new(&*layer.file)) else { continue };
        let outline = Outline::parse(&bytes);
        for field in ORDERED_LISTS {
            let Some(list) = outline.field(field).filter(|list| !list.disabled) else { continue };
            let active = list.entries.iter().enumerate().filter(|(_, entry)| !entry.disabled);
            let entries = active.enumerate().map(|(number, (index, entry))| OrderedEntry {
                index,
                line: entry.line,
                text: entry.scalar.clone().unwrap_or_else(|| {
                    step_argument(trace, &layer.file, field, number)
                        .unwrap_or_else(|| entry.text.lines().next().unwrap_or_default().to_owned())
                }),
            });
            let entries: Vec<OrderedEntry> = entries.collect();
            found.extend(entries.windows(2).map(|pair| OrderPair {
                path: PathBuf::from(&*layer.file),
                file: relative(Path::new(&*layer.file), folder),
                field: field.to_owned(),
                first: pair[0].clone(),
                second: pair[1].clone(),
                swapped: SwapWord::Unknown,
                failure: None,
                unknown: None,
                fields: Vec::new(),
            }));
        }
    }
    found
}

fn step_argument(trace: &Trace, file: &str, field: &str, number: usize) -> Option<String> {
    let of_file = |step: &&crate::engine::evaluate::Step| {
        step.field == field
            && step.entry == Some(number)
            && trace.layer(step.layer).is_some_and(|layer| *layer.file == *file)
    };
    let step = trace.steps.iter().find(of_file)?;
    (!step.argument.is_empty()).then(|| step.argument.to_string())
}
