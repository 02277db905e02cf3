//! The contents of a tree of folders: kustomizations, components, compositions and their files, the
//! references between them, and the targets that a change affects. Pure: files are read through
//! ports.

mod affected;
mod builds;
mod commits;
mod entries;
mod line_commits;
mod listing;
mod model;
mod object_search;
mod remote_failures;
mod repository_cache;
mod selection;
mod settings;
mod surroundings;

pub use crate::engine::evaluate::{FileLocation, LocatedDeploymentObject};
pub use crate::engine::load::KeptFiles;
pub use affected::Route;
pub use builds::{
    BuildProgress, MAX_TARGETS_PER_CACHE, build_outputs, build_targets_separately, map_in_parallel,
    map_pair_in_parallel, map_slice_in_parallel, map_with_cache,
};
pub use commits::{Commit, CommitTree, Commits, LineCommit, Lineage, missing_content};
pub use entries::{ReferenceDestination, ReferenceEntry, UseKind};
pub use line_commits::{LineCommits, WrittenBy};
pub use listing::{ListedFiles, Listing};
pub use model::{Repository, Target, TargetKind, is_yaml};
pub use object_search::{may_be_object_name, object_with_name};
pub use remote_failures::FailureRecorder;
pub use repository_cache::RepositoryCache;
pub use selection::{is_object_name, named_object};
pub use settings::{
    ProfileSettings, REPOSITORY_FILE, named as named_profile, profile_of, repository_settings,
    with_target_profiles,
};
pub use surroundings::folder_around;
