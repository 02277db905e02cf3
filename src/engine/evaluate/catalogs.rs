//! What a build knows of catalogs (KEP-2906; B.3 to B.5 of the functions reference).

use indexmap::IndexMap;

use crate::load::Reference;
use crate::plugin::{CatalogCache, ListedCatalog};

use super::LayerId;

/// What an evaluation knows of catalogs.
#[derive(Debug, Default)]
pub(super) struct Catalogs {
    pub(super) cache: CatalogCache,
    /// The lists of the layers, for what a message says about the layer above.
    pub(super) layers: IndexMap<LayerId, Vec<ListedCatalog>>,
    /// Everything that is referenced, whether it is needed or not (D-B9).
    pub(super) referenced: Vec<Reference>,
}

impl Catalogs {
    /// Takes away what is referenced so far, so that it can be told what is referenced from now on.
    pub(super) fn take_referenced(&mut self) -> Vec<Reference> {
        std::mem::take(&mut self.referenced)
    }

    /// References these as well.
    pub(super) fn reference(&mut self, references: &[Reference]) {
        for reference in references {
            if !self.referenced.contains(reference) {
                self.referenced.push(reference.clone());
            }
        }
    }
}
