//! `transformerOrder` (section A.7): a bijection between its items and the entries.

use crate::diagnostic::{CompositionFault, FailedOperation};
use crate::manifest::OrderItem;
use crate::resource::nearest_name;
use crate::transform::TransformError;
use crate::yaml::Mark;

use super::ConsolidatedEntry;
use super::failure::CompositionAbort;
use super::imports::CompositionSource;

/// The entries in the order given by the Composition; unchanged if the Composition gives no order.
pub(super) fn in_order(
    source: &CompositionSource<'_>,
    entries: Vec<ConsolidatedEntry>,
) -> Result<Vec<ConsolidatedEntry>, CompositionAbort> {
    let order = &source.composition.order;
    if order.is_empty() {
        return Ok(entries);
    }
    let placed = positions(order, &entries).map_err(|(fault, mark)| {
        TransformError::fault(fault, mark).within(FailedOperation::Sorting)
    })?;
    let mut sorted: Vec<(usize, ConsolidatedEntry)> = placed.into_iter().zip(entries).collect();
    sorted.sort_by_key(|(position, _)| *position);
    let entries = sorted.into_iter().map(|(position, mut entry)| {
        entry.ordered_by = order
            .get(position)
            .map(|item| source.place("transformerOrder", position, item.mark, item.lines));
        entry
    });
    Ok(entries.collect())
}

/// For each entry, the index of its item in the list; or the reason why the list is no valid order.
fn positions(
    order: &[OrderItem],
    entries: &[ConsolidatedEntry],
) -> Result<Vec<usize>, (CompositionFault, Mark)> {
    let mut seen = indexmap::IndexSet::new();
    if let Some(item) = order.iter().find(|item| !seen.insert(item.to_string())) {
        return Err((CompositionFault::OrderRepeats(item.to_string()), item.mark));
    }
    let first = order.first().map(|item| item.mark).unwrap_or_default();
    let matches = |item: &OrderItem| -> Vec<usize> {
        let selected = entries.iter().enumerate().filter(|(_, entry)| item.selects(&entry.id));
        selected.map(|(index, _)| index).collect()
    };
    if order.len() > entries.len() {
        let unknown = order.iter().filter(|item| matches(item).is_empty());
        let unknown = unknown.map(ToString::to_string).collect();
        return Err((CompositionFault::OrderTooLong(unknown), first));
    }
    let mut claims: Vec<Vec<usize>> = vec![Vec::new(); entries.len()];
    for (index, item) in order.iter().enumerate() {
        match matches(item).as_slice() {
            [] => return Err((unmatched_item_fault(index, item, entries), item.mark)),
            [entry] => claims.get_mut(*entry).into_iter().for_each(|claims| claims.push(index)),
            several => {
                let ids = several.iter().filter_map(|at| entries.get(*at));
                let ids = ids.map(|entry| entry.id.to_string()).collect();
                return Err((CompositionFault::OrderAmbiguous { index, ids }, item.mark));
            }
        }
    }
    let pairs = || claims.iter().zip(entries);
    if let Some((_, entry)) = pairs().find(|(claims, _)| claims.len() > 1) {
        return Err((CompositionFault::SeveralPositions(entry.id.to_string()), first));
    }
    let missing = pairs().filter(|(claims, _)| claims.is_empty());
    let missing: Vec<String> = missing.map(|(_, entry)| entry.id.to_string()).collect();
    if !missing.is_empty() {
        return Err((CompositionFault::OrderTooShort(missing), first));
    }
    Ok(claims.into_iter().flatten().collect())
}

fn unmatched_item_fault(
    index: usize,
    item: &OrderItem,
    entries: &[ConsolidatedEntry],
) -> CompositionFault {
    let names = entries.iter().map(|entry| entry.id.name.as_str());
    let same = entries.iter().find(|entry| entry.id.name == item.name);
    let near = match (same, nearest_name(&item.name, names)) {
        (Some(entry), _) => Some(entry.id.to_string()),
        (None, near) => near.map(ToString::to_string),
    };
    CompositionFault::OrderUnknown { index, item: item.to_string(), near }
}
