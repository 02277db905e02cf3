//! Which resources can be printed, as far as an evaluation before this one looked.

use std::sync::{Arc, Weak};

use indexmap::IndexMap;

use crate::resource::Resource;
use crate::yaml::{YamlError, check_document, print_document_behind};

/// The resources of an evaluation that can be printed: in the next one the same need no second look.
#[derive(Clone, Debug, Default)]
pub(super) struct Printable {
    /// Keyed by address; the weak reference keeps the address from being reused.
    resources: IndexMap<usize, Weak<Resource>>,
    /// They are printed to see whether they can be.
    pub(super) prints: bool,
    pub(super) text: Option<String>,
}

impl Printable {
    /// The first that cannot be printed, with why.
    pub(super) fn first_refused(
        &mut self,
        resources: &[Arc<Resource>],
    ) -> Option<(Arc<Resource>, YamlError)> {
        if self.prints {
            return self.print(resources);
        }
        let address = |resource: &Arc<Resource>| Arc::as_ptr(resource).addr();
        let mut unseen = resources.iter().filter(|it| !self.resources.contains_key(&address(it)));
        let refused = unseen.find_map(|it| Some((it.clone(), check_document(&it.node).err()?)));
        if refused.is_none() {
            self.resources = resources.iter().map(|it| (address(it), Arc::downgrade(it))).collect();
        }
        refused
    }

    fn print(&mut self, resources: &[Arc<Resource>]) -> Option<(Arc<Resource>, YamlError)> {
        let mut text = String::new();
        for resource in resources {
            match print_document_behind(&resource.node, text) {
                Ok(longer) => text = longer,
                Err(error) => return Some((resource.clone(), error)),
            }
        }
        self.text = Some(text);
        None
    }
}
