//! The deployment objects of a repository, as written in its files: their sources, the targets that
//! deploy them, and the state that all builds of the same files share.

mod argo_settings;
mod cache;
mod controller;
mod graph;
mod index;
mod output;
mod remotes;
mod source;

pub(super) use argo_settings::{ArgoSetting, ArgoSettings};
pub use cache::DeploymentCache;
pub(super) use graph::{
    generated_kustomization, has_kustomization, is_kustomization_file, is_yaml,
};
pub(super) use index::{
    DeploymentIndex, IGNORE_FILE, IndexedObject, KnownElements, below, is_folder,
};
pub(super) use output::{
    DataObject, TargetOutput, Variable, data_names, first_variables, has_variable, location_of,
    renumbered, renumbered_mark,
};
pub(super) use source::{ObjectRef, SourcePlace, count_common_folders, nearest, source_mark};
