//! The references in a kustomization file: folders, files, charts, catalogs, repositories.

use std::path::{Path, PathBuf};

use crate::engine::load::{FileKind, Files, GitTarget, clean};
use crate::engine::manifest::{GeneratorArgs, HelmChart, Kustomization, Marked, Patch};
use crate::engine::yaml::{Node, parse_nodes};

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum UseKind {
    Base,
    Component,
    Resource,
    Patch,
    GeneratorSource,
    Chart,
    Values,
    /// Configuration of transformers: field specs, CRDs, schemas, replacements.
    Configuration,
    Plugin,
    Catalog,
    Composition,
}

impl UseKind {
    pub fn word(self) -> &'static str {
        match self {
            Self::Base => "base",
            Self::Component => "component",
            Self::Resource => "resource",
            Self::Patch => "patch",
            Self::GeneratorSource => "generator source",
            Self::Chart => "chart",
            Self::Values => "chart values",
            Self::Configuration => "configuration",
            Self::Plugin => "plugin",
            Self::Catalog => "catalog",
            Self::Composition => "composition",
        }
    }
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ReferenceDestination {
    Folder(PathBuf),
    File(PathBuf),
    /// An address outside of the tree: a repository, a URL, a registry.
    Remote(String),
    Missing(PathBuf),
}

impl ReferenceDestination {
    pub fn path(&self) -> Option<&Path> {
        match self {
            Self::Folder(path) | Self::File(path) => Some(path),
            Self::Remote(_) | Self::Missing(_) => None,
        }
    }

    /// The path in the tree, also of a missing file.
    pub fn local_path(&self) -> Option<&Path> {
        match self {
            Self::Folder(path) | Self::File(path) | Self::Missing(path) => Some(path),
            Self::Remote(_) => None,
        }
    }
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReferenceEntry {
    pub file: PathBuf,
    pub field: &'static str,
    pub line: u32,
    pub text: String,
    pub kind: UseKind,
    pub to: ReferenceDestination,
}

impl ReferenceEntry {
    pub(super) fn is_missing(&self) -> bool {
        matches!(self.to, ReferenceDestination::Missing(_))
    }
}

pub(super) struct ReferenceReader<'a> {
    pub(super) files: &'a dyn Files,
    pub(super) folder: &'a Path,
    pub(super) file: &'a Path,
    pub(super) uses: Vec<ReferenceEntry>,
}

