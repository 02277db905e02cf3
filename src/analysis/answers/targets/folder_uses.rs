//! The folders of a repository that are built, as far as its files show.

use std::cell::{OnceCell, RefCell};
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Component, Path, PathBuf};

use crate::answers::lint::finding_kind::WantedObject;
use crate::engine::load::{Files, clean};
use crate::engine::yaml::{Node, parse_nodes};
use crate::repository::{LocatedDeploymentObject, Repository, Target, is_yaml};

use super::build_commands::{
    Commands, DOCUMENT_ENDINGS, SOURCE_ENDINGS, is_end_of_path, names_path, occurrences,
};

const MAX_TEXT_BYTES: usize = 1 << 20;

/// The endings of scripts and build files; a file without an ending may be one as well.
const SCRIPT_ENDINGS: [&str; 9] = ["sh", "bash", "ps1", "mk", "yml", "yaml", "toml", "tf", "json"];

pub(super) const FOREIGN_FOLDERS: [&str; 5] =
    ["vendor", "node_modules", "third_party", "third-party", "upstream"];

/// Folders with a variant of the same target in each folder below them: a person builds one of them
/// like the others.
const VARIANT_FOLDERS: [&str; 6] =
    ["overlays", "environments", "envs", "env", "instances", "variants"];

/// The documents, scripts and deployment objects of a repository that build its folders.
pub(super) struct FolderUses<'r> {
    pub(super) repository: &'r Repository,
    pub(super) files: &'r dyn Files,
    known: KnownUses<'r>,
}

