//! The deployment objects of a repository, as written in its files: their sources, the targets that
//! deploy them, and the state that all builds of the same files share.

mod argo_settings;
mod cache;
mod controller;
mod data_names;
mod found;
mod generate;
mod graph;
mod index;
mod output;
mod remotes;
mod renumbered;
mod source;
mod url;
mod variable_paths;

pub(super) use argo_settings::{ArgoSetting, ArgoSettings};
pub use cache::DeploymentCache;
pub use found::{FoundObject, deployment_objects};
pub(super) use generate::generated_kustomization;
pub(super) use index::{DeploymentIndex, below};
pub(super) use output::{DataObject, ObjectLocation, TargetOutput, has_variable, location_of};
pub(super) use renumbered::{renumbered, renumbered_mark};
pub(super) use source::{SourcePlace, count_common_folders, source_mark};
