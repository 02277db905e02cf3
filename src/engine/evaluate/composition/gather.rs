//! Merging imports, overrides and own entries into one list (section A.4).

use indexmap::IndexMap;

use crate::diagnostic::{CompositionRemark, Diagnostic};
use crate::evaluate::LayerId;
use crate::evaluate::build::Build;
use crate::evaluate::target::switched_off;
use crate::load::{LoadedFile, Root};
use crate::manifest::{EntryId, Import, ImportMode, Marked, Outline, decode_composition};
use crate::yaml::Mark;

use super::failure::{CompositionAbort, refused};
use super::imports::{CompositionSource, open_import};
use super::order::in_order;
use super::{
    CatalogReference, CompositionLocation, ConsolidatedComposition, ConsolidatedEntry, ImportTree,
    RemovedEntry, SwitchedOffEntry,
};

pub(super) struct Consolidation<'c, 'b> {
    pub(super) build: &'c mut Build<'b>,
    pub(super) layer: LayerId,
    pub(super) root: &'c Root,
    pub(super) file: &'c LoadedFile,
    /// True if catalogs that an override needs may be fetched.
    pub(super) may_fetch: bool,
    pub(super) catalogs: Option<Vec<CatalogReference>>,
    pub(super) removed: Vec<RemovedEntry>,
    pub(super) warnings: Vec<Diagnostic>,
}

impl Build<'_> {
    /// Consolidates a Composition without running its entries; a Kustomization in its list is
    /// built. A catalog is fetched only if fetching is allowed, the catalog is trusted, and an
    /// override needs its schema.
    pub(in crate::evaluate) fn consolidate_file(
        &mut self,
        layer: LayerId,
        root: &Root,
        file: &LoadedFile,
        may_fetch: bool,
    ) -> Result<ConsolidatedComposition, CompositionAbort> {
        let (catalogs, removed, warnings) = (None, Vec::new(), Vec::new());
        let build = &mut *self;
        let mut whole =
            Consolidation { build, layer, root, file, may_fetch, catalogs, removed, warnings };
        let (entries, imports) = whole.gather(root, file, &[])?;
        let catalogs = whole.catalogs().to_vec();
        let Consolidation { removed, warnings, .. } = whole;
        Ok(ConsolidatedComposition {
            directory: root.path().to_owned(),
            file: file.path.clone(),
            entries,
            imports,
            catalogs,
            removed,
            switched_off: self.switched_off_entries(file),
            warnings,
        })
    }

    fn switched_off_entries(&mut self, file: &LoadedFile) -> Vec<SwitchedOffEntry> {
        let source = self.memory.sources.intern(&file.path);
        let outline = Outline::parse(&file.bytes);
        let mut out = Vec::new();
        for field in
            ["transformersFrom", "transformers", "transformerOverrides", "transformerOrder"]
        {
            for (index, entry) in switched_off(&outline, field) {
                let mark = Mark { source, line: entry.line, column: 1, ..Mark::default() };
                let place = CompositionLocation { file: file.path.clone(), field, index, mark };
                out.push(SwitchedOffEntry { text: entry.text.clone(), place });
            }
        }
        out
    }
}

impl Consolidation<'_, '_> {
    /// The entries of a Composition and of its imports, and the tree of these files. `chain` has the
    /// items that import the Composition.
    fn gather(
        &mut self,
        root: &Root,
        file: &LoadedFile,
        chain: &[CompositionLocation],
    ) -> Result<(Vec<ConsolidatedEntry>, ImportTree), CompositionAbort> {
        self.build.notes.own.names_root = true;
        let number = self.build.memory.sources.intern(&file.path);
        let composition = decode_composition(&file.bytes, number)
            .map_err(|error| self.build.refused(error, &file.path, number))?;
        let source = CompositionSource { root, file, composition: &composition };
        self.warnings.extend(composition.warnings.iter().map(file_warning));
        let own = self.own_entries(&source, chain)?;
        refuse_own_duplicates(&own)?;
        let mut tree = source.import_tree();
        let mut imported = self.import_all(&source, chain, &mut tree.imports)?;
        self.apply_overrides(&source, &mut imported, &own)?;
        // D-A10: imports of one mode keep their listed order, unlike in the prototype, which reversed
        // it.
        let (before, after): (Vec<_>, Vec<_>) =
            imported.into_iter().partition(|(mode, _)| *mode == ImportMode::Prepend);
        let [before, after] = [before, after].map(|list| list.into_iter().map(|(_, entry)| entry));
        let entries: Vec<_> = before.chain(own).chain(after).collect();
        self.refuse_duplicates(&entries, chain.len())?;
        let entries = in_order(&source, entries)?;
        tree.entries = entries.len();
        Ok((entries, tree))
    }

