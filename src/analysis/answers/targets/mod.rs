//! Many targets of one repository, and the components that their layers list.

mod build_commands;
pub(super) mod components;
pub(super) mod custom_types;
pub(super) mod file_check;
mod folder_uses;
pub(super) mod grouped_rows;
mod proposed_values;
pub(super) mod report_rows;
pub(super) mod repository_builds;
mod row_help;
pub(super) mod shared_paths;
pub(super) mod target_check;
pub(super) mod target_reports;
pub(super) mod unlisted_manifests;
