//! The keys by which list elements are merged in an override: from the catalog that resolves the
//! entry (section A.6).

use std::path::{Path, PathBuf};

use indexmap::IndexMap;

use crate::diagnostic::{CompositionRemark, Diagnostic};
use crate::evaluate::build::Build;
use crate::evaluate::catalogs::search_input;
use crate::load::is_absolute;
use crate::manifest::{
    CanonicalConfig, EntryId, RuntimeKind, decode_composition, is_function, merges_object_lists,
    runtime_kind,
};
use crate::plugin::ListedCatalog;
use crate::resource::ResId;
use crate::yaml::Node;

use super::CatalogReference;
use super::imports::{CompositionSource, open_import, own_catalogs};

/// All catalogs of the import tree of a consolidated Composition. Every entry is resolved by them,
/// whichever file overrides the entry.
pub(super) struct ImportTreeCatalogs<'a> {
    target: &'a CompositionSource<'a>,
    may_fetch: bool,
    catalogs: Option<Vec<CatalogReference>>,
}

impl<'a> ImportTreeCatalogs<'a> {
    pub(super) fn new(target: &'a CompositionSource<'a>, may_fetch: bool) -> Self {
        Self { target, may_fetch, catalogs: None }
    }
}

impl Build<'_> {
    /// The catalogs of the import tree, each once, in order of precedence.
    pub(super) fn catalogs_of<'w>(
        &mut self,
        whole: &'w mut ImportTreeCatalogs<'_>,
    ) -> &'w [CatalogReference] {
        if whole.catalogs.is_none() {
            let mut first: IndexMap<String, CatalogReference> = IndexMap::new();
            for catalog in self.catalogs_below(whole.target) {
                first.entry(catalog.resolved.clone()).or_insert(catalog);
            }
            whole.catalogs = Some(first.into_values().collect());
        }
        whole.catalogs.as_deref().unwrap_or_default()
    }

    /// The catalogs of a Composition and, below it, of its imports. D-A35: own catalogs first, then
    /// the catalogs of each import in order. Unreadable catalogs are reported elsewhere.
    fn catalogs_below(&mut self, source: &CompositionSource<'_>) -> Vec<CatalogReference> {
        let number = self.memory.sources.intern(&source.file.path);
        let Ok(composition) = decode_composition(&source.file.bytes, number) else {
            return Vec::new();
        };
        let mut all = own_catalogs(source, &composition);
        for (index, import) in composition.imports.iter().enumerate() {
            if let Ok((root, file)) = open_import(source.root, import, index) {
                let from = CompositionSource { root: &root, file: &file, layer: source.layer };
                all.extend(self.catalogs_below(&from));
            }
        }
        all
    }

    /// The schema for merging an override into an entry. `None` if it would make no difference, as
    /// for an override without lists of objects. If the entry or the override sets a runtime
    /// itself, only catalogs in files are searched.
    pub(super) fn override_schema(
        &mut self,
        whole: &mut ImportTreeCatalogs<'_>,
        base: &CanonicalConfig,
        over: &CanonicalConfig,
        warnings: &mut Vec<Diagnostic>,
    ) -> Option<Node> {
        if !is_function(&base.id) || !merges_object_lists(&base.node, &over.node) {
            return None;
        }
        let by_catalog =
            [base, over].iter().all(|config| runtime_kind(&config.node) == RuntimeKind::Catalog);
        let EntryId { gvk, name, .. } = &base.id;
        let id = ResId { gvk: gvk.clone(), name: name.as_str().into(), ..ResId::default() };
        let may_fetch = whole.may_fetch;
        let listed: Vec<ListedCatalog> = self
            .catalogs_of(whole)
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
        let search = search_input(&id, &listed, Path::new("/"), &self.setup);
        let known = search.schema(&mut self.catalogs.cache, may_fetch);
        if by_catalog && !known.unread.is_empty() {
            let (id, catalogs) = (over.id.to_string(), known.unread.clone());
            let remark = CompositionRemark::UnreadCatalog { id, catalogs };
            let hint = format!("fetch it with `kzui catalog fetch {}`", known.unread.join(", "));
            warnings.push(Diagnostic::new(remark, over.mark).hint(hint));
        }
        known.schema
    }
}
