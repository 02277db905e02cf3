//! The git generator: directories and files of the repository.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use regex::Regex;

use crate::load::{FileKind, Files, MAX_SEARCHED_FOLDERS, git_pathspec, go_path, walk};
use crate::yaml::{Limits, Mark, Node, SourceId, parse_config};

use super::generators::{GeneratorError, Generators, invalid};
use super::go_template::{path_base, path_dir, sanitize_name};
use super::render::{Element, append_values};
use super::value::{Param, ParamValue, Params, flattened};

impl Generators<'_, '_> {
    pub(super) fn git_elements(
        &mut self,
        generator: &Node,
    ) -> Result<Vec<Element>, GeneratorError> {
        let text = |key: &str| generator.text_of(key).unwrap_or_default();
        (self.view.is_here)(text("repoURL"), text("revision")).map_err(|reason| {
            let url = text("repoURL");
            GeneratorError::in_cluster(format!("the generator reads {url}, {reason}"))
        })?;
        let items = |key: &str| generator.items_of(key);
        let prefix = text("pathParamPrefix");
        let mut elements = match (items("directories"), items("files")) {
            ([], []) => return invalid("ApplicationSet is empty"),
            ([], files) => self.files(files, prefix)?,
            (directories, _) => self.directories(directories, prefix),
        };
        for element in &mut elements {
            append_values(self.language, generator.get("values"), element)?;
        }
        Ok(elements)
    }

    /// An element for every directory that is included and not excluded, in the order of a walk.
    fn directories(&mut self, requested: &[Node], prefix: &str) -> Vec<Element> {
        let selected = selection(requested, go_path);
        let mut elements = Vec::new();
        for path in directories(self.view.root, self.view.files) {
            let path = path.to_string_lossy().into_owned();
            let Some(mark) = selected(&path) else { continue };
            let mut element = Element { place: mark, ..Element::default() };
            self.path_params(&mut element.params, &path, None, prefix, mark);
            elements.push(element);
        }
        elements
    }

    /// An element for every object in the files that are included and not excluded, by path.
    fn files(&mut self, requested: &[Node], prefix: &str) -> Result<Vec<Element>, GeneratorError> {
        let selected = selection(requested, git_pathspec);
        let mut elements = Vec::new();
        for path in files(self.view.root, self.view.files) {
            let Some(mark) = selected(&path) else { continue };
            for object in self.read_file_objects(&path)? {
                let place = if object.mark.source == SourceId::NONE { mark } else { object.mark };
                let mut element = Element { place, ..Element::default() };
                if let Some(object) = object.map() {
                    element.params =
                        if self.language.is_go() { object.clone() } else { flattened(object) };
                }
                self.path_params(&mut element.params, &path_dir(&path), Some(&path), prefix, mark);
                elements.push(element);
            }
        }
        Ok(elements)
    }

    /// The object in a file, or the objects in a file with a list.
    fn read_file_objects(&mut self, path: &str) -> Result<Vec<Param>, GeneratorError> {
        let file = self.view.root.join(path);
        let unreadable = |reason: &dyn std::fmt::Display| format!("{path}: {reason}");
        let bytes = self.view.files.read(&file).map_err(|error| unreadable(&error))?;
        let source = self.view.sources.intern(&file.to_string_lossy());
        let node =
            parse_config(&bytes, source, Limits::default()).map_err(|error| unreadable(&error))?;
        let line = Mark { source, line: 1, column: 1, ..Mark::default() };
        let empty = || Param { value: ParamValue::Map(Params::new()), mark: line };
        let Some(node) = node.filter(|node| !node.is_null()) else { return Ok(vec![empty()]) };
        let object = |param: Param| match param.value {
            ParamValue::Map(_) => Ok(param),
            ParamValue::Null => Ok(empty()),
            _ => invalid(unreadable(&"neither an object nor a list of objects")),
        };
        match Param::from_node(&node) {
            Param { value: ParamValue::List(items), .. } => items.into_iter().map(object).collect(),
            param => Ok(vec![object(param)?]),
        }
    }