#[derive(Default)]
struct KnownUses<'r> {
    texts: OnceCell<Vec<(&'r Path, String, Commands)>>,
    comments: OnceCell<BTreeMap<PathBuf, (&'r Path, usize)>>,
    active_objects: OnceCell<Vec<&'r LocatedDeploymentObject>>,
    out_of_use: RefCell<BTreeMap<PathBuf, bool>>,
    switched_off: RefCell<BTreeMap<PathBuf, bool>>,
    is_any_built: OnceCell<bool>,
}

impl<'r> FolderUses<'r> {
    pub(super) fn new(repository: &'r Repository, files: &'r dyn Files) -> Self {
        Self { repository, files, known: KnownUses::default() }
    }

    pub(super) fn root(&self) -> &'r Path {
        &self.repository.root
    }

    pub(super) fn object(&self, target: &Path) -> Option<&'r LocatedDeploymentObject> {
        self.repository.objects.iter().find(|object| object.target() == target)
    }

    pub(super) fn has_users(&self, path: &Path) -> bool {
        self.repository.users(path).next().is_some()
    }

    /// True for a folder that, as far as is known, no part of the repository builds: its owner has
    /// switched it off in a comment, or deployment objects, scripts or documents build other
    /// folders, but neither this one nor one that leads to it.
    pub(super) fn is_out_of_use(&self, folder: &Path) -> bool {
        let known = &self.known.out_of_use;
        if let Some(known) = known.borrow().get(folder) {
            return *known;
        }
        // The answer while the folders of a cycle are read.
        known.borrow_mut().insert(folder.to_owned(), true);
        let is_unused = || {
            if self.comments().contains_key(folder) {
                !self.is_named(folder)
            } else {
                self.is_any_built() && !self.is_built(folder)
            }
        };
        let answer = self.repository.target(folder).is_some()
            && is_unused()
            && self.repository.users(folder).all(|(user, _)| self.is_out_of_use(&user.folder));
        known.borrow_mut().insert(folder.to_owned(), answer);
        answer
    }

    fn is_any_built(&self) -> bool {
        let is_any = || self.repository.targets().any(|target| self.is_built(&target.folder));
        *self.known.is_any_built.get_or_init(is_any)
    }

    /// True for a folder that a deployment object builds, or that a script or document builds by its
    /// path.
    pub(super) fn is_applied(&self, folder: &Path) -> bool {
        self.repository.objects.iter().any(|object| object.folders().any(|it| it == folder))
            || self.is_named(folder)
    }

    fn is_built(&self, folder: &Path) -> bool {
        self.is_deployed(folder) || self.is_named(folder) || self.is_variant_in_use(folder)
    }

    /// True for a variant of a target of which another variant is built, or that a text names by its
    /// folder.
    fn is_variant_in_use(&self, folder: &Path) -> bool {
        let name = |path: &Path| Some(path.file_name()?.to_str()?.to_owned());
        let Some(parent) = folder.parent() else { return false };
        if !name(parent).is_some_and(|name| VARIANT_FOLDERS.contains(&&*name)) {
            return false;
        }
        let others = self.repository.targets().map(|target| &*target.folder);
        let mut others = others.filter(|other| *other != folder && other.parent() == Some(parent));
        others.any(|other| self.is_deployed(other) || self.is_named(other))
            || name(folder).filter(|name| name.contains('-')).is_some_and(|name| {
                self.texts().iter().any(|(_, text, _)| occurrences(text, &name).any(is_end_of_path))
            })
    }

    /// True for a folder that a deployment object builds or may build in the cluster, and for one
    /// that holds an object, as a folder that is applied by hand does.
    pub(super) fn is_deployed(&self, folder: &Path) -> bool {
        self.active_objects().iter().any(|object| {
            let mut built = object.folders().chain(&object.components);
            // Without a kustomization, the controller builds everything below it.
            built.any(|it| {
                it == folder || folder.starts_with(it) && self.repository.target(it).is_none()
            }) || object.at.file.starts_with(folder)
                || object.builds.is_none() && is_in_variable_path(folder, self.root(), &object.path)
        })
    }

    /// The deployment objects that are no samples, and that their owner has not switched off.
    fn active_objects(&self) -> &[&'r LocatedDeploymentObject] {
        self.known.active_objects.get_or_init(|| {
            let is_active = |object: &&LocatedDeploymentObject| {
                let below = object.at.file.strip_prefix(self.root());
                below.is_ok_and(|below| !is_sample(below))
                    && self.comment_of(&object.at.file).is_none()
                    && !self.is_switched_off(&object.at.file)
            };
            self.repository.objects.iter().filter(is_active).collect()
        })
    }

    /// True if a script names the path of a folder, or a document or a program has a command that
    /// builds it.
    fn is_named(&self, folder: &Path) -> bool {
        let Ok(path) = folder.strip_prefix(self.root()) else { return true };
        let Some(path) = path.to_str().filter(|path| !path.is_empty()) else { return true };
        let is_example = is_example(path);
        let names_path = |line: &str, path: &str| names_path(line, path, is_example);
        let documents = document_folder(path).map(|it| self.root().join(it));
        self.texts().iter().any(|(file, text, commands)| {
            if documents.as_ref().is_some_and(|documents| file.starts_with(documents)) {
                return false;
            }
            let beside = file.parent().and_then(|beside| folder.strip_prefix(beside).ok());
            let beside = beside.and_then(Path::to_str).filter(|beside| !beside.is_empty());
            let mut lines = commands.lines.iter().filter_map(|range| text.get(range.clone()));
            commands.builds_each_folder && !is_example
                || lines.any(|line| {
                    names_path(line, path) || beside.is_some_and(|beside| names_path(line, beside))
                })
        })
    }

    /// The documents, scripts, programs and build files, without the kustomizations.
    fn texts(&self) -> &[(&'r Path, String, Commands)] {
        self.known.texts.get_or_init(|| {
            let is_text = |file: &&PathBuf| {
                let name = file.file_name().unwrap_or_default().to_string_lossy();
                let ending = file.extension().map(|ending| ending.to_string_lossy());
                let target = self.repository.target(file.parent().unwrap_or(file));
                target.is_none_or(|target| target.file != **file)
                    && (name.contains("Makefile")
                        || ending.is_none_or(|ending| {
                            let known = [&SCRIPT_ENDINGS[..], &DOCUMENT_ENDINGS, &SOURCE_ENDINGS];
                            known.iter().any(|endings| endings.contains(&&*ending))
                        }))
            };
            let read = |file: &'r PathBuf| {
                let bytes = self.files.read(file).ok();
                let bytes = bytes.filter(|bytes| bytes.len() <= MAX_TEXT_BYTES)?;
                let text = String::from_utf8_lossy(&bytes).into_owned();
                let commands = Commands::in_text(file, &text);
                Some((&**file, text, commands))
            };
            let is_own = |file: &&PathBuf| {
                let below = file.strip_prefix(self.root()).unwrap_or(file);
                !folder_names(below).any(|name| FOREIGN_FOLDERS.contains(&name))
            };
            let objects: BTreeSet<&Path> =
                self.repository.objects.iter().map(|it| &*it.at.file).collect();
            let is_used = |file: &&PathBuf| {
                let is_object = objects.contains(&***file);
                self.comment_of(file).is_none() && !(is_object && self.is_switched_off(file))
            };
            let files = self.repository.files.iter().filter(is_own).filter(is_text);
            files.filter(is_used).filter_map(read).collect()
        })
    }

    pub(super) fn have_line(&self, is_it: impl Fn(&str) -> bool) -> bool {
        self.texts().iter().any(|(_, text, _)| text.lines().any(&is_it))
    }

    /// True if the Argo CD of the repository mounts another program over its Kustomize, whose release
    /// is not known.
    pub(super) fn has_other_kustomize(&self) -> bool {
        self.have_line(|line| line.trim().ends_with("mountPath: /usr/local/bin/kustomize"))
    }

    pub(super) fn objects_with_line(&self, wanted: &str) -> usize {
        let all: BTreeSet<&Path> = self.repository.objects.iter().map(|it| &*it.at.file).collect();
        let has_line = |file: &&&Path| {
            let text = self.files.read(file).unwrap_or_default();
            String::from_utf8_lossy(&text).lines().any(|line| line.trim() == wanted)
        };
        all.iter().filter(has_line).count()
    }

    pub(super) fn scripts(&self) -> impl Iterator<Item = (&'r Path, &str)> {
        let texts = self.texts().iter().map(|(file, text, _)| (*file, text.as_str()));
        texts.filter(|(file, _)| {
            let ending = file.extension().map(|ending| ending.to_string_lossy());
            ending.is_none_or(|ending| !DOCUMENT_ENDINGS.contains(&&*ending))
        })
    }

    /// True for the file of an object that no kustomization lists, although one has it in a comment,
    /// or the one beside or above it lists other deployment objects: its owner switched it off.
    pub(super) fn is_switched_off(&self, file: &Path) -> bool {
        let is_off = || self.comment_of(file).is_some() || self.is_left_out_of_list(file);
        *self.known.switched_off.borrow_mut().entry(file.to_owned()).or_insert_with(is_off)
    }

    fn is_left_out_of_list(&self, file: &Path) -> bool {
        let name = file.file_name().unwrap_or_default().to_string_lossy();
        let mut above = file.ancestors().skip(1).take(2);
        let mut unlisted = file.ancestors().take(2);
        let list = above.find_map(|folder| self.repository.target(folder));
        let Some(list) = list else { return false };
        let is_comment = |line: &str| {
            let comment = line.trim_start().strip_prefix('#');
            comment.is_some_and(|text| text.contains("- ") && text.contains(&*name))
        };
        let text = self.files.read(&list.file).unwrap_or_default();
        let is_object = |path: &Path| {
            let mut files = self.repository.objects.iter().map(|it| &*it.at.file);
            files.any(|it| it == path || it.parent() == Some(path))
        };
        unlisted.all(|path| path == list.folder || !self.has_users(path))
            && (String::from_utf8_lossy(&text).lines().any(is_comment)
                || list.uses.iter().filter_map(|entry| entry.to.path()).any(is_object))
    }

    /// The kustomization, and its line, that has a file or folder in a comment, which no other one
    /// lists: its owner switched it off.
    pub(super) fn comment_of(&self, path: &Path) -> Option<(&'r Path, usize)> {
        let comment = self.comments().get(path).copied();
        comment.filter(|_| !self.has_users(path))
    }

    /// The files and folders that kustomizations have in comments, with the first of these lines.
    fn comments(&self) -> &BTreeMap<PathBuf, (&'r Path, usize)> {
        self.known.comments.get_or_init(|| {
            let mut all = BTreeMap::new();
            for target in self.repository.targets() {
                let Ok(text) = self.files.read(&target.file) else { continue };
                for (index, line) in String::from_utf8_lossy(&text).lines().enumerate() {
                    let comment = line.trim_start().strip_prefix('#');
                    let entry = comment.map(|it| it.trim_start_matches(['#', ' ']));
                    let path =
                        entry.and_then(|it| it.strip_prefix("- ")?.split_whitespace().next());
                    if let Some(path) = path {
                        all.entry(clean(&target.folder.join(path)))
                            .or_insert((&*target.file, index + 1));
                    }
                }
            }
            all
        })
    }

    /// The file with an object of this kind and name that its owner switched off in a comment, and
    /// the kustomization and line of the comment.
    pub(super) fn switched_off_object(
        &self,
        wanted: &WantedObject,
    ) -> Option<(&Path, (&'r Path, usize))> {
        self.comments().keys().find_map(|file| {
            let comment = self.comment_of(file)?;
            self.object_in(file, wanted).map(|_| (&**file, comment))
        })
    }

    /// The file and line of an object that is commented out in a file with other objects.
    pub(super) fn commented_object(&self, wanted: &WantedObject) -> Option<(&'r Path, usize)> {
        let comment = |line: &str| {
            let text = line.trim_start().strip_prefix('#')?;
            Some(text.trim_start_matches('#').trim().to_owned())
        };
        let (kind, name) = (format!("kind: {}", wanted.kind), format!("name: {}", wanted.name));
        let yaml = self.repository.files.iter().filter(|it| is_yaml(it));
        yaml.filter(|_| !wanted.kind.is_empty()).find_map(|file| {
            let bytes = self.files.read(file).ok()?;
            let text = String::from_utf8_lossy(&bytes);
            if !text.contains(&name) {
                return None;
            }
            let lines: Vec<Option<String>> = text.lines().map(comment).collect();
            let has = |line: &Option<String>, wanted: &String| line.as_ref() == Some(wanted);
            let at = lines.iter().enumerate().position(|(at, line)| {
                let above = lines.get(at.saturating_sub(4)..at).unwrap_or_default();
                has(line, &name) && above.iter().any(|line| has(line, &kind))
            })?;
            Some((&**file, at + 1))
        })
    }

    pub(super) fn unlisted_object(&self, wanted: &WantedObject) -> Option<(&'r Path, Node)> {
        let is_one = |file: &&PathBuf| {
            let is_patch = file.file_name().unwrap_or_default().to_string_lossy().contains("patch");
            is_yaml(file) && !is_patch && self.comment_of(file).is_none()
        };
        let files = self.repository.files.iter().filter(is_one).map(PathBuf::as_path);
        let mut unlisted = files.filter(|file| {
            let is_list = |target: &Target| target.file == **file;
            let beside = self.repository.target(file.parent().unwrap_or(file));
            beside.is_some_and(|target| !is_list(target)) && !self.has_users(file)
        });
        unlisted.find_map(|file| Some((file, self.object_in(file, wanted)?)))
    }

    fn object_in(&self, file: &Path, wanted: &WantedObject) -> Option<Node> {
        let bytes = self.files.read(file).ok()?;
        if !String::from_utf8_lossy(&bytes).contains(&wanted.name) {
            return None;
        }
        let is_wanted = |node: &Node| {
            node.text_at(&["metadata", "name"]) == Some(&*wanted.name)
                && (wanted.kind.is_empty() || node.text_of("kind") == Some(&*wanted.kind))
        };
        let parsed = parse_nodes(&bytes).ok()?;
        parsed.into_iter().find(is_wanted)
    }

    /// True for folders of a repository of Flux that no object deploys: their custom resources are
    /// in no cluster.
    pub(super) fn are_without_flux(&self, targets: &[PathBuf]) -> bool {
        let is_flux = |object: &LocatedDeploymentObject| {
            object.definition.is_flux() && object.builds.is_some()
        };
        self.repository.objects.iter().any(is_flux)
            && targets.iter().all(|target| self.repository.target(target).is_some())
    }
}

