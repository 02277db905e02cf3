//! The contents of a tree of folders: kustomizations, components, compositions and their files, the
//! references between them, and the targets that a change affects. Pure: files are read through
//! ports.

mod affected;
mod builds;
mod commits;
mod entries;
mod index;
mod kept_remote;
mod line_commits;
mod listing;
mod managers;
mod model;
mod reach;
mod selection;
mod targets;
mod unreached;

pub use crate::engine::load::KeptFiles;
pub use builds::{TargetBuild, build_all, build_each, map_in_parallel, map_slice_in_parallel};
pub use commits::{Commit, CommitTree, Commits, LineCommit, Lineage, NoCommits};
pub use entries::{ReferenceDestination, ReferenceEntry, UseKind};
pub use kept_remote::KeptRemote;
pub use line_commits::{LineCommits, WrittenBy};
pub use listing::{ListedFiles, Listing};
pub use managers::{Manager, ManagerKind, ObjectOrigin, managers_in, resolve_managers};
pub use model::{FileLocation, Repository, Target, TargetKind};
pub use reach::{Route, RouteEntry};
pub use selection::{is_form_of, named_object};
pub use targets::BuildTarget;
pub use unreached::UnreachedRemote;