    fn import_all(
        &mut self,
        source: &CompositionSource<'_>,
        chain: &[CompositionLocation],
        trees: &mut Vec<ImportTree>,
    ) -> Result<Vec<(ImportMode, ConsolidatedEntry)>, CompositionAbort> {
        let mut imported: Vec<(ImportMode, ConsolidatedEntry)> = Vec::new();
        let mut seen: IndexMap<EntryId, ConsolidatedEntry> = IndexMap::new();
        for (index, import) in source.composition.imports.iter().enumerate() {
            let place = source.place("transformersFrom", index, import.mark);
            let (root, file) = open_import(source.root, import, index)?;
            let chain = [chain, std::slice::from_ref(&place)].concat();
            let (entries, tree) = self.gather(&root, &file, &chain)?;
            for entry in entries {
                if let Some(first) = seen.insert(entry.id.clone(), entry.clone()) {
                    return Err(self.repeated_import_error(&first, &entry, import));
                }
                imported.push((import.mode, entry));
            }
            trees.push(ImportTree { place: Some(place), mode: import.mode, ..tree });
        }
        Ok(imported)
    }

    /// The error of a Composition that is imported on two paths. D-A12: a diamond is an error; its
    /// entries are neither run twice nor merged into one.
    fn repeated_import_error(
        &self,
        first: &ConsolidatedEntry,
        second: &ConsolidatedEntry,
        import: &Import,
    ) -> CompositionAbort {
        let id = &second.id;
        if first.origin.file == second.origin.file && first.origin.mark == second.origin.mark {
            let (first, second) = (self.import_chain(first), self.import_chain(second));
            let fault = format!(
                "\"{id}\" is imported twice: {first} and {second}; render the shared Composition with a ResourceAccumulator, or name the instances differently"
            );
            return refused(fault, import.mark);
        }
        self.duplicate_import_error(&import.path, second, first, import.mark)
    }

    fn duplicate_import_error(
        &self,
        path: &str,
        imported: &ConsolidatedEntry,
        other: &ConsolidatedEntry,
        mark: Mark,
    ) -> CompositionAbort {
        let fault = format!(
            "importing composition \"{path}\" resulted in duplicate \"{}\" transformer; it is also defined by {}",
            imported.id,
            self.describe(&other.listed)
        );
        refused(fault, mark)
    }

    /// Refuses several entries with one id. Runs after the overrides, because an override may
    /// remove one of the entries. `depth` is the depth of the list in the import tree.
    fn refuse_duplicates(
        &self,
        entries: &[ConsolidatedEntry],
        depth: usize,
    ) -> Result<(), CompositionAbort> {
        let mut seen: IndexMap<&EntryId, &ConsolidatedEntry> = IndexMap::new();
        for entry in entries {
            let Some(first) = seen.insert(&entry.id, entry) else { continue };
            let (imported, other) =
                if first.imported_from.len() > depth { (first, entry) } else { (entry, first) };
            let import = imported.imported_from.get(depth);
            let next =
                imported.imported_from.get(depth + 1).map_or(&imported.listed, |place| place);
            let path = self.build.root.shown(&next.file);
            let mark = import.map_or(imported.origin.mark, |place| place.mark);
            return Err(self.duplicate_import_error(&path, imported, other, mark));
        }
        Ok(())
    }

    fn import_chain(&self, entry: &ConsolidatedEntry) -> String {
        let files = entry.imported_from.iter().skip(1).map(|place| place.file.as_str());
        let files =
            files.chain([entry.listed.file.as_str()]).map(|file| self.build.root.shown(file));
        files.collect::<Vec<_>>().join(" → ")
    }

    fn describe(&self, place: &CompositionLocation) -> String {
        format!("{} {}[{}]", self.build.root.shown(&place.file), place.field, place.index)
    }
}

fn refuse_own_duplicates(own: &[ConsolidatedEntry]) -> Result<(), CompositionAbort> {
    let mut seen = indexmap::IndexSet::new();
    match own.iter().find(|entry| !seen.insert(&entry.id)) {
        None => Ok(()),
        Some(entry) => Err(refused(
            format!(
                "transformers field is invalid: list contains multiple \"{}\" transformers; set metadata.name on one of them",
                entry.id
            ),
            entry.origin.mark,
        )),
    }
}

pub(super) fn file_warning(told: &Marked<CompositionRemark>) -> Diagnostic {
    Diagnostic::new(told.value.clone(), told.mark)
}
