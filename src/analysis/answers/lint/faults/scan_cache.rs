//! Lint facts for each resource, cached by `Arc` identity from one build to the next.

use std::sync::Arc;

use crate::engine::evaluate::WrittenValueCounts;
use crate::engine::resource::{QuickMap, Resource};
use crate::engine::yaml::Node;

#[derive(Debug, Default)]
pub struct ResourceScanCache {
    /// Scans by the memory address of the resource. Each scan keeps its resource alive, so that the
    /// address is not reused.
    resources: QuickMap<usize, ResourceScan>,
    pub leaves: WrittenValueCounts,
    generation: u64,
}

#[derive(Debug)]
pub(super) struct ResourceScan {
    resource: Arc<Resource>,
    generation: u64,
    pub(super) has_dollar: bool,
    /// True if a text in the resource may be the address of a Service.
    pub(super) has_address: bool,
    /// True if the resource has faults by the schema of its type; `None` before the first scan.
    has_faults: Option<bool>,
}

impl ResourceScanCache {
    /// The facts about a resource; scans the resource on the first request.
    pub(super) fn scan(&mut self, resource: &Arc<Resource>) -> &mut ResourceScan {
        let generation = self.generation;
        let seen = self.resources.entry(Arc::as_ptr(resource) as usize).or_insert_with(|| {
            let (mut has_dollar, mut has_address) = (false, false);
            for text in resource.node.nodes().filter_map(Node::text) {
                has_dollar |= text.as_bytes().contains(&b'$');
                has_address |= text.contains(".svc");
            }
            let resource = resource.clone();
            ResourceScan { resource, generation, has_dollar, has_address, has_faults: None }
        });
        seen.generation = generation;
        seen
    }

    /// True if the schema of its type refuses a part of the resource. Calls `scan` at most once for
    /// each resource.
    pub(super) fn has_type_faults(
        &mut self,
        resource: &Arc<Resource>,
        scan: impl FnOnce(&Resource) -> bool,
    ) -> bool {
        let seen = self.scan(resource);
        *seen.has_faults.get_or_insert_with(|| scan(&seen.resource))
    }

    /// Drops the scans of resources that are neither in this build nor in the previous one.
    pub(super) fn end_build(&mut self) {
        let generation = self.generation;
        self.resources.retain(|_, seen| seen.generation + 1 >= generation);
        self.generation += 1;
    }
}
