//! The files that a reader gave to the page: a tree or a recording, with its targets.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use serde::Serialize;

use crate::answers::recorded_build::{
    RecordedBuild, RecordedFile, RecordedPrograms, RecordedRemote, offline_options,
};
use crate::answers::relative;
use crate::engine::evaluate::{BuildOptions, Ports};
use crate::engine::load::{Files, MemoryFiles, clean};
use crate::repository::{
    ListedFiles, ProfileSettings, Repository, TargetKind, named_profile, profile_of,
};

use super::refusal::Refusal;

/// The folder of all files; it exists in memory only.
const ROOT: &str = "/files";

/// Files in memory, and how a target of them is built.
pub(crate) struct OpenedFiles {
    pub(crate) ports: Ports,
    /// The folder that paths are relative to.
    pub(crate) root: PathBuf,
    pub(crate) targets: Vec<TargetRow>,
    /// The options of the recording; `None` for a tree, where each target has its own.
    recorded: Option<BuildOptions>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct TargetRow {
    /// The name, as for `kzui build`, relative to the folder of the files.
    pub(crate) name: String,
    /// True for a target of the repository; false for a base, which can be built alone.
    pub(crate) is_target: bool,
}

impl OpenedFiles {
    /// A tree: the contents of files by their paths.
    ///
    /// # Errors
    /// A path leads out of the tree, or no file is a kustomization.
    pub(crate) fn tree(files: Vec<RecordedFile>) -> Result<Self, Refusal> {
        let root = PathBuf::from(ROOT);
        let build = RecordedBuild { files, ..RecordedBuild::default() };
        let mut memory = MemoryFiles::default();
        let mut paths = Vec::new();
        for (path, content) in build.unpacked_files() {
            let path = clean(&root.join(path));
            if !path.starts_with(&root) || path == root {
                let shown = path.display().to_string();
                return Err(Refusal::new(format!("a path leads out of the files: {shown}"))
                    .with_help("give all files by their paths below one folder"));
            }
            let content = content.unwrap_or_default();
            paths.push(path.clone());
            memory = memory.file(path, content);
        }
        paths.sort_unstable();
        let files: Arc<dyn Files> = Arc::new(memory);
        let targets = target_rows(&root, paths, &files)?;
        if targets.is_empty() {
            return Err(Refusal::new("no kustomization file in the files".to_owned())
                .with_help("add a kustomization.yaml that lists the other files"));
        }
        Ok(Self { ports: Ports::of_shared_files(files), root, targets, recorded: None })
    }

    /// A recording of `kzui record`.
    ///
    /// # Errors
    /// The file is damaged or of a newer version.
    pub(crate) fn recording(text: &str) -> Result<Self, Refusal> {
        let build = Arc::new(RecordedBuild::parse(text.as_bytes()).map_err(Refusal::from_error)?);
        let options = build.options().map_err(Refusal::from_error)?;
        let folder = Path::new(ROOT);
        let root = build.tree_below(folder);
        let files = build.unpacked_files();
        let memory = files.fold(MemoryFiles::default(), |files, (path, content)| match content {
            Some(content) => files.file(folder.join(path), content),
            None => files.directory(folder.join(path)),
        });
        let ports = Ports {
            remote: Arc::new(RecordedRemote { build: build.clone(), folder: folder.to_owned() }),
            programs: Arc::new(RecordedPrograms { build: build.clone(), root: root.clone() }),
            ..Ports::of_files(memory)
        };
        let name = relative(Path::new(&build.target_below(folder)), &root);
        let targets = vec![TargetRow { name, is_target: true }];
        Ok(Self { ports, root, targets, recorded: Some(options) })
    }

    /// The options of a target. A version profile that the reader selected takes precedence over
    /// that of the files.
    ///
    /// # Errors
    /// The profile is unknown, or a settings file is not valid.
    pub(crate) fn options(
        &self,
        target: &str,
        like: Option<&str>,
    ) -> Result<BuildOptions, Refusal> {
        let options = self.recorded.clone().unwrap_or_else(offline_options);
        if let Some(name) = like {
            let profile = named_profile(name, "").map_err(Refusal::from_error)?;
            return Ok(options.like(profile));
        }
        if self.recorded.is_some() {
            return Ok(options);
        }
        let (none, files) = (ProfileSettings::default(), &*self.ports.files);
        let profile = profile_of(None, &none, &self.root.join(target), files);
        Ok(BuildOptions { profile: profile.map_err(Refusal::from_error)?, ..options })
    }
}

/// The targets of a tree, then its bases.
fn target_rows(
    root: &Path,
    paths: Vec<PathBuf>,
    files: &Arc<dyn Files>,
) -> Result<Vec<TargetRow>, Refusal> {
    let repository = Repository::read(root, &ListedFiles(paths), &**files);
    let mut repository = repository.map_err(Refusal::from_error)?;
    repository.read_objects(files);
    let mut targets = Vec::from_iter(repository.all_target_names());
    targets.sort_by_key(|target| repository.target(target).is_some());
    let targets = targets.iter().map(|target| (repository.shown(target), true));
    let mut rows: Vec<TargetRow> =
        targets.map(|(name, is_target)| TargetRow { name, is_target }).collect();
    for base in repository.targets().filter(|target| target.kind != TargetKind::Component) {
        let name = repository.shown(&base.folder);
        if !rows.iter().any(|row| row.name == name) {
            rows.push(TargetRow { name, is_target: false });
        }
    }
    Ok(rows)
}
