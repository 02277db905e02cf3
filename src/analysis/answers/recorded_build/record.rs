//! Records a build: runs it, masks its inputs, and runs it again from the recording.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use super::format::{
    CLONES, NOTICE, RECORDING_VERSION, RecordedBuild, RecordedContent, RecordedDownload,
    RecordedFile, TREE,
};
use super::ports::{NotedAnswers, NotedPorts, RecordedRemote, RepeatedPrograms};
use crate::answers::recording::field::{leaves, path_text};
use crate::answers::secrets::Secrets;
use crate::engine::evaluate::{
    BuildCache, BuildOptions, DeploymentCache, Evaluation, Ports, StepOutcome, evaluate,
    target_file_names,
};
use crate::engine::load::{FileKind, Files, MemoryFiles, RecordedQuery, RecordingFiles, clean};
use crate::engine::plugin::Programs;
use crate::engine::resource::Resource;

/// The folder in which the recorded build is repeated.
pub(super) const MEMORY_ROOT: &str = "/recording";

pub struct BuildToRecord<'a> {
    /// The target as on the command line.
    pub target: &'a str,
    pub current: &'a Path,
    pub options: &'a BuildOptions,
    pub ports: &'a Ports,
    /// The salt of the texts that replace masked values.
    pub salt: [u8; 16],
    /// The flags with which a reader repeats the build.
    pub flags: Vec<String>,
    pub kzui_version: &'a str,
}

struct BuildInputs {
    files: BTreeMap<PathBuf, Arc<[u8]>>,
    links: BTreeMap<PathBuf, PathBuf>,
    folders: BTreeSet<PathBuf>,
    answers: NotedAnswers,
}

/// Records a build. A build that fails or has pending steps is recorded too, so that it can be
/// reported.
///
/// # Errors
/// The target is not on disk, or the masked build differs from the original.
pub fn record_build(asked: &BuildToRecord<'_>) -> Result<RecordedBuild, String> {
    let (path, object) = match asked.target.split_once('#') {
        Some((path, object)) => (path, format!("#{object}")),
        None => (asked.target, String::new()),
    };
    let (path, kind) = resolve_target(&clean(&asked.current.join(path)), asked)?;
    let files = Arc::new(RecordingFiles::new(asked.ports.files.clone()));
    let noted = Arc::new(NotedPorts {
        remote: asked.ports.remote.clone(),
        programs: asked.ports.programs.clone(),
        noted: Mutex::default(),
    });
    let ports = Ports {
        files: files.clone(),
        remote: noted.clone(),
        programs: noted.clone(),
        deployments: DeploymentCache::default(),
        ..asked.ports.clone()
    };
    let target = format!("{}{object}", path.to_string_lossy());
    let original =
        evaluate(&target, asked.current, asked.options, &ports, &mut BuildCache::disabled());
    let mut secrets = Secrets::masked(asked.salt);
    secrets.learn(&original.trace);
    for resource in original.outcome.iter().flatten() {
        secrets.learn_resource(resource, &original.trace.sources);
    }
    let inputs = BuildInputs::gather(&files, noted.noted().clone());
    let folder = if kind == FileKind::Directory { &path } else { path.parent().unwrap_or(&path) };
    let root = inputs.common_folder(folder);
    let target = portable(path.strip_prefix(&root).unwrap_or(&path)) + &object;
    let mut build = empty_recording(asked, target, original.trace.profile.name(), &secrets);
    inputs.add_to(&mut build, &root, &secrets);
    let tree = build.tree_below(Path::new(MEMORY_ROOT));
    let repeated = Arc::new(RepeatedPrograms {
        inner: asked.ports.programs.clone(),
        ended: inputs.answers.ended,
        secrets,
        root: tree.clone(),
        recorded: Mutex::default(),
    });
    let files = Arc::new(memory_files(&build));
    let (again, _) = repeat(asked, &build, files, repeated.clone());
    let recorded = repeated.recorded.lock().unwrap_or_else(PoisonError::into_inner);
    build.programs.clone_from(&recorded);
    match first_difference(&original, &again) {
        Some(difference) => Err(format!(
            "the recording would show another build than the files: {difference}; help: values of Secrets are masked, and only files below one folder, downloads and outputs of programs are recorded"
        )),
        None => Ok(build),
    }
}

