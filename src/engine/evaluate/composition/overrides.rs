//! `transformerOverrides`, and the keys by which list elements are merged in an override: from the
//! catalog that resolves the entry (section A.6).

use std::path::{Path, PathBuf};

use indexmap::IndexMap;

use crate::diagnostic::{CompositionRemark, Diagnostic};
use crate::evaluate::catalogs::search_input;
use crate::load::{LoadedFile, Root, clean, is_absolute, relative_path};
use crate::manifest::{
    CanonicalConfig, EntryId, ImportMode, MergedEntry, RuntimeKind, check_entry,
    decode_composition, is_function, map_paths, merge_override, merges_object_lists, runtime_kind,
};
use crate::plugin::ListedCatalog;
use crate::resource::{ResId, nearest_name};
use crate::yaml::Node;

use super::expand::LocatedConfig;
use super::failure::{CompositionAbort, parent_directory, refused};
use super::gather::Consolidation;
use super::imports::{CompositionSource, open_import, own_catalogs};
use super::{AppliedOverride, CatalogReference, ConsolidatedEntry, RemovedEntry};

type ImportedEntries = Vec<(ImportMode, ConsolidatedEntry)>;

impl Consolidation<'_, '_> {
    /// Merges the overrides of a Composition into its imports. D-A13: an override is matched
    /// against the entries of all imports together.
    pub(super) fn apply_overrides(
        &mut self,
        source: &CompositionSource<'_>,
        imported: &mut ImportedEntries,
        own: &[ConsolidatedEntry],
    ) -> Result<(), CompositionAbort> {
        let mut seen = indexmap::IndexSet::new();
        for (index, listed) in source.composition.overrides.iter().enumerate() {
            let item = ("transformerOverrides", index);
            for found in self.expand_item(source, item, listed)? {
                if !seen.insert(found.config.id.clone()) {
                    // D-A14: of two overrides of one entry, the later takes precedence.
                    let remark = CompositionRemark::OverrideTwice(found.config.id.to_string());
                    self.warnings.push(Diagnostic::new(remark, found.config.mark));
                }
                self.apply(source.root, found, imported, own)?;
            }
        }
        Ok(())
    }

    fn apply(
        &mut self,
        root: &Root,
        found: LocatedConfig,
        imported: &mut ImportedEntries,
        own: &[ConsolidatedEntry],
    ) -> Result<(), CompositionAbort> {
        let id = found.config.id.clone();
        let Some(at) = imported.iter().position(|(_, entry)| entry.id == id) else {
            return Err(unmatched_override_error(&found, imported, own));
        };
        let Some((_, entry)) = imported.get_mut(at) else { return Ok(()) };
        let mut over = found.config;
        let place = found.origin;
        entry.root = rebase_override_paths(&mut over, root, &entry.root);
        let base =
            CanonicalConfig { id: id.clone(), node: entry.config.clone(), mark: entry.config.mark };
        let schema = self.override_schema(&base, &over);
        match merge_override(&base, &over, schema.as_ref()) {
            Err(word) => {
                let fault = format!("override \"{id}\": unknown patch strategy '{word}'");
                Err(refused(fault, over.mark))
            }
            Ok(MergedEntry::Removed) => {
                // D-A16: an override is the only way to drop an imported entry.
                let (_, entry) = imported.remove(at);
                self.removed.push(RemovedEntry { id, origin: entry.origin, removed_by: place });
                Ok(())
            }
            Ok(MergedEntry::Changed(node)) => {
                let merged = CanonicalConfig { node, ..base };
                let problems = check_entry(&merged, &format!("override \"{id}\""));
                if !problems.is_empty() {
                    return Err(self
                        .build
                        .invalid_file_error(&problems, &parent_directory(&place.file)));
                }
                entry.runtime = is_function(&id).then(|| runtime_kind(&merged.node));
                let before = std::mem::replace(&mut entry.config, merged.node);
                entry.overridden_by.push(AppliedOverride { place, before });
                Ok(())
            }
        }
    }
}

/// Rewrites the paths in an override, which are relative to the override's root `theirs`, relative
/// to the root `own` of the entry. Returns the entry's root; it reads the rewritten paths with the
/// rules of the override's root.
fn rebase_override_paths(over: &mut CanonicalConfig, theirs: &Root, own: &Root) -> Root {
    if theirs.path() == own.path() {
        return own.clone();
    }
    let mut root = own.clone();
    map_paths(&mut over.node, &mut |path| {
        let target = clean(&theirs.path().join(path));
        let shown = relative_path(own.path(), Path::new(&target));
        root = root.with_entry_of(&shown, theirs, path);
        Some(shown)
    });
    root
}

fn unmatched_override_error(
    found: &LocatedConfig,
    imported: &ImportedEntries,
    own: &[ConsolidatedEntry],
) -> CompositionAbort {
    let id = &found.config.id;
    let remedy = if own.iter().any(|entry| entry.id == *id) {
        "; overrides apply to imported transformers, edit the entry in 'transformers' instead"
            .to_owned()
    } else {
        let near = nearest(id, imported.iter().map(|(_, entry)| &entry.id)).join(", ");
        if near.is_empty() { near } else { format!("; imported: {near}") }
    };
    refused(format!("no transformer found for override \"{id}\"{remedy}"), found.config.mark)
}

/// The ids that share kind or name with the given id; without such ids, the ids with the most
/// similar spelling; otherwise all ids.
pub(super) fn nearest<'e>(
    wanted: &EntryId,
    ids: impl Iterator<Item = &'e EntryId> + Clone,
) -> Vec<String> {
    let related = ids.clone().filter(|id| id.name == wanted.name || id.gvk.kind == wanted.gvk.kind);
    let related: Vec<String> = related.map(ToString::to_string).collect();
    if !related.is_empty() {
        return related;
    }
    let all: Vec<String> = ids.map(ToString::to_string).collect();
    let near = nearest_name(&wanted.to_string(), all.iter().map(String::as_str));
    near.map_or(all.clone(), |near| vec![near.to_owned()])
}

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
        let (schema, unread) =
            search_input(&id, &listed, Path::new("/"), searched).schema(self.may_fetch);
        if by_catalog && !unread.is_empty() {
            let hint = format!("fetch it with `kzui catalog fetch {}`", unread.join(", "));
            let id = over.id.to_string();
            let remark = CompositionRemark::UnreadCatalog { id, catalogs: unread };
            self.warnings.push(Diagnostic::new(remark, over.mark).hint(hint));
        }
        schema
    }
}