    fn path_params(
        &self,
        params: &mut Params,
        path: &str,
        file: Option<&str>,
        prefix: &str,
        mark: Mark,
    ) {
        let text = |text: &str| Param::text(text, mark);
        let basename = path_base(path);
        let mut named = vec![
            ("basename", text(&basename)),
            ("basenameNormalized", text(&sanitize_name(&basename))),
        ];
        if let Some(file) = file.map(path_base) {
            named.push(("filename", text(&file)));
            named.push(("filenameNormalized", text(&sanitize_name(&file))));
        }
        if self.language.is_go() {
            let mut of_path: Params =
                named.into_iter().map(|(name, value)| (name.to_owned(), value)).collect();
            of_path.insert("path".into(), text(path));
            let segments = path.split('/').map(text).collect();
            of_path.insert("segments".into(), Param { value: ParamValue::List(segments), mark });
            let of_path = Param { value: ParamValue::Map(of_path), mark };
            if prefix.is_empty() {
                params.insert("path".into(), of_path);
            } else {
                let inner = Params::from_iter([("path".to_owned(), of_path)]);
                params.insert(prefix.to_owned(), Param { value: ParamValue::Map(inner), mark });
            }
            return;
        }
        let name = if prefix.is_empty() { "path".to_owned() } else { format!("{prefix}.path") };
        for (part, value) in named {
            params.insert(format!("{name}.{part}"), value);
        }
        for (index, segment) in path.split('/').enumerate().filter(|(_, part)| !part.is_empty()) {
            params.insert(format!("{name}[{index}]"), text(segment));
        }
        params.insert(name, text(path));
    }
}

/// A function with the location of the pattern that includes a path; `None` for a path that no
/// pattern includes, or one excludes. An invalid pattern matches no path.
fn selection(
    requested: &[Node],
    compile: fn(&str) -> Option<Regex>,
) -> impl Fn(&str) -> Option<Mark> {
    let patterns = requested.iter().filter_map(|item| {
        let path = item.get("path")?;
        let excludes = item.text_of("exclude") == Some("true");
        Some((compile(path.text()?)?, excludes, path.mark))
    });
    let patterns: Vec<(Regex, bool, Mark)> = patterns.collect();
    move |path| {
        let first = |excluded| {
            patterns.iter().find(|(it, excludes, _)| *excludes == excluded && it.is_match(path))
        };
        first(false).filter(|_| first(true).is_none()).map(|(_, _, mark)| *mark)
    }
}

/// The directories that contain a file, in the order of a walk; hidden directories are left out.
fn directories(root: &Path, files: &dyn Files) -> BTreeSet<PathBuf> {
    let mut found = BTreeSet::new();
    walk((root, MAX_SEARCHED_FOLDERS), files, &mut |entry| {
        let is_hidden = entry.shown.rsplit('/').next().is_some_and(|name| name.starts_with('.'));
        let is_content = match entry.kind {
            FileKind::File => true,
            // A hidden directory counts as content of its parent.
            FileKind::Directory => is_hidden && entry.is_own_folder() && entry.shown != ".git",
        };
        if is_content {
            // The folders above a known folder are known.
            for folder in Path::new(entry.shown).ancestors().skip(1) {
                if folder.as_os_str().is_empty() || found.contains(folder) {
                    break;
                }
                found.insert(folder.to_owned());
            }
        }
        !is_hidden && entry.is_own_folder()
    });
    found
}

/// The files, those of hidden directories included, sorted.
fn files(root: &Path, files: &dyn Files) -> Vec<String> {
    let mut found = Vec::new();
    walk((root, MAX_SEARCHED_FOLDERS), files, &mut |entry| {
        if entry.kind == FileKind::File {
            found.push(entry.shown.to_owned());
        }
        entry.is_own_folder() && entry.shown != ".git"
    });
    found.sort();
    found
}
