//! `transformerOrder` (section A.7): a bijection between its items and the entries.

use crate::manifest::{Composition, OrderItem};
use crate::resource::nearest_name;
use crate::yaml::Mark;

use super::ConsolidatedEntry;
use super::failure::{Broken, phrase};
use super::imports::Source;

/// The entries in the order that the Composition gives, or as they are when it gives none.
pub(super) fn in_order(
    source: &Source<'_>,
    composition: &Composition,
    entries: Vec<ConsolidatedEntry>,
) -> Result<Vec<ConsolidatedEntry>, Broken> {
    let order = &composition.order;
    if order.is_empty() {
        return Ok(entries);
    }
    let placed = positions(order, &entries)
        .map_err(|(text, mark)| phrase(format!("failed to sort transformers: {text}"), mark))?;
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

/// The item of each entry, or what keeps the list from being an order.
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
        let unknown: Vec<String> = unknown.map(|item| format!("\"{item}\"")).collect();
        let text = format!(
            "transformer order list contains too many entries; unknown: {}",
            unknown.join(", ")
        );
        return Err((text, first));
    }
    let mut claims: Vec<Vec<usize>> = vec![Vec::new(); entries.len()];
    for (index, item) in order.iter().enumerate() {
        match matches(item).as_slice() {
            [] => return Err((no_match(index, item, entries), item.mark)),
            [entry] => claims.get_mut(*entry).into_iter().for_each(|claims| claims.push(index)),
            several => {
                let ids = several.iter().filter_map(|at| entries.get(*at));
                let ids: Vec<String> = ids.map(|entry| format!("\"{}\"", entry.id)).collect();
                let text = format!(
                    "transformerOrder[{index}]: multiple entries matched: {}; add kind or apiVersion",
                    ids.join(", ")
                );
                return Err((text, item.mark));
            }
        }
    }
    let pairs = || claims.iter().zip(entries);
    if let Some((_, entry)) = pairs().find(|(claims, _)| claims.len() > 1) {
        let text = format!(
            "unable to find position for transformer \"{}\": multiple entries matched",
            entry.id
        );
        return Err((text, first));
    }
    let missing = pairs().filter(|(claims, _)| claims.is_empty());
    let missing: Vec<String> = missing.map(|(_, entry)| format!("\"{}\"", entry.id)).collect();
    if !missing.is_empty() {
        let text = format!(
            "transformer order list contains too few entries; missing: {}",
            missing.join(", ")
        );
        return Err((text, first));
    }
    Ok(claims.into_iter().flatten().collect())
}

fn no_match(index: usize, item: &OrderItem, entries: &[ConsolidatedEntry]) -> String {
    let names = entries.iter().map(|entry| entry.id.name.as_str());
    let same = entries.iter().find(|entry| entry.id.name == item.name);
    let hint = match (same, nearest_name(&item.name, names)) {
        (Some(entry), _) => format!("; did you mean \"{}\"?", entry.id),
        (None, Some(near)) => format!("; did you mean \"{near}\"?"),
        (None, None) => String::new(),
    };
    format!("transformerOrder[{index}]: no match found for \"{item}\"{hint}")
}
