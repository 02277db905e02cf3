//! Output order (sections 4.15 and 6.5).

use std::cmp::Ordering;

use indexmap::IndexMap;

use crate::engine::manifest::{ORDER_FIRST, ORDER_LAST, SortOptions, rank_in};
use crate::engine::resource::{ResId, ResMap, ResMapError, Slot};
use crate::engine::yaml::Mark;

use super::{Context, TransformError, Transformer};

/// Puts the resources in output order.
#[derive(Clone, Debug)]
pub struct SortOrderTransformer {
    /// `None` for fifo.
    ranks: Option<Ranks>,
}

/// Kinds that come first and kinds that come last.
#[derive(Clone, Debug)]
struct Ranks {
    first: Vec<String>,
    last: Vec<String>,
}

impl SortOrderTransformer {
    /// Resources stay in accumulation order.
    pub fn fifo() -> Self {
        Self { ranks: None }
    }

    /// Kustomize's default order.
    pub fn legacy() -> Self {
        let owned = |kinds: &[&str]| kinds.iter().map(|kind| (*kind).to_owned()).collect();
        Self { ranks: Some(Ranks { first: owned(&ORDER_FIRST), last: owned(&ORDER_LAST) }) }
    }

    /// As `sortOptions` say.
    ///
    /// # Errors
    /// Kustomize's phrases for a word that is no order, and for lists that do not go with the order.
    pub fn from_options(options: &SortOptions, mark: Mark) -> Result<Self, TransformError> {
        match (&*options.order, &options.legacy) {
            ("legacy", None) => Ok(Self::legacy()),
            ("legacy", Some(lists)) => {
                let (first, last) = (lists.order_first.clone(), lists.order_last.clone());
                Ok(Self { ranks: Some(Ranks { first, last }) })
            }
            ("fifo", None) => Ok(Self::fifo()),
            ("fifo", Some(_)) => Err(TransformError::phrase(
                "the field 'sortOptions.legacySortOptions' is set but the selected sort order is 'fifo', not \
                 'legacy'",
                mark,
            )),
            _ => Err(TransformError::phrase(
                "the field 'sortOptions.order' must be one of [fifo, legacy]",
                mark,
            )),
        }
    }
}

impl Transformer for SortOrderTransformer {
    fn transform(
        &self,
        resources: &mut ResMap,
        cx: &mut Context<'_>,
    ) -> Result<(), TransformError> {
        let Some(ranks) = &self.ranks else { return Ok(()) };
        let mut keys: Vec<SortKey> = resources
            .iter()
            .map(|(slot, resource)| SortKey::new(slot, &resource.id, ranks))
            .collect();
        keys.sort_by(SortKey::compare);
        cx.matched = keys.len();
        check_unique(resources, &keys)?;
        let order: Vec<Slot> = keys.iter().map(|key| key.slot).collect();
        resources.reorder(&order);
        Ok(())
    }
}

/// Kustomize appends everything to an empty map here, which finds ids that clash since the last check.
fn check_unique(resources: &ResMap, keys: &[SortKey]) -> Result<(), TransformError> {
    if !resources.has_twins() {
        return Ok(());
    }
    let mut seen: IndexMap<ResId, Slot> = IndexMap::with_capacity(keys.len());
    for key in keys {
        let Some(resource) = resources.get(key.slot) else { continue };
        let id = &resource.id;
        let effective = ResId { namespace: id.effective_namespace().into(), ..id.clone() };
        if let Some(existing) = seen.insert(effective, key.slot) {
            return Err(ResMapError::Duplicate { id: id.clone(), existing }.into());
        }
    }
    Ok(())
}

struct SortKey {
    slot: Slot,
    rank: i32,
    gvk: String,
    is_namespace: bool,
    is_core: bool,
    name: String,
}

impl SortKey {
    fn new(slot: Slot, id: &ResId, ranks: &Ranks) -> Self {
        let or = |part: &str, empty: &'static str| {
            if part.is_empty() { empty.to_owned() } else { part.to_owned() }
        };
        Self {
            slot,
            rank: rank_in(&id.gvk.kind, &ranks.first, &ranks.last),
            gvk: id.gvk.sort_text(),
            is_namespace: &*id.gvk.kind == "Namespace",
            is_core: id.gvk.group.is_empty(),
            name: format!("{}|{}", or(&id.namespace, "~X"), or(&id.name, "~N")),
        }
    }

    fn compare(&self, other: &Self) -> Ordering {
        let by_gvk = self.gvk.cmp(&other.gvk);
        let core_first = self.is_namespace && other.is_namespace && (self.is_core || other.is_core);
        self.rank
            .cmp(&other.rank)
            .then(if core_first { by_gvk.reverse() } else { by_gvk })
            .then_with(|| self.name.cmp(&other.name))
    }
}
