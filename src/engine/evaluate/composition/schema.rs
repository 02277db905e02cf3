//! The keys by which list elements are merged in an override: from the catalog that resolves the
//! entry (section A.6).

use std::path::{Path, PathBuf};

use indexmap::IndexMap;

use crate::diagnostic::{CompositionRemark, Diagnostic};
use crate::evaluate::catalogs::search_input;
use crate::load::{LoadedFile, Root, is_absolute};
use crate::manifest::{
    CanonicalConfig, EntryId, RuntimeKind, decode_composition, is_function, merges_object_lists,
    runtime_kind,
};
use crate::plugin::ListedCatalog;
use crate::resource::ResId;
use crate::yaml::Node;

use super::CatalogReference;
use super::gather::Consolidation;
use super::imports::{open_import, own_catalogs};

impl Consolidation<'_, '_> {
    /// The catalogs of the import tree, each once, in order of precedence. Every entry is resolved
    /// by them, whichever file overrides the entry.
    pub(super) fn catalogs(&mut self) -> &[CatalogReference] {
        if self.catalogs.is_none() {
            let mut first: IndexMap<String, CatalogReference> = IndexMap::new();
            for catalog in self.catalogs_below(self.root, self.file) {
                first.entry(catalog.resolved.clone()).or_insert(catalog);
            }
            self.catalogs = Some(first.into_values().collect());
        }
        self.catalogs.as_deref().unwrap_or_default()
    }

    /// The catalogs of a Composition and, below it, of its imports. D-A35: own catalogs first, then
    /// the catalogs of each import in order. Unreadable catalogs are reported elsewhere.
    fn catalogs_below(&mut self, root: &Root, file: &LoadedFile) -> Vec<CatalogReference> {
        let number = self.build.memory.sources.intern(&file.path);
        let Ok(composition) = decode_composition(&file.bytes, number) else { return Vec::new() };
        let mut all = own_catalogs(root, &composition);
        for (index, import) in composition.imports.iter().enumerate() {
            if let Ok((root, file)) = open_import(root, import, index) {
                all.extend(self.catalogs_below(&root, &file));
            }
        }
        all
    }

    /// The schema for merging an override into an entry. `None` if it would make no difference, as
    /// for an override without lists of objects. If the entry or the override sets a runtime
    /// itself, only catalogs in files are searched.
    pub(super) fn override_schema(
        &mut self,
        base: &CanonicalConfig,
        over: &CanonicalConfig,
    ) -> Option<Node> {
        if !is_function(&base.id) || !merges_object_lists(&base.node, &over.node) {
            return None;
        }
        let by_catalog =
            [base, over].iter().all(|config| runtime_kind(&config.node) == RuntimeKind::Catalog);
        let EntryId { gvk, name, .. } = &base.id;
        let id = ResId { gvk: gvk.clone(), name: name.as_str().into(), ..ResId::default() };
        let listed: Vec<ListedCatalog> = self
            .catalogs()
            .iter()
            .filter(|catalog| by_catalog || is_absolute(Path::new(&catalog.resolved)))
            .map(|catalog| ListedCatalog {
                written: catalog.resolved.clone(),
                directory: PathBuf::new(),
                file: String::new(),
                mark: catalog.mark,
                checkout: None,
            })
            .collect();
        // The root locates the lock file, which protects functions that run. A schema runs no code,
        // so any root will do.
        let searched = (&self.build.setup, &mut self.build.catalogs.cache);
        let known = search_input(&id, &listed, Path::new("/"), searched).schema(self.may_fetch);
        if by_catalog && !known.unread.is_empty() {
            let (id, catalogs) = (over.id.to_string(), known.unread.clone());
            let remark = CompositionRemark::UnreadCatalog { id, catalogs };
            let hint = format!("fetch it with `kzui catalog fetch {}`", known.unread.join(", "));
            self.warnings.push(Diagnostic::new(remark, over.mark).hint(hint));
        }
        known.schema
    }
}
