//! The deployment objects of a repository as its files have them: their sources, the targets that
//! deploy them, and the shared state of the builds of one moment.

mod argo_settings;
mod cache;
mod controller;
mod generate;
mod index;
mod output;
mod remotes;
mod source;
mod url;

pub(super) use argo_settings::{ArgoSetting, ArgoSettings};
pub use cache::DeploymentCache;
pub(super) use generate::generated;
pub(super) use index::{DeploymentIndex, renumbered, renumbered_mark};
pub use index::{FoundObject, deployment_objects};
pub(super) use output::{DataObject, ObjectLocation, TargetOutput, location_of};
pub(super) use source::{SourcePlace, shared, source_mark};
