//! Output order (sections 4.15 and 6.5).

use std::cmp::Ordering;
use std::sync::Arc;

use crate::diagnostic::ResourceFault;
use crate::manifest::{LegacySortOptions, ORDER_FIRST, ORDER_LAST, SortOptions, rank_in};
use crate::profile::Switch;
use crate::resource::{Gvk, QuickMap, ResId, ResMap, Slot, or};
use crate::yaml::Mark;

use super::{Context, TransformError, TransformResult, Transformer};

/// Puts the resources in output order.
#[derive(Clone, Debug)]
pub struct SortOrderTransformer {
    /// `None` to keep the order of accumulation (`fifo`).
    ranks: Option<LegacySortOptions>,
}

impl SortOrderTransformer {
    /// Creates the transformer that keeps the order in which the resources were accumulated.
    pub fn fifo() -> Self {
        Self { ranks: None }
    }

    /// Creates the transformer for Kustomize's default order, by kind.
    pub fn legacy() -> Self {
        let owned = |kinds: &[&str]| kinds.iter().map(|kind| (*kind).to_owned()).collect();
        Self {
            ranks: Some(LegacySortOptions {
                order_first: owned(&ORDER_FIRST),
                order_last: owned(&ORDER_LAST),
            }),
        }
    }

    /// Creates the transformer for the order in `sortOptions`.
    ///
    /// # Errors
    /// Kustomize's messages for an unknown order, and for lists that the order does not allow.
    pub fn from_options(options: &SortOptions, mark: Mark) -> Result<Self, TransformError> {
        match (&*options.order, &options.legacy) {
            ("legacy", None) => Ok(Self::legacy()),
            ("legacy", Some(lists)) => Ok(Self { ranks: Some(lists.clone()) }),
            ("fifo", None) => Ok(Self::fifo()),
            ("fifo", Some(_)) => {
                Err(TransformError::fault(ResourceFault::LegacyOptionsOfFifo, mark))
            }
            _ => Err(TransformError::fault(ResourceFault::UnknownOrder, mark)),
        }
    }
}

impl Transformer for SortOrderTransformer {
    fn transform(&self, resources: &mut ResMap, cx: &mut Context<'_>) -> TransformResult {
        let Some(ranks) = &self.ranks else { return Ok(()) };
        // Rank and text of each type.
        let mut types: QuickMap<Gvk, (i32, Arc<str>)> = QuickMap::default();
        let keys = resources.iter().map(|(slot, resource)| {
            let gvk = &resource.id.gvk;
            let known = types.get(gvk).cloned();
            let known = known.unwrap_or_else(|| {
                types.entry(gvk.clone()).or_insert_with(|| type_key(gvk, ranks)).clone()
            });
            SortKey::new(slot, &resource.id, known)
        });
        let mut keys: Vec<SortKey<'_>> = keys.collect();
        if cx.profile.has(Switch::NamespacesByName) {
            keys.sort_by(SortKey::compare_in_general);
        } else {
            sort(&mut keys);
        }
        cx.matched = keys.len();
        let order: Vec<Slot> = keys.iter().map(|key| key.slot).collect();
        resources.reorder(&order);
        // Ids may clash since the last check: Kustomize appends all resources to an empty map.
        Ok(resources.check_unique_ids()?)
    }
}

