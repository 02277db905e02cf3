//! `transformerOrder` (section A.7): a bijection between its items and the entries.

use crate::diagnostic::{FailedOperation, Fault};
use crate::manifest::OrderItem;
use crate::resource::nearest_name;
use crate::transform::TransformError;
use crate::yaml::Mark;

use super::ConsolidatedEntry;
use super::failure::CompositionAbort;
use super::imports::CompositionSource;

pub(super) fn in_order(
    source: &CompositionSource<'_>,
    entries: Vec<ConsolidatedEntry>,
) -> Result<Vec<ConsolidatedEntry>, CompositionAbort> {
    let order = &source.composition.order;
    if order.is_empty() {
        return Ok(entries);
    }
    let placed = positions(order, &entries).map_err(|(fault, mark)| {
        TransformError::fault(Fault::Composition(fault), mark).within(FailedOperation::Sorting)
    })?;
    let mut sorted: Vec<(usize, ConsolidatedEntry)> = placed.into_iter().zip(entries).collect();
    sorted.sort_by_key(|(position, _)| *position);
    let entries = sorted.into_iter().map(|(position, mut entry)| {
        entry.ordered_by =
            order.get(position).map(|item| source.place("transformerOrder", position, item.mark));
        entry
    });
    Ok(entries.collect())
}

/// For each entry, the index of its item in the list; or the reason why the list is no valid order.
fn positions(
    order: &[OrderItem],
    entries: &[ConsolidatedEntry],
) -> Result<Vec<usize>, (String, Mark)> {
    let mut seen = indexmap::IndexSet::new();
    if let Some(item) = order.iter().find(|item| !seen.insert(item.to_string())) {
        return Err((format!("list contains multiple \"{item}\" transformers"), item.mark));
    }
    let first = order.first().map(|item| item.mark).unwrap_or_default();
    let matches = |item: &OrderItem| -> Vec<usize> {
        let selected = entries.iter().enumerate().filter(|(_, entry)| item.selects(&entry.id));
        selected.map(|(index, _)| index).collect()
    };
    if order.len() > entries.len() {
        let unknown = order.iter().filter(|item| matches(item).is_empty());
        let fault = "transformer order list contains too many entries; unknown";
        return Err((format!("{fault}: {}", quoted(unknown)), first));
    }
    let mut claims: Vec<Vec<usize>> = vec![Vec::new(); entries.len()];
    for (index, item) in order.iter().enumerate() {
        match matches(item).as_slice() {
            [] => return Err((unmatched_item_fault(index, item, entries), item.mark)),
            [entry] => claims.get_mut(*entry).into_iter().for_each(|claims| claims.push(index)),
            several => {
                let ids = several.iter().filter_map(|at| entries.get(*at));
                let ids = quoted(ids.map(|entry| &entry.id));
                let fault = format!(
                    "transformerOrder[{index}]: multiple entries matched: {ids}; add kind or apiVersion"
                );
                return Err((fault, item.mark));
            }
        }
    }
    let pairs = || claims.iter().zip(entries);
    if let Some((_, entry)) = pairs().find(|(claims, _)| claims.len() > 1) {
        let fault = format!(
            "unable to find position for transformer \"{}\": multiple entries matched",
            entry.id
        );
        return Err((fault, first));
    }
    let missing = pairs().filter(|(claims, _)| claims.is_empty());
    let missing = quoted(missing.map(|(_, entry)| &entry.id));
    if !missing.is_empty() {
        let fault = "transformer order list contains too few entries; missing";
        return Err((format!("{fault}: {missing}"), first));
    }
    Ok(claims.into_iter().flatten().collect())
}

fn quoted<T: std::fmt::Display>(names: impl Iterator<Item = T>) -> String {
    names.map(|name| format!("\"{name}\"")).collect::<Vec<_>>().join(", ")
}

fn unmatched_item_fault(index: usize, item: &OrderItem, entries: &[ConsolidatedEntry]) -> String {
    let names = entries.iter().map(|entry| entry.id.name.as_str());
    let same = entries.iter().find(|entry| entry.id.name == item.name);
    let near = match (same, nearest_name(&item.name, names)) {
        (Some(entry), _) => Some(entry.id.to_string()),
        (None, near) => near.map(ToString::to_string),
    };
    let near = near.map(|near| format!("; did you mean \"{near}\"?")).unwrap_or_default();
    format!("transformerOrder[{index}]: no match found for \"{item}\"{near}")
}