/// True if the path of an object, which is known only in the cluster, may become this folder: the
/// text before its first variable is the beginning of the folder's path. A path that is a variable
/// alone names no folder.
fn is_in_variable_path(folder: &Path, root: &Path, path: &str) -> bool {
    let start = [path.find("{{"), path.find("${")].into_iter().flatten().min();
    let fixed = start.and_then(|at| path.get(..at)).unwrap_or_default();
    let fixed = fixed.strip_prefix('.').filter(|it| it.starts_with('/')).unwrap_or(fixed);
    let fixed = fixed.trim_start_matches('/');
    let below = folder.strip_prefix(root).ok().and_then(Path::to_str);
    !fixed.is_empty() && below.is_some_and(|below| below.starts_with(fixed))
}

/// Folders with deployment objects that are examples or inputs of tests.
const SAMPLE_FOLDERS: [&str; 6] = ["sample", "samples", "example", "examples", "test", "tests"];

pub(super) fn is_sample(below: &Path) -> bool {
    folder_names(below).any(|name| SAMPLE_FOLDERS.contains(&name))
}

const EXAMPLE_FOLDERS: [&str; 6] = ["sample", "samples", "example", "examples", "doc", "docs"];

/// True for a folder of examples or documents, or in a hidden folder: a general command does not
/// build it.
fn is_example(path: &str) -> bool {
    path.split('/').any(|name| name.starts_with('.') || EXAMPLE_FOLDERS.contains(&name))
}

/// The outermost folder of documents in a path: the documents in it describe their own examples.
fn document_folder(path: &str) -> Option<&Path> {
    let outermost = Path::new(path)
        .ancestors()
        .filter(|above| above.file_name().is_some_and(|name| name == "doc" || name == "docs"));
    outermost.last()
}

pub(super) fn folder_names(below: &Path) -> impl Iterator<Item = &str> {
    let folders = below.parent().into_iter().flat_map(Path::components);
    folders.filter_map(|part| match part {
        Component::Normal(name) => name.to_str(),
        _ => None,
    })
}
