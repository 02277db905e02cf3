//! A cache of printable resources, from the previous evaluation.

use std::sync::{Arc, Weak};

use indexmap::IndexMap;

use crate::resource::Resource;
use crate::yaml::{YamlError, append_document, check_document};

/// The resources that an evaluation was able to print, so that the next one does not check them.
#[derive(Clone, Debug, Default)]
pub(super) struct PrintableResources {
    /// Keyed by address; the weak reference keeps the address from being reused.
    resources: IndexMap<usize, Weak<Resource>>,
    pub(super) prints: bool,
    pub(super) text: Option<String>,
}

impl PrintableResources {
    /// The first resource that cannot be printed, and the reason.
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
            match append_document(&resource.node, text) {
                Ok(longer) => text = longer,
                Err(error) => return Some((resource.clone(), error)),
            }
        }
        self.text = Some(text);
        None
    }
}
