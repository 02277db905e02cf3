//! Adapters of this machine for the Board and the Compare screen.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use kzui::answers::RepositoryBuilds;
use kzui::answers::compare::{
    CompareReport, CompareSettings, ComparedSide, SideSources, branch_sides, compare_sides,
    disk_tree, parse_sides,
};
use kzui::answers::secrets::Secrets;
use kzui::cli::profile_of;
use kzui::draft::FileChange;
use kzui::engine::evaluate::{BuildOptions, FunctionAnswers, Ports};
use kzui::host::{self, DiskFiles, DiskListing};
use kzui::repository::BuildProgress;
use kzui::repository::{RepositoryCache, folder_around};
use kzui::tui::{Comparison, ComparisonSides};

use super::repository;

/// The folder of the repository, and the folder whose targets the Board lists.
pub(super) struct BoardFolders {
    /// The folder of the repository; the dependency graph covers all of it.
    pub(super) root: PathBuf,
    pub(super) scope: PathBuf,
}

impl BoardFolders {
    /// The folders for an opened folder: for a target its repository, or without git the folder
    /// with everything that it reads; for any other folder the targets below it.
    pub(super) fn around(folder: &Path, is_target: bool) -> Self {
        let top = folder.ancestors().find(|above| above.join(".git").exists());
        let root = match (top, is_target) {
            (Some(top), _) => top.to_owned(),
            (None, true) => folder_around(folder, &DiskFiles),
            (None, false) => folder.to_owned(),
        };
        let scope = if is_target { root.clone() } else { folder.to_owned() };
        Self { root, scope }
    }
}

pub(super) fn builds_with_ports(
    root: &Path,
    options: BuildOptions,
    ports: Ports,
) -> RepositoryBuilds {
    RepositoryBuilds::new(root, Arc::new(DiskListing), options, ports, *repository::SALT)
}

/// Compares two sides. `opened` is the folder whose drafts the workbench shows.
pub(super) fn compare(
    root: &Path,
    current: &Path,
    opened: &Path,
    (options, answers, progress): (&BuildOptions, FunctionAnswers, Option<BuildProgress>),
    what: &Comparison,
    ports: &Ports,
) -> Result<CompareReport, String> {
    let sources = SideSources {
        files: ports.files.clone(),
        current: current.to_owned(),
        opened: Some(opened.to_owned()),
        open_draft: what.sides.open_draft().cloned(),
        listing: Arc::new(DiskListing),
        indexes: RepositoryCache::default(),
        commits: &repository::commits,
        drafts: &repository::drafts,
        input: &host::read_standard_input,
    };
    let masked = Secrets::masked(*repository::SALT);
    let secrets = if what.show_secrets { Secrets::shown() } else { masked };
    let (one, other);
    let mut how = CompareSettings {
        answers,
        bases: what.bases,
        most: what.most,
        progress,
        ..CompareSettings::new(ports, options, secrets)
    };
    let with_profile = |like: &Option<String>| {
        let Some(version) = like else { return Ok(options.clone()) };
        let (default, _) = super::settings::like();
        let profile = profile_of(Some(version), &default, current, &DiskFiles);
        Ok::<_, String>(options.like(profile.map_err(|error| error.to_string())?))
    };
    let drafted = |name, changes: &[FileChange]| {
        disk_tree(name, root, changes, &sources).map(ComparedSide::Tree)
    };
    how.every_target = matches!(what.sides, ComparisonSides::Draft(_) | ComparisonSides::Edit(_));
    let (before, after) = match &what.sides {
        ComparisonSides::Draft(changes) => {
            (drafted("the files", &[])?, drafted("the draft", changes)?)
        }
        ComparisonSides::Edit([without, with]) => {
            (drafted("without the edit", without)?, drafted("with the edit", with)?)
        }
        ComparisonSides::Branch => {
            branch_sides(&SideSources { current: root.to_owned(), ..sources })?
        }
        ComparisonSides::Words { before, after, like: [like_a, like_b], .. } => {
            (one, other) = (with_profile(like_a)?, with_profile(like_b)?);
            (how.before, how.after) = (&one, &other);
            parse_sides(before, after.as_deref(), &sources)?
        }
    };
    compare_sides(&before, &after, &how)
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    #[test]
    fn folder_without_git_contains_the_base_of_the_target() {
        let tree = tempfile::tempdir().unwrap();
        let top = tree.path().canonicalize().unwrap();
        for (folder, text) in [("base", ""), ("overlays/dev", "resources: [../../base]\n")] {
            fs::create_dir_all(top.join(folder)).unwrap();
            fs::write(top.join(folder).join("kustomization.yaml"), text).unwrap();
        }
        let target = top.join("overlays/dev");
        assert_eq!(BoardFolders::around(&target, true).scope, top);
        assert_eq!(BoardFolders::around(&top.join("overlays"), false).root, top.join("overlays"));
    }
}
