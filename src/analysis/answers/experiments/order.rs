//! Order of entries: swaps neighbours in the lists of a target's kustomization files, and compares
//! the outputs.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::variants::{VariantBuilder, VariantError, VariantResult, output_differences};
use crate::answers::report::{DifferenceReport, OrderedEntry, SwapWord};
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

/// Two consecutive entries of a list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Neighbours {
    pub file: PathBuf,
    pub field: String,
    pub first: OrderedEntry,
    pub second: OrderedEntry,
}

/// The effect of swapping two entries on the build.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SwapResult {
    pub swapped: SwapWord,
    pub failure: Option<VariantError>,
    /// The reason why the effect is not known.
    pub unknown: Option<String>,
    pub fields: Vec<DifferenceReport>,
}

impl SwapResult {
    fn new(swapped: SwapWord) -> Self {
        Self { swapped, failure: None, unknown: None, fields: Vec::new() }
    }

    fn unknown(why: String) -> Self {
        Self { unknown: Some(why), ..Self::new(SwapWord::Unknown) }
    }
}

/// The pairs of consecutive entries of a target, each with the result of swapping the two.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NeighbourOrder {
    /// The pairs with their results, in the order of the layers.
    pub pairs: Vec<(Neighbours, SwapResult)>,
    pub failure: Option<VariantError>,
    pub builds: usize,
}

/// Swaps each pair of neighbours, at most `most` of them, and builds each time. If the builds are
/// cancelled, the result has only the pairs that were built before.
///
/// # Errors
/// A step of the target is pending, so that the results are not known.
pub fn order(
    variants: &VariantBuilder,
    secrets: &mut Secrets,
    most: usize,
) -> Result<NeighbourOrder, String> {
    let files = variants.files().clone();
    let (trace, now) = variants.build(files.clone(), &mut BuildCache::default());
    let failure = match &now {
        VariantResult::Unknown(why) => return Err(why.clone()),
        VariantResult::Cancelled => return Err("cancelled".to_owned()),
        VariantResult::Builds(_) => None,
        VariantResult::Fails(failure) => Some(failure.clone()),
    };
    let all = find_neighbours(&trace, &*files);
    let (tried, untried) = all.split_at(all.len().min(most));
    secrets.learn(&trace);
    let draft = |pair: &Neighbours| Ok(swap_entries(pair, &files)?.files(files.clone()));
    let swapped = variants.build_all(tried, draft, secrets);
    let is_built = |built: &VariantResult| !matches!(built, VariantResult::Cancelled);
    let built = tried.iter().cloned().zip(swapped).filter(|(_, built)| is_built(built));
    let mut pairs: Vec<(Neighbours, SwapResult)> =
        built.map(|(pair, built)| (pair, swap_result(&now, built, secrets))).collect();
    let builds = pairs.len() + 1;
    if !variants.is_cancelled() {
        let why = format!("not tried: more than {most} pairs (--most-trials)");
        pairs.extend(untried.iter().map(|pair| (pair.clone(), SwapResult::unknown(why.clone()))));
    }
    Ok(NeighbourOrder { pairs, failure, builds })
}

fn swap_result(now: &VariantResult, swapped: VariantResult, secrets: &Secrets) -> SwapResult {
    match (now, swapped) {
        (_, VariantResult::Unknown(why)) => SwapResult::unknown(why),
        (VariantResult::Builds(before), VariantResult::Builds(after)) => {
            let fields = output_differences(before, &after, secrets);
            let word = if fields.is_empty() { SwapWord::Same } else { SwapWord::Differs };
            SwapResult { fields, ..SwapResult::new(word) }
        }
        (VariantResult::Builds(_), VariantResult::Fails(failure)) => {
            SwapResult { failure: Some(failure), ..SwapResult::new(SwapWord::Fails) }
        }
        (VariantResult::Fails(_), VariantResult::Builds(_)) => SwapResult::new(SwapWord::Mends),
        (VariantResult::Fails(_), VariantResult::Fails(_)) => {
            SwapResult::unknown("the build fails either way".to_owned())
        }
        (VariantResult::Unknown(_) | VariantResult::Cancelled, _)
        | (_, VariantResult::Cancelled) => SwapResult::unknown("cancelled".to_owned()),
    }
}

/// A draft of the files with two entries swapped.
pub fn swap_entries(pair: &Neighbours, files: &Arc<dyn Files>) -> Result<Draft, String> {
    let (from, to) = (pair.first.index, pair.second.index);
    let by = isize::try_from(to - from).map_err(|error| error.to_string())?;
    let mut draft = Draft::default();
    let entry = |index| EntryRef { file: pair.file.clone(), field: pair.field.clone(), index };
    let mut apply = |edit: Edit| draft.apply(&edit, &**files).map_err(|error| error.to_string());
    apply(Edit::MoveEntry { entry: entry(from), by })?;
    // The second entry has moved up by one; commented entries between the two entries stay between
    // them.
    if by > 1 {
        apply(Edit::MoveEntry { entry: entry(to - 1), by: 1 - by })?;
    }
    Ok(draft)
}

/// The pairs of neighbours in the lists of a target's own files; files of clones are left out,
/// because they cannot be edited.
fn find_neighbours(trace: &Trace, files: &dyn Files) -> Vec<Neighbours> {
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
            found.extend(entries.windows(2).map(|pair| Neighbours {
                file: PathBuf::from(&*layer.file),
                field: field.to_owned(),
                first: pair[0].clone(),
                second: pair[1].clone(),
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