/// The target, links resolved. Refused are, unless a deployment object is named, a folder without a
/// kustomization and a file that is a recording.
fn resolve_target(path: &Path, asked: &BuildToRecord<'_>) -> Result<(PathBuf, FileKind), String> {
    let (target, files) = (asked.target, &asked.ports.files);
    let (path, kind) = files.resolve(path).map_err(|_| {
        format!("{target} is not a folder or a file: only a target on disk can be recorded")
    })?;
    if target.contains('#') {
        return Ok((path, kind));
    }
    if kind == FileKind::Directory {
        let is_target = target_file_names().any(|file| files.resolve(&path.join(file)).is_ok());
        if !is_target {
            return Err(format!("{target} has no kustomization file"));
        }
    } else if files.read(&path).is_ok_and(|bytes| RecordedBuild::is_recording(&bytes)) {
        return Err(format!("{target} is a recording already: copy the file"));
    }
    Ok((path, kind))
}

fn empty_recording(
    asked: &BuildToRecord<'_>,
    target: String,
    profile: &str,
    secrets: &Secrets,
) -> RecordedBuild {
    let profile = format!("--like={profile}");
    let flags = std::iter::once(&profile).chain(&asked.flags);
    RecordedBuild {
        kzui_recording: RECORDING_VERSION,
        kzui_version: asked.kzui_version.to_owned(),
        notice: NOTICE.to_owned(),
        target,
        flags: flags.map(|word| secrets.text(word)).collect(),
        ..RecordedBuild::default()
    }
}

/// The files of a recording, below [`MEMORY_ROOT`].
pub(super) fn memory_files(build: &RecordedBuild) -> MemoryFiles {
    let root = Path::new(MEMORY_ROOT);
    build.unpacked_files().fold(MemoryFiles::default(), |files, (path, content)| match content {
        Some(content) => files.file(root.join(path), content),
        None => files.directory(root.join(path)),
    })
}

pub(super) fn repeat(
    asked: &BuildToRecord<'_>,
    build: &RecordedBuild,
    files: Arc<dyn Files>,
    programs: Arc<dyn Programs>,
) -> (Evaluation, Ports) {
    let root = Path::new(MEMORY_ROOT);
    let remote = RecordedRemote { build: Arc::new(build.clone()), folder: root.to_owned() };
    let ports = Ports {
        files,
        remote: Arc::new(remote),
        programs,
        deployments: DeploymentCache::default(),
        ..asked.ports.clone()
    };
    let (target, current) = (build.target_below(root), build.tree_below(root));
    let evaluation =
        evaluate(&target, &current, asked.options, &ports, &mut BuildCache::disabled());
    (evaluation, ports)
}

/// The first difference between two builds, except for values; `None` if they have the same form.
fn first_difference(original: &Evaluation, again: &Evaluation) -> Option<String> {
    let pending = |evaluation: &Evaluation| {
        let steps = evaluation.trace.steps.iter();
        steps.filter(|step| matches!(step.outcome, StepOutcome::Waiting(_))).count()
    };
    match (&original.outcome, &again.outcome) {
        (Ok(_), Err(error)) => Some(error.message.clone()),
        (Err(error), Ok(_)) => Some(format!("it has no error {}", error.code().as_str())),
        (Err(one), Err(other))
            if (one.code(), one.mark.line) != (other.code(), other.mark.line) =>
        {
            Some(other.message.clone())
        }
        _ if pending(original) != pending(again) => Some(
            "other steps are pending (trust in a catalog is not recorded: if its functions ran, \
             record without --trusted-catalog, and they are pending in the file)"
                .to_owned(),
        ),
        (Err(_), Err(_)) => None,
        (Ok(one), Ok(other)) => {
            let form = |resource: &Resource| {
                let id = resource.original_id();
                let fields = leaves(&resource.node).into_iter().map(|(path, ..)| path_text(&path));
                (format!("{}/{}", id.gvk.kind, id.name), fields.collect::<Vec<String>>())
            };
            let (one, other) = (one.iter().map(|it| form(it)), other.iter().map(|it| form(it)));
            let (one, other): (Vec<_>, Vec<_>) = (one.collect(), other.collect());
            if one.len() != other.len() {
                return Some(format!("{} objects in place of {}", other.len(), one.len()));
            }
            let pair = one.into_iter().zip(other).find(|(one, other)| one != other);
            pair.map(|((name, _), _)| format!("the fields of {name}"))
        }
    }
}

