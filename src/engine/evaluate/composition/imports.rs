//! The files of Compositions: their locations, imports and catalogs.

use std::path::Path;

use crate::diagnostic::TextPurpose;
use crate::evaluate::build::cannot_load;
use crate::evaluate::target::target_file_names;
use crate::load::{GitTarget, LoadError, LoadedFile, Root, clean, is_absolute, relative_path};
use crate::manifest::{COMPOSITION_FILE_NAMES, Composition, Import, ListedTransformer};
use crate::yaml::Mark;

use super::failure::{CompositionAbort, refused};
use super::{CatalogReference, CompositionLocation, ImportTree};

pub(super) struct CompositionSource<'a> {
    pub(super) root: &'a Root,
    pub(super) file: &'a LoadedFile,
    pub(super) composition: &'a Composition,
}

impl CompositionSource<'_> {
    pub(super) fn place(
        &self,
        field: &'static str,
        index: usize,
        mark: Mark,
    ) -> CompositionLocation {
        CompositionLocation { file: self.file.path.clone(), field, index, mark }
    }

    pub(super) fn import_tree(&self) -> ImportTree {
        let listed = |field: &'static str, list: &[ListedTransformer]| {
            let items = list.iter().enumerate();
            items.map(|(index, item)| self.place(field, index, item.mark)).collect()
        };
        let order = self.composition.order.iter().enumerate();
        let order = order.map(|(index, item)| self.place("transformerOrder", index, item.mark));
        ImportTree {
            file: self.file.path.clone(),
            transformers: listed("transformers", &self.composition.transformers),
            overrides: listed("transformerOverrides", &self.composition.overrides),
            order: order.collect(),
            ..ImportTree::default()
        }
    }
}

/// Opens an import: a Composition file or a directory with one, local, absolute or in a repository.
/// Imports and resources share one loader, so an import of an ancestor directory is a cycle (D-A9,
/// D-A11).
pub(super) fn open_import(
    root: &Root,
    import: &Import,
    index: usize,
) -> Result<(Root, LoadedFile), CompositionAbort> {
    let mark = import.mark;
    let (directory, name) = split_file(&import.path);
    // An import may be absolute, and a base may not.
    let is_path = is_absolute(Path::new(&directory)) && GitTarget::parse(&directory).is_none();
    let directory =
        if is_path { relative_path(root.path(), Path::new(&directory)) } else { directory };
    let opened = match root.open(if directory.is_empty() { "." } else { &directory }) {
        Ok(opened) => opened,
        Err(LoadError::FileNotDirectory { .. }) => {
            let fault = format!(
                "transformersFrom[{index}]: '{}' is not a Composition file; expected a directory or a file named composition.yaml",
                import.path
            );
            return Err(refused(fault, mark));
        }
        Err(source) => {
            let what = TextPurpose::entry("transformersFrom", index, Some(&import.path));
            return Err(cannot_load(what, mark, source).into());
        }
    };
    if let Some(name) = name {
        let what = TextPurpose::entry("transformersFrom", index, Some(&import.path));
        let file = opened.load(&name).map_err(|source| cannot_load(what, mark, source))?;
        return Ok((opened, file));
    }
    let found = target_files(&opened);
    let path = opened.path().display().to_string();
    match found.as_slice() {
        [(name, file)] if COMPOSITION_FILE_NAMES.contains(name) => Ok((opened, file.clone())),
        [_] => Err(refused(
            "cannot import transformers from a Kustomization; use a ResourceAccumulator or an inline Kustomization",
            mark,
        )),
        [] => {
            let names = "'composition.yaml' or 'composition.yml'";
            Err(refused(format!("unable to find one of {names} in directory '{path}'"), mark))
        }
        [..] => {
            let names: Vec<&str> = found.iter().map(|(name, _)| *name).collect();
            let names = names.join(", ");
            Err(refused(
                format!("Found multiple kustomization files under: {path} ({names})"),
                mark,
            ))
        }
    }
}

pub(in crate::evaluate) fn target_files(root: &Root) -> Vec<(&'static str, LoadedFile)> {
    target_file_names().filter_map(|name| Some((name, root.load(name).ok()?))).collect()
}

fn split_file(path: &str) -> (String, Option<String>) {
    let (before, query) = match path.split_once('?') {
        Some((before, query)) => (before, format!("?{query}")),
        None => (path, String::new()),
    };
    let (directory, name) = before.rsplit_once('/').unwrap_or((".", before));
    if !COMPOSITION_FILE_NAMES.contains(&name) {
        return (path.to_owned(), None);
    }
    let directory = if directory.is_empty() { "/" } else { directory };
    (format!("{directory}{query}"), Some(name.to_owned()))
}

pub(super) fn own_catalogs(root: &Root, composition: &Composition) -> Vec<CatalogReference> {
    let resolve = |written: &str| {
        let is_remote = ["git@", "git::"].iter().any(|form| written.starts_with(form));
        if written.contains("://") || is_remote || is_absolute(Path::new(written)) {
            return written.to_owned();
        }
        if let Some(layout) = written.strip_prefix("oci-layout:") {
            return format!("oci-layout:{}", clean(&root.path().join(layout)).display());
        }
        clean(&root.path().join(written)).to_string_lossy().into_owned()
    };
    let references = composition.catalogs.iter().map(|catalog| CatalogReference {
        written: catalog.value.clone(),
        resolved: resolve(&catalog.value),
        mark: catalog.mark,
    });
    references.collect()
}
