//! What was seen in a resource, kept from one build to the next for as long as it is the very same one.

use std::sync::Arc;

use crate::engine::evaluate::Leaves;
use crate::engine::resource::{QuickMap, Resource};
use crate::engine::yaml::Node;

/// What the rules saw in the resources of earlier builds, and what those were.
#[derive(Debug, Default)]
pub struct Looked {
    /// By the address of the resource, which is held and so stays the address of nothing else.
    resources: QuickMap<usize, Seen>,
    /// How much steps wrote.
    pub leaves: Leaves,
    generation: u64,
}

/// What was seen in one resource.
#[derive(Debug)]
struct Seen {
    resource: Arc<Resource>,
    generation: u64,
    has_dollar: bool,
    has_address: bool,
    /// It has fields that its type does not know; nothing when nobody asked.
    has_unknown: Option<bool>,
}

impl Looked {
    fn seen(&mut self, resource: &Arc<Resource>) -> &mut Seen {
        let generation = self.generation;
        let seen = self.resources.entry(Arc::as_ptr(resource) as usize).or_insert_with(|| {
            let (mut has_dollar, mut has_address) = (false, false);
            each_text(&resource.node, &mut |text| {
                has_dollar |= text.as_bytes().contains(&b'$');
                has_address |= text.contains(".svc");
            });
            let resource = resource.clone();
            Seen { resource, generation, has_dollar, has_address, has_unknown: None }
        });
        seen.generation = generation;
        seen
    }

    /// True when some text in it has a dollar sign.
    pub(super) fn has_dollar(&mut self, resource: &Arc<Resource>) -> bool {
        self.seen(resource).has_dollar
    }

    /// True when some text in it may be the address of a Service.
    pub(super) fn has_address(&mut self, resource: &Arc<Resource>) -> bool {
        self.seen(resource).has_address
    }

    /// True when it has fields that its type does not know; looked for at most once.
    pub(super) fn has_unknown(
        &mut self,
        resource: &Arc<Resource>,
        look: impl FnOnce(&Resource) -> bool,
    ) -> bool {
        let seen = self.seen(resource);
        *seen.has_unknown.get_or_insert_with(|| look(&seen.resource))
    }

    /// A build was looked at: what it does not have, and the one before did not have, is forgotten.
    pub(super) fn end(&mut self) {
        let generation = self.generation;
        self.resources.retain(|_, seen| seen.generation + 1 >= generation);
        self.generation += 1;
    }
}

/// Goes over every text among the values of a tree.
fn each_text(node: &Node, visit: &mut impl FnMut(&str)) {
    if let Some(text) = node.text() {
        visit(text);
    }
    for item in node.items().unwrap_or_default() {
        each_text(item, visit);
    }
    for entry in node.entries() {
        each_text(&entry.value, visit);
    }
}