impl BuildInputs {
    fn gather(files: &RecordingFiles, answers: NotedAnswers) -> Self {
        let (files_read, links, folders) = (BTreeMap::new(), BTreeMap::new(), BTreeSet::new());
        let mut found = Self { files: files_read, links, folders, answers };
        for query in files.queries_since(0) {
            // The files of git name other places of this machine.
            let is_git = query.path().components().any(|part| part.as_os_str() == ".git");
            if is_git || found.answers.located.contains(query.path()) {
                continue;
            }
            match &*query {
                RecordedQuery::Read(path, Ok(bytes)) => {
                    found.files.insert(clean(path), bytes.clone());
                }
                RecordedQuery::Resolve(path, Ok((real, FileKind::File))) => {
                    if clean(path) != *real {
                        found.links.insert(clean(path), real.clone());
                    }
                    // If the file is not read later, the build asked only whether it exists.
                    found.files.entry(real.clone()).or_default();
                }
                RecordedQuery::Resolve(_, Ok((real, FileKind::Directory))) => {
                    found.folders.insert(real.clone());
                }
                _ => {}
            }
        }
        found
    }

    fn in_clone<'p>(&self, path: &'p Path) -> Option<(usize, &'p Path)> {
        let mut clones = self.answers.clones.iter().enumerate();
        clones.find_map(|(number, (_, folder))| Some((number, path.strip_prefix(folder).ok()?)))
    }

    /// The innermost folder that contains the folder of the target and all files of the user.
    fn common_folder(&self, target: &Path) -> PathBuf {
        let own = self.files.keys().chain(self.links.keys());
        let own = own.filter(|path| self.in_clone(path).is_none()).filter_map(|it| it.parent());
        own.fold(target.to_owned(), |root, folder| {
            let parts = root.components().zip(folder.components());
            parts.take_while(|(one, other)| one == other).map(|(part, _)| part).collect()
        })
    }

    /// The path of a file or folder in a recording; `None` for a folder above the root.
    fn recorded_path(&self, path: &Path, root: &Path) -> Option<String> {
        let below = match self.in_clone(path) {
            Some((number, below)) => Path::new(CLONES).join(number.to_string()).join(below),
            None => Path::new(TREE).join(path.strip_prefix(root).ok()?),
        };
        Some(portable(&below))
    }

    fn add_to(&self, build: &mut RecordedBuild, root: &Path, secrets: &Secrets) {
        let links =
            self.links.iter().filter_map(|(path, real)| Some((path, self.files.get(real)?)));
        let mut files: BTreeMap<String, RecordedContent> = BTreeMap::new();
        for (path, bytes) in self.files.iter().chain(links) {
            let Some(name) = self.recorded_path(path, root) else { continue };
            let masked = secrets.recorded_file(path, bytes);
            if *masked != **bytes {
                build.masked.push(name.clone());
            }
            files.entry(name).or_insert_with(|| RecordedContent::from_bytes(&masked));
        }
        let is_empty = |folder: &&String| {
            let below = format!("{folder}/");
            files.range(below.clone()..).next().is_none_or(|(path, _)| !path.starts_with(&below))
        };
        let folders = self.folders.iter().filter_map(|folder| self.recorded_path(folder, root));
        let folders: Vec<String> = folders.collect::<BTreeSet<String>>().into_iter().collect();
        let empty: Vec<String> = folders.iter().filter(is_empty).cloned().collect();
        build.files = files
            .into_iter()
            .map(|(path, content)| RecordedFile { path, content: Some(content) })
            .chain(empty.into_iter().map(|path| RecordedFile { path, content: None }))
            .collect();
        for (url, answer) in &self.answers.downloads {
            let masked = secrets.recorded_file(Path::new(url), &answer.body);
            if *masked != *answer.body {
                build.masked.push(url.clone());
            }
            build.downloads.push(RecordedDownload {
                url: url.clone(),
                status: answer.status,
                reason: answer.reason.clone(),
                content: RecordedContent::from_bytes(&masked),
            });
        }
        build.clones = self.answers.clones.iter().map(|(clone, _)| clone.clone()).collect();
        build.masked.sort_unstable();
        build.masked.dedup();
    }
}

/// A relative path with `/`.
fn portable(path: &Path) -> String {
    let parts = path.components().map(|part| part.as_os_str().to_string_lossy().into_owned());
    parts.collect::<Vec<String>>().join("/")
}
