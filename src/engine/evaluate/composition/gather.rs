//! Merging imports, overrides and own entries into one list (section A.4).

use indexmap::IndexMap;

use crate::diagnostic::{CompositionRemark, Diagnostic};
use crate::evaluate::LayerId;
use crate::evaluate::build::Build;
use crate::evaluate::target::switched_off;
use crate::load::{LoadedFile, Root};
use crate::manifest::{
    Composition, EntryId, Import, ImportMode, LineRange, ListedTransformer, Marked, Outline,
    decode_composition,
};
use crate::yaml::Mark;

use super::failure::{CompositionAbort, refused};
use super::imports::{CompositionSource, open_import};
use super::order::in_order;
use super::schema::ImportTreeCatalogs;
use super::{
    CompositionLocation, ConsolidatedComposition, ConsolidatedEntry, ImportTree, RemovedEntry,
    SwitchedOffEntry,
};

#[derive(Default)]
pub(super) struct GatheredComposition {
    pub(super) entries: Vec<ConsolidatedEntry>,
    pub(super) removed: Vec<RemovedEntry>,
    pub(super) warnings: Vec<Diagnostic>,
    pub(super) imports: ImportTree,
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
        let source = CompositionSource { root, file, layer };
        let mut whole = ImportTreeCatalogs::new(&source, may_fetch);
        let gathered = self.gather(&source, &[], &mut whole)?;
        Ok(ConsolidatedComposition {
            directory: root.path().to_owned(),
            file: file.path.clone(),
            entries: gathered.entries,
            imports: gathered.imports,
            catalogs: self.catalogs_of(&mut whole).to_vec(),
            removed: gathered.removed,
            switched_off: self.switched_off_entries(file),
            warnings: gathered.warnings,
        })
    }

    fn gather(
        &mut self,
        source: &CompositionSource<'_>,
        chain: &[CompositionLocation],
        whole: &mut ImportTreeCatalogs<'_>,
    ) -> Result<GatheredComposition, CompositionAbort> {
        self.notes.own.names_root = true;
        let number = self.memory.sources.intern(&source.file.path);
        let composition = decode_composition(&source.file.bytes, number)
            .map_err(|error| self.refused(error, &source.file.path, number))?;
        let mut out = GatheredComposition::default();
        out.warnings.extend(composition.warnings.iter().map(file_warning));
        let mut own = self.own_entries(source, &composition, &mut out.warnings)?;
        for entry in &mut own {
            entry.imported_from = chain.to_vec();
        }
        refuse_own_duplicates(&own)?;
        out.imports = tree(source, &composition);
        let mut imported = self.import_all(source, &composition, chain, (&mut *whole, &mut out))?;
        let into = (whole, &mut out);
        self.apply_overrides(source, &composition, &mut imported, &own, into)?;
        let entries = order_imports(imported, own);
        self.refuse_duplicates(&entries, chain.len())?;
        out.entries = in_order(source, &composition, entries)?;
        out.imports.entries = out.entries.len();
        Ok(out)
    }

    /// The entries of every import, with its mode.
    fn import_all(
        &mut self,
        source: &CompositionSource<'_>,
        composition: &Composition,
        chain: &[CompositionLocation],
        (whole, out): (&mut ImportTreeCatalogs<'_>, &mut GatheredComposition),
    ) -> Result<Vec<(ImportMode, ConsolidatedEntry)>, CompositionAbort> {
        let mut imported: Vec<(ImportMode, ConsolidatedEntry)> = Vec::new();
        let mut seen: IndexMap<EntryId, ConsolidatedEntry> = IndexMap::new();
        for (index, import) in composition.imports.iter().enumerate() {
            let place = source.place("transformersFrom", index, import.mark, import.lines);
            let (root, file) = open_import(source.root, import, index)?;
            let mut chain = chain.to_vec();
            chain.push(place.clone());
            let from = CompositionSource { root: &root, file: &file, layer: source.layer };
            let gathered = self.gather(&from, &chain, whole)?;
            for entry in gathered.entries {
                if let Some(first) = seen.insert(entry.id.clone(), entry.clone()) {
                    return Err(self.repeated_import_error(&first, &entry, import));
                }
                imported.push((import.mode, entry));
            }
            out.removed.extend(gathered.removed);
            out.warnings.extend(gathered.warnings);
            let tree = ImportTree { place: Some(place), mode: import.mode, ..gathered.imports };
            out.imports.imports.push(tree);
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
            let path = self.file_at_depth(imported, depth);
            let mark = import.map_or(imported.origin.mark, |place| place.mark);
            return Err(self.duplicate_import_error(&path, imported, other, mark));
        }
        Ok(())
    }

    /// The path of the file that is imported at a depth of the import tree and leads to an entry.
    fn file_at_depth(&self, entry: &ConsolidatedEntry, depth: usize) -> String {
        let next = entry.imported_from.get(depth + 1).map(|place| place.file.as_str());
        self.root.shown(next.unwrap_or(&entry.listed.file))
    }

    /// The files that lead to an entry: `a/composition.yaml → shared/composition.yaml`.
    fn import_chain(&self, entry: &ConsolidatedEntry) -> String {
        let files = entry.imported_from.iter().skip(1).map(|place| place.file.as_str());
        let files = files.chain([entry.listed.file.as_str()]).map(|file| self.root.shown(file));
        files.collect::<Vec<_>>().join(" → ")
    }

    /// The location of an item: `../app/composition.yaml transformers[0]`.
    pub(in crate::evaluate) fn describe(&self, place: &CompositionLocation) -> String {
        format!("{} {}[{}]", self.root.shown(&place.file), place.field, place.index)
    }

    fn switched_off_entries(&mut self, file: &LoadedFile) -> Vec<SwitchedOffEntry> {
        let source = self.memory.sources.intern(&file.path);
        let outline = Outline::parse(&file.bytes);
        let mut out = Vec::new();
        for field in
            ["transformersFrom", "transformers", "transformerOverrides", "transformerOrder"]
        {
            for (index, entry) in switched_off(&outline, field) {
                let rows = u32::try_from(entry.text.trim_end().lines().count()).unwrap_or(1).max(1);
                let lines = LineRange { first: entry.line, last: entry.line + rows - 1 };
                let mark = Mark { source, line: entry.line, column: 1, ..Mark::default() };
                let place =
                    CompositionLocation { file: file.path.clone(), field, index, mark, lines };
                out.push(SwitchedOffEntry { text: entry.text.clone(), place });
            }
        }
        out
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

/// Puts the imported entries before or after the own ones, by the mode of their import. D-A10:
/// imports of one mode keep their listed order, unlike in the prototype, which reversed it.
fn order_imports(
    imported: Vec<(ImportMode, ConsolidatedEntry)>,
    own: Vec<ConsolidatedEntry>,
) -> Vec<ConsolidatedEntry> {
    let (before, after): (Vec<_>, Vec<_>) =
        imported.into_iter().partition(|(mode, _)| *mode == ImportMode::Prepend);
    let [before, after] = [before, after].map(|list| list.into_iter().map(|(_, entry)| entry));
    before.chain(own).chain(after).collect()
}

fn tree(source: &CompositionSource<'_>, composition: &Composition) -> ImportTree {
    let listed = |field: &'static str, list: &[ListedTransformer]| {
        let items = list.iter().enumerate();
        items.map(|(index, item)| source.place(field, index, item.mark, item.lines)).collect()
    };
    let order = composition.order.iter().enumerate();
    let order =
        order.map(|(index, item)| source.place("transformerOrder", index, item.mark, item.lines));
    ImportTree {
        file: source.file.path.clone(),
        transformers: listed("transformers", &composition.transformers),
        overrides: listed("transformerOverrides", &composition.overrides),
        order: order.collect(),
        ..ImportTree::default()
    }
}

pub(super) fn file_warning(told: &Marked<CompositionRemark>) -> Diagnostic {
    Diagnostic::new(told.value.clone(), told.mark)
}