/// Sorts as Kustomize does. If `sortOptions` give the kind Namespace no rank, Kustomize's rule for
/// Namespaces with and without a group can contradict the general order; then only the general
/// order is used.
fn sort(keys: &mut [SortKey<'_>]) {
    if has_cycles(keys) {
        keys.sort_by(SortKey::compare_in_general);
    } else {
        keys.sort_by(SortKey::compare);
    }
}

/// True if a type sorts between a Namespace with a group and a Namespace without: both rules
/// together are then no order.
fn has_cycles(keys: &[SortKey<'_>]) -> bool {
    let namespaces =
        |is_core: bool| keys.iter().filter(move |key| key.is_namespace && key.is_core == is_core);
    let of_groups = namespaces(false).min_by_key(|key| &key.gvk);
    let of_none = namespaces(true).max_by_key(|key| &key.gvk);
    let Some((of_groups, of_none)) = of_groups.zip(of_none) else { return false };
    let goes_between = |key: &SortKey<'_>| {
        key.rank == of_none.rank && key.gvk > of_groups.gvk && key.gvk < of_none.gvk
    };
    keys.iter().any(|key| !key.is_namespace && goes_between(key))
        || namespaces(false).any(|key| key.gvk > of_none.gvk)
}

/// The part of a sort key that depends only on the type: rank and text.
fn type_key(gvk: &Gvk, ranks: &LegacySortOptions) -> (i32, Arc<str>) {
    (rank_in(&gvk.kind, &ranks.order_first, &ranks.order_last), gvk.sort_text().into())
}

struct SortKey<'r> {
    slot: Slot,
    rank: i32,
    gvk: Arc<str>,
    is_namespace: bool,
    is_core: bool,
    namespace: &'r str,
    name: &'r str,
}

impl<'r> SortKey<'r> {
    fn new(slot: Slot, id: &'r ResId, (rank, text): (i32, Arc<str>)) -> Self {
        Self {
            slot,
            rank,
            gvk: text,
            is_namespace: &*id.gvk.kind == "Namespace",
            is_core: id.gvk.group.is_empty(),
            namespace: or(&id.namespace, "~X"),
            name: or(&id.name, "~N"),
        }
    }

    fn compare(&self, other: &Self) -> Ordering {
        let core_first = self.is_namespace && other.is_namespace && (self.is_core || other.is_core);
        if core_first && self.rank == other.rank && self.gvk != other.gvk {
            return other.gvk.cmp(&self.gvk);
        }
        self.compare_in_general(other)
    }

    /// Compares by rank, then type, then namespace and name.
    fn compare_in_general(&self, other: &Self) -> Ordering {
        let is_same_type = Arc::ptr_eq(&self.gvk, &other.gvk);
        let by_type = || if is_same_type { Ordering::Equal } else { self.gvk.cmp(&other.gvk) };
        let by_rank = self.rank.cmp(&other.rank);
        by_rank.then_with(by_type).then_with(|| self.compare_names(other))
    }

    /// Compares `namespace|name` as one text, as Kustomize does.
    fn compare_names(&self, other: &Self) -> Ordering {
        // One step often sets the namespace of many resources, so that they share one text.
        if std::ptr::eq(self.namespace, other.namespace) || self.namespace == other.namespace {
            return self.name.cmp(other.name);
        }
        self.namespaced_name_bytes().cmp(other.namespaced_name_bytes())
    }

    fn namespaced_name_bytes(&self) -> impl Iterator<Item = u8> + 'r {
        [self.namespace, "|", self.name].into_iter().flat_map(str::bytes)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn id(number: u32, version: &str, group: &str, kind: &str) -> ResId {
        let gvk = Gvk { group: group.into(), version: version.into(), kind: kind.into() };
        ResId { gvk, name: format!("n{number}").into(), ..ResId::default() }
    }

    fn key(slot: u32, id: &ResId) -> SortKey<'_> {
        let known = type_key(&id.gvk, &LegacySortOptions::default());
        SortKey::new(Slot(slot), id, known)
    }

    /// Only checks that the sort does not panic: the comparison is not a total order here.
    #[test]
    fn unordered_namespaces_sort_without_panic() {
        let kinds = [("", "Namespace"), ("a.com", "Namespace"), ("m.com", "Foo")];
        for seed in 0..200_u32 {
            let pick = |n: u32| (n + seed * 1000).wrapping_mul(2_654_435_761) >> 16;
            let ids: Vec<ResId> = (0..33 + seed)
                .map(|n| {
                    let (group, kind) = kinds[pick(n) as usize % kinds.len()];
                    id(n, "v1", group, kind)
                })
                .collect();
            let mut keys: Vec<SortKey<'_>> = (0..).zip(&ids).map(|(n, id)| key(n, id)).collect();
            sort(&mut keys);
            let mut slots: Vec<Slot> = keys.iter().map(|key| key.slot).collect();
            slots.sort_unstable();
            assert_eq!(slots, (0..33 + seed).map(Slot).collect::<Vec<_>>());
        }
    }
}