impl ReferenceReader<'_> {
    pub(super) fn read_kustomization(&mut self, read: &Kustomization) {
        for entry in &read.resources {
            self.entry("resources", entry, UseKind::Resource, UseKind::Base);
        }
        for entry in &read.components {
            self.entry("components", entry, UseKind::Component, UseKind::Component);
        }
        self.add_patches(read);
        for (field, generators) in [
            ("configMapGenerator", &read.config_map_generator),
            ("secretGenerator", &read.secret_generator),
        ] {
            for generator in generators {
                self.generator(field, &generator.value);
            }
        }
        let home = read.helm_globals.as_ref().map_or("", |globals| globals.chart_home.as_str());
        for chart in &read.helm_charts {
            self.add_chart(chart, if home.is_empty() { "charts" } else { home });
        }
        for (field, entries) in [("configurations", &read.configurations), ("crds", &read.crds)] {
            for entry in entries {
                self.entry(field, entry, UseKind::Configuration, UseKind::Configuration);
            }
        }
        for name in ["path", "extraPaths"] {
            if let Some(path) = read.openapi.value.get(name) {
                self.path("openapi", read.openapi.mark.line, path, UseKind::Configuration);
            }
        }
        for replacement in &read.replacements {
            let line = replacement.mark.line;
            self.path("replacements", line, &replacement.value.path, UseKind::Configuration);
        }
        self.add_plugins(read);
        if let Some(catalogs) = &read.catalogs {
            self.add_scalar_paths("catalogs", catalogs, UseKind::Catalog);
        }
    }

    fn add_patches(&mut self, read: &Kustomization) {
        for entry in &read.patches_strategic_merge {
            if !entry.value.contains('\n') {
                self.entry("patchesStrategicMerge", entry, UseKind::Patch, UseKind::Patch);
            }
        }
        let listed: [(&'static str, &[Marked<Patch>]); 2] =
            [("patchesJson6902", &read.patches_json6902), ("patches", &read.patches)];
        for (field, patches) in listed {
            for patch in patches {
                self.path(field, patch.mark.line, &patch.value.path, UseKind::Patch);
            }
        }
    }

    fn add_plugins(&mut self, read: &Kustomization) {
        for (field, entries) in [
            ("generators", &read.generators),
            ("transformers", &read.transformers),
            ("validators", &read.validators),
        ] {
            for entry in entries {
                if entry.value.contains('\n') {
                    self.add_configured_paths(field, entry.value.as_bytes(), None, entry.mark.line);
                    continue;
                }
                self.entry(field, entry, UseKind::Plugin, UseKind::Plugin);
                let path = clean(&self.folder.join(&entry.value));
                if let Ok(bytes) = self.files.read(&path) {
                    self.add_configured_paths(field, &bytes, Some(&path), 0);
                }
            }
        }
    }

    fn generator(&mut self, field: &'static str, generator: &GeneratorArgs) {
        for source in generator.files.iter().chain(&generator.envs) {
            // A source is written as `key=path`, or as the path alone.
            let path = source.value.split_once('=').map_or(&*source.value, |(_, path)| path);
            self.path(field, source.mark.line, path, UseKind::GeneratorSource);
        }
    }

    fn add_chart(&mut self, chart: &Marked<HelmChart>, home: &str) {
        let line = chart.mark.line;
        let values =
            [&chart.value.values_file].into_iter().chain(&chart.value.additional_values_files);
        for path in values {
            self.path("helmCharts", line, path, UseKind::Values);
        }
        let folder = format!("{home}/{}", chart.value.name);
        if chart.value.repo.is_empty() {
            self.path("helmCharts", line, &folder, UseKind::Chart);
        } else {
            let place = format!("{}/{}", chart.value.repo.trim_end_matches('/'), chart.value.name);
            let to = ReferenceDestination::Remote(place.clone());
            self.add_entry("helmCharts", line, &place, UseKind::Chart, to);
        }
    }

    /// Adds the paths in a plugin's configuration or a Composition: every text that is the path of
    /// an existing file or folder, relative to the folder of the kustomization file.
    pub(super) fn add_configured_paths(
        &mut self,
        field: &'static str,
        text: &[u8],
        file: Option<&Path>,
        above: u32,
    ) {
        let Ok(parsed) = parse_nodes(text) else { return };
        let own = self.file;
        for root in parsed {
            let from = self.uses.len();
            let kind =
                if field == "composition" { UseKind::Composition } else { UseKind::Configuration };
            self.add_scalar_paths(field, &root, kind);
            for found in self.uses.iter_mut().skip(from) {
                file.unwrap_or(own).clone_into(&mut found.file);
                found.line += above;
            }
        }
    }

    fn add_scalar_paths(&mut self, field: &'static str, node: &Node, kind: UseKind) {
        if let Some(text) = node.text() {
            let looks_like_path = text.contains(['/', '.']) && !text.contains(['\n', ' ', '{']);
            if looks_like_path && !text.starts_with('/') {
                let path = clean(&self.folder.join(text));
                if let Some(to) = self.existing(&path).filter(|to| to.path() != Some(self.folder)) {
                    self.add_entry(field, node.mark.line, text, kind, to);
                }
            }
        }
        for (key, value) in node.entries().iter().map(|entry| (&entry.key, &entry.value)) {
            if key.text() != Some("apiVersion") {
                self.add_scalar_paths(field, value, kind);
            }
        }
        for item in node.items().unwrap_or_default() {
            self.add_scalar_paths(field, item, kind);
        }
    }

    /// Reads an entry that may refer to a file, a folder or a repository. `file` and `folder` are
    /// the roles of the entry for a file and for a folder.
    fn entry(
        &mut self,
        field: &'static str,
        entry: &Marked<String>,
        file: UseKind,
        folder: UseKind,
    ) {
        let (line, text) = (entry.mark.line, entry.value.as_str());
        let path = clean(&self.folder.join(text));
        let remote = || ReferenceDestination::Remote(text.to_owned());
        let (kind, to) = match self.existing(&path) {
            Some(to @ ReferenceDestination::Folder(_)) => (folder, to),
            Some(to) => (file, to),
            None if GitTarget::parse(text).is_some() => (folder, remote()),
            None if text.contains("://") => (file, remote()),
            None => (file, ReferenceDestination::Missing(path)),
        };
        self.add_entry(field, line, text, kind, to);
    }

    fn existing(&self, path: &Path) -> Option<ReferenceDestination> {
        Some(match self.files.resolve(path).ok()? {
            (path, FileKind::File) => ReferenceDestination::File(path),
            (path, FileKind::Directory) => ReferenceDestination::Folder(path),
        })
    }

    fn path(&mut self, field: &'static str, line: u32, text: &str, kind: UseKind) {
        if text.is_empty() {
            return;
        }
        let path = clean(&self.folder.join(text));
        let to = match self.existing(&path) {
            Some(to) => to,
            None if text.contains("://") => ReferenceDestination::Remote(text.to_owned()),
            None => ReferenceDestination::Missing(path),
        };
        self.add_entry(field, line, text, kind, to);
    }

    fn add_entry(
        &mut self,
        field: &'static str,
        line: u32,
        text: &str,
        kind: UseKind,
        to: ReferenceDestination,
    ) {
        let (file, text) = (self.file.to_owned(), text.to_owned());
        self.uses.push(ReferenceEntry { file, field, line, text, kind, to });
    }
}
